//! A run's terminal item alone, as one JSON document over several lines.

use super::check::Check;
use super::explain;
use super::finding::{Code, Finding, Level, Totals, words};
use super::rules::Marked;
use super::{Audit, unknown};
use wirelock_runtime::{Code as Stream, Detail, Error};

impl Audit {
    /// Audits a document that is the item which ends a run; its bound is that of a frame.
    #[must_use]
    pub fn check_document(&self, bytes: &[u8]) -> (Vec<Finding>, Totals) {
        let mut totals = Totals {
            lines: bytes.iter().filter(|byte| **byte == b'\n').count() as u64,
            runs: 1,
            bytes: bytes.len() as u64,
            ..Totals::default()
        };
        totals.lines += u64::from(bytes.last().is_some_and(|byte| *byte != b'\n'));
        let mut findings = Vec::new();
        let bare = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let length = bare.trim_ascii_end().len() as u64;
        if length > self.max_frame_bytes {
            let limit = self.max_frame_bytes;
            let expected = format!("a document of at most {limit} bytes");
            let detail = Detail::Size {
                limit,
                seen: limit + 1,
            };
            let error = Error::new(Stream::FrameTooLarge, expected).with_detail(detail);
            findings.push(Finding::of(&error, 1));
        } else {
            match std::str::from_utf8(bare) {
                Ok(text) => self.document(text, &mut totals, &mut findings),
                Err(broken) => {
                    let line = line_of(bare, broken.valid_up_to());
                    let error = Error::new(Stream::InvalidUtf8, "UTF-8");
                    let error = error.at_offset(broken.valid_up_to());
                    findings.push(Finding::of(&error, line));
                }
            }
        }
        findings.sort_by_key(|finding| finding.line);
        for finding in &findings {
            match finding.level {
                Level::Error => totals.errors += 1,
                Level::Note => totals.notes += 1,
            }
        }
        (findings, totals)
    }

    fn document(&self, text: &str, totals: &mut Totals, findings: &mut Vec<Finding>) {
        let mut check = Check::new(&self.table, text, self.strict, Vec::new(), Vec::new());
        if let Err(fail) = check.run() {
            let error = explain::error(&self.table, text, fail);
            let line = line_of(text.as_bytes(), error.offset().unwrap_or(0));
            let mut finding = Finding::of(&error, line);
            if error.code() == Stream::InvalidJson && text.contains('\u{1b}') {
                finding.code = Code::AnsiEscape;
            }
            findings.push(finding);
            if error.code() == Stream::InvalidJson {
                return;
            }
        }
        totals.items = 1;
        let marked = self.rules.marked(text);
        self.document_rules(&marked, findings);
        let bytes = text.as_bytes();
        let (mut line, mut counted) = (1, 0);
        for (at, finding) in unknown::told(self, text, &check.found, &check.marks) {
            let next = bytes.get(counted..at).unwrap_or_default();
            line += next.iter().filter(|byte| **byte == b'\n').count() as u64;
            counted = at.max(counted);
            findings.push(Finding { line, ..finding });
        }
    }

    fn document_rules(&self, marked: &Marked<'_>, findings: &mut Vec<Finding>) {
        if let Some(time) = self.rules.broken_time(marked) {
            let error = Error::new(Stream::ItemInvalid, "an RFC 3339 date and time");
            let message = words(&error.with_found(&time));
            findings.push(Finding::new(Code::TsInvalid, Level::Error, 1, message));
        }
        if self.contract && self.rules.terminal.is_some() && !self.rules.facts(marked).terminal {
            let message = "the document is not the item that ends a run";
            let code = Code::Stream(Stream::TerminalMissing);
            findings.push(Finding::new(code, Level::Error, 1, message));
        }
    }
}

fn line_of(bytes: &[u8], at: usize) -> u64 {
    let before = bytes.get(..at).unwrap_or(bytes);
    1 + before.iter().filter(|byte| **byte == b'\n').count() as u64
}
