//! Leaves that `typify` types: closed enums, constrained strings, integers.
//!
//! Each leaf is printed as a draft-07 schema of its own and handed over alone, so that a refusal
//! or a panic costs that leaf and nothing else. What comes back is lifted: items are kept, their
//! `serde` parts are dropped, and wire names are compared with the wire view before anything of
//! it is used.

use super::plan::EnumValue;
use crate::wire::{NumberFacts, StringFacts};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use serde_json::{Value, json};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// A leaf as items, ready to be written out.
pub(super) struct Leaf {
    pub(super) items: Vec<syn::Item>,
    /// Rust name of each value, for an enum.
    pub(super) variants: Vec<String>,
}

/// The integer type for some bounds; `None` where none of 64 bits holds them all.
pub(super) fn integer(facts: &NumberFacts) -> Option<&'static str> {
    // The bounds themselves are checked when reading. Here they only choose the type, which
    // should not shrink to `u8` for a count that happens to be small today.
    let zero = crate::json::Decimal::parse("0")?;
    let from_zero = facts
        .minimum
        .as_ref()
        .is_some_and(|bound| bound.value >= zero);
    let schema = if from_zero {
        json!({"type": "integer", "minimum": 0})
    } else {
        json!({"type": "integer"})
    };
    let limit = crate::json::Decimal::parse(if from_zero {
        "18446744073709551615"
    } else {
        "9223372036854775807"
    })?;
    let lowest = crate::json::Decimal::parse("-9223372036854775808")?;
    let outside = facts
        .maximum
        .as_ref()
        .is_some_and(|bound| bound.value > limit)
        || facts
            .minimum
            .as_ref()
            .is_some_and(|bound| bound.value < lowest);
    if outside {
        return None;
    }
    thread_local! {
        // Asked once for each of the two questions: schemas have many integers.
        static ANSWERS: Cell<[Option<&'static str>; 2]> = const { Cell::new([None; 2]) };
    }
    let mut answers = ANSWERS.get();
    if answers[usize::from(from_zero)].is_none() {
        let answer = typed(&schema, "Integer").map(|(name, _)| name);
        answers[usize::from(from_zero)] = match answer.as_deref() {
            Some("u64") if from_zero => Some("u64"),
            Some("i64") if !from_zero => Some("i64"),
            _ => None,
        };
        ANSWERS.set(answers);
    }
    answers[usize::from(from_zero)]
}

/// A closed enum of strings; `None` where `typify` gives something else.
pub(super) fn closed_enum(name: &str, values: &[EnumValue]) -> Option<Leaf> {
    let texts: Vec<&str> = values.iter().map(|value| value.wire.as_str()).collect();
    let (_, file) = typed(&json!({"type": "string", "enum": texts}), name)?;
    let mut leaf = lift(name, file)?;
    let Some(syn::Item::Enum(item)) = leaf.items.first() else {
        return None;
    };
    let lifted: Vec<(String, String)> = item
        .variants
        .iter()
        .map(|variant| (wire_name(variant), variant.ident.to_string()))
        .collect();
    let same = lifted.len() == values.len()
        && lifted
            .iter()
            .zip(&texts)
            .all(|((wire, _), text)| wire == text);
    if !same
        || item
            .variants
            .iter()
            .any(|variant| !variant.fields.is_empty())
    {
        return None;
    }
    leaf.variants = lifted.into_iter().map(|(_, rust)| rust).collect();
    strip(&mut leaf.items);
    Some(leaf)
}

/// A string with constraints, and whether its pattern is checked.
pub(super) fn text(name: &str, facts: &StringFacts) -> Option<(Leaf, bool)> {
    let mut schema = serde_json::Map::new();
    schema.insert("type".to_owned(), "string".into());
    if facts.min_length > 0 {
        schema.insert(
            "minLength".to_owned(),
            u32::try_from(facts.min_length).ok()?.into(),
        );
    }
    if let Some(max) = facts.max_length {
        schema.insert("maxLength".to_owned(), u32::try_from(max).ok()?.into());
    }
    // Generated code reads patterns without the flag for which `\p` is a property of characters.
    let is_read = |pattern: &&String| !(pattern.contains("\\p{") || pattern.contains("\\P{"));
    if let [pattern] = facts.patterns.as_slice()
        && is_read(&pattern)
    {
        let mut whole = schema.clone();
        whole.insert("pattern".to_owned(), pattern.as_str().into());
        // Where the pattern cannot be compiled, generated code must not try it at run time.
        if let Some(leaf) = newtype(name, &Value::Object(whole)) {
            return Some((leaf, true));
        }
    }
    let checked = facts.patterns.is_empty();
    newtype(name, &Value::Object(schema)).map(|leaf| (leaf, checked))
}

fn newtype(name: &str, schema: &Value) -> Option<Leaf> {
    let (_, file) = typed(schema, name)?;
    let mut leaf = lift(name, file)?;
    if !matches!(leaf.items.first(), Some(syn::Item::Struct(_))) {
        return None;
    }
    strip(&mut leaf.items);
    Some(leaf)
}

/// Hands a schema over; gives the name of its type and all items.
fn typed(schema: &Value, name: &str) -> Option<(String, syn::File)> {
    let schema = serde_json::from_value(schema.clone()).ok()?;
    let text = quietly(|| {
        let mut space = typify::TypeSpace::default();
        let id = space
            .add_type_with_name(&schema, Some(name.to_owned()))
            .ok()?;
        let ident = space.get_type(&id).ok()?.ident().to_string();
        Some((ident, space.to_stream()))
    })?;
    let (ident, stream) = text;
    Some((ident, syn::parse2(stream).ok()?))
}

/// Runs something that may panic without letting it speak.
fn quietly<T>(run: impl FnOnce() -> Option<T>) -> Option<T> {
    thread_local! {
        static QUIET: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                before(panic);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    result.ok().flatten()
}

/// Keeps the type of that name and its impls, in order, without `serde`.
fn lift(name: &str, file: syn::File) -> Option<Leaf> {
    let is_named = |item: &syn::Item| match item {
        syn::Item::Enum(item) => item.ident == name,
        syn::Item::Struct(item) => item.ident == name,
        _ => false,
    };
    let (mut items, others): (Vec<syn::Item>, Vec<syn::Item>) =
        file.items.into_iter().partition(is_named);
    if items.len() != 1 {
        return None;
    }
    for item in others {
        if let syn::Item::Impl(block) = &item {
            let of_serde = block.trait_.iter().any(|(path, _)| {
                path.segments
                    .first()
                    .is_some_and(|segment| segment.ident == "serde")
            });
            if !of_serde {
                items.push(item);
            }
        }
    }
    Some(Leaf {
        items,
        variants: Vec::new(),
    })
}

/// The text a variant stands for on the wire.
fn wire_name(variant: &syn::Variant) -> String {
    for attribute in variant
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
    {
        let mut name = None;
        let read = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename") {
                name = Some(meta.value()?.parse::<syn::LitStr>()?.value());
            }
            Ok(())
        });
        if let (Ok(()), Some(name)) = (read, name) {
            return name;
        }
    }
    variant.ident.to_string()
}

/// Drops documentation, which is written anew, and every word about `serde`.
fn strip(items: &mut [syn::Item]) {
    for item in items {
        match item {
            syn::Item::Enum(item) => {
                item.attrs.clear();
                item.variants
                    .iter_mut()
                    .for_each(|variant| variant.attrs.clear());
            }
            syn::Item::Struct(item) => item.attrs.clear(),
            _ => {}
        }
    }
}

/// The tokens of items, with paths to `typify`'s error module and to the regex crate turned to the
/// runtime, which all generated code shares.
pub(super) fn tokens(items: &[syn::Item]) -> TokenStream {
    redirect(items.iter().map(|item| item.to_token_stream()).collect())
}

pub(super) fn redirect(stream: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = stream.into_iter().collect();
    for tree in &mut trees {
        if let TokenTree::Group(group) = tree {
            *group = proc_macro2::Group::new(group.delimiter(), redirect(group.stream()));
        }
    }
    let mut out = TokenStream::new();
    let mut rest = trees.as_slice();
    while let [first, others @ ..] = rest {
        if let Some(after) = path(rest, &["self", "::", "error", "::"])
            .or_else(|| path(rest, &["::", "regress", "::"]))
        {
            let regress = !matches!(first, TokenTree::Ident(_));
            out.extend(if regress {
                quote::quote!(rt::regress::)
            } else {
                quote::quote!(rt::)
            });
            rest = after;
            continue;
        }
        out.extend([first.clone()]);
        rest = others;
    }
    out
}

/// Whether items match a pattern, for which the runtime has a feature.
pub(super) fn uses_matcher(stream: TokenStream) -> bool {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let here = (0..trees.len()).any(|at| path(&trees[at..], &["rt", "::", "regress"]).is_some());
    here || trees.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => uses_matcher(group.stream()),
        _ => false,
    })
}

/// What follows a path, where the tokens begin with it.
fn path<'a>(trees: &'a [TokenTree], parts: &[&str]) -> Option<&'a [TokenTree]> {
    let mut rest = trees;
    for part in parts {
        rest = match (*part, rest) {
            ("::", [TokenTree::Punct(left), TokenTree::Punct(right), after @ ..])
                if left.as_char() == ':' && right.as_char() == ':' =>
            {
                after
            }
            (name, [TokenTree::Ident(ident), after @ ..]) if ident == name => after,
            _ => return None,
        };
    }
    Some(rest)
}
