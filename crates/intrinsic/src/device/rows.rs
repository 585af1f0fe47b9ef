//! Kernels that add the weights of half-edges to a matrix.
use super::half_edges::HalfEdges;
use super::number::times;
use super::triangle::area;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// The cotangent opposite to each half-edge, and a third of the area of its triangle. Both are 0 where a
/// triangle has no area; `flat` counts its half-edges. Flags the lesser half-edge of each edge.
#[kernel(threads = 256, requires(
    mesh.twin.len() >= count as usize,
    mesh.next.len() == mesh.twin.len() && mesh.length.len() == mesh.twin.len(),
    cotangents.len() >= count as usize,
    thirds.len() >= count as usize,
    lesser.len() >= count as usize,
    !flat.is_empty(),
))]
pub fn corners<'a>(
    h: Each,
    mesh: HalfEdges<'a>,
    cotangents: Out<'a, f64>,
    thirds: Out<'a, f64>,
    lesser: Out<'a, u32>,
    flat: Out<'a, u32>,
) {
    let [a, b, c] = mesh.lengths(mesh.around(h));
    let (cotangent, third) = (mesh.cotangent(h), area(a, b, c) / 3.0);
    let sound = cotangent.is_finite();
    if !sound {
        atomic::fetch_add(flat, 0, 1, Relaxed, Device);
    }
    cotangents.set(h, if sound { cotangent } else { 0.0 });
    thirds.set(h, third);
    lesser.set(h, (h < mesh.twin.get(h)) as u32);
}

/// The half-edges of all edges by pairs, and the vertices at which they begin and end.
#[kernel(threads = 256, requires(
    edges.len() >= count as usize,
    half_edges.len() >= 2 * count as usize,
    begins.len() >= 2 * count as usize,
    ends.len() >= 2 * count as usize,
))]
pub fn pair_up<'a>(
    i: Each,
    edges: In<'a, u32>,
    twin: In<'a, u32>,
    origin: In<'a, u32>,
    half_edges: Out<'a, u32>,
    begins: Out<'a, u32>,
    ends: Out<'a, u32>,
) {
    let h = edges.get(i);
    let t = twin.get(h);
    let (from, to) = (origin.get(h), origin.get(t));
    half_edges.set(2 * i, h);
    half_edges.set(2 * i + 1, t);
    begins.set(2 * i, from);
    begins.set(2 * i + 1, to);
    ends.set(2 * i, to);
    ends.set(2 * i + 1, from);
}

/// The half-edges of each vertex, in the order of the vertices at their ends, then of their edges.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Stars<'a> {
    /// The first place of each vertex, and the end.
    pub starts: In<'a, u32>,
    /// The half-edges by places.
    pub half_edges: In<'a, u32>,
    /// The half-edge on the other side of each.
    pub twin: In<'a, u32>,
    /// The vertex at which each begins.
    pub origin: In<'a, u32>,
}
impl Stars<'_> {
    /// Calls `f` with each half-edge of a vertex and the vertex at its end.
    #[inline(always)]
    pub fn of(&self, v: u32, mut f: impl FnMut(u32, u32)) {
        let (mut k, end) = (self.starts.get(v), self.starts.get(v + 1));
        while k < end {
            let h = self.half_edges.get(k);
            f(h, self.origin.get(self.twin.get(h)));
            k += 1;
        }
    }
}

/// Counts the entries of each row: the diagonal, and the other vertices to which edges lead.
#[kernel(threads = 256, requires(stars.starts.len() > count as usize, counts.len() >= count as usize))]
pub fn count_entries<'a>(v: Each, stars: Stars<'a>, counts: Out<'a, u32>) {
    let (mut count, mut last) = (1, v);
    stars.of(v, |_, end| {
        if end != last && end != v {
            count += 1;
            last = end;
        }
    });
    counts.set(v, count);
}

/// A matrix that is being made, and the diagonal of the mass matrix.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct NewMatrix<'a> {
    /// The first entry of each row.
    pub starts: In<'a, u32>,
    /// Columns of the entries.
    pub columns: Out<'a, u32>,
    /// Entries.
    pub values: Out<'a, f64>,
    /// The mass of each vertex.
    pub mass: Out<'a, f64>,
}

/// Masses: thirds of triangles.
#[cfg(not(target_arch = "nvptx64"))]
pub const LUMPED: u32 = 0;
/// Masses: what is nearer to the vertex than to the others of a triangle.
pub const VORONOI: u32 = 1;

/// Writes a row for each vertex: minus half the cotangents of each edge, times `share`, and on the diagonal
/// what makes their sum 0.
#[kernel(threads = 256, requires(
    stars.starts.len() > count as usize,
    cotangents.len() == stars.twin.len() && thirds.len() == stars.twin.len(),
    length.len() == stars.twin.len(),
    to.starts.len() >= count as usize,
    to.columns.len() == to.values.len(),
    to.mass.len() >= count as usize,
))]
pub fn write_rows<'a>(
    v: Each,
    share: f64,
    masses: u32,
    stars: Stars<'a>,
    length: In<'a, f64>,
    cotangents: In<'a, f64>,
    thirds: In<'a, f64>,
    to: NewMatrix<'a>,
) {
    let mut row = Row { to, at: to.starts.get(v), diagonal: NONE, column: NONE, value: 0.0, sum: 0.0 };
    let mut mass = 0.0;
    stars.of(v, |h, end| {
        let both = cotangents.get(h) + cotangents.get(stars.twin.get(h));
        mass += if masses == VORONOI {
            let length = length.get(h);
            0.125 * times(times(length, length), both)
        } else {
            thirds.get(h)
        };
        // an edge from a vertex to itself has no difference
        if end != v {
            row.add(v, end, 0.5 * share * both);
        }
    });
    row.end(v);
    to.mass.set(v, share * mass);
}

/// A row that is being written; columns come in ascending order.
struct Row<'a> {
    to: NewMatrix<'a>,
    at: u32,
    /// The place of the diagonal, once it is known.
    diagonal: u32,
    column: u32,
    value: f64,
    sum: f64,
}
impl Row<'_> {
    #[inline(always)]
    fn add(&mut self, row: u32, column: u32, weight: f64) {
        if column != self.column {
            self.close();
            self.leave_diagonal(row, column);
            self.column = column;
        }
        self.value += weight;
    }
    /// Leaves room for the diagonal in front of the first column behind it.
    #[inline(always)]
    fn leave_diagonal(&mut self, row: u32, before: u32) {
        if self.diagonal == NONE && before > row {
            self.diagonal = self.at;
            self.at += 1;
        }
    }
    #[inline(always)]
    fn close(&mut self) {
        if self.column != NONE {
            self.to.columns.set(self.at, self.column);
            self.to.values.set(self.at, -self.value);
            self.sum += self.value;
            self.value = 0.0;
            self.at += 1;
        }
    }
    #[inline(always)]
    fn end(mut self, row: u32) {
        self.close();
        self.leave_diagonal(row, NONE);
        self.to.columns.set(self.diagonal, row);
        self.to.values.set(self.diagonal, self.sum);
    }
}
