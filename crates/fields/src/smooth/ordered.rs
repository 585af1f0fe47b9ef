//! The system of a mesh without patches in the order of domains, in which neighbours are near each other, for
//! conjugate gradients with an additive Schwarz method. Vectors have words of 16 bytes for each vertex. The
//! matrix is M + k L itself; the residual is that of S (M + k L) S, whose diagonal is 1.
pub use crate::smooth::flat::ROWS;
use crate::smooth::flat::{FlatMatrix, wide};
use glam::Vec3;
use ribbonmesh::device::{Block, Each, In, Out, Parameter, Quad, kernel};
use ribbonmesh_linear::{Part, Scalars};

/// A matrix by rows: the entries outside the diagonal, with their sign turned, and the masses.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct OrderedMatrix<'a> {
    /// Start of each row, and the end.
    pub starts: In<'a, u32>,
    /// The neighbour, and above it the bits of the stiffness of the edge to it.
    pub entries: In<'a, u64>,
    /// Mass of each vertex.
    pub masses: In<'a, f32>,
    /// S: factors on the left and the right of the matrix.
    pub scales: In<'a, f32>,
}

#[inline(always)]
fn vector(word: Quad) -> Vec3 {
    let [x, y, z, _]: [f32; 4] = bytemuck::cast(word.0);
    Vec3::new(x, y, z)
}
#[inline(always)]
fn word(v: Vec3) -> Quad {
    Quad(bytemuck::cast([v.x, v.y, v.z, 0.0]))
}

/// The neighbours of each vertex; 0 after the last one. Elements: places in the order, and one more.
#[kernel(threads = 256)]
pub fn count_ordered<'a>(slot: Each, order: In<'a, u32>, starts: In<'a, u32>, to: Out<'a, u32>) {
    let inside = (slot as usize) < order.len();
    let count = |v: u32| starts.get(v + 1) - starts.get(v);
    to.set(slot, if inside { count(order.get(slot)) } else { 0 });
}
/// The vectors with which a solve begins, in the order.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct OrderedStart<'a> {
    /// The residual, in the order of vertices.
    pub from: In<'a, Vec3>,
    /// The residual.
    pub r: Out<'a, Quad>,
    /// The displacement, to be made zero.
    pub d: Out<'a, Quad>,
    /// The last direction, to be made zero.
    pub last: Out<'a, Quad>,
}
/// Rows in the order, with vertices by their places in it. Elements: these places.
#[kernel(threads = 256)]
pub fn order_rows<'a>(
    slot: Each,
    order: In<'a, u32>,
    slots: In<'a, u32>,
    matrix: FlatMatrix<'a>,
    starts: In<'a, u32>,
    entries: Out<'a, u64>,
    masses: Out<'a, f32>,
    scales: Out<'a, f32>,
    to: OrderedStart<'a>,
) {
    let v = order.get(slot);
    let (mut k, end, mut at) = (matrix.starts.get(v), matrix.starts.get(v + 1), starts.get(slot));
    while k < end {
        let column = slots.get(matrix.columns.get(k));
        entries.set(at, (matrix.values.get(k).to_bits() as u64) << 32 | column as u64);
        k += 1;
        at += 1;
    }
    masses.set(slot, matrix.masses.get(v));
    scales.set(slot, matrix.scales.get(v));
    to.r.set(slot, word(to.from.get(v)));
    to.d.set(slot, Quad::default());
    to.last.set(slot, Quad::default());
}

/// The vectors of a product.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct OrderedDirections<'a> {
    /// The preconditioned residual.
    pub z: In<'a, Quad>,
    /// The last direction.
    pub last: In<'a, Quad>,
    /// The direction, to be written.
    pub p: Out<'a, Quad>,
    /// S times the matrix times the direction, to be written.
    pub q: Out<'a, Quad>,
}
/// Computes p = z + β p; q = S (M + k L) p; α from p · (M + k L) p. Blocks: one for [`ROWS`] rows.
#[kernel(threads = 256)]
pub fn ordered_multiply<'a>(
    block: &Block,
    n: u32,
    scalars: Scalars<'a>,
    matrix: OrderedMatrix<'a>,
    to: OrderedDirections<'a>,
) {
    if scalars.done() {
        return;
    }
    let beta = scalars.beta::<f32>();
    let direction = |v: u32| vector(to.z.get(v)) + vector(to.last.get(v)) * beta;
    let part = Part::of(block, n, ROWS).sum(block, |v| {
        let (p, scale) = (direction(v), matrix.scales.get(v));
        let mut sum = wide(p * matrix.masses.get(v));
        let (mut k, end) = (matrix.starts.get(v), matrix.starts.get(v + 1));
        // four at once, so that their loads are under way together; those beyond the end are of p itself
        while k < end {
            let entry = |i: u32| if k + i < end { matrix.entries.get(k + i) } else { v as u64 };
            let entries = [entry(0), entry(1), entry(2), entry(3)];
            let [a, b, c, d] = entries.map(|entry| direction(entry as u32));
            let [e, f, g, h] = entries.map(|entry| f32::from_bits((entry >> 32) as u32));
            sum += wide((p - a) * e) + wide((p - b) * f);
            sum += wide((p - c) * g) + wide((p - d) * h);
            k += 4;
        }
        to.p.set(v, word(p));
        to.q.set(v, word(sum.as_vec3() * scale));
        wide(p).dot(sum)
    });
    scalars.step::<f32>(block, part);
}
/// Computes x += size d for all vertices. Elements: places in the order.
#[kernel(threads = 256)]
pub fn displace_ordered<'a>(slot: Each, order: In<'a, u32>, d: In<'a, Quad>, size: f32, x: Out<'a, Vec3>) {
    let v = order.get(slot);
    x.set(v, x.get(v) + vector(d.get(slot)) * size);
}
