//! Triangle meshes larger than memory, from file to file.
//!
//! A file is read in pieces and never held as a whole. Its faces are cut into tiles of a bounded size along a
//! Hilbert curve, which lie on disk. Each tile is simplified by itself while its border
//! stays; then the rest is cut into other tiles, across the old borders, and so on until the rest fits into
//! memory or has as many faces as are wanted. [`simplify`] does all of it.
//!
//! The result depends on the input and on the options of [`SimplifyTiles`] alone: not on workers, on the
//! order in which they finish, or on interruptions. A run that was killed goes on from its folder.
#![forbid(unsafe_code)]

mod blame;
mod blocks;
mod curve;
mod cut;
mod disk;
mod error;
mod frame;
mod gather;
mod join;
mod level;
mod manifest;
mod output;
mod plan;
mod results;
#[cfg(test)]
mod seams;
mod simplify;
mod spill;
mod work;

pub use error::{Result, TilesError};
pub use manifest::LevelReport;
pub use plan::{FEWEST_FACES, LEAST_MEMORY, SLOTS};
pub use simplify::{SimplifyTiles, TilesReport, simplify};
