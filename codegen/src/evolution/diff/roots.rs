//! Where reading starts: the document's root, or definition by definition where that says nothing.

use super::Differ;
use crate::evolution::Level;
use crate::evolution::equal::Mode;
use crate::wire::{Root, Subject};

impl Differ<'_> {
    pub(super) fn roots(&mut self) {
        let (old, new) = (self.old, self.new);
        if let ([before], [after]) = (old.roots.as_slice(), new.roots.as_slice())
            && before.name.is_none()
            && after.name.is_none()
        {
            let at = (Some(&before.origin), Some(&after.origin));
            self.visit(before.node, after.node, Subject::document(), at);
            return;
        }
        // A root that starts or stops saying anything is compared with what was free before.
        fn rooted(roots: &[Root]) -> Option<&Root> {
            roots.iter().find(|root| root.name.is_none())
        }
        if let Some(before) = rooted(&old.roots) {
            let any = crate::wire::Wire::ANY;
            let at = (Some(&before.origin), None);
            self.visit(before.node, any, Subject::document(), at);
            return;
        }
        if let Some(after) = rooted(&new.roots) {
            let message = "the root, which said nothing, now constrains every document".to_owned();
            let first = old.roots.first().map(|root| &root.origin);
            self.claim(
                "freeform-structured",
                &Subject::document(),
                first,
                Some(&after.origin),
                message,
            );
            return;
        }
        let is_in =
            |roots: &[Root], name: &Option<String>| roots.iter().any(|root| root.name == *name);
        for before in &old.roots {
            if let Some(after) = new.roots.iter().find(|root| root.name == before.name) {
                let at = (Some(&before.origin), Some(&after.origin));
                self.visit(before.node, after.node, Subject::root(before), at);
            }
        }
        let removed: Vec<&Root> = old
            .roots
            .iter()
            .filter(|root| !is_in(&new.roots, &root.name))
            .collect();
        let mut added: Vec<&Root> = new
            .roots
            .iter()
            .filter(|root| !is_in(&old.roots, &root.name))
            .collect();
        let references = old.roots.iter().any(|root| root.referenced);
        for before in removed {
            let subject = Subject::root(before);
            let twin = added
                .iter()
                .position(|after| self.same(before.node, after.node, Mode::ButFormat));
            if let Some(index) = twin {
                let after = added.remove(index);
                let message = format!(
                    "the definition {subject} is now called {}",
                    Subject::root(after)
                );
                self.claim(
                    "definition-renamed",
                    &subject,
                    Some(&before.origin),
                    Some(&after.origin),
                    message,
                );
                let at = (Some(&before.origin), Some(&after.origin));
                self.visit(before.node, after.node, subject, at);
                continue;
            }
            // A helper that nothing referred to, in a schema that does refer to definitions, was
            // at no place of a document.
            let unused = references && !before.referenced;
            let level = if unused {
                Level::Editorial
            } else {
                Level::Breaking
            };
            let message = format!(
                "the definition {subject} was removed{}",
                if unused {
                    "; nothing referred to it"
                } else {
                    ""
                }
            );
            self.claim_at(
                level,
                ("definition-removed", &subject),
                Some(&before.origin),
                None,
                message,
                None,
            );
        }
        for after in added {
            let subject = Subject::root(after);
            self.claim(
                "definition-added",
                &subject,
                None,
                Some(&after.origin),
                format!("the definition {subject} is new"),
            );
        }
    }
}
