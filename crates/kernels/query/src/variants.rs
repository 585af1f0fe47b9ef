//! Candidates to measure against the kernels of [`vertex`](crate::vertex).
use crate::finish_offsets;
use ribbonmesh_device::query::{Ahead, Ids, IdsLayout, NO_LOCAL, Run, Vv};
use ribbonmesh_device::{
    Arena, Block, Counts, MeshView, Out, Quad, ResolveRibbon, Shared, hi, kernel, lo, pack, tail,
};

/// VV whose ribbon ids are read from global memory when they are written.
#[kernel(threads = 128, shared = Vv::layout(arena, &mesh.max))]
pub fn write_vv_direct<'a>(block: &Block, mesh: MeshView<'a>, offsets: Out<'a, u32>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let rows = Vv::transpose(block, &p, Vv::layout(block.arena(), &p.counts), p.vv_base % 4).rows;
    rows.write_offsets(block, p.vv_base, p.v.first, offsets);
    rows.write(block, p.vv_base, values, |l| p.v.global(l));
    finish_offsets(block, mesh, p.v.first + p.v.owned, mesh.vertices, p.vv_base + rows.total(), offsets);
}

struct Memory {
    ids: IdsLayout,
    starts: Shared<u32>,
    overlaid: Shared<u64>,
    ranked: Shared<Quad>,
}
fn memory(arena: &Arena, counts: &Counts) -> Memory {
    let (ev, list) = (2 * counts.e_near.div_ceil(4), (counts.vf + 3).div_ceil(4));
    Memory {
        ids: Ids::layout(arena, counts.f_of_v),
        starts: arena.take(counts.v_owned + 1),
        overlaid: arena.take(if ev > list { ev } else { list }),
        ranked: arena.take((3 * counts.f_of_v).div_ceil(4)),
    }
}
/// VF with one atomic per entry: the place within the row is kept beside the vertex. Clean meshes only.
#[kernel(threads = 128, shared = memory(arena, &mesh.max))]
pub fn write_vf_ranked<'a>(block: &Block, mesh: MeshView<'a>, offsets: Out<'a, u32>, values: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let Memory { ids, starts, overlaid, ranked } = memory(block.arena(), &p.counts);
    let (n, corners) = (p.v.owned, 3 * p.counts.f_of_v);
    let ids = Ids::new(p.f, p.counts.f_of_v, ids);
    let run = Run { out: values, base: p.vf_base, n: p.counts.vf };
    let (words, fe, from) = (corners.div_ceil(4), p.fe.wide::<u64>(), p.ev.wide::<Quad>());
    let (staged, ev) = (overlaid.wide::<Quad>(), overlaid.wide::<u32>());
    let prepare = || {
        ids.around(block, || {
            block.for_each_nosync(n + 1, |v| starts.set(v, 0));
            block.for_each_ahead_nosync::<Quad, 2>(
                p.counts.e_near.div_ceil(4),
                |i| from.get(i),
                || (),
                |i, q| staged.set(i, q),
            );
        });
        block.sync();
    };
    block.for_each_ahead_nosync::<u64, 3>(
        words,
        |q| fe.get(q),
        prepare,
        |q, w| {
            let one = |k: u32| {
                let fe = (w >> (16 * k)) as u32 & 0xffff;
                if 4 * q + k >= corners {
                    return NO_LOCAL;
                }
                let v = tail(fe, ev.get(fe >> 2));
                if v < n { pack(v, starts.fetch_add(v, 1)) } else { NO_LOCAL }
            };
            ranked.set(q, Quad([one(0), one(1), one(2), one(3)]));
        },
    );
    block.sync();
    block.exclusive_scan(starts, n + 1);
    let list = overlaid.wide::<u16>();
    block.for_each(words, |q| {
        let (f, r) = (4 * q / 3, 4 * q % 3);
        for (k, c) in (0..).zip(ranked.get(q).0) {
            if lo(c) < n {
                let face = f + (r + k >= 3) as u32 + (r + k >= 6) as u32;
                list.set(run.shift() + starts.get(lo(c)) + hi(c), face as u16);
            }
        }
    });
    block.for_each_nosync(n, |v| offsets.set(p.v.first + v, p.vf_base + starts.get(v)));
    let list = overlaid;
    block.for_each_nosync(run.quads(), |g| run.put(g, list.get(g), |l| ids.global(l)));
    finish_offsets(block, mesh, p.v.first + p.v.owned, mesh.vertices, p.vf_base + run.n, offsets);
}
