//! One count over all revisions as a line, which is readable without its table and without a script.

use super::super::{History, Outcome, Size};
use super::text;

const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 60.0;
/// Room for the marks at the ends.
const EDGE: f64 = 6.0;
/// With more revisions than this, a mark for each would be a band.
const MARKS: usize = 60;

/// Writes the chart of the count at that place among those of [`Size::counts`].
pub(super) fn chart(history: &History, column: usize, out: &mut String) {
    let counts: Vec<Option<usize>> = history
        .steps
        .iter()
        .map(|step| step.size.map(|size| size.counts()[column].0))
        .collect();
    let known: Vec<usize> = counts.iter().flatten().copied().collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return;
    };
    let (_, _, name) = Size::default().counts()[column];
    let low = known.iter().min().unwrap_or(first);
    let high = known.iter().max().unwrap_or(last);
    let point = |index: usize, count: usize| {
        let x = share(index, counts.len() - 1, WIDTH);
        let y = HEIGHT - share(count - low, high - low, HEIGHT);
        (x, y)
    };
    let mut line = String::new();
    let mut marks = String::new();
    // A revision that cannot be read is marked where the line was before it.
    let mut height = *first;
    for (index, (count, step)) in counts.iter().zip(&history.steps).enumerate() {
        let (x, y) = point(index, count.unwrap_or(height));
        if let Some(count) = count {
            // What a revision brings is there from that revision on, so the line goes by steps.
            let (_, before) = point(index, height);
            line.push_str(&format!("{x:.1},{before:.1} {x:.1},{y:.1} "));
            height = *count;
        }
        let is_accepted = step.step.outcome() == Some(Outcome::Accepted);
        if is_accepted && counts.len() > MARKS {
            continue;
        }
        let class = if is_accepted { "accepted" } else { "refused" };
        let said = count.map_or("cannot be read".to_owned(), |count| {
            format!("{count} {name}")
        });
        marks.push_str(&format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{}: {said}</title></circle>\n",
            text(&step.revision)
        ));
    }
    let range = match first == last {
        true => last.to_string(),
        false => format!("{first} → {last}"),
    };
    out.push_str(&format!(
        "<figure>\n<figcaption>{name} <strong>{range}</strong></figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{name} over {} revisions: {range}\">\n\
         <polyline points=\"{}\"/>\n{marks}</svg>\n</figure>\n",
        counts.len(),
        line.trim_end()
    ));
}

/// Where a part of a whole lies between the edges; in the middle where there is no whole.
fn share(part: usize, whole: usize, length: f64) -> f64 {
    let inner = length - 2.0 * EDGE;
    // Counts of declarations are far below what a float holds exactly.
    match whole {
        0 => length / 2.0,
        whole => EDGE + inner * part as f64 / whole as f64,
    }
}
