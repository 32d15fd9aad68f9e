//! The catalogue as nested lists, each entry at the element that it is about.

use super::super::catalogue::Kind;
use super::super::entries::{Entry, Weight};
use super::article::Page;
use super::placed::{At, Placed};
use super::text;
use crate::maps::{HashMap, HashSet};
use std::collections::BTreeSet;

/// The most items of a revision on a page. What changed is shown beyond it, with all that it belongs
/// to.
const ITEMS: usize = 4_000;
/// The most items of those that belong to one.
const BESIDE: usize = 250;
/// The most characters of a description.
const DESCRIPTION: usize = 300;

/// Writes the tree.
pub(super) struct Tree<'t, 'r> {
    page: &'t Page<'r>,
    placed: &'t Placed<'r>,
    entries: &'t [Entry<'r>],
    /// Which items of the new revision are shown.
    shown: Vec<bool>,
    /// Which items of the old revision are.
    gone: HashSet<usize>,
    /// Which items some link leads to.
    targets: BTreeSet<usize>,
    /// Which items something happened to, or to something below them.
    touched: Vec<bool>,
    /// Whether there is one item at the top.
    is_alone: bool,
}

impl<'t, 'r> Tree<'t, 'r> {
    pub(super) fn new(
        page: &'t Page<'r>,
        placed: &'t Placed<'r>,
        entries: &'t [Entry<'r>],
    ) -> Self {
        let touched = touched(placed);
        let shown = choose(placed, &touched);
        let items = placed.new.items.iter().zip(&shown);
        let linked = items.filter(|(_, shown)| **shown);
        let targets = linked
            .flat_map(|(item, _)| &item.links)
            .filter(|at| shown[**at])
            .copied()
            .collect();
        Self {
            page,
            placed,
            entries,
            touched,
            gone: placed.gone(within()),
            shown,
            targets,
            is_alone: placed.new.tops().nth(1).is_none(),
        }
    }

    /// How much of the catalogue the tree shows, where that is not all of it.
    pub(super) fn bound(&self) -> Option<(usize, usize)> {
        let shown = self.shown.iter().filter(|shown| **shown).count();
        (shown < self.shown.len()).then_some((shown, self.shown.len()))
    }

    /// Writes the whole tree.
    pub(super) fn write(&self, out: &mut String) {
        out.push_str("<ul class=\"tree\">\n");
        self.list(None, out);
        out.push_str("</ul>\n");
    }

    fn list(&self, at: Option<At>, out: &mut String) {
        let mut hidden = 0;
        for below in self.placed.below(at) {
            match below {
                At::New(at) if !self.shown[at] => hidden += 1,
                At::Gone(at) if !self.gone.contains(&at) => hidden += 1,
                below => self.item(below, out),
            }
        }
        if hidden > 0 {
            out.push_str(&format!("<li class=\"more\">{hidden} more</li>\n"));
        }
    }

    fn item(&self, at: At, out: &mut String) {
        let Some(item) = self.placed.item(at) else {
            return;
        };
        let id = match at {
            At::New(at) if self.targets.contains(&at) => format!(" id=\"e{at}\""),
            _ => String::new(),
        };
        let mut classes = Vec::new();
        if matches!(at, At::Gone(_)) {
            classes.push("gone");
        }
        let numbers = self.placed.entries_at(at);
        let mut marks = String::new();
        for mark in self.marks(at, numbers) {
            marks.push_str(&format!(
                " <span class=\"mark {}\">{}</span>",
                mark.1, mark.0
            ));
            if mark.0 == "added" {
                classes.push("added");
            }
        }
        let class = match classes.join(" ") {
            classes if classes.is_empty() => classes,
            classes => format!(" class=\"{classes}\""),
        };
        let head = format!("{}{marks}", self.head(at));
        let mut body = String::new();
        if let Some(description) = item.description() {
            body.push_str(&format!("<p>{}</p>\n", text(&cut(description))));
        }
        for number in numbers {
            let id = format!("f{number}");
            body.push_str(&self.page.article(&self.entries[*number], &id));
        }
        let mut below = String::new();
        self.list(Some(at), &mut below);
        if below.is_empty() {
            out.push_str(&format!(
                "<li{id}{class}>\n<div>{head}</div>\n{body}</li>\n"
            ));
            return;
        }
        let open = match self.opens(at) {
            true => " open",
            false => "",
        };
        out.push_str(&format!(
            "<li{id}{class}>\n<details{open}>\n<summary>{head}</summary>\n{body}<ul>\n{below}</ul>\n</details>\n</li>\n"
        ));
    }

    /// The name, what may stand there, and where that is told.
    fn head(&self, at: At) -> String {
        let Some(item) = self.placed.item(at) else {
            return String::new();
        };
        let name = text(&item.name);
        let name = match at {
            At::New(_) => format!("<code>{name}</code>"),
            At::Gone(_) => format!("<del><code>{name}</code></del>"),
        };
        let mut words = vec![match item.kind {
            Kind::Root | Kind::Rest => String::new(),
            Kind::Variant => "variant".to_owned(),
            Kind::CatchAll => "what no other variant takes".to_owned(),
            Kind::Field { required: true } => "required".to_owned(),
            Kind::Field { required: false } => "optional".to_owned(),
            Kind::Value => "value".to_owned(),
            Kind::Continued => "continued from below".to_owned(),
        }];
        words.insert(0, self.placed.words(at));
        if item.docs.deprecated {
            words.push("deprecated".to_owned());
        }
        words.retain(|word| !word.is_empty());
        let mut out = format!(
            "{name} <span class=\"type\">{}</span>",
            text(&words.join(", "))
        );
        if let Some(number) = self.placed.gone_by(at)
            && !self.placed.entries_at(at).contains(&number)
        {
            let id = text(&self.entries[number].id);
            out.push_str(&format!(
                " <a href=\"#f{number}\">see <code>{id}</code></a>"
            ));
        }
        if matches!(at, At::New(_)) {
            for home in &item.links {
                let Some(target) = self.placed.item(At::New(*home)) else {
                    continue;
                };
                let name = text(&target.name);
                out.push_str(&match self.shown[*home] {
                    true => format!(" <a href=\"#e{home}\">see <code>{name}</code></a>"),
                    false => format!(" see <code>{name}</code>"),
                });
            }
        }
        out
    }

    /// What happened to an item, in a word and the class that colours it.
    fn marks(&self, at: At, numbers: &[usize]) -> Vec<(&'static str, &'static str)> {
        let mut marks = Vec::new();
        // What went with something that is gone needs no word of its own.
        if self.placed.gone_by(at).is_some() {
            marks.push(("removed", "error"));
        }
        for number in numbers {
            let entry = &self.entries[*number];
            let mark = match (entry.kind, entry.weight) {
                ("additive", _) => ("added", "good"),
                ("editorial", _) => ("edited", "note"),
                ("breaking", Weight::Error) => ("refused", "error"),
                ("breaking", _) if entry.covered_by.is_some() => ("covered", "warning"),
                ("missing golden", _) => ("no golden", super::article::class(entry.weight)),
                (kind, weight) => (kind, super::article::class(weight)),
            };
            if !marks.contains(&mark) {
                marks.push(mark);
            }
        }
        marks
    }

    /// Whether an item is unfolded at first: where something happened to it or below it.
    fn opens(&self, at: At) -> bool {
        match at {
            At::New(at) => self.touched[at] || (at == 0 && self.is_alone),
            At::Gone(_) => false,
        }
    }
}

/// The items that something happened to, with all that these belong to.
fn touched(placed: &Placed<'_>) -> Vec<bool> {
    let items = &placed.new.items;
    let mut touched = vec![false; items.len()];
    for at in placed.touched() {
        let mut around = Some(at);
        while let Some(at) = around.filter(|at| !touched[*at]) {
            touched[at] = true;
            around = items[at].parent;
        }
    }
    touched
}

/// Which items are shown: what was touched, then what is nearest the root.
fn choose(placed: &Placed<'_>, touched: &[bool]) -> Vec<bool> {
    let items = &placed.new.items;
    let mut shown = touched.to_vec();
    let mut fits = within();
    for (at, item) in items.iter().enumerate() {
        let parent = item.parent.unwrap_or(items.len());
        let is_open = item.parent.is_none_or(|parent| shown[parent]);
        // What was touched is shown beyond the bound, and counts all the same.
        shown[at] = is_open && fits(parent) || shown[at];
    }
    shown
}

/// Whether one more item below a parent is within the bounds of a page.
fn within() -> impl FnMut(usize) -> bool {
    let mut left = ITEMS;
    let mut beside: HashMap<usize, usize> = HashMap::default();
    move |parent| {
        let count = beside.entry(parent).or_default();
        if *count == BESIDE || left == 0 {
            return false;
        }
        *count += 1;
        left -= 1;
        true
    }
}

/// A description on one line, without its end where it is long.
fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(DESCRIPTION) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
