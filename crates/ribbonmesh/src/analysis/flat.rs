//! Analysis of triangles without patches.
use super::geometry::{Geometry, measure};
use super::sides::Sides;
use super::topology::{Rows, Topology, count};
use crate::{Error, FlatTopology, Result};
use ribbonmesh_device::NONE;

impl FlatTopology {
    /// As [`StaticMesh::topology`](crate::StaticMesh::topology). It needs no patches, so that a vertex may
    /// have any number of faces.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn topology(&self) -> Result<Topology> {
        let sides = Sides::from_flat(self)?;
        let n = self.vertices();
        self.device().install(|| {
            let rows = Rows { faces: faces_of_vertices(n, &sides.fv), neighbours: neighbours(n, &sides.ev) };
            Ok(count(n, &sides, &boundary(&sides), &rows))
        })
    }
    /// As [`StaticMesh::geometry`](crate::StaticMesh::geometry), without patches.
    /// # Errors
    /// [`Error::Length`] unless there is a position for each vertex; out of memory; errors of the driver.
    pub fn geometry(&self, positions: &[[f32; 3]]) -> Result<Geometry> {
        if positions.len() != self.vertices() {
            let (expected, found) = (self.vertices(), positions.len());
            return Err(Error::Length { what: "positions", expected, found });
        }
        let sides = Sides::from_flat(self)?;
        Ok(self.device().install(|| measure(&sides, positions)))
    }
}

/// VF: where each vertex's faces begin, and the faces, each once.
fn faces_of_vertices(vertices: usize, fv: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let corners = |face: &[u32; 3]| {
        let [a, b, c] = *face;
        [Some(a), (b != a).then_some(b), (c != a && c != b).then_some(c)].into_iter().flatten()
    };
    let faces = fv.as_chunks::<3>().0;
    let mut offsets = vec![0_u32; vertices + 1];
    faces.iter().flat_map(corners).for_each(|v| offsets[v as usize + 1] += 1);
    (0..vertices).for_each(|v| offsets[v + 1] += offsets[v]);
    let (mut next, mut row) = (offsets.clone(), vec![0; offsets[vertices] as usize]);
    for (face, corner) in (0..).zip(faces) {
        for v in corners(corner) {
            let place = &mut next[v as usize];
            row[*place as usize] = face;
            *place += 1;
        }
    }
    (offsets, row)
}

/// Numbers of neighbours.
fn neighbours(vertices: usize, ev: &[u32]) -> Vec<u32> {
    let mut count = vec![0; vertices];
    for &[a, b] in ev.as_chunks::<2>().0.iter().filter(|[a, b]| a != b) {
        count[a as usize] += 1;
        count[b as usize] += 1;
    }
    count
}

/// For each edge, 1 if it has exactly one face, else 0.
fn boundary(sides: &Sides) -> Vec<u32> {
    let edges = sides.ev.len() / 2;
    let (mut first, mut one) = (vec![NONE; edges], vec![1; edges]);
    for (face, edges) in (0..).zip(sides.fe.as_chunks::<3>().0) {
        for &edge in edges {
            let seen = &mut first[edge as usize];
            if *seen == NONE {
                *seen = face;
            } else if *seen != face {
                one[edge as usize] = 0;
            }
        }
    }
    one
}
