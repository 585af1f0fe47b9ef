//! Levels of multigrid, and the V-cycle.
use super::closed::Closed;
use crate::device::level::{LevelArguments, LevelOutArguments};
use crate::device::multigrid::{Relax, RelaxCorrected, Restrict, SolveCoarsest};
use ribbonmesh::device::{BufferView, tiles};
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_linear::Preconditioner;

/// The matrix of a level on the device. 16 bytes for each cell.
pub struct LevelBuffers {
    pub n: [u32; 3],
    pub lower: [Buffer<f32>; 3],
    pub diagonal: Buffer<f32>,
}
impl LevelBuffers {
    pub fn new(device: &Device, n: [u32; 3]) -> Result<Self> {
        let zeros = || device.zeros::<f32>(n.iter().product::<u32>() as usize);
        Ok(Self { n, lower: [zeros()?, zeros()?, zeros()?], diagonal: zeros()? })
    }
    pub fn count(&self) -> u32 {
        self.n.iter().product()
    }
    /// Number of blocks of a kernel for the cells of one colour.
    fn half(&self) -> u32 {
        tiles(self.n[0].div_ceil(2) * self.n[1] * self.n[2])
    }
    pub fn view(&self) -> LevelArguments<'_> {
        let [x, y, z] = &self.lower;
        LevelArguments { n: self.n, x: x.view(), y: y.view(), z: z.view(), diagonal: self.diagonal.view() }
    }
    pub fn view_mut(&mut self) -> LevelOutArguments<'_> {
        let [x, y, z] = &mut self.lower;
        LevelOutArguments {
            x: x.view_mut(),
            y: y.view_mut(),
            z: z.view_mut(),
            diagonal: self.diagonal.view_mut(),
        }
    }
}

/// The V-cycle as a preconditioner.
pub struct Cycle<'a> {
    pub levels: &'a [LevelBuffers],
    pub b: &'a mut [Buffer<f32>],
    pub x: &'a mut [Buffer<f32>],
    pub closed: Option<&'a Closed>,
    pub sweeps: [u32; 2],
}
impl Cycle<'_> {
    /// Smoothing steps of a level before the coarser one, and after it.
    fn sweeps(&self, l: usize) -> u32 {
        self.sweeps[usize::from(l > 0)]
    }
    /// Smooths a level whose values count as 0, and restricts what is left.
    fn down(&mut self, l: usize, state: BufferView<'_, f64>, r: &Buffer<f32>) -> Result<()> {
        let (device, sweeps) = (r.device(), self.sweeps(l));
        let (fine, coarse) = (&self.levels[l], &self.levels[l + 1]);
        let (upper, lower) = self.b.split_at_mut(l + 1);
        let b = if l == 0 { r.view() } else { upper[l].view() };
        let (level, x) = (fine.view(), &mut self.x[l]);
        for step in 0..2 * sweeps {
            let (colour, first) = (step % 2, u32::from(step == 0));
            device.launch(fine.half(), Relax { level, state, b, colour, first, x: x.view_mut() })?;
        }
        let to = lower[0].view_mut();
        let kernel = Restrict { fine: level, state, coarse: coarse.n, b, x: x.view(), to };
        device.launch(tiles(coarse.count()), kernel)
    }
    /// Adds the correction of the coarser level, and smooths in the reverse order.
    fn up(&mut self, l: usize, state: BufferView<'_, f64>, r: &Buffer<f32>) -> Result<()> {
        let (device, sweeps) = (r.device(), self.sweeps(l));
        let (fine, coarse) = (&self.levels[l], self.levels[l + 1].n);
        let (x, lower) = self.x.split_at_mut(l + 1);
        let b = if l == 0 { r.view() } else { self.b[l].view() };
        let (level, x, correction) = (fine.view(), &mut x[l], lower[0].view());
        let kernel = RelaxCorrected { level, state, coarse, correction, b, x: x.view_mut() };
        device.launch(fine.half(), kernel)?;
        for step in 1..2 * sweeps {
            let colour = 1 - step % 2;
            let kernel = Relax { level, state, b, colour, first: 0, x: x.view_mut() };
            device.launch(fine.half(), kernel)?;
        }
        Ok(())
    }
}
impl Preconditioner<Buffer<f32>, Error> for Cycle<'_> {
    fn apply(&mut self, state: BufferView<'_, f64>, r: &Buffer<f32>) -> Result<&Buffer<f32>> {
        let last = self.levels.len() - 1;
        for l in 0..last {
            self.down(l, state, r)?;
        }
        let (level, b, x) = (self.levels[last].view(), self.b[last].view(), self.x[last].view_mut());
        r.device().launch(1, SolveCoarsest { level, state, b, x })?;
        for l in (0..last).rev() {
            self.up(l, state, r)?;
        }
        if let Some(closed) = self.closed {
            // by rounding, residuals have a mean; the cycle would make a large constant of it
            closed.subtract_means(&mut self.x[0])?;
        }
        Ok(&self.x[0])
    }
}
