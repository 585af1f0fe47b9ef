//! Vertices of a part that are smoothed later.
use super::values::Values;
use crate::remesh::values::BITS;
use ribbonmesh::device::NONE;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh};
use ribbonmesh::features::kind::CORNER;
use ribbonmesh::{Result, Vertex};

/// Fixed vertices around which later work is done.
#[derive(Default)]
pub struct Later {
    /// Whether each vertex of the part as it was given is one; empty: none.
    pub vertices: Vec<bool>,
    /// Steps along edges from these within which vertices are not smoothed.
    pub steps: u32,
}

impl Later {
    /// Makes vertices that are not to be smoothed corners, which stay, and returns the kinds that vertices
    /// have otherwise; [`None`] where all are smoothed. Goes through all faces on the host.
    pub fn hold(
        &self,
        mesh: &DynamicMesh,
        values: &mut Values,
    ) -> Result<Option<DynamicAttribute<Vertex, u32>>> {
        let Some(barred) = values.barred.as_ref().filter(|_| self.vertices.contains(&true)) else {
            return Ok(None);
        };
        // the number of a fixed vertex in the part follows the bits, from 1 on
        let is_later = |bits: u32| (bits >> BITS).checked_sub(1).is_some_and(|v| self.vertices[v as usize]);
        let mut near: Vec<bool> = barred.read(mesh)?.into_iter().map(is_later).collect();
        let faces = mesh.read_faces()?;
        let mut next = near.clone();
        for _ in 0..self.steps {
            for corners in faces.iter().filter(|corners| corners[0] != NONE) {
                if corners.iter().any(|&v| near[v as usize]) {
                    corners.iter().for_each(|&v| next[v as usize] = true);
                }
            }
            near.clone_from(&next);
        }
        let kinds = values.kind.read(mesh)?;
        let held: Vec<u32> =
            kinds.iter().zip(near).map(|(&kind, near)| if near { CORNER } else { kind }).collect();
        let held = DynamicAttribute::from_ids(mesh, &held)?;
        Ok(Some(std::mem::replace(&mut values.kind, held)))
    }
}
