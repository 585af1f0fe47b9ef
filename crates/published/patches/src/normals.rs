//! Vertex normals, a block per patch.
use glam::Vec3;
use ribbonmesh::corners::{Positions, Rows, RowsLayout, Vectors, sort_row};
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Out, Shared, kernel};
use ribbonmesh_fields::normals::corner::{Angle, Area, Max, Weighting};
#[cfg(doc)]
use ribbonmesh_fields::normals::doubts::CAREFUL;
use ribbonmesh_fields::normals::doubts::{How, each_doubtful};
use ribbonmesh_fields::normals::row;

type Memory<'b> = (RowsLayout<'b>, Shared<'b, f32>, Shared<'b, u32>);
fn memory<'b>(arena: &'b Arena, counts: &Counts) -> Memory<'b> {
    (Rows::layout(arena, counts), Positions::layout(arena, counts), arena.take(1))
}
/// The normals of a patch's owned vertices from FE and EV. `f64` is asked for where `f32` is not precise
/// enough: if `how` is careful, it is done, else `doubts` tells of it. `memory`: the patch's own if none is
/// given.
#[inline(always)]
fn fused<W: Weighting>(
    block: &Block,
    mesh: MeshView<'_>,
    patch: u32,
    memory: Option<Memory<'_>>,
    x: In<'_, Vec3>,
    normals: Out<'_, Vec3>,
    how: How<'_>,
) {
    let p = mesh.patch(patch);
    let (layout, words, doubt) = match memory {
        Some(memory) => memory,
        None => self::memory(block.arena(), &p.counts),
    };
    let positions = Positions::new(words, p.v);
    let rows = Rows::transpose(block, &p, layout, || {
        block.for_each_nosync(1, |_| doubt.set(0, 0));
        Positions::stage_nosync(block, x, p.v, p.counts.v_near, words, || ());
    });
    let normals = Vectors::new(rows.free, normals, p.v.first, p.v.owned);
    block.for_each(p.v.owned, |v| {
        let (start, end) = rows.range(v);
        // so that the sum is the same every time
        sort_row(rows.corners(), start, end);
        let n = match (row::normal::<W>(rows.of(v), positions, v), how) {
            (Some(n), _) => n,
            (None, How::Careful) => row::careful_normal::<W>(rows.of(v), positions, v),
            (None, How::Fast(_)) => {
                doubt.fetch_or(0, 1);
                Vec3::ZERO
            }
        };
        normals.set(v, n)
    });
    normals.write_nosync(block, mesh, patch);
    if let How::Fast(doubts) = how {
        block.single_nosync(|| doubts.set(patch, doubt.get(0)));
    }
}

macro_rules! kernels { ($($w:ident $fast:ident $careful:ident $doc:literal;)*) => { $(
    #[doc = concat!("Unit normals of all vertices, weighted ", $doc, ". One block per patch; `doubts[patch]` tells \
                     whether the careful kernel must do it again.")]
    #[kernel(threads = 128, shared = memory(arena, &mesh.max))]
    pub fn $fast<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        doubts: Out<'a, u32>,
    ) {
        fused::<$w>(block, mesh, block.index(), None, x, normals, How::Fast(doubts))
    }
    #[doc = concat!("The patches with doubts, weighted ", $doc, ". At most [`CAREFUL`] blocks for each \
                     multiprocessor.")]
    #[kernel(threads = 128, shared = memory(arena, &mesh.max))]
    pub fn $careful<'a>(
        block: &Block,
        mesh: MeshView<'a>,
        x: In<'a, Vec3>,
        normals: Out<'a, Vec3>,
        doubts: In<'a, u32>,
    ) {
        let memory = Some(memory(block.arena(), &mesh.max));
        each_doubtful(block, mesh.patches, doubts, |p| {
            fused::<$w>(block, mesh, p, memory, x, normals, How::Careful)
        })
    }
)* } }
kernels! {
    Area normals_by_area careful_by_area "by area";
    Angle normals_by_angle careful_by_angle "by angle";
    Max normals_by_max careful_by_max "as by Max";
}
