//! Kernels that find boundary loops, and measure them.
use crate::fill::kernels::{NONE, root};
use crate::fill::measure::{Measures, after, measures};
use crate::repair::behind;
use glam::DVec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::bytemuck::{Pod, Zeroable};
use ribbonmesh::device::{Each, In, Out, Parameter, Quad, kernel};

/// A boundary loop.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[bytemuck(crate = "ribbonmesh::device::bytemuck")]
pub struct Row {
    /// Its measures.
    pub measures: Measures,
    /// Number of its edges.
    pub edges: u32,
    /// Its first vertex.
    pub vertex: u32,
    /// The first vertex of its component.
    pub component: u32,
    /// 1 if all its vertices are finite.
    pub finite: u32,
}

/// Notes at the vertex where each side of the boundary begins the place of that side in the list; of several
/// sides, any.
#[kernel(threads = 128)]
pub fn begin_sides<'a>(i: Each, sides: In<'a, u32>, faces: In<'a, u32>, begins: Out<'a, u32>) {
    atomic::store(begins, faces.get(sides.get(i)), i, Relaxed, Device);
}
/// Begins the search for the first side of each loop. A link has four words: the place of a side farther
/// along the loop, the least side before that one, its place, and the number of steps that lead to it.
#[kernel(threads = 128)]
pub fn begin_links<'a>(
    i: Each,
    sides: In<'a, u32>,
    faces: In<'a, u32>,
    begins: In<'a, u32>,
    links: Out<'a, Quad>,
) {
    let side = sides.get(i);
    links.set(i, Quad([begins.get(faces.get(behind(side))), side, i, 0]));
}
/// Finds the places of listed sides, which ascend.
#[kernel(threads = 128)]
pub fn find_sides<'a>(i: Each, sides: In<'a, u32>, listed: In<'a, u32>, places: Out<'a, u32>) {
    let side = sides.get(i);
    let (mut low, mut high) = (0, listed.len() as u32);
    while low < high {
        let middle = (low + high) / 2;
        if listed.get(middle) < side {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if listed.try_get(low) == Some(side) {
        places.set(low, i);
    }
}
/// Lets the link of one side lead to another one; both by their places in a list.
#[kernel(threads = 128)]
pub fn turn_links<'a>(i: Each, turns: In<'a, [u32; 2]>, places: In<'a, u32>, links: Out<'a, Quad>) {
    let [from, to] = turns.get(i).map(|at| places.get(at));
    let Quad([_, least, place, steps]) = links.get(from);
    links.set(from, Quad([to, least, place, steps]));
}
/// Lets links of `span` steps lead twice as far.
#[kernel(threads = 128)]
pub fn double_links<'a>(i: Each, span: u32, from: In<'a, Quad>, to: Out<'a, Quad>) {
    let Quad([next, least, place, steps]) = from.get(i);
    let Quad([last, other, there, more]) = from.get(next);
    to.set(
        i,
        Quad(if other < least { [last, other, there, span + more] } else { [last, least, place, steps] }),
    );
}
/// Counts the sides of each loop and finds its first vertex, at the place of its first side.
#[kernel(threads = 128)]
pub fn count_loops<'a>(
    i: Each,
    sides: In<'a, u32>,
    faces: In<'a, u32>,
    links: In<'a, Quad>,
    lengths: Out<'a, u32>,
    firsts: Out<'a, u32>,
) {
    let Quad([_, _, place, _]) = links.get(i);
    atomic::fetch_add(lengths, place, 1, Relaxed, Device);
    atomic::fetch_min(firsts, place, faces.get(sides.get(i)), Relaxed, Device);
}
/// Marks the first vertex of each loop.
#[kernel(threads = 128)]
pub fn mark_loops<'a>(i: Each, lengths: In<'a, u32>, firsts: In<'a, u32>, marks: Out<'a, u32>) {
    if lengths.get(i) > 0 {
        marks.set(firsts.get(i), 1);
    }
}
/// Lists the numbers of sides of the loops, in the order of their first vertices. `numbers`: the number of
/// the loop at each first vertex.
#[kernel(threads = 128)]
pub fn list_loops<'a>(
    i: Each,
    lengths: In<'a, u32>,
    firsts: In<'a, u32>,
    numbers: In<'a, u32>,
    counts: Out<'a, u32>,
) {
    if lengths.get(i) > 0 {
        counts.set(numbers.get(firsts.get(i)), lengths.get(i));
    }
}
/// Lists the sides of each loop against their direction, so that the first side of the loop comes last.
#[kernel(threads = 128)]
pub fn order_sides<'a>(
    i: Each,
    sides: In<'a, u32>,
    links: In<'a, Quad>,
    lengths: In<'a, u32>,
    firsts: In<'a, u32>,
    numbers: In<'a, u32>,
    starts: In<'a, u32>,
    order: Out<'a, u32>,
) {
    let Quad([_, _, place, steps]) = links.get(i);
    let n = lengths.get(place);
    let at = if steps == 0 { n - 1 } else { steps - 1 };
    order.set(starts.get(numbers.get(firsts.get(place))) + at, sides.get(i));
}
/// The vertices of the faces of listed sides.
#[kernel(threads = 128)]
pub fn corners_of_sides<'a>(q: Each, order: In<'a, u32>, faces: In<'a, u32>, list: Out<'a, u32>) {
    let face = order.get(q) / 3;
    for k in 0..3 {
        list.set(3 * q + k, faces.get(3 * face + k));
    }
}

/// The boundary loops of a mesh, in the order of their first vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Rings<'a> {
    /// The first place of each loop in `order`, and the end.
    pub starts: In<'a, u32>,
    /// The sides of the boundary. Each begins at a vertex of the loop; the faces that fill the loop run
    /// through these vertices in this order, against the direction of the sides.
    pub order: In<'a, u32>,
    /// The positions of the corners of the faces of these sides.
    pub points: In<'a, DVec3>,
}
/// One of them.
#[derive(Clone, Copy)]
pub struct Ring<'a> {
    all: Rings<'a>,
    start: u32,
    /// Number of its vertices.
    pub n: u32,
}
impl<'a> Rings<'a> {
    /// A loop.
    #[inline(always)]
    pub fn of(self, i: u32) -> Ring<'a> {
        let start = self.starts.get(i);
        Ring { all: self, start, n: self.starts.get(i + 1) - start }
    }
}
impl Ring<'_> {
    /// The side of the boundary that begins at a vertex.
    #[inline(always)]
    pub fn side(&self, i: u32) -> u32 {
        self.all.order.get(self.start + i)
    }
    /// The position of a vertex.
    #[inline(always)]
    pub fn point(&self, i: u32) -> DVec3 {
        self.all.points.get(3 * (self.start + i) + self.side(i) % 3)
    }
    /// The corners of the face across the side from a vertex to the next.
    #[inline(always)]
    pub fn face_across(&self, i: u32) -> [DVec3; 3] {
        let at = 3 * (self.start + after(i, self.n));
        [self.all.points.get(at), self.all.points.get(at + 1), self.all.points.get(at + 2)]
    }
}

/// Measures each loop. `parent`: trees of the vertices of the components.
#[kernel(threads = 64)]
pub fn measure_loops<'a>(
    i: Each,
    rings: Rings<'a>,
    faces: In<'a, u32>,
    parent: In<'a, u32>,
    rows: Out<'a, Row>,
) {
    let ring = rings.of(i);
    let (mut vertex, mut finite, mut k) = (NONE, true, 0);
    while k < ring.n {
        let v = faces.get(ring.side(k));
        vertex = if v < vertex { v } else { vertex };
        finite &= ring.point(k).is_finite();
        k += 1;
    }
    rows.set(
        i,
        Row {
            measures: measures(ring.n, |k| ring.point(k), |k| ring.face_across(k)),
            edges: ring.n,
            vertex,
            component: root(parent, vertex),
            finite: finite as u32,
        },
    );
}
