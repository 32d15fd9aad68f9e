//! Writes constrained strings: `typify`'s newtype and its checks, owned or borrowed.

use super::enums::attributes;
use super::names::ident;
use super::plan::{Item, Plan};
use super::{docs, leaf};
use crate::wire::StringFacts;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

/// A string with constraints. What checks them stands at the owned type, for both.
pub(super) fn write(plan: &Plan, item: &Item, facts: &StringFacts) -> TokenStream {
    let name = ident(&item.name);
    let mut lifted = leaf::text(&item.name, facts);
    let is_checked = lifted.as_ref().is_some_and(|(_, checked)| *checked);
    let docs = docs(item, facts, is_checked);
    let derives = quote!(#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]);
    if plan.borrows() {
        return borrowed(&name, &quote!(#docs #derives));
    }
    let checks = lifted
        .as_mut()
        .map(|(leaf, _)| take_checks(leaf))
        .unwrap_or_default();
    let argument = match checks.is_empty() {
        true => quote!(_),
        false => quote!(value),
    };
    let body = match lifted {
        Some((mut leaf, _)) => {
            if let Some(syn::Item::Struct(first)) = leaf.items.first_mut() {
                first.attrs = attributes(quote!(#docs #derives));
            }
            leaf::tokens(&leaf.items)
        }
        None => quote! {
            #docs
            #derives
            pub struct #name(String);
            impl std::ops::Deref for #name {
                type Target = String;
                fn deref(&self) -> &String { &self.0 }
            }
        },
    };
    quote! {
        #body
        impl #name {
            fn check(#argument: &str) -> ::std::result::Result<(), rt::ConversionError> { #checks Ok(()) }
        }
        impl std::str::FromStr for #name {
            type Err = rt::ConversionError;
            fn from_str(value: &str) -> ::std::result::Result<Self, rt::ConversionError> {
                Self::check(value)?;
                Ok(Self(value.to_owned()))
            }
        }
        impl std::fmt::Display for #name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(&self.0) }
        }
        impl<'de> rt::Decode<'de> for #name {
            fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> {
                Ok(Self(reader.checked(Self::check)?.into_owned()))
            }
        }
        impl rt::Encode for #name {
            fn encode(&self, out: &mut String) { rt::write_string(&self.0, out); }
        }
    }
}

fn docs(item: &Item, facts: &StringFacts, is_checked: bool) -> TokenStream {
    let said = item.docs.description.as_deref();
    let mut lines = match said.or(item.docs.title.as_deref()) {
        Some(text) => docs::lines(text),
        None => vec![format!("`{}`", item.name)],
    };
    if !is_checked {
        let patterns = facts
            .patterns
            .iter()
            .flat_map(|pattern| docs::lines(pattern));
        lines.push(String::new());
        lines.push(format!(
            "Not checked: {}",
            patterns.collect::<Vec<_>>().join(" and ")
        ));
    }
    docs::from_lines(&lines)
}

fn borrowed(name: &proc_macro2::Ident, attributes: &TokenStream) -> TokenStream {
    quote! {
        #attributes
        pub struct #name<'de>(::std::borrow::Cow<'de, str>);
        impl std::ops::Deref for #name<'_> {
            type Target = str;
            fn deref(&self) -> &str { &self.0 }
        }
        impl #name<'_> {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str { &self.0 }
        }
        impl<'de> TryFrom<&'de str> for #name<'de> {
            type Error = rt::ConversionError;
            fn try_from(value: &'de str) -> ::std::result::Result<Self, rt::ConversionError> {
                super::#name::check(value)?;
                Ok(Self(value.into()))
            }
        }
        impl std::fmt::Display for #name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(&self.0) }
        }
        impl<'de> rt::Decode<'de> for #name<'de> {
            fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> {
                reader.checked(super::#name::check).map(Self)
            }
        }
        impl rt::Encode for #name<'_> {
            fn encode(&self, out: &mut String) { rt::write_string(&self.0, out); }
        }
    }
}

/// Takes what `typify`'s `FromStr` checks before it makes a value, and the `FromStr` with it.
fn take_checks(leaf: &mut leaf::Leaf) -> TokenStream {
    let from_str = leaf.items.iter().position(|item| match item {
        syn::Item::Impl(block) => block.trait_.iter().any(|(path, _)| {
            path.segments
                .last()
                .is_some_and(|segment| segment.ident == "FromStr")
        }),
        _ => false,
    });
    let Some(syn::Item::Impl(block)) = from_str.map(|at| leaf.items.remove(at)) else {
        return quote!();
    };
    let mut checks = TokenStream::new();
    for item in block.items {
        if let syn::ImplItem::Fn(function) = item {
            // The last statement makes the value.
            let statements = function.block.stmts;
            let before = statements.len().saturating_sub(1);
            let lifted = statements.iter().take(before);
            checks.extend(lifted.map(|statement| leaf::redirect(statement.to_token_stream())));
        }
    }
    checks
}
