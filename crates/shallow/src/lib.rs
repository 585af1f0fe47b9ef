//! Shallow water over terrain: floods, dam breaks, lakes with moving shores (Kurganov and Petrova 2007),
//! where only tiles of 16 × 16 cells that hold water or touch it are computed (Mueller-Roemer 2020, 6.3.5).
//!
//! | to | see |
//! |---|---|
//! | describe the ground | [`Terrain`] |
//! | say what happens at its sides, and to the water | [`Options`], [`Sides`], [`Source`] |
//! | simulate | [`Water::new`], [`Water::advance_to`], [`Water::advance_steps`], [`Progress`] |
//! | show it without a copy through the host | [`Water::seen`], [`Seen`] |
//! | know where the water is | [`Water::snapshot`], [`Snapshot`], [`Water::volume`] |
//!
//! ```
//! use ribbonmesh::Device;
//! use ribbonmesh_shallow::{Options, Terrain, Water};
//!
//! # fn main() -> Result<(), ribbonmesh_shallow::ShallowError> {
//! // 40 by 20 cells of 1 m; the water behind a dam in the middle is 2 m deep
//! let terrain = Terrain::new([41, 21], 1.0, vec![0.0; 41 * 21])?;
//! let mut levels = terrain.levels(|_, _| f64::NEG_INFINITY);
//! terrain.fill(&mut levels, [0.0, 0.0], [20.0, 20.0], 2.0);
//! let mut water = Water::new(&Device::auto(), &terrain, &levels, &Options::default())?;
//! let before = water.volume()?;
//! let progress = water.advance_to(3.0)?;
//! assert_eq!(progress.time, 3.0);
//! assert_eq!(water.volume()?, before);
//! let snapshot = water.snapshot()?;
//! // Ritter: 4/9 of the depth where the dam was
//! assert!((snapshot.depths[10 * 40 + 20] - 2.0 * 4.0 / 9.0).abs() < 0.1);
//! # Ok(())
//! # }
//! ```
//!
//! **The same bits** on all machines, whichever tiles are computed. **Heights are whole numbers** of a unit:
//! what leaves a cell arrives in the next one, so that the amount of water does not change.
//!
//! **Does not know** files. `docs/apps/shallow.md` describes the method.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(all(target_arch = "nvptx64", ribbonmesh_own), feature(abi_ptx))]
// what kernels and the host share is the kernels' alone there
#![cfg_attr(target_arch = "nvptx64", allow(dead_code))]

mod device;

#[cfg(not(target_arch = "nvptx64"))]
mod host;
#[cfg(not(target_arch = "nvptx64"))]
pub use host::{
    error::{Result, ShallowError},
    options::{Options, Sides, Source, Tiles},
    progress::Progress,
    seen::Seen,
    snapshot::Snapshot,
    terrain::Terrain,
    water::Water,
};

ribbonmesh::device::ptx!();
