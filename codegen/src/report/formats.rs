//! The table of formats: one row each, which is all that a command has to know of one.

use super::{History, Report, github, html, human, json, junit, markdown, sarif};

/// What a format cannot know from the report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// Whether escape sequences may colour the text, which is so on a terminal alone.
    pub colour: bool,
    /// What stands in front of a path to make it a link to a file of the new revision, as
    /// `https://host/owner/project/blob/0123abc/`.
    pub links: Option<String>,
}

/// A way to write a report down.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// What the flag calls it.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub help: &'static str,
    /// Writes a report, with a line end at its end.
    pub write: Writer,
    /// Whether programs look its paths up from the root of the repository.
    pub from_root: bool,
    /// Whether it says the report's notes itself.
    pub has_notes: bool,
    /// What goes onto the page that sums up a run of a CI job, where there is such a page.
    pub step_summary: Option<Writer>,
    /// Writes a whole history, where the format has a way to.
    pub history: Option<HistoryWriter>,
}

/// Writes a report. It fails where `serde_json` does, which a report gives it no reason for.
pub type Writer = fn(&Report, &View) -> Result<String, serde_json::Error>;

/// Writes a history; it fails as [`Writer`] does.
pub type HistoryWriter = fn(&History, &View) -> Result<String, serde_json::Error>;

/// All formats; the first one is the usual one.
///
/// ```
/// use wirelock_codegen::evolution::Comparison;
/// use wirelock_codegen::report::{FORMATS, Report, View};
/// let report = Report::new(&Comparison::default());
/// for format in FORMATS {
///     let text = (format.write)(&report, &View::default()).unwrap();
///     assert!(text.ends_with('\n'), "{}", format.name);
/// }
/// ```
pub const FORMATS: &[Format] = &[
    Format {
        has_notes: true,
        history: Some(human::history),
        ..format("human", "Text for a reader", human::human)
    },
    Format {
        history: Some(|history, _| json::history(history)),
        ..format("json", "JSON on one line", |report, _| {
            Ok(format!("{}\n", json::json(report)?))
        })
    },
    Format {
        from_root: true,
        step_summary: Some(markdown::markdown),
        ..format(
            "github",
            "Annotations of a GitHub workflow, with a step summary",
            github::github,
        )
    },
    Format {
        from_root: true,
        ..format(
            "sarif",
            "SARIF 2.1.0, for code scanning and editors",
            sarif::sarif,
        )
    },
    Format {
        from_root: true,
        ..format(
            "junit",
            "JUnit XML, for what shows test results",
            junit::junit,
        )
    },
    Format {
        from_root: true,
        has_notes: true,
        ..format(
            "markdown",
            "A comment for a pull request",
            markdown::markdown,
        )
    },
    Format {
        from_root: true,
        has_notes: true,
        history: Some(html::timeline),
        ..format("html", "One page that needs no other file", html::html)
    },
];

/// The format of that name.
#[must_use]
pub fn format_named(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

const fn format(name: &'static str, help: &'static str, write: Writer) -> Format {
    Format {
        name,
        help,
        write,
        from_root: false,
        has_notes: false,
        step_summary: None,
        history: None,
    }
}
