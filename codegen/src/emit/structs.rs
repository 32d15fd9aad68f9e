//! Writes structs: fields, constructor, decoder and encoder.

use super::docs;
use super::names::{self, ident};
use super::plan::{Field, Item, Kind, Plan, Rest, Struct, Type};
use super::types;
use crate::json::{Literal, write_string};
use proc_macro2::{Literal as Token, TokenStream};
use quote::{format_ident, quote};

/// One struct with everything that belongs to it.
pub(super) fn write(plan: &Plan, item: &Item, shape: &Struct) -> TokenStream {
    let (name, lifetime) = (ident(&item.name), plan.lifetime(item));
    let docs = docs::attributes(&item.docs, &format!("`{}`", item.name));
    let fields = fields(plan, shape).map(|(field, ty)| {
        let (docs, rust) = (
            docs::attributes(&field.docs.0, &format!("`{}`", field.wire)),
            ident(&field.rust),
        );
        // The tags of an unknown variant cannot be set to a known one behind the decoder's back.
        let visibility = if is_tag(shape, field) {
            quote!()
        } else {
            quote!(pub)
        };
        let ty = if field.required {
            ty
        } else {
            quote!(Option<#ty>)
        };
        quote!(#docs #visibility #rust: #ty)
    });
    let extra = match &shape.rest {
        Rest::Kept(ty) => {
            let ty = extra_type(plan, ty);
            quote!(/** Members that the type does not declare, in the order they stood. */ pub extra: #ty,)
        }
        Rest::Refused => quote!(),
    };
    let constants = constants(shape).into_iter().map(constant_item);
    let has_required = shape
        .fields
        .iter()
        .any(|field| field.required && field.constant.is_none());
    let derives = if has_required {
        quote!(Debug, Clone, PartialEq, Eq)
    } else {
        quote!(Debug, Clone, PartialEq, Eq, Default)
    };
    let accessors = accessors(shape);
    let constructor = if shape.unknown_tags > 0 {
        quote!()
    } else {
        constructor(plan, shape, has_required)
    };
    let inherent = quote!(#(#constants)* #constructor #accessors);
    let inherent = if inherent.is_empty() {
        inherent
    } else {
        quote!(impl #lifetime #name #lifetime { #inherent })
    };
    let decode = decode(plan, item, shape);
    let encode = encode(plan, item, shape);
    quote! {
        #docs
        #[derive(#derives)]
        #[non_exhaustive]
        pub struct #name #lifetime { #(#fields,)* #extra }
        #inherent
        #decode
        #encode
    }
}

/// The fields that a struct has, with their types: constants need none.
pub(super) fn fields<'a>(
    plan: &'a Plan,
    shape: &'a Struct,
) -> impl Iterator<Item = (&'a Field, TokenStream)> {
    shape
        .fields
        .iter()
        .filter(|field| field.constant.is_none())
        .map(move |field| (field, types::rust(plan, &field.ty)))
}

pub(super) fn is_tag(shape: &Struct, field: &Field) -> bool {
    shape
        .fields
        .iter()
        .take(shape.unknown_tags)
        .any(|tag| tag.wire == field.wire)
}

pub(super) fn extra_type(plan: &Plan, ty: &Type) -> TokenStream {
    match (ty, plan.borrows()) {
        (Type::Json, false) => quote!(rt::Extra),
        (Type::Json, true) => quote!(rt::RawExtra<'de>),
        _ => types::rust(plan, &Type::Map(Box::new(ty.clone()))),
    }
}

/// The members whose one value is a string, each with the name of the constant that holds it.
pub(super) fn constants(shape: &Struct) -> Vec<(&Field, String)> {
    let mut scope = names::Scope::default();
    let constant = |field: &'_ Field| {
        field
            .constant
            .as_ref()
            .and_then(Literal::as_string)
            .is_some()
    };
    let fields = shape.fields.iter().filter(|field| constant(field));
    fields
        .map(|field| (field, scope.take(&names::constant(&field.wire))))
        .collect()
}

fn constant_item((field, name): (&Field, String)) -> TokenStream {
    let text = field.constant.as_ref().and_then(Literal::as_string);
    let name = ident(&name);
    let docs = docs::attributes(&field.docs.0, &format!("`{}`", field.wire));
    quote!(#docs pub const #name: &'static str = #text;)
}

/// The members that the constructor takes, in its order; a holder of the unknown has none.
pub(super) fn parameters(shape: &Struct) -> Vec<&Field> {
    let fields = shape
        .fields
        .iter()
        .filter(|field| field.required && field.constant.is_none());
    match shape.unknown_tags {
        0 => fields.collect(),
        _ => Vec::new(),
    }
}

fn accessors(shape: &Struct) -> TokenStream {
    let tags = shape.fields.iter().take(shape.unknown_tags).map(|field| {
        let (name, docs) = (ident(&field.rust), docs::attributes(&field.docs.0, &format!("`{}`", field.wire)));
        match field.required {
            true => quote!(#docs #[must_use] pub fn #name(&self) -> &str { &self.#name }),
            false => quote!(#docs #[must_use] pub fn #name(&self) -> Option<&str> { self.#name.as_deref() }),
        }
    });
    quote!(#(#tags)*)
}

fn constructor(plan: &Plan, shape: &Struct, has_required: bool) -> TokenStream {
    if !has_required {
        return quote! {
            /// A value without any of its members.
            #[must_use]
            pub fn new() -> Self { Self::default() }
        };
    }
    let required = parameters(shape);
    let arguments = required.iter().map(|field| {
        let (name, ty) = (ident(&field.rust), types::rust(plan, &field.ty));
        if field.ty == Type::String {
            quote!(#name: impl Into<#ty>)
        } else {
            quote!(#name: #ty)
        }
    });
    let values = fields(plan, shape).map(|(field, _)| {
        let name = ident(&field.rust);
        match (field.required, &field.ty) {
            (true, Type::String) => quote!(#name: #name.into()),
            (true, _) => quote!(#name),
            (false, _) => quote!(#name: None),
        }
    });
    let extra = match &shape.rest {
        Rest::Kept(_) => quote!(extra: Default::default(),),
        Rest::Refused => quote!(),
    };
    let mut lints = Vec::new();
    if required.len() > 7 {
        lints.push(quote!(clippy::too_many_arguments));
    }
    // An argument is called like its member, whatever a schema calls that.
    if required.iter().any(|field| is_placeholder(&field.rust)) {
        lints.push(quote!(clippy::disallowed_names));
    }
    let allowed = allow(&lints);
    quote! {
        /// A value with its required members and no others.
        #allowed
        #[must_use]
        pub fn new(#(#arguments),*) -> Self { Self { #(#values,)* #extra } }
    }
}

/// Whether clippy takes a name for one that was not thought about.
fn is_placeholder(name: &str) -> bool {
    matches!(name, "foo" | "baz" | "quux")
}

/// An attribute that allows some lints at one item.
pub(super) fn allow(lints: &[TokenStream]) -> TokenStream {
    if lints.is_empty() {
        return quote!();
    }
    quote!(#[allow(#(#lints),*)])
}

fn decode(plan: &Plan, item: &Item, shape: &Struct) -> TokenStream {
    let (name, lifetime) = (ident(&item.name), plan.lifetime(item));
    let slot = |field: &Field| format_ident!("slot_{}", field.rust);
    let slots = shape.fields.iter().map(|field| {
        let slot = slot(field);
        quote!(let mut #slot = None;)
    });
    let arms = shape.fields.iter().enumerate().map(|(index, field)| {
        let (wire, slot) = (&field.wire, slot(field));
        let read = match &field.constant {
            Some(value) => constant_read(value),
            None => types::read(&field.ty),
        };
        // An optional tag of an unknown variant is one only where the tags before it are known.
        let guard = if index >= shape.required_tags && index < shape.unknown_tags {
            let depth = Token::usize_unsuffixed(index);
            quote!(if tags > #depth)
        } else {
            quote!()
        };
        let index = Token::usize_unsuffixed(index);
        match field.constant.is_none() && types::reads_itself(&field.ty) {
            true => quote!(#index #guard => reader.member_of(&mut #slot, #wire)?,),
            false => quote!(#index #guard => reader.member(&mut #slot, #wire, #read)?,),
        }
    });
    let keys = shape.fields.iter().map(|field| key(&field.wire));
    let count = Token::usize_unsuffixed(shape.fields.len());
    let (collector, other, extra) = match &shape.rest {
        Rest::Kept(ty) => {
            let read = types::read(ty);
            (
                quote!(let mut extra = rt::Collector::default();),
                quote!(at => extra.read(reader, members.name(&KEYS, at), #read)?,),
                quote!(extra: extra.finish(),),
            )
        }
        Rest::Refused => (
            quote!(),
            quote!(at => return Err(reader.undeclared(&members.name(&KEYS, at))),),
            quote!(),
        ),
    };
    let next = quote!(reader.next_member(&mut members, &KEYS)?);
    let members = match (&shape.rest, shape.fields.is_empty()) {
        // The first member ends it, which a loop would hide.
        (Rest::Refused, true) => quote! {
            match #next { rt::Member::END => {} #other }
        },
        _ => quote! {
            loop { match #next { #(#arms)* rt::Member::END => break, #other } }
        },
    };
    let undeclared = shape
        .undeclared
        .iter()
        .filter(|_| matches!(shape.rest, Rest::Kept(_)));
    let undeclared = undeclared.map(|wire| quote!(reader.required(extra.get(#wire), #wire)?;));
    let checks = shape
        .fields
        .iter()
        .filter(|field| field.constant.is_some())
        .map(|field| {
            let (wire, slot) = (&field.wire, slot(field));
            quote!(let () = reader.required(#slot, #wire)?;)
        });
    let open_tags = shape
        .fields
        .iter()
        .enumerate()
        .take(shape.unknown_tags)
        .skip(shape.required_tags)
        .map(|(index, field)| {
            let (wire, slot, depth) = (&field.wire, slot(field), Token::usize_unsuffixed(index));
            quote!(if tags > #depth { reader.required(#slot.as_ref(), #wire)?; })
        });
    let values = fields(plan, shape).map(|(field, _)| {
        let (rust, wire, slot) = (ident(&field.rust), &field.wire, slot(field));
        if field.required {
            quote!(#rust: reader.required(#slot, #wire)?,)
        } else {
            quote!(#rust: #slot,)
        }
    });
    let body = quote! {
        static KEYS: [rt::Key; #count] = [#(#keys),*];
        #(#slots)*
        #collector
        reader.begin_object()?;
        let mut members = rt::Members::default();
        #members
        #(#checks)*
        #(#undeclared)*
        #(#open_tags)*
    };
    let value = quote!(Self { #(#values)* #extra });
    if shape.unknown_tags > 0 {
        let all = Token::usize_unsuffixed(shape.required_tags);
        let unused = if shape.required_tags == shape.unknown_tags {
            quote!(let _ = tags;)
        } else {
            quote!()
        };
        let source = plan.source(item);
        return quote! {
            impl #lifetime #name #lifetime {
                /// Reads a variant that so many leading tags tell apart.
                fn decode_unknown(reader: &mut rt::Reader<#source>, tags: usize) -> rt::Result<Self> { #unused #body Ok(#value) }
            }
            impl<'de> rt::Decode<'de> for #name #lifetime {
                fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> { Self::decode_unknown(reader, #all) }
            }
        };
    }
    let source = plan.source(item);
    quote! {
        impl #lifetime #name #lifetime {
            /// Reads a value into a slot, as itself or as a variant.
            fn read_into<T>(reader: &mut rt::Reader<#source>, slot: &mut Option<T>, wrap: impl FnOnce(Self) -> T) -> rt::Result<()> {
                #body
                *slot = Some(wrap(#value));
                Ok(())
            }
        }
        impl<'de> rt::Decode<'de> for #name #lifetime {
            fn decode(reader: &mut rt::Reader<'de>) -> rt::Result<Self> { reader.whole(Self::decode_into) }
            fn decode_into(reader: &mut rt::Reader<'de>, slot: &mut Option<Self>) -> rt::Result<()> {
                Self::read_into(reader, slot, |value| value)
            }
        }
    }
}

fn constant_read(value: &Literal) -> TokenStream {
    let text = value.text();
    match value.as_string() {
        Some(_) => quote!(|reader| reader.constant(#text)),
        None => quote!(|reader| reader.literal(#text)),
    }
}

/// A member's name, as the reader looks for it.
pub(super) fn key(wire: &str) -> TokenStream {
    let quoted = quoted(wire);
    quote!(rt::Key::new(#wire, #quoted))
}

/// A member's name in quotes, with its colon.
fn quoted(wire: &str) -> String {
    let mut quoted = String::new();
    write_string(wire, &mut quoted);
    quoted.push(':');
    quoted
}

fn encode(plan: &Plan, item: &Item, shape: &Struct) -> TokenStream {
    let (name, lifetime) = (ident(&item.name), any_lifetime(plan, item));
    let mut members = Vec::new();
    let mut constant = String::new();
    for field in &shape.fields {
        let quoted = quoted(&field.wire);
        if let Some(value) = &field.constant {
            // Neighbouring constants are one piece of text.
            if !constant.is_empty() {
                constant.push(',');
            }
            constant.push_str(&quoted);
            constant.push_str(value.text());
            continue;
        }
        flush(&mut constant, &mut members);
        let rust = ident(&field.rust);
        members.push(if field.required {
            quote!(object.member(#quoted, &self.#rust);)
        } else {
            quote!(object.optional(#quoted, &self.#rust);)
        });
    }
    flush(&mut constant, &mut members);
    if matches!(shape.rest, Rest::Kept(_)) {
        // What an unknown variant has as a tag only at some depth may stand among the others.
        let declared = shape
            .fields
            .iter()
            .enumerate()
            .filter(|(index, _)| *index < shape.required_tags || *index >= shape.unknown_tags);
        let declared = declared.map(|(_, field)| &field.wire);
        members.push(quote!(object.extra(&self.extra, &[#(#declared),*]);));
    }
    let binding = if members.is_empty() {
        quote!(let object)
    } else {
        quote!(let mut object)
    };
    quote! {
        impl rt::Encode for #name #lifetime {
            fn encode(&self, out: &mut String) {
                #binding = rt::ObjectWriter::new(out);
                #(#members)*
                object.end();
            }
        }
    }
}

fn flush(constant: &mut String, members: &mut Vec<TokenStream>) {
    if !constant.is_empty() {
        let text = std::mem::take(constant);
        members.push(quote!(object.constant(#text);));
    }
}

/// `<'_>` for an item that has a lifetime, else nothing.
pub(super) fn any_lifetime(plan: &Plan, item: &Item) -> TokenStream {
    match plan.lifetime(item).is_empty() {
        true => quote!(),
        false => quote!(<'_>),
    }
}

/// The struct behind a type, where it is one.
pub(super) fn of<'p>(plan: &'p Plan, ty: &Type) -> Option<&'p Struct> {
    match ty {
        Type::Named(id) => match &plan.items.get(id.0)?.kind {
            Kind::Struct(shape) => Some(shape),
            _ => None,
        },
        Type::Boxed(inner) => of(plan, inner),
        _ => None,
    }
}
