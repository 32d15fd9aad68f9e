//! Hand-written types of session updates, in the manner of [`super::first`].

use super::first::{Text, union};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "F: Deserialize<'de>"))]
#[expect(dead_code, reason = "decoding is what is measured")]
pub(crate) struct Notification<'a, F> {
    #[serde(borrow)]
    session_id: Text<'a>,
    update: Update<'a, F>,
    #[serde(rename = "_meta")]
    meta: Option<F>,
}

union!(Update by "sessionUpdate" {
    "user_message_chunk" => User(Chunk<F>), "agent_message_chunk" => Agent(Chunk<F>),
    "agent_thought_chunk" => Thought(Chunk<F>), "tool_call" => Call(Call<F>), "tool_call_update" => CallUpdate(Call<F>),
    "plan" => Plan(Plan<F>),
});
union!(Block by "type" { "text" => Text(TextBlock<F>) });
union!(Content by "type" { "content" => Content(Inner<F>), "diff" => Diff(Diff<F>) });

macro_rules! structs {
    ($($name:ident { $first:ident: $of:ty $(, $field:ident: $type:ty)* $(,)? })*) => {$(
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", bound(deserialize = "F: Deserialize<'de>"))]
        #[expect(dead_code, reason = "decoding is what is measured")]
        pub(crate) struct $name<'a, F> {
            #[serde(borrow)]
            $first: $of,
            $($field: $type,)*
            #[serde(rename = "_meta")]
            meta: Option<F>,
        }
    )*};
}

structs! {
    Chunk { content: Block<'a, F>, message_id: Option<Text<'a>> }
    TextBlock { text: Text<'a>, annotations: Option<F> }
    Call {
        tool_call_id: Text<'a>, title: Option<Text<'a>>, kind: Option<Text<'a>>, status: Option<Text<'a>>,
        content: Option<Vec<Content<'a, F>>>, locations: Option<Vec<Location<'a, F>>>, raw_input: Option<F>,
        raw_output: Option<F>,
    }
    Inner { content: Block<'a, F> }
    Diff { path: Text<'a>, old_text: Option<Text<'a>>, new_text: Text<'a> }
    Location { path: Text<'a>, line: Option<u64> }
    Plan { entries: Vec<Entry<'a, F>> }
    Entry { content: Text<'a>, priority: Text<'a>, status: Text<'a> }
}
