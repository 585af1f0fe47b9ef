//! Options of the application.
use super::handles::Handles;
use crate::host::error::{EnergyError, Result};
use ribbonmesh_application::Options;

/// Options of [`deform`](crate::deform()).
#[derive(Options, Clone, Debug, PartialEq)]
pub struct DeformOptions {
    /// Vertices and where they go: a file with lines VERTEX X Y Z, or VERTEX alone for one that stays,
    /// vertices from 0; or a list such as 12:0,0,1;7
    #[option(positional, required, unit = "FILE")]
    pub handles: Handles,
    /// The deformation ends when the gradient of the energy is this part of the first one, between 0 and 1
    #[option(unit = "PART")]
    pub tolerance: f64,
    /// Iterations at most
    #[option(least = 1)]
    pub iterations: u32,
}
impl Default for DeformOptions {
    fn default() -> Self {
        Self { handles: Handles::new(), tolerance: 1e-4, iterations: 500 }
    }
}
impl DeformOptions {
    pub(super) fn check(&self) -> Result<()> {
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            let (option, value) = ("tolerance", self.tolerance);
            return Err(EnergyError::Option { option, value, expected: "between 0 and 1" });
        }
        Ok(())
    }
}
