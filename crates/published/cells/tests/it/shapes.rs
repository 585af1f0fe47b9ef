//! Shared parts of the tests: meshes and points.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, TriangleMesh};
pub use ribbonmesh_mesh::shapes::{icosphere, shuffle, torus};
use ribbonmesh_solid::intersections::Triangles;
pub use ribbonmesh_suite::solids::*;

/// Triangles on a device.
pub struct Uploaded {
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
}
impl Uploaded {
    pub fn new(device: &Device, positions: &[Vec3], faces: &[[u32; 3]]) -> Self {
        let positions = device.upload(positions).expect("memory");
        Self { positions, faces: device.upload(faces.as_flattened()).expect("memory") }
    }
    pub fn of(device: &Device, mesh: &TriangleMesh) -> Self {
        Self::new(device, &mesh.points(), &mesh.faces)
    }
    pub fn triangles(&self) -> Triangles<'_> {
        Triangles { positions: &self.positions, faces: &self.faces }
    }
}
