//! Choice of parameters by the noise of a mesh.
//!
//! The numbers are those that gave results nearest to the truth on most meshes of a trial
//! (docs/apps/denoise.md).
use crate::denoise::estimate::Noise;
use crate::denoise::{DenoiseOptions, Method};

/// Noise, in mean edges, below which it cannot be distinguished from the shape of a surface: scans without
/// noise have as much.
pub const LEAST_NOISE: f64 = 0.03;
/// Difference of the two estimates, in mean edges (the root of the difference of squares), from which on most
/// vertices are on feature edges, if it also exceeds the noise.
const DENSE_FEATURES: f64 = 0.15;
/// Parameters for stairs: iterations of the filter of normals, and a σs that mixes normals at right angles.
const OF_STAIRS: (f64, f64) = (10.0, 1.0);
/// Greatest distance that a vertex moves, in standard deviations.
const FARTHEST: f64 = 3.0;

/// Parameters of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// Number of iterations; with method normals, of the filter of normals.
    pub iterations: u32,
    /// σs of normals.
    pub similarity: f64,
    /// Greatest distance that a vertex moves, in units of the positions; infinite without a bound.
    pub farthest: f64,
}
impl Choice {
    /// Parameters for options and the noise of a mesh.
    pub fn new(options: &DenoiseOptions, noise: &Noise) -> Self {
        let edge = noise.mean_edge;
        let estimated = if edge > 0.0 { noise.deviation() / edge } else { 0.0 };
        let given = options.noise.map(f64::from);
        let found = given.unwrap_or(estimated);
        let some = if given.is_some() { found > 0.0 } else { found >= LEAST_NOISE };
        let r = found.max(LEAST_NOISE);
        let dense = (noise.by_differences.powi(2) - noise.by_folds.powi(2)).max(0.0).sqrt();
        let dense = dense > (DENSE_FEATURES * edge).max(noise.by_folds);
        let (iterations, similarity) = match options.method {
            Method::Bilateral => (1.0 + 10.0 * r, 0.0),
            Method::Normals if noise.stairs => OF_STAIRS,
            Method::Normals if dense => (3.0, (3.0 * r).min(0.2)),
            Method::Normals => (3.0 + 10.0 * r, (3.0 * r).min(0.15 + 1.5 * r).min(0.6)),
            Method::Taubin => (50.0 * r, 0.0),
        };
        let iterations = if some { iterations.min(MOST_CHOSEN) as u32 } else { 0 };
        // iterations of Taubin's filter that the options set are run, whatever the estimated noise is
        let asked = options.method == Method::Taubin && options.iterations.is_some() && given.is_none();
        Self {
            iterations: options.iterations.unwrap_or(iterations),
            similarity: options.similarity.map_or(similarity, f64::from),
            farthest: if asked { f64::INFINITY } else { FARTHEST * r * edge },
        }
    }
}
const MOST_CHOSEN: f64 = 50.0;

#[cfg(test)]
mod tests {
    use super::{Choice, FARTHEST};
    use crate::denoise::estimate::Noise;
    use crate::denoise::{DenoiseOptions, Method};

    #[test]
    fn more_noise_asks_for_more() {
        let noise =
            |r: f64| Noise { mean_edge: 2.0, by_folds: 2.0 * r, by_differences: 2.1 * r, stairs: false };
        for method in Method::ALL {
            let options = DenoiseOptions { method, ..DenoiseOptions::default() };
            let choices = [0.0, 0.029, 0.05, 0.1, 0.2, 0.3].map(|r| Choice::new(&options, &noise(r)));
            assert_eq!((choices[0].iterations, choices[1].iterations), (0, 0));
            for pair in choices[1..].windows(2) {
                assert!(pair[0].iterations <= pair[1].iterations && pair[0].similarity <= pair[1].similarity);
            }
            assert!(choices[2].iterations > 0);
            assert_eq!(choices[4].farthest, 3.0 * 0.2 * 2.0);
        }
    }
    #[test]
    fn what_is_given_is_taken() {
        let noise = Noise { mean_edge: 1.0, by_folds: 0.2, by_differences: 0.2, stairs: false };
        let usual = DenoiseOptions::default();
        let none = Choice::new(&DenoiseOptions { noise: Some(0.0), ..usual }, &noise);
        assert_eq!(none.iterations, 0);
        let given = DenoiseOptions { iterations: Some(7), similarity: Some(0.5), ..usual };
        let found = Choice::new(&given, &Noise { by_folds: 0.0, ..noise });
        assert_eq!((found.iterations, found.similarity), (7, 0.5));
        // Taubin's filter runs that number of iterations, without a bound on distances
        let taubin = Choice::new(&DenoiseOptions { method: Method::Taubin, ..given }, &noise);
        assert_eq!((taubin.iterations, taubin.farthest), (7, f64::INFINITY));
        let bounded = DenoiseOptions { method: Method::Taubin, noise: Some(0.1), ..given };
        assert_eq!(Choice::new(&bounded, &noise).farthest, FARTHEST * f64::from(0.1_f32));
        // most vertices on features: σs is smaller
        let coarse = Choice::new(&usual, &Noise { by_differences: 0.4, ..noise });
        assert!(coarse.similarity < Choice::new(&usual, &noise).similarity);
    }
}
