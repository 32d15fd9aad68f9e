//! Random schemas and documents: the tables say what the validator crate says of both readings.

use wirelock_codegen::audit::{Audit, Options};
use wirelock_codegen::evolution::compile;
use wirelock_codegen::wire;
use wirelock_tests::documents::{Stock, document};
use wirelock_tests::{Chance, schemas};

/// How many schemas are tried where nobody says another number.
const SCHEMAS: usize = 1500;
const DOCUMENTS: usize = 24;

#[test]
fn random_schemas_are_audited_for_what_they_say() {
    let asked = std::env::var("WIRELOCK_AUDITS").ok();
    let count = asked.map_or(SCHEMAS, |text| text.parse().expect("a number of schemas"));
    let (mut tried, mut valid, mut known, mut faults) = (0, 0, 0, Vec::new());
    for number in 0..count {
        let mut chance = Chance::of(5, number);
        let schema = match chance.once_in(3) {
            true => schemas::contract(&mut chance),
            false => schemas::schema(&mut chance),
        };
        let text = schema.to_string();
        let Ok(wire) = wire::read("random", &text) else {
            continue;
        };
        let Ok(audit) = Audit::new(&wire, &Options::default()) else {
            continue;
        };
        // What cannot be decided of a schema is told, and is not checked.
        if !audit.unchecked().is_empty() || wire.roots.iter().any(|root| root.name.is_some()) {
            continue;
        }
        let Ok(published) = compile(&text, false) else {
            continue;
        };
        let emitted = compile(&wire::published_schema(&wire), false).expect("what is emitted");
        let strict = compile(&wire::strict_schema(&wire), true).expect("what is emitted");
        let stock = Stock::of(&[&schema]);
        for _ in 0..DOCUMENTS {
            let document = document(&schema, &stock, &mut chance);
            let by_audit = audit.accepts(&document.to_string());
            let is_published = published.is_valid(&document);
            // Below a `not`, what is emitted may refuse more than the schema does; it is no measure
            // of what is known there.
            let is_known = match emitted.is_valid(&document) == is_published {
                true => is_published && strict.is_valid(&document),
                false => by_audit.1,
            };
            let by_validator = (is_published, is_known);
            tried += 1;
            valid += usize::from(by_audit.0);
            known += usize::from(by_audit.1);
            if by_audit != by_validator {
                faults.push(format!(
                    "{number}: audit {by_audit:?}, validator {by_validator:?}\n  {text}\n  {document}"
                ));
                break;
            }
        }
    }
    println!("{tried} documents, {valid} valid, {known} known");
    assert!(tried > count * 10 && valid > tried / 10 && known > tried / 20);
    let shown: Vec<&String> = faults.iter().take(6).collect();
    assert!(faults.is_empty(), "{} faults: {shown:#?}", faults.len());
}
