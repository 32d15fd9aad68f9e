//! How findings are written, with a bar on terminals where it takes a while.

use crate::cli::Format;
use crate::exit::Exit;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{BufWriter, ErrorKind, Write as _};
use wirelock_codegen::audit::{Block, Finding, Level, Totals};
use wirelock_codegen::report::{visible, visible_lines};

/// A finding as programs read it.
#[derive(Serialize)]
struct Line<'a> {
    code: &'static str,
    level: Level,
    file: &'a str,
    line: u64,
    message: &'a str,
}

#[derive(Serialize)]
struct Last {
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    files: u64,
    #[serde(flatten)]
    totals: Totals,
    /// Inputs that could not be read.
    unreadable: u64,
}

pub(super) struct Report<'o> {
    format: Format,
    /// `None` once nobody reads it any more.
    out: Option<BufWriter<Box<dyn std::io::Write + Send + 'o>>>,
    bar: ProgressBar,
    files: u64,
    totals: Totals,
    unreadable: u64,
    failed: Option<std::io::Error>,
}

impl<'o> Report<'o> {
    /// A report to standard output; the bar is drawn on a terminal alone.
    pub(super) fn new(format: Format, bytes: Option<u64>) -> Self {
        let bar = match bytes {
            Some(bytes) => ProgressBar::new(bytes),
            None => ProgressBar::new_spinner(),
        };
        let style = match bytes {
            Some(_) => "{bar:32} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
            None => "{spinner} {bytes}, {bytes_per_sec}",
        };
        // The template is a constant of this file, and falls back to the plain bar.
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Self {
            format,
            out: Some(BufWriter::new(Box::new(std::io::stdout()))),
            bar,
            files: 0,
            totals: Totals::default(),
            unreadable: 0,
            failed: None,
        }
    }

    /// Moves the bar.
    pub(super) fn read(&mut self, block: &Block) {
        self.bar.inc(block.bytes());
    }

    pub(super) fn finding(&mut self, file: &str, finding: &Finding) {
        let text = match self.format {
            Format::Human => format!(
                "{}:{}: {} {}: {}\n",
                visible(file),
                finding.line,
                finding.level.as_str(),
                finding.code,
                visible(&finding.message)
            ),
            Format::Json => json(&Line {
                code: finding.code.as_str(),
                level: finding.level,
                file,
                line: finding.line,
                message: &finding.message,
            }),
        };
        self.write(&text);
    }

    /// Adds the sums of a file that was read to its end.
    pub(super) fn file(&mut self, totals: &Totals) {
        self.files += 1;
        self.totals.add(totals);
    }

    pub(super) fn unreadable(&mut self, why: &str) {
        self.unreadable += 1;
        self.bar
            .suspend(|| eprintln!("error: {}", visible_lines(why)));
    }

    /// Writes the sum, and gives the exit code.
    pub(super) fn finish(mut self) -> Result<Exit> {
        self.bar.finish_and_clear();
        let totals = self.totals;
        let text = match self.format {
            Format::Human => {
                let words = [
                    count(self.files, "recording"),
                    count(totals.lines, "line"),
                    count(totals.items, "item"),
                    count(totals.runs, "run"),
                ];
                format!(
                    "{}: {}, {}\n",
                    words.join(", "),
                    count(totals.errors, "error"),
                    count(totals.notes, "note")
                )
            }
            Format::Json => json(&Last {
                summary: Summary {
                    files: self.files,
                    totals,
                    unreadable: self.unreadable,
                },
            }),
        };
        self.write(&text);
        self.flush();
        if let Some(error) = self.failed {
            return Err(anyhow::Error::new(error).context("cannot write to standard output"));
        }
        Ok(match (self.unreadable, totals.errors) {
            (0, 0) => Exit::Accepted,
            (0, _) => Exit::Refused,
            _ => Exit::CouldNotRun,
        })
    }

    fn write(&mut self, text: &str) {
        let Some(out) = &mut self.out else { return };
        let written = if self.bar.is_hidden() {
            out.write_all(text.as_bytes())
        } else {
            // On a terminal both stand in one place.
            self.bar.suspend(|| {
                out.write_all(text.as_bytes())?;
                out.flush()
            })
        };
        self.settle(written);
    }

    fn flush(&mut self) {
        let written = self.out.as_mut().map_or(Ok(()), |out| out.flush());
        self.settle(written);
    }

    /// A reader that has seen enough, as `head`, changes nothing about the answer.
    fn settle(&mut self, written: std::io::Result<()>) {
        if let Err(error) = written {
            self.out = None;
            if error.kind() != ErrorKind::BrokenPipe {
                self.failed = self.failed.take().or(Some(error));
            }
        }
    }
}

fn count(number: u64, name: &str) -> String {
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
}

fn json(value: &impl Serialize) -> String {
    // Structures of texts and numbers are always written.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    text
}
