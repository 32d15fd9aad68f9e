//! The reference fold: what a consumer makes of a run, line by line.

use serde::Serialize;
use serde_json::Value;
use stream_json::{Block, Json, Line, Message, RouteDecision, RunResult, Usage};

/// What a run came to.
///
/// ```
/// use wirelock_examples::{Outcome, run};
/// let mut outcome = Outcome::default();
/// for line in run("hello").unwrap() {
///     outcome.take(&line);
/// }
/// assert_eq!(outcome.text.as_deref(), Some("hello"));
/// assert_eq!(outcome.success, Some(true));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// The answer: what the closing line says, else the last text of the outermost actor. `None`: no
    /// answer, which is another thing than an empty one.
    pub text: Option<String>,
    /// Whether the run succeeded. Only `is_error` decides that, whatever the subtype says. `None`
    /// until the run has ended.
    pub success: Option<bool>,
    /// How the closing line explains the outcome.
    pub subtype: Option<String>,
    /// Why the agent stopped.
    pub stop_reason: Option<String>,
    /// Tokens of the whole run, else the sum over its models; `None` where nobody counted.
    pub usage: Option<Tokens>,
    /// Which agent served which turn; where the closing line does not say, the decisions that were
    /// seen, in order.
    pub routes: Vec<Route>,
    /// Everyone who spoke, in the order in which they first did.
    pub actors: Vec<Actor>,
}

/// Tokens that were used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Sent to models.
    pub input: u64,
    /// Produced by them.
    pub output: u64,
    /// Of the input, what came from a cache; `None` where no provider reports it.
    pub cache_read: Option<u64>,
    /// Of the input, what was put into a cache; `None` where no provider reports it.
    pub cache_creation: Option<u64>,
}

/// One step of the route.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The turn, where it is known.
    pub turn: Option<u64>,
    /// The agent that serves it.
    pub target: String,
    /// Why it was chosen.
    pub reason: Option<String>,
}

/// Someone who acts in a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Actor {
    /// The tool call on whose behalf it acts; `None` for the outermost actor.
    pub call: Option<String>,
    /// The place in [`Outcome::actors`] of the one that made this call; `None` where it is not known.
    pub parent: Option<usize>,
    /// What it said, text by text.
    pub texts: Vec<String>,
    /// The tools it called, in order.
    pub tools: Vec<ToolCall>,
}

/// A tool call and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolCall {
    /// The call's name in the run.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments.
    pub input: Value,
    /// What it gave back; `None` where no result was seen.
    pub result: Option<ToolOutcome>,
}

/// What a tool call gave back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolOutcome {
    /// The content; `None` where it returned nothing, which is another thing than `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
    /// Whether it failed.
    pub failed: bool,
}

impl Outcome {
    /// Takes a line in. What it does not know it passes over, as every consumer has to.
    pub fn take(&mut self, line: &Line) {
        match line {
            Line::SystemInit(line) => self.decide(None, line.route.as_ref()),
            Line::SystemRoute(line) => {
                self.decide(line.parent_tool_use_id.as_deref(), Some(&line.route));
            }
            Line::Assistant(line) => {
                self.said(line.parent_tool_use_id.as_deref(), &line.message);
            }
            Line::User(line) => self.answered(&line.message),
            Line::Result(line) => self.ended(line),
            // The rest is news on the way, or is not known.
            _ => {}
        }
    }

    fn decide(&mut self, call: Option<&str>, route: Option<&RouteDecision>) {
        // Nested actors have routes of their own, and those are not the run's.
        if let (None, Some(route)) = (call, route) {
            self.routes.push(Route {
                turn: None,
                target: route.target.as_str().to_owned(),
                reason: route.reason.clone(),
            });
        }
    }

    fn said(&mut self, call: Option<&str>, message: &Message) {
        let actor = self.actor(call);
        for block in &message.content {
            match block {
                Block::Text(block) => self.actors[actor].texts.push(block.text.clone()),
                Block::ToolUse(block) => self.actors[actor].tools.push(ToolCall {
                    id: block.id.clone(),
                    name: block.name.clone(),
                    input: value(&block.input),
                    result: None,
                }),
                _ => {}
            }
        }
    }

    /// A result goes to the call that it names, whoever made it.
    fn answered(&mut self, message: &Message) {
        for block in &message.content {
            let Block::ToolResult(block) = block else {
                continue;
            };
            let mut calls = self.actors.iter_mut().flat_map(|actor| &mut actor.tools);
            if let Some(call) = calls.find(|call| call.id == block.tool_use_id) {
                call.result = Some(ToolOutcome {
                    content: block.content.as_ref().map(value),
                    failed: block.is_error == Some(true),
                });
            }
        }
    }

    fn ended(&mut self, line: &RunResult) {
        self.success = Some(!line.is_error);
        self.subtype = Some(line.subtype.as_str().to_owned());
        self.stop_reason = line.stop_reason.as_ref().map(|why| why.as_str().to_owned());
        let outermost = self.actors.iter().find(|actor| actor.call.is_none());
        let last = outermost.and_then(|actor| actor.texts.last());
        self.text = line.result.clone().or_else(|| last.cloned());
        self.usage = match (&line.usage, &line.model_usage) {
            (Some(usage), _) => Some(Tokens::default().with(usage)),
            (None, Some(models)) if !models.is_empty() => {
                let each = models.iter().map(|(_, usage)| usage);
                Some(each.fold(Tokens::default(), Tokens::with))
            }
            _ => None,
        };
        if let Some(history) = &line.route_history {
            let steps = history.iter().map(|step| Route {
                turn: Some(step.turn),
                target: step.target.as_str().to_owned(),
                reason: None,
            });
            self.routes = steps.collect();
        }
    }

    /// The place of an actor, who is new where it was not seen before.
    fn actor(&mut self, call: Option<&str>) -> usize {
        let known = self
            .actors
            .iter()
            .position(|actor| actor.call.as_deref() == call);
        known.unwrap_or_else(|| {
            let made = |actor: &Actor| actor.tools.iter().any(|tool| Some(&*tool.id) == call);
            let parent = self.actors.iter().position(made);
            self.actors.push(Actor {
                call: call.map(str::to_owned),
                parent,
                ..Actor::default()
            });
            self.actors.len() - 1
        })
    }
}

impl Tokens {
    /// The sum with another use of tokens; a sum past 64 bits stays there.
    fn with(self, usage: &Usage) -> Self {
        let add = |left: Option<u64>, right: Option<u64>| match (left, right) {
            (None, None) => None,
            (left, right) => Some(left.unwrap_or(0).saturating_add(right.unwrap_or(0))),
        };
        Self {
            input: self.input.saturating_add(usage.input_tokens),
            output: self.output.saturating_add(usage.output_tokens),
            cache_read: add(self.cache_read, usage.cache_read),
            cache_creation: add(self.cache_creation, usage.cache_creation),
        }
    }
}

/// Free-form JSON, for whoever looks at it.
fn value(json: &Json) -> Value {
    // What was read from a line is JSON; numbers beyond a double are the one thing that is refused.
    serde_json::from_str(json.get()).unwrap_or_else(|_| Value::from(json.get()))
}
