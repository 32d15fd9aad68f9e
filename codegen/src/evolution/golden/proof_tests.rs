//! Additions to this project's contract, with and without the goldens that show them.

use super::tests::{borrowed, contract, files_of};
use super::{Proof, check_append_only, check_goldens, prove_additions};
use crate::evolution::{Change, ElementKind, Level, draft};
use crate::wire::{Element, Kind, Wire, elements, read};

/// The contract before and after an edit, with the addition that the edit makes.
fn grown(edit: impl Fn(&str) -> String, subject: &str) -> (Wire, Wire, String, Vec<Change>) {
    let (old, text) = contract();
    let text = edit(&text);
    let new = read("new.json", &text).expect("a schema");
    let all = elements(&new);
    let is_it = |element: &&Element| element.subject.as_str() == subject;
    let element = all.iter().find(is_it).expect("the addition");
    let addition = Change {
        rule: "added",
        level: Level::Additive,
        message: String::new(),
        subject: subject.to_owned(),
        old: None,
        new: Some(element.origin.clone()),
        further_places: 0,
        element: Some(match element.kind {
            Kind::Field => ElementKind::Field,
            Kind::Variant => ElementKind::Variant,
            Kind::Value => ElementKind::Value,
        }),
    };
    (old, new, text, vec![addition])
}

type Files = Vec<(String, String)>;

// The edits are of text, since the order of members is part of what canonical bytes are.

fn insert(text: &str, at: Option<usize>, what: &str) -> String {
    let (before, after) = text.split_at(at.expect("the place of the edit"));
    format!("{before}{what}{after}")
}

fn add_kind(text: &str) -> String {
    let definition = r##""system_budget": {
        "title": "SystemBudget", "description": "Tells what is left of the budget.", "type": "object",
        "allOf": [{"$ref": "#/$defs/envelope"}],
        "properties": {
            "type": {"const": "system", "description": "Marks a system line."},
            "subtype": {"const": "budget", "description": "Marks a budget line."},
            "left": {"$ref": "#/$defs/count", "description": "What is left."},
            "unit": {"anyOf": [{"const": "tokens", "description": "Tokens."}, {"const": "cents", "description": "Cents."}, {"type": "string"}], "description": "The unit."},
            "by": {"$ref": "#/$defs/agent_info", "description": "Who spends it."}
        },
        "required": ["type", "subtype", "left"]
    }, "##;
    let text = insert(text, text.find("\"envelope\": {"), definition);
    let branch = r##"{"$ref": "#/$defs/system_budget"}, "##;
    let first = text
        .find("#/$defs/system_init")
        .and_then(|at| text[..at].rfind('{'));
    let text = insert(&text, first, branch);
    insert(&text, text.rfind("\"permission_denied\","), "\"budget\", ")
}

fn add_field(text: &str) -> String {
    let member = r##""cache_hits": {"$ref": "#/$defs/count", "description": "Hits."}, "##;
    insert(text, text.find("\"cache_read\": {"), member)
}

fn add_value(text: &str) -> String {
    let branch = r#"{"const": "debug", "description": "For developers."}, "#;
    let first = text
        .find("\"const\": \"info\"")
        .and_then(|at| text[..at].rfind('{'));
    insert(text, first, branch)
}

fn prove(
    old: &Wire,
    new: &Wire,
    changes: &[Change],
    before: &[(String, String)],
    after: &[(String, String)],
) -> Vec<Proof> {
    prove_additions(old, new, changes, &borrowed(before), &borrowed(after))
}

#[test]
fn an_addition_is_proved_by_its_draft_and_by_nothing_that_stood_before() {
    let goldens = files_of("schema/golden");
    for (edit, subject) in [
        (add_kind as fn(&str) -> String, "system/budget"),
        (add_field, "result.usage.cache_hits"),
        (add_value, "system/notification.severity=debug"),
    ] {
        let (old, new, text, changes) = grown(edit, subject);
        let before = prove(&old, &new, &changes, &goldens, &goldens);
        assert!(
            before.iter().all(|proof| proof.golden.is_none()),
            "{before:?}"
        );

        let missing = check_goldens(&new, &text, &borrowed(&goldens)).uncovered;
        assert!(!missing.is_empty());
        let drafts = draft(&new, &missing, &borrowed(&goldens));
        assert_eq!(drafts.failed, []);
        let mut after = goldens.clone();
        after.extend(drafts.files);
        let proofs = prove(&old, &new, &changes, &goldens, &after);
        assert!(proofs.len() == 1 && proofs[0].is_complete(), "{proofs:?}");
        assert_eq!(
            check_append_only(
                new.contract.as_ref(),
                &borrowed(&goldens),
                &borrowed(&after)
            ),
            []
        );
        let report = check_goldens(&new, &text, &borrowed(&after));
        assert_eq!((report.faults, report.uncovered), (Vec::new(), Vec::new()));
    }
}

#[test]
fn members_of_a_new_variant_must_occur_and_shared_ones_need_not() {
    let (old, new, _, changes) = grown(add_kind, "system/budget");
    let golden = |members: &str| {
        let line = format!(
            "{{\"type\":\"system\",\"subtype\":\"budget\",\"session_id\":\"s\",\"seq\":1,\"left\":3{members}}}\n"
        );
        vec![("budget.jsonl".to_owned(), line)]
    };
    let proofs = prove(&old, &new, &changes, &[], &golden(""));
    assert_eq!(proofs[0].golden, Some(("budget.jsonl".to_owned(), 1)));
    assert_eq!(
        proofs[0].missing,
        [
            "system/budget.unit",
            "system/budget.by",
            "system/budget.unit=tokens",
            "system/budget.unit=cents"
        ]
    );
    let one = golden(",\"unit\":\"cents\",\"by\":{\"name\":\"n\",\"provider\":\"p\"}");
    assert_eq!(
        prove(&old, &new, &changes, &[], &one)[0].missing,
        ["system/budget.unit=tokens"]
    );
    // A line that the new revision refuses shows nothing.
    let refused = golden(",\"unit\":\"pounds\"");
    assert_eq!(prove(&old, &new, &changes, &[], &refused)[0].golden, None);
    // A line that stood before shows nothing either, whatever its number.
    let renumbered = vec![(
        "budget.jsonl".to_owned(),
        one[0].1.replace("\"seq\":1", "\"seq\":9"),
    )];
    assert_eq!(
        prove(&old, &new, &changes, &one, &renumbered)[0].golden,
        None
    );
}

#[test]
fn an_unknown_elsewhere_proves_nothing() {
    // `cache_hits` at a line of an unknown kind, or in a free-form part, is not the element's place.
    let (old, new, _, changes) = grown(add_field, "result.usage.cache_hits");
    let line = |rest: &str| {
        let text = format!(
            "{{\"type\":\"result\",\"session_id\":\"s\",\"seq\":1,{rest}\"subtype\":\"success\",\"is_error\":false}}\n"
        );
        vec![("run.jsonl".to_owned(), text)]
    };
    let free = line(
        "\"extension\":{\"usage\":{\"input_tokens\":1,\"output_tokens\":1,\"cache_hits\":1}},",
    );
    assert_eq!(prove(&old, &new, &changes, &[], &free)[0].golden, None);
    let own = "{\"type\":\"result\",\"session_id\":\"s\",\"seq\":1,\"subtype\":\"success\",\"is_error\":false,\"model_usage\":{\"m/1\":{\"input_tokens\":1,\"output_tokens\":1,\"cache_hits\":1}}}\n";
    let own = vec![("run.jsonl".to_owned(), own.to_owned())];
    assert_eq!(
        prove(&old, &new, &changes, &[], &own)[0].golden,
        Some(("run.jsonl".to_owned(), 1))
    );
}

#[test]
fn goldens_only_grow() {
    let (wire, _) = contract();
    let old = files_of("schema/golden");
    let check = |edit: &dyn Fn(&mut Files)| {
        let mut new = old.clone();
        edit(&mut new);
        let faults = check_append_only(wire.contract.as_ref(), &borrowed(&old), &borrowed(&new));
        faults
            .into_iter()
            .map(|fault| fault.message)
            .collect::<Vec<_>>()
    };
    assert_eq!(check(&|_| {}), [""; 0]);
    assert_eq!(
        check(&|files| files.push(("more.jsonl".to_owned(), String::new()))),
        [""; 0]
    );
    let renumber = |files: &mut Files| {
        for (_, text) in files {
            *text = text
                .replace("\"seq\":", "\"seq\":1")
                .replace("\"seq\":1\"", "\"seq\":\"")
                .replace("\"ts\":\"20", "\"ts\":\"21");
        }
    };
    assert_eq!(check(&renumber), [""; 0]);
    assert!(check(&|files| drop(files.remove(0)))[0].contains("is gone"));
    let shorten = |files: &mut Files| {
        let end = files[0].1.find('\n').expect("a line") + 1;
        files[0].1.drain(..end);
    };
    assert!(check(&shorten)[0].contains("line 1 of the base is gone or changed"));
    let swap = |files: &mut Files| {
        let mut lines: Vec<&str> = files[0].1.lines().collect();
        lines.swap(0, 1);
        files[0].1 = lines.join("\n") + "\n";
    };
    assert!(check(&swap)[0].contains("stands before lines that it followed"));
    let change = |files: &mut Files| {
        files[0].1 = files[0]
            .1
            .replacen("\"session_id\":\"", "\"session_id\":\"x", 1)
    };
    assert!(check(&change)[0].contains("gone or changed"));
}

#[test]
fn a_schema_without_a_run_is_checked_line_by_line() {
    let text = r##"{"type": "object", "properties": {"n": {"type": "integer", "description": "N."}, "k": {"enum": ["a", "b"], "description": "K."}}, "required": ["n"]}"##;
    let wire = read("s.json", text).expect("a schema");
    let report = check_goldens(
        &wire,
        text,
        &[("a.jsonl", "{\"n\":1,\"k\":\"a\"}\n{\"n\":2}\n")],
    );
    assert_eq!(report.faults, []);
    let missing: Vec<String> = report
        .uncovered
        .iter()
        .map(|element| element.subject.to_string())
        .collect();
    assert_eq!(missing, ["k=b"]);
    assert_eq!(elements(&wire).len(), 4);
    let drafts = draft(&wire, &report.uncovered, &[]);
    assert_eq!(
        drafts.files,
        [(
            "draft-k-b.jsonl".to_owned(),
            "{\"n\":0,\"k\":\"b\"}\n".to_owned()
        )]
    );
}
