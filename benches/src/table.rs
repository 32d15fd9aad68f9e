//! Rows of measurements, and the two ways of writing them.

use crate::checkers::Said;
use serde::Serialize;
use std::time::Duration;

/// One checker's share of a row.
#[derive(Default, Serialize)]
pub(crate) struct Cell {
    pub(crate) checker: String,
    /// Microseconds of CPU, the median of the rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cpu_us: Option<f64>,
    /// The same for the pair that 95 in a hundred do not exceed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) p95_us: Option<f64>,
    /// Microseconds of CPU within which it came to no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) over_us: Option<f64>,
    /// The most memory its process held, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peak_mib: Option<f64>,
    /// Its two answers, or why it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) said: Option<String>,
}

/// What was measured on one subject.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) part: &'static str,
    pub(crate) subject: String,
    pub(crate) cells: Vec<Cell>,
    /// What the first cell is a multiple of, with the factor.
    pub(crate) ratios: Vec<Ratio>,
}

/// One measurement as a multiple of another.
#[derive(Serialize)]
pub(crate) struct Ratio {
    pub(crate) to: String,
    pub(crate) factor: f64,
    /// Whether the other one was stopped, so that the factor is less than this.
    pub(crate) less: bool,
}

/// Everything of one run.
#[derive(Default, Serialize)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    /// What was left out, and why.
    pub(crate) skipped: Vec<String>,
}

impl Row {
    /// A row whose ratios are those of the first cell to the others, medians to medians.
    pub(crate) fn beside(part: &'static str, subject: String, cells: Vec<Cell>) -> Self {
        let mut ratios = Vec::new();
        if let Some((Some(own), others)) = cells.split_first().map(|(own, rest)| (own.cpu_us, rest))
        {
            for other in others {
                let Some(theirs) = other.cpu_us.or(other.over_us) else {
                    continue;
                };
                ratios.push(Ratio {
                    to: other.checker.clone(),
                    factor: own / theirs,
                    less: other.cpu_us.is_none(),
                });
            }
        }
        Self {
            part,
            subject,
            cells,
            ratios,
        }
    }
}

impl Table {
    /// Notes what is missing where somebody sees it at once.
    pub(crate) fn skip(&mut self, why: String) {
        eprintln!("skipped: {why}");
        self.skipped.push(why);
    }

    /// Writes the table for a reader, or as JSON.
    pub(crate) fn write(&self, as_json: bool) -> anyhow::Result<()> {
        if as_json {
            println!("{}", serde_json::to_string_pretty(self)?);
            return Ok(());
        }
        println!("CPU time of one judgement from two texts, median of the rounds\n");
        println!("| part | subject | checker | median | p95 | peak | backward, forward | ratio |");
        println!("|---|---|---|---|---|---|---|---|");
        for row in &self.rows {
            for (at, cell) in row.cells.iter().enumerate() {
                let ratio = match row.ratios.iter().find(|ratio| ratio.to == cell.checker) {
                    Some(ratio) => {
                        let less = if ratio.less { "less than " } else { "" };
                        format!("wirelock takes {less}{:.3} of it", ratio.factor)
                    }
                    None => match (at, row.ratios.as_slice()) {
                        (0, [ratio]) if ratio.to.starts_with("half") => {
                            format!("{:.2} x {}", ratio.factor, ratio.to)
                        }
                        _ => String::new(),
                    },
                };
                println!(
                    "| {} | {} | {} | {} | {} | {} | {} | {ratio} |",
                    row.part,
                    row.subject,
                    cell.checker,
                    cell.cpu_us.map_or_else(String::new, shown),
                    cell.p95_us.map_or_else(String::new, shown),
                    cell.peak_mib
                        .map_or_else(String::new, |mib| format!("{mib:.0} MiB")),
                    cell.said.as_deref().unwrap_or(""),
                );
            }
        }
        for why in &self.skipped {
            println!("\nskipped: {why}");
        }
        Ok(())
    }
}

fn shown(microseconds: f64) -> String {
    format!("{:.2?}", Duration::from_secs_f64(microseconds / 1e6))
}

/// Microseconds of a duration.
pub(crate) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Both answers in a few words.
pub(crate) fn words(said: [Said; 2]) -> String {
    format!("{}, {}", said[0].word(), said[1].word())
}
