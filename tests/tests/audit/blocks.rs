//! A recording in blocks, however it is cut, is reported as it is in one.

use super::{contract, told};
use std::path::Path;
use wirelock_codegen::audit::{Audit, Options, Part};
use wirelock_tests::Chance;

/// The findings of a recording that is cut behind the line ends at those offsets.
fn cut(
    audit: &Audit,
    recording: &[u8],
    ends: &[usize],
) -> (Vec<String>, wirelock_codegen::audit::Totals) {
    let mut all = Vec::new();
    let mut out = |finding| all.push(finding);
    let mut run = audit.recording();
    let mut start = 0;
    for end in ends.iter().copied().chain([recording.len()]) {
        let part = Part {
            first: start == 0,
            last: end == recording.len(),
        };
        if end > start || part.last {
            run.add(audit.block(&recording[start..end], part), &mut out);
        }
        start = end;
    }
    let totals = run.finish(&mut out);
    (all.iter().map(told).collect(), totals)
}

#[test]
fn blocks_change_nothing() {
    let goldens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema/golden");
    let mut recording = b"\xEF\xBB\xBF".to_vec();
    let mut files: Vec<_> = std::fs::read_dir(goldens)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|own| own == "jsonl"))
        .collect();
    files.sort();
    for file in files {
        recording.extend(std::fs::read(file).expect("a golden"));
    }
    for many_runs in [false, true] {
        let audit = contract(&Options {
            strict: true,
            many_runs,
            ..Options::default()
        });
        let mut chance = Chance::new(3);
        for round in 0..60 {
            let mut broken = recording.clone();
            for _ in 0..round % 4 {
                let at = chance.below(broken.len());
                broken[at] = *chance.one(b"\n\r\x1b{}\",x7\xff");
            }
            let newlines: Vec<usize> = (0..broken.len())
                .filter(|at| broken[*at] == b'\n' && chance.once_in(8))
                .map(|at| at + 1)
                .collect();
            let whole = cut(&audit, &broken, &[]);
            assert_eq!(cut(&audit, &broken, &newlines), whole, "round {round}");
            assert_eq!(
                whole.1.lines,
                broken.iter().filter(|byte| **byte == b'\n').count() as u64
                    + u64::from(broken.last() != Some(&b'\n'))
            );
        }
    }
}
