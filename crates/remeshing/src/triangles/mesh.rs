//! Triangles with the triangles next to them, on the host.
use super::sides::Sides;
use rayon::prelude::*;
use ribbonmesh::device::{FaceId, HalfEdge, NONE};
use std::ops::Range;

/// The side lies on a curve inside of the surface. Flags of an operation are `1 << 8` and `1 << 16`.
pub const MARKED: u32 = 1;

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

/// A side of a face in a stretch of faces, and its other side, which is outside.
pub type Crossing = [HalfEdge; 2];

/// An oriented manifold.
#[derive(Default)]
pub struct Mesh {
    faces: Vec<Face>,
}

impl Mesh {
    /// Of triangles and their sides; [`None`] if two sides of one edge have the same direction.
    pub fn new(triangles: &[[u32; 3]], sides: &Sides) -> Option<Self> {
        let mut faces = vec![Face { corners: [NONE; 4], twins: [NONE; 4] }; triangles.len()];
        faces.par_iter_mut().zip(triangles).try_for_each(|(face, &[a, b, c])| {
            let twins = [sides.find(b, a)?, sides.find(c, b)?, sides.find(a, c)?, NONE];
            *face = Face { corners: [a, b, c, 0], twins };
            Some(())
        })?;
        Some(Self { faces })
    }
    /// A copy of a stretch of faces, with the numbers of vertices that a function tells. Sides whose other
    /// sides are outside lie on the boundary there.
    pub fn stretch(&self, faces: Range<usize>, number: impl Fn(u32) -> u32) -> Self {
        let ids = 4 * faces.start as u32..4 * faces.end as u32;
        let inside = |twin: u32| if ids.contains(&twin) { twin - ids.start } else { NONE };
        let copy = |face: &Face| {
            let [a, b, c, flags] = face.corners;
            let [a, b, c] = [a, b, c].map(&number);
            Face { corners: [a, b, c, flags], twins: face.twins.map(inside) }
        };
        Self { faces: self.faces[faces].iter().map(copy).collect() }
    }
    /// The sides of a stretch of faces whose other sides are outside.
    pub fn crossing(&self, faces: Range<usize>) -> Vec<Crossing> {
        let ids = 4 * faces.start as u32..4 * faces.end as u32;
        let twin = |h: HalfEdge| self.twin(h).filter(|t| !ids.contains(&t.index())).map(|t| [h, t]);
        faces.flat_map(Self::half_edges).filter_map(twin).collect()
    }
    /// The whole of which each part is a [`Mesh::stretch`], in their order, with a function that tells the
    /// numbers of vertices in the whole, and its crossing sides. These must be where they were.
    pub fn joined<F: Fn(u32) -> u32 + Sync>(parts: Vec<(Self, F, Vec<Crossing>)>) -> Self {
        let begin = |sum: &mut u32, (part, ..): &(Self, F, Vec<Crossing>)| {
            let begin = *sum;
            *sum += part.len() as u32;
            Some(4 * begin)
        };
        let begins: Vec<_> = parts.iter().scan(0, begin).collect();
        let renumbered = |((part, number, _), &begin): (&(Self, F, Vec<Crossing>), &u32)| {
            let some = |id: u32, f: &dyn Fn(u32) -> u32| if id == NONE { NONE } else { f(id) };
            let copy = |face: &Face| {
                let [a, b, c, flags] = face.corners;
                let [a, b, c] = [a, b, c].map(|v| some(v, number));
                Face { corners: [a, b, c, flags], twins: face.twins.map(|t| some(t, &|t| t + begin)) }
            };
            part.faces.iter().map(copy).collect::<Vec<_>>()
        };
        let faces: Vec<_> = parts.par_iter().zip(&begins).map(renumbered).collect();
        let mut mesh = Self { faces: faces.concat() };
        for &[h, t] in parts.iter().flat_map(|(.., crossing)| crossing) {
            mesh.face_mut(h).twins[h.corner() as usize] = t.index();
        }
        mesh
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
    /// Flips an edge, whose two sides are given, so that it joins the opposite vertices. Its faces stay, with
    /// other corners. Returns their other sides.
    pub fn flip(&mut self, [h, t]: [HalfEdge; 2]) -> [HalfEdge; 4] {
        let around = [t.prev(), h.next(), h.prev(), t.next()];
        let [d, b, c, a] = around.map(|side| self.from(side));
        let outer =
            around.map(|side| (self.face(side).twins[side.corner() as usize], self.has(side, MARKED)));
        let [f, g] = [h, t].map(|side| side.face());
        let places = [f.half_edge(1), f.half_edge(2), g.half_edge(1), g.half_edge(2)];
        *self.face_mut(h) = Face { corners: [c, d, b, 0], twins: [NONE; 4] };
        *self.face_mut(t) = Face { corners: [d, c, a, 0], twins: [NONE; 4] };
        self.face_mut(h).twins[0] = g.half_edge(0).index();
        self.face_mut(t).twins[0] = f.half_edge(0).index();
        for (place, (twin, marked)) in places.into_iter().zip(outer) {
            self.face_mut(place).twins[place.corner() as usize] = twin;
            if let Some(twin) = HalfEdge::new(twin).some() {
                self.face_mut(twin).twins[twin.corner() as usize] = place.index();
            }
            if marked {
                self.set(place, MARKED);
            }
        }
        places
    }
    /// Whether the faces at each of so many vertices are one fan.
    pub fn is_fans(&self, sides: &Sides, vertices: usize) -> bool {
        (0..vertices as u32).into_par_iter().all(|v| {
            let (of, mut faces) = (sides.of(v), 0);
            let Some(&[_, first]) = of.first() else { return true };
            let all = self.star(HalfEdge::new(first), |_| {
                faces += 1;
                faces <= of.len()
            });
            all && faces == of.len()
        })
    }
    /// Whether each side of each face is marked.
    pub fn marked(&self) -> Vec<[bool; 3]> {
        (0..self.len()).map(|f| Self::half_edges(f).map(|h| self.has(h, MARKED))).collect()
    }
    /// The vertices of all faces, three for each; none may be deleted.
    pub fn all_corners(&self) -> Vec<[u32; 3]> {
        self.faces.par_iter().map(|&Face { corners: [a, b, c, _], .. }| [a, b, c]).collect()
    }
}
