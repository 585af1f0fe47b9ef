//! Queries about a subset of the elements: the elements whose `active` is not 0. The rows of the others are
//! left as they are. A block without an active element leaves at once.
use crate::device::query::{
    Diamond, DiamondLayout, Ee, EeLayout, Ef, EfLayout, Fv, FvLayout, Reach, Ve, Vf, Vv,
};
use crate::device::{
    Arena, Block, Counts, Elements, In, MeshView, Out, Patch, ResolveRibbon, hi, kernel, lo,
};
use crate::kernels::query::or_none;

macro_rules! of_vertices { ($($(#[$doc:meta])* $name:ident: $query:ident $of:ident $base:ident;)*) => { $(
    $(#[$doc])*
    /// Each row is stored at its index in the full result: `offsets` and `lengths` have an entry per vertex.
    #[kernel(threads = 128, shared = $query::layout(arena, &mesh.max))]
    pub fn $name<'a>(
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
        let rows = $query::transpose(block, &p, $query::layout(block.arena(), &p.counts), 0).rows;
        block.for_active_nosync(p.v, active, |v| {
            offsets.set(p.v.first + v, p.$base + rows.start(v));
            lengths.set(p.v.first + v, rows.len(v));
            rows.write_row(v, p.$base, values, |l| p.$of.global(l));
        });
    }
)* } }
of_vertices! {
    /// The neighbours of active vertices.
    vv_active: Vv v vv_base;
    /// The edges of active vertices.
    ve_active: Ve e ve_base;
    /// The faces of active vertices.
    vf_active: Vf f vf_base;
}

/// Writes the rows of the active elements among `from`; `row` gives their entries.
#[inline(always)]
fn write_rows<const N: usize>(
    block: &Block,
    from: Elements<'_>,
    active: In<'_, u32>,
    to: Elements<'_>,
    values: Out<'_, u32>,
    row: impl Fn(u32) -> [u32; N],
) {
    block.for_active_nosync(
        from,
        |id| active.get(id) != 0,
        |l| {
            for (k, local) in row(l).into_iter().enumerate() {
                values.set(N as u32 * (from.first + l) + k as u32, or_none(to)(local));
            }
        },
    );
}

macro_rules! fixed { ($($(#[$doc:meta])* $name:ident, $from:ident to $to:ident, $layout:expr, $row:expr;)*) => { $(
    $(#[$doc])*
    #[kernel(threads = 128, shared = $layout(arena, &mesh.max))]
    pub fn $name<'a>(block: &Block, mesh: MeshView<'a>, active: In<'a, u32>, values: Out<'a, u32>) {
        let p = mesh.patch(block.index());
        if block.active(p.$from, |id| active.get(id) != 0) {
            let memory = $layout(block.arena(), &p.counts);
            write_rows(block, p.$from, active, p.$to, values, $row(block, p, memory));
        }
    }
)* } }
fixed! {
    /// The vertices of active edges.
    ev_active, e to v, nothing, ends;
    /// The edges of active faces.
    fe_active, f to e, nothing, sides;
    /// The vertices of active faces.
    fv_active, f to v, fv_layout, vertices;
    /// The faces of active edges; on meshes whose edges have at most two.
    ef_active, e to f, ef_layout, faces;
    /// The faces across the sides of active faces; on meshes whose edges have at most two.
    ff_active, f to f, ff_layout, across;
    /// The edges that share a face with active edges; on meshes whose edges have at most two faces.
    ee_active, e to e, Ee::layout, edges;
    /// EVDiamond of active edges; on meshes whose edges have at most two faces.
    ev_diamond_active, e to v, Diamond::layout, diamond;
}

fn nothing(_: &Arena, _: &Counts) {}
fn fv_layout<'b>(arena: &'b Arena, counts: &Counts) -> FvLayout<'b> {
    Fv::layout(arena, counts, Reach::Owned)
}
fn ef_layout<'b>(arena: &'b Arena, counts: &Counts) -> EfLayout<'b> {
    Ef::layout(arena, counts.e_owned)
}
fn ff_layout<'b>(arena: &'b Arena, counts: &Counts) -> EfLayout<'b> {
    Ef::layout(arena, counts.e_of_f)
}
#[inline(always)]
fn ends<'a>(_: &Block, p: Patch<'a>, (): ()) -> impl Fn(u32) -> [u32; 2] + use<'a> {
    move |e| [lo(p.ev.get(e)), hi(p.ev.get(e))]
}
#[inline(always)]
fn sides<'a>(_: &Block, p: Patch<'a>, (): ()) -> impl Fn(u32) -> [u32; 3] + use<'a> {
    move |f| [0, 1, 2].map(|i| p.fe.get(3 * f + i) as u32 >> 2)
}
#[inline(always)]
fn vertices<'a>(block: &Block, p: Patch<'a>, memory: FvLayout<'a>) -> impl Fn(u32) -> [u32; 3] + use<'a> {
    let fv = Fv::stage_nosync(block, &p, memory, Reach::Owned);
    block.sync();
    move |f| fv.of(f)
}
#[inline(always)]
fn faces<'a>(block: &Block, p: Patch<'a>, memory: EfLayout<'a>) -> impl Fn(u32) -> [u32; 2] + use<'a> {
    let ef = Ef::of_owned(block, &p, memory, 0, ());
    move |e| ef.of(e)
}
#[inline(always)]
fn across<'a>(block: &Block, p: Patch<'a>, memory: EfLayout<'a>) -> impl Fn(u32) -> [u32; 3] + use<'a> {
    let ef = Ef::of_owned_faces(block, &p, memory, ());
    move |f| [0, 1, 2].map(|i| ef.across(p.fe.get(3 * f + i) as u32))
}
#[inline(always)]
fn edges<'a>(block: &Block, p: Patch<'a>, memory: EeLayout<'a>) -> impl Fn(u32) -> [u32; 4] + use<'a> {
    let ee = Ee::by_slots(block, &p, memory, ());
    move |e| ee.of(e)
}
#[inline(always)]
fn diamond<'a>(block: &Block, p: Patch<'a>, memory: DiamondLayout<'a>) -> impl Fn(u32) -> [u32; 4] + use<'a> {
    let diamond = Diamond::of_two_sides(block, &p, memory, ());
    move |e| diamond.of(e)
}
