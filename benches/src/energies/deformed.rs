//! Deformation of a surface by handles.
use super::Clock;
use super::subjects::bent_cloth;
use anyhow::Result;
use ribbonmesh::{MeshOptions, Surface};
use ribbonmesh_energies::{DeformOptions, deform};
use serde::Serialize;
use std::time::Instant;

/// A cloth that is bent.
#[derive(Clone, Debug, Serialize)]
pub struct Deformed {
    /// Faces.
    pub faces: usize,
    /// Iterations of L-BFGS.
    pub iterations: usize,
    /// Iterations of conjugate gradients in these.
    pub linear: usize,
    /// Milliseconds of all, the second time.
    pub ms: f64,
}

/// Measures a cloth of a size.
pub fn measure(clock: Clock<'_>, size: usize) -> Result<Deformed> {
    let (mesh, handles) = bent_cloth(size);
    let options = DeformOptions { handles, ..DeformOptions::default() };
    let mut found = None;
    for _ in 0..2 {
        let mut surface = Surface::new(clock.device, &mesh, &MeshOptions::default())?;
        clock.device.synchronize()?;
        let start = Instant::now();
        let report = deform(&mut surface, &options)?.minimum;
        clock.device.synchronize()?;
        let ms = 1e3 * start.elapsed().as_secs_f64();
        let (iterations, linear) = (report.iterations, report.linear_iterations);
        found = Some(Deformed { faces: mesh.faces.len(), iterations, linear, ms });
    }
    found.ok_or_else(|| anyhow::anyhow!("nothing was measured"))
}
