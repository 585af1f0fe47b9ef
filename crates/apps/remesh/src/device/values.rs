//! The attributes that remeshing keeps, as kernels see them.
use glam::Vec3;
use ribbonmesh::device::{NONE, Out};
use ribbonmesh_dynamic::{Cavity, DynamicView, Fill, Refusal, Side, operators};

/// Refused: an edge would be longer than 4/3 of the target length.
pub const TOO_LONG: Refusal = operators::OWN;
/// Refused: a face would turn over, or away from where it looked.
pub const TURNS: Refusal = operators::OWN + 1;
/// Refused: a face would become a sliver.
pub const SLIVER: Refusal = operators::OWN + 2;
/// Refused: a corner, a curve's vertex or a boundary would be lost.
pub const PINNED: Refusal = operators::OWN + 3;
/// Refused: more edges of the cavity lie on curves, or farther along its loop, than is provided for.
pub const CROWDED: Refusal = operators::OWN + 4;

/// Kind of a vertex: moves on the surface.
pub const FREE: u32 = 0;
/// Kind of a vertex: inside of a curve, on which it moves.
pub const CURVE: u32 = 1;
/// Kind of a vertex: never moves.
pub const CORNER: u32 = 2;

/// Mark of an edge: of a curve inside of the surface. The other bits are for plans.
pub const MARKED: u32 = 1 << 31;
/// Places of a loop that plans have bits for.
const PLANNED: u32 = 31;

/// The boundary stays as it is.
pub const FIXED: u32 = 1;
/// There are marked edges.
pub const HAS_MARKS: u32 = 2;
/// Target lengths differ from vertex to vertex.
pub const SIZED: u32 = 4;
/// Vertices are projected.
pub const PROJECTED: u32 = 8;

/// Attributes and settings.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// Positions.
    pub x: Out<'a, Vec3>,
    /// [`FREE`], [`CURVE`] or [`CORNER`], of each vertex.
    pub kind: Out<'a, u32>,
    /// Target length at each vertex, where these are [`SIZED`].
    pub size: Out<'a, f32>,
    /// A face of the input near each vertex, where they are [`PROJECTED`].
    pub near: Out<'a, u32>,
    /// Valence of each vertex minus the best one, 6, or 4 on the boundary. True during flips.
    pub excess: Out<'a, u32>,
    /// [`MARKED`] or not, of each edge, if the mesh [`HAS_MARKS`].
    pub marks: Out<'a, u32>,
    /// The target length, where it is the same everywhere.
    pub length: f32,
    /// Bits: [`FIXED`], [`HAS_MARKS`], [`SIZED`], [`PROJECTED`].
    pub flags: u32,
}
impl Values<'_> {
    /// Whether a flag is set.
    #[inline(always)]
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// The target length of an edge.
    #[inline(always)]
    pub fn target(&self, a: u32, b: u32) -> f32 {
        if self.has(SIZED) { self.size.get(a).min(self.size.get(b)) } else { self.length }
    }
    /// Whether an edge inside of the surface is part of a curve.
    #[inline(always)]
    pub fn marked(&self, e: u32) -> bool {
        self.has(HAS_MARKS) && self.marks.get(e) & MARKED != 0
    }
    /// Squared length over the squared target length of an edge.
    #[inline(always)]
    pub fn ratio(&self, a: u32, b: u32) -> f32 {
        let l = self.target(a, b);
        (self.x.get(a) - self.x.get(b)).length_squared() / (l * l)
    }
}

/// The power of two not above a number: as a priority, it leaves more to chance, and the fewer edges wait for each
/// other, the fewer rounds there are.
#[inline(always)]
pub fn coarse(ratio: f32) -> f32 {
    f32::from_bits(ratio.to_bits() & 0xff80_0000)
}

/// The ends of an edge with these half-edges, one of them at least.
#[inline(always)]
pub fn ends(mesh: DynamicView<'_>, [h0, h1]: [u32; 2]) -> [u32; 2] {
    if h0 != NONE { [mesh.from(h0), mesh.to(h0)] } else { [mesh.to(h1), mesh.from(h1)] }
}

/// Fills, and marks new edges.
pub struct Marking<'f, 'a, F, M> {
    fill: &'f mut F,
    values: Values<'a>,
    mark: M,
}
impl<'f, 'a, F: Fill, M: Fn(u32, u32) -> bool> Marking<'f, 'a, F, M> {
    /// Edges for whose ends `mark` is true get the mark, others none.
    #[inline(always)]
    pub fn new(fill: &'f mut F, values: Values<'a>, mark: M) -> Self {
        Self { fill, values, mark }
    }
}
impl<F: Fill, M: Fn(u32, u32) -> bool> Fill for Marking<'_, '_, F, M> {
    #[inline(always)]
    fn vertex(&mut self) -> u32 {
        self.fill.vertex()
    }
    #[inline(always)]
    fn edge(&mut self, from: u32, to: u32) -> Side {
        let side = self.fill.edge(from, to);
        if self.values.has(HAS_MARKS) {
            let (marks, mark) = (self.values.marks, (self.mark)(from, to));
            self.fill.write(|| marks.set(side.dart >> 1, if mark { MARKED } else { 0 }));
        }
        side
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> u32 {
        self.fill.face(sides)
    }
    #[inline(always)]
    fn refuse(&mut self, reason: Refusal) {
        self.fill.refuse(reason)
    }
    #[inline(always)]
    fn exclusive(&mut self, vertex: u32) {
        self.fill.exclusive(vertex)
    }
    #[inline(always)]
    fn write(&mut self, f: impl FnOnce()) {
        self.fill.write(f)
    }
}

/// Which vertices of a collapse's loop have a marked edge to one of the ends, as bits; none if a place has no bit.
/// During planning.
#[inline(always)]
pub fn marked_spokes(values: Values<'_>, cavity: &Cavity<'_>, [a, b]: [u32; 2]) -> Option<u32> {
    let (mesh, mut bits, mut i) = (cavity.mesh(), 0, 0);
    while i < cavity.len() {
        let h = cavity.inside(i);
        let apex = mesh.opposite(h);
        if apex == a || apex == b {
            let mut look = |h: u32, place: u32| {
                let e = mesh.dart(h) >> 1;
                if e != cavity.seed && values.marked(e) {
                    bits |= if place < PLANNED { 1 << place } else { MARKED };
                }
            };
            look(ribbonmesh_dynamic::next(h), cavity.after(i));
            look(ribbonmesh_dynamic::prev(h), i);
        }
        i += 1;
    }
    if bits & MARKED == 0 { Some(bits) } else { None }
}
