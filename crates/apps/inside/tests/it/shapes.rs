//! Shared parts of the tests: meshes, points, the functions under test.
use crate::common::Random;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_inside::{Inside, InsideOptions, Method, inside};
use ribbonmesh_mesh::Precision;
pub use ribbonmesh_mesh::shapes::{icosphere, shuffle, torus};

pub fn surface(device: &Device, mesh: &TriangleMesh) -> Surface {
    Surface::new(device, mesh, &MeshOptions::default()).expect("a surface")
}
pub fn by(surface: &Surface, points: &[DVec3], method: Method, exact: bool) -> Inside {
    let options = InsideOptions { method, exact, ..InsideOptions::default() };
    let found = inside(surface, points, &options).expect("numbers");
    if method == Method::Rays {
        // in every test, the other structure gives the same result
        let options = InsideOptions { method: Method::Hash, ..options };
        assert_eq!(inside(surface, points, &options).expect("numbers"), found);
    }
    found
}
/// The cube from 0 to `n`, each side of 2 n² triangles between grid points.
pub fn cube(n: u32) -> TriangleMesh {
    let (mut points, mut faces) = (vec![], vec![]);
    for axis in 0..3 {
        for side in [0, n] {
            let first = points.len() as u32;
            for i in 0..=n {
                for j in 0..=n {
                    let mut p = [0.0; 3];
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side as f32, i as f32, j as f32);
                    points.push(p);
                }
            }
            for i in 0..n {
                for j in 0..n {
                    let at = |i: u32, j: u32| first + (n + 1) * i + j;
                    let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    let two = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                    faces.extend(two.map(|[a, b, c]| if side == 0 { [a, c, b] } else { [a, b, c] }));
                }
            }
        }
    }
    // unwelded along its edges
    TriangleMesh::from_f32(points, faces)
}
/// Several meshes as one.
pub fn together(meshes: &[TriangleMesh]) -> TriangleMesh {
    let (mut positions, mut faces): (Vec<DVec3>, Vec<[u32; 3]>) = (vec![], vec![]);
    for mesh in meshes {
        let first = positions.len() as u32;
        positions.extend(&mesh.positions);
        faces.extend(mesh.faces.iter().map(|face| face.map(|v| first + v)));
    }
    TriangleMesh::new(positions, faces)
}
pub fn scaled(mesh: &TriangleMesh, by: f64, way: DVec3) -> TriangleMesh {
    let mut scaled = mesh.clone();
    scaled.positions.iter_mut().for_each(|p| *p = *p * by + way);
    scaled.precision = Precision::Double;
    scaled
}
pub fn inverted(mesh: &TriangleMesh) -> TriangleMesh {
    let mut inverted = mesh.clone();
    inverted.faces.iter_mut().for_each(|face| face.swap(0, 1));
    inverted
}
/// Random points in the cube from −`size` to `size`.
pub fn random_points(n: usize, size: f64, seed: u64) -> Vec<DVec3> {
    let mut random = Random(seed);
    let mut number = || size * (f64::from(random.next()) / f64::from(1u32 << 30) - 1.0);
    (0..n).map(|_| Vec3::new(number() as f32, number() as f32, number() as f32).as_dvec3()).collect()
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
