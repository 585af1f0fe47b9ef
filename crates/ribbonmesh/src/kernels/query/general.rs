//! EF, FF and EE on any mesh: rows of different lengths, each with room for an upper bound and
//! [`NONE`] at its end.
//!
//! An edge's room is its faces (EF) or twice that (EE), a face's the other faces at each of its sides (FF).
//! `offsets` has one entry more than rows. With `active` not empty, the rows of elements where it is 0 are
//! left as they are, and `lengths` receives the room of the others; with `active` empty, so is `lengths`.
use crate::device::query::{EfRows, EfRowsLayout};
use crate::device::{
    Arena, Block, Counts, In, MeshView, NONE, Out, Parameter, Patch, ResolveRibbon, Shared, kernel,
};
use crate::kernels::query::finish_offsets;

/// A row that is being filled.
struct Row<'a> {
    values: Out<'a, u32>,
    at: u32,
    end: u32,
}
impl Row<'_> {
    #[inline(always)]
    fn push(&mut self, id: u32) {
        if self.at < self.end {
            self.values.set(self.at, id);
            self.at += 1;
        }
    }
}

/// The arrays that the kernels write.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Target<'a> {
    /// Elements to query, or empty for all.
    pub active: In<'a, u32>,
    /// The first index of each row.
    pub offsets: Out<'a, u32>,
    /// Room of each active row, or empty.
    pub lengths: Out<'a, u32>,
    /// The entries.
    pub values: Out<'a, u32>,
}
impl Target<'_> {
    #[inline(always)]
    fn active(&self, id: u32) -> bool {
        self.active.is_empty() || self.active.get(id) != 0
    }
    /// Writes row `id`, `room` entries from `at` on, of what `fill` pushes.
    #[inline(always)]
    fn write(&self, id: u32, at: u32, room: u32, fill: impl FnOnce(&mut Row<'_>)) {
        if !self.active(id) {
            return;
        }
        self.offsets.set(id, at);
        if !self.lengths.is_empty() {
            self.lengths.set(id, room);
        }
        let mut row = Row { values: self.values, at, end: at + room };
        fill(&mut row);
        while row.at < row.end {
            row.push(NONE);
        }
    }
    /// Fills the unused end of a patch's part of the result, which belongs to its last row; the last patch
    /// writes the end.
    #[inline(always)]
    fn finish(&self, block: &Block, mesh: MeshView<'_>, used: u32, (base, n): (u32, u32), ids: (u32, u32)) {
        if self.active.is_empty() {
            block.for_each_nosync(n - used, |i| self.values.set(base + used + i, NONE));
            finish_offsets(block, mesh, ids.0, ids.1, base + n, self.offsets);
        }
    }
}

fn owned_edges<'a>(block: &'a Block, p: &Patch<'a>) -> EfRows<'a> {
    EfRows::transpose(block, p, EfRows::layout_owned(block.arena(), &p.counts), p.counts.e_owned)
}
/// The counts of a patch with its parts of EF, FF and EE.
#[inline(always)]
fn patch<'a>(mesh: MeshView<'a>, p: u32) -> (Patch<'a>, [(u32, u32); 3]) {
    let (mut patch, parts) = (mesh.patch(p), mesh.general(p));
    (patch.counts.ef, patch.counts.ff, patch.counts.ee) = (parts[0].1, parts[1].1, parts[2].1);
    (patch, parts)
}

/// The faces of every edge, each once.
#[kernel(threads = 128, shared = EfRows::layout_owned(arena, &mesh.max))]
pub fn ef_general<'a>(block: &Block, mesh: MeshView<'a>, to: Target<'a>) {
    let (p, [part, _, _]) = patch(mesh, block.index());
    if !block.active(p.e, |e| to.active(e)) {
        return to.finish(block, mesh, 0, part, (p.e.first + p.e.owned, mesh.edges));
    }
    let rows = owned_edges(block, &p).rows;
    block.for_each_nosync(p.e.owned, |e| {
        to.write(p.e.first + e, part.0 + rows.start(e), rows.len(e), |row| {
            for f in rows.of(e) {
                row.push(p.f.global(f));
            }
        });
    });
    to.finish(block, mesh, rows.total(), part, (p.e.first + p.e.owned, mesh.edges));
}

/// The edges that share a face with every edge, each once.
#[kernel(threads = 128, shared = EfRows::layout_owned(arena, &mesh.max))]
pub fn ee_general<'a>(block: &Block, mesh: MeshView<'a>, to: Target<'a>) {
    let (p, [_, _, part]) = patch(mesh, block.index());
    if !block.active(p.e, |e| to.active(e)) {
        return to.finish(block, mesh, 0, part, (p.e.first + p.e.owned, mesh.edges));
    }
    let ef = owned_edges(block, &p);
    block.for_each_nosync(p.e.owned, |e| {
        to.write(p.e.first + e, part.0 + 2 * ef.rows.start(e), 2 * ef.rows.len(e), |row| {
            ef.edges(e, |x| row.push(p.e.global(x)));
        });
    });
    to.finish(block, mesh, 2 * ef.rows.total(), part, (p.e.first + p.e.owned, mesh.edges));
}

fn ff_memory<'b>(arena: &'b Arena, counts: &Counts) -> (Shared<'b, u32>, EfRowsLayout<'b>) {
    (arena.take(counts.f_owned), EfRows::layout_of_faces(arena, counts))
}
/// The faces that share an edge with every face, each once.
#[kernel(threads = 128, shared = ff_memory(arena, &mesh.max))]
pub fn ff_general<'a>(block: &Block, mesh: MeshView<'a>, to: Target<'a>) {
    let (p, [_, part, _]) = patch(mesh, block.index());
    if !block.active(p.f, |f| to.active(f)) {
        return to.finish(block, mesh, 0, part, (p.f.first + p.f.owned, mesh.faces));
    }
    let (starts, memory) = ff_memory(block.arena(), &p.counts);
    let ef = EfRows::transpose(block, &p, memory, p.counts.e_of_f);
    block.for_each(p.f.owned, |f| starts.set(f, ef.neighbour_bound(f)));
    let total = block.exclusive_scan(starts, p.f.owned);
    block.for_each_nosync(p.f.owned, |f| {
        let end = if f + 1 < p.f.owned { starts.get(f + 1) } else { total };
        to.write(p.f.first + f, part.0 + starts.get(f), end - starts.get(f), |row| {
            ef.neighbours(f, |g| row.push(p.f.global(g)));
        });
    });
    to.finish(block, mesh, total, part, (p.f.first + p.f.owned, mesh.faces));
}
