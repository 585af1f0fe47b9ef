//! Closed meshes of cubes and copies, and points, for tests of what is inside.
use crate::Random;
use ribbonmesh::TriangleMesh;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_mesh::Precision;

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
/// A mesh by a factor, and moved; in double precision.
pub fn scaled(mesh: &TriangleMesh, by: f64, way: DVec3) -> TriangleMesh {
    let mut scaled = mesh.clone();
    scaled.positions.iter_mut().for_each(|p| *p = *p * by + way);
    scaled.precision = Precision::Double;
    scaled
}
/// A mesh with all faces turned over.
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
