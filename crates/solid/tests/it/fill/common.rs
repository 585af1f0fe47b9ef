//! Meshes with holes, and checks of filled ones.
use glam::DVec3;
use ribbonmesh::Device;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_solid::fill::{FillOptions, FillReport, fill_holes};
use ribbonmesh_solid::repair::manifold_violations;

/// Fills all holes, and checks that the result is a closed oriented manifold that begins with the unchanged
/// input.
pub fn fill_all(mesh: &TriangleMesh, options: &FillOptions) -> (TriangleMesh, FillReport) {
    let (filled, report) = fill(mesh, options);
    assert!(filled.is_closed(), "{report:?}");
    assert_eq!(report.left, 0);
    (filled, report)
}

/// Fills holes, and checks that the result is an oriented manifold that begins with the input.
pub fn fill(mesh: &TriangleMesh, options: &FillOptions) -> (TriangleMesh, FillReport) {
    let mut filled = mesh.clone();
    let report = fill_holes(&Device::cpu(), &mut filled, options).expect("filled");
    let found = manifold_violations(&Device::cpu(), filled.positions.len(), &filled.faces).expect("indices");
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

/// The mesh without the faces for whose middle `gone` is true.
pub fn without(mut mesh: TriangleMesh, gone: impl Fn(DVec3) -> bool) -> TriangleMesh {
    let positions = &mesh.positions;
    let middle = |face: &[u32; 3]| face.iter().map(|&v| positions[v as usize]).sum::<DVec3>() / 3.0;
    mesh.faces.retain(|face| !gone(middle(face)));
    mesh
}
