//! Delaunay flips, as RXMesh was measured: a torus along random diagonals.
use super::Work;
use crate::options::Options;
use anyhow::Result;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, ExecutionMode};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{shuffle, torus};
use ribbonmesh_remeshing::delaunay::{DelaunayOptions, flip};

pub fn measure(device: &Device, options: &Options) -> Result<Vec<Work>> {
    let mut work = Vec::new();
    // the driver compiles the kernels
    let mode = options.mode();
    flips(device, &shape(10)?, mode)?;
    for (n, rxmesh_ms) in [(100, Some(67.0)), (1000, Some(279.0))] {
        let shape = shape(n)?;
        let mut times = Vec::new();
        let repetitions = options.repeat.unwrap_or(7);
        let mut found = None;
        for _ in 0..repetitions {
            let (ms, report) = flips(device, &shape, mode)?;
            times.push(ms);
            found = Some(report);
        }
        times.sort_by(f64::total_cmp);
        if let Some(report) = found {
            work.push(Work {
                name: "Delaunay flips".into(),
                mesh: "torus, shuffled".into(),
                faces: shape.faces.len(),
                changes: report.flips,
                passes: report.passes,
                rounds: report.rounds,
                median_ms: times[times.len() / 2],
                least_ms: times[0],
                rxmesh_ms,
            });
        }
    }
    Ok(work)
}

fn shape(n: u32) -> Result<TriangleMesh> {
    let mut shape = torus(n, 1)?;
    shuffle(&mut shape, 1);
    Ok(shape)
}

/// Milliseconds of the flips alone, and the report.
fn flips(
    device: &Device,
    shape: &TriangleMesh,
    mode: ExecutionMode,
) -> Result<(f64, ribbonmesh_remeshing::delaunay::DelaunayReport)> {
    let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &MeshOptions::default())?;
    let points: Vec<Vec3> = shape.points();
    let x = Attribute::<Vertex, Vec3>::from_input(&mesh, &points)?;
    let mut dynamic = DynamicMesh::new(&mesh, 0.0)?;
    let x = DynamicAttribute::from_static(&dynamic, &x)?;
    let chosen = DelaunayOptions { mode, ..DelaunayOptions::default() };
    let report = flip(&mut dynamic, &x, None, &chosen)?;
    Ok((1e3 * report.seconds, report))
}
