//! Queries whose results are written to memory.
mod boundary;
mod bytes;
mod k_ring;
mod op;
mod result;
mod run;
mod table;

pub use result::{QueryResult, Rows};
pub use table::Op;
