//! The report as JSON: the model as it is, on one line.

use super::{History, Report};

/// The report as one line of JSON, without a line end.
///
/// One line for one report, so that many of them make a JSONL file.
///
/// # Errors
/// Where `serde_json` fails to write, which this model gives it no reason for.
///
/// ```
/// use wirelock_codegen::evolution::Comparison;
/// use wirelock_codegen::report::{Report, json};
/// let line = json(&Report::new(&Comparison::default())).unwrap();
/// assert!(line.starts_with(r#"{"verdict":"identical","additive":"yes","#));
/// ```
pub fn json(report: &Report) -> Result<String, serde_json::Error> {
    serde_json::to_string(report)
}

/// A history as JSON, one step a line.
///
/// # Errors
/// As [`json`].
pub(super) fn history(history: &History) -> Result<String, serde_json::Error> {
    let line = |step| Ok(format!("{}\n", serde_json::to_string(step)?));
    history.steps.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::{Answer, Comparison, Level, Verdict};
    use crate::report::{Finding, GoldenLine, Place};

    #[test]
    fn keys_stand_as_they_are_documented() {
        let mut report = Report::new(&Comparison::default());
        report.verdict = Verdict::Additive;
        report.forward = Answer::Unknown;
        report.changes.push(Finding {
            rule: "property-added".to_owned(),
            level: Level::Additive,
            message: "m".to_owned(),
            subject: "a.b".to_owned(),
            old: None,
            new: Some(Place {
                pointer: "/p".to_owned(),
                line: 3,
                column: 4,
            }),
            witness: None,
            golden: Some(GoldenLine {
                file: "g.jsonl".to_owned(),
                line: 2,
            }),
            covered_by: None,
            further_places: 7,
        });
        let expected = r#"{"verdict":"additive","additive":"yes","backward":"yes","forward":"unknown","policy":"additive","accepted":true,"guards":[],"changes":[{"rule":"property-added","level":"additive","message":"m","subject":"a.b","old":null,"new":{"pointer":"/p","line":3,"column":4},"witness":null,"golden":{"file":"g.jsonl","line":2},"covered_by":null}],"missing_goldens":[],"unknown":[],"conflicts":[],"problems":[],"witnesses":{"backward":null,"forward":null},"coverage":null}"#;
        assert_eq!(json(&report).expect("written"), expected);
        let id = serde_json::value::RawValue::from_string("\"x\"".to_owned()).expect("JSON");
        report.id = Some(id);
        assert_eq!(
            json(&report).expect("written"),
            format!("{{\"id\":\"x\",{}", &expected[1..])
        );
    }
}
