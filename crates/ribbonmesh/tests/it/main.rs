//! The tests, as one program: what they share is compiled and linked once.
#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod attribute_reduce;
mod attribute_values;
mod block_primitives;
mod construction;
mod misuse;
mod patches;
mod per_patch;
mod query_host;
mod query_k_ring;
mod query_oriented;
mod query_queries;
mod query_soup;
mod resident;
