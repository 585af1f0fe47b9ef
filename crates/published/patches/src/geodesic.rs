//! The neighbours around each vertex, in the form that geodesic distances read, a block per patch.
use ribbonmesh::device::query::{Around, FanRows, Fans, FansLayout, NO_LOCAL, Rows, Vf, VfLayout};
use ribbonmesh::device::{Arena, Block, Counts, MeshView, Patch, ResolveRibbon, Shared, kernel, tail};
use ribbonmesh_fields::geodesic::stored::{BREAK, NewRing};

/// Writes the rows of a patch's owned vertices. `faces` are in the order of the walk, but for vertices that
/// are `irregular`; `others` gives the other two vertices of a face, as it is oriented. No barrier.
#[inline(always)]
fn write(
    block: &Block,
    ring: NewRing<'_>,
    p: &Patch<'_>,
    faces: Rows<'_>,
    irregular: impl Fn(u32) -> bool,
    others: impl Fn(u32, u32) -> (u32, u32),
) {
    block.for_each_nosync(p.v.owned, |v| {
        let (id, n) = (p.v.first + v, faces.len(v));
        if n == 0 {
            return ring.rows.set(id, 0);
        }
        let global = |local: u32| p.v.global(local);
        let mut row = ring.row(id, p.vf_base + faces.start(v));
        if irregular(v) {
            if ring.refuses() {
                return;
            }
            for face in faces.of(v) {
                let (a, b) = others(face, v);
                row.put(global(a), 0);
                row.put(global(b), BREAK);
            }
        } else {
            let mut end = 0;
            for face in faces.of(v) {
                let (a, b) = others(face, v);
                row.put(global(a), 0);
                end = b;
            }
            row.put(global(end), BREAK);
        }
        ring.rows.set(id, row.end());
    });
}

fn fans_memory<'b>(arena: &'b Arena, counts: &Counts) -> (FansLayout<'b>, Shared<'b, u32>) {
    (Fans::layout(arena, counts, Around::Faces), arena.take(counts.v_owned))
}
/// The ring of an edge-manifold mesh. One block per patch.
#[kernel(threads = 256, shared = fans_memory(arena, &mesh.max))]
pub fn ring_by_walks<'a>(block: &Block, mesh: MeshView<'a>, ring: NewRing<'a>) {
    let p = mesh.patch(block.index());
    let (memory, irregular) = fans_memory(block.arena(), &p.counts);
    let report = |v: u32, problem: bool| irregular.set(v, problem as u32);
    let rows = Fans::walk(block, &p, memory, Around::Faces, 0, report).rows;
    let corner = |f: u32, i: u32| {
        let side = p.fe.get(3 * f + i) as u32;
        tail(side, p.ev.get(side >> 2))
    };
    write(
        block,
        ring,
        &p,
        rows,
        |v| irregular.get(v) != 0,
        |f, v| others([0, 1, 2].map(|i| corner(f, i)), v),
    );
}

fn faces_memory<'b>(arena: &'b Arena, counts: &Counts) -> (VfLayout<'b>, Shared<'b, u32>) {
    (Vf::layout(arena, counts), arena.take(counts.v_owned))
}
/// The ring of any mesh. One block per patch.
#[kernel(threads = 128, shared = faces_memory(arena, &mesh.max))]
pub fn ring_of_any<'a>(block: &Block, mesh: MeshView<'a>, ring: NewRing<'a>) {
    let p = mesh.patch(block.index());
    let (memory, irregular) = faces_memory(block.arena(), &p.counts);
    let vf = Vf::transpose(block, &p, memory, 0);
    FanRows::order(block, &p, vf, Around::Faces, vf.rows, |v, problem| irregular.set(v, problem as u32));
    write(
        block,
        ring,
        &p,
        vf.rows,
        |v| irregular.get(v) != 0,
        |f, v| others([0, 1, 2].map(|i| vf.corner(f, i)), v),
    );
}

/// The other two of a face's vertices. Of a face with fewer than three vertices: the other one, or `v`,
/// twice.
#[inline(always)]
fn others([x, y, z]: [u32; 3], v: u32) -> (u32, u32) {
    if y == NO_LOCAL || z == NO_LOCAL {
        let second = if y == NO_LOCAL { z } else { y };
        let other = if x != v || second == NO_LOCAL { x } else { second };
        return (other, other);
    }
    if x == v {
        (y, z)
    } else if y == v {
        (z, x)
    } else {
        (x, y)
    }
}
