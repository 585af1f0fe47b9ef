//! A cavity: what is deleted, and the loop around it.
use crate::view::DynamicView;
use ribbonmesh::device::NONE;

/// A side of a face: an edge with a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// `2 edge + direction`.
    pub dart: u32,
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
}
impl Side {
    /// The same edge the other way.
    #[inline(always)]
    pub fn reversed(self) -> Self {
        Self { dart: self.dart ^ 1, from: self.to, to: self.from }
    }
}

/// Words before the lists of a record.
pub const HEAD: u32 = 11 + SLOTS;
/// How many of the slots that a plan claims are in its record; of a plan with more, none are looked up there.
pub const SLOTS: u32 = 5;
/// The word with their number, before them.
const SLOT_COUNT: u32 = 10;
/// Marks a vertex of the loop whose side to the next one has no face outside.
pub const OPEN: u32 = 1 << 31;
/// Marks a vertex of the loop with faces outside that do not join its two sides: it lies on the boundary there.
pub const APART: u32 = 1 << 30;

/// A cavity during planning and filling.
///
/// Its loop runs counter-clockwise around what is deleted: side i leads from vertex i to vertex i + 1, as the deleted
/// face beside it did. It begins at the first side that is not between deleted faces, in the order in which the
/// operator names them, each face from the half-edge named. Sides on the boundary of the mesh are part of it.
#[derive(Clone, Copy)]
pub struct Cavity<'a> {
    pub(crate) mesh: DynamicView<'a>,
    pub(crate) at: u32,
    /// The seed.
    pub seed: u32,
    pub(crate) faces: u32,
    pub(crate) loop_len: u32,
    pub(crate) edges: u32,
    pub(crate) vertices: u32,
}

/// The lengths of a record's lists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Lengths {
    pub faces: u32,
    pub sides: u32,
    pub edges: u32,
    pub vertices: u32,
}
impl Lengths {
    /// Of a disc of so many faces, with so many sides around it, by Euler's formula; none if there is no such disc.
    #[inline(always)]
    pub fn of_disc(faces: u32, sides: u32) -> Option<Self> {
        let twice = (faces + 2).wrapping_sub(sides);
        if sides == 0 || faces + 2 < sides || twice & 1 != 0 {
            return None;
        }
        Some(Self { faces, sides, edges: (3 * faces - sides) / 2, vertices: twice / 2 })
    }
    /// Words of the record.
    #[inline(always)]
    pub fn words(&self) -> u32 {
        HEAD + 2 * self.sides + self.faces + self.edges + self.vertices
    }
}

impl<'a> Cavity<'a> {
    /// A cavity that is being recorded at `at`.
    #[inline(always)]
    pub(crate) fn new(mesh: DynamicView<'a>, at: u32, seed: u32, n: Lengths) -> Self {
        let Lengths { faces, sides, edges, vertices } = n;
        Self { mesh, at, seed, faces, loop_len: sides, edges, vertices }
    }
    /// Stores the lengths, and how much the filling makes: vertices, edges, faces.
    #[inline(always)]
    pub(crate) fn put_head(&self, made: [u32; 3]) {
        let r = self.mesh.records;
        let head =
            [self.seed, self.faces, self.loop_len, self.edges, self.vertices, made[0], made[1], made[2]];
        put_all(&head, |i, word| r.set(self.at + i, word));
    }
    /// The recorded cavity at `at`, and what its filling makes.
    #[inline(always)]
    pub(crate) fn read(mesh: DynamicView<'a>, at: u32) -> (Self, [u32; 3]) {
        let word = |i: u32| mesh.records.get(at + i);
        let cavity = Self {
            mesh,
            at,
            seed: word(0),
            faces: word(1),
            loop_len: word(2),
            edges: word(3),
            vertices: word(4),
        };
        (cavity, [word(5), word(6), word(7)])
    }

    #[inline(always)]
    pub(crate) fn put_ends(&self, [a, b]: [u32; 2]) {
        self.mesh.records.set(self.at + 8, a);
        self.mesh.records.set(self.at + 9, b);
    }
    /// The two vertices of the seed, if that is an edge.
    #[inline(always)]
    pub fn ends(&self) -> [u32; 2] {
        [self.mesh.records.get(self.at + 8), self.mesh.records.get(self.at + 9)]
    }

    /// Stores the place of claim `i` of the plan.
    #[inline(always)]
    pub(crate) fn put_slot(&self, i: u32, slot: u32) {
        if i < SLOTS {
            self.mesh.records.set(self.at + SLOT_COUNT + 1 + i, slot);
        }
    }
    /// Stores how many there are.
    #[inline(always)]
    pub(crate) fn put_slot_count(&self, n: u32) {
        self.mesh.records.set(self.at + SLOT_COUNT, n);
    }
    /// How many claims the plan has made.
    #[inline(always)]
    pub(crate) fn slot_count(&self) -> u32 {
        self.mesh.records.get(self.at + SLOT_COUNT)
    }
    /// The place of claim `i`, below [`SLOTS`].
    #[inline(always)]
    pub(crate) fn slot(&self, i: u32) -> u32 {
        self.mesh.records.get(self.at + SLOT_COUNT + 1 + i)
    }

    /// Number of vertices, and of sides, of the loop.
    #[inline(always)]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u32 {
        self.loop_len
    }
    #[inline(always)]
    pub(crate) fn vertex_word(&self, i: u32) -> u32 {
        self.mesh.records.get(self.at + HEAD + 2 * i)
    }
    /// Vertex `i` of the loop.
    #[inline(always)]
    pub fn vertex(&self, i: u32) -> u32 {
        self.vertex_word(i) & !(OPEN | APART)
    }
    #[inline(always)]
    pub(crate) fn dart(&self, i: u32) -> u32 {
        self.mesh.records.get(self.at + HEAD + 2 * i + 1)
    }
    /// Side `i` of the loop, from vertex `i` to the one after, with its filling on the left.
    #[inline(always)]
    pub fn side(&self, i: u32) -> Side {
        Side { dart: self.dart(i), from: self.vertex(i), to: self.vertex(self.after(i)) }
    }
    /// The mesh.
    #[inline(always)]
    pub fn mesh(&self) -> DynamicView<'a> {
        self.mesh
    }
    /// The half-edge of the deleted face on side `i`, which is the side itself; during planning only.
    #[inline(always)]
    pub fn inside(&self, i: u32) -> u32 {
        self.mesh.eh.get(self.dart(i))
    }
    /// Whether side `i` of the loop lies on the boundary of the mesh. A filling that does not use it deletes it.
    #[inline(always)]
    pub fn open(&self, i: u32) -> bool {
        self.vertex_word(i) & OPEN != 0
    }
    /// Notes that vertex `i` lies on the boundary outside.
    #[inline(always)]
    pub(crate) fn put_apart(&self, i: u32) {
        self.mesh.records.set(self.at + HEAD + 2 * i, self.vertex_word(i) | APART);
    }
    /// Whether that was noted.
    #[inline(always)]
    pub(crate) fn apart(&self, i: u32) -> bool {
        self.vertex_word(i) & APART != 0
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
    /// The index of vertex `v` on the loop, or `NONE`.
    #[inline(always)]
    pub fn find(&self, v: u32) -> u32 {
        let mut i = 0;
        while i < self.loop_len {
            if self.vertex(i) == v {
                return i;
            }
            i += 1;
        }
        NONE
    }
    /// Number of deleted faces.
    #[inline(always)]
    pub fn deleted_faces(&self) -> u32 {
        self.faces
    }
    /// Number of deleted vertices: those inside.
    #[inline(always)]
    pub fn deleted_vertices(&self) -> u32 {
        self.vertices
    }
    /// Number of deleted edges: those inside.
    #[inline(always)]
    pub fn deleted_edges(&self) -> u32 {
        self.edges
    }
    /// The id of deleted face `i`.
    #[inline(always)]
    pub fn deleted_face(&self, i: u32) -> u32 {
        self.mesh.records.get(self.faces_at() + i)
    }
    /// The id of deleted edge `i`.
    #[inline(always)]
    pub fn deleted_edge(&self, i: u32) -> u32 {
        self.mesh.records.get(self.edges_at() + i)
    }
    /// The id of deleted vertex `i`.
    #[inline(always)]
    pub fn deleted_vertex(&self, i: u32) -> u32 {
        self.mesh.records.get(self.vertices_at() + i)
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
