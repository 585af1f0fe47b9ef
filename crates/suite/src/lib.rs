//! Shared code of the test suites, without kernels.
//!
//! | to | see |
//! |---|---|
//! | write a test once for both machines | [`suite!`], [`gpu_tests!`] |
//! | do less under a sanitizer | [`cases`], [`size`], [`sanitized`] |
//! | get meshes of every class | [`meshes`], [`forms`], [`solids`], [`dynamic::manifolds`] |
//! | check queries against brute force | [`ids`], [`check`], [`adjacency`] |
//! | check a dynamic mesh, and its patches | [`dynamic`] |
//! | check the surface that an application returns | [`checked`], [`distance`] |
//! | get numbers that look random | [`Random`] |
//! | open a page in a browser | [`browser::Browser`] |
pub mod adjacency;
pub mod browser;
pub mod check;
pub mod checked;
pub mod distance;
pub mod dynamic;
pub mod forms;
pub mod ids;
mod machines;
pub mod meshes;
mod random;
pub mod solids;

pub use checked::Checked;
pub use machines::{cases, cpu, cuda, sanitized, size};
pub use random::Random;
pub use ribbonmesh::Device;
