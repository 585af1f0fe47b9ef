//! The kernels: one block a patch.
use core::f32::consts::PI;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::query::{Vf, VfLayout, Vv, VvLayout};
use ribbonmesh::device::{
    Arena, Block, Counts, In, MeshView, Out, Patch, ResolveRibbon, Shared, StatusCode, Vec3, kernel,
};

/// The angle at `v` in the triangle `v a b`, 0 to π; 0 where `v` is one of the others.
#[inline(always)]
fn angle(v: Vec3, a: Vec3, b: Vec3) -> f32 {
    let (a, b) = (a - v, b - v);
    libm::atan2f(a.cross(b).length(), a.dot(b))
}

/// The sum of the angles at owned vertex `v`.
#[inline(always)]
fn angles_at(v: u32, p: &Patch<'_>, vf: Vf<'_>, positions: In<'_, Vec3>) -> f32 {
    let mut sum = 0.0;
    for face in vf.of(v) {
        let corners = [0, 1, 2].map(|i| vf.corner(face, i));
        let [a, b] = match corners {
            [a, b, c] if a == v => [b, c],
            [a, b, c] if b == v => [c, a],
            [a, b, _] => [a, b],
        };
        // a face that has a vertex twice has no angles
        if a < p.counts.v_all && b < p.counts.v_all {
            let at = |local: u32| positions.get(p.v.global(local));
            sum += angle(at(v), at(a), at(b));
        }
    }
    sum
}

/// Status: a vertex has an angle defect that is no number. First detail: its id.
pub const NOT_FINITE: u32 = StatusCode::User as u32;

/// The angle defect of every vertex, in radians; how many are negative is added to `saddles[0]`. `boundary`
/// has an entry per vertex.
#[kernel(threads = 128, shared = Vf::layout(arena, &mesh.max))]
pub fn angle_defect<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    positions: In<'a, Vec3>,
    boundary: In<'a, u32>,
    defects: Out<'a, f32>,
    saddles: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    let vf = Vf::transpose(block, &p, Vf::layout(block.arena(), &p.counts), 0);
    block.for_each_nosync(p.v.owned, |v| {
        let id = p.v.first + v;
        let turn = if boundary.get(id) == 0 { 2.0 * PI } else { PI };
        let defect = turn - angles_at(v, &p, vf, positions);
        if !defect.is_finite() {
            block.status().record_code(NOT_FINITE, block.index(), id, 0);
        }
        defects.set(id, defect);
    });
    // iteration v reads what iteration v has written: no barrier between
    let negative = block.count_where(p.v.owned, |v| defects.get(p.v.first + v) < 0.0);
    block.single_nosync(|| {
        atomic::fetch_add(saddles, 0, negative, Relaxed, Device);
    });
}

/// The shared memory of [`despike`]: two queries and a number per owned vertex.
fn despike_memory<'b>(arena: &'b Arena, counts: &Counts) -> (VfLayout<'b>, VvLayout<'b>, Shared<'b, f32>) {
    (Vf::layout(arena, counts), Vv::layout(arena, counts), arena.take(counts.v_owned))
}
/// Moves every inner vertex whose angles add up to less than `2π - threshold` to the mean of its neighbours;
/// `moved` begins as a copy of `positions`.
#[kernel(threads = 128, shared = despike_memory(arena, &mesh.max))]
pub fn despike<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    positions: In<'a, Vec3>,
    boundary: In<'a, u32>,
    threshold: f32,
    moved: Out<'a, Vec3>,
) {
    let p = mesh.patch(block.index());
    let (vf, vv, defects) = despike_memory(block.arena(), &p.counts);

    let vf = Vf::transpose(block, &p, vf, 0);
    block.for_each_nosync(p.v.owned, |v| {
        let inner = boundary.get(p.v.first + v) == 0 && !vf.rows.is_empty(v);
        let defect = 2.0 * PI - angles_at(v, &p, vf, positions);
        defects.set(v, if inner { defect } else { 0.0 });
    });
    let spike = |v: u32| defects.get(v) > threshold;
    if !block.any(p.v.owned, spike) {
        return;
    }

    let vv = Vv::transpose(block, &p, vv, 0);
    block.for_each_nosync(p.v.owned, |v| {
        if spike(v) {
            let mut sum = Vec3::ZERO;
            for neighbour in vv.of(v) {
                sum += positions.get(p.v.global(neighbour));
            }
            moved.set(p.v.first + v, sum / vv.rows.len(v) as f32);
        }
    });
}
