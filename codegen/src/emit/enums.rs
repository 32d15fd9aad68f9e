//! Writes sets of strings: closed and open enums.

use super::docs;
use super::leaf;
use super::names::ident;
use super::plan::{EnumValue, Item, Plan};
use super::structs;
use proc_macro2::TokenStream;
use quote::quote;

/// Known values and nothing else: `typify`'s enum, or the same by hand where it makes none.
pub(super) fn write_closed(item: &Item, values: &[EnumValue]) -> TokenStream {
    let name = ident(&item.name);
    let lifted = leaf::closed_enum(&item.name, values);
    let names: Vec<proc_macro2::Ident> = match &lifted {
        Some(leaf) => leaf.variants.iter().map(|name| ident(name)).collect(),
        None => values.iter().map(|value| ident(&value.rust)).collect(),
    };
    let texts: Vec<&str> = values.iter().map(|value| value.wire.as_str()).collect();
    let expected = format!(
        "one of {}",
        texts
            .iter()
            .map(|text| format!("`{text}`"))
            .collect::<Vec<_>>()
            .join(", ")
    );
    let body = match lifted {
        Some(leaf) => documented(leaf, item, values),
        None => closed_by_hand(item, values, &names, &texts),
    };
    quote! {
        #body
        impl #name {
            /// The value as it stands on the wire.
            #[must_use]
            pub const fn as_str(&self) -> &'static str {
                match self { #(Self::#names => #texts,)* }
            }
        }
        impl<'de> rt::Decode<'de> for #name {
            fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> {
                let start = reader.clone();
                match &*reader.str()? {
                    #(#texts => Ok(Self::#names),)*
                    _ => Err(start.unexpected(#expected)),
                }
            }
        }
        impl rt::Encode for #name {
            fn encode(&self, out: &mut String) { rt::write_string(self.as_str(), out); }
        }
    }
}

/// The Rust names of the values of a closed enum, as [`write_closed`] gives them.
pub(super) fn closed_names(item: &Item, values: &[EnumValue]) -> Vec<String> {
    match leaf::closed_enum(&item.name, values) {
        Some(leaf) => leaf.variants,
        None => values.iter().map(|value| value.rust.clone()).collect(),
    }
}

fn documented(mut leaf: leaf::Leaf, item: &Item, values: &[EnumValue]) -> TokenStream {
    let docs = docs::attributes(&item.docs, &format!("`{}`", item.name));
    let Some(syn::Item::Enum(first)) = leaf.items.first_mut() else {
        return leaf::tokens(&leaf.items);
    };
    for (variant, value) in first.variants.iter_mut().zip(values) {
        let docs = docs::attributes(&value.docs.0, &format!("`{}`", value.wire));
        variant.attrs = attributes(docs);
    }
    first.attrs = attributes(
        quote!(#docs #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]),
    );
    leaf::tokens(&leaf.items)
}

/// Tokens of outer attributes as attributes.
pub(super) fn attributes(tokens: TokenStream) -> Vec<syn::Attribute> {
    use syn::parse::Parser as _;
    syn::Attribute::parse_outer
        .parse2(tokens)
        .unwrap_or_default()
}

fn closed_by_hand(
    item: &Item,
    values: &[EnumValue],
    names: &[proc_macro2::Ident],
    texts: &[&str],
) -> TokenStream {
    let name = ident(&item.name);
    let docs = docs::attributes(&item.docs, &format!("`{}`", item.name));
    let variants = values.iter().zip(names).map(|(value, name)| {
        let docs = docs::attributes(&value.docs.0, &format!("`{}`", value.wire));
        quote!(#docs #name)
    });
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #name { #(#variants,)* }
        impl std::fmt::Display for #name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.as_str()) }
        }
        impl std::str::FromStr for #name {
            type Err = rt::ConversionError;
            fn from_str(value: &str) -> Result<Self, rt::ConversionError> {
                match value { #(#texts => Ok(Self::#names),)* _ => Err("invalid value".into()) }
            }
        }
    }
}

/// Known values, and a holder for all others that cannot be made or matched by its text.
pub(super) fn write_open(plan: &Plan, item: &Item, values: &[EnumValue]) -> TokenStream {
    let (name, lifetime) = (ident(&item.name), plan.lifetime(item));
    let any = structs::any_lifetime(plan, item);
    let (text, unknown) = match plan.borrows() {
        true => (
            quote!(&'de str),
            quote!(rt::UnknownValue<::std::borrow::Cow<'de, str>>),
        ),
        false => (quote!(&str), quote!(rt::UnknownValue)),
    };
    let docs = docs::attributes(&item.docs, &format!("`{}`", item.name));
    let names: Vec<proc_macro2::Ident> = values.iter().map(|value| ident(&value.rust)).collect();
    let texts: Vec<&str> = values.iter().map(|value| value.wire.as_str()).collect();
    let variants = values.iter().zip(&names).map(|(value, name)| {
        let docs = docs::attributes(&value.docs.0, &format!("`{}`", value.wire));
        quote!(#docs #name)
    });
    quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name #lifetime {
            #(#variants,)*
            /// A value that these types do not name.
            Unknown(#unknown),
        }
        impl #name #any {
            /// The value as it stands on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self { #(Self::#names => #texts,)* Self::Unknown(value) => value.as_str() }
            }
        }
        impl #lifetime From<#text> for #name #lifetime {
            fn from(value: #text) -> Self {
                match value { #(#texts => Self::#names,)* other => Self::Unknown(rt::UnknownValue::__new(other)) }
            }
        }
        impl std::fmt::Display for #name #any {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.as_str()) }
        }
        impl<'de> rt::Decode<'de> for #name #lifetime {
            fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> {
                let text = reader.str()?;
                Ok(match &*text { #(#texts => Self::#names,)* _ => Self::Unknown(rt::UnknownValue::__new(text)) })
            }
        }
        impl rt::Encode for #name #any {
            fn encode(&self, out: &mut String) { rt::write_string(self.as_str(), out); }
        }
    }
}
