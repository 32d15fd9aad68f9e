//! Operators on `x-contract`: each of its members changed, and taken away where it may be.

use super::Mutations;
use super::text::*;
use wirelock_codegen::json::Node;

pub(crate) fn generate(schema: &Node) -> Mutations {
    let mut found = Mutations::default();
    let at_contract = "/x-contract";
    let mut edit = |operator, name: &str, text: &str| {
        found.edit_member(operator, at_contract, name, text);
    };
    edit("capability", "capability", r#""stream_v2""#);
    edit("framing", "framing", r#""envelope""#);
    edit("framing", "first", r#"{"type":"system"}"#);
    edit("framing", "first", r#"{"type":"system","subtype":"state"}"#);
    edit("framing", "terminal", r#"{"type":"assistant"}"#);
    edit(
        "framing",
        "terminal",
        r#"{"type":"result","subtype":"success"}"#,
    );
    edit("framing", "sequence", r#""/ts""#);
    edit("framing", "session", r#""/type""#);
    edit("framing", "timestamp", r#""/session_id""#);
    edit("framing", "finalLine", r#""allow""#);
    edit("framing", "maxFrameBytes", "16777215");
    edit("framing", "maxFrameBytes", "16777217");
    edit("framing", "extensionPoints", r#"["extension"]"#);
    edit(
        "framing",
        "extensionPoints",
        r#"["extension","_meta","more"]"#,
    );
    for name in ["sequence", "session", "timestamp", "extensionPoints"] {
        found.drop_member("framing", at_contract, name);
    }
    found.drop_member("capability", at_contract, "capabilities");
    found.drop_member("framing", "", "x-contract");
    let capabilities = "/x-contract/capabilities";
    found.edit_member("capability", capabilities, "at", r#""/tools""#);
    let gates = "/x-contract/capabilities/gates";
    found.edit_member("capability", gates, "workflows_v1", r#"[{"type":"user"}]"#);
    let gated = schema.pointer(gates).map(Node::members).unwrap_or_default();
    for gate in gated {
        found.drop_member("capability", gates, &gate.name);
        let at_gate = format!("{gates}/{}", gate.name);
        found.push_to("capability", gates, &gate.name, r#"{"type":"user"}"#);
        for index in 0..gate.node.elements().len() {
            let at_gate = at_gate.clone();
            found.push("capability", &at_gate.clone(), move |schema| {
                elements_mut(at(schema, &at_gate)).remove(index);
            });
        }
    }
    found
}
