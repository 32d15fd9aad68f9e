//! Documents for a pair of schemas: made to fit one of them, from its own constants, and then changed.

use crate::{Chance, schemas};
use serde_json::{Map, Value, json};

/// What the schemas name: values, members, bounds, lengths.
#[derive(Debug, Default)]
pub struct Stock {
    values: Vec<Value>,
    names: Vec<String>,
}

impl Stock {
    /// Collects from any number of schemas.
    #[must_use]
    pub fn of(schemas: &[&Value]) -> Self {
        let mut stock = Self::default();
        for schema in schemas {
            stock.collect(schema, 0);
        }
        stock.names.extend(["a".to_owned(), "zz".to_owned()]);
        stock.names.sort();
        stock.names.dedup();
        stock.values.extend([
            json!(null),
            json!(0),
            json!("a"),
            json!(1.5),
            json!([]),
            json!({}),
        ]);
        stock
    }

    fn collect(&mut self, schema: &Value, depth: usize) {
        // Enough for what one can look at, and an end for what is hostile.
        if depth > 40 || self.values.len() > 4000 {
            return;
        }
        match schema {
            Value::Array(list) => list.iter().for_each(|one| self.collect(one, depth + 1)),
            Value::Object(members) => {
                for (name, value) in members {
                    self.keyword(name, value);
                    self.collect(value, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn keyword(&mut self, name: &str, value: &Value) {
        match (name, value) {
            ("const", value) => self.values.push(value.clone()),
            ("enum", Value::Array(values)) => self.values.extend(values.iter().cloned()),
            ("required", Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str);
                self.names.extend(names.map(str::to_owned));
            }
            ("pattern", Value::String(pattern)) => {
                let texts = texts_for(pattern);
                self.values.extend(texts.into_iter().map(Value::String));
            }
            ("patternProperties", Value::Object(patterns)) => {
                let texts = patterns.keys().flat_map(|pattern| texts_for(pattern));
                self.names.extend(texts);
            }
            (
                "properties" | "dependentSchemas" | "dependentRequired" | "dependencies",
                Value::Object(members),
            ) => {
                self.names.extend(members.keys().cloned());
            }
            ("minLength" | "maxLength", Value::Number(length)) => {
                if let Some(length) = length.as_u64().filter(|length| *length < 2000) {
                    let length = usize::try_from(length).unwrap_or(0);
                    for count in [length.saturating_sub(1), length, length + 1] {
                        self.values.push(json!("a".repeat(count)));
                    }
                }
            }
            (
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
                Value::Number(bound),
            ) => {
                self.values.push(value.clone());
                if let Some(bound) = bound.as_i64() {
                    let near = [
                        bound.checked_sub(1),
                        bound.checked_add(1),
                        bound.checked_mul(2),
                    ];
                    self.values
                        .extend(near.into_iter().flatten().map(|one| json!(one)));
                }
                if let Some(bound) = bound.as_f64().filter(|bound| bound.abs() < 1e9) {
                    self.values
                        .extend([json!(bound + 0.5), json!(bound - 0.25)]);
                }
            }
            _ => {}
        }
    }

    fn any(&self, chance: &mut Chance) -> Value {
        if chance.once_in(4) {
            return schemas::value(chance, 2);
        }
        chance.one(&self.values).clone()
    }

    fn name(&self, chance: &mut Chance) -> String {
        chance.one(&self.names).clone()
    }

    fn of_kind(&self, kind: &str, chance: &mut Chance) -> Option<Value> {
        let fits: Vec<&Value> = self
            .values
            .iter()
            .filter(|value| is_kind(value, kind))
            .collect();
        (!fits.is_empty()).then(|| (*chance.one(&fits)).clone())
    }
}

/// A document for a schema, changed in up to two places most of the time.
pub fn document(root: &Value, stock: &Stock, chance: &mut Chance) -> Value {
    let start = starts(root, chance);
    let mut maker = Maker {
        root,
        stock,
        chance,
        steps: 400,
    };
    let mut made = maker.value(&[start], 6);
    for _ in 0..chance.below(3) {
        change(&mut made, stock, chance);
    }
    made
}

/// Where a document begins: the root, or a definition where the root constrains nothing.
fn starts<'a>(root: &'a Value, chance: &mut Chance) -> &'a Value {
    let bare = root.as_object().is_some_and(|members| {
        members.keys().all(|name| {
            name.starts_with('$') && name != "$ref" || name == "definitions" || name == "title"
        })
    });
    let definitions = root.get("$defs").or_else(|| root.get("definitions"));
    match definitions.and_then(Value::as_object) {
        Some(definitions) if bare && !definitions.is_empty() => {
            let bodies: Vec<&Value> = definitions.values().collect();
            chance.one::<&Value>(&bodies)
        }
        _ => root,
    }
}

/// Changes one value somewhere: another one, one fewer, or one more.
pub fn change(value: &mut Value, stock: &Stock, chance: &mut Chance) {
    let below = match value {
        Value::Array(elements) => elements.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    if below > 0 && !chance.once_in(3) {
        let at = chance.below(below);
        let child = match value {
            Value::Array(elements) => elements.get_mut(at),
            Value::Object(members) => members.values_mut().nth(at),
            _ => None,
        };
        if let Some(child) = child {
            return change(child, stock, chance);
        }
    }
    match value {
        Value::Object(members) if !chance.once_in(4) => {
            let name = stock.name(chance);
            if members.remove(&name).is_none() {
                members.insert(name, stock.any(chance));
            }
        }
        Value::Array(elements) if !chance.once_in(4) => match chance.below(3) {
            0 => drop(elements.pop()),
            1 if !elements.is_empty() => elements.push(chance.one(elements).clone()),
            _ => elements.push(stock.any(chance)),
        },
        _ => *value = stock.any(chance),
    }
}

struct Maker<'a, 'b> {
    root: &'a Value,
    stock: &'b Stock,
    chance: &'b mut Chance,
    /// How many more schemas are looked at; past them anything goes.
    steps: usize,
}

impl<'a> Maker<'a, '_> {
    /// A value that all these schemas may take, as far as a look at each keyword alone can tell.
    fn value(&mut self, schemas: &[&'a Value], depth: usize) -> Value {
        let mut parts = Vec::new();
        for schema in schemas {
            self.expand(schema, &mut parts, 12);
        }
        if parts.is_empty() {
            return self.stock.any(self.chance);
        }
        let listed: Vec<&Value> = parts
            .iter()
            .flat_map(|part| part.get("const").into_iter().chain(each(part.get("enum"))))
            .collect();
        if !listed.is_empty() && !self.chance.once_in(10) {
            return (*self.chance.one(&listed)).clone();
        }
        let kind = self.kind(&parts);
        match kind {
            "null" => Value::Null,
            "boolean" => json!(self.chance.once_in(2)),
            "array" => self.array(&parts, depth),
            "object" => self.object(&parts, depth),
            _ => self
                .stock
                .of_kind(kind, self.chance)
                .unwrap_or_else(|| self.stock.any(self.chance)),
        }
    }

    /// The schemas of objects that hold, with one branch of each choice.
    fn expand(&mut self, schema: &'a Value, parts: &mut Vec<&'a Map<String, Value>>, depth: usize) {
        let Some(members) = schema.as_object() else {
            return;
        };
        if depth == 0 || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        parts.push(members);
        let target = members
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|text| text.strip_prefix('#'));
        if let Some(target) = target.and_then(|pointer| self.root.pointer(pointer)) {
            self.expand(target, parts, depth - 1);
        }
        for one in each(members.get("allOf")) {
            self.expand(one, parts, depth - 1);
        }
        for name in ["anyOf", "oneOf"] {
            let branches: Vec<&'a Value> = each(members.get(name)).collect();
            if !branches.is_empty() {
                let branch = *self.chance.one(&branches);
                self.expand(branch, parts, depth - 1);
            }
        }
        if let Some(condition) = members.get("if") {
            let (branch, holds) = if self.chance.once_in(2) {
                ("then", true)
            } else {
                ("else", false)
            };
            if holds {
                self.expand(condition, parts, depth - 1);
            }
            if let Some(branch) = members.get(branch) {
                self.expand(branch, parts, depth - 1);
            }
        }
    }

    fn kind(&mut self, parts: &[&Map<String, Value>]) -> &'static str {
        const KINDS: [&str; 7] = [
            "null", "boolean", "integer", "number", "string", "array", "object",
        ];
        let allowed = |kind: &str| {
            parts.iter().all(|part| match part.get("type") {
                None => true,
                Some(Value::String(one)) => one == kind || one == "number" && kind == "integer",
                Some(list) => {
                    each(Some(list)).any(|one| one == kind || one == "number" && kind == "integer")
                }
            })
        };
        let kinds: Vec<&'static str> = KINDS.into_iter().filter(|kind| allowed(kind)).collect();
        // What the keywords speak of is where they can be broken.
        let spoken: Vec<&'static str> = kinds
            .iter()
            .copied()
            .filter(|kind| parts.iter().any(|part| speaks_of(part, kind)))
            .collect();
        if !spoken.is_empty() && !self.chance.once_in(6) {
            return self.chance.one::<&'static str>(&spoken);
        }
        if kinds.is_empty() {
            self.chance.one::<&'static str>(&KINDS)
        } else {
            self.chance.one::<&'static str>(&kinds)
        }
    }

    fn array(&mut self, parts: &[&'a Map<String, Value>], depth: usize) -> Value {
        let bound = |name: &str| {
            parts
                .iter()
                .filter_map(|part| part.get(name)?.as_u64())
                .max()
        };
        let least = bound("minItems").unwrap_or(0).min(40);
        let most = bound("maxItems").unwrap_or(least + 3).min(least + 4);
        let prefix = parts
            .iter()
            .map(|part| each(part.get("prefixItems")).count())
            .max()
            .unwrap_or(0);
        let mut count = usize::try_from(least).unwrap_or(0);
        count += self
            .chance
            .below(usize::try_from(most.saturating_sub(least)).unwrap_or(0) + 1);
        if self.chance.once_in(3) {
            count = count.max(prefix);
        }
        if depth == 0 {
            count = count.min(1);
        }
        let contains: Vec<&'a Value> = parts
            .iter()
            .filter_map(|part| part.get("contains"))
            .collect();
        (0..count)
            .map(|index| {
                let mut schemas: Vec<&'a Value> = Vec::new();
                for part in parts {
                    let tuple = part
                        .get("prefixItems")
                        .or_else(|| part.get("items").filter(|items| items.is_array()));
                    match each(tuple).nth(index) {
                        Some(one) => schemas.push(one),
                        None => schemas.extend(part.get("items").filter(|items| !items.is_array())),
                    }
                }
                if index < contains.len() || !contains.is_empty() && self.chance.once_in(3) {
                    schemas.push(contains[index % contains.len()]);
                }
                self.value(&schemas, depth.saturating_sub(1))
            })
            .collect()
    }

    fn object(&mut self, parts: &[&'a Map<String, Value>], depth: usize) -> Value {
        let mut names: Vec<String> = parts
            .iter()
            .flat_map(|part| each(part.get("required")))
            .filter_map(|name| Some(name.as_str()?.to_owned()))
            .collect();
        if depth > 0 {
            let declared = parts
                .iter()
                .filter_map(|part| part.get("properties")?.as_object());
            let wide: Vec<&String> = declared.flat_map(|members| members.keys()).collect();
            for name in &wide {
                // Of very many members a few are enough.
                if self.chance.below(wide.len().max(4)) < wide.len().clamp(2, 6) {
                    names.push((*name).clone());
                }
            }
            if self.chance.once_in(3) {
                names.push(self.stock.name(self.chance));
            }
        }
        names.sort();
        names.dedup();
        let mut made = Map::new();
        for name in names {
            let schemas: Vec<&'a Value> = parts
                .iter()
                .filter_map(|part| {
                    let declared = part
                        .get("properties")
                        .and_then(|members| members.get(&name));
                    declared.or_else(|| part.get("additionalProperties"))
                })
                .collect();
            let value = self.value(&schemas, depth.saturating_sub(1));
            made.insert(name, value);
        }
        Value::Object(made)
    }
}

fn each(list: Option<&Value>) -> impl Iterator<Item = &Value> {
    list.and_then(Value::as_array).into_iter().flatten()
}

fn is_kind(value: &Value, kind: &str) -> bool {
    match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(number) => kind == "number" || kind == "integer" && !number.is_f64(),
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    }
}

/// Whether some keyword is about values of a type.
fn speaks_of(part: &Map<String, Value>, kind: &str) -> bool {
    let names: &[&str] = match kind {
        "integer" | "number" => &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
        "string" => &["minLength", "maxLength", "pattern"],
        "array" => &[
            "items",
            "prefixItems",
            "contains",
            "minItems",
            "maxItems",
            "uniqueItems",
            "unevaluatedItems",
        ],
        "object" => &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedProperties",
        ],
        _ => &[],
    };
    names.iter().any(|name| part.contains_key(*name))
}

/// Texts near a pattern: its letters without what is syntax, whole, doubled, and with a neighbour.
fn texts_for(pattern: &str) -> Vec<String> {
    let mut letters = String::new();
    let mut escaped = false;
    for letter in pattern.chars() {
        match letter {
            'd' if escaped => letters.push('7'),
            'w' if escaped => letters.push('w'),
            's' if escaped => letters.push(' '),
            _ if escaped => letters.push(letter),
            '\\' | '^' | '$' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' => {}
            '.' => letters.push('x'),
            _ => letters.push(letter),
        }
        escaped = letter == '\\' && !escaped;
    }
    let first: String = letters.chars().take(1).collect();
    vec![
        format!("{letters}{letters}"),
        format!("{letters}x"),
        format!("x{letters}"),
        first,
        letters,
    ]
}
