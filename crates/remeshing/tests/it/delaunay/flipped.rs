//! Flips of indexed triangles.
use ribbonmesh::Surface;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, MeshOptions, Result};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, DelaunayReport, delaunay};

/// The faces after flipping, and the report.
pub fn delaunay_faces(
    device: &Device,
    points: &[Vec3],
    faces: &[[u32; 3]],
    options: &DelaunayOptions,
) -> Result<(Vec<[u32; 3]>, DelaunayReport)> {
    let mesh = TriangleMesh::from_f32(points.iter().copied(), faces.to_vec());
    let mut surface = Surface::new(device, &mesh, &MeshOptions::default())?;
    let report = delaunay(&mut surface, options)?;
    Ok((surface.download()?.faces, report))
}
