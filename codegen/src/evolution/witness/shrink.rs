//! Makes a document small while a property of it stays: greedy, in a fixed order, within a budget.

use crate::json::{Node, Value};

/// Drops members and elements and simplifies scalars as long as `holds` says yes, with at most
/// that many questions.
pub(super) fn shrink(
    document: Node,
    attempts: usize,
    holds: &mut dyn FnMut(&Node) -> bool,
) -> Node {
    let mut shrinker = Shrinker {
        document,
        attempts,
        holds,
    };
    // A member may become needless only after a later one is gone.
    loop {
        let before = shrinker.document.clone();
        shrinker.visit(&mut Vec::new());
        if shrinker.attempts == 0 || shrinker.document == before {
            return shrinker.document;
        }
    }
}

struct Shrinker<'a> {
    document: Node,
    attempts: usize,
    holds: &'a mut dyn FnMut(&Node) -> bool,
}

impl Shrinker<'_> {
    /// The recursion is along the document, whose depth the reader bounds.
    fn visit(&mut self, path: &mut Vec<usize>) {
        let count = match at(&self.document, path).map(|node| &node.value) {
            Some(Value::Object(members)) => members.len(),
            Some(Value::Array(elements)) => elements.len(),
            Some(Value::String(text)) => {
                let text = text.clone();
                return self.string(path, &text);
            }
            Some(Value::Number(text)) => {
                let text = text.clone();
                return self.number(path, &text);
            }
            Some(Value::Null | Value::Bool(_)) | None => return,
        };
        let left = self.drop_children(path, count);
        for index in 0..left {
            path.push(index);
            self.visit(path);
            path.pop();
        }
    }

    /// Drops ever smaller runs of children, so that a wide document costs few attempts; what is
    /// left is counted.
    fn drop_children(&mut self, path: &[usize], mut count: usize) -> usize {
        let mut run = count;
        while run > 0 {
            // From the end, so that the first of equal elements stays.
            let mut end = count;
            while end > 0 {
                let start = end.saturating_sub(run);
                if self.attempt(path, |value| match value {
                    Value::Object(members) => drop(members.drain(start..end)),
                    Value::Array(elements) => drop(elements.drain(start..end)),
                    _ => {}
                }) {
                    count -= end - start;
                }
                end = start;
            }
            run /= 2;
        }
        count
    }

    fn string(&mut self, path: &[usize], text: &str) {
        if text.is_empty() || self.attempt(path, |value| *value = Value::String("".into())) {
            return;
        }
        let mut kept = text.chars().count();
        while kept > 1 {
            let half: String = text.chars().take(kept / 2).collect();
            if !self.attempt(path, |value| *value = Value::String(half.into())) {
                return;
            }
            kept /= 2;
        }
    }

    fn number(&mut self, path: &[usize], text: &str) {
        for simple in ["0", "1", "-1"] {
            if text == simple || self.attempt(path, |value| *value = Value::Number(simple.into())) {
                return;
            }
        }
    }

    /// Changes the value at a place if the property stays.
    fn attempt(&mut self, path: &[usize], change: impl FnOnce(&mut Value)) -> bool {
        if self.attempts == 0 {
            return false;
        }
        self.attempts -= 1;
        let mut candidate = self.document.clone();
        let Some(node) = at_mut(&mut candidate, path) else {
            return false;
        };
        change(&mut node.value);
        let holds = (self.holds)(&candidate);
        if holds {
            self.document = candidate;
        }
        holds
    }
}

/// Paths are made by walking the same document, so they lead somewhere.
fn at<'n>(node: &'n Node, path: &[usize]) -> Option<&'n Node> {
    let Some((first, rest)) = path.split_first() else {
        return Some(node);
    };
    let below = match &node.value {
        Value::Object(members) => &members.get(*first)?.node,
        Value::Array(elements) => elements.get(*first)?,
        _ => return None,
    };
    at(below, rest)
}

fn at_mut<'n>(node: &'n mut Node, path: &[usize]) -> Option<&'n mut Node> {
    let Some((first, rest)) = path.split_first() else {
        return Some(node);
    };
    let below = match &mut node.value {
        Value::Object(members) => &mut members.get_mut(*first)?.node,
        Value::Array(elements) => elements.get_mut(*first)?,
        _ => return None,
    };
    at_mut(below, rest)
}
