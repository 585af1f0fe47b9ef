//! The lattice around a surface.
use super::error::{Result, TetrahedraError};
use super::options::CellSize;
use crate::tetrahedra::device::lattice::Lattice;
use glam::DVec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_mesh::BoundingBox;

/// The lattice, and its units relative to those of the surface.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The lattice.
    pub lattice: Lattice,
    /// The length of its sides.
    pub side: f32,
    /// Position of its origin, relative to that of the surface.
    pub centre: DVec3,
    /// Number of bits of the positions of cuts on edges; with these all coordinates are exact in single
    /// precision.
    pub depth: u32,
}

/// Bytes per site during a run.
const OF_SITE: u64 = 22;
/// Bytes per tetrahedron: four vertices, and its share of vertices and measures.
const OF_CELL: u64 = 38;
/// Most sites along an axis.
const MOST: f64 = 8192.0;

impl Placed {
    /// Makes the lattice around a box, with cells of a size, for a surface that encloses a volume.
    pub fn new(device: &Device, around: &BoundingBox, volume: f64, size: CellSize) -> Result<Self> {
        let wanted = match size {
            CellSize::Length(length) => length,
            CellSize::Cells(0) => {
                let expected = "1 or more";
                return Err(Error::Option { option: "cells", value: "0".into(), expected }.into());
            }
            // a cube of the lattice has twelve tetrahedra
            CellSize::Cells(cells) => match (12.0 * volume.abs() / cells as f64).cbrt() {
                length if length > 0.0 => length,
                _ => return Err(TetrahedraError::NoVolume),
            },
        };
        let side = wanted as f32;
        if !(side.is_normal() && side > 0.0) {
            let expected = "a positive number that single precision has";
            return Err(Error::Option { option: "size", value: wanted.to_string(), expected }.into());
        }
        let along = around.size() / f64::from(side);
        let of = |axis: usize| along[axis].ceil() + 4.0;
        // a single dimension may be too large already
        let sites = 2.0 * of(0) * of(1) * of(2);
        let cells = 12.0 * volume.abs() / f64::from(side).powi(3);
        let needed = sites * OF_SITE as f64 + cells * OF_CELL as f64;
        let limit = f64::from(u32::MAX / 2);
        device.check_room(sites as u64, "points of the lattice at this size of cells", needed as u64)?;
        if sites > limit || [0, 1, 2].iter().any(|&axis| of(axis) > MOST) {
            let what = "points of the lattice at this size of cells";
            return Err(Error::TooMany { what, count: sites as u64, limit: limit as u64 }.into());
        }
        let size = [0, 1, 2].map(|axis| of(axis) as u32);
        let most = size.iter().max().copied().unwrap_or(4) / 2 + 1;
        // whole numbers, a half for centres, and half a part of half an edge make 24 bits
        let depth = (22 - (u32::BITS - most.leading_zeros())).min(16);
        Ok(Self { lattice: Lattice { size }, side, centre: around.middle(), depth })
    }
}
