//! Deformation of a surface by handles.
use super::Clock;
use super::subjects::bent_cloth;
use crate::timed;
use anyhow::Result;
use ribbonmesh::{MeshOptions, Surface};
use ribbonmesh_energies::{DeformOptions, deform};
use serde::Serialize;

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
        let (ms, report) = timed::milliseconds(clock.device, || deform(&mut surface, &options))?;
        let report = report.minimum;
        let (iterations, linear) = (report.iterations, report.linear_iterations);
        found = Some(Deformed { faces: mesh.faces.len(), iterations, linear, ms });
    }
    found.ok_or_else(|| anyhow::anyhow!("nothing was measured"))
}
