//! A reader of SARIF 2.1.0 that knows the part the reports use, and refuses everything else.
//!
//! It shares nothing with the writer: what it asks for is copied from the sections of the standard (OASIS, "Static Analysis
//! Results Interchange Format (SARIF) Version 2.1.0") that stand beside each object. A test holds the table against the
//! official schema where that is at hand; the types of a crate would bring generators that nobody maintains.

use serde_json::Value;
use wirelock_tests::handed::shared;

/// What may stand in a member.
enum Is {
    /// Any string.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An integer that is at least so large.
    Whole(i64),
    /// A truth value.
    Flag,
    /// An object of the table.
    Object(&'static str),
    /// An array of objects of the table.
    List(&'static str),
    /// An object of any names, each with an object of the table.
    Map(&'static str),
    /// An object of any names, each with a string.
    Texts,
    /// A property bag, which holds anything (section 3.8).
    Bag,
}

/// An object: its name in the official schema, its section, its members and whether it has to have each.
struct Object {
    name: &'static str,
    section: &'static str,
    members: &'static [(&'static str, bool, Is)],
}

/// The name of the whole log, which is the root of the official schema.
const LOG: &str = "sarifLog";

const OBJECTS: &[Object] = &[
    Object {
        name: "artifactLocation",
        section: "3.4",
        members: &[
            ("uri", false, Is::Text),
            ("uriBaseId", false, Is::Text),
            ("description", false, Is::Object("message")),
        ],
    },
    Object {
        name: "message",
        section: "3.11",
        // A message has a text or the id of one, and these reports have no table of texts.
        members: &[("text", true, Is::Text)],
    },
    Object {
        name: "multiformatMessageString",
        section: "3.12",
        members: &[("text", true, Is::Text)],
    },
    Object {
        name: LOG,
        section: "3.13",
        members: &[
            ("$schema", false, Is::Text),
            ("version", true, Is::OneOf(&["2.1.0"])),
            ("runs", true, Is::List("run")),
        ],
    },
    Object {
        name: "run",
        section: "3.14",
        members: &[
            ("tool", true, Is::Object("tool")),
            ("invocations", false, Is::List("invocation")),
            ("originalUriBaseIds", false, Is::Map("artifactLocation")),
            ("results", false, Is::List("result")),
            (
                "columnKind",
                false,
                Is::OneOf(&["utf16CodeUnits", "unicodeCodePoints"]),
            ),
            ("properties", false, Is::Bag),
        ],
    },
    Object {
        name: "tool",
        section: "3.18",
        members: &[("driver", true, Is::Object("toolComponent"))],
    },
    Object {
        name: "toolComponent",
        section: "3.19",
        members: &[
            ("name", true, Is::Text),
            ("semanticVersion", false, Is::Text),
            ("rules", false, Is::List("reportingDescriptor")),
        ],
    },
    Object {
        name: "invocation",
        section: "3.20",
        members: &[
            ("executionSuccessful", true, Is::Flag),
            ("exitCodeDescription", false, Is::Text),
        ],
    },
    Object {
        name: "result",
        section: "3.27",
        members: &[
            ("ruleId", false, Is::Text),
            ("ruleIndex", false, Is::Whole(-1)),
            (
                "level",
                false,
                Is::OneOf(&["none", "note", "warning", "error"]),
            ),
            ("message", true, Is::Object("message")),
            ("locations", false, Is::List("location")),
            ("partialFingerprints", false, Is::Texts),
        ],
    },
    Object {
        name: "location",
        section: "3.28",
        members: &[
            ("physicalLocation", false, Is::Object("physicalLocation")),
            ("logicalLocations", false, Is::List("logicalLocation")),
        ],
    },
    Object {
        name: "physicalLocation",
        section: "3.29",
        // It has a location or an address, and these reports are about files.
        members: &[
            ("artifactLocation", true, Is::Object("artifactLocation")),
            ("region", false, Is::Object("region")),
        ],
    },
    Object {
        name: "region",
        section: "3.30",
        // It begins at a line, a character or a byte, and these reports count lines.
        members: &[
            ("startLine", true, Is::Whole(1)),
            ("startColumn", false, Is::Whole(1)),
        ],
    },
    Object {
        name: "logicalLocation",
        section: "3.33",
        members: &[
            ("fullyQualifiedName", false, Is::Text),
            ("kind", false, Is::Text),
        ],
    },
    Object {
        name: "reportingDescriptor",
        section: "3.49",
        members: &[
            ("id", true, Is::Text),
            (
                "shortDescription",
                false,
                Is::Object("multiformatMessageString"),
            ),
            (
                "fullDescription",
                false,
                Is::Object("multiformatMessageString"),
            ),
            ("help", false, Is::Object("multiformatMessageString")),
        ],
    },
];

/// What the standard holds against a log, each with its place and the section.
pub(crate) fn faults(log: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    read(LOG, log, "", &mut faults);
    for (run, at) in log["runs"].as_array().into_iter().flatten().zip(0..) {
        indices(run, at, &mut faults);
    }
    faults
}

/// The index of a rule names the rule whose id stands beside it (section 3.27).
fn indices(run: &Value, at: usize, faults: &mut Vec<String>) {
    for (result, index) in run["results"].as_array().into_iter().flatten().zip(0..) {
        let named = result["ruleIndex"].as_u64().and_then(|index| {
            let rules = run["tool"]["driver"]["rules"].as_array()?;
            rules.get(usize::try_from(index).ok()?)
        });
        if !result["ruleIndex"].is_null() && named.is_none_or(|rule| rule["id"] != result["ruleId"])
        {
            faults.push(format!(
                "/runs/{at}/results/{index}/ruleIndex: it names another rule (3.27)"
            ));
        }
    }
}

fn object(name: &str) -> &'static Object {
    let mut objects = OBJECTS.iter();
    let found = objects.find(|object| object.name == name);
    found.unwrap_or_else(|| panic!("{name} is not in the table"))
}

fn read(name: &str, value: &Value, at: &str, faults: &mut Vec<String>) {
    let Object {
        section, members, ..
    } = object(name);
    let Some(found) = value.as_object() else {
        faults.push(format!("{at}: this is no {name} ({section})"));
        return;
    };
    for (member, _, _) in members.iter().filter(|(_, required, _)| *required) {
        if !found.contains_key(*member) {
            faults.push(format!("{at}: {name} lacks {member} ({section})"));
        }
    }
    for (member, value) in found {
        let at = format!("{at}/{member}");
        let known = members.iter().find(|(name, _, _)| name == member);
        let Some((_, _, is)) = known else {
            faults.push(format!("{at}: {name} has no such member ({section})"));
            continue;
        };
        if !fits(is, value, &at, faults) {
            faults.push(format!("{at}: {value} may not stand here ({section})"));
        }
    }
}

/// Whether a value is of the kind that is asked for; what is in it is told by itself.
fn fits(is: &Is, value: &Value, at: &str, faults: &mut Vec<String>) -> bool {
    match is {
        Is::Text => value.is_string(),
        Is::OneOf(names) => value.as_str().is_some_and(|text| names.contains(&text)),
        Is::Whole(least) => value.as_i64().is_some_and(|number| number >= *least),
        Is::Flag => value.is_boolean(),
        Is::Bag => value.is_object(),
        Is::Object(name) => {
            read(name, value, at, faults);
            true
        }
        Is::List(name) => {
            for (item, index) in value.as_array().into_iter().flatten().zip(0..) {
                read(name, item, &format!("{at}/{index}"), faults);
            }
            value.is_array()
        }
        Is::Map(name) => {
            for (key, item) in value.as_object().into_iter().flatten() {
                read(name, item, &format!("{at}/{key}"), faults);
            }
            value.is_object()
        }
        Is::Texts => value
            .as_object()
            .is_some_and(|texts| texts.values().all(Value::is_string)),
    }
}

#[test]
fn the_table_is_that_of_the_official_schema() {
    let Ok(text) = std::fs::read_to_string(shared().join("corpus/schemas/sarif-2.1.0.json")) else {
        return;
    };
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    for Object { name, members, .. } in OBJECTS {
        let official = match *name {
            LOG => &schema,
            name => &schema["definitions"][name],
        };
        let lists = |schema: &Value, member: &str| {
            let required = schema["required"].as_array().into_iter().flatten();
            required.into_iter().any(|name| name == member)
        };
        for (member, required, is) in *members {
            let declared = &official["properties"][member];
            assert!(declared.is_object(), "{name} has no {member}");
            // Of some members one has to be there, and the table asks for the one that is written.
            let choices = official["anyOf"].as_array().into_iter().flatten();
            let is_choice = choices.into_iter().any(|choice| lists(choice, member));
            let asked = lists(official, member) || is_choice;
            assert_eq!(asked, *required, "{name}.{member}");
            let reference = |place: &Value, to: &str| {
                let expected = format!("#/definitions/{to}");
                assert_eq!(place["$ref"], expected.as_str(), "{name}.{member}");
            };
            match is {
                Is::Object(to) => reference(declared, to),
                Is::List(to) => reference(&declared["items"], to),
                Is::Map(to) => reference(&declared["additionalProperties"], to),
                Is::Bag => reference(declared, "propertyBag"),
                Is::Texts => assert_eq!(declared["additionalProperties"]["type"], "string"),
                Is::OneOf(names) => {
                    let mut official: Vec<&str> = declared["enum"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(Value::as_str)
                        .collect();
                    let mut names = names.to_vec();
                    official.sort_unstable();
                    names.sort_unstable();
                    assert_eq!(official, names, "{name}.{member}");
                }
                Is::Whole(least) => {
                    assert_eq!(declared["type"], "integer", "{name}.{member}");
                    assert_eq!(declared["minimum"], *least, "{name}.{member}");
                }
                Is::Flag => assert_eq!(declared["type"], "boolean", "{name}.{member}"),
                Is::Text => assert_eq!(declared["type"], "string", "{name}.{member}"),
            }
        }
        let required = official["required"].as_array().into_iter().flatten();
        for member in required {
            let known = members.iter().any(|(name, _, _)| member == name);
            assert!(known, "{name} has to have {member}");
        }
    }
}
