//! Triangles with the triangles next to them, on the host.
use crate::simplify::collapse::MOST_FACES;
use rayon::prelude::*;
use ribbonmesh::device::{FaceId, HalfEdge, NONE};

/// The side lies on a curve inside of the surface.
pub const MARKED: u32 = 1;
/// The side stands in the queue for its edge.
pub const QUEUED: u32 = 1 << 8;
/// The collapse of the side's edge was rejected.
pub const REFUSED: u32 = 1 << 16;

/// A face in half a line of memory: three vertices and the flags of its sides; the half-edges on the other
/// sides, [`NONE`] on the boundary. The first vertex of a deleted face is [`NONE`].
#[repr(C, align(32))]
#[derive(Clone, Copy)]
struct Face {
    corners: [u32; 4],
    twins: [u32; 4],
}
/// Place of the flags among the corners.
const FLAGS: usize = 3;

/// An oriented manifold.
pub struct Mesh {
    faces: Vec<Face>,
}

/// Sides that begin at a vertex from which on they are sorted, to be found by bisection.
const MANY: usize = 32;

/// The sides that begin at each vertex, by the vertices where they end.
pub struct Sides {
    /// Place of the first side of each vertex, and the end.
    starts: Vec<u32>,
    sides: Vec<[u32; 2]>,
}
impl Sides {
    /// Of these triangles; [`None`] if one has a vertex twice.
    pub fn new(vertices: usize, triangles: &[[u32; 3]]) -> Option<Self> {
        let mut starts = vec![0u32; vertices + 2];
        for &[a, b, c] in triangles {
            if a == b || b == c || c == a {
                return None;
            }
            for v in [a, b, c] {
                starts[v as usize + 2] += 1;
            }
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut sides = vec![[0; 2]; 3 * triangles.len()];
        for (f, &[a, b, c]) in triangles.iter().enumerate() {
            for (corner, [v, w]) in [[a, b], [b, c], [c, a]].into_iter().enumerate() {
                let place = &mut starts[v as usize + 1];
                sides[*place as usize] = [w, 4 * f as u32 + corner as u32];
                *place += 1;
            }
        }
        starts.pop();
        for v in 0..vertices {
            let span = starts[v] as usize..starts[v + 1] as usize;
            if span.len() > MANY {
                sides[span].sort_unstable();
            }
        }
        Some(Self { starts, sides })
    }
    /// The sides that begin at a vertex: where each ends, and its half-edge.
    pub fn of(&self, v: u32) -> &[[u32; 2]] {
        &self.sides[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }
    /// The half-edge from `v` to `w`, [`NONE`] without one; [`None`] if there are several.
    fn find(&self, v: u32, w: u32) -> Option<u32> {
        let mut sides = self.of(v);
        if sides.len() > MANY {
            sides = &sides[sides.partition_point(|side| side[0] < w)..];
            sides = &sides[..sides.len().min(2)];
        }
        let mut found = NONE;
        for &[end, h] in sides {
            if end == w {
                if found != NONE {
                    return None;
                }
                found = h;
            }
        }
        Some(found)
    }
}

impl Mesh {
    /// Of triangles and their sides; [`None`] if two sides of one edge have the same direction.
    pub fn new(triangles: &[[u32; 3]], sides: &Sides) -> Option<Self> {
        let link = |&[a, b, c]: &[u32; 3]| {
            let twins = [sides.find(b, a)?, sides.find(c, b)?, sides.find(a, c)?, NONE];
            Some(Face { corners: [a, b, c, 0], twins })
        };
        Some(Self { faces: triangles.par_iter().map(link).collect::<Option<_>>()? })
    }
    /// Number of faces, deleted ones included.
    pub fn len(&self) -> usize {
        self.faces.len()
    }
    #[inline(always)]
    fn face(&self, h: HalfEdge) -> &Face {
        &self.faces[h.face().index() as usize]
    }
    #[inline(always)]
    fn face_mut(&mut self, h: HalfEdge) -> &mut Face {
        &mut self.faces[h.face().index() as usize]
    }
    /// The vertices of a face; [`None`] if it is deleted.
    #[inline(always)]
    pub fn corners(&self, f: usize) -> Option<[u32; 3]> {
        let [a, b, c, _] = self.faces[f].corners;
        (a != NONE).then_some([a, b, c])
    }
    /// The half-edges of a face.
    #[inline(always)]
    pub fn half_edges(f: usize) -> [HalfEdge; 3] {
        [0, 1, 2].map(|corner| FaceId::new(f as u32).half_edge(corner))
    }
    /// Whether the face of a half-edge is not deleted.
    #[inline(always)]
    pub fn lives(&self, h: HalfEdge) -> bool {
        self.face(h).corners[0] != NONE
    }
    /// The vertex where a half-edge begins.
    #[inline(always)]
    pub fn from(&self, h: HalfEdge) -> u32 {
        self.face(h).corners[h.corner() as usize]
    }
    /// The vertex where it ends.
    #[inline(always)]
    pub fn to(&self, h: HalfEdge) -> u32 {
        self.from(h.next())
    }
    /// The half-edge on the other side of the edge; none on the boundary.
    #[inline(always)]
    pub fn twin(&self, h: HalfEdge) -> Option<HalfEdge> {
        HalfEdge::new(self.face(h).twins[h.corner() as usize]).some()
    }
    /// Whether a side has a flag.
    #[inline(always)]
    pub fn has(&self, h: HalfEdge, flag: u32) -> bool {
        self.face(h).corners[FLAGS] & flag << h.corner() != 0
    }
    /// Sets a flag of a side.
    #[inline(always)]
    pub fn set(&mut self, h: HalfEdge, flag: u32) {
        self.face_mut(h).corners[FLAGS] |= flag << h.corner();
    }
    /// Removes a flag of a side; returns whether it was set.
    #[inline(always)]
    pub fn take(&mut self, h: HalfEdge, flag: u32) -> bool {
        let (corner, flags) = (h.corner(), &mut self.face_mut(h).corners[FLAGS]);
        let was = *flags & flag << corner != 0;
        *flags &= !(flag << corner);
        was
    }
    /// Whether a side lies on a curve: on the boundary, or marked.
    #[inline(always)]
    pub fn of_curve(&self, h: HalfEdge) -> bool {
        self.twin(h).is_none() || self.has(h, MARKED)
    }
    /// Visits the half-edges that begin at the start of `h`: `h` itself, then counter-clockwise to the
    /// boundary or around, then clockwise from `h`. Ends when `f` says false; returns whether it came to the
    /// end.
    #[inline(always)]
    pub fn star(&self, h: HalfEdge, mut f: impl FnMut(HalfEdge) -> bool) -> bool {
        let mut g = h;
        loop {
            if !f(g) {
                return false;
            }
            let Some(t) = self.twin(g.prev()) else { break };
            if t == h {
                return true;
            }
            g = t;
        }
        let mut t = self.twin(h);
        while let Some(arriving) = t {
            let g = arriving.next();
            if !f(g) {
                return false;
            }
            t = self.twin(g);
        }
        true
    }
    /// Gives the corner where a half-edge begins to another vertex.
    #[inline(always)]
    pub fn move_corner(&mut self, h: HalfEdge, v: u32) {
        self.face_mut(h).corners[h.corner() as usize] = v;
    }
    /// Deletes the face of `h`, and joins what is on its other two sides. Returns the half-edges there.
    #[inline(always)]
    pub fn close(&mut self, h: HalfEdge) -> [Option<HalfEdge>; 2] {
        let sides = [h.next(), h.prev()];
        let mark = sides.iter().any(|&side| self.has(side, MARKED));
        let around = sides.map(|side| self.twin(side));
        for (side, other) in [(around[0], around[1]), (around[1], around[0])] {
            let Some(side) = side else { continue };
            let twin = other.map_or(NONE, HalfEdge::index);
            self.face_mut(side).twins[side.corner() as usize] = twin;
            if mark && other.is_some() {
                self.set(side, MARKED);
            } else {
                self.take(side, MARKED);
            }
        }
        self.face_mut(h).corners[0] = NONE;
        around
    }
}

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
            let (face, back) = (mesh.face(g), g.prev());
            let Some(place) = self.spokes.get_mut(self.len) else { return false };
            let others = [face.corners[g.next().corner() as usize], face.corners[back.corner() as usize]];
            *place = Spoke { side: g, others };
            self.len += 1;
            match HalfEdge::new(face.twins[back.corner() as usize]).some() {
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
            let face = mesh.face(g);
            let Some(place) = self.spokes.get_mut(self.len) else { return false };
            let others = [g.next(), g.prev()].map(|side| face.corners[side.corner() as usize]);
            *place = Spoke { side: g, others };
            self.len += 1;
            t = HalfEdge::new(face.twins[g.corner() as usize]).some();
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
