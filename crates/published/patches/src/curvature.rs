//! Curvatures, a block per patch.
use glam::Vec3;
use ribbonmesh::corners::{Corners, PatchCorners, Positions, Rows, RowsLayout, sort_row};
use ribbonmesh::device::{Arena, Block, Counts, In, MeshView, Shared, kernel};
use ribbonmesh_fields::curvature::around::{Around, Neighbourhood};
use ribbonmesh_fields::curvature::at_vertex::{Found, Results, at_vertex};
use ribbonmesh_fields::curvature::sums::{Barycentric, Mixed, Share};

/// The corners of a patch, which know no edges: each end of a corner is compared with every other.
#[derive(Clone, Copy)]
struct Ends<'b>(PatchCorners<'b>);
impl Corners for Ends<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.0.count()
    }
    #[inline(always)]
    fn corner(&self, k: u32) -> (u32, u32) {
        self.0.corner(k)
    }
}
impl Neighbourhood for Ends<'_> {
    #[inline(always)]
    fn around(&self, mut boundary: impl FnMut(u32)) -> Around {
        let faces = self.count();
        if closed(self.0) {
            return Around { faces, edges: faces, boundary_edges: 0 };
        }
        let entry = |k: u32| {
            let (next, previous) = self.corner(k / 2);
            if k & 1 == 0 { next } else { previous }
        };
        let n = 2 * faces;
        let (mut edges, mut boundary_edges, mut k) = (0, 0, 0);
        while k < n {
            let l = entry(k);
            let (mut before, mut after, mut j) = (0, 0, 0);
            while j < n {
                if entry(j) == l {
                    before += (j < k) as u32;
                    after += (j > k) as u32;
                }
                j += 1;
            }
            edges += (before == 0) as u32;
            if before + after == 0 {
                boundary_edges += 1;
                boundary(l);
            }
            k += 1;
        }
        Around { faces, edges, boundary_edges }
    }
}

/// Whether each vertex that follows in a corner goes before in exactly one, of at most 32: then each edge has
/// two faces.
#[inline(always)]
fn closed(corners: PatchCorners) -> bool {
    let n = corners.count();
    if n > 32 {
        return false;
    }
    let (mut found, mut k) = (0_u32, 0);
    while k < n {
        let next = corners.corner(k).0;
        let mut j = 0;
        while j < n && corners.corner(j).1 != next {
            j += 1;
        }
        if j < n {
            found |= 1 << j;
        }
        k += 1;
    }
    found.count_ones() == n
}

fn memory<'b>(arena: &'b Arena, counts: &Counts) -> (RowsLayout<'b>, Shared<'b, f32>) {
    (Rows::layout(arena, counts), Positions::layout(arena, counts))
}

#[inline(always)]
fn fused<S: Share>(block: &Block, mesh: MeshView<'_>, x: In<'_, Vec3>, results: Results<'_>) {
    let p = mesh.patch(block.index());
    let (layout, words) = memory(block.arena(), &p.counts);
    let rows = Rows::transpose(block, &p, layout, || {
        Positions::stage_nosync(block, x, p.v, p.counts.v_near, words, || ());
    });
    let positions = Positions::new(words, p.v);
    block.for_each_nosync(p.v.owned, |v| {
        let (start, end) = rows.range(v);
        // so that the sums are the same every time
        sort_row(rows.corners(), start, end);
        results.set(p.v.first + v, at_vertex::<S>(Ends(rows.of(v)), positions, v).0);
    });
    if block.index() + 1 == mesh.patches {
        let end = p.v.first + p.v.owned;
        block.for_each_nosync(mesh.vertices - end, |i| results.set(end + i, Found::default()));
    }
}

/// Curvatures of all vertices, areas a third of each face. One block per patch.
#[kernel(threads = 128, shared = memory(arena, &mesh.max))]
pub fn curvature_barycentric<'a>(block: &Block, mesh: MeshView<'a>, x: In<'a, Vec3>, results: Results<'a>) {
    fused::<Barycentric>(block, mesh, x, results)
}
/// Curvatures of all vertices, with mixed areas. One block per patch.
#[kernel(threads = 128, shared = memory(arena, &mesh.max))]
pub fn curvature_mixed<'a>(block: &Block, mesh: MeshView<'a>, x: In<'a, Vec3>, results: Results<'a>) {
    fused::<Mixed>(block, mesh, x, results)
}
