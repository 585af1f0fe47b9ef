//! The faces around a vertex.
use super::mesh::Mesh;
use crate::simplify::collapse::MOST_FACES;
use ribbonmesh::device::{HalfEdge, NONE};

/// Most faces at each end of an edge that may be collapsed.
const MOST: usize = MOST_FACES as usize;

/// A face at a vertex.
#[derive(Clone, Copy)]
pub struct Spoke {
    /// The half-edge that begins at the vertex.
    pub side: HalfEdge,
    /// The other vertices of the face, counter-clockwise.
    pub others: [u32; 2],
}

/// The faces and neighbours of a vertex.
pub struct Star {
    spokes: [Spoke; MOST],
    len: usize,
    /// The neighbour at which the faces end, on the boundary; else [`NONE`].
    last: u32,
}
impl Default for Star {
    fn default() -> Self {
        Self { spokes: [Spoke { side: HalfEdge::NONE, others: [NONE; 2] }; MOST], len: 0, last: NONE }
    }
}
impl Star {
    /// Lists those of the start of `h`; false if they are too many.
    #[inline]
    pub fn fill(&mut self, mesh: &Mesh, h: HalfEdge) -> bool {
        (self.len, self.last) = (0, NONE);
        let mut g = h;
        loop {
            let back = g.prev();
            let Some(place) = self.spokes.get_mut(self.len) else { return false };
            let others = [mesh.from(g.next()), mesh.from(back)];
            *place = Spoke { side: g, others };
            self.len += 1;
            match mesh.twin(back) {
                Some(t) if t == h => return true,
                Some(t) => g = t,
                None => {
                    self.last = others[1];
                    break;
                }
            }
        }
        let mut t = mesh.twin(h);
        while let Some(arriving) = t {
            let g = arriving.next();
            let Some(place) = self.spokes.get_mut(self.len) else { return false };
            let others = [g.next(), g.prev()].map(|side| mesh.from(side));
            *place = Spoke { side: g, others };
            self.len += 1;
            t = mesh.twin(g);
        }
        true
    }
    /// The faces, each by the half-edge that begins at the vertex.
    #[inline(always)]
    pub fn spokes(&self) -> &[Spoke] {
        &self.spokes[..self.len]
    }
    /// Number of faces.
    #[inline(always)]
    pub fn faces(&self) -> usize {
        self.len
    }
    /// Whether the vertex lies on the boundary.
    #[inline(always)]
    pub fn open(&self) -> bool {
        self.last != NONE
    }
    /// The vertices next to it.
    #[inline(always)]
    pub fn neighbours(&self) -> impl Iterator<Item = u32> {
        let last = (self.last != NONE).then_some(self.last);
        self.spokes().iter().map(|spoke| spoke.others[0]).chain(last)
    }
    /// Whether a vertex is next to it.
    #[inline(always)]
    pub fn is_next_to(&self, v: u32) -> bool {
        self.last == v || self.spokes().iter().any(|spoke| spoke.others[0] == v)
    }
}
