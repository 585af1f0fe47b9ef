//! Features, kinds of vertices and the first quadrics, on the host.
use crate::simplify::quadric::{Quadric, wide};
use crate::triangles::{MARKED, Mesh, Sides};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::device::HalfEdge;
use ribbonmesh::features::kind::{CORNER, CURVE, FREE};
use ribbonmesh::features::{Features, triangle};

/// Kind of a vertex whose edges are never collapsed: it stays with all of its edges that lead to others of
/// this kind. Its faces need not be one fan.
pub const FIXED: u32 = CORNER + 1;

/// Facts about the vertices before the first collapse.
pub struct Begin {
    pub quadrics: Vec<Quadric>,
    pub kinds: Vec<u32>,
    pub features: Features,
}

/// Treatment of curves.
pub struct Curves<'a> {
    /// Numbers of edges of curves to begin the count with at each vertex; none where it is empty.
    pub poles: &'a [u32],
    /// Whether vertices of the boundary stay.
    pub fixed: bool,
    /// Weight of planes through edges of curves.
    pub weight: f32,
    /// Whether each vertex is [`FIXED`]; none is where it is empty.
    pub fixed_vertices: &'a [bool],
}

/// Marks the edges whose faces' normals have an angle of at least `degrees`.
pub fn mark_features(mesh: &mut Mesh, x: &[Vec3], degrees: f32) {
    let cosine = degrees.to_radians().cos();
    let sharp = |h: HalfEdge| {
        let t = mesh.twin(h).filter(|t| h.index() < t.index())?;
        let [a, b, c, d] = [h, h.next(), h.prev(), t.prev()].map(|g| x[mesh.from(g) as usize]);
        triangle::sharp([[a, b, c], [b, a, d]], cosine).then_some([h, t])
    };
    let found: Vec<_> =
        (0..mesh.len()).into_par_iter().flat_map_iter(Mesh::half_edges).filter_map(sharp).collect();
    found.into_iter().flatten().for_each(|h| mesh.set(h, MARKED));
}

/// Finds the kinds of vertices, and adds up their quadrics, each in the order of the faces around it;
/// [`None`] if the faces of a vertex are not one fan.
pub fn begin(mesh: &Mesh, sides: &Sides, x: &[Vec3], curves: &Curves<'_>) -> Option<Begin> {
    let (mut quadrics, mut kinds) = (vec![Quadric::ZERO; x.len()], vec![FREE; x.len()]);
    let places = quadrics.par_iter_mut().zip(&mut kinds).enumerate();
    places.try_for_each(|(v, (quadric, kind))| {
        (*quadric, *kind) = of_vertex(mesh, sides.of(v as u32), x, v, curves)?;
        Some(())
    })?;
    let count = |kind: u32| kinds.iter().filter(|&&k| k == kind).count() as u64;
    let all = || (0..mesh.len()).into_par_iter().flat_map_iter(Mesh::half_edges);
    let features = Features {
        edges: all().filter(|&h| mesh.has(h, MARKED)).count() as u64 / 2,
        boundary_edges: all().filter(|&h| mesh.twin(h).is_none()).count() as u64,
        curve_vertices: count(CURVE),
        corners: count(CORNER),
    };
    Some(Begin { quadrics, kinds, features })
}

fn of_vertex(
    mesh: &Mesh,
    sides: &[[u32; 2]],
    x: &[Vec3],
    v: usize,
    curves: &Curves<'_>,
) -> Option<(Quadric, u32)> {
    let mut q = Quadric::ZERO;
    if curves.fixed_vertices.get(v) == Some(&true) {
        return Some((q, FIXED));
    }
    let Some(&[_, first]) = sides.first() else { return Some((q, CORNER)) };
    let p = wide(x[v]);
    let (mut count, mut open, mut faces) = (curves.poles.get(v).copied().unwrap_or(0), false, 0);
    let all = mesh.star(HalfEdge::new(first), |g| {
        let back = g.prev();
        let ends = [g.next(), back].map(|side| wide(x[mesh.from(side) as usize]) - p);
        let of_curve = [g, back].map(|side| mesh.of_curve(side));
        q.add_face(ends, of_curve, curves.weight);
        // each edge once: by the half-edge that begins here, or by the last one before the boundary
        let last = mesh.twin(back).is_none();
        count += of_curve[0] as u32 + last as u32;
        open |= last;
        faces += 1;
        faces <= sides.len()
    });
    let kind = match count {
        0 => FREE,
        2 if !(curves.fixed && open) => CURVE,
        _ => CORNER,
    };
    (all && faces == sides.len()).then_some((q, kind))
}
