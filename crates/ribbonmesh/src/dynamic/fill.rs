//! Filling a cavity: what an operator may make.
use crate::device::{EdgeId, Element, FaceId, VertexId};
use crate::dynamic::cavity::{Cavity, Filled};

/// A corner of a filling: a vertex of the loop, or a new one. Which it is cannot be asked, so that a filling
/// depends on nothing but the cavity and the decision; [`Filled::vertex_of`] has its id afterwards.
#[derive(Clone, Copy)]
pub struct Corner(pub(crate) u32);
impl From<VertexId> for Corner {
    #[inline(always)]
    fn from(v: VertexId) -> Self {
        Self(v.index())
    }
}

/// A face that was made; [`Filled::face_of`] has its id afterwards.
#[derive(Clone, Copy)]
pub struct NewFace(pub(crate) u32);

/// A side of a face: an edge of the loop, or a new one, with a direction; [`Filled::edge_of`] has the id of
/// the edge afterwards.
#[derive(Clone, Copy)]
pub struct Side {
    /// `2 edge + direction`.
    pub(crate) dart: u32,
    pub(crate) from: Corner,
    pub(crate) to: Corner,
}
impl Side {
    /// The same edge the other way.
    #[inline(always)]
    pub fn reversed(self) -> Self {
        Self { dart: self.dart ^ 1, from: self.to, to: self.from }
    }
    /// The corner at which it begins.
    #[inline(always)]
    pub fn from(self) -> Corner {
        self.from
    }
    /// The corner at which it ends.
    #[inline(always)]
    pub fn to(self) -> Corner {
        self.to
    }
}

/// The faces and edges of a fan: triangles on sides of the loop that follow each other, with a vertex in
/// common, the hub.
#[derive(Clone, Copy)]
pub struct Fan {
    /// Number of faces.
    pub faces: u32,
    /// Number of new edges. There may be less than faces, if the hub is a vertex of the loop.
    pub edges: u32,
    first_side: u32,
    first_face: u32,
    /// The loop's index of the vertex that the first new edge joins with the hub.
    first_vertex: u32,
    first_edge: u32,
}
impl Fan {
    /// The same, if the new edge made just before it belongs to it: that from the hub to where the first side
    /// begins.
    #[inline(always)]
    pub(crate) fn begun_at_first_edge(self) -> Self {
        let (first_vertex, first_edge) = (self.first_side, self.first_edge - 1);
        Self { first_vertex, edges: self.edges + 1, first_edge, ..self }
    }
    /// The id of face `k`.
    #[inline(always)]
    pub fn face<E: Element>(&self, filled: &Filled<'_, E>, k: u32) -> FaceId {
        filled.new_face(self.first_face + k)
    }
    /// The loop's index of the side at which face `k` is.
    #[inline(always)]
    pub fn side<E: Element>(&self, cavity: &Cavity<'_, E>, k: u32) -> u32 {
        around(cavity, self.first_side + k)
    }
    /// The id of new edge `k`.
    #[inline(always)]
    pub fn edge<E: Element>(&self, filled: &Filled<'_, E>, k: u32) -> EdgeId {
        filled.new_edge(self.first_edge + k)
    }
    /// The loop's index of the vertex that new edge `k` joins with the hub.
    #[inline(always)]
    pub fn vertex<E: Element>(&self, cavity: &Cavity<'_, E>, k: u32) -> u32 {
        around(cavity, self.first_vertex + k)
    }
}
#[inline(always)]
fn around<E: Element>(cavity: &Cavity<'_, E>, i: u32) -> u32 {
    if i < cavity.len() { i } else { i - cavity.len() }
}

/// Fills a cavity. A filling runs several times: first to count and check its elements, last to write them.
pub trait Fill {
    /// A new vertex.
    fn vertex(&mut self) -> Corner;
    /// A new edge between two vertices, old or new. Not twice between the same two.
    fn edge(&mut self, from: impl Into<Corner>, to: impl Into<Corner>) -> Side;
    /// A new face, from three sides that follow each other: sides of the loop as they are, new ones in either
    /// direction, each side once.
    fn face(&mut self, sides: [Side; 3]) -> NewFace;
    /// Claims a vertex of the loop exclusively: of the cavities that claim a vertex, at most one is filled in
    /// a round, and it may write the vertex's attributes. Not for operators with local priorities, or
    /// declared `no_chords`.
    fn exclusive(&mut self, vertex: VertexId);
    /// Number of vertices, edges and faces that were made so far.
    fn made(&self) -> [u32; 3];

    /// Connects each side of the loop with vertex `apex`, which is new.
    #[inline(always)]
    fn fan<E: Element>(&mut self, cavity: &Cavity<'_, E>, apex: Corner) -> Fan
    where
        Self: Sized,
    {
        let n = cavity.len();
        let [_, first_edge, first_face] = self.made();
        let first_spoke = self.edge(cavity.vertex(0), apex);
        let (mut spoke, mut i) = (first_spoke, 0);
        while i < n {
            let next = if i + 1 == n { first_spoke } else { self.edge(cavity.vertex(i + 1), apex) };
            self.face([cavity.side(i), next, spoke.reversed()]);
            spoke = next;
            i += 1;
        }
        Fan { faces: n, edges: n, first_side: 0, first_face, first_vertex: 0, first_edge }
    }
    /// The same without the sides on the boundary, which die.
    #[inline(always)]
    fn fan_within<E: Element>(&mut self, cavity: &Cavity<'_, E>, apex: Corner)
    where
        Self: Sized,
    {
        let n = cavity.len();
        // begin behind a side that is left out, so that neighbouring faces follow each other
        let (mut begin, mut closed, mut i) = (n, true, 0);
        while i < n {
            if cavity.open(i) {
                closed = false;
            } else if begin == n && cavity.open(cavity.before(i)) {
                begin = i;
            }
            i += 1;
        }
        if closed {
            self.fan(cavity, apex);
            return;
        } else if begin == n {
            return;
        }
        let (mut spoke, mut i, mut k, mut have) = (self.edge(cavity.vertex(begin), apex), begin, 0, true);
        while k < n {
            if cavity.open(i) {
                have = false;
            } else {
                if !have {
                    spoke = self.edge(cavity.vertex(i), apex);
                    have = true;
                }
                let next = self.edge(cavity.vertex(cavity.after(i)), apex);
                self.face([cavity.side(i), next, spoke.reversed()]);
                spoke = next;
            }
            i = cavity.after(i);
            k += 1;
        }
    }
    /// Connects the sides `first` to `last` of the loop with its vertex `hub`, given by indices. Where the
    /// outermost faces reach the sides beside the hub, they use them.
    #[inline(always)]
    fn fan_between<E: Element>(&mut self, cavity: &Cavity<'_, E>, hub: u32, [first, last]: [u32; 2]) -> Fan
    where
        Self: Sized,
    {
        let begin = if first == cavity.after(hub) { Some(cavity.side(hub)) } else { None };
        let end = cavity.after(last);
        let close = if cavity.after(end) == hub { Some(cavity.side(end)) } else { None };
        self.fan_around(cavity, cavity.vertex(hub).into(), [first, last], begin, close)
    }
    /// Connects all other sides of the loop with its vertex `hub`, given by its index.
    #[inline(always)]
    fn fan_of_loop<E: Element>(&mut self, cavity: &Cavity<'_, E>, hub: u32) -> Fan
    where
        Self: Sized,
    {
        self.fan_between(cavity, hub, [cavity.after(hub), cavity.before(cavity.before(hub))])
    }
    /// Connects the sides `first` to `last` of the loop with vertex `hub`, old or new. `spoke` leads from the
    /// hub to where the first side begins, `close` back from where the last one ends: new edges, where they
    /// are none.
    #[inline(always)]
    fn fan_around<E: Element>(
        &mut self,
        cavity: &Cavity<'_, E>,
        hub: Corner,
        [first, last]: [u32; 2],
        spoke: Option<Side>,
        close: Option<Side>,
    ) -> Fan
    where
        Self: Sized,
    {
        let [_, first_edge, first_face] = self.made();
        let first_vertex = if spoke.is_some() { cavity.after(first) } else { first };
        let mut spoke = match spoke {
            Some(side) => side,
            None => self.edge(hub, cavity.vertex(first)),
        };
        let mut i = first;
        loop {
            let end = cavity.after(i);
            let back = match close {
                Some(side) if i == last => side,
                _ => self.edge(cavity.vertex(end), hub),
            };
            self.face([cavity.side(i), back, spoke]);
            if i == last {
                break;
            }
            spoke = back.reversed();
            i = end;
        }
        let [_, edges, faces] = self.made();
        let (faces, edges) = (faces - first_face, edges - first_edge);
        Fan { faces, edges, first_side: first, first_face, first_vertex, first_edge }
    }
}
