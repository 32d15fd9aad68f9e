//! Hand-written types for peers that fill any `serde` type, as fast as such types get: texts are
//! borrowed, tags come first and choose the variant without a buffer, what is not declared is skipped,
//! and what a free-form part becomes is the peer's own choice.

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A text that is borrowed where it has no escapes; `serde` borrows inside options and lists only
/// through a type of its own.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// A union whose tag is the first member of its object.
macro_rules! union {
    ($union:ident by $tag:literal { $($value:literal => $variant:ident($type:ident $(<$($f:ident)?>)?)),* $(,)? }) => {
        // The compiler counts what a variant holds as read where it is generic, and else not.
        #[allow(dead_code, reason = "decoding is what is measured")]
        pub(crate) enum $union<'a, F> {
            $($variant($type<'a $(, $($f)?)?>),)*
            Unknown(PhantomData<(F, &'a str)>),
        }

        impl<'de: 'a, 'a, F: Deserialize<'de>> Deserialize<'de> for $union<'a, F> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members<'a, F>(PhantomData<(F, &'a str)>);

                impl<'de: 'a, 'a, F: Deserialize<'de>> Visitor<'de> for Members<'a, F> {
                    type Value = $union<'a, F>;

                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str(concat!("an object that begins with `", $tag, "`"))
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
                        let name: Option<Text<'de>> = members.next_key()?;
                        if name.is_none_or(|name| name.0 != $tag) {
                            return Err(A::Error::custom(concat!("`", $tag, "` does not come first")));
                        }
                        let tag: Text<'de> = members.next_value()?;
                        let rest = MapAccessDeserializer::new(members);
                        match &*tag.0 {
                            $($value => Deserialize::deserialize(rest).map($union::$variant),)*
                            _ => IgnoredAny::deserialize(rest).map(|_| $union::Unknown(PhantomData)),
                        }
                    }
                }
                deserializer.deserialize_map(Members(PhantomData))
            }
        }
    };
}
pub(crate) use union;

macro_rules! lines {
    ($($name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        #[derive(Deserialize)]
        #[serde(bound(deserialize = "F: Deserialize<'de>"))]
        #[expect(dead_code, reason = "decoding is what is measured")]
        pub(crate) struct $name<'a, F> {
            #[serde(borrow)]
            session_id: Text<'a>,
            seq: u64,
            ts: Option<Text<'a>>,
            parent_tool_use_id: Option<Text<'a>>,
            extension: Option<F>,
            _meta: Option<F>,
            $($field: $type,)*
        }
    )*};
}

macro_rules! parts {
    ($($name:ident { $first:ident: $of:ty $(, $field:ident: $type:ty)* $(,)? })*) => {$(
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "decoding is what is measured")]
        pub(crate) struct $name<'a> {
            #[serde(borrow)]
            $first: $of,
            $($field: $type,)*
        }
    )*};
}

/// Parts that hold free-form parts.
macro_rules! open_parts {
    ($($name:ident { $first:ident: $of:ty $(, $field:ident: $type:ty)* $(,)? })*) => {$(
        #[derive(Deserialize)]
        #[serde(bound(deserialize = "F: Deserialize<'de>"))]
        #[expect(dead_code, reason = "decoding is what is measured")]
        pub(crate) struct $name<'a, F> {
            #[serde(borrow)]
            $first: $of,
            $($field: $type,)*
            extension: Option<F>,
            _meta: Option<F>,
        }
    )*};
}

union!(Line by "type" {
    "system" => System(System<F>), "stream_event" => StreamEvent(StreamEvent<F>),
    "assistant" => Assistant(Assistant<F>), "user" => User(User<F>), "result" => Result(RunResult<F>),
});
union!(System by "subtype" {
    "init" => Init(Init<F>), "agent_switch" => AgentSwitch(AgentSwitch<F>), "route" => Route(Route<F>),
    "notification" => Notification(Notification<F>), "warning" => Warning(Warning<F>), "state" => State(State<F>),
    "task_started" => TaskStarted(Task<F>), "task_progress" => TaskProgress(Task<F>),
    "task_notification" => TaskNotification(Task<F>), "background_tasks_changed" => Background(Background<F>),
    "memory" => Memory(Memory<F>), "commands" => Commands(Commands<F>), "config_option" => ConfigOption(ConfigOption<F>),
    "permission_denied" => Denied(Denied<F>), "error" => Failed(Failed<F>),
});
union!(Event by "type" {
    "content_block_delta" => ContentBlockDelta(ContentBlockDelta<F>), "tool_args_delta" => ToolArgsDelta(ToolArgsDelta<F>),
});
union!(Delta by "type" { "text_delta" => Text(TextDelta<>), "thinking_delta" => Thinking(ThinkingDelta<>) });
union!(Block by "type" {
    "text" => Text(TextBlock<F>), "thinking" => Thinking(ThinkingBlock<F>), "tool_use" => ToolUse(ToolUse<F>),
    "tool_result" => ToolResult(ToolResult<F>),
});

lines! {
    Init {
        cwd: Text<'a>, milk_version: Text<'a>, agent: Agent<'a>, escalation_agent: Option<Agent<'a>>,
        tools: Option<Vec<Text<'a>>>, mcp_servers: Option<Vec<Server<'a>>>, route: Option<Decision<'a>>,
        session_state: Option<Text<'a>>, warnings: Option<Vec<Text<'a>>>, capabilities: Vec<Text<'a>>,
    }
    AgentSwitch { from: Text<'a>, to: Text<'a>, reason: Option<Text<'a>> }
    Route { route: Decision<'a> }
    Notification { id: Text<'a>, severity: Text<'a>, body: Text<'a>, command_hint: Option<Text<'a>> }
    Warning { category: Text<'a>, message: Option<Text<'a>>, count: Option<u64>, limit: Option<u64> }
    State { session_state: Text<'a>, stop_reason: Option<Text<'a>> }
    Task { task_id: Text<'a>, kind: Option<Text<'a>>, status: Option<Text<'a>>, task: Option<F> }
    Background { running_ids: Option<Vec<Text<'a>>>, finished_ids: Option<Vec<Text<'a>>> }
    Memory { op: Text<'a>, percept_id: Option<Text<'a>>, subject: Option<Text<'a>> }
    Commands { commands: Vec<Command<'a>> }
    ConfigOption { option: Text<'a>, value: Text<'a> }
    Denied { tool: Text<'a>, reason: Option<Text<'a>> }
    Failed { message: Text<'a>, is_error: Option<bool>, recoverable: Option<bool> }
    StreamEvent { event: Event<'a, F> }
    Assistant { agent: Option<Text<'a>>, message: Message<'a, F> }
    User { agent: Option<Text<'a>>, message: Message<'a, F>, tool_use_result: Option<F> }
    RunResult {
        subtype: Text<'a>, is_error: bool, num_turns: Option<u64>, duration_ms: Option<u64>, result: Option<Text<'a>>,
        stop_reason: Option<Text<'a>>, route_history: Option<Vec<Step<'a>>>, usage: Option<Usage>,
        model_usage: Option<std::collections::BTreeMap<Cow<'a, str>, Usage>>, total_cost_usd: Option<f64>,
    }
}

parts! {
    Agent { name: Text<'a>, provider: Text<'a>, model: Option<Text<'a>>, role: Option<Text<'a>>, context_window_tokens: Option<u64> }
    Server { name: Text<'a>, status: Text<'a> }
    Decision { target: Text<'a>, reason: Option<Text<'a>>, conclusive: Option<bool> }
    Command { name: Text<'a>, description: Option<Text<'a>>, hint: Option<Text<'a>> }
    Step { target: Text<'a>, turn: u64 }
    TextDelta { text: Text<'a> }
    ThinkingDelta { thinking: Text<'a> }
}

open_parts! {
    ContentBlockDelta { delta: Delta<'a, F>, index: u64 }
    ToolArgsDelta { tool_use_id: Text<'a>, partial_json: Text<'a> }
    TextBlock { text: Text<'a> }
    ThinkingBlock { thinking: Text<'a> }
    ToolUse { id: Text<'a>, name: Text<'a>, input: F }
    ToolResult { tool_use_id: Text<'a>, content: Option<F>, is_error: Option<bool> }
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "F: Deserialize<'de>"))]
#[expect(dead_code, reason = "decoding is what is measured")]
pub(crate) struct Message<'a, F> {
    #[serde(borrow)]
    role: Text<'a>,
    content: Vec<Block<'a, F>>,
    id: Option<Text<'a>>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "decoding is what is measured")]
pub(crate) struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    cache_read: Option<u64>,
    cache_creation: Option<u64>,
}
