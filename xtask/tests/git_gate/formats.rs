//! How a report reaches a reader: formats, files, paths and what a workflow's job sets.

use super::support::{Repository, SCHEMA, run_in};

fn refused() -> Repository {
    let repository = Repository::new();
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    repository
}

#[test]
fn every_format_goes_to_standard_output_and_to_a_file_alike() {
    let repository = refused();
    for format in [
        "human", "json", "github", "sarif", "junit", "markdown", "html",
    ] {
        let shown = repository.run(&["check-evolution", "--format", format]);
        assert_eq!(shown.code, 1, "{shown:?}");
        assert!(
            !shown.out.is_empty() && !shown.out.contains('\u{1b}'),
            "{format}"
        );
        let kept = repository.run(&["check-evolution", "--format", format, "--output", "report"]);
        assert_eq!((kept.code, kept.out.as_str()), (1, ""), "{format}");
        assert_eq!(repository.read("report"), shown.out, "{format}");
        repository.remove("report");
    }
}

#[test]
fn programs_get_paths_from_the_root_of_the_repository() {
    let repository = refused();
    let folder = repository.path().join("deep/down");
    std::fs::create_dir_all(&folder).expect("made");
    let ran = run_in(&folder, &["check-evolution", "--format", "github"], &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let first = ran.out.lines().next().expect("an annotation");
    assert!(
        first.starts_with("::error file=schema/log.schema.json,line="),
        "{first}"
    );
    let ran = run_in(&folder, &["check-evolution", "--format", "sarif"], &[]);
    assert!(
        ran.out.contains("\"uri\": \"schema/log.schema.json\""),
        "{ran:?}"
    );
    let old = repository.path().join("old.json");
    repository.write("old.json", "{\"type\": \"string\"}");
    repository.write("new.json", "{\"type\": \"integer\"}");
    let old = old.to_str().expect("UTF-8");
    let ran = run_in(
        &folder,
        &[
            "check-evolution",
            "--old",
            old,
            "--new",
            "../../new.json",
            "--format",
            "html",
        ],
        &[],
    );
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("<code>old.json:1:1</code>"), "{ran:?}");
    assert!(ran.out.contains("<code>new.json:1:1</code>"), "{ran:?}");
    assert_eq!(
        ran.out.matches("<mark>").count(),
        2,
        "excerpts are found: {ran:?}"
    );
}

#[test]
fn a_job_gets_a_summary_that_links_to_its_commit() {
    let repository = refused();
    repository.write("summary.md", "# Before\n");
    let environment = [
        ("GITHUB_STEP_SUMMARY", "summary.md"),
        ("GITHUB_SERVER_URL", "https://host.example"),
        ("GITHUB_REPOSITORY", "owner/project"),
        ("GITHUB_SHA", "0123abc"),
    ];
    let arguments = ["check-evolution", "--format", "github"];
    let ran = run_in(repository.path(), &arguments, &environment);
    assert_eq!(ran.code, 1, "{ran:?}");
    let summary = repository.read("summary.md");
    assert!(
        summary.starts_with("# Before\n"),
        "what others wrote stays: {summary}"
    );
    let link = "](https://host.example/owner/project/blob/0123abc/schema/log.schema.json#L";
    assert!(summary.contains(link), "{summary}");
    // Another format is no step of a job, so it leaves the summary alone.
    run_in(repository.path(), &["check-evolution"], &environment);
    assert_eq!(repository.read("summary.md"), summary);
}

#[test]
fn a_page_shows_an_addition_in_its_place_with_its_golden() {
    let repository = Repository::new();
    repository.add_field();
    repository.add_golden(
        "queued.jsonl",
        r#"{"type":"start","job":"j9","seq":0,"queue":"q"}"#,
    );
    let ran = repository.run(&["check-evolution", "--format", "html"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let (_, tree) = ran.out.split_once("<ul class=\"tree\">").expect("a tree");
    let (_, added) = tree
        .split_once("<li class=\"added\">")
        .expect("an addition");
    let (added, _) = added.split_once("</li>").expect("its end");
    assert!(added.contains("<code>queue</code>"), "{added}");
    assert!(added.contains("golden/queued.jsonl:1"), "{added}");
    // What did not change is there as well.
    assert!(tree.contains("<code>host</code>"), "{tree}");
    // A first version has a catalogue and no changes in it.
    let repository = Repository::empty();
    repository.add_contract();
    let ran = repository.run(&["check-evolution", "--format", "html"]);
    assert!(ran.out.contains("<code>host</code>") && !ran.out.contains("<article"));
}

#[test]
fn a_history_is_a_page_with_every_step_its_commit_and_what_could_not_be_read() {
    let repository = Repository::new();
    let schema = repository.read(SCHEMA);
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    repository.commit("Narrow <the> host");
    repository.write(SCHEMA, "{");
    repository.commit("Break");
    repository.write(SCHEMA, &schema);
    repository.add_field();
    let arguments = ["check-evolution", "--history", "--format", "html"];
    let ran = repository.run(&arguments);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(ran.out.matches("<li id=\"s").count(), 4, "{}", ran.out);
    assert!(ran.out.contains("Narrow &lt;the&gt; host"), "{}", ran.out);
    assert!(ran.out.contains("constraint-narrowed"), "{}", ran.out);
    assert_eq!(ran.out.matches("could not run</span></h3>").count(), 2);
    // What cannot be read has no size, and what comes after it has one.
    assert!(ran.out.contains(": cannot be read</title>"), "{}", ran.out);
    let kept = repository.run(&[&arguments[..], &["--output", "page.html"]].concat());
    assert_eq!((kept.code, kept.out.as_str()), (2, ""));
    assert_eq!(repository.read("page.html"), ran.out);
    let ran = repository.run(&["check-evolution", "--history", "--format", "json"]);
    let first: serde_json::Value =
        serde_json::from_str(ran.out.lines().nth(1).expect("a step")).expect("JSON");
    assert_eq!(first["title"], "Narrow <the> host");
    assert_eq!(
        first["day"].as_str().map(str::len),
        Some("2026-11-30".len())
    );
    assert!(first["size"]["fields"].as_u64() > Some(2), "{first}");
}

#[test]
fn a_history_links_each_step_to_files_of_its_own_commit() {
    let repository = Repository::new();
    repository.edit(SCHEMA, "\"maxLength\": 100", "\"maxLength\": 50");
    repository.commit("Narrow");
    let commit = repository.git(&["rev-parse", "HEAD"]);
    let environment = [
        ("GITHUB_SERVER_URL", "https://host.example"),
        ("GITHUB_REPOSITORY", "owner/project"),
        ("GITHUB_SHA", "0123abc"),
    ];
    let arguments = ["check-evolution", "--history", "--format", "html"];
    let ran = run_in(repository.path(), &arguments, &environment);
    let blob = "https://host.example/owner/project/blob";
    let own = format!("\"{blob}/{}/schema/log.schema.json#L", commit.trim());
    assert!(ran.out.contains(&own), "{}", ran.out);
    assert!(
        !ran.out.contains(&format!("{blob}/0123abc/")),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("%3A"), "{}", ran.out);
}

#[test]
fn a_history_says_which_formats_it_has() {
    let repository = Repository::new();
    let ran = repository.run(&["check-evolution", "--history", "--format", "sarif"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err
            .contains("one of `human`, `json`, `html`, not as `sarif`"),
        "{ran:?}"
    );
}
