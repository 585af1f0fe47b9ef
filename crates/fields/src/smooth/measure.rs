//! Lengths and volumes, patch by patch, in `f64`.
use glam::Vec3;
use ribbonmesh::device::query::{Fv, Reach};
use ribbonmesh::device::{Block, In, MeshView, Out, hi, kernel, lo};

/// Sums, for each patch, the lengths of its edges that are not loops, and counts them. One block per patch.
#[kernel(threads = 128)]
pub fn sum_edge_lengths<'a>(block: &Block, mesh: MeshView<'a>, x: In<'a, Vec3>, sums: Out<'a, f64>) {
    let p = mesh.patch(block.index());
    let at = |l: u32| {
        let id = if l < p.v.owned { p.v.first + l } else { p.v.ribbon.get(l - p.v.owned) };
        x.get(id)
    };
    let ends = |e: u32| {
        let ends = p.ev.get(e);
        (lo(ends), hi(ends))
    };
    let length = |e: u32| {
        let (a, b) = ends(e);
        let (a, b) = (at(a), at(b));
        let (x, y, z) = (b.x as f64 - a.x as f64, b.y as f64 - a.y as f64, b.z as f64 - a.z as f64);
        libm::sqrt(x * x + y * y + z * z)
    };
    let sum = block.reduce(p.e.owned, 0.0, length, |a, b| a + b);
    let count = block.count_where(p.e.owned, |e| ends(e).0 != ends(e).1);
    block.single_nosync(|| {
        sums.set(2 * block.index(), sum);
        sums.set(2 * block.index() + 1, count as f64);
    });
}

/// Sums, for each patch, six times the volume between its faces and `origin`. One block per patch.
#[kernel(threads = 128, shared = Fv::layout(arena, &mesh.max, Reach::Owned))]
pub fn volumes<'a>(block: &Block, mesh: MeshView<'a>, x: In<'a, Vec3>, origin: Vec3, sums: Out<'a, f64>) {
    let p = mesh.patch(block.index());
    let layout = Fv::layout(block.arena(), &p.counts, Reach::Owned);
    let fv = Fv::stage_nosync(block, &p, layout, Reach::Owned);
    // the vertices of a face were loaded by other threads
    block.sync();
    let at = |l: u32| {
        let id = if l < p.v.owned { p.v.first + l } else { p.v.ribbon.get(l - p.v.owned) };
        let x = x.get(id);
        [x.x as f64 - origin.x as f64, x.y as f64 - origin.y as f64, x.z as f64 - origin.z as f64]
    };
    let volume = |f: u32| {
        let [a, b, c] = fv.of(f);
        let (a, b, c) = (at(a), at(b), at(c));
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    let sum = block.reduce(p.f.owned, 0.0, volume, |a, b| a + b);
    block.single_nosync(|| sums.set(block.index(), sum));
}
