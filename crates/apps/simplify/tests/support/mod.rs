//! Simplification, and what holds always.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, Result, StaticMesh};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_simplify::{Simplified, Simplifier, SimplifyOptions};
use ribbonmesh_testing::trial::Checked;
use ribbonmesh_testing::trial::checked::points;

/// Simplifies indexed triangles.
pub fn simplify(
    device: &Device,
    points: &[Vec3],
    faces: &[[u32; 3]],
    options: &SimplifyOptions,
) -> Result<Simplified> {
    let mesh = StaticMesh::new(device, points.len(), faces, &MeshOptions::default())?;
    let mut simplifier = Simplifier::new(&mesh, &Attribute::from_input(&mesh, points)?, options)?;
    simplifier.run()?;
    simplifier.finish()
}

/// Simplifies, and checks what holds always.
pub fn run(device: &Device, shape: &TriangleMesh, options: &SimplifyOptions) -> (Simplified, Checked) {
    let options = SimplifyOptions { validate: true, ..options.clone() };
    let result = simplify(device, &points(shape), &shape.faces, &options).expect("a manifold");
    let checked = Checked::new(result.positions.clone(), result.faces.clone());
    let report = &result.report;
    assert_eq!(
        (report.after.vertices as usize, report.after.faces as usize),
        (result.positions.len(), result.faces.len())
    );
    assert_eq!(report.collapses, report.stages.iter().map(|s| s.collapsed).sum::<u64>());
    assert_eq!(report.before.vertices - report.after.vertices, report.collapses);
    assert!(result.vertex_inputs.is_sorted_by(|a, b| a < b));
    assert_eq!(result.vertex_inputs.len(), result.positions.len());
    let before = Checked::of(shape);
    assert_eq!(
        (checked.euler, checked.components, checked.loops),
        (before.euler, before.components, before.loops)
    );
    (result, checked)
}
