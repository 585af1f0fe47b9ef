//! Flips one after another, by one thread of the CPU.
use super::kernels::{INTERSECTS, SEAM, TOLERANCE, may_flip};
use super::run::{DelaunayOptions, DelaunayReport};
use crate::check::Apart;
use crate::order::Order;
use crate::triangles::{MARKED, Mesh, Reordered, Sides, not_a_manifold, seams};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::device::{ElementKind, HalfEdge};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Rejection, rejections};
use ribbonmesh::features::triangle::not_delaunay;
use ribbonmesh::{Buffer, Edge, Error, FlatTopology, Result, Surface, Watch};
use std::time::Instant;

/// Edges that are looked at between two looks at the watch: about a tenth of a millisecond.
const WATCHED: usize = 1 << 12;

/// The faces after flips, by the ids of the surface.
pub struct Flipped {
    faces: Buffer<u32>,
    /// Whether each side of each face is a seam; empty without seams.
    seams: Vec<[bool; 3]>,
}
impl Flipped {
    /// Replaces the faces of the surface.
    pub fn put(self, surface: &mut Surface) -> Result<()> {
        let Self { faces, seams } = self;
        surface.replace_faces(
            faces,
            |mesh| if seams.is_empty() { Ok(None) } else { marks(mesh, &seams).map(Some) },
        )
    }
}
fn marks(mesh: &DynamicMesh, seams: &[[bool; 3]]) -> Result<DynamicAttribute<Edge, u32>> {
    let mut marks = vec![0; mesh.ids(ElementKind::Edge) as usize];
    for (edges, of_face) in mesh.read_sides()?.iter().zip(seams) {
        for (&e, &marked) in edges.iter().zip(of_face) {
            marks[e as usize] |= u32::from(marked);
        }
    }
    DynamicAttribute::from_ids(mesh, &marks)
}

/// Flips edges of a surface as [`delaunay`](super::delaunay) does; [`None`] if none was flipped.
pub fn flip_in_sequence(
    surface: &mut Surface,
    options: &DelaunayOptions,
    least_cosine: f32,
) -> Result<(DelaunayReport, Option<Flipped>)> {
    let apart = options.no_self_intersections;
    if apart {
        surface.extent("the mesh to flip")?;
    }
    let seams = seams(surface)?;
    let input = Input::read(surface, apart)?;
    let device = surface.device().clone();
    let Some(mut mesh) = device.install(|| input.mesh()) else { return Err(not_a_manifold(surface)) };
    let seamed = seams.is_some();
    if let Some(seams) = seams {
        seams.mark(&mut mesh, &input.ids());
    }
    let start = Instant::now();
    let Input { x, triangles, .. } = &input;
    let corners = |f: usize| Some(triangles[f].map(|v| x[v as usize]));
    let apart = apart.then(|| device.install(|| Apart::new(triangles.len(), corners)));
    let mut flips = Flips { mesh, x, least_cosine, apart, rejected: vec![], flips: 0, passes: 0 };
    let watch = Watch::of_this_thread();
    let report = device.install(|| flips.run(options.passes, watch.as_ref()))?;
    let report = DelaunayReport { seconds: start.elapsed().as_secs_f64(), ..report };
    if report.flips == 0 {
        return Ok((report, None));
    }
    let (faces, seams) = input.faces_and_sides(&flips.mesh, seamed);
    if options.validate {
        DynamicMesh::from_flat(&FlatTopology::new(&device, x.len(), &faces)?, 0.0)?.validate()?;
    }
    Ok((report, Some(Flipped { faces: device.upload(faces.as_flattened())?, seams })))
}

/// Vertices and faces by their ids on the surface, or in an order along a curve.
struct Input {
    x: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The ids of vertices and faces on the surface, if the order is another one.
    ids: Option<[Vec<u32>; 2]>,
}
impl Input {
    /// Reads a surface; with the order along a curve that a tree of faces needs.
    fn read(surface: &Surface, along_curve: bool) -> Result<Self> {
        let all = surface.triangles();
        let (x, corners) = (all.positions().read()?, all.faces().read()?);
        let triangles = corners.as_chunks().0;
        if !along_curve {
            return Ok(Self { triangles: triangles.to_vec(), x, ids: None });
        }
        let Reordered { x, triangles, vertices, faces } =
            surface.device().install(|| Reordered::new(&x, triangles));
        Ok(Self { x, triangles, ids: Some([vertices, faces]) })
    }
    /// The mesh; [`None`] if the triangles are no oriented manifold.
    fn mesh(&self) -> Option<Mesh> {
        let sides = Sides::new(self.x.len(), &self.triangles)?;
        let mesh = Mesh::new(&self.triangles, &sides)?;
        mesh.is_fans(&sides, self.x.len()).then_some(mesh)
    }
    fn ids(&self) -> [Vec<u32>; 2] {
        let same = || [self.x.len(), self.triangles.len()].map(|n| (0..n as u32).collect());
        self.ids.clone().unwrap_or_else(same)
    }
    /// The faces of a mesh that was made of this, by their ids on the surface; and if `seamed`, which of
    /// their sides are marked.
    fn faces_and_sides(&self, mesh: &Mesh, seamed: bool) -> (Vec<[u32; 3]>, Vec<[bool; 3]>) {
        let mut faces = mesh.all_corners();
        let mut sides = if seamed { mesh.marked() } else { vec![] };
        if let Some([of_vertices, of_faces]) = &self.ids {
            let here = (faces.clone(), sides.clone());
            for (&f, corners) in of_faces.iter().zip(here.0) {
                faces[f as usize] = corners.map(|v| of_vertices[v as usize]);
            }
            of_faces.iter().zip(here.1).for_each(|(&f, of_face)| sides[f as usize] = of_face);
        }
        (faces, sides)
    }
}

/// A mesh whose edges are flipped.
struct Flips<'a> {
    mesh: Mesh,
    x: &'a [Vec3],
    least_cosine: f32,
    /// Keeps faces apart that did not intersect.
    apart: Option<Apart>,
    /// Edges that were not Delaunay and not allowed to flip. Their half-edges may be those of others by now.
    rejected: Vec<HalfEdge>,
    flips: u64,
    passes: u32,
}

impl Flips<'_> {
    /// Flips until all edges are Delaunay, or blocked, or the number of passes is reached. A pass looks at
    /// the edges around the flips of the one before. Rejected edges are looked at again at the end, until
    /// nothing is flipped any more.
    fn run(&mut self, most: u32, watch: Option<&Watch>) -> Result<DelaunayReport> {
        let mut bad = self.all_bad();
        let mut report = DelaunayReport {
            order: Order::Sequence,
            non_delaunay_before: bad.len() as u32,
            ..DelaunayReport::default()
        };
        loop {
            let before = self.flips;
            report.finished = self.flip_all(bad, most, watch)?;
            bad = if report.finished { self.still_bad() } else { self.all_bad() };
            if !report.finished || self.flips == before {
                break;
            }
        }
        for &h in &bad {
            if let Err(reason) = self.allow(h) {
                let blocked = &mut report.blocked;
                *match reason {
                    rejections::EDGE_EXISTS => &mut blocked.edge_exists,
                    super::kernels::TURNS => &mut blocked.normals,
                    SEAM => &mut blocked.seams,
                    super::kernels::WORSE => &mut blocked.worse,
                    INTERSECTS => &mut blocked.intersections,
                    _ => &mut blocked.topology,
                } += 1;
            }
        }
        (report.non_delaunay_after, report.flips, report.passes) =
            (bad.len() as u32, self.flips, self.passes);
        Ok(report)
    }
    /// Flips the edges of a list that are not Delaunay, and then those around; whether nothing is left to
    /// look at.
    fn flip_all(&mut self, mut edges: Vec<HalfEdge>, most: u32, watch: Option<&Watch>) -> Result<bool> {
        let mut next = vec![];
        while !edges.is_empty() {
            if self.passes == most {
                return Ok(false);
            }
            self.passes += 1;
            for some in edges.chunks(WATCHED) {
                if watch.is_some_and(Watch::is_stopped) {
                    return Err(Error::Stopped);
                }
                for &h in some {
                    if !self.is_bad(h) {
                        continue;
                    }
                    match self.allow(h) {
                        Ok(()) => next.extend(self.flip(h)),
                        Err(_) => self.rejected.push(h),
                    }
                }
            }
            edges.clear();
            std::mem::swap(&mut edges, &mut next);
        }
        Ok(true)
    }
    /// All edges that are not Delaunay, each by one of its half-edges.
    fn all_bad(&self) -> Vec<HalfEdge> {
        let first = |h: &HalfEdge| self.mesh.twin(*h).is_some_and(|t| h.index() < t.index());
        let all = (0..self.mesh.len()).into_par_iter().flat_map_iter(Mesh::half_edges);
        all.filter(|h| first(h) && self.is_bad(*h)).collect()
    }
    /// The same when nothing is left to look at. An edge that is not Delaunay was rejected then: each was
    /// looked at after its last change, and those that flips have made are Delaunay, since the angles of a
    /// quadrilateral add up to 360° at most.
    fn still_bad(&mut self) -> Vec<HalfEdge> {
        let first = |&h: &HalfEdge| self.mesh.twin(h).map(|t| if t.index() < h.index() { t } else { h });
        let mut bad: Vec<_> = self.rejected.iter().filter_map(first).filter(|&h| self.is_bad(h)).collect();
        bad.sort_unstable_by_key(|h| h.index());
        bad.dedup();
        self.rejected.clear();
        bad
    }
    /// The ends of an edge and the vertices opposite of it; [`None`] on the boundary.
    #[inline(always)]
    fn diamond(&self, h: HalfEdge) -> Option<[u32; 4]> {
        let t = self.mesh.twin(h)?;
        Some([h, t, h.prev(), t.prev()].map(|side| self.mesh.from(side)))
    }
    #[inline(always)]
    fn is_bad(&self, h: HalfEdge) -> bool {
        self.diamond(h).is_some_and(|corners| not_delaunay(corners.map(|v| self.x[v as usize]), TOLERANCE))
    }
    /// Whether an edge may be flipped, by the rules of
    /// [`FlipDelaunay`](super::kernels::FlipDelaunay) and of [`Flip`](ribbonmesh::dynamic::fillings::Flip).
    fn allow(&mut self, h: HalfEdge) -> std::result::Result<(), Rejection> {
        let Some(corners) = self.diamond(h) else { return Err(rejections::LINK) };
        if self.mesh.has(h, MARKED) {
            return Err(SEAM);
        }
        let x = corners.map(|v| self.x[v as usize]);
        may_flip(x, self.least_cosine)?;
        let [_, _, c, d] = corners;
        if c == d {
            return Err(rejections::LINK);
        }
        // the faces around `c`; on the boundary the last one's other side counts, too
        let apart = self.mesh.star(h.prev(), |g| self.mesh.to(g) != d && self.mesh.from(g.prev()) != d);
        if !apart {
            return Err(rejections::EDGE_EXISTS);
        }
        if self.crosses(h, x) { Err(INTERSECTS) } else { Ok(()) }
    }
    /// Whether a flip would make faces that intersect others, if that counts.
    fn crosses(&mut self, h: HalfEdge, [a, b, c, d]: [Vec3; 4]) -> bool {
        let (Some(apart), Some(t)) = (&mut self.apart, self.mesh.twin(h)) else { return false };
        let flipped = [h, t].map(|side| side.face().index());
        let (mesh, x) = (&self.mesh, self.x);
        let stays = |f: u32| {
            let corners = mesh.corners(f as usize).filter(|_| !flipped.contains(&f))?;
            Some(corners.map(|v| x[v as usize]))
        };
        apart.crosses([[c, d, b], [d, c, a]], stays)
    }
    /// Flips an edge; returns those around.
    fn flip(&mut self, h: HalfEdge) -> impl Iterator<Item = HalfEdge> + use<> {
        let flipped = self.mesh.twin(h).map(|t| (t, self.mesh.flip([h, t])));
        if let (Some(apart), Some((t, _))) = (&mut self.apart, &flipped) {
            let corners =
                |f: u32| self.mesh.corners(f as usize).map(|corners| corners.map(|v| self.x[v as usize]));
            apart.change([h, *t].map(|side| side.face().index()).map(|f| (f, corners(f))));
        }
        self.flips += u64::from(flipped.is_some());
        flipped.into_iter().flat_map(|(_, around)| around)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::shapes;

    /// After all passes, edges that were rejected are all that are not Delaunay.
    #[test]
    fn rejected_edges_are_those_left() {
        let shape = shapes::bumpy_sphere(4, 3).expect("small");
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let moved = shape.points().into_iter().map(|p| p + 0.1 * Vec3::new(random(), random(), random()));
        let x: Vec<Vec3> = moved.collect();
        let sides = Sides::new(x.len(), &shape.faces).expect("triangles");
        for least_cosine in [-1.0, 0.9] {
            let mesh = Mesh::new(&shape.faces, &sides).expect("a manifold");
            let mut flips =
                Flips { mesh, x: &x, least_cosine, apart: None, rejected: vec![], flips: 0, passes: 0 };
            let bad = flips.all_bad();
            assert!(flips.flip_all(bad, u32::MAX, None).expect("flips") && flips.flips > 100);
            let left = flips.all_bad();
            assert!(flips.still_bad() == left);
            assert_eq!(left.len() > 100, least_cosine > 0.0);
        }
    }
}
