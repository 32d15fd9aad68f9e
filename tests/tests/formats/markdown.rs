//! Markdown, read by pulldown-cmark with the extensions that GitHub has.

use crate::reports::{hostile, judged, written};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
use wirelock_codegen::report::{Report, View, format_named};

/// The only markup of its own that the comment uses.
const OWN_HTML: &[&str] = &["<code>", "</code>", "<br>", "<!-- -->"];

fn events(text: &str) -> Vec<Event<'_>> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_FOOTNOTES;
    Parser::new_ext(text, options).collect()
}

fn with_links(report: &Report) -> String {
    let format = format_named("markdown").expect("a format");
    let view = View {
        links: Some("https://host.example/owner/project/blob/0123abc/".to_owned()),
        ..View::default()
    };
    (format.write)(report, &view).expect("written")
}

#[test]
fn hostile_text_is_text() {
    let text = with_links(&hostile());
    for event in events(&text) {
        match event {
            Event::InlineHtml(html) => assert!(OWN_HTML.contains(&&*html), "{html}"),
            Event::Html(html) => assert!(
                html.starts_with("<!-- wirelock")
                    || html.trim() == "</details>"
                    || html.starts_with("<details><summary>Witnesses"),
                "{html}"
            ),
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => {
                assert_eq!(link_type, LinkType::Inline);
                assert!(
                    dest_url.starts_with("https://host.example/owner/project/blob/0123abc/"),
                    "{dest_url}"
                );
            }
            Event::Start(
                Tag::Image { .. } | Tag::CodeBlock(_) | Tag::Emphasis | Tag::Strikethrough,
            )
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_) => panic!("{event:?} in {text}"),
            // A name that is told, an issue, or an address would come to life in one piece of text.
            Event::Text(piece) => {
                for sign in ["@octocat", "#1", "://", "www.", "GH-1"] {
                    assert!(!piece.contains(sign), "{piece}");
                }
            }
            _ => {}
        }
    }
    assert!(text.contains("octocat"), "it is shown all the same");
}

#[test]
fn every_row_of_a_table_has_its_columns() {
    for report in [hostile(), refused()] {
        let text = with_links(&report);
        let mut rows = Vec::new();
        for event in events(&text) {
            match event {
                Event::Start(Tag::TableRow | Tag::TableHead) => rows.push(0),
                Event::Start(Tag::TableCell) => *rows.last_mut().expect("a row") += 1,
                _ => {}
            }
        }
        assert!(rows.iter().all(|cells| [3, 6].contains(cells)), "{rows:?}");
        // The source has the same number of bars, so no cell was dropped or filled in.
        let table = text.lines().filter(|line| line.starts_with('|'));
        let bars: Vec<usize> = table.map(|line| line.matches('|').count() - 1).collect();
        assert!(bars.iter().all(|bars| [3, 6].contains(bars)), "{bars:?}");
        assert_eq!(
            rows.iter().filter(|cells| **cells == 6).count(),
            report.changes.len() + 1
        );
    }
}

#[test]
fn a_comment_says_the_verdict_and_links_each_place() {
    let text = with_links(&refused());
    assert!(
        text.starts_with(
            "<!-- wirelock check-evolution -->\n### <code>schema/new.json</code>: refused\n"
        ),
        "{text}"
    );
    assert!(text.contains("[<code>schema/new.json&#58;<!-- -->1&#58;<!-- -->44</code>](https://host.example/owner/project/blob/0123abc/schema/new.json#L1)"), "{text}");
    assert!(text.contains("**Instead:** Keep the old field"), "{text}");
    // Without links the places are still told.
    assert!(!written("markdown", &refused()).contains("]("));
}

#[test]
fn a_comment_stays_below_what_github_takes_and_says_what_it_left_out() {
    let mut report = refused();
    let one = report.changes[0].clone();
    report.changes = vec![one; 5000];
    let text = with_links(&report);
    assert!(text.chars().count() < 65_536, "{}", text.len());
    assert!(
        text.contains(" more do not fit into a comment"),
        "{}",
        &text[text.len() - 300..]
    );
}

fn refused() -> Report {
    let schema = |name: &str| {
        format!(r#"{{"type": "object", "properties": {{"{name}": {{"type": "string"}}}}}}"#)
    };
    judged(&schema("name"), &schema("label"))
}
