//! What moved in a struct: fields, constants, the constructor, and the home of unknown members.

use super::{Origins, Walk, code, field_type, path};
use crate::emit::plan::{Field, Item, Rest, Struct};
use crate::emit::structs;
use crate::wire::{Origin, Subject};

impl Walk<'_, '_> {
    /// Compares two structs: their fields, their constructors, and the home of unknown members.
    pub(super) fn structs(
        &mut self,
        old: (&Item, &Struct),
        new: (&Item, &Struct),
        subject: &Subject,
    ) {
        let ((old_item, was), (new_item, is)) = (old, new);
        let constants = (structs::constants(was), structs::constants(is));
        let named = |constants: &[(&Field, String)], wire: &str| {
            let found = constants.iter().find(|(field, _)| field.wire == wire);
            found.map(|(_, name)| name.clone())
        };
        for field in &was.fields {
            let Some(other) = is.fields.iter().find(|other| other.wire == field.wire) else {
                continue;
            };
            let subject = subject.field(&field.wire);
            let origins = (field.origins.0.as_slice(), other.origins.0.as_slice());
            let (name, other_name) = match (&field.constant, &other.constant) {
                (None, None) => (Some(field.rust.clone()), Some(other.rust.clone())),
                (Some(_), Some(_)) => (
                    named(&constants.0, &field.wire),
                    named(&constants.1, &other.wire),
                ),
                _ => {
                    let form = |field: &Field| match field.constant {
                        Some(_) => "a constant",
                        None => "a field",
                    };
                    let message = format!(
                        "{} was {} and is {} now",
                        code(&path(old_item, &field.rust)),
                        form(field),
                        form(other)
                    );
                    self.tell(&subject, message, origins, true);
                    continue;
                }
            };
            if let (Some(name), Some(other_name)) = (name, other_name)
                && name != other_name
            {
                let paths = (path(old_item, &name), path(new_item, &other_name));
                let what = if field.constant.is_some() {
                    "constant"
                } else {
                    "field"
                };
                self.renamed(&subject, what, (&paths.0, &paths.1), origins);
            }
            if field.constant.is_some() {
                continue;
            }
            let same = self.types(&field.ty, &other.ty, &subject);
            if !same || field.required != other.required {
                let message = format!(
                    "the field {} was of type {} and is of type {} now",
                    code(&path(old_item, &field.rust)),
                    code(&field_type(&self.old.plan, field)),
                    code(&field_type(&self.new.plan, other))
                );
                self.tell(&subject, message, origins, true);
            }
        }
        self.constructors(old, new, subject);
        let origins = (old_item.origins.as_slice(), new_item.origins.as_slice());
        match (&was.rest, &is.rest) {
            (Rest::Kept(left), Rest::Kept(right)) => {
                if !self.types(left, right, &subject.map_value()) {
                    self.retyped(
                        &subject.map_value(),
                        "member `extra`",
                        (left, right),
                        origins,
                    );
                }
            }
            (Rest::Refused, Rest::Refused) => {}
            _ => {
                let message = format!(
                    "{} is in the old type or in the new one, and not in both",
                    code(&path(old_item, "extra"))
                );
                self.tell(subject, message, origins, true);
            }
        }
    }

    /// The constructor takes the required members in the order of the schema.
    fn constructors(&mut self, old: (&Item, &Struct), new: (&Item, &Struct), subject: &Subject) {
        let ((old_item, was), (new_item, is)) = (old, new);
        let names = |shape| -> Vec<String> {
            let parameters = structs::parameters(shape).into_iter();
            parameters.map(|field: &Field| field.wire.clone()).collect()
        };
        let (left, right) = (names(was), names(is));
        if left == right {
            return;
        }
        // An argument that came or went belongs to its member; order belongs to the object.
        let one_sided = |of: &Struct, names: &[String], others: &[String]| -> Vec<Origin> {
            let fields = of
                .fields
                .iter()
                .filter(|field| names.contains(&field.wire) != others.contains(&field.wire));
            fields.flat_map(|field| field.origins.0.clone()).collect()
        };
        let moved_old = one_sided(was, &left, &right);
        let moved_new = one_sided(is, &left, &right);
        let reordered = moved_old.is_empty() && moved_new.is_empty();
        let list = |names: &[String]| match names {
            [] => "no arguments".to_owned(),
            names => names.join(", "),
        };
        let message = format!(
            "the constructor {} took {} and takes {} now",
            code(&format!("{}::new", old_item.name)),
            list(&left),
            list(&right)
        );
        let origins: Origins<'_> = match reordered {
            true => (&old_item.origins, &new_item.origins),
            false => (&moved_old, &moved_new),
        };
        self.tell(subject, message, origins, !reordered);
    }
}
