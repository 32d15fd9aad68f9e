//! Writes a consumer of the types as they are: a test that names every type, field, variant and known
//! value, and reads every golden. A later revision is held against it.

use super::names::ident;
use super::plan::{EnumValue, Item, Kind, MixedArm, Plan, Rest, Struct, Type, Union};
use super::{Error, File, Options, RUNTIME_NAMES};
use super::{accessors, alias_names, docs, enums, header, settled, structs, types, unions};
use crate::json::Literal;
use crate::wire::Wire;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The package of the types, as its consumers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// The name of its library in Rust.
    pub library: String,
    /// The way from its folder to that of the goldens.
    pub goldens: String,
}

/// The variable that names another folder of goldens to a consumer than that of its package.
pub const GOLDENS_VARIABLE: &str = "WIRELOCK_GOLDENS";

/// Where a package has the consumer of a capability.
#[must_use]
pub fn consumer_path(capability: &str) -> String {
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    let name: String = capability.chars().map(plain).collect();
    format!("tests/compat_{name}.rs")
}

/// Generates the consumer of a contract; a schema that declares none has no consumer.
///
/// ```
/// use wirelock_codegen::{emit, wire};
/// let schema = r#"{"title": "Tick", "type": "object", "properties": {"n": {"type": "integer"}},
///     "required": ["n"], "x-contract": {"capability": "tick_v1", "framing": "item", "first": {"n": 0},
///     "terminal": {"n": 9}, "finalLine": "allow", "maxFrameBytes": 1000}}"#;
/// let wire = wire::read("tick.json", schema).unwrap();
/// let options = emit::Options::new("tick.json", "sha256:0");
/// let package = emit::Package { library: "tick".into(), goldens: "../golden".into() };
/// let file = emit::consumer(&wire, &options, &package).unwrap().unwrap();
/// assert_eq!(file.path, "tests/compat_tick_v1.rs");
/// assert!(file.content.contains("let _: i64 = value.n;"));
/// ```
///
/// # Errors
/// As [`super::rust`].
pub fn consumer(wire: &Wire, options: &Options, package: &Package) -> Result<Option<File>, Error> {
    let Some(contract) = &wire.contract else {
        return Ok(None);
    };
    let plan = settled(wire, &options.root, RUNTIME_NAMES);
    let library = &package.library;
    let names = names(&plan, library);
    let file = syn::parse2(names).map_err(|error| Error::Unparsable {
        schema: options.schema.clone(),
        message: error.to_string(),
    })?;
    let capability = docs::lines(&contract.capability).join(" ");
    let mut content = format!(
        "{}//! A consumer of `{capability}` as this revision has it. It names every type, field, variant and known\n\
         //! value, and reads every golden.\n\
         //!\n\
         //! `check-evolution` compiles and runs it, as it stood at the base, against the types of a change.\n\n\
         use ::{library} as types;\n\n",
        header(options)
    );
    content.push_str(&prettyplease::unparse(&file));
    content.push_str(FACTS);
    if let Some(root) = root(&plan) {
        let goldens = format!("{:?}", format!("/{}", package.goldens));
        let test = GOLDENS.replace("ROOT", &root);
        let test = test.replace("VARIABLE", GOLDENS_VARIABLE);
        content.push_str(&test.replace("FOLDER", &goldens));
    }
    Ok(Some(File {
        path: consumer_path(&contract.capability),
        content,
    }))
}

/// The type of a line, where there is one.
fn root(plan: &Plan) -> Option<String> {
    match super::root_names(plan).as_slice() {
        [root] => Some(root.clone()),
        _ => None,
    }
}

fn names(plan: &Plan, library: &str) -> TokenStream {
    let library = ident(library);
    let mut out = TokenStream::new();
    let mut facts = TokenStream::new();
    for item in &plan.items {
        out.extend(match &item.kind {
            Kind::Struct(shape) => structure(plan, item, shape, &mut facts),
            Kind::Union(union) => of_union(plan, item, union),
            Kind::Mixed(arms) => mixed(plan, item, arms),
            Kind::OpenEnum(values) => open(item, values, &mut facts),
            Kind::ClosedEnum(values) => closed(item, values, &mut facts),
            Kind::Text(_) => text(item),
        });
    }
    for (root, alias) in plan.roots.iter().zip(alias_names(plan)) {
        let Some(alias) = alias else { continue };
        let function = format_ident!("alias_{alias}");
        let (name, ty) = (ident(&alias), types::rust(plan, &root.ty));
        out.extend(quote!(fn #function(value: #name) -> #ty { value }));
    }
    let all = plan.items.iter().map(|item| ident(&item.name));
    // A line that is no item of its own, as a list, has no such implementation.
    let item = match plan.roots.as_slice() {
        [
            super::plan::Root {
                ty: Type::Named(_), ..
            },
        ] => root(plan).map(|root| ident(&root)),
        _ => None,
    };
    let item = item.map(|root| quote!(fn item() { fn of<T: rt::Item>() {} of::<#root>(); }));
    quote! {
        // Names of functions are those of types here, and a consumer need not use all it names.
        #[rustfmt::skip]
        #[allow(dead_code, deprecated, non_snake_case, unused, clippy::all, clippy::pedantic)]
        mod names {
            use ::#library::runtime as rt;
            use ::#library::*;
            fn traits() {
                fn of<T>()
                where
                    T: Clone + std::fmt::Debug + Eq + rt::Encode + for<'de> rt::Decode<'de>,
                    T: rt::serde::Serialize + for<'de> rt::serde::Deserialize<'de>,
                {}
                #(of::<#all>();)*
            }
            #item
            #out
            /// What holds of the values: each as a sentence, and whether it still does.
            pub(super) fn facts() -> Vec<(&'static str, bool)> { vec![#facts] }
        }
    }
}

/// Moves every member into a place of its exact type: what is borrowed could be of another one and
/// lend itself as that.
fn structure(plan: &Plan, item: &Item, shape: &Struct, facts: &mut TokenStream) -> TokenStream {
    let name = ident(&item.name);
    let (function, constructor) = (
        format_ident!("struct_{}", item.name),
        format_ident!("new_{}", item.name),
    );
    let members = structs::fields(plan, shape).map(|(field, ty)| {
        let rust = ident(&field.rust);
        match (structs::is_tag(shape, field), field.required) {
            // The tags of an unknown variant are read by methods.
            (true, true) => quote!(let _: fn(&#name) -> &str = #name::#rust;),
            (true, false) => quote!(let _: fn(&#name) -> Option<&str> = #name::#rust;),
            (false, true) => quote!(let _: #ty = value.#rust;),
            (false, false) => quote!(let _: Option<#ty> = value.#rust;),
        }
    });
    let extra = match &shape.rest {
        Rest::Kept(ty) => {
            let ty = structs::extra_type(plan, ty);
            quote!(let _: #ty = value.extra;)
        }
        Rest::Refused => quote!(),
    };
    for (field, constant) in structs::constants(shape) {
        let text = field.constant.as_ref().and_then(Literal::as_string);
        let text = text.unwrap_or_default();
        let told = format!("{}::{constant} is {text:?}", item.name);
        let constant = ident(&constant);
        facts.extend(quote!((#told, #name::#constant == #text),));
    }
    let new = match (shape.unknown_tags, structs::parameters(shape)) {
        (0, required) => {
            let names = required.iter().map(|field| ident(&field.rust));
            let arguments = required.iter().map(|field| {
                let (rust, ty) = (ident(&field.rust), types::rust(plan, &field.ty));
                quote!(#rust: #ty)
            });
            quote!(fn #constructor(#(#arguments),*) -> #name { #name::new(#(#names),*) })
        }
        _ => quote!(),
    };
    quote! {
        fn #function(value: #name) { #(#members)* #extra }
        #new
    }
}

fn of_union(plan: &Plan, item: &Item, union: &Union) -> TokenStream {
    let name = ident(&item.name);
    let arms = unions::distinct(union);
    let variants = arms.iter().map(|arm| (&*arm.name, &arm.ty));
    let matched = variants_of(plan, item, &mut variants.into_iter());
    let conversions = arms.iter().filter(|arm| unions::converts(arm, &arms));
    let conversions = conversions.map(|arm| {
        let function = format_ident!("from_{}_{}", item.name, arm.name);
        let ty = types::rust(plan, &arm.ty);
        quote!(fn #function(value: #ty) -> #name { #name::from(value) })
    });
    let methods = accessors::shared(plan, union).into_iter().map(|field| {
        let (rust, (result, _)) = (ident(&field.rust), accessors::result(plan, field));
        quote!(let _: fn(&#name) -> #result = #name::#rust;)
    });
    let methods: Vec<TokenStream> = methods.collect();
    let function = format_ident!("methods_{}", item.name);
    let methods = match methods.as_slice() {
        [] => quote!(),
        methods => quote!(fn #function() { #(#methods)* }),
    };
    quote!(#matched #(#conversions)* #methods)
}

fn mixed(plan: &Plan, item: &Item, arms: &[MixedArm]) -> TokenStream {
    let mut variants = arms.iter().map(|arm| (&*arm.name, &arm.ty));
    variants_of(plan, item, &mut variants)
}

fn variants_of(
    plan: &Plan,
    item: &Item,
    variants: &mut dyn Iterator<Item = (&str, &Type)>,
) -> TokenStream {
    let (name, function) = (ident(&item.name), format_ident!("union_{}", item.name));
    let variants = variants.map(|(variant, ty)| {
        let (variant, ty) = (ident(variant), types::rust(plan, ty));
        quote!(#name::#variant(value) => { let _: #ty = value; })
    });
    quote!(fn #function(value: #name) { match value { #(#variants)* _ => {} } })
}

fn open(item: &Item, values: &[EnumValue], facts: &mut TokenStream) -> TokenStream {
    let (name, function) = (ident(&item.name), format_ident!("enum_{}", item.name));
    for value in values {
        let (wire, variant) = (&value.wire, ident(&value.rust));
        let told = format!("{}::{} is {wire:?}", item.name, value.rust);
        facts.extend(quote!((#told, #name::from(#wire) == #name::#variant && #name::#variant.as_str() == #wire),));
    }
    quote! {
        fn #function(value: #name) {
            let _: fn(&#name) -> &str = #name::as_str;
            if let #name::Unknown(value) = value { let _: rt::UnknownValue = value; }
        }
    }
}

/// A closed enum is matched without a rest, as consumers may.
fn closed(item: &Item, values: &[EnumValue], facts: &mut TokenStream) -> TokenStream {
    let (name, function) = (ident(&item.name), format_ident!("enum_{}", item.name));
    let names = enums::closed_names(item, values);
    for (value, rust) in values.iter().zip(&names) {
        let (wire, variant) = (&value.wire, ident(rust));
        let told = format!("{}::{rust} is {wire:?}", item.name);
        facts.extend(quote!((#told, #wire.parse::<#name>().is_ok_and(|value| value == #name::#variant) && #name::#variant.as_str() == #wire),));
    }
    let variants = names.iter().map(|rust| ident(rust));
    quote!(fn #function(value: #name) { match value { #(#name::#variants => {})* } })
}

fn text(item: &Item) -> TokenStream {
    let (name, function) = (ident(&item.name), format_ident!("text_{}", item.name));
    quote! {
        fn #function(value: #name) -> String {
            let _: Result<#name, rt::ConversionError> = "".parse::<#name>();
            let _: &String = &value;
            value.to_string()
        }
    }
}

const FACTS: &str = r#"
#[rustfmt::skip]
#[test]
fn known_values_are_what_they_were() {
    let facts = names::facts().into_iter();
    let moved: Vec<&str> = facts.filter(|fact| !fact.1).map(|fact| fact.0).collect();
    assert!(moved.is_empty(), "fault: no longer so: {}", moved.join(", "));
}
"#;

const GOLDENS: &str = r#"
#[rustfmt::skip]
#[test]
fn every_golden_is_read_and_written_as_it_stands() {
    let folder = match std::env::var_os("VARIABLE") {
        Some(folder) => std::path::PathBuf::from(folder),
        None => concat!(env!("CARGO_MANIFEST_DIR"), FOLDER).into(),
    };
    let files = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("fault: {}: {error}", folder.display()));
    let mut lines = 0;
    for file in files {
        let path = file.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable golden");
        for (line, number) in text.lines().zip(1..) {
            let place = format!("{}:{number}", path.display());
            let read: types::ROOT = types::from_slice(line.as_bytes())
                .unwrap_or_else(|error| panic!("fault: {place}: {error}"));
            let written = types::Encode::to_json(&read);
            assert!(written == line, "fault: {place}: it is written as {written}");
            lines += 1;
        }
    }
    assert!(lines > 0, "fault: {}: no goldens", folder.display());
}
"#;
