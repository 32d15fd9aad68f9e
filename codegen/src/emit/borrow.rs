//! The types again as they borrow the text they are read from: a module beside the owned ones, of the
//! same names, written by the same code. What holds no text is shared by both.

use super::names::ident;
use super::plan::{Item, Kind, Plan, Rest, Struct, Type, Union};
use super::{peek, structs, unions};
use crate::schema::Contract;
use proc_macro2::TokenStream;
use quote::quote;

impl Plan {
    /// The same plan with texts borrowed, and the items that are not written again.
    fn borrowed(&self) -> (Self, Vec<&Item>) {
        let mut lends: Vec<bool> = self
            .items
            .iter()
            .map(|item| lends_itself(&item.kind))
            .collect();
        // What holds something that borrows does so itself, however deep.
        loop {
            let holds = |kind: &Kind| {
                let mut held = kind.references().into_iter();
                held.any(|(id, _)| lends.get(id.0).copied().unwrap_or_default())
            };
            let next: Vec<bool> = self
                .items
                .iter()
                .zip(&lends)
                .map(|(item, known)| *known || holds(&item.kind))
                .collect();
            if next == lends {
                break;
            }
            lends = next;
        }
        let shared = self.items.iter().zip(&lends);
        let shared = shared.filter(|(_, lends)| !**lends).map(|(item, _)| item);
        let shared = shared.collect();
        let mut plan = self.clone();
        plan.lends = lends;
        (plan, shared)
    }

    /// Whether texts are borrowed.
    pub(super) fn borrows(&self) -> bool {
        !self.lends.is_empty()
    }

    /// Whether a type of this plan has a lifetime.
    pub(super) fn lends(&self, ty: &Type) -> bool {
        match ty {
            _ if !self.borrows() => false,
            Type::Json | Type::JsonObject | Type::String | Type::Number(..) | Type::Map(_) => true,
            Type::Never | Type::Null | Type::Bool | Type::Integer(..) => false,
            Type::Named(id) => self.lends.get(id.0).copied().unwrap_or_default(),
            Type::Tuple(places) => places.iter().any(|place| self.lends(place)),
            Type::OneOf(_, inner)
            | Type::List(inner, ..)
            | Type::Nullable(inner)
            | Type::Boxed(inner) => self.lends(inner),
        }
    }

    /// `<'de>` for an item that has a lifetime, else nothing.
    pub(super) fn lifetime(&self, item: &Item) -> TokenStream {
        let at = self.items.iter().position(|other| other.name == item.name);
        match at.and_then(|at| self.lends.get(at)) {
            Some(true) => quote!(<'de>),
            _ => quote!(),
        }
    }

    /// The lifetime of what an item is read from, as its own code names it.
    pub(super) fn source(&self, item: &Item) -> TokenStream {
        match self.lifetime(item).is_empty() {
            true => quote!('_),
            false => quote!('de),
        }
    }
}

/// Whether an item holds text by itself.
fn lends_itself(kind: &Kind) -> bool {
    match kind {
        Kind::OpenEnum(_) | Kind::Text(_) => true,
        Kind::ClosedEnum(_) => false,
        // The one value of a constant is in no field.
        Kind::Struct(shape) => {
            let mut fields = shape.fields.iter().filter(|field| field.constant.is_none());
            matches!(shape.rest, Rest::Kept(_)) || fields.any(|field| plain_text(&field.ty))
        }
        Kind::Union(union) => union.arms.iter().any(|arm| plain_text(&arm.ty)),
        Kind::Mixed(arms) => arms.iter().any(|arm| plain_text(&arm.ty)),
    }
}

/// Whether a type holds text, apart from what the items that it names hold.
fn plain_text(ty: &Type) -> bool {
    match ty {
        Type::Json | Type::JsonObject | Type::String | Type::Number(..) | Type::Map(_) => true,
        Type::OneOf(_, inner)
        | Type::List(inner, ..)
        | Type::Nullable(inner)
        | Type::Boxed(inner) => plain_text(inner),
        Type::Tuple(places) => places.iter().any(plain_text),
        _ => false,
    }
}

/// The module of the borrowed types, and what the owned ones need for it.
pub(super) fn write(plan: &Plan, contract: Option<&Contract>) -> TokenStream {
    let (borrowed, shared) = plan.borrowed();
    let shared_names: Vec<_> = shared.iter().map(|item| ident(&item.name)).collect();
    let uses = match shared_names.is_empty() {
        true => quote!(),
        false => quote!(pub use super::{#(#shared_names),*};),
    };
    let already = match shared_names.is_empty() {
        true => quote!(),
        false => quote!(rt::owned_already!(#(#shared_names),*);),
    };
    let mut body = super::aliases(&borrowed);
    let mut serialized = Vec::new();
    for item in &borrowed.items {
        if borrowed.lifetime(item).is_empty() {
            continue;
        }
        body.extend(super::item_tokens(&borrowed, item));
        body.extend(into_owned(&borrowed, item));
        let name = ident(&item.name);
        serialized.push(quote!(#name<'_>));
    }
    body.extend(peek::write(&borrowed, contract));
    quote! {
        #already
        /// The same types as they borrow the text they are read from: names are the same, texts
        /// without escapes and free-form values are slices of the line, and `into_owned` gives the
        /// type that holds its own.
        pub mod borrowed {
            use ::wirelock_runtime as rt;
            #uses
            #body
            rt::impl_serialize!(#(#serialized),*);
        }
    }
}

/// The way from a borrowed item to the owned one.
fn into_owned(plan: &Plan, item: &Item) -> TokenStream {
    let name = ident(&item.name);
    let body = match &item.kind {
        Kind::Struct(shape) => of_struct(shape, &name),
        Kind::Union(union) => of_union(union, &name),
        Kind::Mixed(arms) => {
            let arms = arms.iter().map(|arm| ident(&arm.name));
            variants(arms.collect(), &name)
        }
        Kind::OpenEnum(values) => {
            let values = values.iter().map(|value| ident(&value.rust));
            let known = values.map(|value| quote!(Self::#value => super::#name::#value,));
            quote! {
                match self {
                    #(#known)*
                    Self::Unknown(value) => super::#name::Unknown(rt::IntoOwned::into_owned(value)),
                }
            }
        }
        Kind::Text(_) => quote!(super::#name(rt::IntoOwned::into_owned(self.0))),
        Kind::ClosedEnum(_) => quote!(self),
    };
    let lifetime = structs::any_lifetime(plan, item);
    quote! {
        impl rt::IntoOwned for #name #lifetime {
            type Owned = super::#name;
            fn into_owned(self) -> super::#name { #body }
        }
        impl #name #lifetime {
            /// The same value with texts of its own.
            #[must_use]
            pub fn into_owned(self) -> super::#name { rt::IntoOwned::into_owned(self) }
        }
    }
}

fn of_struct(shape: &Struct, name: &proc_macro2::Ident) -> TokenStream {
    let fields = shape.fields.iter().filter(|field| field.constant.is_none());
    let fields = fields.map(|field| {
        let rust = ident(&field.rust);
        quote!(#rust: rt::IntoOwned::into_owned(self.#rust),)
    });
    let extra = match &shape.rest {
        Rest::Kept(_) => quote!(extra: rt::IntoOwned::into_owned(self.extra),),
        Rest::Refused => quote!(),
    };
    quote!(super::#name { #(#fields)* #extra })
}

fn of_union(union: &Union, name: &proc_macro2::Ident) -> TokenStream {
    let arms = unions::distinct(union);
    variants(arms.iter().map(|arm| ident(&arm.name)).collect(), name)
}

fn variants(arms: Vec<proc_macro2::Ident>, name: &proc_macro2::Ident) -> TokenStream {
    let arms = arms.iter().map(
        |arm| quote!(Self::#arm(value) => super::#name::#arm(rt::IntoOwned::into_owned(value)),),
    );
    quote!(match self { #(#arms)* })
}
