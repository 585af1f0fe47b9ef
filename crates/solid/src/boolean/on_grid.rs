//! Rounding to a grid.
use glam::Vec3;

/// A position rounded to multiples of 1/`scale`, where this is a power of two so small that only small
/// coordinates change.
#[inline(always)]
pub(crate) fn on_grid(p: Vec3, scale: f64) -> Vec3 {
    ((p.as_dvec3() * scale).round() / scale).as_vec3()
}
