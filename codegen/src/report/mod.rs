//! Findings to text: one model of a report, one file for each format, one table of formats.

mod catalogue;
mod entries;
mod escape;
mod excerpt;
mod formats;
mod github;
mod history;
mod html;
mod human;
mod json;
mod judgement;
mod junit;
mod markdown;
mod model;
mod sarif;
#[cfg(feature = "schemars")]
mod schema;

pub use crate::about::About;
pub use entries::{KINDS, about};
pub use escape::{visible, visible_lines, visible_whole};
pub use formats::{FORMATS, Format, HistoryWriter, View, Writer, format_named};
pub use history::{History, Judged, Size, Step};
use human::summary;
pub use json::json;
pub use model::*;
#[cfg(feature = "schemars")]
pub use schema::json_schema;
