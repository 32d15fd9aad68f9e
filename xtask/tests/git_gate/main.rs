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
mod pairs;
mod policies;
mod records;
mod supersede;
mod support;
