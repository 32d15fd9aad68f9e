//! HTML, read by the HTML5 parser of a browser engine.

use crate::reports::{
    HOSTILE, history, hostile, hostile_history, judged, written, written_history,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use scraper::{ElementRef, Html, Selector};
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;
use wirelock_codegen::report::{View, format_named};

fn page(text: &str) -> Html {
    let page = Html::parse_document(text);
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    page
}

fn select<'p>(page: &'p Html, selector: &str) -> Vec<ElementRef<'p>> {
    let selector = Selector::parse(selector).expect("a selector");
    page.select(&selector).collect()
}

fn count(page: &Html, selector: &str) -> usize {
    select(page, selector).len()
}

fn texts(page: &Html, selector: &str) -> Vec<String> {
    let found = select(page, selector);
    found.iter().map(|one| one.text().collect()).collect()
}

/// Every attribute that a page of this project has, on any element.
const ATTRIBUTES: [&str; 22] = [
    "aria-label",
    "charset",
    "checked",
    "class",
    "content",
    "cx",
    "cy",
    "data-kind",
    "hidden",
    "href",
    "http-equiv",
    "id",
    "lang",
    "name",
    "open",
    "points",
    "r",
    "role",
    "scope",
    "type",
    "value",
    "viewBox",
];

#[test]
fn hostile_text_is_text() {
    for text in [
        written("html", &hostile()),
        written_history("html", &hostile_history()),
    ] {
        let page = page(&text);
        assert_eq!(count(&page, "script"), 1);
        assert_eq!(count(&page, "img, b, iframe, object, link, base"), 0);
        for element in page.tree.values().filter_map(|node| node.as_element()) {
            for (name, value) in element.attrs() {
                assert!(ATTRIBUTES.contains(&name), "{name}={value}");
                // Nothing that the report holds becomes part of a link or of a name.
                let own = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'#';
                if name == "href" || name == "id" {
                    assert!(value.bytes().all(own), "{name}={value}");
                }
            }
        }
        let readable = HOSTILE.split('\u{1b}').next().expect("a start").trim_end();
        let all: String = page.root_element().text().collect();
        assert!(all.contains(readable), "it is shown all the same");
    }
}

#[test]
fn every_link_leads_to_the_one_element_of_that_name() {
    let history = hostile_history();
    for text in [
        written("html", &hostile()),
        written(
            "html",
            &judged(RECURSIVE, &RECURSIVE.replace("left", "right")),
        ),
        written_history("html", &history),
    ] {
        let page = page(&text);
        let ids: Vec<&str> = select(&page, "[id]")
            .iter()
            .filter_map(|one| one.attr("id"))
            .collect();
        let different: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), different.len(), "{ids:?}");
        let links = select(&page, "a[href^=\"#\"]");
        assert!(!links.is_empty());
        for link in links {
            let target = &link.attr("href").expect("a link")[1..];
            assert!(different.contains(target), "{target}");
        }
    }
}

const RECURSIVE: &str = r##"{"$ref": "#/$defs/tree", "$defs": {"tree": {"title": "Tree", "type": "object", "properties": {
    "left": {"$ref": "#/$defs/tree"}, "other": {"$ref": "#/$defs/tree"}, "leaves": {"type": "array", "items": {"enum": ["a", "b"]}}}}}}"##;

#[test]
fn the_page_lets_its_own_script_run_and_nothing_else() {
    for text in [
        written("html", &hostile()),
        written_history("html", &history(vec![hostile()])),
    ] {
        let page = page(&text);
        let script = texts(&page, "script").remove(0);
        let digest = STANDARD.encode(Sha256::digest(script));
        let policy = select(&page, "meta[http-equiv=Content-Security-Policy]")[0];
        let policy = policy.attr("content").expect("a policy").to_owned();
        assert!(
            policy.contains(&format!("script-src 'sha256-{digest}';")),
            "{policy} lacks {digest}"
        );
        assert!(policy.starts_with("default-src 'none'"), "{policy}");
    }
}

#[test]
fn each_finding_stands_at_its_element_with_both_places_marked() {
    let schema = |name: &str| {
        format!(
            "{{\n  \"type\": \"object\",\n  \"properties\": {{\n    \"{name}\": {{\"type\": \"string\"}}\n  }}\n}}\n"
        )
    };
    let report = judged(&schema("name"), &schema("label"));
    let page = page(&written("html", &report));
    assert_eq!(count(&page, ".tree li > article.error"), 1);
    assert_eq!(
        texts(&page, "article mark"),
        ["{\"type\": \"string\"}", "{\"type\": \"string\"}"]
    );
    // The old name stands where it stood, and leads to what became of it.
    assert_eq!(texts(&page, ".tree .gone del"), ["name"]);
    let led = select(&page, ".tree .gone a")[0].attr("href");
    assert_eq!(led, select(&page, ".index a")[0].attr("href"));
    // Without a script nothing is hidden but the form that would do nothing.
    assert_eq!(count(&page, "[hidden]"), 1);
    assert_eq!(count(&page, "form[hidden]"), 1);
}

#[test]
fn the_whole_catalogue_is_shown_with_what_changed_in_its_place() {
    let schema = |members: &str, kinds: &str| {
        format!(
            r#"{{"oneOf": [
                {{"type": "object", "required": ["type"], "properties": {{"type": {{"const": "start"}}, {members}}}}},
                {{"type": "object", "required": ["type"], "properties": {{"type": {{"const": "end"}}, "kind": {{"anyOf": [{kinds} {{"type": "string"}}]}}}}}},
                {{"type": "object", "required": ["type"], "properties": {{"type": {{"type": "string", "not": {{"enum": ["start", "end"]}}}}}}}}
            ]}}"#
        )
    };
    let old = schema(
        r#""a": {"type": "integer"}, "b": {"type": "object", "properties": {"deep": {"type": "null"}}}, "c": {"type": "string"}"#,
        r#"{"const": "x"}, "#,
    );
    let new = schema(
        r#""a": {"type": "integer"}, "c": {"type": "string"}, "d": {"type": "boolean"}"#,
        r#"{"const": "x"}, {"const": "y"}, "#,
    );
    let mut report = judged(&old, &new);
    let added = report.changes.iter_mut();
    for finding in added.filter(|finding| finding.rule == "property-added") {
        finding.golden = Some(wirelock_codegen::report::GoldenLine {
            file: "golden/run.jsonl".to_owned(),
            line: 7,
        });
    }
    let page = page(&written("html", &report));
    let names = |selector: &str| texts(&page, selector);
    let head = |depth: usize| {
        let list = [".tree", " > li > details > ul"].concat();
        let lists = [list, " > li > details > ul".repeat(depth)].concat();
        format!(
            "{lists} > li > div > :is(code, del), {lists} > li > details > summary > :is(code, del)"
        )
    };
    assert_eq!(names(&head(0)), ["start", "end", "*"]);
    // What is gone stands between those that it stood between, with all that was in it.
    let start = ".tree > li > details > ul > li:first-child > details > ul > li";
    let start =
        format!("{start} > div > :is(code, del), {start} > details > summary > :is(code, del)");
    assert_eq!(names(&start), ["type", "a", "b", "c", "d"]);
    assert_eq!(names(".tree .gone del"), ["b", "deep"]);
    assert_eq!(
        names(".tree .gone > details > summary > .mark"),
        ["removed", "refused"]
    );
    assert_eq!(names(".tree .added > div > code"), ["d", "y"]);
    let golden = names(".tree .added dd");
    assert!(
        golden.contains(&"golden/run.jsonl:7".to_owned()),
        "{golden:?}"
    );
    // Each finding is listed once at the top, in the order of every report, and stands once below.
    assert_eq!(count(&page, ".index li"), count(&page, "article"));
    assert_eq!(count(&page, ".tree article"), report.changes.len());
    let text = page.root_element().text().collect::<String>();
    assert!(text.contains("2 lines, 6 fields, 2 values."), "{text}");
}

#[test]
fn definitions_without_a_root_stand_side_by_side_and_one_that_is_gone_among_them() {
    let schema = |names: &[&str]| {
        let one = |name: &&str| {
            format!(
                r#""{name}": {{"type": "object", "properties": {{"of{name}": {{"type": "string"}}}}}}"#
            )
        };
        let all: Vec<String> = names.iter().map(one).collect();
        format!(r#"{{"$defs": {{{}}}}}"#, all.join(","))
    };
    let report = judged(&schema(&["A", "B", "C"]), &schema(&["A", "C", "D"]));
    let page = page(&written("html", &report));
    let tops = ".tree > li > details > summary > :is(code, del)";
    let mut tops = texts(&page, tops);
    tops.sort();
    assert_eq!(tops, ["A", "B", "C", "D"]);
    assert_eq!(
        texts(&page, ".tree > li.gone > details > summary > del"),
        ["B"]
    );
}

#[test]
fn a_schema_of_any_size_makes_a_page_of_bounded_size_that_says_so() {
    let members = |prefix: &str, count: usize, of: &dyn Fn(usize) -> String| {
        let one = |at: usize| format!(r#""{prefix}{at}": {}"#, of(at));
        (0..count).map(one).collect::<Vec<_>>().join(",")
    };
    let group = |_: usize| {
        let inner = members("m", 60, &|_| r#"{"enum": ["p", "q"]}"#.to_owned());
        format!(r#"{{"type": "object", "properties": {{{inner}}}}}"#)
    };
    let many = members("n", 300, &|_| r#"{"type": "string"}"#.to_owned());
    let schema = |more: &str| {
        let groups = members("g", 60, &group);
        format!(
            r#"{{"type": "object", "properties": {{{groups}, "many": {{"type": "object", "properties": {{{many}{more}}}}}}}}}"#
        )
    };
    let report = judged(&schema(""), &schema(r#", "last": {"type": "string"}"#));
    let text = written("html", &report);
    assert!(text.len() < 1 << 20, "{}", text.len());
    let page = page(&text);
    let all = page.root_element().text().collect::<String>();
    let places = 1 + 60 + 60 * 60 * 3 + 1 + 301;
    let said = format!(
        "The page shows 4001 of {places} places, with every one that a finding above is about."
    );
    assert!(all.contains(&said), "{said}");
    assert_eq!(count(&page, ".tree li:not(.more)"), 4001);
    let hidden: HashSet<String> = texts(&page, ".tree .more").into_iter().collect();
    // Members beside the first 250, and values for which nothing was left.
    assert!(
        hidden.contains("50 more") && hidden.contains("2 more"),
        "{hidden:?}"
    );
    // The one that changed stands beyond the bound all the same.
    assert_eq!(texts(&page, ".tree .added > div > code"), ["last"]);
}

#[test]
fn what_is_said_of_a_branch_stands_at_its_place() {
    let schema = |text: &str| {
        format!(
            r##"{{"type": "object", "properties": {{"kind": {{"description": "One\n\nof two.", "anyOf": [{{"$ref": "#/$defs/kind"}}, {{"type": "null"}}]}}}},
            "$defs": {{"kind": {{"anyOf": [{{"const": "a"}}, {{"type": "string", "description": "{text}"}}]}}}}}}"##
        )
    };
    let report = judged(&schema("another"), &schema("some other"));
    assert_eq!(report.changes.len(), 1, "{:?}", report.changes);
    let page = page(&written("html", &report));
    assert_eq!(count(&page, ".tree ul > li article"), 1);
    // A description is one paragraph, however many it has in the schema.
    assert_eq!(texts(&page, ".tree ul > li > details > p"), ["One of two."]);
}

#[test]
fn what_went_with_something_that_is_gone_is_bounded_as_well() {
    let members = |prefix: &str, of: &str| {
        let one = |at: usize| format!(r#""{prefix}{at}": {of}"#);
        (0..80).map(one).collect::<Vec<_>>().join(",")
    };
    let inner = format!(
        r#"{{"type": "object", "properties": {{{}}}}}"#,
        members("m", "{}")
    );
    let old = format!(
        r#"{{"type": "object", "properties": {{"kept": {{}}, "gone": {{"type": "object", "properties": {{{}}}}}}}}}"#,
        members("g", &inner)
    );
    let report = judged(&old, r#"{"type": "object", "properties": {"kept": {}}}"#);
    let page = page(&written("html", &report));
    assert_eq!(
        texts(&page, ".tree .gone:has(article) > details > summary > del"),
        ["gone"]
    );
    assert_eq!(count(&page, ".tree .gone"), 1 + 4000);
    assert!(count(&page, ".tree .gone .more") > 0);
}

#[test]
fn many_changes_make_a_page_of_bounded_size() {
    // Each value of the old is looked for among all of the new.
    let values = |prefix: &str| {
        let all: Vec<String> = (0..5_000).map(|at| format!("\"{prefix}{at}\"")).collect();
        format!("{{\"enum\": [{}]}}", all.join(","))
    };
    let report = judged(&values("old"), &values("new"));
    let all = report.changes.len();
    assert!(all >= 5_000, "{all}");
    let text = written("html", &report);
    assert!(text.len() < 4 << 20, "{}", text.len());
    let page = page(&text);
    assert_eq!(count(&page, "article"), 1000);
    assert_eq!(count(&page, ".index li"), 1000);
    let said = texts(&page, "main > p.more");
    assert!(
        said[0].starts_with(&format!("{} more, ", all - 1000)),
        "{said:?}"
    );
}

#[test]
fn each_of_many_that_are_gone_stands_behind_what_stood_before_it() {
    let schema = |step: usize| {
        let members: Vec<String> = (0..600)
            .step_by(step)
            .map(|at| format!("\"m{at:03}\": {{}}"))
            .collect();
        format!(
            "{{\"type\": \"object\", \"properties\": {{{}}}}}",
            members.join(",")
        )
    };
    let page = page(&written("html", &judged(&schema(1), &schema(2))));
    let names = texts(&page, ".tree li li :is(code, del):first-child");
    let mut seen: Vec<&String> = names.iter().filter(|name| name.starts_with('m')).collect();
    seen.dedup();
    assert!(seen.is_sorted(), "{seen:?}");
    assert_eq!(count(&page, ".tree .gone"), 300);
}

#[test]
fn no_schema_nests_a_page_deeper_than_browsers_take() {
    let chain = |end: &str| {
        let one = |at: usize| {
            format!(
                r##""d{at}": {{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/d{}"}}}}}}"##,
                at + 1
            )
        };
        let all: Vec<String> = (0..300).map(one).collect();
        format!(
            r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d300": {end}}}}}"##,
            all.join(",")
        )
    };
    let report = judged(
        &chain(r#"{"type": "string"}"#),
        &chain(r#"{"type": "null"}"#),
    );
    let page = page(&written("html", &report));
    let depth = |one: &ElementRef<'_>| one.ancestors().count();
    let deepest = select(&page, "*").iter().map(depth).max();
    assert!(deepest.expect("elements") < 60, "{deepest:?}");
    assert_eq!(count(&page, ".tree article.error"), report.changes.len());
    assert_eq!(count(&page, ".tree > li"), 30);
}

#[test]
fn a_step_without_a_day_or_a_judgement_is_shown_as_that() {
    let page = page(&written_history("html", &hostile_history()));
    // An empty `time` would be no valid HTML.
    assert_eq!(texts(&page, "time"), ["2026-11-30", "2026-11-30"]);
    let to_newest = texts(&page, ".steps > li > p:last-child");
    let to_newest = to_newest
        .iter()
        .filter(|one| one.starts_with("To the newest: "));
    assert_eq!(to_newest.count(), 2);
    assert_eq!(count(&page, ".steps > li > p.refused"), 1);
}

#[test]
fn links_of_a_step_lead_to_its_own_commit() {
    let old = r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#;
    let new = old.replace("string", "null");
    let mut report = judged(old, &new);
    report.new_name = "0123abc:schema/a b.json".to_owned();
    let mut history = history(vec![report.clone(), report]);
    history.steps[0].revision = "0123abc".to_owned();
    history.steps[0].links = Some("https://host.example/o/p/blob/0123abcdef/".to_owned());
    let links = View {
        links: Some("https://host.example/o/p/blob/fedcba/".to_owned()),
        ..View::default()
    };
    let write = format_named("html").and_then(|format| format.history);
    let text = write.expect("a format of histories")(&history, &links).expect("written");
    let page = page(&text);
    let links = select(&page, "a[href^=https]");
    assert!(!links.is_empty());
    for link in links {
        let target = link.attr("href").expect("a link");
        // The second is a commit as well, and where it is on the web is not known.
        let own = "https://host.example/o/p/blob/0123abcdef/schema/a%20b.json#L1";
        assert_eq!(target, own);
    }
}

#[test]
fn a_history_shows_how_the_contract_grew_and_each_refused_step() {
    let schema = |members: &str| format!(r#"{{"type": "object", "properties": {{{members}}}}}"#);
    let one = schema(r#""a": {"type": "string"}"#);
    let two = schema(r#""a": {"type": "string"}, "kind": {"enum": ["x", "y"]}"#);
    let three = schema(r#""kind": {"enum": ["x", "y"]}"#);
    let history = history(vec![
        judged(&one, &one),
        judged(&one, &two),
        judged(&two, &three),
    ]);
    let page = page(&written_history("html", &history));
    assert_eq!(
        count(&page, "svg[role=img]"),
        2,
        "fields and values; there are no lines"
    );
    assert_eq!(texts(&page, "figcaption"), ["fields 1", "values 0 → 2"]);
    assert_eq!(count(&page, "svg circle.refused"), 2);
    let rows = texts(&page, ".growth tbody tr");
    assert_eq!(
        rows,
        ["r0 accepted10", "r1 accepted2 +12 +2", "r2 refused1 -12"]
    );
    // What was refused is in sight, what was accepted is folded.
    assert_eq!(
        count(&page, ".steps > li.refused > details[open] article.error"),
        1
    );
    assert_eq!(count(&page, ".steps > li.accepted > details[open]"), 0);
    assert_eq!(count(&page, ".steps > li.accepted > details article"), 1);
    assert_eq!(count(&page, "[hidden]"), 1);
}
