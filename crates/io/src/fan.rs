//! Polygons to triangles.

use crate::{Notes, ReadErrorKind};

/// A polygon on its way to becoming a fan of triangles around its first corner.
#[derive(Default)]
pub(crate) struct Fan {
    first: u32,
    last: u32,
    corners: u64,
}

impl Fan {
    /// Adds a corner, and from the third on a triangle to `faces`.
    pub fn push(&mut self, corner: u32, faces: &mut Vec<[u32; 3]>) {
        match self.corners {
            0 => self.first = corner,
            1 => {}
            _ => faces.push([self.first, self.last, corner]),
        }
        self.last = corner;
        self.corners += 1;
    }

    /// Counts the polygon, or refuses it where it has fewer than three corners.
    pub fn finish(self, notes: &mut Notes) -> Result<(), ReadErrorKind> {
        match self.corners {
            0..=2 => return Err(ReadErrorKind::TooFewCorners { corners: self.corners }),
            3 => {}
            corners => {
                notes.polygons_triangulated += 1;
                notes.triangles_from_polygons += corners - 2;
            }
        }
        Ok(())
    }
}
