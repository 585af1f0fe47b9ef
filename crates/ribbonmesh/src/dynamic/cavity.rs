//! A cavity: what is deleted, and the loop around it.
use crate::device::{Dart, Edge, EdgeId, Element, ElementId, FaceId, HalfEdge, NONE, Out, VertexId};
use crate::dynamic::decision::Decision;
use crate::dynamic::fill::{Corner, NewFace, Side};
use crate::dynamic::mesh::MeshRef;
use core::marker::PhantomData;
use core::ops::Deref;

/// Words before the lists of a record.
pub const HEAD: u32 = 11 + SLOTS;
/// The number of a plan's claimed slots that are in its record; if a plan has more, none are looked up there.
pub const SLOTS: u32 = 5;
/// The word with their number, before them.
const SLOT_COUNT: u32 = 10;
/// Marks a vertex of the loop whose side to the next one has no face outside.
pub const OPEN: u32 = 1 << 31;
/// Marks a vertex of the loop with faces outside that do not join its two sides: it lies on the boundary
/// there.
pub const APART: u32 = 1 << 30;

/// A cavity around a seed of kind `E`, from the operator's decision to its filling.
///
/// Its loop runs counter-clockwise around what is deleted: side i leads from vertex i to vertex i + 1, as the
/// deleted face beside it did. It begins at the first side that is not between deleted faces, in the order in
/// which the operator names them, each face from the half-edge named. Sides on the boundary of the mesh are
/// part of it.
pub struct Cavity<'a, E> {
    pub(crate) records: Out<'a, u32>,
    /// The index of the record's head; the words of the decision are before it.
    pub(crate) at: u32,
    pub(crate) seed: u32,
    pub(crate) faces: u32,
    pub(crate) loop_len: u32,
    pub(crate) edges: u32,
    pub(crate) vertices: u32,
    of: PhantomData<E>,
}
impl<E> Clone for Cavity<'_, E> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E> Copy for Cavity<'_, E> {}

/// The lengths of a record's lists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    pub faces: u32,
    pub sides: u32,
    pub edges: u32,
    pub vertices: u32,
}
impl Lengths {
    /// The lengths of a disc of `faces` faces, with `sides` sides around it, by Euler's formula; `None` if
    /// there is no such disc.
    #[inline(always)]
    pub fn of_disc(faces: u32, sides: u32) -> Option<Self> {
        let twice = (faces + 2).wrapping_sub(sides);
        if sides == 0 || faces + 2 < sides || twice & 1 != 0 {
            return None;
        }
        Some(Self { faces, sides, edges: (3 * faces - sides) / 2, vertices: twice / 2 })
    }
    /// Words of the record without the decision's.
    #[inline(always)]
    pub fn words(&self) -> u32 {
        HEAD + 2 * self.sides + self.faces + self.edges + self.vertices
    }
}

/// Accessors for operators.
impl<E: Element> Cavity<'_, E> {
    /// The seed.
    #[inline(always)]
    pub fn seed(&self) -> E::Id {
        E::Id::new(self.seed)
    }
    /// Number of vertices, and of sides, of the loop.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u32 {
        self.loop_len
    }
    /// Vertex `i` of the loop.
    #[inline(always)]
    pub fn vertex(&self, i: u32) -> VertexId {
        VertexId::new(self.vertex_word(i) & !(OPEN | APART))
    }
    /// Side `i` of the loop, from vertex `i` to the one after, with its filling on the left.
    #[inline(always)]
    pub fn side(&self, i: u32) -> Side {
        Side {
            dart: self.dart(i).index(),
            from: self.vertex(i).into(),
            to: self.vertex(self.after(i)).into(),
        }
    }
    /// Whether side `i` of the loop lies on the boundary of the mesh. A filling that does not use it deletes
    /// it.
    #[inline(always)]
    pub fn open(&self, i: u32) -> bool {
        self.vertex_word(i) & OPEN != 0
    }
    /// The half-edge of the deleted face on side `i` of the loop, while the operator decides.
    #[inline(always)]
    pub fn inside(&self, mesh: impl MeshRef, i: u32) -> Option<HalfEdge> {
        mesh.half_edge(self.dart(i))
    }
    /// The index after `i` on the loop.
    #[inline(always)]
    pub fn after(&self, i: u32) -> u32 {
        if i + 1 < self.loop_len { i + 1 } else { 0 }
    }
    /// The index before `i` on the loop.
    #[inline(always)]
    pub fn before(&self, i: u32) -> u32 {
        if i > 0 { i - 1 } else { self.loop_len - 1 }
    }
    /// The index of vertex `v` on the loop.
    #[inline(always)]
    pub fn find(&self, v: VertexId) -> Option<u32> {
        let mut i = 0;
        while i < self.loop_len {
            if self.vertex(i) == v {
                return Some(i);
            }
            i += 1;
        }
        None
    }
    /// Number of deleted faces.
    #[inline(always)]
    pub fn deleted_faces(&self) -> u32 {
        self.faces
    }
    /// Number of deleted vertices: the vertices inside.
    #[inline(always)]
    pub fn deleted_vertices(&self) -> u32 {
        self.vertices
    }
    /// Number of deleted edges: the edges inside.
    #[inline(always)]
    pub fn deleted_edges(&self) -> u32 {
        self.edges
    }
    /// The id of deleted face `i`.
    #[inline(always)]
    pub fn deleted_face(&self, i: u32) -> FaceId {
        FaceId::new(self.records.get(self.faces_at() + i))
    }
    /// The id of deleted edge `i`.
    #[inline(always)]
    pub fn deleted_edge(&self, i: u32) -> EdgeId {
        EdgeId::new(self.records.get(self.edges_at() + i))
    }
    /// The id of deleted vertex `i`.
    #[inline(always)]
    pub fn deleted_vertex(&self, i: u32) -> VertexId {
        VertexId::new(self.records.get(self.vertices_at() + i))
    }
}
impl Cavity<'_, Edge> {
    /// The two ends of the seed, in its direction.
    #[inline(always)]
    pub fn ends(&self) -> [VertexId; 2] {
        [VertexId::new(self.records.get(self.at + 8)), VertexId::new(self.records.get(self.at + 9))]
    }
}

/// The record.
impl<'a, E: Element> Cavity<'a, E> {
    /// A cavity that is being recorded, with its head at `at`.
    #[inline(always)]
    pub(crate) fn new(records: Out<'a, u32>, at: u32, seed: u32, n: Lengths) -> Self {
        let Lengths { faces, sides, edges, vertices } = n;
        Self { records, at, seed, faces, loop_len: sides, edges, vertices, of: PhantomData }
    }
    /// Stores the lengths, and how much the filling makes: vertices, edges, faces.
    #[inline(always)]
    pub(crate) fn put_head(&self, made: [u32; 3]) {
        let head =
            [self.seed, self.faces, self.loop_len, self.edges, self.vertices, made[0], made[1], made[2]];
        put_all(&head, |i, word| self.records.set(self.at + i, word));
    }
    /// The recorded cavity with its head at `at`, and what its filling makes.
    #[inline(always)]
    pub(crate) fn read(records: Out<'a, u32>, at: u32) -> (Self, [u32; 3]) {
        let word = |i: u32| records.get(at + i);
        let cavity = Self {
            records,
            at,
            seed: word(0),
            faces: word(1),
            loop_len: word(2),
            edges: word(3),
            vertices: word(4),
            of: PhantomData,
        };
        (cavity, [word(5), word(6), word(7)])
    }
    /// Stores what the operator has decided.
    #[inline(always)]
    pub(crate) fn put_decision<D: Decision>(&self, decision: &D) {
        let mut at = self.at - D::WORDS;
        decision.store(&mut |word| {
            self.records.set(at, word);
            at += 1;
        });
    }
    /// The decision of the operator.
    #[inline(always)]
    pub(crate) fn decision<D: Decision>(&self) -> D {
        let mut at = self.at - D::WORDS;
        D::load(&mut || {
            at += 1;
            self.records.get(at - 1)
        })
    }
    /// Stores the vertices of the seed, if that is an edge.
    #[inline(always)]
    pub(crate) fn put_ends(&self, [a, b]: [u32; 2]) {
        self.records.set(self.at + 8, a);
        self.records.set(self.at + 9, b);
    }
    /// Stores the place of claim `i` of the plan.
    #[inline(always)]
    pub(crate) fn put_slot(&self, i: u32, slot: u32) {
        if i < SLOTS {
            self.records.set(self.at + SLOT_COUNT + 1 + i, slot);
        }
    }
    /// Stores how many there are.
    #[inline(always)]
    pub(crate) fn put_slot_count(&self, n: u32) {
        self.records.set(self.at + SLOT_COUNT, n);
    }
    /// The number of claims that the plan has made.
    #[inline(always)]
    pub(crate) fn slot_count(&self) -> u32 {
        self.records.get(self.at + SLOT_COUNT)
    }
    /// The place of claim `i`, below [`SLOTS`].
    #[inline(always)]
    pub(crate) fn slot(&self, i: u32) -> u32 {
        self.records.get(self.at + SLOT_COUNT + 1 + i)
    }
    #[inline(always)]
    pub(crate) fn vertex_word(&self, i: u32) -> u32 {
        self.records.get(self.at + HEAD + 2 * i)
    }
    /// The dart of side `i`.
    #[inline(always)]
    pub(crate) fn dart(&self, i: u32) -> Dart {
        Dart::new(self.records.get(self.at + HEAD + 2 * i + 1))
    }
    /// As [`Cavity::find`], `NONE` if it is not there.
    #[inline(always)]
    pub(crate) fn index_of(&self, v: u32) -> u32 {
        self.find(VertexId::new(v)).unwrap_or(NONE)
    }
    /// Notes that vertex `i` lies on the boundary outside.
    #[inline(always)]
    pub(crate) fn put_apart(&self, i: u32) {
        self.records.set(self.at + HEAD + 2 * i, self.vertex_word(i) | APART);
    }
    /// Whether that was noted.
    #[inline(always)]
    pub(crate) fn apart(&self, i: u32) -> bool {
        self.vertex_word(i) & APART != 0
    }
    #[inline(always)]
    pub(crate) fn faces_at(&self) -> u32 {
        self.at + HEAD + 2 * self.loop_len
    }
    #[inline(always)]
    pub(crate) fn edges_at(&self) -> u32 {
        self.faces_at() + self.faces
    }
    #[inline(always)]
    pub(crate) fn vertices_at(&self) -> u32 {
        self.edges_at() + self.edges
    }
}

#[inline(always)]
fn put_all(words: &[u32; 8], put: impl Fn(u32, u32)) {
    let [a, b, c, d, e, f, g, h] = *words;
    put(0, a);
    put(1, b);
    put(2, c);
    put(3, d);
    put(4, e);
    put(5, f);
    put(6, g);
    put(7, h);
}

/// A filled cavity, with the ids of its new elements. New elements reuse the ids of deleted ones first:
/// attributes of deleted elements can be read until those of new ones are written.
pub struct Filled<'a, E> {
    pub(crate) cavity: Cavity<'a, E>,
    /// The first ids of vertices, edges and faces that no deleted element had.
    pub(crate) first: [u32; 3],
    /// Numbers of new vertices, edges, faces.
    pub(crate) made: [u32; 3],
}
impl<'a, E> Deref for Filled<'a, E> {
    type Target = Cavity<'a, E>;
    #[inline(always)]
    fn deref(&self) -> &Cavity<'a, E> {
        &self.cavity
    }
}
impl<E: Element> Filled<'_, E> {
    /// Number of vertices, edges and faces that were made.
    #[inline(always)]
    pub fn made(&self) -> [u32; 3] {
        self.made
    }
    /// Vertex `i` of the new ones, in the order in which they were made.
    #[inline(always)]
    pub fn new_vertex(&self, i: u32) -> VertexId {
        let n = self.deleted_vertices();
        if i < n { self.deleted_vertex(i) } else { VertexId::new(self.first[0] + (i - n)) }
    }
    /// Edge `i` of the new ones.
    #[inline(always)]
    pub fn new_edge(&self, i: u32) -> EdgeId {
        let n = self.deleted_edges();
        if i < n { self.deleted_edge(i) } else { EdgeId::new(self.first[1] + (i - n)) }
    }
    /// Face `i` of the new ones.
    #[inline(always)]
    pub fn new_face(&self, i: u32) -> FaceId {
        let n = self.deleted_faces();
        if i < n { self.deleted_face(i) } else { FaceId::new(self.first[2] + (i - n)) }
    }
    /// The id of a vertex that the filling has used or made.
    #[inline(always)]
    pub fn vertex_of(&self, corner: Corner) -> VertexId {
        VertexId::new(corner.0)
    }
    /// The id of an edge that it has used or made.
    #[inline(always)]
    pub fn edge_of(&self, side: Side) -> EdgeId {
        Dart::new(side.dart).edge()
    }
    /// The id of a face that it has made.
    #[inline(always)]
    pub fn face_of(&self, face: NewFace) -> FaceId {
        FaceId::new(face.0)
    }
}
