//! Functions of vertices that a spectrum tells.
use super::spectrum::Spectrum;
use crate::device::functions::{SpectralDistance, WeightedSquares};
use ribbonmesh::{Buffer, Error, Result};
use ribbonmesh_application::Choice;
use serde::Serialize;

/// A distance in the space of eigenfunctions.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Distance {
    /// Differences of all functions, each by its eigenvalue (Lipman, Rustamov and Funkhouser 2010): near a
    /// vertex as the geodesic distance, far from it as the surface is as a whole. In the units of an area by
    /// a length.
    #[default]
    Biharmonic,
    /// Differences by the root of the eigenvalue: how long a random walk takes there and back. Without a
    /// unit.
    Commute,
}

/// Eigenvalues below this part of the greatest are 0.
const ZERO: f64 = 1e-12;
/// Widths of a wave's window in steps of energies (Aubry, Schlickewei and Cremers 2011).
const WINDOW: f64 = 7.0;

impl Spectrum {
    /// The heat that stays at each vertex (Sun, Ovsjanikov and Guibas, *A concise and provably informative
    /// multi-scale signature based on heat diffusion*, 2009), after each of several times: as many numbers
    /// for each vertex as times. One launch; does not wait.
    /// # Errors
    /// [`Error::Option`] for a time that is negative or not finite; out of memory; errors of the driver.
    pub fn heat_kernel(&self, times: &[f64]) -> Result<Buffer<f64>> {
        if let Some(time) = times.iter().find(|time| !(time.is_finite() && **time >= 0.0)) {
            let expected = "finite numbers that are not negative";
            return Err(Error::Option { option: "times", value: time.to_string(), expected });
        }
        let decay =
            |time: &f64| self.values.iter().map(move |value| (-value * time).exp()).collect::<Vec<_>>();
        self.signature(times.len(), times.iter().flat_map(decay).collect())
    }
    /// Times that show details and the whole of the surface: `count` of them from 4 ln 10 by the greatest
    /// eigenvalue to 4 ln 10 by the least one above 0, with equal factors between them.
    /// # Errors
    /// [`Error::Option`] without a time; [`Error::Invalid`] without an eigenvalue above 0.
    pub fn heat_times(&self, count: usize) -> Result<Vec<f64>> {
        let [least, greatest] = self.range(count)?;
        let ends = [greatest, least].map(|value| (4.0 * 10.0_f64.ln() / value).ln());
        Ok(spread(ends, count).map(f64::exp).collect())
    }
    /// The part of waves at each vertex, by `count` energies (Aubry, Schlickewei and Cremers, *The wave
    /// kernel signature*, 2011): as many numbers for each vertex. Energies are logarithms of eigenvalues,
    /// from the least above 0 to the greatest, less two windows at both ends; a window is seven of their
    /// steps. One launch; does not wait.
    /// # Errors
    /// [`Error::Option`] without an energy; [`Error::Invalid`] without an eigenvalue above 0; out of memory;
    /// errors of the driver.
    pub fn wave_kernel(&self, count: usize) -> Result<Buffer<f64>> {
        let [least, greatest] = self.range(count)?;
        let (low, high) = (least.ln(), greatest.ln());
        // sigma = 7 (high - low) / count, and energies from low + 2 sigma to high - 2 sigma
        let width = (WINDOW * (high - low) / count as f64).min((high - low) / 5.0).max(1e-3);
        let energies = spread([low + 2.0 * width, high - 2.0 * width], count);
        let zero = ZERO * greatest;
        let weights = energies.flat_map(|energy| {
            let part = |value: &f64| {
                let off = (energy - value.max(zero).ln()) / width;
                if *value > zero { (-0.5 * off * off).exp() } else { 0.0 }
            };
            let mut parts: Vec<f64> = self.values.iter().map(part).collect();
            let sum: f64 = parts.iter().sum();
            parts.iter_mut().for_each(|part| *part /= sum);
            parts
        });
        self.signature(count, weights.collect())
    }
    /// The distance of each vertex from one of them, by all eigenfunctions with eigenvalues above 0. Between
    /// components it has no meaning. One launch; does not wait.
    /// # Errors
    /// [`Error::Option`] if `source` is not a vertex; out of memory; errors of the driver.
    pub fn distances(&self, source: u32, distance: Distance) -> Result<Buffer<f64>> {
        let (device, functions) = (self.vectors.device(), self.values.len());
        let n = self.vectors.len() / functions;
        if source as usize >= n {
            let expected = "the index of a vertex, less than the number of vertices";
            return Err(Error::Option { option: "source", value: source.to_string(), expected });
        }
        let zero = ZERO * self.values.last().copied().unwrap_or(0.0);
        let weight = |&value: &f64| match distance {
            _ if value <= zero => 0.0,
            Distance::Biharmonic => 1.0 / (value * value),
            Distance::Commute => 1.0 / value,
        };
        let weights = device.upload(&self.values.iter().map(weight).collect::<Vec<_>>())?;
        let mut to = device.unspecified::<f64>(n)?;
        let kernel = SpectralDistance {
            from: source,
            functions: functions as u32,
            weights: weights.view(),
            vectors: self.vectors.view(),
            to: to.view_mut(),
        };
        device.launch_each(n as u32, kernel)?;
        Ok(to)
    }
    /// The least eigenvalue above 0, and the greatest.
    fn range(&self, count: usize) -> Result<[f64; 2]> {
        if count == 0 {
            return Err(Error::Option { option: "count", value: "0".into(), expected: "at least 1" });
        }
        let greatest = self.values.last().copied().unwrap_or(0.0);
        match self.values.iter().find(|value| **value > ZERO * greatest) {
            Some(least) if greatest > 0.0 => Ok([*least, greatest]),
            _ => Err(Error::Invalid("all eigenvalues are 0: more are needed than components".into())),
        }
    }
    fn signature(&self, columns: usize, weights: Vec<f64>) -> Result<Buffer<f64>> {
        let (device, functions) = (self.vectors.device(), self.values.len());
        let n = self.vectors.len() / functions;
        let weights = device.upload(&weights)?;
        let mut to = device.unspecified::<f64>(n * columns)?;
        if columns == 0 {
            return Ok(to);
        }
        let kernel = WeightedSquares {
            functions: functions as u32,
            columns: columns as u32,
            weights: weights.view(),
            vectors: self.vectors.view(),
            to: to.view_mut(),
        };
        device.launch_each((n * columns) as u32, kernel)?;
        Ok(to)
    }
}
/// Numbers between two ends at equal distances; of one, the first end.
fn spread([first, last]: [f64; 2], count: usize) -> impl Iterator<Item = f64> {
    let step = if count > 1 { (last - first) / (count - 1) as f64 } else { 0.0 };
    (0..count).map(move |i| first + step * i as f64)
}
