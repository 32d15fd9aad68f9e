//! Every format of a report, read by a parser of its own, with hostile text in every place.

#[path = "formats/html.rs"]
mod html;
#[path = "formats/markdown.rs"]
mod markdown;
#[path = "formats/reports.rs"]
mod reports;
#[path = "formats/sarif_reader.rs"]
mod sarif_reader;
#[path = "formats/structured.rs"]
mod structured;

use reports::{hostile, written};
use wirelock_codegen::evolution::Comparison;
use wirelock_codegen::report::{FORMATS, Report, View, format_named};

#[test]
fn formats_are_found_by_names_that_are_theirs_alone() {
    for format in FORMATS {
        let found = format_named(format.name).map(|found| found.help);
        assert_eq!(found, Some(format.help));
    }
    assert!(format_named("prose").is_none());
}

#[test]
fn the_same_report_is_written_alike_each_time_and_an_empty_one_as_well() {
    let empty = Report::new(&Comparison::default());
    for format in FORMATS {
        for report in [&hostile(), &empty] {
            let write = || (format.write)(report, &View::default()).expect("written");
            assert_eq!(write(), write(), "{}", format.name);
            assert!(write().ends_with('\n'), "{}", format.name);
        }
    }
}

#[test]
fn no_format_passes_a_control_character_or_a_hidden_one_on() {
    for format in FORMATS {
        // JSON escapes what has to be and keeps the rest, so that programs get what the schema says.
        if format.name == "json" {
            continue;
        }
        let text = written(format.name, &hostile());
        let raw = text
            .chars()
            .find(|c| (c.is_control() && *c != '\n') || ['\u{202e}', '\u{ffff}'].contains(c));
        assert_eq!(raw, None, "{}", format.name);
    }
}

#[test]
fn a_workflow_command_is_one_line_and_its_properties_are_those_that_were_meant() {
    let text = written("github", &hostile());
    for line in text.lines() {
        let command = line.strip_prefix("::").expect("a command");
        let (head, data) = command.split_once("::").expect("data");
        let (level, properties) = head.split_once(' ').expect("properties");
        assert!(["error", "warning", "notice"].contains(&level), "{line}");
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').expect("a value");
            assert!(["file", "line", "col", "title"].contains(&name), "{line}");
            assert!(!value.contains([':', ',', '\r', '\n']), "{line}");
        }
        // The runner decodes these three alone, so any other use of the sign is spelled out.
        for rest in data.split('%').skip(1) {
            assert!(["25", "0A", "0D"].contains(&&rest[..2]), "{line}");
        }
    }
    let located = "::error file=schema%2F";
    assert!(!text.contains(located), "a path keeps its slashes");
    assert!(
        text.contains("file=schema/") && text.contains(",line="),
        "{text}"
    );
}
