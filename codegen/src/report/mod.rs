//! Findings to text: one model of a report, one file for each format.

mod escape;
mod human;
mod json;
mod judgement;
mod model;

pub use escape::{visible, visible_lines, visible_whole};
pub use human::{human, questions, summary};
pub use json::json;
pub use model::*;
