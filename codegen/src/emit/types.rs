//! How a place's type is written and read in Rust.

use super::names::ident;
use super::plan::{Kind, Limits, Plan, Type};
use crate::json::Literal;
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;

/// The Rust type.
pub(super) fn rust(plan: &Plan, ty: &Type) -> TokenStream {
    let pick = |owned: TokenStream, borrowed: TokenStream| match plan.borrows() {
        true => borrowed,
        false => owned,
    };
    match ty {
        Type::Json => pick(quote!(rt::Json), quote!(rt::RawJson<'de>)),
        Type::JsonObject => pick(quote!(rt::JsonObject), quote!(rt::RawObject<'de>)),
        Type::Never => quote!(rt::Never),
        Type::Null => quote!(rt::Null),
        Type::Bool => quote!(bool),
        Type::String => pick(quote!(String), quote!(::std::borrow::Cow<'de, str>)),
        Type::Integer(name, _) => {
            let name = ident(name);
            quote!(#name)
        }
        Type::Number(..) => pick(quote!(rt::Number), quote!(rt::RawNumber<'de>)),
        Type::OneOf(_, inner) => rust(plan, inner),
        Type::Named(id) => match plan.items.get(id.0) {
            Some(item) => {
                let (name, lifetime) = (ident(&item.name), plan.lifetime(item));
                quote!(#name #lifetime)
            }
            None => pick(quote!(rt::Json), quote!(rt::RawJson<'de>)),
        },
        Type::List(inner, ..) => {
            let inner = rust(plan, inner);
            quote!(Vec<#inner>)
        }
        Type::Tuple(places) => {
            let places = places.iter().map(|place| rust(plan, place));
            quote!((#(#places,)*))
        }
        Type::Map(inner) => {
            let inner = rust(plan, inner);
            pick(quote!(rt::Map<#inner>), quote!(rt::RawMap<'de, #inner>))
        }
        Type::Nullable(inner) => {
            let inner = rust(plan, inner);
            quote!(rt::Nullable<#inner>)
        }
        Type::Boxed(inner) => {
            let inner = rust(plan, inner);
            quote!(Box<#inner>)
        }
    }
}

/// An expression that can be called with a reader and gives a value of the type.
///
/// Types whose own decoder checks everything read themselves; the rest, which carry bounds that
/// their Rust type does not have, are read by closures around the reader's methods.
pub(super) fn read(ty: &Type) -> TokenStream {
    if reads_itself(ty) {
        return quote!(rt::Decode::decode);
    }
    match ty {
        Type::Integer(_, limits) => match range(limits) {
            Some((min, max)) => quote!(|reader| reader.integer_within(#min, #max)),
            None => {
                let limits = limits_tokens(limits);
                quote!(|reader| reader.integer_limited(&#limits))
            }
        },
        Type::Number(integer, limits) => {
            let limits = limits_tokens(limits);
            quote!(|reader| reader.number_limited(#integer, &#limits))
        }
        Type::OneOf(values, inner) => {
            let values = values.iter().map(Literal::text);
            let inner = read(inner);
            quote!(|reader| reader.one_of(&[#(#values),*], #inner))
        }
        Type::List(inner, min, max) => {
            let inner = read(inner);
            if (*min, *max) == (0, None) {
                return quote!(|reader| reader.list(#inner));
            }
            let min = Token::usize_unsuffixed(usize::try_from(*min).unwrap_or(usize::MAX));
            let max = match max.and_then(|max| usize::try_from(max).ok()) {
                Some(max) => {
                    let max = Token::usize_unsuffixed(max);
                    quote!(Some(#max))
                }
                None => quote!(None),
            };
            quote!(|reader| reader.list_within(#min, #max, #inner))
        }
        Type::Tuple(places) => {
            let count = Token::usize_unsuffixed(places.len());
            let reads = places.iter().enumerate().map(|(index, place)| {
                let index = Token::usize_unsuffixed(index);
                let read = read(place);
                quote!(reader.place(#index, #read)?)
            });
            quote!(|reader| {
                reader.begin_array()?;
                let places = (#(#reads,)*);
                reader.end_tuple(#count)?;
                Ok(places)
            })
        }
        Type::Map(inner) => {
            let inner = read(inner);
            quote!(|reader| reader.map(#inner))
        }
        Type::Nullable(inner) => {
            let inner = read(inner);
            quote!(|reader| reader.nullable(#inner))
        }
        Type::Boxed(inner) => {
            let inner = read(inner);
            quote!(|reader| reader.boxed(#inner))
        }
        Type::Json
        | Type::JsonObject
        | Type::Never
        | Type::Null
        | Type::Bool
        | Type::String
        | Type::Named(_) => quote!(rt::Decode::decode),
    }
}

/// Whether the decoder of the Rust type checks all that the place asks.
pub(super) fn reads_itself(ty: &Type) -> bool {
    match ty {
        Type::Json
        | Type::JsonObject
        | Type::Never
        | Type::Null
        | Type::Bool
        | Type::String
        | Type::Named(_) => true,
        Type::Integer(_, limits) => *limits == Limits::default(),
        Type::Number(integer, limits) => !integer && *limits == Limits::default(),
        Type::OneOf(..) | Type::Tuple(_) => false,
        Type::List(inner, min, max) => (*min, *max) == (0, None) && reads_itself(inner),
        Type::Map(inner) | Type::Nullable(inner) | Type::Boxed(inner) => reads_itself(inner),
    }
}

/// The bounds as a plain range of integers, where they are one.
fn range(limits: &Limits) -> Option<(Token, Token)> {
    let end = |bound: &Option<(String, bool)>, open: i128, step: i128| match bound {
        None => Some(open),
        Some((text, exclusive)) => text
            .parse::<i128>()
            .ok()
            .map(|value| if *exclusive { value + step } else { value }),
    };
    if !limits.multiple_of.is_empty() {
        return None;
    }
    let min = end(&limits.min, i128::from(i64::MIN), 1)?;
    let max = end(&limits.max, i128::from(u64::MAX), -1)?;
    Some((Token::i128_unsuffixed(min), Token::i128_unsuffixed(max)))
}

fn limits_tokens(limits: &Limits) -> TokenStream {
    let bound = |bound: &Option<(String, bool)>| match bound {
        Some((text, exclusive)) => quote!(Some((#text, #exclusive))),
        None => quote!(None),
    };
    let (min, max) = (bound(&limits.min), bound(&limits.max));
    let multiples = &limits.multiple_of;
    quote!(rt::Limits { min: #min, max: #max, multiple_of: &[#(#multiples),*] })
}

/// Whether the type is a constrained string, which lends itself as `&str`.
pub(super) fn is_text(plan: &Plan, ty: &Type) -> bool {
    match ty {
        Type::String => true,
        Type::Named(id) => matches!(
            plan.items.get(id.0).map(|item| &item.kind),
            Some(Kind::Text(_))
        ),
        _ => false,
    }
}
