//! The product of the matrix and a vector, fused with the step of conjugate gradients before it.
use crate::smooth::links::{Assembled, Cotangents, Links, Uniform};
use crate::smooth::stage::Vectors;
use glam::Vec3;
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, Parameter, Shared, kernel};
use ribbonmesh_linear::{Scalars, Value};

/// Masses: one for each vertex, or one for all.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Masses<'a> {
    /// Mass of each vertex; empty if all have the same.
    pub each: In<'a, f32>,
    /// The common mass.
    pub all: f32,
}
impl Masses<'_> {
    /// The mass of vertex `v`.
    #[inline(always)]
    pub fn of(&self, v: u32) -> f32 {
        if self.each.is_empty() { self.all } else { self.each.get(v) }
    }
}

/// Factors on the left and the right of the matrix: 0 for fixed vertices, 1 for free ones, or with the
/// preconditioner the inverse square root of the diagonal. Empty if all vertices are free and there is no
/// preconditioner.
pub type Scales<'a> = In<'a, f32>;

type Memory<'b, M> = (Shared<'b, f32>, Shared<'b, f32>, Shared<'b, f32>, M);
#[inline(always)]
fn memory<'b, L: Links>(
    arena: &'b Arena,
    counts: &Counts,
    links: &L,
    scaled: bool,
) -> Memory<'b, L::Memory<'b>> {
    let z = Vectors::layout(arena, counts.v_near);
    let q = Vectors::layout(arena, counts.v_owned);
    (z, q, arena.take(if scaled { counts.v_near } else { 0 }), links.layout(arena, counts))
}

/// The vectors of an iteration.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Directions<'a> {
    /// The residual.
    pub r: In<'a, Vec3>,
    /// The last direction.
    pub last: In<'a, Vec3>,
    /// The direction, to be written.
    pub p: Out<'a, Vec3>,
    /// The matrix times the direction, to be written.
    pub q: Out<'a, Vec3>,
}

/// Computes p = r + β p; q = S (M + k L) S p; α from p · q.
#[inline(always)]
fn multiply<L: Links, const SCALED: bool>(
    block: &Block,
    mesh: MeshView<'_>,
    scalars: Scalars<'_>,
    links: L,
    (masses, scales): (Masses<'_>, Scales<'_>),
    to: Directions<'_>,
) {
    if scalars.done() {
        return;
    }
    let beta = scalars.beta::<f32>();
    let p = mesh.patch(block.index());
    let (words, out, factors, own) = memory(block.arena(), &p.counts, &links, SCALED);
    let (direction, product) = (Vectors::new(words, p.v), Vectors::new(out, p.v));
    direction.stage_nosync(
        block,
        (p.v, &p.counts),
        (to.r, Some(to.last)),
        Some(to.p),
        |r, last| r + beta * last,
        || {
            if SCALED {
                let near = |l: u32| if l < p.v.owned { p.v.first + l } else { p.v.ribbon.get(l - p.v.owned) };
                block.for_each_nosync(p.counts.v_near, |l| factors.set(l, scales.get(near(l))));
            }
            links.stage_nosync(block, &p, own);
        },
    );
    // the sums read vectors, factors and links that other threads have loaded
    block.sync();
    let z = |l: u32| if SCALED { direction.get(l) * factors.get(l) } else { direction.get(l) };
    let part = block.reduce(
        p.v.owned,
        0.0,
        |v| {
            let mass = masses.of(p.v.first + v);
            let mut q = links.sum(&p, own, v, z) + z(v) * mass;
            if SCALED {
                q *= factors.get(v);
            }
            product.set(v, q);
            Value::dot(direction.get(v), q)
        },
        |a, b| a + b,
    );
    product.write_nosync(block, p.v, to.q);
    scalars.step::<f32>(block, part);
}

/// The data with which a solve begins.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Start<'a> {
    /// The positions.
    pub x: In<'a, Vec3>,
    /// Factor by which they are multiplied.
    pub unit: f32,
    /// The first residual, to be written.
    pub r: Out<'a, Vec3>,
    /// The displacement, to be made zero.
    pub d: Out<'a, Vec3>,
    /// The last direction, to be made zero.
    pub last: Out<'a, Vec3>,
}

/// Computes r = -S k L x, the residual M x - (M + k L) x of the displacement 0.
#[inline(always)]
fn start<L: Links>(
    block: &Block,
    mesh: MeshView<'_>,
    scalars: Scalars<'_>,
    links: L,
    scales: Scales<'_>,
    to: Start<'_>,
) {
    let p = mesh.patch(block.index());
    let (words, out, _, own) = memory(block.arena(), &p.counts, &links, false);
    let (x, residual) = (Vectors::new(words, p.v), Vectors::new(out, p.v));
    let load = || links.stage_nosync(block, &p, own);
    x.stage_nosync(block, (p.v, &p.counts), (to.x, None), None, |x, _| x * to.unit, load);
    // the sums read positions and links that other threads have loaded
    block.sync();
    let part = block.reduce(
        p.v.owned,
        0.0,
        |v| {
            let id = p.v.first + v;
            let scale = if scales.is_empty() { 1.0 } else { scales.get(id) };
            let r = links.sum_of_positions(&p, own, v, x) * -scale;
            residual.set(v, r);
            to.d.set(id, Vec3::ZERO);
            to.last.set(id, Vec3::ZERO);
            Value::dot(r, r)
        },
        |a, b| a + b,
    );
    residual.write_nosync(block, p.v, to.r);
    scalars.begin(block, part);
}

macro_rules! starts { ($($links:ident $start:ident $doc:literal;)*) => { $(
    #[doc = concat!("The first residual, ", $doc, ". One block per patch.")]
    #[kernel(threads = 128, shared = memory(arena, &mesh.max, &links, false))]
    pub fn $start<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        scalars: Scalars<'a>,
        links: $links<'a>,
        scales: Scales<'a>,
        to: Start<'a>,
    ) {
        start(block, mesh, scalars, links, scales, to)
    }
)* } }
macro_rules! kernels { ($($links:ident $multiply:ident $scaled:ident $doc:literal;)*) => { $(
    #[doc = concat!("p = r + β p; q = A p, ", $doc, "; α. One block per patch.")]
    #[kernel(threads = 128, shared = memory(arena, &mesh.max, &links, false))]
    pub fn $multiply<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        scalars: Scalars<'a>,
        links: $links<'a>,
        masses: Masses<'a>,
        to: Directions<'a>,
    ) {
        multiply::<_, false>(block, mesh, scalars, links, (masses, In::empty()), to)
    }
    #[doc = concat!("p = r + β p; q = S A S p, ", $doc, "; α. One block per patch.")]
    #[kernel(threads = 128, shared = memory(arena, &mesh.max, &links, true))]
    pub fn $scaled<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        scalars: Scalars<'a>,
        links: $links<'a>,
        masses: Masses<'a>,
        scales: Scales<'a>,
        to: Directions<'a>,
    ) {
        multiply::<_, true>(block, mesh, scalars, links, (masses, scales), to)
    }
)* } }
starts! {
    Uniform start_uniform "with uniform weights";
    Cotangents start_cotangents "with cotangents";
}
kernels! {
    Uniform multiply_uniform multiply_uniform_scaled "with uniform weights";
    Cotangents multiply_cotangents multiply_cotangents_scaled "with cotangents computed on the fly";
    Assembled multiply_assembled multiply_assembled_scaled "with the assembled matrix";
}
