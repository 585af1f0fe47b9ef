//! Kernels that run once per step: masses, the diagonal and the matrix at its beginning, the new positions at
//! its end.
use crate::smooth::chain::for_each_corner;
use crate::smooth::links::{Assembled, Cotangents, Links, Uniform};
use crate::smooth::multiply::{Masses, Scales};
use crate::smooth::ring::{self, RingMemory};
use crate::smooth::rows::{self, RowsMemory, RowsView};
use glam::Vec3;
use ribbonmesh::device::{Arena, Block, Counts, Each, In, MeshView, Out, Patch, Shared, kernel};

type Memory<'b> = (RingMemory<'b>, Shared<'b, f32>);
/// Runs `f(corner, a, b)` for each corner of owned vertex `v`, whose data has been staged.
#[inline(always)]
fn corners(
    p: &Patch<'_>,
    own: Memory<'_>,
    v: u32,
    mut f: impl FnMut(crate::smooth::cotangent::Corner, u32, u32),
) {
    let (x, chains) = (Cotangents::positions(p, own), own.0.0.wide::<u16>());
    let z = |_: u32| ();
    for_each_corner(chains, ring::range(own.0, v), x.get(v), |l| x.get(l), z, |c, (a, _), (b, _)| f(c, a, b));
}

/// Computes the mass of each vertex times `factor`: its part of the area of its faces, mixed if `mixed` is
/// not 0, else barycentric. One block per patch.
#[kernel(threads = 128, shared = links.layout(arena, &mesh.max))]
pub fn vertex_masses<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    links: Cotangents<'a>,
    mixed: u32,
    factor: f32,
    masses: Out<'a, f32>,
) {
    let p = mesh.patch(block.index());
    let own = links.layout(block.arena(), &p.counts);
    links.stage_nosync(block, &p, own);
    // corners read positions and chains that other threads have loaded
    block.sync();
    block.for_each_nosync(p.v.owned, |v| {
        let mut sum = 0.0;
        corners(&p, own, v, |corner, _, _| {
            sum += if mixed != 0 { corner.mixed_area() } else { corner.barycentric_area() };
        });
        masses.set(p.v.first + v, factor * sum);
    });
}

/// The factor on the left and the right of the matrix at a vertex with this `diagonal`.
#[inline(always)]
pub fn scale(fixed: In<'_, u32>, jacobi: u32, v: u32, diagonal: f32) -> f32 {
    if !fixed.is_empty() && fixed.get(v) != 0 {
        0.0
    } else if jacobi == 0 {
        1.0
    } else if diagonal > 0.0 {
        // a nearby power of two would do, too; this is the usual factor
        1.0 / ribbonmesh::device::math::sqrt(diagonal)
    } else {
        0.0
    }
}
/// Computes [`Scales`] with uniform weights; `fixed` is empty if no vertex is fixed. One block per patch.
#[kernel(threads = 128)]
pub fn scales_uniform<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    links: Uniform<'a>,
    masses: Masses<'a>,
    fixed: In<'a, u32>,
    jacobi: u32,
    scales: Out<'a, f32>,
) {
    let p = mesh.patch(block.index());
    let start = |v: u32| {
        if v < p.v.owned { links.rows.starts.get(p.v.first + v) as u32 } else { p.counts.vv }
    };
    block.for_each_nosync(p.v.owned, |v| {
        let (id, degree) = (p.v.first + v, start(v + 1) - start(v));
        scales.set(id, scale(fixed, jacobi, id, masses.of(id) + links.stiffness * degree as f32));
    });
}
/// Computes [`Scales`] with cotangents; `fixed` is empty if no vertex is fixed. One block per patch.
#[kernel(threads = 128, shared = links.layout(arena, &mesh.max))]
pub fn scales_cotangents<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    links: Cotangents<'a>,
    masses: Masses<'a>,
    fixed: In<'a, u32>,
    jacobi: u32,
    scales: Out<'a, f32>,
) {
    let p = mesh.patch(block.index());
    let own = links.layout(block.arena(), &p.counts);
    links.stage_nosync(block, &p, own);
    // corners read positions and chains that other threads have loaded
    block.sync();
    block.for_each_nosync(p.v.owned, |v| {
        let mut sum = 0.0;
        corners(&p, own, v, |corner, _, _| sum += corner.at_a + corner.at_b);
        let id = p.v.first + v;
        scales.set(id, scale(fixed, jacobi, id, masses.of(id) + links.stiffness * sum));
    });
}

/// Assembles the matrix of uniform weights. One block per patch.
#[kernel(threads = 128)]
pub fn assemble_uniform<'a>(block: &Block, mesh: MeshView<'a>, stiffness: f32, values: Out<'a, f32>) {
    let p = mesh.patch(block.index());
    let base = rows::base(p.vv_base, block.index());
    block.for_each_nosync(p.counts.vv, |k| values.set(base + k, stiffness));
}
type AssembleMemory<'b> = (RowsMemory<'b>, Shared<'b, f32>, Memory<'b>);
fn assemble_memory<'b>(arena: &'b Arena, counts: &Counts, links: &Cotangents<'_>) -> AssembleMemory<'b> {
    (RowsView::layout(arena, counts), arena.take(counts.vv), links.layout(arena, counts))
}
/// Assembles the matrix of cotangents. One block per patch; each corner adds to two entries of its vertex's
/// row, which it finds by bisection.
#[kernel(threads = 128, shared = assemble_memory(arena, &mesh.max, &links))]
pub fn assemble_cotangents<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    links: Cotangents<'a>,
    rows: RowsView<'a>,
    values: Out<'a, f32>,
) {
    let p = mesh.patch(block.index());
    let (pattern, sums, own) = assemble_memory(block.arena(), &p.counts, &links);
    links.stage_nosync(block, &p, own);
    rows.stage_nosync(block, &p, pattern);
    block.for_each(p.counts.vv, |k| sums.set(k, 0.0));
    let columns = pattern.0.wide::<u16>();
    block.for_each(p.v.owned, |v| {
        let (start, end) = rows::range(pattern, v);
        let add = |l: u32, x: f32| {
            let (mut from, mut to) = (start, end);
            while from + 1 < to {
                let middle = (from + to) / 2;
                if columns.get(middle) as u32 <= l {
                    from = middle;
                } else {
                    to = middle;
                }
            }
            sums.set(from, sums.get(from) + x);
        };
        corners(&p, own, v, |corner, a, b| {
            add(a, corner.at_b);
            add(b, corner.at_a);
        });
    });
    let base = rows::base(p.vv_base, block.index());
    block.for_each_nosync(p.counts.vv, |k| values.set(base + k, links.stiffness * sums.get(k)));
}

/// Counts, for each patch, the entries beside the diagonal of its rows that are more than `least` of the
/// root of the product of both diagonal entries. `scales` has one by the root of each diagonal entry, 0 for
/// rows that do not count. One block per patch.
#[kernel(threads = 128)]
pub fn count_stiff<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    matrix: Assembled<'a>,
    scales: In<'a, f32>,
    least: f32,
    counts: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    let base = rows::base(p.vv_base, block.index());
    let start = |v: u32| {
        if v < p.v.owned { matrix.rows.starts.get(p.v.first + v) as u32 } else { p.counts.vv }
    };
    let near = |l: u32| if l < p.v.owned { p.v.first + l } else { p.v.ribbon.get(l - p.v.owned) };
    let stiff = |v: u32| {
        let (mut k, end, mut count) = (base + start(v), base + start(v + 1), 0);
        while k < end {
            let other = near(matrix.rows.columns.get(k) as u32);
            let strength = matrix.values.get(k) * scales.get(p.v.first + v) * scales.get(other);
            count += (strength > least || -strength > least) as u32;
            k += 1;
        }
        count
    };
    let count = block.reduce(p.v.owned, 0, stiff, |a, b| a + b);
    block.single_nosync(|| counts.set(block.index(), count));
}

/// Stores the ids of all columns, and the patch of each row, for the download of the matrix. One block per
/// patch.
#[kernel(threads = 128)]
pub fn column_ids<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    matrix: Assembled<'a>,
    starts: Out<'a, u32>,
    ids: Out<'a, u32>,
    values: Out<'a, f32>,
) {
    let p = mesh.patch(block.index());
    let base = rows::base(p.vv_base, block.index());
    let near = |l: u32| if l < p.v.owned { p.v.first + l } else { p.v.ribbon.get(l - p.v.owned) };
    block.for_each_nosync(p.counts.vv, |k| {
        ids.set(p.vv_base + k, near(matrix.rows.columns.get(base + k) as u32));
        values.set(p.vv_base + k, matrix.values.get(base + k));
    });
    block.for_each_nosync(p.v.owned, |v| {
        starts.set(p.v.first + v, p.vv_base + matrix.rows.starts.get(p.v.first + v) as u32);
    });
}

/// Computes x += S d for `n` vertices; d is in units of `1 / unit`. Blocks: tiles.
#[kernel(threads = 256)]
pub fn displace<'a>(v: Each, d: In<'a, Vec3>, scales: Scales<'a>, size: f32, x: Out<'a, Vec3>) {
    let scale = if scales.is_empty() { size } else { size * scales.get(v) };
    x.set(v, x.get(v) + d.get(v) * scale);
}
/// Computes x = centre + factor (x - centre) for `n` vertices. Blocks: tiles.
#[kernel(threads = 256)]
pub fn scale_about<'a>(v: Each, centre: Vec3, factor: f32, x: Out<'a, Vec3>) {
    x.set(v, centre + (x.get(v) - centre) * factor);
}
