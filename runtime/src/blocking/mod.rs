//! Streams over [`std::io`]: files, pipes, and the standard output of a producer.

mod producer;
mod reader;
mod writer;

pub use producer::{Cause, Producer};
pub use reader::ItemReader;
pub use writer::{ItemWriter, Written};
