//! What the commands that change triangles have in common.
use crate::failure::Failure;
use crate::session::Session;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_bvh::{Distance, DistanceOptions, Surface, distance};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_repair::{RepairOptions, RepairReport, manifold_violations, repair};
use std::path::Path;

/// Random points of each surface by which their distance is estimated.
const SAMPLES: u32 = 100_000;

/// Positions as the library takes them.
pub fn points(positions: &[[f32; 3]]) -> Vec<Vec3> {
    positions.iter().copied().map(Vec3::from_array).collect()
}

/// Repairs the mesh of a file; vertices without faces stay.
pub fn repaired(
    session: &mut Session,
    file: &Path,
    mesh: &mut TriangleMesh,
) -> Result<RepairReport, Failure> {
    let choice = RepairOptions { remove_isolated: false };
    let done = session.phase("repair", || repair(mesh.positions.len(), &mesh.faces, &choice))?;
    if done.faces.is_empty() {
        return Err(Failure::NothingLeft(file.to_owned()));
    }
    mesh.positions = done.vertex_values(&mesh.positions)?;
    mesh.faces = done.faces;
    Ok(done.report)
}

/// The error, with all that is wrong with the mesh of a file if that is the reason.
pub fn refused(file: &Path, mesh: &TriangleMesh, error: Error) -> Failure {
    match (&error, manifold_violations(mesh.positions.len(), &mesh.faces)) {
        (Error::NotManifold(_), Ok(found)) if !found.is_empty() => {
            Failure::NotManifold { file: file.to_owned(), found: Box::new(found) }
        }
        _ => error.into(),
    }
}

/// How far two surfaces, points and faces, are from each other.
pub fn how_far(
    device: &Device,
    seed: u64,
    before: (&[Vec3], &[[u32; 3]]),
    after: (&[Vec3], &[[u32; 3]]),
) -> Result<Distance, Failure> {
    let surface = |(points, faces): (&[Vec3], &[[u32; 3]])| Surface::new(device, points, faces);
    Ok(distance(&surface(before)?, &surface(after)?, &DistanceOptions { samples: SAMPLES, seed })?)
}
