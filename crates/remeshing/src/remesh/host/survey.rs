//! Figures of a mesh from which its usual options follow, added up part by part.
use super::lengths::{LOOSE, SHARP_ANGLE, THIN};
use super::part::Part;
use crate::remesh::curves;
use crate::triangles::{Mesh, Sides};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::device::HalfEdge;
use ribbonmesh::features::triangle::{self, normal, quality};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts of the edges, vertices and faces of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    faces: u64,
    /// Long thin faces.
    thin: u64,
    /// Edges of 30° and more inside of parts.
    sharp: u64,
    /// Vertices of one part alone with exactly one sharp edge.
    loose: u64,
}
impl AddAssign for Survey {
    fn add_assign(&mut self, other: Self) {
        self.faces += other.faces;
        self.thin += other.thin;
        self.sharp += other.sharp;
        self.loose += other.loose;
    }
}
impl Survey {
    /// Counts in a part; [`None`] if it is not an oriented manifold.
    pub fn new(part: &Part) -> Option<Self> {
        let sides = Sides::new(part.positions.len(), &part.triangles)?;
        let mesh = Mesh::new(&part.triangles, &sides)?;
        let x = &part.positions;
        let counts = |f: usize| {
            let corners = mesh.corners(f)?.map(|v| x[v as usize]);
            let sharp = Mesh::half_edges(f).map(|h| is_sharp(&mesh, x, h, SHARP_ANGLE));
            Some((quality(corners, normal(corners)) < curves::THIN, sharp))
        };
        let of_faces: Vec<_> = (0..mesh.len()).into_par_iter().filter_map(counts).collect();
        // edges of curves at each vertex, the boundary included: sharp ones are counted from both faces
        let mut at = vec![0u32; x.len()];
        let mut found = Self { faces: of_faces.len() as u64, ..Self::default() };
        for (f, (thin, sharp)) in of_faces.into_iter().enumerate() {
            found.thin += u64::from(thin);
            for (h, sharp) in Mesh::half_edges(f).into_iter().zip(sharp) {
                let first = mesh.twin(h).is_none_or(|t| h.index() < t.index());
                if first && (sharp || mesh.twin(h).is_none()) {
                    found.sharp += u64::from(sharp);
                    at[mesh.from(h) as usize] += 1;
                    at[mesh.to(h) as usize] += 1;
                }
            }
        }
        let loose = at.iter().zip(&part.fixed).filter(|&(&at, &fixed)| at == 1 && !fixed);
        Some(Self { loose: loose.count() as u64, ..found })
    }
    /// The angle from which on edges are features where none is given: 30° if such edges form curves, as with
    /// [`RemeshOptions::keep_sharp`](crate::remesh::RemeshOptions::keep_sharp).
    pub fn feature_angle(&self) -> Option<f32> {
        let curves = self.sharp > 0 && self.loose as f64 <= LOOSE * 2.0 * self.sharp as f64;
        curves.then_some(SHARP_ANGLE)
    }
    /// Whether many triangles are long and thin.
    pub fn is_thin(&self) -> bool {
        self.thin as f64 >= THIN * self.faces.max(1) as f64
    }
}

/// Whether the faces at an edge inside of a part have an angle of at least so many degrees.
pub fn is_sharp(mesh: &Mesh, x: &[Vec3], h: HalfEdge, degrees: f32) -> bool {
    let cosine = degrees.to_radians().cos();
    let Some(t) = mesh.twin(h) else { return false };
    let [a, b, c, d] = [h, h.next(), h.prev(), t.prev()].map(|g| x[mesh.from(g) as usize]);
    let faces = [[a, b, c], [b, a, d]];
    triangle::sharp(faces, cosine) || curves::sharp(faces, cosine)
}
