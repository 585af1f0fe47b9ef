//! Elements on the boundary: edges with exactly one face, vertices and faces with such an edge.
use crate::device::{Block, MeshView, Out, Patch, Shared, hi, kernel, lo};

/// Counts the faces of the first `edges` edges, among the first `faces` faces.
#[inline(always)]
fn count_faces<'b>(block: &'b Block, p: &Patch<'_>, edges: u32, faces: u32) -> Shared<'b, u32> {
    let counts = block.shared::<u32>(edges);
    block.for_each(edges, |e| counts.set(e, 0));
    block.for_each(faces, |f| {
        let e = |i: u32| p.fe.get(3 * f + i) as u32 >> 2;
        let (a, b, c) = (e(0), e(1), e(2));
        let count = |e: u32, again: bool| {
            if e < edges && !again {
                counts.fetch_add(e, 1);
            }
        };
        count(a, false);
        count(b, b == a);
        count(c, c == a || c == b);
    });
    counts
}

/// 1 for vertices on the boundary, else 0.
#[kernel(threads = 128, shared = (arena.take::<u32>(mesh.max.e_of_v), arena.take::<u32>(mesh.max.v_owned)))]
pub fn boundary_vertices<'a>(block: &Block, mesh: MeshView<'a>, flags: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let marks = block.shared::<u32>(p.v.owned);
    block.for_each_nosync(p.v.owned, |v| marks.set(v, 0));
    let faces = count_faces(block, &p, p.counts.e_of_v, p.counts.f_of_v);
    block.for_each(p.counts.e_of_v, |e| {
        if faces.get(e) == 1 {
            let ends = p.ev.get(e);
            for v in [lo(ends), hi(ends)] {
                if v < p.v.owned {
                    marks.fetch_or(v, 1);
                }
            }
        }
    });
    block.for_each_nosync(p.v.owned, |v| flags.set(p.v.first + v, marks.get(v)));
    if block.index() + 1 == mesh.patches {
        let end = p.v.first + p.v.owned;
        block.for_each_nosync(mesh.vertices - end, |i| flags.set(end + i, 0));
    }
}

/// 1 for edges on the boundary, else 0.
#[kernel(threads = 128, shared = arena.take::<u32>(mesh.max.e_owned))]
pub fn boundary_edges<'a>(block: &Block, mesh: MeshView<'a>, flags: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let faces = count_faces(block, &p, p.e.owned, p.counts.f_all);
    block.for_each_nosync(p.e.owned, |e| flags.set(p.e.first + e, (faces.get(e) == 1) as u32));
}

/// 1 for faces on the boundary, else 0.
#[kernel(threads = 128, shared = arena.take::<u32>(mesh.max.e_of_f))]
pub fn boundary_faces<'a>(block: &Block, mesh: MeshView<'a>, flags: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let faces = count_faces(block, &p, p.counts.e_of_f, p.counts.f_all);
    block.for_each_nosync(p.f.owned, |f| {
        let open = |i: u32| faces.get(p.fe.get(3 * f + i) as u32 >> 2) == 1;
        flags.set(p.f.first + f, (open(0) || open(1) || open(2)) as u32);
    });
}
