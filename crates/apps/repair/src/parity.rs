//! Union-find over faces, with the parity of their orientations.
use crate::links::Links;

/// Sets of faces, and for each face whether it has to be turned if its set's root is.
pub(crate) struct Parity {
    /// `parent << 1 | odd`; a root is its own parent.
    parents: Vec<u32>,
}

impl Parity {
    /// Makes the sets of faces that are linked; their orientations agree. Linear.
    pub fn of(faces: &[[u32; 3]], links: &Links) -> Self {
        let mut parity = Self { parents: (0..faces.len() as u32).map(|face| face << 1).collect() };
        for side in 0..3 * faces.len() as u32 {
            if let Some(across) = links.across(side).filter(|&across| across > side) {
                parity.join([side / 3, across / 3], false);
            }
        }
        parity
    }
    /// Joins the sets of two faces, one of which has to be turned if they disagree. Returns false and changes
    /// nothing if both are in one set and this contradicts it.
    pub fn join(&mut self, faces: [u32; 2], disagree: bool) -> bool {
        let [(a, x), (b, y)] = faces.map(|face| self.root(face));
        let odd = x ^ y ^ u32::from(disagree);
        if a == b {
            return odd == 0;
        }
        self.parents[a.max(b) as usize] = a.min(b) << 1 | odd;
        true
    }
    /// The root of a face's set, and 1 if the face has to be turned when the root is not. Halves the path to
    /// it.
    pub fn root(&mut self, mut face: u32) -> (u32, u32) {
        let mut odd = 0;
        loop {
            let parent = self.parents[face as usize];
            let above = self.parents[parent as usize >> 1];
            if parent >> 1 == face {
                return (face, odd);
            }
            // skips the parent; a root is its own parent, with parity 0
            self.parents[face as usize] = above ^ (parent & 1);
            odd ^= (parent ^ above) & 1;
            face = above >> 1;
        }
    }
}
