//! Vertex normals as sums by atomics in global memory, weighted as Max 1999 does: the normal of a face,
//! divided by the squared lengths of the two edges at the vertex.
use crate::each::each;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::math::{fast_recip, sqrt};
use ribbonmesh::device::query::{Fv, FvLayout, Reach};
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, ResolveRibbon, Vec3, kernel};

/// Adds the face's weighted normal to its three vertices. A side of length 0 adds nothing.
#[inline(always)]
fn add_face([a, b, c]: [u32; 3], positions: In<'_, Vec3>, sums: Out<'_, f32>) {
    let [p, q, r] = [a, b, c].map(|v| positions.get(v));
    let (pq, qr, rp) = (q - p, r - q, p - r);
    let normal = pq.cross(qr);
    let (l, m, n) = (pq.dot(pq), qr.dot(qr), rp.dot(rp));
    let add = |v: u32, squared: f32| {
        if squared > 0.0 {
            let part = normal * fast_recip(squared);
            atomic::fetch_add(sums, 3 * v, part.x, Relaxed, Device);
            atomic::fetch_add(sums, 3 * v + 1, part.y, Relaxed, Device);
            atomic::fetch_add(sums, 3 * v + 2, part.z, Relaxed, Device);
        }
    };
    add(a, n * l);
    add(b, l * m);
    add(c, m * n);
}

/// One thread per face, whose vertices are in global memory (thesis 4.5.4, the hard-wired data structure).
/// `sums` begins as zeros.
#[kernel(threads = 256)]
pub fn add_indexed_triangles<'a>(
    block: &Block,
    faces: In<'a, [u32; 3]>,
    n: u32,
    positions: In<'a, Vec3>,
    sums: Out<'a, f32>,
) {
    each(block, n, |f| add_face(faces.get(f), positions, sums));
}

fn memory<'b>(arena: &'b Arena, counts: &Counts) -> FvLayout<'b> {
    Fv::layout(arena, counts, Reach::Owned)
}
/// One block per patch, whose FV query gives the vertices (thesis Listing 4.1). `sums` begins as zeros.
#[kernel(threads = 256, shared = memory(arena, &mesh.max))]
pub fn add_patches<'a>(block: &Block, mesh: MeshView<'a>, positions: In<'a, Vec3>, sums: Out<'a, f32>) {
    let p = mesh.patch(block.index());
    let fv = Fv::stage_nosync(block, &p, memory(block.arena(), &p.counts), Reach::Owned);
    block.sync();
    block.for_each_nosync(p.f.owned, |f| {
        let [a, b, c] = fv.of(f);
        add_face([p.v.global(a), p.v.global(b), p.v.global(c)], positions, sums);
    });
}

/// Makes each of the `n` sums a unit vector; zero stays zero.
#[kernel(threads = 256)]
pub fn normalize<'a>(block: &Block, n: u32, sums: Out<'a, Vec3>) {
    each(block, n, |v| {
        let sum = sums.get(v);
        let squared = sum.dot(sum);
        if squared > 0.0 {
            sums.set(v, sum * fast_recip(sqrt(squared)));
        }
    });
}
