//! Lengths and angles.
use super::sides::Sides;
use super::statistics::Statistics;
use crate::{Error, Result, StaticMesh};
use rayon::prelude::*;

/// Statistics of edge lengths and angles.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// Lengths of the edges between two different vertices, in the units of the positions; `None` without
    /// such edges.
    pub edge_length: Option<Statistics>,
    /// Angles at the corners of faces, in degrees. Corners of degenerate faces, and corners at a side of
    /// length 0, do not count.
    pub angle: Option<Statistics>,
}

impl StaticMesh {
    /// Measures edges and corners, in double precision; `positions` are in input order. Runs queries on the
    /// mesh's device; then linear on the host.
    /// # Errors
    /// [`Error::Length`] unless there is a position for each vertex; out of memory; errors of the driver.
    pub fn geometry(&self, positions: &[[f32; 3]]) -> Result<Geometry> {
        if positions.len() != self.vertices() {
            let (expected, found) = (self.vertices(), positions.len());
            return Err(Error::Length { what: "positions", expected, found });
        }
        let sides = Sides::of(self)?;
        let inputs = self.vertex_inputs().read()?;
        self.device().install(|| {
            let positions: Vec<[f32; 3]> = inputs.par_iter().map(|&i| positions[i as usize]).collect();
            Ok(measure(&sides, &positions))
        })
    }
}

pub(super) fn measure(sides: &Sides, positions: &[[f32; 3]]) -> Geometry {
    let between = |a: u32, b: u32| {
        let (a, b) = (positions[a as usize], positions[b as usize]);
        [0, 1, 2].map(|axis| f64::from(b[axis]) - f64::from(a[axis]))
    };
    let length = |edge: usize| {
        let [a, b] = [sides.ev[2 * edge], sides.ev[2 * edge + 1]];
        (a != b).then(|| norm(between(a, b)))
    };
    let angle = |corner: usize| {
        let (face, at) = (corner / 3 * 3, corner % 3);
        let [o, a, b] = [0, 1, 2].map(|i| sides.fv[face + (at + i) % 3]);
        let (u, v) = (between(o, a), between(o, b));
        let has_angle = o != a && a != b && b != o && u != [0.0; 3] && v != [0.0; 3];
        has_angle.then(|| norm(cross(u, v)).atan2(dot(u, v)).to_degrees())
    };
    Geometry {
        edge_length: Statistics::of(sides.ev.len() / 2, length),
        angle: Statistics::of(sides.fv.len(), angle),
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}
