//! Corners with equal coordinates become one vertex.

use glam::DVec3;
use rustc_hash::FxHashMap;

use crate::ReadErrorKind;

/// Vertices by coordinates, in the order in which they first appear.
#[derive(Default)]
pub(crate) struct Weld {
    vertices: FxHashMap<[u64; 3], u32>,
    pub positions: Vec<DVec3>,
    /// Corners that met an earlier one.
    pub welded: u64,
}

impl Weld {
    /// Makes room for half as many vertices as there are faces, as closed surfaces have.
    pub fn reserve(&mut self, faces: usize) {
        self.vertices.reserve(faces / 2);
        self.positions.reserve(faces / 2);
    }

    /// The vertex at a position; 0 and −0 are the same coordinate.
    #[inline(always)]
    pub fn vertex(&mut self, position: DVec3) -> Result<u32, ReadErrorKind> {
        let key = position.to_array().map(|value| if value == 0.0 { 0 } else { value.to_bits() });
        let next = self.positions.len() as u32;
        let vertex = *self.vertices.entry(key).or_insert(next);
        if vertex == next {
            if next == u32::MAX {
                return Err(ReadErrorKind::TooMany { what: "vertices", count: u64::from(next) + 1 });
            }
            self.positions.push(position);
        } else {
            self.welded += 1;
        }
        Ok(vertex)
    }
}
