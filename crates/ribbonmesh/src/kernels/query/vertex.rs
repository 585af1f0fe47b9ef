//! VV, VE, VF.
use crate::device::query::{Ids, IdsLayout, Ve, Vf, VfLayout, Vv, VvLayout};
use crate::device::{Arena, Block, Counts, MeshView, Out, ResolveRibbon, kernel};
use crate::kernels::query::finish_offsets;

fn vv_memory<'b>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, VvLayout<'b>) {
    (Ids::layout(arena, counts.v_near), Vv::layout(arena, counts))
}
fn ve_memory<'b>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, VvLayout<'b>) {
    (Ids::layout(arena, counts.e_of_v), Ve::layout(arena, counts))
}
fn vf_memory<'b>(arena: &'b Arena, counts: &Counts) -> (IdsLayout<'b>, VfLayout<'b>) {
    (Ids::layout(arena, counts.f_of_v), Vf::layout(arena, counts))
}

macro_rules! kernels { ($($(#[$doc:meta])* $name:ident: $query:ident $memory:ident $of:ident $near:ident $base:ident;)*) => { $(
    $(#[$doc])*
    /// `offsets` has one entry more than vertices.
    #[kernel(threads = 128, shared = $memory(arena, &mesh.max))]
    pub fn $name<'a>(block: &Block, mesh: MeshView<'a>, offsets: Out<'a, u32>, values: Out<'a, u32>) {
        let p = mesh.patch(block.index());
        let (ids, memory) = $memory(block.arena(), &p.counts);
        let ids = Ids::new(p.$of, p.counts.$near, ids);
        let rows = $query::transpose_ahead(block, &p, memory, p.$base % 4, ids).rows;
        rows.write_offsets(block, p.$base, p.v.first, offsets);
        rows.write(block, p.$base, values, |l| ids.global(l));
        finish_offsets(block, mesh, p.v.first + p.v.owned, mesh.vertices, p.$base + rows.total(), offsets);
    }
)* } }
kernels! {
    /// The neighbours of every vertex.
    write_vv: Vv vv_memory v v_near vv_base;
    /// The edges of every vertex.
    write_ve: Ve ve_memory e e_of_v ve_base;
    /// The faces of every vertex.
    write_vf: Vf vf_memory f f_of_v vf_base;
}
