//! The attributes and criteria of mesh improvement, as kernels see them.
use glam::Vec3;
use ribbonmesh::device::{Parameter, ValuesMut, Vertex, VertexId};
use ribbonmesh::dynamic::Rejection;
use ribbonmesh::features::triangle::smallest_sine;

/// An edge would be longer than the upper length, and longer than before.
pub const TOO_LONG: Rejection = Rejection::own(0);
/// The normal of a face would turn over.
pub const TURNS: Rejection = Rejection::own(1);
/// A face would have too small an area or angle.
pub const SLIVER: Rejection = Rejection::own(2);
/// The boundary, or a feature, would be lost.
pub const PINNED: Rejection = Rejection::own(3);
/// The enclosed volume, or the area, would change too much.
pub const VOLUME: Rejection = Rejection::own(4);
/// Names of these reasons, in their order.
pub const REASONS: [&str; 5] = ["too_long", "turns", "sliver", "pinned", "volume"];

/// Edges on the boundary are neither split nor collapsed, nor are edges collapsed that touch it.
pub const KEEP_BOUNDARY: u32 = 1;
/// New vertices of splits are those of the butterfly scheme where it applies.
pub const BUTTERFLY: u32 = 2;
/// Edges are flipped where that makes them shorter, not where they are not Delaunay.
pub const SHORTER: u32 = 4;
/// Ranks of vertices count: see [`crate::rank`].
pub const RANKS: u32 = 8;
/// Collapses and smoothing keep the enclosed volume.
pub const KEEP_VOLUME: u32 = 16;
/// Vertices have labels, those of their components.
pub const LABELS: u32 = 32;
/// Lengths depend on curvature: see [`crate::sizing`].
pub const SIZED: u32 = 64;

/// Criteria of splits, collapses and flips (Brochu and Bridson 2009, section 3; El Topo). Lengths are
/// absolute.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Criteria {
    /// The lower length.
    pub shortest: f32,
    /// The upper length.
    pub longest: f32,
    /// The largest change of the enclosed volume by one operation.
    pub volume: f32,
    /// The least area of a new face.
    pub area: f32,
    /// The sine of the least angle of a new face.
    pub sine: f32,
    /// Bits: [`KEEP_BOUNDARY`], [`BUTTERFLY`], [`SHORTER`], [`RANKS`], [`KEEP_VOLUME`],
    /// [`LABELS`], [`SIZED`].
    pub flags: u32,
}
impl Criteria {
    /// Whether a flag is set.
    #[inline(always)]
    pub fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// Whether a new face is too thin: below the least area or angle, and worse than the worst one before.
    #[inline(always)]
    pub fn thin(&self, new: [Vec3; 3], twice_area: f32, before: [f32; 2]) -> bool {
        let [area, sine] = before;
        let area_below = 0.5 * twice_area < self.area && twice_area < area;
        let new_sine = smallest_sine(new);
        area_below || new_sine < self.sine && new_sine < sine
    }
}

/// A bit in addition to the rank of a vertex, which is 0 to 3: its edges are neither flipped nor collapsed,
/// and edges around it are split in the middle.
pub const HELD: u32 = 4;

/// Numbers of a row of columns.
pub const ROW: usize = 4;

/// Rows of columns of vertices, which each operation updates: up to four attributes of four numbers each.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Columns<'a> {
    /// The first four numbers.
    pub a: ValuesMut<'a, Vertex, [f32; ROW]>,
    /// The second four numbers.
    pub b: ValuesMut<'a, Vertex, [f32; ROW]>,
    /// The third four numbers.
    pub c: ValuesMut<'a, Vertex, [f32; ROW]>,
    /// The last four numbers.
    pub d: ValuesMut<'a, Vertex, [f32; ROW]>,
    /// Number of rows in use.
    pub rows: u32,
}
impl<'a> Columns<'a> {
    #[inline(always)]
    fn row(&self, k: u32) -> ValuesMut<'a, Vertex, [f32; ROW]> {
        match k {
            0 => self.a,
            1 => self.b,
            2 => self.c,
            _ => self.d,
        }
    }
    /// Gives a vertex the means of the values at two others.
    #[inline(always)]
    pub fn set_mean(&self, to: VertexId, [a, b]: [VertexId; 2]) {
        let mut k = 0;
        while k < self.rows {
            let row = self.row(k);
            let ([p, q, r, s], [t, u, v, w]) = (row.get(a), row.get(b));
            row.set(to, [mean(p, t), mean(q, u), mean(r, v), mean(s, w)]);
            k += 1;
        }
    }
    /// Gives a vertex the values at another one.
    #[inline(always)]
    pub fn copy(&self, to: VertexId, from: VertexId) {
        let mut k = 0;
        while k < self.rows {
            self.row(k).set(to, self.row(k).get(from));
            k += 1;
        }
    }
}
/// The mean of two numbers: between the two, also if their sum overflows.
#[inline(always)]
fn mean(a: f32, b: f32) -> f32 {
    0.5 * a + 0.5 * b
}

/// The attributes, with the criteria.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Values<'a> {
    /// Positions.
    pub x: ValuesMut<'a, Vertex, Vec3>,
    /// The rank of each vertex: see [`crate::rank`]; and [`HELD`].
    pub rank: ValuesMut<'a, Vertex, u32>,
    /// Columns.
    pub columns: Columns<'a>,
    /// The component of each vertex; empty without [`LABELS`].
    pub labels: ValuesMut<'a, Vertex, u32>,
    /// Factor of the lengths at each vertex; empty without [`SIZED`].
    pub scale: ValuesMut<'a, Vertex, f32>,
    /// Criteria.
    pub criteria: Criteria,
}
impl Values<'_> {
    /// The squared length of an edge.
    #[inline(always)]
    pub fn square(&self, a: VertexId, b: VertexId) -> f32 {
        (self.x.get(a) - self.x.get(b)).length_squared()
    }
    /// Whether a vertex is held: see [`HELD`].
    #[inline(always)]
    pub fn held(&self, u: VertexId) -> bool {
        self.rank.get(u) & HELD != 0
    }
    /// Factor of the lengths of an edge: the least at its ends.
    #[inline(always)]
    pub fn scale(&self, [a, b]: [VertexId; 2]) -> f32 {
        if self.criteria.has(SIZED) { self.scale.get(a).min(self.scale.get(b)) } else { 1.0 }
    }
    /// Sets the factor of a vertex between two others from theirs.
    #[inline(always)]
    pub fn set_scale(&self, to: VertexId, ends: [VertexId; 2]) {
        if self.criteria.has(SIZED) {
            self.scale.set(to, self.scale(ends));
        }
    }
}
