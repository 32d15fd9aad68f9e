//! Random JSON Schemas over a small stock of names, strings and numbers, so that keywords meet.

use crate::Chance;
use crate::spots::is_well_founded;
use serde_json::{Map, Value, json};

/// Names of members.
pub const NAMES: &[&str] = &["a", "b", "ab", "type", "x-a"];
/// Values of strings.
pub const STRINGS: &[&str] = &["", "a", "b", "ab", "ba", "abc", "é"];
/// Patterns, each met by some of the strings and missed by others.
pub const PATTERNS: &[&str] = &[
    "^a", "b$", "^[a-c]*$", "^ab?$", "a|b", "^.$", "^(a|b)+$", "^x-", "^[^a]*$",
];
const TYPES: &[&str] = &[
    "null", "boolean", "integer", "number", "string", "array", "object",
];

/// A schema with up to two definitions, any of which may lead back to itself through a member or an
/// element.
pub fn schema(chance: &mut Chance) -> Value {
    loop {
        let definitions = if chance.once_in(3) {
            1 + chance.below(2)
        } else {
            0
        };
        let mut maker = Maker {
            chance,
            definitions,
        };
        let mut root = match maker.chance.below(5) {
            0 => maker.contract(),
            _ => maker.schema(3),
        };
        if definitions > 0 {
            let bodies: Map<String, Value> = (0..definitions)
                .map(|number| (format!("d{number}"), maker.schema(2)))
                .collect();
            if let Some(members) = root.as_object_mut() {
                members.insert("$defs".to_owned(), Value::Object(bodies));
            }
        }
        // A schema that asks itself about the same value has no defined answer.
        if references_resolve(&root) && is_well_founded(&root) {
            return root;
        }
    }
}

/// A schema that looks like a contract.
pub fn contract(chance: &mut Chance) -> Value {
    Maker {
        chance,
        definitions: 0,
    }
    .contract()
}

/// A schema without references, for a place in a schema that is there already.
pub fn part(chance: &mut Chance, depth: usize) -> Value {
    Maker {
        chance,
        definitions: 0,
    }
    .schema(depth)
}

/// A root that is no object has no room for the definitions that its references need.
fn references_resolve(root: &Value) -> bool {
    root.get("$defs").is_some() || !root.to_string().contains("#/$defs/")
}

struct Maker<'a> {
    chance: &'a mut Chance,
    definitions: usize,
}

impl Maker<'_> {
    fn schema(&mut self, depth: usize) -> Value {
        let mut members = Map::new();
        match self.chance.below(if depth == 0 { 9 } else { 16 }) {
            0 => return json!(!self.chance.once_in(3)),
            1 if self.definitions > 0 => return self.reference(),
            1 | 2 => self.values(&mut members),
            3..=9 => {
                let kind = *self.chance.one(TYPES);
                members.insert("type".to_owned(), json!(kind));
                self.keywords(kind, depth, &mut members);
                // A list beside other keywords may hold values that those refuse.
                if self.chance.once_in(8) {
                    self.values(&mut members);
                }
            }
            10 => {
                let first = *self.chance.one(TYPES);
                let second = *self.chance.one(TYPES);
                if first != second {
                    members.insert("type".to_owned(), json!([first, second]));
                }
                self.keywords(first, depth, &mut members);
                self.keywords(second, depth, &mut members);
            }
            // Keywords bind the type they are about and say nothing of the others.
            11 => {
                let kind = *self.chance.one(TYPES);
                self.keywords(kind, depth, &mut members);
            }
            _ => {
                if self.chance.once_in(3) {
                    let kind = *self.chance.one(TYPES);
                    members.insert("type".to_owned(), json!(kind));
                    self.keywords(kind, depth, &mut members);
                }
                self.choice(depth, &mut members);
            }
        }
        if self.definitions > 0 && depth > 0 && self.chance.once_in(12) {
            let reference = self.reference();
            members.insert("$ref".to_owned(), reference["$ref"].clone());
        }
        Value::Object(members)
    }

    fn reference(&mut self) -> Value {
        if self.definitions == 0 || self.chance.once_in(6) {
            return json!({"$ref": "#"});
        }
        json!({"$ref": format!("#/$defs/d{}", self.chance.below(self.definitions))})
    }

    fn list(&mut self, depth: usize, least: usize, most: usize) -> Value {
        let count = least + self.chance.below(most - least + 1);
        (0..count)
            .map(|_| self.schema(depth.saturating_sub(1)))
            .collect()
    }

    fn values(&mut self, members: &mut Map<String, Value>) {
        if self.chance.once_in(2) {
            members.insert("const".to_owned(), value(self.chance, 1));
            return;
        }
        let mut values: Vec<Value> = Vec::new();
        for _ in 0..1 + self.chance.below(3) {
            let one = value(self.chance, 1);
            if !values.contains(&one) {
                values.push(one);
            }
        }
        members.insert("enum".to_owned(), Value::Array(values));
    }

    fn choice(&mut self, depth: usize, members: &mut Map<String, Value>) {
        match self.chance.below(6) {
            0 => members.insert("allOf".to_owned(), self.list(depth, 1, 3)),
            1 => members.insert("anyOf".to_owned(), self.list(depth, 1, 3)),
            2 => members.insert("oneOf".to_owned(), self.list(depth, 1, 3)),
            3 => members.insert("not".to_owned(), self.condition(depth - 1)),
            4 => {
                members.insert("if".to_owned(), self.condition(depth - 1));
                for name in ["then", "else"] {
                    if !self.chance.once_in(3) {
                        members.insert(name.to_owned(), self.schema(depth - 1));
                    }
                }
                None
            }
            _ => {
                members.insert("anyOf".to_owned(), self.list(depth, 1, 2));
                members.insert("allOf".to_owned(), self.list(depth, 1, 2))
            }
        };
    }

    /// What `not` and `if` ask: any schema, or one member for some values, as tags are asked for.
    fn condition(&mut self, depth: usize) -> Value {
        if self.chance.once_in(2) {
            return self.schema(depth);
        }
        let name = *self.chance.one(NAMES);
        let mut values = Map::new();
        self.values(&mut values);
        let mut test = json!({"properties": {name: values}});
        if !self.chance.once_in(3) {
            test["required"] = json!([name]);
        }
        if self.chance.once_in(3) {
            test["type"] = json!("object");
        }
        test
    }

    fn keywords(&mut self, kind: &str, depth: usize, members: &mut Map<String, Value>) {
        match kind {
            "integer" | "number" => self.number(members),
            "string" => self.string(members),
            "array" => self.array(depth, members),
            "object" => self.object(depth, members),
            _ => {}
        }
    }

    fn number(&mut self, members: &mut Map<String, Value>) {
        for name in ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"] {
            if self.chance.once_in(5) {
                let bound = number(self.chance);
                members.insert(name.to_owned(), bound);
            }
        }
        if self.chance.once_in(5) {
            let step = self
                .chance
                .one(&[
                    json!(1),
                    json!(2),
                    json!(3),
                    json!(0.5),
                    json!(1.5),
                    json!(0.1),
                ])
                .clone();
            members.insert("multipleOf".to_owned(), step);
        }
    }

    fn string(&mut self, members: &mut Map<String, Value>) {
        for name in ["minLength", "maxLength"] {
            if self.chance.once_in(5) {
                members.insert(name.to_owned(), json!(self.chance.below(4)));
            }
        }
        if self.chance.once_in(4) {
            members.insert("pattern".to_owned(), json!(self.chance.one(PATTERNS)));
        }
    }

    fn array(&mut self, depth: usize, members: &mut Map<String, Value>) {
        for name in ["minItems", "maxItems"] {
            if self.chance.once_in(5) {
                members.insert(name.to_owned(), json!(self.chance.below(4)));
            }
        }
        if self.chance.once_in(6) {
            members.insert("uniqueItems".to_owned(), json!(true));
        }
        if depth == 0 {
            return;
        }
        if self.chance.once_in(2) {
            members.insert("items".to_owned(), self.schema(depth - 1));
        }
        if self.chance.once_in(4) {
            members.insert("prefixItems".to_owned(), self.list(depth, 1, 2));
        }
        if self.chance.once_in(5) {
            members.insert("contains".to_owned(), self.schema(depth - 1));
            for name in ["minContains", "maxContains"] {
                if self.chance.once_in(3) {
                    members.insert(name.to_owned(), json!(self.chance.below(3)));
                }
            }
        }
        if self.chance.once_in(10) {
            members.insert("unevaluatedItems".to_owned(), self.schema(depth - 1));
        }
    }

    fn object(&mut self, depth: usize, members: &mut Map<String, Value>) {
        for name in ["minProperties", "maxProperties"] {
            if self.chance.once_in(8) {
                members.insert(name.to_owned(), json!(self.chance.below(3)));
            }
        }
        if self.chance.once_in(2) {
            members.insert("required".to_owned(), self.names());
        }
        if self.chance.once_in(12) {
            let name = (*self.chance.one(NAMES)).to_owned();
            let names = self.names();
            members.insert("dependentRequired".to_owned(), json!({name: names}));
        }
        if depth == 0 {
            return;
        }
        if !self.chance.once_in(4) {
            let properties: Map<String, Value> = (0..1 + self.chance.below(3))
                .map(|_| {
                    let name = (*self.chance.one(NAMES)).to_owned();
                    (name, self.schema(depth - 1))
                })
                .collect();
            members.insert("properties".to_owned(), Value::Object(properties));
        }
        if self.chance.once_in(4) {
            members.insert("additionalProperties".to_owned(), self.rest(depth));
        }
        if self.chance.once_in(8) {
            let mut patterns = Map::new();
            for _ in 0..1 + self.chance.below(2) {
                let pattern = (*self.chance.one(PATTERNS)).to_owned();
                patterns.insert(pattern, self.schema(depth - 1));
            }
            members.insert("patternProperties".to_owned(), Value::Object(patterns));
        }
        if self.chance.once_in(12) {
            let names = self.schema_of_names();
            members.insert("propertyNames".to_owned(), names);
        }
        if self.chance.once_in(12) {
            let name = (*self.chance.one(NAMES)).to_owned();
            let schema = self.schema(depth - 1);
            members.insert("dependentSchemas".to_owned(), json!({name: schema}));
        }
        if self.chance.once_in(10) {
            members.insert("unevaluatedProperties".to_owned(), self.rest(depth));
        }
    }

    /// What names may be: few, mostly, so that counts of members matter.
    fn schema_of_names(&mut self) -> Value {
        let mut names = Map::new();
        match self.chance.below(4) {
            0 => return json!({"enum": self.names()}),
            1 => return json!({"not": {"enum": self.names()}}),
            2 => {
                return json!({"anyOf": [{"enum": self.names()}, {"pattern": self.chance.one(PATTERNS)}]});
            }
            _ => self.string(&mut names),
        }
        Value::Object(names)
    }

    /// What undeclared members may be: nothing, mostly, because that is how people write it.
    fn rest(&mut self, depth: usize) -> Value {
        if self.chance.once_in(2) {
            return json!(false);
        }
        self.schema(depth - 1)
    }

    fn names(&mut self) -> Value {
        let mut names: Vec<&str> = Vec::new();
        for _ in 0..1 + self.chance.below(2) {
            let name = *self.chance.one(NAMES);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        json!(names)
    }

    /// What contracts look like: a union of tagged objects, open enums, members that may be null.
    fn contract(&mut self) -> Value {
        let tags = ["a", "b", "ab"];
        let count = 2 + self.chance.below(2);
        let mut branches: Vec<Value> = tags[..count]
            .iter()
            .map(|tag| {
                let mut branch = self.record();
                branch["properties"]["type"] = json!({"const": tag});
                let mut required = vec![json!("type")];
                required.extend(branch["required"].as_array().into_iter().flatten().cloned());
                branch["required"] = Value::Array(required);
                branch
            })
            .collect();
        if self.chance.once_in(4) {
            // Two tags: the first alone does not tell the last branch from the first.
            for (branch, kind) in branches.iter_mut().zip(["x", "y", "y"]) {
                two_tags(branch, kind);
            }
            let mut last = branches[0].clone();
            two_tags(&mut last, "y");
            branches.push(last);
        }
        let known = json!({"enum": tags[..count]});
        let catch_all = match self.chance.below(6) {
            0 | 1 => Some(json!({"properties": {"type": {"type": "string", "not": known}}})),
            2 => Some(json!({
                "properties": {"type": {"type": "string"}},
                "not": {"properties": {"type": known}}
            })),
            3 => Some(json!({"properties": {"type": {"type": "string"}}})),
            _ => None,
        };
        if let Some(mut branch) = catch_all {
            branch["type"] = json!("object");
            branch["required"] = json!(["type"]);
            branches.push(branch);
        }
        let union = if self.chance.once_in(2) {
            "anyOf"
        } else {
            "oneOf"
        };
        match self.chance.below(4) {
            0 => json!({"type": "array", "items": {union: branches}}),
            1 => self.record(),
            _ => json!({union: branches}),
        }
    }

    fn record(&mut self) -> Value {
        let mut members = Map::new();
        for name in ["a", "b", "ab"] {
            if self.chance.once_in(3) {
                continue;
            }
            let member = match self.chance.below(6) {
                0 => json!({"anyOf": [{"enum": ["a", "b"]}, {"type": "string"}]}),
                1 => json!({"enum": ["a", "b"]}),
                2 => json!({"type": ["string", "null"]}),
                3 => json!({"anyOf": [self.schema(1), {"type": "null"}]}),
                _ => self.schema(1),
            };
            members.insert(name.to_owned(), member);
        }
        let required: Vec<String> = members
            .keys()
            .filter(|_| self.chance.once_in(3))
            .cloned()
            .collect();
        let mut record = json!({"type": "object", "properties": members, "required": required});
        if self.chance.once_in(4) {
            record["additionalProperties"] = self.rest(1);
        }
        record
    }
}

fn two_tags(branch: &mut Value, kind: &str) {
    branch["properties"]["kind"] = json!({"const": kind});
    if let Some(required) = branch["required"].as_array_mut()
        && !required.contains(&json!("kind"))
    {
        required.push(json!("kind"));
    }
}

/// A number near the others.
pub fn number(chance: &mut Chance) -> Value {
    let half = chance.below(4);
    let whole = i64::try_from(chance.below(9)).unwrap_or(0) - 2;
    match half {
        0 => json!(whole as f64 + 0.5),
        _ => json!(whole),
    }
}

/// Any value, small.
pub fn value(chance: &mut Chance, depth: usize) -> Value {
    match chance.below(if depth == 0 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => json!(chance.once_in(2)),
        2 | 3 => number(chance),
        4..=6 => json!(chance.one(STRINGS)),
        7 => (0..chance.below(3))
            .map(|_| value(chance, depth - 1))
            .collect(),
        _ => (0..chance.below(3))
            .map(|_| {
                let name = (*chance.one(NAMES)).to_owned();
                (name, value(chance, depth - 1))
            })
            .collect::<Map<_, _>>()
            .into(),
    }
}
