//! VV, VE and VF in the order of a walk around each vertex.
//!
//! `problems[v]` becomes 1 where there is no such walk, else 0.
use crate::device::query::{Around, FanRows, Fans, Ve, Vf, VfLayout, Vv, VvLayout};
use crate::device::{Arena, Block, Counts, MeshView, Out, Patch, ResolveRibbon, kernel};
use crate::kernels::query::finish_offsets;

macro_rules! kernels { ($($(#[$doc:meta])* $name:ident: $around:ident $of:ident $base:ident;)*) => { $(
    $(#[$doc])*
    /// For meshes without degenerate faces whose edges have at most two.
    #[kernel(threads = 256, shared = Fans::layout(arena, &mesh.max, Around::$around))]
    pub fn $name<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        offsets: Out<'a, u32>,
        values: Out<'a, u32>,
        problems: Out<'a, u32>,
    ) {
        let p = mesh.patch(block.index());
        let memory = Fans::layout(block.arena(), &p.counts, Around::$around);
        let report = |v: u32, problem: bool| problems.set(p.v.first + v, problem as u32);
        let rows = Fans::walk(block, &p, memory, Around::$around, p.$base % 4, report).rows;
        rows.write_offsets(block, p.$base, p.v.first, offsets);
        rows.write(block, p.$base, values, |l| p.$of.global(l));
        finish(block, mesh, &p, p.$base + rows.total(), offsets, problems);
    }
)* } }
kernels! {
    /// The neighbours of every vertex.
    vv_oriented: Vertices v vv_base;
    /// The edges of every vertex.
    ve_oriented: Edges e ve_base;
    /// The faces of every vertex.
    vf_oriented: Faces f vf_base;
}

#[inline(always)]
fn finish(
    block: &Block,
    mesh: MeshView<'_>,
    p: &Patch<'_>,
    end: u32,
    offsets: Out<'_, u32>,
    problems: Out<'_, u32>,
) {
    let owned_end = p.v.first + p.v.owned;
    finish_offsets(block, mesh, owned_end, mesh.vertices, end, offsets);
    if block.index() + 1 == mesh.patches {
        block.for_each_nosync(mesh.vertices - owned_end, |i| problems.set(owned_end + i, 0));
    }
}

fn vv_memory<'b>(arena: &'b Arena, counts: &Counts) -> (VfLayout<'b>, VvLayout<'b>) {
    (Vf::layout(arena, counts), Vv::layout(arena, counts))
}
fn ve_memory<'b>(arena: &'b Arena, counts: &Counts) -> (VfLayout<'b>, VvLayout<'b>) {
    (Vf::layout(arena, counts), Ve::layout(arena, counts))
}
macro_rules! general_kernels { ($($(#[$doc:meta])* $name:ident: $query:ident $memory:ident $around:ident $of:ident $base:ident;)*) => { $(
    $(#[$doc])*
    /// For any mesh.
    #[kernel(threads = 128, shared = $memory(arena, &mesh.max))]
    pub fn $name<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        offsets: Out<'a, u32>,
        values: Out<'a, u32>,
        problems: Out<'a, u32>,
    ) {
        let p = mesh.patch(block.index());
        let (vf, memory) = $memory(block.arena(), &p.counts);
        let vf = Vf::transpose(block, &p, vf, 0);
        let rows = $query::transpose(block, &p, memory, p.$base % 4).rows;
        FanRows::order(block, &p, vf, Around::$around, rows, |v, problem| problems.set(p.v.first + v, problem as u32));
        rows.write_offsets(block, p.$base, p.v.first, offsets);
        rows.write(block, p.$base, values, |l| p.$of.global(l));
        finish(block, mesh, &p, p.$base + rows.total(), offsets, problems);
    }
)* } }
general_kernels! {
    /// The neighbours of every vertex.
    vv_oriented_general: Vv vv_memory Vertices v vv_base;
    /// The edges of every vertex.
    ve_oriented_general: Ve ve_memory Edges e ve_base;
}

/// The faces of every vertex. For any mesh.
#[kernel(threads = 128, shared = Vf::layout(arena, &mesh.max))]
pub fn vf_oriented_general<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    offsets: Out<'a, u32>,
    values: Out<'a, u32>,
    problems: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    let vf = Vf::transpose(block, &p, Vf::layout(block.arena(), &p.counts), p.vf_base % 4);
    let report = |v: u32, problem: bool| problems.set(p.v.first + v, problem as u32);
    FanRows::order(block, &p, vf, Around::Faces, vf.rows, report);
    vf.rows.write_offsets(block, p.vf_base, p.v.first, offsets);
    vf.rows.write(block, p.vf_base, values, |l| p.f.global(l));
    finish(block, mesh, &p, p.vf_base + vf.rows.total(), offsets, problems);
}
