//! What the build script wrote reads and writes both contracts.

use std::path::Path;
use wirelock_downstream::event::Event;
use wirelock_downstream::level::Level;
use wirelock_downstream::stream::{Line, borrowed};
use wirelock_runtime::{Code, Encode, from_str};

#[test]
fn goldens_of_the_contract_come_back_byte_for_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/golden");
    let mut lines = 0;
    for entry in std::fs::read_dir(&folder).expect("the goldens") {
        let path = entry.expect("an entry").path();
        if path
            .extension()
            .is_none_or(|extension| extension != "jsonl")
        {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("a golden");
        for line in text.lines() {
            let value: Line = from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(!matches!(value, Line::Unknown(_)), "{line}");
            assert_eq!(value.to_json(), line);
            let lent: borrowed::Line<'_> =
                from_str(line).expect("what is read owned is read borrowed");
            assert_eq!(lent.to_json(), line);
            lines += 1;
        }
    }
    assert!(lines > 0, "{} holds no goldens", folder.display());
}

#[test]
fn events_keep_what_the_schema_does_not_know() {
    let text = r#"{"specversion":"1.0","id":"7","source":"/mine","type":"com.example.dug","datacontenttype":null,"data":{"depth":1.50},"priority":"later","traceparent":"00-1"}"#;
    let event: Event = from_str(text).expect("an event");
    assert_eq!(event.source.as_str(), "/mine");
    assert_eq!(
        event.priority.as_ref().map(|own| own.as_str()),
        Some("later")
    );
    let traceparent = event.extra.get("traceparent").map(Encode::to_json);
    assert_eq!(traceparent.as_deref(), Some(r#""00-1""#));
    assert_eq!(event.to_json(), text);

    let schema =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("event.schema.json"));
    let schema = serde_json::from_str(&schema.expect("the schema")).expect("JSON");
    let valid =
        |text: &str| jsonschema::is_valid(&schema, &serde_json::from_str(text).expect("JSON"));
    assert!(valid(text));
    for wrong in [
        r#"{"specversion":"0.3","id":"7","source":"/mine","type":"dug"}"#,
        r#"{"specversion":"1.0","id":"","source":"/mine","type":"dug"}"#,
        r#"{"specversion":"1.0","id":"7","source":"/mine"}"#,
        r#"{"specversion":"1.0","id":"7","source":"/mine","type":"dug","time":"noon"}"#,
    ] {
        assert!(!valid(wrong), "{wrong}");
        let refused = from_str::<Event>(wrong).map_err(|error| error.code());
        assert_eq!(refused.err(), Some(Code::ItemInvalid), "{wrong}");
    }
}

#[test]
fn derived_traits_are_there_beside_the_usual_ones() {
    let quiet = from_str::<Level>(r#"{"part":"parser","verbosity":"quiet"}"#).expect("a level");
    let counts = std::collections::HashMap::from([(quiet.clone(), 1)]);
    assert_eq!(counts.get(&quiet), Some(&1));
    assert_eq!(counts.get(&Level::new("parser")), None);
}
