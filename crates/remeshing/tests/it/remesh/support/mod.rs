//! Helpers that remesh, and checks that hold for every result.
pub mod cad;
use ribbonmesh::Surface;
use ribbonmesh::bvh::{DistanceOptions, SampledSurface, distance};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, MeshOptions, Result};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::quality::Quality;
use ribbonmesh_remeshing::remesh::{RemeshOptions, RemeshReport};
use ribbonmesh_suite::{Checked, checked::points};

/// The largest distance of the vertices from the unit sphere.
pub fn off_sphere(mesh: &Checked) -> f32 {
    mesh.positions.iter().map(|p| (1.0 - p.length()).abs()).fold(0.0, f32::max)
}

/// A remeshed surface.
#[derive(Debug)]
pub struct Remeshed {
    pub positions: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    pub report: RemeshReport,
}

/// Remeshes indexed triangles.
pub fn remesh(
    device: &Device,
    points: &[Vec3],
    faces: &[[u32; 3]],
    options: &RemeshOptions,
) -> Result<Remeshed> {
    let mesh = TriangleMesh::from_f32(points.iter().copied(), faces.to_vec());
    let mut surface = Surface::new(device, &mesh, &MeshOptions::default())?;
    let report = ribbonmesh_remeshing::remesh::remesh(&mut surface, options)?;
    let mesh = surface.download()?;
    Ok(Remeshed { positions: mesh.points(), faces: mesh.faces, report })
}

/// Remeshes, and checks the result.
pub fn run(device: &Device, shape: &TriangleMesh, options: &RemeshOptions) -> (Remeshed, Checked) {
    let result = remesh(device, &points(shape), &shape.faces, options).expect("a manifold");
    let checked = Checked::new(result.positions.clone(), result.faces.clone());
    let sizes = result.report.after;
    assert_eq!((sizes.vertices as usize, sizes.faces as usize), (result.positions.len(), result.faces.len()));
    assert_eq!(result.report.iterations.len(), options.iterations as usize);
    (result, checked)
}

/// The largest distance between a shape and its remeshed surface, as far as points show it.
pub fn away(device: &Device, shape: &TriangleMesh, result: &Remeshed) -> f64 {
    let x = points(shape);
    let [a, b] = [(&x, &shape.faces), (&result.positions, &result.faces)]
        .map(|(x, faces)| SampledSurface::new(device, x, faces).expect("a surface"));
    distance(&a, &b, &DistanceOptions { samples: 20_000, seed: 5 }).expect("distances").symmetric.hausdorff
}

/// The smallest angle of a triangle, in degrees.
pub fn least_angle(corners: &[DVec3; 3]) -> f64 {
    let angle = |i: usize| {
        let p = corners[i];
        (corners[(i + 1) % 3] - p).angle_between(corners[(i + 2) % 3] - p).to_degrees()
    };
    angle(0).min(angle(1)).min(angle(2))
}

/// Measures of the quality of triangles.
#[derive(Debug)]
pub struct Figures {
    /// Share of the edges from 4/5 to 4/3 of the target length.
    pub lengths_in_range: f64,
    pub mean_length: f64,
    pub least_angle: f64,
    pub mean_least_angle: f64,
    pub valence_6: f64,
}
impl Figures {
    pub fn of(positions: &[Vec3], faces: &[[u32; 3]], target: f64) -> Self {
        let positions: Vec<_> = positions.iter().map(|p| p.as_dvec3()).collect();
        let q = Quality::of(&positions, faces, Some(target));
        let angle = q.smallest_angle.expect("faces").spread;
        Self {
            lengths_in_range: q.edges_near_target.expect("edges"),
            mean_length: q.edge_length.expect("edges").spread.mean,
            least_angle: angle.min,
            mean_least_angle: angle.mean,
            valence_6: q.valence.regular.unwrap_or(0.0),
        }
    }
}
