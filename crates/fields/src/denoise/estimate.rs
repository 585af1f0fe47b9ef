//! Estimate of the noise of a mesh.
//!
//! The method follows estimates of the noise of pictures: by the median of their finest wavelet coefficients
//! (Donoho and Johnstone 1994), or by differences in which the picture's own shape cancels (Immerkær 1996).
//! Two kinds of differences of positions are divided by their standard deviation for noise of 1, and a
//! quantile of their absolute values gives the standard deviation of the noise. Features are few, so a
//! quantile does not see them. Offsets between faces at an edge are 0 on flat and developable parts, however
//! few vertices these have. Differences of a vertex's difference from those of its neighbours are small on
//! smooth surfaces.
use crate::denoise::adjacency::Adjacency;
use crate::denoise::choice::LEAST_NOISE;
use crate::denoise::measuring::{Differences, NO_SAMPLE, SampleDifferences, SampleFolds, SideLengths};
use crate::denoise::stairs::are_stairs;
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Result, array};

/// The noise of positions, in their units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Mean length of the faces' sides.
    pub mean_edge: f64,
    /// Standard deviation of the noise, by offsets between faces that share an edge.
    pub by_folds: f64,
    /// The same, by differences of a vertex from its neighbours.
    pub by_differences: f64,
    /// Whether the surface is one of voxels.
    pub stairs: bool,
}
impl Noise {
    /// The smaller estimate: the shape of the surface makes both larger. For stairs, the deviation of
    /// rounding to a step, whose error is spread evenly over it (Widrow 1956); a step is about as long as an
    /// edge.
    pub fn deviation(&self) -> f64 {
        match self.stairs {
            true => self.mean_edge / 12_f64.sqrt(),
            false => self.by_folds.min(self.by_differences),
        }
    }
}

/// Estimates the noise of positions. About 70 bytes of memory per face while it works.
pub fn noise(adjacency: &Adjacency, boundary: &Buffer<u32>, x: &Buffer<Vec3>) -> Result<Noise> {
    let device = x.device();
    let (n, faces) = (x.len() as u32, adjacency.view());
    let f = faces.n;
    if f == 0 {
        return Ok(Noise::default());
    }
    let mut lengths = device.unspecified::<f32>(3 * f as usize)?;
    device.launch(tiles(f), SideLengths { faces, x: x.view(), to: lengths.view_mut() })?;
    let mean_edge = array::sum(&lengths)? / (3.0 * f64::from(f));
    drop(lengths);

    let mut samples = device.unspecified::<u64>(3 * f as usize)?;
    device.launch(tiles(f), SampleFolds { faces: adjacency.view(), x: x.view(), to: samples.view_mut() })?;
    let by_folds = quantile(samples, FOLDS)?;

    let mut differences = device.unspecified::<Vec3>(n as usize)?;
    let mut normals = device.unspecified::<Vec3>(n as usize)?;
    let kernel = Differences {
        neighbours: adjacency.neighbours.view(),
        faces: adjacency.view(),
        boundary: boundary.view(),
        x: x.view(),
        to: differences.view_mut(),
        normals: normals.view_mut(),
    };
    device.launch_each(n, kernel)?;
    let mut samples = device.unspecified::<u64>(n as usize)?;
    let kernel = SampleDifferences {
        neighbours: adjacency.neighbours.view(),
        differences: differences.view(),
        normals: normals.view(),
        to: samples.view_mut(),
    };
    device.launch_each(n, kernel)?;
    let by_differences = quantile(samples, DIFFERENCES)?;
    // a first test: flat parts with folds between them. Most meshes fail it
    let least = LEAST_NOISE * mean_edge;
    let stairs = by_folds < least && by_differences > least && are_stairs(adjacency.corners(), x)?;
    Ok(Noise { mean_edge, by_folds, by_differences, stairs })
}

/// A part of the samples, and the number below which this part of the absolute values of standard normal
/// numbers is.
type Quantile = (f64, f64);
const FOLDS: Quantile = (0.25, 0.318_639_4);
const DIFFERENCES: Quantile = (0.5, 0.674_489_8);

/// The standard deviation of normally distributed samples by one of their quantiles; 0 without samples.
fn quantile(mut samples: Buffer<u64>, (part, normal): Quantile) -> Result<f64> {
    array::sort(&mut samples, 32)?;
    // entries without a sample are sorted after the samples
    let (mut low, mut high) = (0, samples.len());
    while low < high {
        let middle = low.midpoint(high);
        if samples.read_range(middle, 1)?[0] < NO_SAMPLE {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if low == 0 {
        return Ok(0.0);
    }
    let bits = samples.read_range(((low as f64 * part) as usize).min(low - 1), 1)?[0];
    Ok(f64::from(f32::from_bits(bits as u32)) / normal)
}
