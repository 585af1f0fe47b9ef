//! Corners with equal coordinates become one vertex.

use rustc_hash::FxHashMap;

use crate::{ReadErrorKind, mesh::push_vertex};

/// Vertices by coordinates, in the order in which they first appear.
#[derive(Default)]
pub(super) struct Weld {
    vertices: FxHashMap<[u32; 3], u32>,
    pub positions: Vec<[f32; 3]>,
    pub faces: Vec<[u32; 3]>,
    /// Corners that met an earlier one.
    pub welded: u64,
}

impl Weld {
    /// Makes room for that many faces, and half as many vertices, as closed surfaces have.
    pub fn reserve(&mut self, faces: usize) {
        self.faces.reserve_exact(faces);
        self.vertices.reserve(faces / 2);
    }

    /// The vertex at a position; 0 and −0 are the same coordinate.
    #[inline(always)]
    pub fn vertex(&mut self, position: [f32; 3]) -> Result<u32, ReadErrorKind> {
        let key = position.map(|value| if value == 0.0 { 0 } else { value.to_bits() });
        let next = self.positions.len() as u32;
        let vertex = *self.vertices.entry(key).or_insert(next);
        if vertex == next {
            push_vertex(&mut self.positions, position)?;
        } else {
            self.welded += 1;
        }
        Ok(vertex)
    }
}
