//! Light that creases do not get.
use crate::camera::Frame;
use crate::visibility::Visibility;
use glam::DVec3;
use std::f64::consts::{GOLDEN_RATIO, TAU};

/// Neighbours that a sample looks at.
const TAPS: usize = 9;
/// The reach of obstacles, in heights of the picture.
const RADIUS: f64 = 0.055;

/// Looks around samples (McGuire, Mara and Luebke, *Scalable ambient obscurance*, 2012, equation 10). The
/// samples of a pixel look in directions of their own, which makes one smooth pattern of many points.
pub(crate) struct Obscurance<'a> {
    frame: &'a Frame,
    seen: &'a Visibility,
    strength: f64,
    /// In the mesh's units.
    radius: f64,
    /// Offsets in radii, for each of a pixel's samples.
    taps: Vec<[[f64; 2]; TAPS]>,
}

impl<'a> Obscurance<'a> {
    pub fn new(frame: &'a Frame, seen: &'a Visibility, samples: u32, strength: f32) -> Self {
        let count = (samples * samples) as usize;
        let all = (TAPS * count) as f64;
        // a spiral of golden angles, its points dealt out to the samples
        let tap = |i: usize| {
            let (sin, cos) = (TAU * GOLDEN_RATIO * i as f64).sin_cos();
            let r = (i as f64 + 0.5) / all;
            [r * cos, r * sin]
        };
        let taps = (0..count).map(|s| std::array::from_fn(|k| tap(k * count + s))).collect();
        Self { frame, seen, strength: f64::from(strength), radius: RADIUS * frame.height, taps }
    }
    /// The part of the light that reaches a point, from 0 to 1. `x` and `y` are its sample, `sample` which of
    /// its pixel's.
    pub fn light(&self, point: DVec3, normal: DVec3, [x, y]: [usize; 2], sample: usize) -> f64 {
        if self.strength <= 0.0 {
            return 1.0;
        }
        let depth = if self.frame.perspective { -point.z } else { 1.0 };
        let reach = self.radius / (depth * self.frame.sample());
        let (r2, bias) = (self.radius * self.radius, 0.02 * self.radius);
        let mut sum = 0.0;
        for [dx, dy] in &self.taps[sample] {
            let (tx, ty) = (x as f64 + 0.5 + dx * reach, y as f64 + 0.5 + dy * reach);
            if tx < 0.0 || ty < 0.0 || tx >= self.seen.width as f64 || ty >= self.seen.height as f64 {
                continue;
            }
            let (tx, ty) = (tx as usize, ty as usize);
            let at = ty * self.seen.width + tx;
            if self.seen.faces[at] == Visibility::NOTHING {
                continue;
            }
            let plane = self.frame.plane(tx as f64 + 0.5, ty as f64 + 0.5);
            let to = self.frame.unproject(plane, self.seen.distances[at]) - point;
            let d2 = to.length_squared();
            if d2 < r2 {
                let near = 1.0 - d2 / r2;
                sum += near * near * near * (to.dot(normal) - bias).max(0.0) / (d2 + 1e-4 * r2);
            }
        }
        (1.0 - self.strength * 2.6 * self.radius * sum / TAPS as f64).max(0.0)
    }
}
