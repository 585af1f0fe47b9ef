//! Gradients.
use crate::{mesh, points, surface};
use ribbonmesh::glam::DVec3;
use ribbonmesh_intrinsic::{LaplacianOptions, gradient, laplacian};
use ribbonmesh_suite::{meshes, suite};

suite! {
    fn linear_functions(device) {
        for (seed, case) in (5..).zip(meshes::all()) {
            let mesh = mesh(points(case.vertices, seed), case.faces.clone());
            let found = gradient(&surface(device, &mesh)).expect("a gradient");
            let (matrix, areas) = (found.to_csr().expect("a matrix"), found.areas().read().expect("memory"));
            assert_eq!((matrix.rows(), matrix.columns()), (3 * case.faces.len(), case.vertices));
            let direction = DVec3::new(0.3, -1.2, 0.7);
            let values: Vec<f64> = mesh.positions.iter().map(|p| p.dot(direction)).collect();
            let of_faces = matrix.multiply(&values).expect("a product");
            for (f, face) in case.faces.iter().enumerate() {
                let [a, b, c] = face.map(|v| mesh.positions[v as usize]);
                let normal = (b - a).cross(c - a);
                let found = DVec3::from_slice(&of_faces[3 * f..]);
                assert!((areas[f] - 0.5 * normal.length()).abs() < 1e-12, "{}: face {f}", case.name);
                if face[0] == face[1] || face[1] == face[2] || face[2] == face[0] {
                    assert_eq!(found, DVec3::ZERO);
                    continue;
                }
                let expected = direction.reject_from(normal);
                let tolerance = 1e-10 / normal.length().min(1.0);
                assert!(found.distance(expected) < tolerance, "{}: {found}, {expected}", case.name);
            }
        }
    }
    fn energy_is_that_of_the_laplacian(device) {
        let case = meshes::mobius(12);
        let surface = surface(device, &mesh(points(case.vertices, 2), case.faces));
        let options = LaplacianOptions { extrinsic: true, ..LaplacianOptions::default() };
        let found = laplacian(&surface, &options).expect("memory");
        let matrix = found.to_csr().expect("a matrix");
        let found = gradient(&surface).expect("a gradient");
        let (of, areas) = (found.to_csr().expect("a matrix"), found.areas().read().expect("memory"));
        let u: Vec<f64> = points(case.vertices, 9).iter().map(|p| p.x).collect();
        let slopes = of.multiply(&u).expect("a product");
        let energy: f64 = slopes.iter().enumerate().map(|(row, s)| areas[row / 3] * s * s).sum();
        let by_matrix: f64 = matrix.multiply(&u).expect("a product").iter().zip(&u).map(|(a, b)| a * b).sum();
        assert!((energy - by_matrix).abs() < 1e-9 * energy, "{energy}, {by_matrix}");
    }
    fn a_flat_face_has_none(device) {
        let x = vec![DVec3::ZERO, DVec3::X, 2.0 * DVec3::X];
        let found = gradient(&surface(device, &mesh(x, vec![[0, 1, 2]]))).expect("a gradient");
        assert_eq!(found.values().read().expect("memory"), [0.0; 9]);
        assert_eq!(found.columns().read().expect("memory"), [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    }
}
