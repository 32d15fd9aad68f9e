//! The table of how each schema is typed, which stands in `docs/typed-schemas.md` and is kept fresh here.
//!
//! `UPDATE_EXPECTED=1` writes it anew.

use super::cases::{self, Case};
use std::fmt::Write as _;
use std::path::Path;

const HEAD: &str = "# How schemas are typed

Written by `UPDATE_EXPECTED=1 cargo test --package wirelock-tests --test types table`; the same test keeps it fresh.

*Types* are the named ones: made by `typify` (closed enums, constrained strings), or written from the wire view
(objects with their unknown members, unions, open enums, several JSON types at one place). *Places* are the members,
elements, variants and roots that mention a type: chosen or made by `typify`, plain (a text, a boolean, a number that
keeps its digits), written from the wire view, free (the schema lets anything stand there), or a JSON value
(`wirelock_runtime::Json`) because no Rust type fits. *Looser* counts the places whose type takes more than the schema
does, values among them; `cargo xtask codegen --schema FILE --explain` lists each of them with its pointer and the reason.

| schema | types | by typify | from the wire | places | by typify | plain | from the wire | free | value | looser |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

#[test]
fn the_table_of_typed_schemas_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/typed-schemas.md");
    let mut table = HEAD.to_owned();
    let mut rows = Vec::new();
    let all = cases::all();
    let has_real = all.iter().any(|(name, _)| name.starts_with("vega"));
    for (name, file) in all {
        let row = row(&cases::case(name, cases::read(&file)));
        table.push_str(&row);
        rows.push(row);
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("UPDATE_EXPECTED").is_some() && has_real {
        std::fs::write(&path, &table).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    if has_real {
        assert_eq!(table, written, "it is stale; see its head");
    }
    // Without the real schemas their rows cannot be told from stale ones; ours can.
    for row in rows {
        assert!(written.contains(&row), "it is stale, or lacks: {row}");
    }
}

fn row(case: &Case) -> String {
    let share = &case.emitted.share;
    let percent = |count: usize| {
        let all = share.places().max(1);
        format!("{} ({} %)", count, (count * 100 + all / 2) / all)
    };
    let mut row = String::new();
    let _ = writeln!(
        row,
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        case.name,
        share.typify_types + share.lowered_types,
        share.typify_types,
        share.lowered_types,
        share.places(),
        percent(share.typify),
        percent(share.plain),
        percent(share.lowered),
        percent(share.free),
        share.values,
        case.emitted.untyped.len(),
    );
    row
}
