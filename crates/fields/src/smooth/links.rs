//! The three sources of an edge's stiffness: one value for all, cotangents computed when needed, or the
//! stored matrix.
use crate::smooth::chain::for_each_corner;
use crate::smooth::ring::{self, RingMemory};
use crate::smooth::rows::{self, RowsMemory, RowsView};
use crate::smooth::stage::Vectors;
use glam::Vec3;
use ribbonmesh::corners::RingView;
use ribbonmesh::device::{Arena, Block, Counts, In, Parameter, Patch, Quad, Shared};

/// Weighted differences of a vertex: Σ k (z - z') over the neighbours z' of the vertex.
pub trait Links: Copy {
    /// Shared memory for a patch.
    type Memory<'b>: Copy;
    /// Reserves that memory.
    fn layout<'b>(&self, arena: &'b Arena, counts: &Counts) -> Self::Memory<'b>;
    /// Loads the data of a patch; no barrier.
    fn stage_nosync(&self, block: &Block, p: &Patch<'_>, memory: Self::Memory<'_>);
    /// The sum at owned vertex `v`.
    fn sum(&self, p: &Patch<'_>, memory: Self::Memory<'_>, v: u32, z: impl Fn(u32) -> Vec3) -> Vec3;
    /// The sum of the positions themselves, `x`.
    #[inline(always)]
    fn sum_of_positions(&self, p: &Patch<'_>, memory: Self::Memory<'_>, v: u32, x: Vectors<'_>) -> Vec3 {
        self.sum(p, memory, v, |l| x.get(l))
    }
}

/// Uniform weights.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Uniform<'a> {
    /// The neighbours.
    pub rows: RowsView<'a>,
    /// Stiffness of each edge.
    pub stiffness: f32,
}
impl Links for Uniform<'_> {
    type Memory<'b> = RowsMemory<'b>;
    #[inline(always)]
    fn layout<'b>(&self, arena: &'b Arena, counts: &Counts) -> RowsMemory<'b> {
        RowsView::layout(arena, counts)
    }
    #[inline(always)]
    fn stage_nosync(&self, block: &Block, p: &Patch<'_>, memory: RowsMemory<'_>) {
        self.rows.stage_nosync(block, p, memory);
    }
    #[inline(always)]
    fn sum(&self, _: &Patch<'_>, memory: RowsMemory<'_>, v: u32, z: impl Fn(u32) -> Vec3) -> Vec3 {
        let (at, columns) = (z(v), memory.0.wide::<u16>());
        let ((mut k, end), mut sum) = (rows::range(memory, v), Vec3::ZERO);
        while k < end {
            sum += at - z(columns.get(k) as u32);
            k += 1;
        }
        sum * self.stiffness
    }
}

/// Cotangent weights from positions, computed when they are needed (thesis 4.5.1, Listing 4).
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Cotangents<'a> {
    /// The corners.
    pub ring: RingView<'a>,
    /// The positions at the step's start.
    pub x: In<'a, Vec3>,
    /// Factor by which they are multiplied, so that no square leaves the range of `f32`.
    pub unit: f32,
    /// Stiffness of an edge whose cotangents add up to 1.
    pub stiffness: f32,
}
impl Cotangents<'_> {
    /// The positions that [`Links::stage_nosync`] loads.
    #[inline(always)]
    pub fn positions<'b>(p: &Patch<'_>, memory: (RingMemory<'b>, Shared<'b, f32>)) -> Vectors<'b> {
        Vectors::new(memory.1, p.v)
    }
}
impl Links for Cotangents<'_> {
    type Memory<'b> = (RingMemory<'b>, Shared<'b, f32>);
    #[inline(always)]
    fn layout<'b>(&self, arena: &'b Arena, counts: &Counts) -> Self::Memory<'b> {
        (ring::layout(self.ring, arena, counts.v_owned), Vectors::layout(arena, counts.v_near))
    }
    #[inline(always)]
    fn stage_nosync(&self, block: &Block, p: &Patch<'_>, memory: Self::Memory<'_>) {
        let unit = self.unit;
        Self::positions(p, memory).stage_nosync(
            block,
            (p.v, &p.counts),
            (self.x, None),
            None,
            |x, _| x * unit,
            || ring::stage_nosync(self.ring, block, (p.v.first, p.v.owned), memory.0),
        );
    }
    #[inline(always)]
    fn sum(&self, p: &Patch<'_>, memory: Self::Memory<'_>, v: u32, z: impl Fn(u32) -> Vec3) -> Vec3 {
        let (x, chains) = (Self::positions(p, memory), memory.0.0.wide::<u16>());
        let (at, mut sum) = (z(v), Vec3::ZERO);
        for_each_corner(
            chains,
            ring::range(memory.0, v),
            x.get(v),
            |l| x.get(l),
            |l| at - z(l),
            |corner, (_, to_a), (_, to_b)| sum += to_a * corner.at_b + to_b * corner.at_a,
        );
        sum * self.stiffness
    }
    /// The gradient of the area, face by face n × (b - a): nothing cancels, however flat a face is.
    #[inline(always)]
    fn sum_of_positions(&self, _: &Patch<'_>, memory: Self::Memory<'_>, v: u32, x: Vectors<'_>) -> Vec3 {
        let (chains, mut sum) = (memory.0.0.wide::<u16>(), Vec3::ZERO);
        for_each_corner(
            chains,
            ring::range(memory.0, v),
            x.get(v),
            |l| x.get(l),
            |l| x.get(l),
            |corner, (_, a), (_, b)| sum += corner.normal.cross(b - a),
        );
        sum * self.stiffness
    }
}

/// The assembled matrix.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Assembled<'a> {
    /// The pattern.
    pub rows: RowsView<'a>,
    /// The stiffness of each entry: the entries outside the diagonal, with their sign turned.
    pub values: In<'a, f32>,
}
impl Links for Assembled<'_> {
    type Memory<'b> = (RowsMemory<'b>, Shared<'b, Quad>);
    #[inline(always)]
    fn layout<'b>(&self, arena: &'b Arena, counts: &Counts) -> Self::Memory<'b> {
        (RowsView::layout(arena, counts), arena.take(counts.vv.div_ceil(4)))
    }
    #[inline(always)]
    fn stage_nosync(&self, block: &Block, p: &Patch<'_>, (rows, values): Self::Memory<'_>) {
        let from = self.values.at(rows::base(p.vv_base, block.index())).wide::<Quad>();
        block.for_each_ahead_nosync::<Quad, 4>(
            p.counts.vv.div_ceil(4),
            |i| from.get(i),
            || self.rows.stage_nosync(block, p, rows),
            |i, q| values.set(i, q),
        );
    }
    #[inline(always)]
    fn sum(&self, _: &Patch<'_>, (rows, values): Self::Memory<'_>, v: u32, z: impl Fn(u32) -> Vec3) -> Vec3 {
        let (at, columns, values) = (z(v), rows.0.wide::<u16>(), values.wide::<f32>());
        let ((mut k, end), mut sum) = (rows::range(rows, v), Vec3::ZERO);
        while k < end {
            sum += (at - z(columns.get(k) as u32)) * values.get(k);
            k += 1;
        }
        sum
    }
}
