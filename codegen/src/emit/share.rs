//! How much of a schema each way of typing took: `typify`, the wire view, or none.

use super::Untyped;
use super::leaf;
use super::plan::{Kind, Plan, Type};

/// Counts of named types, and of the places (members, elements, variants, roots) that mention one.
///
/// ```
/// use wirelock_codegen::{emit, wire};
/// let text = r#"{"title":"T","type":"object","properties":{
///     "n":{"type":"integer"},"s":{"type":"string"},"any":true,"t":{"prefixItems":[{"type":"string"}],"type":"array"}}}"#;
/// let wire = wire::read("t.json", text).unwrap();
/// let share = emit::rust(&wire, &emit::Options::new("t.json", "")).unwrap().share;
/// assert_eq!((share.lowered_types, share.typify_types), (1, 0));
/// // `n`; `s`; `any` and the members that are not declared; `t`, which no type fits.
/// assert_eq!((share.typify, share.plain, share.free, share.values), (1, 1, 2, 1));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Share {
    /// Named types that `typify` made: closed enums and constrained strings.
    pub typify_types: usize,
    /// Named types written from the wire view: objects, unions, open enums, several JSON types at
    /// one place, and leaves that `typify` refused.
    pub lowered_types: usize,
    /// Places whose type `typify` chose or made.
    pub typify: usize,
    /// Places of a type written from the wire view.
    pub lowered: usize,
    /// Places of a plain type: a text, a boolean, a number that keeps its digits, `null`.
    pub plain: usize,
    /// Places where the schema lets anything stand, so that a JSON value says all of it.
    pub free: usize,
    /// Places that are a JSON value because no Rust type fits; [`super::Emitted::untyped`] lists them.
    pub values: usize,
}

impl Share {
    pub(super) fn of(plan: &Plan, untyped: &[Untyped]) -> Self {
        let by_typify: Vec<bool> = plan
            .items
            .iter()
            .map(|item| match &item.kind {
                Kind::ClosedEnum(values) => leaf::closed_enum(&item.name, values).is_some(),
                Kind::Text(facts) => leaf::text(&item.name, facts).is_some(),
                _ => false,
            })
            .collect();
        let mut share = Self::default();
        for by_typify in &by_typify {
            share.typify_types += usize::from(*by_typify);
            share.lowered_types += usize::from(!by_typify);
        }
        let mut json = 0;
        let items = plan.items.iter().cloned().map(|item| item.kind);
        for mut kind in items {
            // A member with one possible value has no type, only a constant.
            if let Kind::Struct(shape) = &mut kind {
                shape.fields.retain(|field| field.constant.is_none());
            }
            for ty in kind.types() {
                share.place(ty, &by_typify, &mut json);
            }
        }
        for root in &plan.roots {
            share.place(&root.ty, &by_typify, &mut json);
        }
        share.values = untyped
            .iter()
            .filter(|place| place.is_value)
            .count()
            .min(json);
        share.free = json - share.values;
        share
    }

    fn place(&mut self, ty: &Type, by_typify: &[bool], json: &mut usize) {
        match ty {
            Type::Json | Type::JsonObject => *json += 1,
            Type::Integer(..) => self.typify += 1,
            Type::Never | Type::Null | Type::Bool | Type::String | Type::Number(..) => {
                self.plain += 1
            }
            Type::Named(id) => match by_typify.get(id.0) {
                Some(true) => self.typify += 1,
                _ => self.lowered += 1,
            },
            Type::Tuple(places) => places
                .iter()
                .for_each(|place| self.place(place, by_typify, json)),
            Type::OneOf(_, inner)
            | Type::List(inner, ..)
            | Type::Map(inner)
            | Type::Nullable(inner)
            | Type::Boxed(inner) => self.place(inner, by_typify, json),
        }
    }

    /// All places.
    #[must_use]
    pub fn places(&self) -> usize {
        self.typify + self.lowered + self.plain + self.free + self.values
    }
}
