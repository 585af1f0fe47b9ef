//! Spectra of surfaces, against dense solvers and closed forms.
use crate::oracle::{Plain, of};
use ribbonmesh::TriangleMesh;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::suite;
use std::f64::consts::PI;

/// Spheres side by side, a triangle, and vertices without triangles.
fn parts() -> TriangleMesh {
    let sphere = shapes::icosphere(2).expect("small");
    let (mut positions, mut faces) = (vec![DVec3::ZERO], vec![]);
    for (k, radius) in [1.0, 0.5, 2.0].into_iter().enumerate() {
        let first = positions.len() as u32;
        positions.extend(sphere.positions.iter().map(|&x| radius * x + DVec3::new(5.0 * k as f64, 0.0, 0.0)));
        faces.extend(sphere.faces.iter().map(|f| f.map(|v| first + v)));
    }
    let first = positions.len() as u32;
    positions.extend([DVec3::Y, DVec3::Z, DVec3::X, DVec3::ONE]);
    faces.push([first, first + 1, first + 2]);
    TriangleMesh::new(positions, faces)
}

suite! {
    fn as_dense(device) {
        for (name, mesh) in [
            ("torus", shapes::torus(20, 1).expect("small")),
            ("grid", shapes::grid(24, 1).expect("small")),
            ("sphere", shapes::icosphere(3).expect("small")),
            ("möbius", shapes::mobius(120, 4).expect("small")),
        ] {
            println!("{name}");
            Plain::of(&mesh).check(&of(device, &mesh, 12));
        }
    }
    // several windows
    fn many_pairs(device) {
        let mesh = shapes::torus(32, 1).expect("small");
        let found = of(device, &mesh, 60);
        assert_eq!(found.report().block, 80);
        Plain::of(&mesh).check(&found);
    }
    // few vertices: a dense solver on the host
    fn few_vertices(device) {
        let book = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 1.0, 0.0], [0.5, -1.0, 0.0], [0.5, 0.0, 1.0]];
        let book = TriangleMesh::from_f32(book, vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]]);
        Plain::of(&book).check(&of(device, &book, 5));
        let torus = shapes::torus(8, 1).expect("small");
        let found = of(device, &torus, torus.positions.len());
        Plain::of(&torus).check(&found);
        assert_eq!(found.report().block, 0);
    }
    // a sphere has 2 l + 1 times l (l + 1)
    fn sphere(device) {
        let mesh = shapes::icosphere(4).expect("small");
        let found = of(device, &mesh, 36);
        let mut values = found.values().iter();
        for l in 0..6_u32 {
            let expected = f64::from(l * (l + 1));
            for value in values.by_ref().take(2 * l as usize + 1) {
                assert!((value - expected).abs() <= 0.03 * expected, "{l}: {value}, not {expected}");
            }
        }
        assert_eq!(found.values()[0], 0.0);
        assert!(found.values()[1] > 1.0);
    }
    // a rectangle that nothing leaves: π² (p² / a² + q² / b²)
    fn rectangle(device) {
        let (a, b, n) = (1.5, 1.0, 40);
        let positions = (0..=n).flat_map(|y| {
            (0..=n).map(move |x| DVec3::new(a * f64::from(x) / f64::from(n), b * f64::from(y) / f64::from(n), 0.0))
        });
        let corner = |x: u32, y: u32| (n as u32 + 1) * y + x;
        let cells = (0..n as u32).flat_map(|y| (0..n as u32).map(move |x| (x, y)));
        let faces = cells.flat_map(|(x, y)| {
            let [p, q, r, s] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
            [[p, q, r], [p, r, s]]
        });
        let mesh = TriangleMesh::new(positions.collect(), faces.collect());
        let found = of(device, &mesh, 20);
        let modes = (0..20).flat_map(|p| (0..20).map(move |q| (f64::from(p), f64::from(q))));
        let mut expected: Vec<f64> = modes.map(|(p, q)| PI * PI * (p * p / a / a + q * q / b / b)).collect();
        expected.sort_by(f64::total_cmp);
        for (value, expected) in found.values().iter().zip(&expected) {
            assert!((value - expected).abs() <= 0.02 * expected, "{value}, not {expected}");
        }
    }
    fn components(device) {
        let mesh = parts();
        let found = of(device, &mesh, 14);
        Plain::of(&mesh).check(&found);
        assert_eq!(found.report().components, 4);
        assert!(found.report().block > 0);
        assert_eq!(found.values().iter().filter(|value| **value == 0.0).count(), 4);
        // fewer than components
        let found = of(device, &mesh, 3);
        assert_eq!(found.values(), [0.0; 3]);
        Plain::of(&mesh).check(&found);
    }
    fn same_bits(device) {
        let mesh = shapes::torus(24, 1).expect("small");
        let [one, two] = [of(device, &mesh, 16), of(device, &mesh, 16)];
        assert_eq!(one.values(), two.values());
        assert_eq!(one.vectors().read().expect("memory"), two.vectors().read().expect("memory"));
    }
    // slivers, and edges whose lengths differ by thousands
    fn slivers(device) {
        let mut mesh = shapes::torus(24, 1).expect("small");
        for (i, x) in mesh.positions.iter_mut().enumerate() {
            let shake = ((i * 7919) % 1000) as f64 / 1000.0;
            x.z += 0.2 * shake * shake;
            x.x += 0.05 * shake;
        }
        Plain::of(&mesh).check(&of(device, &mesh, 20));
    }
}
