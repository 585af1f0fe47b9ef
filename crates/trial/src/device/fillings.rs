//! Fillings by number, and tags for what they make.
use glam::UVec2;
use ribbonmesh::device::{ElementKind, Out};
use ribbonmesh_dynamic::{Cavity, Fill, Refusal, Side, operators};

/// Nothing: what is deleted leaves a hole.
pub const NOTHING: u32 = 0;
/// A new vertex, joined with the whole loop.
pub const FAN: u32 = 1;
/// The same, but for sides on the boundary.
pub const FAN_WITHIN: u32 = 2;
/// The vertex of the loop where it begins, joined with the others.
pub const FAN_OF_LOOP: u32 = 3;
/// A flip of the seed.
pub const FLIP: u32 = 4;
/// A split of the seed, an edge.
pub const SPLIT: u32 = 5;
/// A collapse of the seed, an edge.
pub const COLLAPSE: u32 = 6;
/// A split of the seed, a vertex.
pub const SPLIT_VERTEX: u32 = 7;
/// A collapse of the seed, a face.
pub const COLLAPSE_FACE: u32 = 8;

/// Fills with one of these, as far as they are made for seeds of this kind; else with nothing.
#[inline(always)]
pub fn fill<F: Fill>(filling: u32, seed: ElementKind, cavity: &Cavity<'_>, fill: &mut F) {
    let of = |kind: ElementKind| seed == kind;
    match filling {
        FAN => {
            let apex = fill.vertex();
            fill.fan(cavity, apex, false);
        }
        FAN_WITHIN => {
            let apex = fill.vertex();
            fill.fan(cavity, apex, true);
        }
        FAN_OF_LOOP => fill.fan_of_loop(cavity, 0),
        FLIP if of(ElementKind::Edge) => operators::flip(cavity, fill),
        SPLIT if of(ElementKind::Edge) => _ = operators::split_edge(cavity, fill),
        COLLAPSE if of(ElementKind::Edge) => _ = operators::collapse_edge(cavity, cavity.ends(), fill),
        SPLIT_VERTEX if of(ElementKind::Vertex) => {
            _ = operators::split_vertex(cavity, cavity.len() / 2, fill)
        }
        COLLAPSE_FACE if of(ElementKind::Face) => _ = operators::collapse_face(cavity, fill),
        _ => (),
    }
}

/// A filling whose elements get tags: `first` and the number of the element among those of its kind.
pub struct Tagged<'f, 'a, F> {
    /// Where it is made.
    pub fill: &'f mut F,
    /// The first tag.
    pub first: UVec2,
    /// Tags of vertices.
    pub vertices: Out<'a, UVec2>,
    /// Tags of edges.
    pub edges: Out<'a, UVec2>,
    /// Tags of faces.
    pub faces: Out<'a, UVec2>,
    /// Made so far: vertices, edges, faces.
    pub made: [u32; 3],
}
impl<F: Fill> Fill for Tagged<'_, '_, F> {
    #[inline(always)]
    fn vertex(&mut self) -> u32 {
        let v = self.fill.vertex();
        let (tags, tag) = (self.vertices, self.first + UVec2::new(0, self.made[0]));
        self.made[0] += 1;
        self.fill.write(|| tags.set(v, tag));
        v
    }
    #[inline(always)]
    fn edge(&mut self, from: u32, to: u32) -> Side {
        let side = self.fill.edge(from, to);
        let (tags, tag) = (self.edges, self.first + UVec2::new(0, self.made[1]));
        self.made[1] += 1;
        self.fill.write(|| tags.set(side.dart >> 1, tag));
        side
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> u32 {
        let f = self.fill.face(sides);
        let (tags, tag) = (self.faces, self.first + UVec2::new(0, self.made[2]));
        self.made[2] += 1;
        self.fill.write(|| tags.set(f, tag));
        f
    }
    #[inline(always)]
    fn refuse(&mut self, reason: Refusal) {
        self.fill.refuse(reason);
    }
    #[inline(always)]
    fn consider(&mut self, f: impl FnOnce() -> Option<Refusal>) {
        self.fill.consider(f);
    }
    #[inline(always)]
    fn exclusive(&mut self, vertex: u32) {
        self.fill.exclusive(vertex);
    }
    #[inline(always)]
    fn write(&mut self, f: impl FnOnce()) {
        self.fill.write(f);
    }
}
