//! Plane sections. Products of two numbers of single precision are exact in double precision, so that all
//! machines get the same bits.
use super::tcsr::TcsrView;
use glam::Vec3;
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// The points whose product with the normal is the offset.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Cut {
    /// The offset.
    pub offset: f64,
    /// The normal.
    pub normal: [f32; 3],
    /// Nothing.
    pub padding: u32,
}

/// How far each vertex is beyond a plane, in lengths of the normal. Blocks: tiles.
#[kernel(threads = 256)]
pub fn measure_vertices<'a>(vertex: Each, cut: Cut, x: In<'a, Vec3>, to: Out<'a, f64>) {
    let p = x.get(vertex).to_array();
    let of = |i: usize| cut.normal[i] as f64 * p[i] as f64;
    to.set(vertex, of(0) + of(1) + of(2) - cut.offset);
}

#[inline(always)]
fn is_below(beyond: In<'_, f64>, vertex: u32) -> bool {
    beyond.get(vertex) < 0.0
}

/// Flags the edges with one end below the plane. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_cut_edges<'a>(edge: Each, ev: TcsrView<'a>, beyond: In<'a, f64>, flags: Out<'a, u32>) {
    let (a, b) = (ev.column(2 * edge), ev.column(2 * edge + 1));
    flags.set(edge, (is_below(beyond, a) != is_below(beyond, b)) as u32);
}

/// `(1 - share) a + share b`, rounded once or twice.
#[inline(always)]
fn between(a: f32, b: f32, share: f32) -> f32 {
    ((1.0 - share) as f64 * a as f64 + share as f64 * b as f64) as f32
}

/// Writes the ends of each edge that is cut, the share of the second one, and the place. Blocks: tiles.
#[kernel(threads = 256)]
pub fn cut_edges<'a>(
    edge: Each,
    ev: TcsrView<'a>,
    numbers: In<'a, u32>,
    beyond: In<'a, f64>,
    x: In<'a, Vec3>,
    ends: Out<'a, u32>,
    shares: Out<'a, f32>,
    places: Out<'a, Vec3>,
) {
    let at = numbers.get(edge);
    if at == numbers.get(edge + 1) {
        return;
    }
    let (a, b) = (ev.column(2 * edge), ev.column(2 * edge + 1));
    let (from, to) = (beyond.get(a), beyond.get(b));
    let share = (from / (from - to)) as f32;
    ends.set(2 * at, a);
    ends.set(2 * at + 1, b);
    shares.set(at, share);
    let (p, q) = (x.get(a), x.get(b));
    places.set(at, Vec3::new(between(p.x, q.x, share), between(p.y, q.y, share), between(p.z, q.z, share)));
}

/// Values of cut edges, linear between those of vertices. Blocks: tiles.
#[kernel(threads = 256)]
pub fn cut_values<'a>(
    edge: Each,
    ends: In<'a, u32>,
    shares: In<'a, f32>,
    values: In<'a, f32>,
    to: Out<'a, f32>,
) {
    let (a, b) = (values.get(ends.get(2 * edge)), values.get(ends.get(2 * edge + 1)));
    to.set(edge, between(a, b, shares.get(edge)));
}

/// A mesh that is cut.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct CutMesh<'a> {
    /// Ends of edges.
    pub ev: TcsrView<'a>,
    /// Edges of faces.
    pub fe: TcsrView<'a>,
    /// Faces of cells.
    pub cf: TcsrView<'a>,
    /// The number of edges before each that are cut.
    pub numbers: In<'a, u32>,
    /// How far vertices are beyond the plane.
    pub beyond: In<'a, f64>,
}

impl CutMesh<'_> {
    /// Runs `f(from, to)` for each side of a face's section: numbers of cut edges. What is below the plane is
    /// between a way down and the next way up along the face's cycle.
    #[inline(always)]
    fn sides(&self, face: u32, mut f: impl FnMut(u32, u32)) {
        const NO: u32 = u32::MAX;
        let (mut first_up, mut down) = (NO, NO);
        self.fe.of(face, |edge, sign| {
            let at = self.numbers.get(edge);
            if at == self.numbers.get(edge + 1) {
                return;
            }
            if is_below(self.beyond, self.ev.column(2 * edge + (sign < 0) as u32)) {
                if down == NO {
                    first_up = at;
                } else {
                    f(down, at);
                }
            } else {
                down = at;
            }
        });
        // the way up may be before the way down
        if first_up != NO && down != NO {
            f(down, first_up);
        }
    }
    /// Runs `f` for each triangle of a cell's section: a fan around the first of its points.
    /// Counter-clockwise where the normal of the plane points to.
    #[inline(always)]
    fn triangles(&self, cell: u32, mut f: impl FnMut([u32; 3])) {
        const NO: u32 = u32::MAX;
        let mut apex = NO;
        self.cf.of(cell, |face, sign| {
            self.sides(face, |from, to| {
                // a face of sign 1 has its normal into the cell
                let (from, to) = if sign > 0 { (to, from) } else { (from, to) };
                if apex == NO {
                    apex = from;
                }
                if from != apex && to != apex {
                    f([apex, from, to]);
                }
            });
        });
    }
}

/// Counts the triangles of each cell's section. Blocks: tiles.
#[kernel(threads = 128)]
pub fn count_slice<'a>(cell: Each, mesh: CutMesh<'a>, counts: Out<'a, u32>) {
    let mut count = 0;
    mesh.triangles(cell, |_| count += 1);
    counts.set(cell, count);
}

/// Writes the triangles of each cell's section, and their cell. Blocks: tiles.
#[kernel(threads = 128)]
pub fn fill_slice<'a>(
    cell: Each,
    mesh: CutMesh<'a>,
    starts: In<'a, u32>,
    corners: Out<'a, u32>,
    cells: Out<'a, u32>,
) {
    let mut to = starts.get(cell);
    if to == starts.get(cell + 1) {
        return;
    }
    mesh.triangles(cell, |[a, b, c]| {
        corners.set(3 * to, a);
        corners.set(3 * to + 1, b);
        corners.set(3 * to + 2, c);
        cells.set(to, cell);
        to += 1;
    });
}
