//! Measures of the shapes of tetrahedra.
use crate::tetrahedra::device::quality::Measure;
use glam::Vec3;
use ribbonmesh::{Buffer, Result};

/// Bins of [`Quality::smallest`] and [`Quality::largest`].
pub const BINS: usize = 18;

/// Dihedral angles of tetrahedra, in degrees, and volumes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Number of tetrahedra.
    pub tetrahedra: u64,
    /// The smallest angle of all; 0 without tetrahedra.
    pub least: f64,
    /// The largest angle of all; 0 without tetrahedra.
    pub greatest: f64,
    /// Number of tetrahedra whose smallest angle is between 0 and 10 degrees, 10 and 20, and so on.
    pub smallest: [u64; BINS],
    /// Number of tetrahedra by their largest angle, in the same bins.
    pub largest: [u64; BINS],
    /// The mean of the smallest angles.
    pub mean_smallest: f64,
    /// Tetrahedra whose volume is 0 or negative.
    pub inverted: u64,
    /// The sum of the volumes, in the units of the positions.
    pub volume: f64,
}

/// Measures tetrahedra. One launch; the result is summed on the host, in the order of the cells.
/// # Errors
/// [`Error::TooMany`](ribbonmesh::Error::TooMany); [`Error::OutOfBounds`](ribbonmesh::Error::OutOfBounds) for
/// a vertex that does not exist; out of memory; errors of the driver.
pub fn quality(positions: &Buffer<Vec3>, cells: &Buffer<[u32; 4]>) -> Result<Quality> {
    let (device, n) = (cells.device(), cells.len());
    let mut least = device.unspecified::<f32>(n)?;
    let mut greatest = device.unspecified::<f32>(n)?;
    let mut volumes = device.unspecified::<f64>(n)?;
    let kernel = Measure {
        x: positions.view(),
        cells: cells.view(),
        least: least.view_mut(),
        greatest: greatest.view_mut(),
        volumes: volumes.view_mut(),
    };
    device.launch_each(n as u32, kernel)?;
    let (least, greatest, volumes) = (least.read()?, greatest.read()?, volumes.read()?);
    let ends = |angles: &[f32]| {
        let mut bins = [0; BINS];
        for angle in angles {
            bins[((angle / 10.0) as usize).min(BINS - 1)] += 1;
        }
        bins
    };
    let extreme = |pick: fn(f32, f32) -> f32, angles: &[f32]| {
        angles.iter().copied().reduce(pick).map_or(0.0, f64::from)
    };
    let mean = least.iter().map(|&a| f64::from(a)).sum::<f64>() / n.max(1) as f64;
    Ok(Quality {
        tetrahedra: n as u64,
        least: extreme(f32::min, &least),
        greatest: extreme(f32::max, &greatest),
        smallest: ends(&least),
        largest: ends(&greatest),
        mean_smallest: mean,
        inverted: volumes.iter().filter(|&&v| v <= 0.0).count() as u64,
        volume: volumes.iter().sum(),
    })
}
