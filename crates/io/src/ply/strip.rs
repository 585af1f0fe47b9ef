//! Triangle strips: `tristrips`, whose indices -1 begin a new strip.

use crate::{
    ReadErrorKind,
    fault::{Outcome, fault},
};

/// A strip so far.
#[derive(Default)]
pub(super) struct Strip {
    last: [u32; 2],
    corners: u64,
}

impl Strip {
    /// Adds a corner, and from the third on a triangle to `faces`, every other one turned. A triangle with a
    /// corner twice only leads to the next and is left out.
    pub fn push(
        &mut self,
        index: i64,
        offset: usize,
        vertices: u64,
        faces: &mut Vec<[u32; 3]>,
    ) -> Outcome<()> {
        if index == -1 || index == i64::from(u32::MAX) {
            self.corners = 0;
            return Ok(());
        }
        let corner = match u32::try_from(index) {
            Ok(corner) if u64::from(corner) < vertices => corner,
            _ => {
                return Err(fault(
                    offset,
                    ReadErrorKind::IndexOutOfRange { index, vertices, relative: false },
                ));
            }
        };
        let [a, b] = self.last;
        if self.corners >= 2 && a != b && b != corner && a != corner {
            faces.push(if self.corners.is_multiple_of(2) { [a, b, corner] } else { [b, a, corner] });
        }
        self.last = [b, corner];
        self.corners += 1;
        Ok(())
    }
}
