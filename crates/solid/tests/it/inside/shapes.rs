//! Shared parts of the tests: meshes, points, the functions under test.
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
pub use ribbonmesh_mesh::shapes::{icosphere, shuffle, torus};
use ribbonmesh_solid::inside::{Inside, InsideOptions, Method, inside};
pub use ribbonmesh_suite::solids::*;

pub fn surface(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("a surface")
}
pub fn by(surface: &Surface, points: &[DVec3], method: Method, exact: bool) -> Inside {
    let options = InsideOptions { method, exact, ..InsideOptions::default() };
    inside(surface, points, &options).expect("numbers")
}
/// The winding number by an arctangent for each triangle.
pub fn oracle(mesh: &TriangleMesh, p: DVec3) -> f64 {
    let of = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|v| mesh.positions[v as usize] - p);
        let [x, y, z] = [a, b, c].map(|v| v.length());
        let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    mesh.faces.iter().map(of).sum::<f64>() / (4.0 * std::f64::consts::PI)
}
