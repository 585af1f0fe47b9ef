//! The pattern of the matrix: VV, stored patch by patch as local indices.
use ribbonmesh::device::query::{Vv, VvLayout};
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, Parameter, Patch, Quad, Shared, kernel};

/// Start of the entries of patch `patch`: a multiple of 8, after all entries of the patch before.
#[inline(always)]
pub fn base(vv_base: u32, patch: u32) -> u32 {
    (vv_base + 8 * patch) & !7
}

/// The rows of all patches, as kernels see them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct RowsView<'a> {
    /// Start of each vertex's row, relative to the start of its patch's rows.
    pub starts: In<'a, u16>,
    /// The neighbours of each vertex, ascending; the neighbours of a patch's vertices begin at [`base`].
    pub columns: In<'a, u16>,
}
/// Memory for a patch's rows and the start of each.
pub type RowsMemory<'b> = (Shared<'b, Quad>, Shared<'b, u16>);
impl RowsView<'_> {
    /// Reserves memory for a patch.
    #[inline(always)]
    pub fn layout<'b>(arena: &'b Arena, counts: &Counts) -> RowsMemory<'b> {
        (arena.take(counts.vv.div_ceil(8)), arena.take(counts.v_owned + 1))
    }
    /// Loads the rows of a patch; no barrier.
    #[inline(always)]
    pub fn stage_nosync(&self, block: &Block, p: &Patch<'_>, memory: RowsMemory<'_>) {
        let (columns, starts) = memory;
        let from = self.columns.at(base(p.vv_base, block.index())).wide::<Quad>();
        let (owned, total) = (p.v.owned, p.counts.vv as u16);
        block.for_each_ahead_nosync::<Quad, 2>(
            p.counts.vv.div_ceil(8),
            |i| from.get(i),
            || {
                let start = |v: u32| if v < owned { self.starts.get(p.v.first + v) } else { total };
                block.for_each_nosync(owned + 1, |v| starts.set(v, start(v)));
            },
            |i, q| columns.set(i, q),
        );
    }
}
/// Range of the row of local vertex `v`.
#[inline(always)]
pub fn range(memory: RowsMemory<'_>, v: u32) -> (u32, u32) {
    (memory.1.get(v) as u32, memory.1.get(v + 1) as u32)
}

/// Stores the rows. One block per patch; quadratic in the neighbours of a vertex.
#[kernel(threads = 128, shared = vv_memory(arena, &mesh.max))]
pub fn store_rows<'a>(block: &Block, mesh: MeshView<'a>, starts: Out<'a, u16>, columns: Out<'a, u16>) {
    let p = mesh.patch(block.index());
    let rows = Vv::transpose(block, &p, vv_memory(block.arena(), &p.counts), 0).rows;
    let base = base(p.vv_base, block.index());
    block.for_each_nosync(p.v.owned, |v| {
        starts.set(p.v.first + v, rows.start(v) as u16);
        for l in rows.of(v) {
            let mut rank = 0;
            for other in rows.of(v) {
                rank += (other < l) as u32;
            }
            columns.set(base + rows.start(v) + rank, l as u16);
        }
    });
}
fn vv_memory<'b>(arena: &'b Arena, counts: &Counts) -> VvLayout<'b> {
    Vv::layout(arena, counts)
}
