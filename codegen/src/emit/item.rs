//! Writes the `Item` implementation of the root: what the contract says beside the shapes.

use super::names::ident;
use super::plan::{Arm, Field, Kind, Plan, Root, Struct, Type, Union};
use super::{structs, types, unions};
use crate::json::{Literal, pointer_tokens};
use crate::maps::IndexMap;
use crate::schema::Contract;
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;

/// `Item` for the type of a line.
pub(super) fn write(plan: &Plan, contract: &Contract) -> TokenStream {
    let root = match plan.roots.as_slice() {
        [
            Root {
                ty: Type::Named(id),
                ..
            },
        ] => plan.items.get(id.0),
        _ => None,
    };
    let Some(root) = root else { return quote!() };
    let name = ident(&root.name);
    let shapes = Shapes::of(plan, &root.kind);
    let (first, terminal) = (
        shapes.matching(&[&contract.first]),
        shapes.matching(&[&contract.terminal]),
    );
    let constants = constants(contract);
    let sequence = shapes.reader(contract.sequence.as_deref(), sequence);
    let session = shapes.reader(contract.session.as_deref(), |field| text(plan, field));
    let timestamp = shapes.reader(contract.timestamp.as_deref(), |field| text(plan, field));
    let methods = [
        method(quote!(sequence), quote!(Option<u64>), sequence),
        method(quote!(session), quote!(Option<&str>), session),
        method(quote!(timestamp), quote!(Option<&str>), timestamp),
        capabilities(plan, &shapes, contract),
        gate(&shapes, contract),
    ];
    quote! {
        impl rt::Item for #name {
            #constants
            fn is_first(&self) -> bool { #first }
            fn is_terminal(&self) -> bool { #terminal }
            #(#methods)*
        }
    }
}

fn constants(contract: &Contract) -> TokenStream {
    let capability = &contract.capability;
    let framing = if contract.framing == "envelope" {
        quote!(rt::Framing::Envelope)
    } else {
        quote!(rt::Framing::Item)
    };
    let final_line = if contract.final_line == "require-newline" {
        quote!(rt::FinalLine::RequireNewline)
    } else {
        quote!(rt::FinalLine::Allow)
    };
    let max = Token::u64_unsuffixed(contract.max_frame_bytes);
    let points = &contract.extension_points;
    quote!(const CONTRACT: rt::Contract = rt::Contract::new(#capability, #framing, #final_line, #max, &[#(#points),*]);)
}

/// The structs of a line: one for each variant, or the line itself.
struct Shapes<'p>(Vec<(Option<&'p Arm>, Option<&'p Struct>)>);

impl<'p> Shapes<'p> {
    fn of(plan: &'p Plan, kind: &'p Kind) -> Self {
        match kind {
            Kind::Union(union) => Self(of_union(plan, union)),
            Kind::Struct(shape) => Self(vec![(None, Some(shape))]),
            _ => Self(Vec::new()),
        }
    }

    /// An expression that is true for lines with these member values.
    fn matching(&self, alternatives: &[&IndexMap<String, Literal>]) -> TokenStream {
        let holds = |shape: &Struct, members: &IndexMap<String, Literal>| {
            !members.is_empty()
                && members.iter().all(|(name, value)| {
                    let field = shape.fields.iter().find(|field| field.wire == *name);
                    field.and_then(|field| field.constant.as_ref()) == Some(value)
                })
        };
        let fits = |shape: &&Struct| alternatives.iter().any(|members| holds(shape, members));
        let fitting: Vec<_> = self
            .0
            .iter()
            .filter(|(_, shape)| shape.as_ref().is_some_and(fits))
            .collect();
        match fitting.as_slice() {
            [] => quote!(false),
            [(None, _), ..] => quote!(true),
            _ => {
                let variants = fitting
                    .iter()
                    .filter_map(|(arm, _)| arm.map(|arm| ident(&arm.name)));
                quote!(matches!(self, #(Self::#variants(_))|*))
            }
        }
    }

    /// An expression that reads a top-level member of every variant that has it.
    fn reader(
        &self,
        pointer: Option<&str>,
        read: impl Fn(&Field) -> Option<TokenStream>,
    ) -> Option<TokenStream> {
        let tokens = pointer_tokens(pointer?)?;
        let [name] = tokens.as_slice() else {
            return None;
        };
        let of = |shape: &Option<&Struct>| {
            shape
                .and_then(|shape| shape.fields.iter().find(|field| field.wire == *name))
                .and_then(&read)
        };
        if let [(None, shape)] = self.0.as_slice() {
            let read = of(shape)?;
            return Some(quote!({ let value = self; #read }));
        }
        let mut branches = Vec::new();
        for (arm, shape) in &self.0 {
            let variant = ident(&arm.as_ref()?.name);
            match of(shape) {
                Some(read) => branches.push(quote!(Self::#variant(value) => #read,)),
                None => branches.push(quote!(Self::#variant(_) => None,)),
            }
        }
        (!branches.is_empty()).then(|| quote!(match self { #(#branches)* }))
    }
}

fn of_union<'p>(plan: &'p Plan, union: &'p Union) -> Vec<(Option<&'p Arm>, Option<&'p Struct>)> {
    unions::distinct(union)
        .into_iter()
        .map(|arm| (Some(arm), structs::of(plan, &arm.ty)))
        .collect()
}

fn method(name: TokenStream, result: TokenStream, body: Option<TokenStream>) -> TokenStream {
    // A method without a body here keeps the trait's own, which says that there is nothing.
    body.map(|body| quote!(fn #name(&self) -> #result { #body }))
        .unwrap_or_default()
}

fn sequence(field: &Field) -> Option<TokenStream> {
    let name = ident(&field.rust);
    Some(match (&field.ty, field.required) {
        (Type::Integer("u64", _), true) => quote!(Some(value.#name)),
        (Type::Integer("u64", _), false) => quote!(value.#name),
        (Type::Integer(..), true) => quote!(u64::try_from(value.#name).ok()),
        (Type::Integer(..), false) => {
            quote!(value.#name.and_then(|value| u64::try_from(value).ok()))
        }
        _ => return None,
    })
}

fn text(plan: &Plan, field: &Field) -> Option<TokenStream> {
    let name = ident(&field.rust);
    if field.constant.is_some() || !types::is_text(plan, &field.ty) {
        return None;
    }
    Some(match (field.required, &field.ty) {
        (true, _) => quote!(Some(value.#name.as_str())),
        (false, Type::String) => quote!(value.#name.as_deref()),
        (false, _) => quote!(value.#name.as_ref().map(|value| value.as_str())),
    })
}

fn capabilities(plan: &Plan, shapes: &Shapes<'_>, contract: &Contract) -> TokenStream {
    let Some(capabilities) = &contract.capabilities else {
        return quote!();
    };
    let names = |field: &Field| {
        let Type::List(element, ..) = &field.ty else {
            return None;
        };
        let is_enum = |id: usize| {
            plan.items
                .get(id)
                .is_some_and(|item| matches!(item.kind, Kind::OpenEnum(_) | Kind::ClosedEnum(_)))
        };
        if !types::is_text(plan, element) && !matches!(&**element, Type::Named(id) if is_enum(id.0))
        {
            return None;
        }
        let name = ident(&field.rust);
        let read = quote!(.map(|value| value.as_str()).collect());
        Some(if field.required {
            quote!(Some(value.#name.iter()#read))
        } else {
            quote!(value.#name.as_ref().map(|value| value.iter()#read))
        })
    };
    match shapes.reader(Some(&capabilities.at), names) {
        Some(read) => quote! {
            fn capabilities(&self) -> Vec<&str> {
                let found: Option<Vec<&str>> = #read;
                found.unwrap_or_default()
            }
        },
        None => quote!(),
    }
}

fn gate(shapes: &Shapes<'_>, contract: &Contract) -> TokenStream {
    let gates = contract
        .capabilities
        .iter()
        .flat_map(|capabilities| &capabilities.gates);
    let branches = gates.map(|(capability, lines)| {
        let matching = shapes.matching(&lines.iter().collect::<Vec<_>>());
        quote!(if #matching { return Some(#capability); })
    });
    let branches: Vec<TokenStream> = branches.collect();
    if branches.is_empty() {
        return quote!();
    }
    quote!(fn gate(&self) -> Option<&'static str> { #(#branches)* None })
}
