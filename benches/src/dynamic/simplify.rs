//! Simplification of spheres to a tenth of their faces.
use super::Work;
use crate::options::Options;
use anyhow::Result;
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{bumpy_sphere, shuffle};
use ribbonmesh_remeshing::simplify::{Simplifier, SimplifyOptions, SimplifyReport, Target};

/// Subdivisions of the spheres.
const SPHERES: [u32; 2] = [5, 8];

pub fn measure(device: &Device, options: &Options) -> Result<Vec<Work>> {
    let mode = options.mode();
    // the driver compiles the kernels
    simplify(device, &sphere(3)?, mode)?;
    let mut work = Vec::new();
    for k in SPHERES {
        let shape = sphere(k)?;
        let repetitions = options.repeat.unwrap_or(5).max(1);
        let reports = (0..repetitions).map(|_| simplify(device, &shape, mode)).collect::<Result<Vec<_>>>()?;
        let row = |name: &str, seconds: fn(&SimplifyReport) -> f64| {
            let mut times: Vec<f64> = reports.iter().map(|r| 1e3 * seconds(r)).collect();
            times.sort_by(f64::total_cmp);
            Work {
                name: name.into(),
                mesh: "bumpy sphere, shuffled".into(),
                faces: shape.faces.len(),
                changes: reports[0].collapses,
                passes: reports[0].stages.len() as u32,
                rounds: reports[0].rounds,
                median_ms: times[times.len() / 2],
                least_ms: times[0],
                rxmesh_ms: None,
            }
        };
        work.push(row("simplification to a tenth", |r| r.seconds));
        work.push(row("its preparation", |r| r.prepare_seconds));
    }
    Ok(work)
}

fn sphere(k: u32) -> Result<TriangleMesh> {
    let mut shape = bumpy_sphere(k, 1)?;
    shuffle(&mut shape, 1);
    Ok(shape)
}

fn simplify(device: &Device, shape: &TriangleMesh, mode: ExecutionMode) -> Result<SimplifyReport> {
    let mut surface = Surface::new(device, shape, &MeshOptions::default())?;
    let options = SimplifyOptions { target: Some(Target::Ratio(0.1)), mode, ..SimplifyOptions::default() };
    let mut simplifier = Simplifier::new(&mut surface, &options)?;
    simplifier.run()?;
    Ok(simplifier.finish_into(&mut surface)?)
}
