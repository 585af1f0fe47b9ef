//! The tests, as one program: their shared code is compiled and linked once.
#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../support/mod.rs"]
mod support;

mod analysis;
mod array;
mod attribute_reduce;
mod attribute_values;
mod block_primitives;
mod bvh_closest;
mod bvh_distance;
mod construction;
mod device_scalars;
mod dynamic_classic;
mod dynamic_exact;
mod dynamic_growth;
mod dynamic_patches;
mod features;
mod flat;
mod foreign;
mod forms;
mod misuse;
mod patches;
mod per_patch;
mod query_host;
mod query_k_ring;
mod query_oriented;
mod query_queries;
mod query_soup;
mod resident;
mod snapshots;
