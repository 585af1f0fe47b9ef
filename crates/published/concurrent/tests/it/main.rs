//! Locks, queue and tables: on the host by many threads, on both machines by kernels.
#[path = "../../../../ribbonmesh/tests/common/mod.rs"]
#[macro_use]
mod common;
mod kernels;
mod table;
mod threads;
