//! VV, VE, VF: gapless rows.
use super::{Query, elements, finish_offsets, queries};
use crate::device::query::{self, Ahead, Around, Ids, IdsLayout, Rows, VfLayout, VvLayout};
use crate::device::{Arena, Block, Counts, In, MeshView, Out, Patch, ResolveRibbon, Vertex, kernel};

/// A query about vertices.
pub trait OfVertices: Query<Source = Vertex> {
    /// Kind of the elements in a row.
    const AROUND: Around;
    /// Entries of a patch's result.
    const ENTRIES: fn(&Counts) -> u32;
    /// Offset of a patch's part in the result.
    const BASE: fn(&Patch<'_>) -> u32;
    /// Shared memory of the rows.
    type Layout<'b>: Copy;
    /// Carves the shared memory of the rows.
    fn layout<'b>(arena: &'b Arena, counts: &Counts) -> Self::Layout<'b>;
    /// The rows of owned vertices, behind `shift` free entries, with loads of `ahead` under way at the start.
    /// Collective, ends with a barrier.
    fn rows<'b>(
        block: &'b Block,
        p: &Patch<'_>,
        memory: Self::Layout<'b>,
        shift: u32,
        ahead: impl Ahead,
    ) -> Rows<'b>;
}

queries! {
    /// The neighbours of every vertex.
    Vv: Vertex to Vertex, |c| c.v_near, |c| [c.e_of_v, 0];
    /// The edges of every vertex.
    Ve: Vertex to Edge, |c| c.e_of_v, |c| [c.e_of_v, 0];
    /// The faces of every vertex.
    Vf: Vertex to Face, |c| c.f_of_v, |c| [c.e_near, c.f_of_v];
}

macro_rules! of_vertices { ($($name:ident $layout:ident $around:ident $entries:ident $base:ident;)*) => { $(
    impl OfVertices for $name {
        const AROUND: Around = Around::$around;
        const ENTRIES: fn(&Counts) -> u32 = |c| c.$entries;
        const BASE: fn(&Patch<'_>) -> u32 = |p| p.$base;
        type Layout<'b> = $layout<'b>;
        fn layout<'b>(arena: &'b Arena, counts: &Counts) -> $layout<'b> {
            query::$name::layout(arena, counts)
        }
        #[inline(always)]
        fn rows<'b>(
            block: &'b Block,
            p: &Patch<'_>,
            memory: $layout<'b>,
            shift: u32,
            ahead: impl Ahead,
        ) -> Rows<'b> {
            query::$name::transpose_ahead(block, p, memory, shift, ahead).rows
        }
    }
)* } }
of_vertices! {
    Vv VvLayout Vertices vv vv_base;
    Ve VvLayout Edges ve ve_base;
    Vf VfLayout Faces vf vf_base;
}

fn memory<'b, Q: OfVertices>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, Q::Layout<'b>) {
    (Ids::layout(arena, (Q::NEAR)(counts)), Q::layout(arena, counts))
}
/// The rows of all vertices; `offsets` has one entry more.
#[kernel(for Q in [Vv, Ve, Vf], threads = 128, shared = memory::<Q>(arena, &mesh.max))]
pub fn write<'a, Q: OfVertices>(
    block: &Block,
    mesh: MeshView<'a>,
    offsets: Out<'a, u32>,
    values: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    let (ids, memory) = memory::<Q>(block.arena(), &p.counts);
    let ids = Ids::new(elements::<Q::Target>(&p), (Q::NEAR)(&p.counts), ids);
    let rows = Q::rows(block, &p, memory, (Q::BASE)(&p) % 4, ids);
    rows.write_offsets(block, (Q::BASE)(&p), p.v.first, offsets);
    rows.write(block, (Q::BASE)(&p), values, |l| ids.global(l));
    finish_offsets(block, mesh, p.v.first + p.v.owned, mesh.vertices, (Q::BASE)(&p) + rows.total(), offsets);
}

/// The rows of vertices whose `active` is not 0, each at its index in the full result: `offsets` and
/// `lengths` have an entry per vertex. Other rows are left as they are.
#[kernel(for Q in [Vv, Ve, Vf], threads = 128, shared = Q::layout(arena, &mesh.max))]
pub fn active<'a, Q: OfVertices>(
    block: &Block,
    mesh: MeshView<'a>,
    active: In<'a, u32>,
    offsets: Out<'a, u32>,
    lengths: Out<'a, u32>,
    values: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    let active = |v: u32| active.get(v) != 0;
    if !block.active(p.v, active) {
        return;
    }
    let rows = Q::rows(block, &p, Q::layout(block.arena(), &p.counts), 0, ());
    let (base, target) = ((Q::BASE)(&p), elements::<Q::Target>(&p));
    block.for_active_nosync(p.v, active, |v| {
        offsets.set(p.v.first + v, base + rows.start(v));
        lengths.set(p.v.first + v, rows.len(v));
        rows.write_row(v, base, values, |l| target.global(l));
    });
}
