//! Accessors of a union for the members that all its variants share.

use super::docs;
use super::names::ident;
use super::plan::{Field, Item, Plan, Type, Union};
use super::{structs, types, unions};
use proc_macro2::TokenStream;
use quote::quote;

/// A method for each member that every variant has, with the same type.
pub(super) fn write(plan: &Plan, item: &Item, union: &Union) -> TokenStream {
    let arms = unions::distinct(union);
    let methods: Vec<TokenStream> = shared(plan, union)
        .into_iter()
        .map(|field| method(plan, field, &arms))
        .collect();
    if methods.is_empty() {
        return quote!();
    }
    let (name, lifetime) = (ident(&item.name), plan.lifetime(item));
    quote!(impl #lifetime #name #lifetime { #(#methods)* })
}

/// The members that every variant has, with the same name and type.
pub(super) fn shared<'p>(plan: &'p Plan, union: &Union) -> Vec<&'p Field> {
    let arms = unions::distinct(union);
    let shapes: Option<Vec<_>> = arms.iter().map(|arm| structs::of(plan, &arm.ty)).collect();
    let Some([first, others @ ..]) = shapes.as_deref() else {
        return Vec::new();
    };
    if others.is_empty() {
        return Vec::new();
    }
    let shared = first
        .fields
        .iter()
        .skip(first.unknown_tags)
        .filter(|field| {
            let same = |other: &&Field| {
                (&other.wire, &other.rust, &other.ty, other.required)
                    == (&field.wire, &field.rust, &field.ty, field.required)
                    && other.constant.is_none()
            };
            let tags = |shape: &super::plan::Struct, field: &Field| {
                shape
                    .fields
                    .iter()
                    .take(shape.unknown_tags)
                    .any(|tag| tag.wire == field.wire)
            };
            field.constant.is_none()
                && others.iter().all(|shape| {
                    shape
                        .fields
                        .iter()
                        .any(|other| same(&other) && !tags(shape, other))
                })
        });
    shared.collect()
}

fn method(plan: &Plan, field: &Field, arms: &[&super::plan::Arm]) -> TokenStream {
    let name = ident(&field.rust);
    let docs = docs::attributes(&field.docs.0, &format!("`{}`", field.wire));
    let (result, value) = result(plan, field);
    let variants = arms.iter().map(|arm| {
        let variant = ident(&arm.name);
        quote!(Self::#variant(value) => #value,)
    });
    // A member may be called like a method of a trait or like a constructor; what it is called is the
    // contract's to say, and generated code calls those of traits by their full path.
    let lints = match field.rust.as_str() {
        "as_ref" | "borrow" | "clone" | "deref" => vec![quote!(clippy::should_implement_trait)],
        "new" => vec![quote!(clippy::new_ret_no_self)],
        _ => Vec::new(),
    };
    let allowed = structs::allow(&lints);
    quote! {
        #docs
        #allowed
        #[must_use]
        pub fn #name(&self) -> #result { match self { #(#variants)* } }
    }
}

/// What the method of a shared member gives, and the expression that gives it of a variant's `value`.
pub(super) fn result(plan: &Plan, field: &Field) -> (TokenStream, TokenStream) {
    let (name, ty) = (ident(&field.rust), types::rust(plan, &field.ty));
    let copy = matches!(field.ty, Type::Bool | Type::Integer(..));
    match (field.required, copy) {
        (true, true) => (quote!(#ty), quote!(value.#name)),
        (true, false) if field.ty == Type::String => (quote!(&str), quote!(&value.#name)),
        (true, false) => (quote!(&#ty), quote!(&value.#name)),
        (false, true) => (quote!(Option<#ty>), quote!(value.#name)),
        (false, false) if field.ty == Type::String => {
            (quote!(Option<&str>), quote!(value.#name.as_deref()))
        }
        (false, false) => (quote!(Option<&#ty>), quote!(value.#name.as_ref())),
    }
}
