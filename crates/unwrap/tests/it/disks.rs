//! One chart.
use crate::oracle::{charts, coordinates, drawn, singular_values, twice};
use crate::sheet;
use glam::{DVec2, DVec3};
use ribbonmesh::Device;
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_suite::{size, suite};
use ribbonmesh_unwrap::{Method, ParameterizeOptions, ParameterizeReport, parameterize};

fn mapped(device: &Device, mesh: &mut TriangleMesh, method: Method) -> ParameterizeReport {
    let options = ParameterizeOptions { method, ..ParameterizeOptions::default() };
    let report = parameterize(device, mesh, &options).expect("a map");
    assert_eq!(report.flipped, 0);
    assert!(coordinates(mesh).iter().all(|face| twice(*face) > 0.0));
    report
}
/// A hemisphere, and more of a sphere.
pub fn cap(n: u32, height: f64) -> TriangleMesh {
    let mut ball = shapes::icosphere(n).expect("small");
    let positions = ball.positions.clone();
    let above = |face: &[u32; 3]| face.iter().all(|&v| positions[v as usize].z > height);
    ball.faces.retain(above);
    ball
}
/// The mean symmetric Dirichlet energy over four, from the coordinates alone.
fn dirichlet(mesh: &TriangleMesh, scale: f64) -> f64 {
    let (mut sum, mut area) = (0.0, 0.0);
    for (face, flat) in mesh.faces.iter().zip(coordinates(mesh)) {
        let corners = face.map(|v| mesh.positions[v as usize]);
        let of_face = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
        let squares = singular_values(corners, flat).map(|s| (s / scale).powi(2));
        sum += of_face * 0.25 * squares.iter().map(|s| s + 1.0 / s).sum::<f64>();
        area += of_face;
    }
    sum / area
}

suite! {
    /// A sheet of a roll is unrolled.
    fn developable(device) {
        let roll = |x: f64, y: f64| DVec3::new((4.0 * x).cos(), (4.0 * x).sin(), 3.0 * y);
        let mut mesh = sheet(size(24, 8), roll);
        let report = mapped(device, &mut mesh, Method::Isometric);
        assert!(report.converged && !report.overlaps, "{report:?}");
        assert!((report.distortion.max_stretch - 1.0).abs() < 0.01, "{report:?}");
        assert!((report.distortion.dirichlet - 1.0).abs() < 1e-4, "{report:?}");
    }
    /// The energy is a minimum: no random change of the coordinates makes it less.
    fn minimum(device) {
        let mut mesh = cap(size(3, 2), -0.3);
        let report = mapped(device, &mut mesh, Method::Isometric);
        assert!(report.converged, "{report:?}");
        let all = coordinates(&mesh);
        drawn("cap", 1024, &all, &charts(&all));
        let least = dirichlet(&mesh, report.scale);
        assert!((least - report.distortion.dirichlet).abs() < 0.01 * least, "{least} {report:?}");
        let mut vertices = vec![DVec2::ZERO; mesh.positions.len()];
        for (face, flat) in mesh.faces.iter().zip(&all) {
            for (v, p) in face.iter().zip(flat) {
                vertices[*v as usize] = *p;
            }
        }
        for seed in 0..20 {
            let moves = crate::points(vertices.len(), seed);
            let moved = |v: u32| vertices[v as usize] + 1e-3 * moves[v as usize].truncate();
            let flat = mesh.faces.as_flattened().iter().map(|&v| moved(v).as_vec2().to_array()).collect();
            let mut other = TriangleMesh::new(mesh.positions.clone(), mesh.faces.clone());
            other.corners_mut().insert::<[f32; 2]>("texcoord", flat).expect("a row for each");
            assert!(dirichlet(&other, report.scale) > least - 1e-5, "{seed}");
        }
    }
    /// Tutte's map: the boundary on a circle, each other vertex in the middle of its neighbours.
    fn tutte(device) {
        let mut mesh = cap(size(3, 2), 0.1);
        let report = mapped(device, &mut mesh, Method::Tutte);
        assert_eq!(report.steps, 0);
        let n = mesh.positions.len();
        let (mut at, mut sums, mut counts) = (vec![DVec2::ZERO; n], vec![DVec2::ZERO; n], vec![0.0; n]);
        let mut sides = std::collections::HashSet::new();
        for (face, flat) in mesh.faces.iter().zip(coordinates(&mesh)) {
            for k in 0..3 {
                let (v, next) = (face[k] as usize, face[(k + 1) % 3] as usize);
                at[v] = flat[k];
                sums[v] += flat[(k + 1) % 3];
                counts[v] += 1.0;
                sides.insert((v, next));
            }
        }
        let boundary: Vec<usize> = sides.iter().filter(|(a, b)| !sides.contains(&(*b, *a))).map(|s| s.0).collect();
        for v in 0..n {
            let middle = DVec2::splat(0.5);
            if boundary.contains(&v) {
                assert!((at[v].distance(middle) - 0.5).abs() < 0.02, "{v}: {}", at[v]);
            } else if counts[v] > 0.0 {
                assert!(at[v].distance(sums[v] / counts[v]) < 1e-6, "{v}");
            }
        }
    }
    /// Nearly a whole sphere, with a small hole: no triangle folds.
    fn small_hole(device) {
        let report = mapped(device, &mut cap(size(3, 2), -0.9), Method::Isometric);
        assert!(report.distortion.dirichlet < 4.0, "{report:?}");
    }
    fn one_triangle(device) {
        let mut one = crate::mesh(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]);
        let report = mapped(device, &mut one, Method::Isometric);
        assert!((report.distortion.dirichlet - 1.0).abs() < 1e-6, "{report:?}");
    }
}
