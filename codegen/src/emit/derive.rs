//! Traits that a consumer wants every type to derive.

use super::Error;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;

type Paths = Punctuated<syn::Path, syn::Token![,]>;

/// Adds traits to all structs and enums of a file, except where one is derived already.
pub(super) fn add(file: &mut syn::File, derives: &[String]) -> Result<(), Error> {
    let parsed = derives.iter().map(|derive| {
        syn::parse_str::<syn::Path>(derive).map_err(|error| Error::Derive {
            derive: derive.clone(),
            message: error.to_string(),
        })
    });
    let wanted: Vec<syn::Path> = parsed.collect::<Result<_, _>>()?;
    if !wanted.is_empty() {
        add_to(&mut file.items, &wanted);
    }
    Ok(())
}

/// Adds them to items, and to those of modules among these, which hold the same types in another mode.
fn add_to(items: &mut [syn::Item], wanted: &[syn::Path]) {
    for item in items {
        let attributes = match item {
            syn::Item::Struct(item) => &mut item.attrs,
            syn::Item::Enum(item) => &mut item.attrs,
            syn::Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    add_to(items, wanted);
                }
                continue;
            }
            _ => continue,
        };
        let mut known: Vec<String> = Vec::new();
        for attribute in attributes
            .iter()
            .filter(|own| own.path().is_ident("derive"))
        {
            let paths = attribute.parse_args_with(Paths::parse_terminated);
            known.extend(paths.iter().flatten().filter_map(last));
        }
        let mut missing = Paths::new();
        for path in wanted {
            let name = last(path);
            // A name that is there already, by whatever path, is the same trait.
            if name.as_ref().is_none_or(|name| !known.contains(name)) {
                missing.push(path.clone());
                known.extend(name);
            }
        }
        if !missing.is_empty() {
            let derive = syn::Attribute::parse_outer.parse2(quote::quote!(#[derive(#missing)]));
            attributes.extend(derive.unwrap_or_default());
        }
    }
}

fn last(path: &syn::Path) -> Option<String> {
    Some(path.segments.last()?.ident.to_string())
}
