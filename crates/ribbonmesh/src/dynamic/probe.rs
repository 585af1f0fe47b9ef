//! Effect of a filling on one vertex.
use crate::device::{Element, NONE, VertexId};
use crate::dynamic::cavity::Cavity;
use crate::dynamic::fill::{Corner, Fill, NewFace, Side};
use crate::dynamic::plan::{NEW, mix};

/// Counts the new edges and faces at a vertex.
pub struct Probe {
    vertex: u32,
    /// Its place on the loop.
    at: u32,
    /// The darts of the loop at the vertex.
    arriving: u32,
    leaving: u32,
    arriving_used: bool,
    leaving_used: bool,
    edges: u32,
    sides: u32,
    /// Faces at the vertex.
    pub faces: u32,
    new_vertices: u32,
    new_edges: u32,
    new_faces: u32,
    /// Sums over new edges here minus the sums over their sides in faces, that leave and that arrive: if no
    /// side is missing, zero; if the same edge misses both, equal.
    missing: [u32; 2],
    /// More sides than there are, or fewer.
    wasted: bool,
}
impl Probe {
    #[inline(always)]
    fn new(vertex: u32, at: u32, arriving: u32, leaving: u32) -> Self {
        Self {
            vertex,
            at,
            arriving,
            leaving,
            arriving_used: false,
            leaving_used: false,
            edges: 0,
            sides: 0,
            faces: 0,
            new_vertices: 0,
            new_edges: 0,
            new_faces: 0,
            missing: [0; 2],
            wasted: false,
        }
    }
    /// A probe of vertex `i` of the loop.
    #[inline(always)]
    pub fn of_loop<E: Element>(cavity: &Cavity<'_, E>, i: u32) -> Self {
        let (arriving, leaving) = (cavity.dart(cavity.before(i)), cavity.dart(i));
        Self::new(cavity.vertex(i).index(), i, arriving.index(), leaving.index())
    }
    /// A probe of a vertex to be.
    #[inline(always)]
    pub fn of_new(vertex: u32) -> Self {
        Self::new(vertex, NONE, NONE, NONE)
    }
    /// Whether there is a new edge here that no face has, or a side that two faces have.
    #[inline(always)]
    pub fn broken(&self) -> bool {
        self.wasted || self.missing[0] == self.missing[1] && self.missing[0] != 0
    }
    /// The boundary edges that the vertex has afterwards, without edges outside of the cavity.
    #[inline(always)]
    pub fn ends<E: Element>(&self, cavity: &Cavity<'_, E>) -> u32 {
        let new = (2 * self.edges).wrapping_sub(self.sides);
        if self.at == NONE {
            return new;
        }
        let of_side = |used: bool, open: bool| (used == open) as u32;
        new + of_side(self.arriving_used, cavity.open(cavity.before(self.at)))
            + of_side(self.leaving_used, cavity.open(self.at))
    }
}
impl Fill for Probe {
    #[inline(always)]
    fn vertex(&mut self) -> Corner {
        self.new_vertices += 1;
        Corner(NEW | (self.new_vertices - 1))
    }
    #[inline(always)]
    fn edge(&mut self, from: impl Into<Corner>, to: impl Into<Corner>) -> Side {
        let (from, to) = (from.into(), to.into());
        let dart = NEW | (2 * self.new_edges);
        self.new_edges += 1;
        if from.0 == self.vertex || to.0 == self.vertex {
            self.edges += 1;
            self.missing = self.missing.map(|sum| sum.wrapping_add(mix(dart)));
        }
        Side { dart, from, to }
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> NewFace {
        self.new_faces += 1;
        for side in sides {
            if side.from.0 != self.vertex && side.to.0 != self.vertex {
                continue;
            }
            self.faces += (side.from.0 == self.vertex) as u32;
            if side.dart >= NEW {
                self.sides += 1;
                let sum = mix(side.dart & !1);
                if side.from.0 == self.vertex {
                    self.missing[0] = self.missing[0].wrapping_sub(sum);
                } else {
                    self.missing[1] = self.missing[1].wrapping_sub(sum);
                }
            } else if side.dart == self.leaving {
                self.wasted |= self.leaving_used;
                self.leaving_used = true;
            } else if side.dart == self.arriving {
                self.wasted |= self.arriving_used;
                self.arriving_used = true;
            }
        }
        self.wasted |= self.sides > 2 * self.edges;
        NewFace(NEW | (self.new_faces - 1))
    }
    #[inline(always)]
    fn exclusive(&mut self, _: VertexId) {}
    #[inline(always)]
    fn made(&self) -> [u32; 3] {
        [self.new_vertices, self.new_edges, self.new_faces]
    }
}
