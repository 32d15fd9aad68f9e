//! Hand-written types of our contract as most people write them: `tag` for the union and `flatten`
//! for what the types do not declare.

use serde::Deserialize;
use serde_json::{Map, Value};

type Extra = Map<String, Value>;

/// A struct that stands on a line, with the members that all lines share.
macro_rules! lines {
    ($($name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "decoding is what is measured")]
        pub(crate) struct $name {
            session_id: String,
            seq: u64,
            ts: Option<String>,
            parent_tool_use_id: Option<String>,
            extension: Option<Value>,
            _meta: Option<Value>,
            $($field: $type,)*
            #[serde(flatten)]
            extra: Extra,
        }
    )*};
}

macro_rules! parts {
    ($($name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        #[derive(Deserialize)]
        #[expect(dead_code, reason = "decoding is what is measured")]
        pub(crate) struct $name {
            $($field: $type,)*
            #[serde(flatten)]
            extra: Extra,
        }
    )*};
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "decoding is what is measured")]
pub(crate) enum Line {
    System(System),
    StreamEvent(StreamEvent),
    Assistant(Assistant),
    User(User),
    Result(RunResult),
}

#[derive(Deserialize)]
#[serde(tag = "subtype", rename_all = "snake_case")]
#[expect(dead_code, reason = "decoding is what is measured")]
pub(crate) enum System {
    Init(Init),
    AgentSwitch(AgentSwitch),
    Route(Route),
    Notification(Notification),
    Warning(Warning),
    State(State),
    TaskStarted(Task),
    TaskProgress(Task),
    TaskNotification(Task),
    BackgroundTasksChanged(Background),
    Memory(Memory),
    Commands(Commands),
    ConfigOption(ConfigOption),
    PermissionDenied(Denied),
    Error(Failed),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "decoding is what is measured")]
pub(crate) enum Event {
    ContentBlockDelta(ContentBlockDelta),
    ToolArgsDelta(ToolArgsDelta),
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "decoding is what is measured")]
pub(crate) enum Delta {
    TextDelta(TextDelta),
    ThinkingDelta(ThinkingDelta),
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "decoding is what is measured")]
pub(crate) enum Block {
    Text(Text),
    Thinking(Thinking),
    ToolUse(ToolUse),
    ToolResult(ToolResult),
    #[serde(other)]
    Unknown,
}

lines! {
    Init {
        cwd: String, milk_version: String, agent: Agent, escalation_agent: Option<Agent>, tools: Option<Vec<String>>,
        mcp_servers: Option<Vec<Server>>, route: Option<Decision>, session_state: Option<String>,
        warnings: Option<Vec<String>>, capabilities: Vec<String>,
    }
    AgentSwitch { from: String, to: String, reason: Option<String> }
    Route { route: Decision }
    Notification { id: String, severity: String, body: String, command_hint: Option<String> }
    Warning { category: String, message: Option<String>, count: Option<u64>, limit: Option<u64> }
    State { session_state: String, stop_reason: Option<String> }
    Task { task_id: String, kind: Option<String>, status: Option<String>, task: Option<Value> }
    Background { running_ids: Option<Vec<String>>, finished_ids: Option<Vec<String>> }
    Memory { op: String, percept_id: Option<String>, subject: Option<String> }
    Commands { commands: Vec<Command> }
    ConfigOption { option: String, value: String }
    Denied { tool: String, reason: Option<String> }
    Failed { message: String, is_error: Option<bool>, recoverable: Option<bool> }
    StreamEvent { event: Event }
    Assistant { agent: Option<String>, message: Message }
    User { agent: Option<String>, message: Message, tool_use_result: Option<Value> }
    RunResult {
        subtype: String, is_error: bool, num_turns: Option<u64>, duration_ms: Option<u64>, result: Option<String>,
        stop_reason: Option<String>, route_history: Option<Vec<Step>>, usage: Option<Usage>,
        model_usage: Option<std::collections::BTreeMap<String, Usage>>, total_cost_usd: Option<f64>,
    }
}

parts! {
    Agent { name: String, provider: String, model: Option<String>, role: Option<String>, context_window_tokens: Option<u64> }
    Server { name: String, status: String }
    Decision { target: String, reason: Option<String>, conclusive: Option<bool> }
    Command { name: String, description: Option<String>, hint: Option<String> }
    Message { role: String, content: Vec<Block>, id: Option<String> }
    Step { turn: u64, target: String }
    Usage { input_tokens: u64, output_tokens: u64, cache_read: Option<u64>, cache_creation: Option<u64> }
    ContentBlockDelta { extension: Option<Value>, _meta: Option<Value>, index: u64, delta: Delta }
    ToolArgsDelta { extension: Option<Value>, _meta: Option<Value>, tool_use_id: String, partial_json: String }
    TextDelta { text: String }
    ThinkingDelta { thinking: String }
    Text { extension: Option<Value>, _meta: Option<Value>, text: String }
    Thinking { extension: Option<Value>, _meta: Option<Value>, thinking: String }
    ToolUse { extension: Option<Value>, _meta: Option<Value>, id: String, name: String, input: Value }
    ToolResult { extension: Option<Value>, _meta: Option<Value>, tool_use_id: String, content: Option<Value>, is_error: Option<bool> }
}
