//! A mesh as operators see it: read-only, by typed ids.
use crate::device::{Dart, EdgeId, FaceId, HalfEdge, VertexId};

/// The connectivity of a mesh, to be read.
///
/// An implementation answers five questions; all others follow from them. Flat arrays answer them with a load
/// each, and so can a patch with its ribbon.
pub trait MeshRef: Copy {
    /// The vertex where a half-edge begins.
    fn from(self, h: HalfEdge) -> VertexId;
    /// The dart of a half-edge.
    fn dart(self, h: HalfEdge) -> Dart;
    /// The half-edge on a dart; `None` if the edge has no face on that side.
    fn half_edge(self, dart: Dart) -> Option<HalfEdge>;
    /// A half-edge that begins at a vertex; `None` if it has no face. Operators whose seeds are not vertices
    /// have it only if their host side asks for it.
    fn half_edge_at(self, v: VertexId) -> Option<HalfEdge>;
    /// The three vertices of a face that lives.
    fn corners(self, f: FaceId) -> [VertexId; 3];

    /// The half-edges on both sides of an edge; `None` for a side without a face, `None` twice if it is
    /// deleted.
    #[inline(always)]
    fn sides(self, e: EdgeId) -> [Option<HalfEdge>; 2] {
        [self.half_edge(e.dart(0)), self.half_edge(e.dart(1))]
    }
    /// The vertex where a half-edge ends.
    #[inline(always)]
    fn to(self, h: HalfEdge) -> VertexId {
        self.from(h.next())
    }
    /// The vertex of the face that a half-edge does not touch.
    #[inline(always)]
    fn opposite(self, h: HalfEdge) -> VertexId {
        self.from(h.prev())
    }
    /// The edge of a half-edge.
    #[inline(always)]
    fn edge(self, h: HalfEdge) -> EdgeId {
        self.dart(h).edge()
    }
    /// The half-edge on the other side of the edge; none on the boundary.
    #[inline(always)]
    fn twin(self, h: HalfEdge) -> Option<HalfEdge> {
        self.half_edge(self.dart(h).reversed())
    }
    /// The two ends of an edge, in its direction; `None` if it is deleted.
    #[inline(always)]
    fn ends(self, e: EdgeId) -> Option<[VertexId; 2]> {
        ends_of(self, self.sides(e))
    }
    /// An edge with what is next to it; `None` if it is deleted.
    #[inline(always)]
    fn diamond(self, e: EdgeId) -> Option<Diamond<Self>> {
        Diamond::new(self, e)
    }
    /// Visits the half-edges that begin at the start of half-edge `h`: `h` itself, then counter-clockwise to
    /// the boundary or around, then clockwise from `h`. Ends when `f` says false; returns whether it came to
    /// the end.
    ///
    /// The edge at which the last face before the boundary arrives has no half-edge that begins here; see
    /// [`MeshRef::neighbours`].
    #[inline(always)]
    fn star(self, h: HalfEdge, mut f: impl FnMut(HalfEdge) -> bool) -> bool {
        let mut g = h;
        loop {
            // loaded at the same time as the values that `f` loads, not after them
            let t = self.twin(g.prev());
            if !f(g) {
                return false;
            }
            let Some(t) = t else { break };
            if t == h {
                return true;
            }
            g = t;
        }
        let mut t = self.twin(h);
        while let Some(arriving) = t {
            let g = arriving.next();
            t = self.twin(g);
            if !f(g) {
                return false;
            }
        }
        true
    }
    /// Visits the neighbours of the start of `h`, each once: `f(vertex, half-edge from here or to here)`.
    /// Ends when `f` says false; returns whether it came to the end.
    #[inline(always)]
    fn neighbours(self, h: HalfEdge, mut f: impl FnMut(VertexId, HalfEdge) -> bool) -> bool {
        let mut g = h;
        loop {
            let back = g.prev();
            let t = self.twin(back);
            if !f(self.to(g), g) {
                return false;
            }
            let Some(t) = t else {
                if !f(self.from(back), back) {
                    return false;
                }
                break;
            };
            if t == h {
                return true;
            }
            g = t;
        }
        let mut t = self.twin(h);
        while let Some(arriving) = t {
            let g = arriving.next();
            t = self.twin(g);
            if !f(self.to(g), g) {
                return false;
            }
        }
        true
    }
    /// Whether the start of `h` lies on the boundary.
    #[inline(always)]
    fn on_boundary(self, h: HalfEdge) -> bool {
        let mut g = h;
        loop {
            let Some(t) = self.twin(g.prev()) else { return true };
            if t == h {
                return false;
            }
            g = t;
        }
    }
}

#[inline(always)]
fn ends_of(mesh: impl MeshRef, sides: [Option<HalfEdge>; 2]) -> Option<[VertexId; 2]> {
    match sides {
        [Some(h), _] => Some([mesh.from(h), mesh.to(h)]),
        [None, Some(h)] => Some([mesh.to(h), mesh.from(h)]),
        [None, None] => None,
    }
}

/// An edge, and nothing of the mesh but its diamond: what local priorities see.
#[derive(Clone, Copy)]
pub struct LocalEdge<M> {
    mesh: M,
    id: EdgeId,
}
impl<M: MeshRef> LocalEdge<M> {
    /// A local edge with this id.
    #[inline(always)]
    pub fn new(mesh: M, id: EdgeId) -> Self {
        Self { mesh, id }
    }
    /// The edge.
    #[inline(always)]
    pub fn id(&self) -> EdgeId {
        self.id
    }
    /// Its diamond; `None` if the edge is deleted.
    #[inline(always)]
    pub fn diamond(&self) -> Option<Diamond<M>> {
        Diamond::new(self.mesh, self.id)
    }
}

/// An edge that lives, with the vertices of its faces and nothing else of the mesh. What depends on these
/// alone changes only where a face at the edge changes.
#[derive(Clone, Copy)]
pub struct Diamond<M> {
    mesh: M,
    edge: EdgeId,
    sides: [Option<HalfEdge>; 2],
    any: HalfEdge,
}
impl<M: MeshRef> Diamond<M> {
    /// The diamond of an edge; `None` if it is deleted.
    #[inline(always)]
    pub fn new(mesh: M, edge: EdgeId) -> Option<Self> {
        let sides = mesh.sides(edge);
        let any = match sides {
            [Some(h), _] | [None, Some(h)] => h,
            [None, None] => return None,
        };
        Some(Self { mesh, edge, sides, any })
    }
    /// The edge.
    #[inline(always)]
    pub fn edge(&self) -> EdgeId {
        self.edge
    }
    /// Whether it has one face only.
    #[inline(always)]
    pub fn on_boundary(&self) -> bool {
        self.sides[0].is_none() || self.sides[1].is_none()
    }
    /// Its ends a and b, in its direction.
    #[inline(always)]
    pub fn ends(&self) -> [VertexId; 2] {
        let [x, y] = [self.mesh.from(self.any), self.mesh.to(self.any)];
        if self.sides[0].is_some() { [x, y] } else { [y, x] }
    }
    /// Its ends a and b and the vertices opposite of it, c and d, with faces a b c and b a d; none on the
    /// boundary.
    #[inline(always)]
    pub fn corners(&self) -> Option<[VertexId; 4]> {
        let [Some(g), Some(h)] = self.sides else { return None };
        let m = self.mesh;
        Some([m.from(g), m.to(g), m.opposite(g), m.opposite(h)])
    }
}
