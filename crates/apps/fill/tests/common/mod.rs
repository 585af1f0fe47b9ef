//! Meshes with holes, and what a filled one has to be.
#![allow(dead_code)]
use glam::DVec3;
use ribbonmesh_fill::{FillOptions, FillReport, Method, fill_holes};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_repair::manifold_violations;

/// Fills all holes, and checks the result: closed, an oriented manifold, with the input as it was in front.
pub fn fill_all(mesh: &TriangleMesh, options: &FillOptions) -> (TriangleMesh, FillReport) {
    let (filled, report) = fill(mesh, options);
    assert!(filled.is_closed(), "{report:?}");
    assert_eq!(report.left, 0);
    (filled, report)
}

/// Fills holes, and checks that the result is an oriented manifold with the input in front.
pub fn fill(mesh: &TriangleMesh, options: &FillOptions) -> (TriangleMesh, FillReport) {
    let mut filled = mesh.clone();
    let report = fill_holes(&mut filled, options).expect("filled");
    let found = manifold_violations(filled.positions.len(), &filled.faces).expect("indices");
    assert!(found.is_empty(), "{found}: {report:?}");
    assert_eq!(filled.positions[..mesh.positions.len()], mesh.positions);
    assert_eq!(filled.faces.len(), mesh.faces.len() + report.faces_added);
    if report.vertices_split.is_empty() {
        assert_eq!(filled.faces[..mesh.faces.len()], mesh.faces);
        assert_eq!(filled.positions.len(), mesh.positions.len() + report.vertices_added);
    }
    let added: f64 = filled.area() - mesh.area();
    assert!((added - report.area_added).abs() <= 1e-5 * filled.area(), "{added} {report:?}");
    (filled, report)
}

/// Options of each method, with the exact triangulation and without.
pub fn every_way() -> Vec<FillOptions> {
    let with = |method, exact_up_to| FillOptions { method, exact_up_to, ..FillOptions::default() };
    vec![with(Method::Flat, 128), with(Method::Flat, 0), with(Method::Smooth, 128), with(Method::Smooth, 0)]
}

/// Without the faces for which `gone` is true of their middle.
pub fn without(mut mesh: TriangleMesh, gone: impl Fn(DVec3) -> bool) -> TriangleMesh {
    let positions = &mesh.positions;
    let middle = |face: &[u32; 3]| face.iter().map(|&v| positions[v as usize]).sum::<DVec3>() / 3.0;
    mesh.faces.retain(|face| !gone(middle(face)));
    mesh
}

/// A closed strip around an axis, of `n` squares cut in two: two holes of `n` edges.
pub fn annulus(n: u32, inner: f64, outer: f64) -> TriangleMesh {
    let place = |i: u32| {
        let (sin, cos) = (f64::from(i / 2) * std::f64::consts::TAU / f64::from(n)).sin_cos();
        let radius = if i.is_multiple_of(2) { inner } else { outer };
        DVec3::new(radius * cos, radius * sin, 0.0)
    };
    let square = |i: u32| {
        let [a, b, c, d] = [2 * i, 2 * i + 1, (2 * i + 2) % (2 * n), (2 * i + 3) % (2 * n)];
        [[a, b, d], [a, d, c]]
    };
    TriangleMesh::new((0..2 * n).map(place).collect(), (0..n).flat_map(square).collect())
}
