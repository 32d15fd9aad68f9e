//! The gate end to end: a real repository, the real binary, and what it answers.

mod adr;
mod baseline;
mod beside;
mod changes;
mod damage;
mod executed;
mod formats;
mod generate;
mod goldens;
mod guards;
mod input;
mod odd_files;
#[cfg(unix)]
mod outside;
mod pairs;
mod policies;
mod records;
mod report_schema;
mod supersede;
mod support;
#[cfg(unix)]
mod workflow;
