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
