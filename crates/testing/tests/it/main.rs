//! The tests, as one program: their shared code is compiled and linked once.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;

mod surface_columns;
mod surface_follow;
mod surface_keep;
mod surface_order;
mod surface_seams;
mod trial_broken;
mod trial_passes;
mod trial_sequences;
