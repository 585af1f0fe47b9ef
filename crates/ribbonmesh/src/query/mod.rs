//! Queries whose results are written to memory.
mod boundary;
mod bytes;
mod k_ring;
mod op;
mod result;
mod run;

pub use op::Op;
pub use result::{QueryResult, Rows};
