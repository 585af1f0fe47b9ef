//! A step of mean curvature flow over directed edges.
use super::Pde;
use crate::each::blocks;
use crate::flow::{ALPHA, BETA, PdeAdvance, PdeDirection, PdeMultiply, PdeResidual, RR, SumsArguments};
use ribbonmesh::device::GROUPED_ARRIVALS;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Error, Result};

/// Conjugate gradients for (I + t L) x' = x with uniform weights: unit masses, every neighbour 1 (thesis
/// 4.5.1).
pub struct PdeFlow<'p> {
    pde: &'p Pde,
    step: f32,
    x: Buffer<Vec3>,
    r: Buffer<Vec3>,
    p: Buffer<Vec3>,
    q: Buffer<Vec3>,
    memory: Memory,
}

/// The memory of [`Sums`].
struct Memory {
    state: Buffer<f64>,
    partials: Buffer<f64>,
    finished: Buffer<u32>,
}
impl Memory {
    fn view(&mut self) -> SumsArguments<'_> {
        SumsArguments {
            state: self.state.view_mut(),
            partials: self.partials.view_mut(),
            finished: self.finished.view_mut(),
        }
    }
}

impl<'p> PdeFlow<'p> {
    /// Begins a step of time `step` at `positions`.
    /// # Errors
    /// [`Error::Length`]; out of memory; errors of the driver.
    pub fn new(pde: &'p Pde, positions: &[Vec3], step: f32) -> Result<Self> {
        let (device, n) = (pde.device(), pde.vertices());
        if positions.len() != n {
            return Err(Error::Length { what: "positions", expected: n, found: positions.len() });
        }
        let mut flow = Self {
            pde,
            step,
            x: device.upload(positions)?,
            r: device.zeros(n)?,
            p: device.zeros(n)?,
            q: device.zeros(n)?,
            memory: Memory {
                state: device.zeros([RR, ALPHA, BETA].len())?,
                partials: device.zeros(blocks(n) as usize)?,
                finished: device.zeros(GROUPED_ARRIVALS)?,
            },
        };
        let Self { x, r, p, memory, .. } = &mut flow;
        let kernel = PdeResidual {
            mesh: pde.view(),
            n: n as u32,
            step,
            x: x.view(),
            p: p.view_mut(),
            r: r.view_mut(),
            sums: memory.view(),
        };
        device.launch(blocks(n), kernel)?;
        Ok(flow)
    }
    /// One iteration: three launches, for which nothing waits.
    /// # Errors
    /// Errors of the driver.
    pub fn iterate(&mut self) -> Result<()> {
        let (device, n) = (self.pde.device(), self.pde.vertices());
        let (blocks, n) = (blocks(n), n as u32);
        let (state, r, p) = (self.memory.state.view(), self.r.view(), self.p.view_mut());
        device.launch(blocks, PdeDirection { n, state, r, p })?;
        let (mesh, step) = (self.pde.view(), self.step);
        let kernel =
            PdeMultiply { mesh, n, step, p: self.p.view(), q: self.q.view_mut(), sums: self.memory.view() };
        device.launch(blocks, kernel)?;
        let (p, q, x, r) = (self.p.view(), self.q.view(), self.x.view_mut(), self.r.view_mut());
        device.launch(blocks, PdeAdvance { n, p, q, x, r, sums: self.memory.view() })
    }
    /// The positions so far; waits.
    /// # Errors
    /// Errors of the driver.
    pub fn positions(&self) -> Result<Vec<Vec3>> {
        self.x.read()
    }
    /// The squared length of the residual; waits.
    /// # Errors
    /// Errors of the driver.
    pub fn residual(&self) -> Result<f64> {
        Ok(self.memory.state.read()?[RR as usize])
    }
}
