//! Articles as a tree by the names of the elements they are about, each branch of it foldable.

use super::text;
use std::collections::BTreeMap;

/// Deeper names stay in one, so that no page is nested beyond what browsers take.
const DEPTH: usize = 6;

/// A branch.
#[derive(Default)]
pub(super) struct Tree {
    articles: Vec<String>,
    below: BTreeMap<String, Tree>,
}

impl Tree {
    /// Adds an article about an element, named as `result.usage.cache_read`.
    pub(super) fn add(&mut self, subject: &str, article: String) {
        let mut branch = self;
        if !subject.is_empty() {
            for name in subject.splitn(DEPTH, '.') {
                branch = branch.below.entry(name.to_owned()).or_default();
            }
        }
        branch.articles.push(article);
    }

    /// Writes it; what concerns an element stands before what concerns its parts.
    pub(super) fn write(&self, out: &mut String) {
        for article in &self.articles {
            out.push_str(article);
        }
        for (name, branch) in &self.below {
            let (name, branch) = branch.past_single_steps(name);
            out.push_str(&format!(
                "<details open>\n<summary><code>{}</code> ({})</summary>\n",
                text(&name),
                branch.count()
            ));
            branch.write(out);
            out.push_str("</details>\n");
        }
    }

    /// A branch that only leads to one other is no branch to a reader.
    fn past_single_steps(&self, name: &str) -> (String, &Self) {
        let (mut name, mut branch) = (name.to_owned(), self);
        while branch.articles.is_empty() && branch.below.len() == 1 {
            for (next, below) in &branch.below {
                name = format!("{name}.{next}");
                branch = below;
            }
        }
        (name, branch)
    }

    fn count(&self) -> usize {
        let below: usize = self.below.values().map(Self::count).sum();
        self.articles.len() + below
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn elements_stand_below_what_they_belong_to() {
        let mut tree = Tree::default();
        tree.add("result.usage.a", "<A>".to_owned());
        tree.add("result.usage.b", "<B>".to_owned());
        tree.add("", "<root>".to_owned());
        let mut out = String::new();
        tree.write(&mut out);
        assert_eq!(
            out.replace('\n', ""),
            "<root><details open><summary><code>result.usage</code> (2)</summary>\
             <details open><summary><code>a</code> (1)</summary><A></details>\
             <details open><summary><code>b</code> (1)</summary><B></details></details>"
        );
    }

    #[test]
    fn a_name_of_a_thousand_parts_is_no_thousand_branches() {
        let mut tree = Tree::default();
        tree.add(&"a.".repeat(1000), String::new());
        tree.add(&"a.b.".repeat(1000), String::new());
        let mut out = String::new();
        tree.write(&mut out);
        assert!(out.matches("<details").count() < 12);
    }
}
