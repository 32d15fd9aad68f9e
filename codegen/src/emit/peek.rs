//! Writes the peek of each root: its tags and envelope, read without building the payload.

use super::names::{self, Scope, ident};
use super::plan::{Field, Item, Kind, Plan, Type, Union};
use super::{accessors, docs, structs, types};
use crate::json::Literal;
use crate::maps::IndexMap;
use crate::schema::Contract;
use proc_macro2::{Literal as Token, TokenStream};
use quote::{format_ident, quote};

/// One member that a peek reads.
struct Part {
    wire: String,
    rust: String,
    docs: TokenStream,
    /// The type of its value, the call that reads it, and what its slot becomes.
    ty: TokenStream,
    read: TokenStream,
    /// Whether that type borrows.
    lends: bool,
    is_required: bool,
    /// Whether the slot holds an option already, because the member may be no text.
    is_nested: bool,
    /// Whether the value compares with a text.
    is_text: bool,
}

/// The peeks of all roots that are objects told apart by tags, or have an envelope.
pub(super) fn write(plan: &Plan, contract: Option<&Contract>) -> TokenStream {
    let mut scope = Scope::types();
    for item in &plan.items {
        scope.take(&item.name);
    }
    let mut seen = Vec::new();
    let mut out = TokenStream::new();
    for root in &plan.roots {
        let Type::Named(id) = &root.ty else { continue };
        let Some(item) = plan.items.get(id.0).filter(|_| !seen.contains(id)) else {
            continue;
        };
        seen.push(*id);
        let parts = parts(plan, item);
        if !parts.is_empty() {
            let name = scope.take(&format!("{}Peek", item.name.trim_end_matches('_')));
            out.extend(peek(item, &ident(&name), &parts, contract));
        }
    }
    out
}

fn parts(plan: &Plan, item: &Item) -> Vec<Part> {
    let mut scope = Scope::default();
    match &item.kind {
        Kind::Union(union) => {
            let mut parts = tags(union, &mut scope);
            let shared = accessors::shared(plan, union).into_iter();
            parts.extend(shared.filter_map(|field| envelope(plan, field, &mut scope)));
            parts
        }
        Kind::Struct(shape) => {
            let fields = shape.fields.iter().filter(|field| field.constant.is_none());
            fields
                .filter_map(|field| envelope(plan, field, &mut scope))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The tags of a union that are texts, outermost first.
fn tags(union: &Union, scope: &mut Scope) -> Vec<Part> {
    let mut names: Vec<&str> = Vec::new();
    for tag in union.arms.iter().flat_map(|arm| &arm.tags) {
        if !names.contains(&tag.name.as_str()) {
            names.push(&tag.name);
        }
    }
    let is_text = |name: &&str| {
        let tags = union.arms.iter().flat_map(|arm| &arm.tags);
        let mut values = tags
            .filter(|tag| tag.name == **name)
            .flat_map(|tag| &tag.values);
        values.all(|value| value.type_name() == "string")
    };
    let text = quote!(::std::borrow::Cow<'de, str>);
    let part = |name: &str| {
        let everywhere = union
            .arms
            .iter()
            .all(|arm| arm.tags.iter().any(|tag| tag.name == name));
        let said = match everywhere {
            true => "What the tag says.",
            false => "What the tag says, where it stands and is a text.",
        };
        Part {
            wire: name.to_owned(),
            rust: scope.take(&names::snake(name)),
            docs: docs::from_lines(&[said.to_owned()]),
            ty: text.clone(),
            lends: true,
            read: match everywhere {
                true => quote!(rt::Decode::decode),
                false => quote!(rt::Reader::str_or_other),
            },
            is_required: everywhere,
            is_nested: !everywhere,
            is_text: true,
        }
    };
    names.into_iter().filter(is_text).map(part).collect()
}

/// A member that is cheap to read, or the tag of one that is told apart by its own.
fn envelope(plan: &Plan, field: &Field, scope: &mut Scope) -> Option<Part> {
    let docs = docs::attributes(&field.docs.0, &format!("`{}`", field.wire));
    if is_light(plan, &field.ty) {
        return Some(Part {
            wire: field.wire.clone(),
            rust: scope.take(&field.rust),
            docs,
            ty: types::rust(plan, &field.ty),
            lends: plan.lends(&field.ty),
            read: types::read(&field.ty),
            is_required: field.required,
            is_nested: false,
            is_text: types::is_text(plan, &field.ty),
        });
    }
    let inner = match &field.ty {
        Type::Named(id) => plan.items.get(id.0)?,
        _ => return None,
    };
    let Kind::Union(union) = &inner.kind else {
        return None;
    };
    let tag = tags(union, &mut Scope::default())
        .into_iter()
        .find(|tag| tag.is_required)?;
    let key = structs::key(&tag.wire);
    Some(Part {
        wire: field.wire.clone(),
        rust: scope.take(&format!("{}_{}", field.rust, tag.rust)),
        docs: docs::from_lines(&[format!(
            "What the tag `{}` of `{}` says.",
            tag.wire, field.wire
        )]),
        ty: tag.ty,
        lends: true,
        read: quote!(|reader| { static TAG: rt::Key = #key; reader.inner_tag(&TAG) }),
        is_required: field.required,
        is_nested: false,
        is_text: true,
    })
}

fn is_light(plan: &Plan, ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::String | Type::Integer(..) | Type::Number(..) => true,
        Type::OneOf(_, inner) | Type::Nullable(inner) => is_light(plan, inner),
        Type::Named(id) => plan.items.get(id.0).is_some_and(|item| {
            matches!(
                item.kind,
                Kind::Text(_) | Kind::OpenEnum(_) | Kind::ClosedEnum(_)
            )
        }),
        _ => false,
    }
}

fn peek(
    item: &Item,
    name: &proc_macro2::Ident,
    parts: &[Part],
    contract: Option<&Contract>,
) -> TokenStream {
    let slot = |part: &Part| format_ident!("slot_{}", part.rust);
    let fields = parts.iter().map(|part| {
        let (docs, rust, ty) = (&part.docs, ident(&part.rust), &part.ty);
        match part.is_required {
            true => quote!(#docs pub #rust: #ty),
            false => quote!(#docs pub #rust: Option<#ty>),
        }
    });
    let slots = parts.iter().map(slot);
    let count = Token::usize_unsuffixed(parts.len());
    let keys = parts.iter().map(|part| structs::key(&part.wire));
    let reads = parts.iter().enumerate().map(|(index, part)| {
        let (index, slot) = (Token::usize_unsuffixed(index), slot(part));
        let (wire, read) = (&part.wire, &part.read);
        quote!(#index => reader.member(&mut #slot, #wire, #read)?,)
    });
    let values = parts.iter().map(|part| {
        let (rust, slot, wire) = (ident(&part.rust), slot(part), &part.wire);
        match (part.is_required, part.is_nested) {
            (true, _) => quote!(#rust: reader.required(#slot, #wire)?),
            (false, true) => quote!(#rust: #slot.flatten()),
            (false, false) => quote!(#rust: #slot),
        }
    });
    let docs = docs::from_lines(&[
        format!(
            "The tags and the envelope of [`{}`], read without its payload.",
            item.name
        ),
        String::new(),
        "Reading it proves that the text is one JSON object of which this much has its shape; the \
         members of the payload are stepped over. Whatever reads as the whole type reads as this."
            .to_owned(),
    ]);
    let ends = contract.map(|contract| {
        let first = matching(
            parts,
            &contract.first,
            "is_first",
            "Whether a run begins with this.",
        );
        let last = matching(
            parts,
            &contract.terminal,
            "is_terminal",
            "Whether this ends its run.",
        );
        quote!(#first #last)
    });
    let ends = ends.filter(|ends| !ends.is_empty());
    let (lifetime, any) = match parts.iter().any(|part| part.lends) {
        true => (quote!(<'de>), quote!(<'_>)),
        false => (quote!(), quote!()),
    };
    let ends = ends.map(|ends| quote!(impl #name #any { #ends }));
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct #name #lifetime { #(#fields,)* }
        impl<'de> rt::Decode<'de> for #name #lifetime {
            fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> {
                static KEYS: [rt::Key; #count] = [#(#keys),*];
                #(let mut #slots = None;)*
                reader.begin_object()?;
                let mut members = rt::Members::default();
                loop {
                    match reader.next_member(&mut members, &KEYS)? {
                        #(#reads)*
                        rt::Member::END => break,
                        _ => { reader.skip_value()?; }
                    }
                }
                Ok(Self { #(#values,)* })
            }
        }
        #ends
    }
}

/// A method that is true where the tags say so; none where the peek does not read all that it needs.
fn matching(
    parts: &[Part],
    members: &IndexMap<String, Literal>,
    name: &str,
    said: &str,
) -> TokenStream {
    let mut conditions = Vec::new();
    for (wire, value) in members {
        let part = parts.iter().find(|part| part.wire == *wire && part.is_text);
        let (Some(part), Some(text)) = (part, value.as_string()) else {
            return quote!();
        };
        let rust = ident(&part.rust);
        conditions.push(match part.is_required {
            true => quote!(&*self.#rust == #text),
            false => quote!(self.#rust.as_deref() == Some(#text)),
        });
    }
    if conditions.is_empty() {
        return quote!();
    }
    let (name, docs) = (ident(name), docs::from_lines(&[said.to_owned()]));
    quote!(#docs #[must_use] pub fn #name(&self) -> bool { #(#conditions)&&* })
}

#[cfg(test)]
mod tests {
    use crate::{emit, wire};

    #[test]
    fn an_inner_tag_is_told_and_a_payload_is_not() {
        let schema = r#"{"title":"Note","type":"object","required":["id","update"],"properties":{
            "id":{"type":"string"},"at":{"type":"integer"},"body":{"type":"object"},"list":{"type":"array"},
            "update":{"oneOf":[
                {"type":"object","required":["kind"],"properties":{"kind":{"const":"a"}}},
                {"type":"object","required":["kind"],"properties":{"kind":{"const":"b"},"n":{"type":"integer"}}}]}}}"#;
        let wire = wire::read("note.json", schema).expect("a schema");
        let options = emit::Options::new("note.json", "").with_borrowed();
        let code = emit::rust(&wire, &options).expect("types").code;
        let (_, peek) = code
            .split_once("pub struct NotePeek<'de> {")
            .expect("a peek");
        let (fields, _) = peek.split_once("\n    }").expect("its end");
        let names: Vec<&str> = fields
            .lines()
            .filter_map(|line| line.trim().strip_prefix("pub "))
            .collect();
        assert_eq!(
            names,
            [
                "id: ::std::borrow::Cow<'de, str>,",
                "at: Option<i64>,",
                "update_kind: ::std::borrow::Cow<'de, str>,",
            ]
        );
    }
}
