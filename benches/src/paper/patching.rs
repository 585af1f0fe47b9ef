//! Figure 4.6a: time of patching against faces.
use crate::subject::{Order, Subject};
use anyhow::{Context, Result};
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use serde::Serialize;
use std::time::Instant;

/// Times that a mesh is built; the median counts.
const RUNS: usize = 3;

/// One mesh, built.
#[derive(Serialize)]
pub struct Patching {
    pub mesh: String,
    pub faces: usize,
    pub order: Order,
    pub patches: usize,
    /// Time of dividing the faces into patches, as the thesis reports it.
    pub patching_seconds: f64,
    /// From indexed triangles in memory to a mesh ready for kernels, upload, edges, ids and ribbons included.
    pub seconds: f64,
    /// Ribbon faces for each owned one.
    pub ribbon_ratio: f64,
}

/// Builds the mesh several times; returns the last, too.
pub fn measure(
    device: &Device,
    name: &str,
    subject: &Subject,
    order: Order,
    options: &MeshOptions,
) -> Result<(Patching, StaticMesh)> {
    let (mut runs, mut last) = (Vec::new(), None);
    for _ in 0..RUNS {
        drop(last.take());
        let start = Instant::now();
        let mesh = subject.mesh(device, options)?;
        device.synchronize()?;
        let phase = mesh.build_report().phases.iter().find(|phase| phase.0 == "patches");
        runs.push((start.elapsed().as_secs_f64(), phase.context("no phase of patching")?.1));
        last = Some(mesh);
    }
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mesh = last.context("no run")?;
    let (seconds, patching_seconds) = runs[RUNS / 2];
    let faces = mesh.faces();
    let ribbon_ratio = (mesh.totals().f_all as f64 - faces as f64) / faces.max(1) as f64;
    let patches = mesh.patches();
    Ok((
        Patching { mesh: name.to_owned(), faces, order, patches, patching_seconds, seconds, ribbon_ratio },
        mesh,
    ))
}
