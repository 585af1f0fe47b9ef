//! Options and the report of resolving, and parts of meshes.
use crate::fill::FillOptions;
use crate::resolve::ResolveError;
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

/// A mesh of some faces, with their vertices and attributes; and the numbers that these vertices had.
pub(crate) fn part(all: &TriangleMesh, left: &[u32]) -> Result<(TriangleMesh, Vec<u32>), ResolveError> {
    let mut numbers = vec![u32::MAX; all.positions.len()];
    left.iter().flat_map(|&f| all.faces[f as usize]).for_each(|v| numbers[v as usize] = 0);
    let mut vertices = vec![];
    for (v, number) in (0..).zip(&mut numbers).filter(|(_, number)| **number == 0) {
        *number = vertices.len() as u32;
        vertices.push(v);
    }
    let renumbered = |&f: &u32| (f, all.faces[f as usize].map(|v| numbers[v as usize]));
    let faces: Vec<_> = left.iter().map(renumbered).collect();
    let mut mesh = all.clone();
    mesh.rebuild(&vertices, &faces)?;
    Ok((mesh, vertices))
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
