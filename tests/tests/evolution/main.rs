//! The gate's fixtures: `tests/evolution/<rule>/<case>/` holds two revisions and what their comparison must say.
//!
//! Every case is data through [`case::check`]; [`catalogue`] polices that rules and folders agree.
//! `UPDATE_EXPECTED=1` rewrites each `expected.json`, to be read before it is accepted.

mod case;
mod catalogue;
mod laws;

use case::Case;
use libtest_mimic::{Arguments, Trial};
use std::sync::Arc;

fn main() {
    let cases: Arc<Vec<Case>> = Arc::new(case::all());
    let mut trials = Vec::new();
    for index in 0..cases.len() {
        let one = Arc::clone(&cases);
        let waits = catalogue::waits(&one[index]);
        let trial = Trial::test(one[index].id(), move || {
            case::check(&one[index]).map_err(Into::into)
        });
        // What waits shows as ignored, so that it is seen and not taken for passed.
        trials.push(trial.with_ignored_flag(waits));
    }
    for (name, property) in catalogue::PROPERTIES {
        let all = Arc::clone(&cases);
        trials.push(Trial::test(format!("catalogue::{name}"), move || {
            outcome(property(&all))
        }));
    }
    for (name, law) in laws::LAWS {
        let all = Arc::clone(&cases);
        trials.push(Trial::test(format!("laws::{name}"), move || {
            outcome(all.iter().flat_map(law).collect())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// All faults at once, because the second one is found no sooner by hiding it behind the first.
fn outcome(faults: Vec<String>) -> Result<(), libtest_mimic::Failed> {
    if faults.is_empty() {
        return Ok(());
    }
    Err(faults.join("\n").into())
}
