//! Links between the sides of faces.
use crate::repair::check::NONE;
use crate::repair::edges::{before, behind, start};

/// For each side, the side of the face across its edge, if there is exactly one. A link holds for both of its
/// sides, and both lead between the same two vertices.
#[derive(Default)]
pub(crate) struct Links(Vec<u32>);

impl Links {
    /// The links that say for each side which one is across.
    pub fn new(across: Vec<u32>) -> Self {
        Self(across)
    }
    /// The side across.
    pub fn across(&self, side: u32) -> Option<u32> {
        Some(self.0[side as usize]).filter(|&other| other != NONE)
    }
    /// Connects two sides.
    pub fn join(&mut self, [a, b]: [u32; 2]) {
        (self.0[a as usize], self.0[b as usize]) = (b, a);
    }
    /// Disconnects two sides.
    pub fn cut(&mut self, [a, b]: [u32; 2]) {
        (self.0[a as usize], self.0[b as usize]) = (NONE, NONE);
    }
    /// Turns around vertex `v` from a face across `side`: returns the corner at `v` of the face there, and
    /// that face's other side at `v`. A corner `3 f + i` has the number of the side that begins there.
    pub fn turn(&self, faces: &[[u32; 3]], v: u32, side: u32) -> Option<(u32, u32)> {
        let other = self.across(side)?;
        Some(if start(faces, other) == v { (other, before(other)) } else { (behind(other), behind(other)) })
    }
}
