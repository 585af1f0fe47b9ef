//! Time from indexed triangles in memory to a mesh ready for kernels.
use crate::rxmesh;
use crate::subject::{Order, Subject};
use anyhow::{Context, Result};
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use serde::Serialize;
use std::time::Instant;

/// Times that a mesh is built; the median counts.
const RUNS: usize = 3;

/// One mesh, built.
#[derive(Clone, Debug, Serialize)]
pub struct Construction {
    /// Faces of the mesh.
    pub faces: usize,
    /// The input's order.
    pub order: Order,
    /// Most faces of a patch.
    pub patch_size: u32,
    /// Number of patches.
    pub patches: usize,
    /// Iterations of Lloyd's algorithm.
    pub lloyd_iterations: u32,
    /// Ribbon faces for each owned one.
    pub ribbon_ratio: f64,
    /// Bytes of the topology for each face, ribbons and tables included.
    pub bytes_per_face: f64,
    /// Seconds from call to return, the median of all runs.
    pub seconds: f64,
    /// Seconds of each run.
    pub runs: Vec<f64>,
    /// Seconds of the phases of the median run.
    pub phases: Vec<(&'static str, f64)>,
    /// Why a GPU's mesh was built on the CPU.
    pub on_cpu_because: Option<String>,
    /// Seconds that RXMesh takes.
    pub rxmesh_seconds: Option<f64>,
}

/// Builds the mesh several times; returns the last, too.
pub fn measure(
    device: &Device,
    subject: &Subject,
    order: Order,
    options: &MeshOptions,
) -> Result<(Construction, StaticMesh)> {
    let (mut runs, mut last) = (Vec::new(), None);
    for _ in 0..RUNS {
        drop(last.take());
        let start = Instant::now();
        let mesh = subject.mesh(device, options)?;
        device.synchronize()?;
        let seconds = start.elapsed().as_secs_f64();
        let (faces, totals) = (mesh.faces() as f64, mesh.totals());
        let built = mesh.build_report();
        runs.push(Construction {
            faces: mesh.faces(),
            order,
            patch_size: options.patch_size,
            patches: mesh.patches(),
            lloyd_iterations: built.lloyd_iterations,
            ribbon_ratio: (totals.f_all as f64 - faces) / faces,
            bytes_per_face: mesh.topology_bytes() as f64 / faces,
            seconds,
            runs: Vec::new(),
            phases: built.phases.clone(),
            on_cpu_because: built.on_cpu_because.clone(),
            rxmesh_seconds: rxmesh::construction_seconds(mesh.faces()),
        });
        last = Some(mesh);
    }
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let seconds = runs.iter().map(|run| run.seconds).collect();
    let median = runs.into_iter().nth(RUNS / 2).context("no run")?;
    Ok((Construction { runs: seconds, ..median }, last.context("no run")?))
}
