//! Helpers that simplify, and checks that hold for every result.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, DeviceKind, MeshOptions, Result, Surface};
use ribbonmesh_mesh::{Column, Policy, TriangleMesh};
use ribbonmesh_remeshing::simplify::{Order, SimplifyOptions, SimplifyReport};
use ribbonmesh_suite::{Checked, checked::points};

/// A simplified surface.
#[derive(Debug)]
pub struct Simplified {
    pub positions: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    /// For each vertex the nearest vertex of the input's face that is nearest to it.
    pub vertex_inputs: Vec<u32>,
    pub report: SimplifyReport,
}

/// Simplifies indexed triangles.
pub fn simplify(
    device: &Device,
    points: &[Vec3],
    faces: &[[u32; 3]],
    options: &SimplifyOptions,
) -> Result<Simplified> {
    let mut mesh = TriangleMesh::from_f32(points.iter().copied(), faces.to_vec());
    let ids = Column::new("id", (0..points.len() as u32).collect::<Vec<_>>()).with_policy(Policy::Copy);
    mesh.vertices_mut().insert_column(ids)?;
    let mut surface = Surface::new(device, &mesh, &MeshOptions::default())?;
    let report = ribbonmesh_remeshing::simplify::simplify(&mut surface, options)?;
    let mesh = surface.download()?;
    let vertex_inputs = mesh.vertices().get::<u32>("id")?.to_vec();
    Ok(Simplified { positions: mesh.points(), faces: mesh.faces, vertex_inputs, report })
}

/// Simplifies, and makes the checks that hold for every result; on the CPU in both orders, of which the
/// result is that of the options.
pub fn run(device: &Device, shape: &TriangleMesh, options: &SimplifyOptions) -> (Simplified, Checked) {
    if options.order == Order::Auto && device.kind() == DeviceKind::Cpu {
        run_once(device, shape, &SimplifyOptions { order: Order::Rounds, ..options.clone() });
    }
    run_once(device, shape, options)
}
/// Simplifies in the order of the options, and makes the checks that hold for every result.
pub fn run_once(device: &Device, shape: &TriangleMesh, options: &SimplifyOptions) -> (Simplified, Checked) {
    let options = SimplifyOptions { validate: true, ..options.clone() };
    let result = simplify(device, &points(shape), &shape.faces, &options).expect("a manifold");
    let checked = Checked::new(result.positions.clone(), result.faces.clone());
    let report = &result.report;
    assert_eq!(
        (report.after.vertices as usize, report.after.faces as usize),
        (result.positions.len(), result.faces.len())
    );
    assert_eq!(result.vertex_inputs.len(), result.positions.len());
    assert_eq!(report.collapses, report.stages.iter().map(|s| s.collapsed).sum::<u64>());
    assert_eq!(report.before.vertices - report.after.vertices, report.collapses);
    let before = Checked::of(shape);
    assert_eq!(
        (checked.euler, checked.components, checked.loops),
        (before.euler, before.components, before.loops)
    );
    (result, checked)
}
