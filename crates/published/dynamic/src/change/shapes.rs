//! Edges with their faces, and stars of vertices, in a working copy.
use super::attempt::Attempt;
use ribbonmesh::device::Vec3;

/// Most faces around a vertex that is a seed.
pub(super) const MOST_FACES: u32 = 64;

/// An edge with two faces: ends a and b, opposite vertices c and d, faces a b c and b a d.
#[derive(Clone, Copy)]
pub(super) struct Diamond {
    pub(super) corners: [u32; 4],
    pub(super) faces: [u32; 2],
    /// Where the edge is in each face.
    pub(super) sides: [u32; 2],
}

impl Attempt<'_, '_> {
    /// The position of a vertex.
    #[inline(always)]
    pub(super) fn x(&self, v: u32) -> Vec3 {
        self.change.attributes.position(self.draft.place(0, v))
    }
    /// The place of an element that the patch owns.
    #[inline(always)]
    pub(super) fn own_place(&self, kind: usize, l: u32) -> u32 {
        self.draft.row.first[kind] + l
    }
    /// Face `k` of an edge, of those that it has, and of the first two.
    #[inline(always)]
    pub(super) fn face_at(&self, e: u32, k: u32) -> u32 {
        self.memory.pairs.get(2 * e + k) as u32
    }
    /// The side of a face that is an edge.
    #[inline(always)]
    pub(super) fn side_of(&self, face: u32, edge: u32) -> u32 {
        if self.draft.side(face, 0).0 == edge {
            0
        } else if self.draft.side(face, 1).0 == edge {
            1
        } else {
            2
        }
    }
    /// The entry of FE of a side, counted around.
    #[inline(always)]
    pub(super) fn entry(&self, face: u32, i: u32) -> u16 {
        self.draft.fe.get(3 * face + i % 3)
    }
    /// Writes the sides of a face.
    #[inline(always)]
    pub(super) fn set_face(&self, face: u32, [a, b, c]: [u16; 3]) {
        self.draft.fe.set(3 * face, a);
        self.draft.fe.set(3 * face + 1, b);
        self.draft.fe.set(3 * face + 2, c);
    }
    /// The diamond of an edge with two faces that run along it in opposite directions.
    #[inline(always)]
    pub(super) fn diamond(&self, e: u32) -> Option<Diamond> {
        let draft = self.draft;
        if self.memory.degrees.get(e) != 2 {
            return None;
        }
        let faces = [self.face_at(e, 0), self.face_at(e, 1)];
        let [i, j] = faces.map(|f| self.side_of(f, e));
        let (flipped, other) = (draft.side(faces[0], i).1, draft.side(faces[1], j).1);
        if faces[0] == faces[1] || flipped == other {
            return None;
        }
        let [a, b] = [draft.corner(faces[0], i), draft.corner(faces[0], (i + 1) % 3)];
        let [c, d] = [draft.corner(faces[0], (i + 2) % 3), draft.corner(faces[1], (j + 2) % 3)];
        let apart = a != b && c != d && c != a && c != b && d != a && d != b;
        apart.then_some(Diamond { corners: [a, b, c, d], faces, sides: [i, j] })
    }
    /// Visits the faces around a vertex counter-clockwise, each with the side that begins at the vertex.
    /// Whether they are all faces of the vertex, each edge between two of them has these two, and they come
    /// round; if not, some are visited.
    #[inline(always)]
    pub(super) fn star(&self, v: u32, mut f: impl FnMut(u32, u32)) -> bool {
        let (draft, memory) = (self.draft, self.memory);
        let (n, start) = (memory.fans.get(v), memory.starts.get(v));
        if !(3..=MOST_FACES).contains(&n) {
            return false;
        }
        let (mut face, mut seen) = (start, 0);
        let mut i = if draft.corner(face, 0) == v {
            0
        } else if draft.corner(face, 1) == v {
            1
        } else {
            2
        };
        loop {
            let arriving = draft.side(face, (i + 2) % 3).0;
            if memory.degrees.get(arriving) != 2 {
                return false;
            }
            let [g, h] = [self.face_at(arriving, 0), self.face_at(arriving, 1)];
            let next = if g == face { h } else { g };
            let j = self.side_of(next, arriving);
            if draft.corner(next, j) != v || next == face {
                return false;
            }
            f(face, i);
            seen += 1;
            (face, i) = (next, j);
            if face == start {
                return seen == n;
            }
            if seen == n {
                return false;
            }
        }
    }
}
