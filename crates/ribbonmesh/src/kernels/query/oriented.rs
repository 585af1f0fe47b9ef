//! VV, VE and VF in the order of a walk around each vertex.
//!
//! `problems[v]` becomes 1 where there is no such walk, else 0.
use super::vertex::{OfVertices, Ve, Vf, Vv};
use super::{elements, finish_offsets};
use crate::device::query::{self, Around, FanRows, Fans, Rows, VfLayout};
use crate::device::{Arena, Block, Counts, MeshView, Out, Patch, ResolveRibbon, kernel};

/// The arrays of a result.
#[derive(Clone, Copy)]
struct Result<'a> {
    offsets: Out<'a, u32>,
    values: Out<'a, u32>,
    problems: Out<'a, u32>,
}
impl Result<'_> {
    /// Writes a patch's rows; the last block writes what belongs to no patch.
    #[inline(always)]
    fn write<Q: OfVertices>(&self, block: &Block, mesh: MeshView<'_>, p: &Patch<'_>, rows: Rows<'_>) {
        let (base, owned_end) = ((Q::BASE)(p), p.v.first + p.v.owned);
        rows.write_offsets(block, base, p.v.first, self.offsets);
        rows.write(block, base, self.values, |l| elements::<Q::Target>(p).global(l));
        finish_offsets(block, mesh, owned_end, mesh.vertices, base + rows.total(), self.offsets);
        if block.index() + 1 == mesh.patches {
            block.for_each_nosync(mesh.vertices - owned_end, |i| self.problems.set(owned_end + i, 0));
        }
    }
}

/// For meshes without degenerate faces whose edges have at most two.
#[kernel(for Q in [Vv, Ve, Vf], threads = 256, shared = Fans::layout(arena, &mesh.max, Q::AROUND))]
pub fn oriented<'a, Q: OfVertices>(
    block: &Block,
    mesh: MeshView<'a>,
    offsets: Out<'a, u32>,
    values: Out<'a, u32>,
    problems: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    let memory = Fans::layout(block.arena(), &p.counts, Q::AROUND);
    let report = |v: u32, problem: bool| problems.set(p.v.first + v, problem as u32);
    let rows = Fans::walk(block, &p, memory, Q::AROUND, (Q::BASE)(&p) % 4, report).rows;
    Result { offsets, values, problems }.write::<Q>(block, mesh, &p, rows);
}

/// Shared memory for VF, and for the query if it is another.
fn memory<'b, Q: OfVertices>(arena: &'b Arena, counts: &Counts) -> (VfLayout<'b>, Option<Q::Layout<'b>>) {
    let vf = query::Vf::layout(arena, counts);
    (vf, if let Around::Faces = Q::AROUND { None } else { Some(Q::layout(arena, counts)) })
}
/// For any mesh.
#[kernel(for Q in [Vv, Ve, Vf], threads = 128, shared = memory::<Q>(arena, &mesh.max))]
pub fn oriented_general<'a, Q: OfVertices>(
    block: &Block,
    mesh: MeshView<'a>,
    offsets: Out<'a, u32>,
    values: Out<'a, u32>,
    problems: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    let (vf, memory) = memory::<Q>(block.arena(), &p.counts);
    let vf = query::Vf::transpose(block, &p, vf, if memory.is_none() { (Q::BASE)(&p) % 4 } else { 0 });
    let rows = match memory {
        Some(memory) => Q::rows(block, &p, memory, (Q::BASE)(&p) % 4, ()),
        None => vf.rows,
    };
    let report = |v: u32, problem: bool| problems.set(p.v.first + v, problem as u32);
    FanRows::order(block, &p, vf, Q::AROUND, rows, report);
    Result { offsets, values, problems }.write::<Q>(block, mesh, &p, rows);
}
