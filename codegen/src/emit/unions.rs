//! Writes unions: an enum whose decoder goes by the tags, or tries in order where there are none.

use super::docs;
use super::names::ident;
use super::plan::{Arm, Item, JsonType, MixedArm, Plan, Type, Union};
use super::{structs, types};
use crate::json::Literal;
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;

/// A union of objects.
pub(super) fn write(plan: &Plan, item: &Item, union: &Union) -> TokenStream {
    let (name, lifetime) = (ident(&item.name), plan.lifetime(item));
    let any = structs::any_lifetime(plan, item);
    let docs = docs::attributes(&item.docs, &format!("`{}`", item.name));
    let arms = distinct(union);
    let variants = arms.iter().map(|arm| {
        let fallback = format!("`{}`", label(arm));
        let docs = if arm.is_unknown {
            docs::from_lines(&["What these types do not know, kept whole.".to_owned()])
        } else {
            docs::attributes(&arm.docs.0, &fallback)
        };
        let (variant, ty) = (ident(&arm.name), types::rust(plan, &arm.ty));
        quote!(#docs #variant(#ty))
    });
    let all: Vec<&Arm> = union.arms.iter().collect();
    let decode = dispatch(plan, &all, &[], 0);
    let encodes = arms.iter().map(|arm| {
        let variant = ident(&arm.name);
        quote!(Self::#variant(value) => rt::Encode::encode(value, out),)
    });
    let conversions = conversions(plan, item, &arms);
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant)]
        pub enum #name #lifetime { #(#variants,)* }
        impl<'de> rt::Decode<'de> for #name #lifetime {
            fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> { reader.whole(Self::decode_into) }
            fn decode_into(reader: &mut rt::Reader<'de>, slot: &mut Option<Self>) -> rt::Result<()> { #decode }
        }
        impl rt::Encode for #name #any {
            fn encode(&self, out: &mut String) {
                match self { #(#encodes)* }
            }
        }
        #conversions
    }
}

/// The variants of the enum: catch-alls that share a holder are one.
pub(super) fn distinct(union: &Union) -> Vec<&Arm> {
    let mut arms: Vec<&Arm> = Vec::new();
    for arm in &union.arms {
        if !arms.iter().any(|known| known.name == arm.name) {
            arms.push(arm);
        }
    }
    // The unknown stands last, wherever the schema has it.
    arms.sort_by_key(|arm| arm.is_unknown);
    arms
}

fn label(arm: &Arm) -> String {
    let part = |tag: &super::plan::ArmTag| {
        tag.values
            .iter()
            .map(crate::wire::plain)
            .collect::<Vec<_>>()
            .join("|")
    };
    let tags: Vec<String> = arm.tags.iter().map(part).collect();
    if tags.is_empty() {
        arm.name.clone()
    } else {
        tags.join("/")
    }
}

/// `From` for every payload that says which variant it is.
fn conversions(plan: &Plan, item: &Item, arms: &[&Arm]) -> TokenStream {
    let (name, lifetime) = (ident(&item.name), plan.lifetime(item));
    let mut out = TokenStream::new();
    for arm in arms.iter().filter(|arm| converts(arm, arms)) {
        let (variant, ty) = (ident(&arm.name), types::rust(plan, &arm.ty));
        out.extend(quote! {
            impl #lifetime From<#ty> for #name #lifetime {
                fn from(value: #ty) -> Self { Self::#variant(value) }
            }
        });
    }
    out
}

/// Whether the payload of an arm says which variant it is.
pub(super) fn converts(arm: &Arm, arms: &[&Arm]) -> bool {
    let once = arms.iter().filter(|other| other.ty == arm.ty).count() == 1;
    once && !arm.is_unknown && matches!(arm.ty, Type::Named(_))
}

/// Decides among arms whose first `depth` tags are settled.
fn dispatch(plan: &Plan, arms: &[&Arm], fallback: &[&Arm], depth: usize) -> TokenStream {
    let tagged = arms.iter().find_map(|arm| arm.tags.get(depth));
    let Some(tag) = tagged.map(|tag| tag.name.clone()) else {
        return attempt(plan, arms);
    };
    let mut groups: Vec<(Vec<Literal>, Vec<&Arm>)> = Vec::new();
    let mut others: Vec<&Arm> = Vec::new();
    for arm in arms {
        match arm
            .tags
            .get(depth)
            .filter(|known| known.name == tag && !known.values.is_empty())
        {
            Some(known) => match groups
                .iter_mut()
                .find(|(values, _)| *values == known.values)
            {
                Some((_, group)) => group.push(arm),
                None => groups.push((known.values.clone(), vec![*arm])),
            },
            None => others.push(arm),
        }
    }
    let takes = |arm: &&&Arm, values: &[Literal]| {
        let open = arm.tags.get(depth).filter(|open| open.values.is_empty());
        open.is_some_and(|open| !values.iter().any(|value| open.excluded.contains(value)))
    };
    let expected: Vec<String> = groups
        .iter()
        .flat_map(|(values, _)| values)
        .map(|value| format!("`{}`", crate::wire::plain(value)))
        .collect();
    let expected = format!("one of {}", expected.join(", "));
    let branches: Vec<(Vec<Literal>, TokenStream)> = groups
        .iter()
        .map(|(values, group)| {
            // What a catch-all does not rule out it takes, where nothing nearer does.
            let mut outer: Vec<&Arm> = others
                .iter()
                .filter(|arm| takes(arm, values))
                .copied()
                .collect();
            outer.extend(fallback);
            (values.clone(), dispatch(plan, group, &outer, depth + 1))
        })
        .collect();
    let rest = if others.is_empty() {
        fallback.to_vec()
    } else {
        others
    };
    let rest = if rest.is_empty() {
        quote!(Err(reader.unknown_tag(#tag, &tag, #expected)))
    } else {
        attempt(plan, &rest)
    };
    let matched: Vec<TokenStream> = branches
        .iter()
        .filter_map(|(values, branch)| {
            let texts: Vec<String> = values.iter().filter_map(Literal::as_string).collect();
            (!texts.is_empty()).then(|| quote!(Some(#(#texts)|*) => #branch,))
        })
        .collect();
    // Tags that are no strings are compared as values, after the strings.
    let literal = branches.iter().fold(rest, |otherwise, (values, branch)| {
        let texts: Vec<&str> = values
            .iter()
            .filter(|value| value.type_name() != "string")
            .map(Literal::text)
            .collect();
        if texts.is_empty() {
            otherwise
        } else {
            quote!(if #(tag.is_literal(#texts))||* { #branch } else { #otherwise })
        }
    });
    let decide = if matched.is_empty() {
        literal
    } else {
        quote!(match tag.as_str() { #(#matched)* _ => #literal })
    };
    let key = structs::key(&tag);
    quote! {{
        static TAG: rt::Key = #key;
        let tag = reader.peek_tag(&TAG)?;
        #decide
    }}
}

/// Takes the only arm, or tries several in order.
fn attempt(plan: &Plan, arms: &[&Arm]) -> TokenStream {
    let read = |arm: &Arm| {
        if arm.is_unknown {
            let (ty, tags) = (
                types::rust(plan, &arm.ty),
                Token::usize_unsuffixed(arm.tags.len()),
            );
            return quote!(|reader: &mut rt::Reader<'de>| <#ty>::decode_unknown(reader, #tags));
        }
        types::read(&arm.ty)
    };
    match arms {
        [] => quote!(Err(reader.no_alternative("no value", Vec::new()))),
        [only] => {
            let variant = ident(&only.name);
            if only.is_unknown {
                let (ty, tags) = (
                    types::rust(plan, &only.ty),
                    Token::usize_unsuffixed(only.tags.len()),
                );
                return quote!({
                    *slot = Some(Self::#variant(<#ty>::decode_unknown(reader, #tags)?));
                    Ok(())
                });
            }
            if let Type::Named(_) = &only.ty
                && structs::of(plan, &only.ty).is_some_and(|shape| shape.unknown_tags == 0)
            {
                let ty = types::rust(plan, &only.ty);
                return quote!(<#ty>::read_into(reader, slot, Self::#variant));
            }
            let call = read_call(plan, &only.ty).unwrap_or_else(|| {
                let read = read(only);
                quote!(reader.with(#read))
            });
            quote!({
                *slot = Some(Self::#variant(#call?));
                Ok(())
            })
        }
        several => {
            let names: Vec<&str> = several.iter().map(|arm| arm.name.as_str()).collect();
            let expected = format!("one of {}", names.join(", "));
            let tries = several.iter().map(|arm| {
                let (variant, read) = (ident(&arm.name), read(arm));
                quote! {
                    match reader.attempt(#read)? {
                        Ok(value) => {
                            *slot = Some(Self::#variant(value));
                            return Ok(());
                        }
                        Err(failure) => failures.push(failure),
                    }
                }
            });
            quote! {{
                let mut failures = Vec::new();
                #(#tries)*
                Err(reader.no_alternative(#expected, failures))
            }}
        }
    }
}

fn read_call(plan: &Plan, ty: &Type) -> Option<TokenStream> {
    matches!(
        ty,
        Type::Named(_) | Type::Boxed(_) | Type::Json | Type::JsonObject | Type::String | Type::Bool
    )
    .then(|| {
        let ty = types::rust(plan, ty);
        quote!(<#ty as rt::Decode>::decode(reader))
    })
}

/// A place that takes values of several JSON types.
pub(super) fn write_mixed(plan: &Plan, item: &Item, arms: &[MixedArm]) -> TokenStream {
    let (name, lifetime) = (ident(&item.name), plan.lifetime(item));
    let any = structs::any_lifetime(plan, item);
    let docs = docs::attributes(&item.docs, &format!("`{}`", item.name));
    let variants = arms.iter().map(|arm| {
        let (variant, ty) = (ident(&arm.name), types::rust(plan, &arm.ty));
        let docs = docs::from_lines(&[format!("{} value.", article(arm.json))]);
        quote!(#docs #variant(#ty))
    });
    let mut kinds: Vec<JsonType> = Vec::new();
    for arm in arms {
        if !kinds.contains(&arm.json) {
            kinds.push(arm.json);
        }
    }
    let matches = kinds.iter().map(|kind| {
        let pattern = match kind {
            JsonType::Bool => quote!(rt::Kind::Bool),
            JsonType::Number => quote!(rt::Kind::Number),
            JsonType::String => quote!(rt::Kind::String),
            JsonType::Array => quote!(rt::Kind::Array),
            JsonType::Object => quote!(rt::Kind::Object),
        };
        let several: Vec<Arm> = arms
            .iter()
            .filter(|arm| arm.json == *kind)
            .map(as_arm)
            .collect();
        let read = attempt(plan, &several.iter().collect::<Vec<_>>());
        quote!(#pattern => #read,)
    });
    let expected = arms
        .iter()
        .map(|arm| article(arm.json).to_lowercase())
        .collect::<Vec<_>>()
        .join(" or ");
    let encodes = arms.iter().map(|arm| {
        let variant = ident(&arm.name);
        quote!(Self::#variant(value) => rt::Encode::encode(value, out),)
    });
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant)]
        pub enum #name #lifetime { #(#variants,)* }
        impl<'de> rt::Decode<'de> for #name #lifetime {
            fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> { reader.whole(Self::decode_into) }
            fn decode_into(reader: &mut rt::Reader<'de>, slot: &mut Option<Self>) -> rt::Result<()> {
                match reader.kind()? { #(#matches)* _ => Err(reader.unexpected(#expected)) }
            }
        }
        impl rt::Encode for #name #any {
            fn encode(&self, out: &mut String) {
                match self { #(#encodes)* }
            }
        }
    }
}

fn as_arm(arm: &MixedArm) -> Arm {
    Arm {
        name: arm.name.clone(),
        ty: arm.ty.clone(),
        tags: Vec::new(),
        is_unknown: false,
        docs: Default::default(),
        origin: Default::default(),
    }
}

fn article(json: JsonType) -> &'static str {
    match json {
        JsonType::Bool => "A boolean",
        JsonType::Number => "A number",
        JsonType::String => "A string",
        JsonType::Array => "An array",
        JsonType::Object => "An object",
    }
}
