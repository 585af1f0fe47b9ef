//! Triangle meshes larger than memory, from file to file.
//!
//! A file is read in pieces and never held as a whole. Its faces are cut into tiles of a bounded size along a
//! Hilbert curve, which lie on disk. Each tile is simplified by itself while its border
//! stays; then the rest is cut into other tiles, across the old borders, and so on until the rest fits into
//! memory or has as many faces as are wanted. [`simplify`] does all of it.
//!
//! The result depends on the input and on the options of [`SimplifyTiles`] alone: not on workers, on the
//! order in which they finish, or on interruptions. A run that was killed goes on from its folder.
//!
//! [`lod`] makes levels of detail of a mesh in memory.
#![forbid(unsafe_code)]

mod blame;
mod blocks;
mod curve;
mod cut;
mod defects;
mod deviate;
mod disk;
mod distance;
mod encode;
mod error;
mod even;
mod figures;
mod frame;
mod gather;
mod goals;
mod halo;
mod input;
mod job;
mod join;
mod kept;
mod lengths;
mod level;
mod linked;
pub mod lod;
mod look_up;
mod manifest;
mod measure;
mod normals;
mod output;
mod plan;
mod project;
mod remesh;
mod render;
mod repair;
mod report;
mod results;
mod run;
mod scatter;
#[cfg(test)]
mod seams;
mod sides;
mod simplify;
mod spill;
mod spread;
mod streaming;
mod task;
mod weld;
mod work;

pub use distance::distance;
pub use error::{Bound, Result, TilesError};
pub use figures::Figures;
pub use job::Job;
pub use level::Sizes;
pub use manifest::LevelReport;
pub use normals::{NormalsReport, normals};
pub use plan::{FEWEST_FACES, LEAST_MEMORY, SLOTS};
pub use remesh::{RemeshTiles, remesh};
pub use render::{Shot, render};
pub use repair::{RepairTilesReport, repair};
pub use report::TilesReport;
pub use ribbonmesh_fields::normals::Weight;
pub use ribbonmesh_remeshing::remesh::{Adaptive, Boundary, GaveUp, Length, Weights};
pub use ribbonmesh_remeshing::simplify::Target;
pub use ribbonmesh_solid::repair::RepairOptions;
pub use run::Run;
pub use simplify::{SimplifyTiles, simplify};
pub use spread::Spread;
pub use streaming::{ConvertReport, Streaming, convert, info};
pub use task::work_on;
