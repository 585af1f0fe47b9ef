//! Bilateral filtering over directed edges.
use super::Pde;
use crate::denoise::{PdeFilter, PdeNormals};
use crate::each::blocks;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Error, Result};

/// Positions that are filtered, iteration after iteration (thesis 4.5.3).
pub struct PdeDenoise<'p> {
    pde: &'p Pde,
    positions: Buffer<Vec3>,
    moved: Buffer<Vec3>,
    normals: Buffer<Vec3>,
}
impl<'p> PdeDenoise<'p> {
    /// Begins at `positions`.
    /// # Errors
    /// [`Error::Length`]; out of memory.
    pub fn new(pde: &'p Pde, positions: &[Vec3]) -> Result<Self> {
        let (device, n) = (pde.device(), pde.vertices());
        if positions.len() != n {
            return Err(Error::Length { what: "positions", expected: n, found: positions.len() });
        }
        let (positions, moved, normals) = (device.upload(positions)?, device.zeros(n)?, device.zeros(n)?);
        Ok(Self { pde, positions, moved, normals })
    }
    /// One iteration from the positions: two launches. [`PdeDenoise::advance`] makes its result the
    /// positions.
    /// # Errors
    /// Errors of the driver. A neighbourhood of more than [`crate::denoise::MOST`] vertices is an error of
    /// the kernel.
    pub fn filter(&mut self) -> Result<()> {
        let (device, mesh, n) = (self.pde.device(), self.pde.view(), self.pde.vertices());
        let (blocks, n) = (blocks(n), n as u32);
        let positions = self.positions.view();
        device.launch(blocks, PdeNormals { mesh, n, positions, normals: self.normals.view_mut() })?;
        let (normals, moved) = (self.normals.view(), self.moved.view_mut());
        device.launch(blocks, PdeFilter { mesh, n, positions, normals, moved })
    }
    /// Continues from the result of [`PdeDenoise::filter`].
    pub fn advance(&mut self) {
        std::mem::swap(&mut self.positions, &mut self.moved);
    }
    /// The positions; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn positions(&self) -> Result<Vec<Vec3>> {
        self.positions.read()
    }
}
