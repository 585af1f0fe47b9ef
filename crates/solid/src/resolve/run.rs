//! Options and the report of resolving, and parts of meshes.
use crate::fill::FillOptions;
use ribbonmesh_mesh::TriangleMesh;
use serde::Serialize;

/// Options of [`resolve_region`](crate::resolve::resolve_region).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolveOptions {
    /// Most attempts; each deletes more faces around those that intersected in the one before. At least 1.
    pub attempts: u32,
    /// Greatest distance of vertices of holes that are joined, as a multiple of the mean length of the edges
    /// of faces that intersect.
    pub join: f64,
    /// Most edges of a hole that gets the triangulation of least weight; larger ones are filled by cutting
    /// ears: [`FillOptions::exact_up_to`].
    pub exact_up_to: u32,
}
impl ResolveOptions {
    pub(crate) fn check(&self) -> ribbonmesh::Result<()> {
        let refuse =
            |option, value: String, expected| Err(ribbonmesh::Error::Option { option, value, expected });
        if self.attempts == 0 {
            return refuse("attempts", "0".into(), "at least 1");
        }
        if !(self.join > 0.0 && self.join.is_finite()) {
            return refuse("join", self.join.to_string(), "a finite number above 0");
        }
        Ok(())
    }
}
impl Default for ResolveOptions {
    fn default() -> Self {
        Self { attempts: 100, join: 2.5, exact_up_to: FillOptions::default().exact_up_to }
    }
}

/// Report of [`resolve_region`](crate::resolve::resolve_region).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ResolveReport {
    /// Pairs of faces that intersect.
    pub intersecting_pairs: u64,
    /// Number of attempts; 0 if no faces intersect.
    pub attempts: u32,
    /// Faces deleted because they, or faces near them, intersect others.
    pub faces_cut: usize,
    /// Faces deleted because they are inside.
    pub faces_inside: usize,
    /// Faces added.
    pub faces_added: usize,
    /// Pairs of holes joined.
    pub joined: usize,
    /// Other holes filled.
    pub filled: usize,
    /// Attributes that were dropped because their policy says so.
    pub columns_dropped: Vec<String>,
    /// Seconds of finding and deleting the faces that intersect others or are inside.
    pub delete_seconds: f64,
}

/// The mean length of the edges of the faces of some pairs.
pub(crate) fn edge_length(mesh: &TriangleMesh, pairs: &[[u32; 2]]) -> f64 {
    let at = |v: u32| mesh.positions[v as usize];
    let around = |&f: &u32| {
        let [a, b, c] = mesh.faces[f as usize].map(at);
        a.distance(b) + b.distance(c) + c.distance(a)
    };
    let mut faces: Vec<u32> = pairs.iter().flatten().copied().collect();
    faces.sort_unstable();
    faces.dedup();
    faces.iter().map(around).sum::<f64>() / (3 * faces.len().max(1)) as f64
}
