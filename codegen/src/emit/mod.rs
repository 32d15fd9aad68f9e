//! Rust types and the catalogue from a wire view.
//!
//! The way is: wire view, plan (which items there will be), settled plan (equal items
//! merged, names given, recursion boxed), tokens, pretty source. Leaves are typed by `typify`;
//! unions, open sets, objects with their unknown members, and recursion are written from the wire
//! view directly, because JSON Schema's spellings of them are where typing them goes wrong.
//!
//! ```
//! use wirelock_codegen::{emit, wire};
//! let schema = r#"{"title":"Point","type":"object","properties":{"x":{"type":"number"}},"required":["x"]}"#;
//! let wire = wire::read("point.json", schema).unwrap();
//! let options = emit::Options::new("point.json", "sha256:0");
//! let emitted = emit::rust(&wire, &options).unwrap();
//! assert!(emitted.code.contains("pub x: rt::Number"));
//! assert!(emitted.untyped.is_empty());
//! ```

mod accessors;
#[cfg(feature = "evolution")]
pub(crate) mod api;
mod borrow;
mod build;
mod catalog;
mod consumer;
mod derive;
mod docs;
mod enums;
mod files;
mod item;
mod json_schema;
mod leaf;
mod loose;
mod names;
mod peek;
mod plan;
mod planner;
mod scalars;
mod settle;
mod share;
mod structs;
#[cfg(test)]
mod tests;
mod texts;
mod types;
mod unions;
mod unknown;

pub use catalog::catalog;
pub use consumer::{GOLDENS_VARIABLE, Package, consumer, consumer_path};
pub use files::{File, FileError, Mode, Outcome, settle as settle_file};
pub use share::Share;

use crate::wire::{Origin, Wire};
use plan::{Kind, Plan, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// What `lib.rs` of a generated package takes from the runtime: no type of the contract may go by
/// one of these names, because the package would have two of it.
const RUNTIME_NAMES: &[&str] = &[
    "Code", "Contract", "Decode", "Encode", "Error", "Extra", "Item", "Json", "Map", "Number",
];

/// The first lines of a file that is a module by itself: a program seldom uses every type, and lints and
/// layout are for code that is written by hand.
const MODULE: &str = "#![allow(dead_code, unreachable_pub, clippy::all, clippy::pedantic)]\n\
    #![cfg_attr(rustfmt, rustfmt_skip)]\n";

/// The version of the generator, which generated files name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the output says about its source, and what it calls things.
#[derive(Debug, Clone)]
pub struct Options {
    /// The name of the schema, for the header.
    pub schema: String,
    /// A digest of the schema's text, for the header of a file that is kept; empty for one that a
    /// build makes anew.
    pub digest: String,
    /// What the document's root is called where the schema gives it no title.
    pub root: String,
    /// Traits that every type derives, beside those that all types have.
    pub derives: Vec<String>,
    /// Whether the types tell their schemas, where the runtime's feature `schemars` is on.
    pub json_schema: bool,
    /// Whether the types are written a second time, in a module `borrowed`, as they borrow the text
    /// they are read from.
    pub borrowed: bool,
    /// Whether the text is the file of a module by itself, and has to say what its `mod` says elsewhere.
    pub module: bool,
}

impl Options {
    /// Options for a schema of that name and digest.
    #[must_use]
    pub fn new(schema: impl Into<String>, digest: impl Into<String>) -> Self {
        Self {
            schema: schema.into(),
            digest: digest.into(),
            root: "Document".to_owned(),
            derives: Vec::new(),
            json_schema: false,
            borrowed: false,
            module: false,
        }
    }

    /// The same options with the types borrowed as well.
    #[must_use]
    pub fn with_borrowed(mut self) -> Self {
        self.borrowed = true;
        self
    }

    /// The same options for a text that `mod name;` brings in as it is.
    #[must_use]
    pub fn as_module(mut self) -> Self {
        self.module = true;
        self
    }
}

/// Generated Rust.
#[derive(Debug, Clone)]
pub struct Emitted {
    /// The source text.
    pub code: String,
    /// What is typed more loosely than the schema says, with the reason.
    pub untyped: Vec<Untyped>,
    /// The Rust type of each root of the wire view, in its order.
    pub roots: Vec<String>,
    /// How much of the schema each way of typing took.
    pub share: Share,
}

/// A place whose type accepts more than the schema does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untyped {
    /// The generated type and the member.
    pub place: String,
    /// Why.
    pub reason: String,
    /// Where the schema says more than the type.
    pub origin: Option<Origin>,
    /// Whether the place holds any JSON value (any object, at the least), because no Rust type fits.
    pub is_value: bool,
}

/// Why nothing was generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The schema describes no document.
    #[error("{schema}: the schema has neither a root nor definitions to generate types from")]
    Empty {
        /// The name of the schema.
        schema: String,
    },
    /// What should be derived is no path.
    #[error("{derive:?} cannot be derived ({message}); name a trait as in `#[derive(..)]`")]
    Derive {
        /// What was named.
        derive: String,
        /// What the parser said.
        message: String,
    },
    /// The generator wrote something that is no Rust.
    #[error(
        "{schema}: the generated code does not parse ({message}); this is a fault of the generator, please report it with the schema"
    )]
    Unparsable {
        /// The name of the schema.
        schema: String,
        /// What the parser said.
        message: String,
    },
}

/// Generates the types of a wire view.
///
/// # Errors
/// See [`Error`]. A shape that no Rust type fits is no error: it becomes a JSON value and is
/// listed in [`Emitted::untyped`].
pub fn rust(wire: &Wire, options: &Options) -> Result<Emitted, Error> {
    emitted(wire, options, &[])
}

fn emitted(wire: &Wire, options: &Options, reserved: &[&str]) -> Result<Emitted, Error> {
    let plan = settled(wire, &options.root, reserved);
    if plan.roots.is_empty() {
        return Err(Error::Empty {
            schema: options.schema.clone(),
        });
    }
    let unparsable = |error: syn::Error| Error::Unparsable {
        schema: options.schema.clone(),
        message: error.to_string(),
    };
    let mut code = header(options);
    if options.module {
        code.push_str(MODULE);
    }
    let tokens = tokens(&plan, wire, options.borrowed);
    let mut file: syn::File = syn::parse2(tokens).map_err(unparsable)?;
    derive::add(&mut file, &options.derives)?;
    for item in file.items {
        let one = syn::File {
            shebang: None,
            frontmatter: None,
            attrs: Vec::new(),
            items: vec![item],
        };
        code.push('\n');
        code.push_str(&prettyplease::unparse(&one));
    }
    if options.json_schema {
        code.push_str(&json_schema::write(&plan, wire));
    }
    let untyped = settle::untyped(&plan, wire);
    Ok(Emitted {
        code,
        roots: root_names(&plan),
        share: Share::of(&plan, &untyped),
        untyped,
    })
}

/// Generates the source files of a package that holds the types: a thin `lib.rs`, and the types.
///
/// # Errors
/// As [`rust`].
pub fn package(wire: &Wire, options: &Options) -> Result<(Vec<File>, Vec<Untyped>), Error> {
    let mut options = options.clone();
    options.json_schema = true;
    let options = &options;
    let emitted = emitted(wire, options, RUNTIME_NAMES)?;
    let capability = wire
        .contract
        .as_ref()
        .map_or(options.schema.as_str(), |contract| {
            contract.capability.as_str()
        });
    let capability = docs::lines(capability).join(" ");
    let lib = format!(
        "{}//! The wire types of `{capability}`, generated from its contract.\n\
         //!\n\
         //! [`from_slice`] reads one line without loss; [`Encode::to_json`] writes it in canonical form.\n\
         //! What a contract needs beyond its own types comes from [`runtime`].\n\
         \n\
         #[rustfmt::skip]\n\
         #[allow(clippy::pedantic)]\n\
         mod wire;\n\
         \n\
         pub use wire::*;\n\
         pub use wirelock_runtime as runtime;\n\
         pub use wirelock_runtime::{{\n    Code, Contract, Decode, Encode, Error, Extra, Item, Json, Map, Number, from_slice, from_str,\n}};\n",
        header(options)
    );
    let files = vec![
        File {
            path: "src/lib.rs".to_owned(),
            content: lib,
        },
        File {
            path: "src/wire.rs".to_owned(),
            content: emitted.code,
        },
    ];
    Ok((files, emitted.untyped))
}

/// A plan with everything decided; no type goes by a reserved name.
fn settled(wire: &Wire, root: &str, reserved: &[&str]) -> Plan {
    let mut plan = planner::plan(wire, root);
    settle::merge(&mut plan);
    settle::name(&mut plan, reserved);
    settle::box_recursion(&mut plan);
    plan
}

fn header(options: &Options) -> String {
    let line = |text: &str| {
        text.chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect::<String>()
    };
    let schema = line(&options.schema);
    let (digest, how) = match options.digest.as_str() {
        "" => (String::new(), ""),
        digest => (format!(" ({})", line(digest)), " and run `codegen` again"),
    };
    format!(
        "// @generated by wirelock-codegen {VERSION} from {schema}{digest}.\n// Change the schema{how}; never edit this file.\n"
    )
}

fn tokens(plan: &Plan, wire: &Wire, borrowed: bool) -> TokenStream {
    let mut out = quote!(
        use ::wirelock_runtime as rt;
    );
    let items: TokenStream = plan
        .items
        .iter()
        .map(|item| item_tokens(plan, item))
        .collect();
    if leaf::uses_matcher(items.clone()) {
        out.extend(quote!(rt::needs_pattern!();));
    }
    out.extend(aliases(plan));
    out.extend(items);
    if let Some(contract) = &wire.contract {
        out.extend(item::write(plan, contract));
    }
    let names = plan.items.iter().map(|item| names::ident(&item.name));
    out.extend(quote!(rt::impl_serde!(#(#names),*);));
    if borrowed {
        out.extend(borrow::write(plan, wire.contract.as_ref()));
    }
    out
}

/// One item, with texts as the plan has them.
fn item_tokens(plan: &Plan, item: &plan::Item) -> TokenStream {
    match &item.kind {
        Kind::Struct(shape) => structs::write(plan, item, shape),
        Kind::Union(union) => {
            let body = unions::write(plan, item, union);
            let accessors = accessors::write(plan, item, union);
            quote!(#body #accessors)
        }
        Kind::Mixed(arms) => unions::write_mixed(plan, item, arms),
        Kind::OpenEnum(values) => enums::write_open(plan, item, values),
        Kind::ClosedEnum(values) => enums::write_closed(item, values),
        Kind::Text(facts) => texts::write(plan, item, facts),
    }
}

/// Roots that are no items of their own, or that others' items serve, get their name as an alias.
fn aliases(plan: &Plan) -> TokenStream {
    let mut out = TokenStream::new();
    for (root, alias) in plan.roots.iter().zip(alias_names(plan)) {
        let Some(alias) = alias else { continue };
        let docs = docs::attributes(&root.docs, &format!("`{}`", root.name));
        let (name, ty) = (names::ident(&alias), types::rust(plan, &root.ty));
        let lifetime = match plan.lends(&root.ty) {
            true => quote!(<'de>),
            false => quote!(),
        };
        out.extend(quote!(#docs pub type #name #lifetime = #ty;));
    }
    out
}

/// What each root is called: by its alias where it has one, else as its item.
fn root_names(plan: &Plan) -> Vec<String> {
    let item = |root: &plan::Root| match &root.ty {
        Type::Named(id) => plan.items.get(id.0).map(|item| item.name.clone()),
        _ => None,
    };
    let roots = plan.roots.iter().zip(alias_names(plan));
    roots
        .map(|(root, alias)| alias.or_else(|| item(root)).unwrap_or_default())
        .map(|name| names::ident(&name).to_string())
        .collect()
}

/// The alias of each root that has one.
fn alias_names(plan: &Plan) -> Vec<Option<String>> {
    let mut scope = names::Scope::types();
    for item in &plan.items {
        scope.take(&item.name);
    }
    let named = |root: &plan::Root| {
        let name = names::pascal(&root.name);
        // An item that goes by another name is called as its root as well, where nothing else is.
        let wanted = match &root.ty {
            Type::Named(_) => root.is_called && scope.is_free(&name),
            _ => true,
        };
        wanted.then(|| scope.take(&name))
    };
    plan.roots.iter().map(named).collect()
}
