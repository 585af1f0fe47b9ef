//! The pressure of the liquid.
use crate::device::project::Assemble;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Result};
use ribbonmesh_flow::{Cells, Poisson, PoissonOptions, Solve};

/// The solver of the pressure.
pub struct Pressure {
    cells: Cells,
    system: Poisson,
}

impl Pressure {
    pub fn new(device: &Device, cells: Cells, tolerance: f64, most: u32) -> Result<Self> {
        let options =
            PoissonOptions { sweeps: [1, 1], tolerance, iterations: most, ..PoissonOptions::default() };
        Ok(Self { cells, system: Poisson::new(device, cells.n, &options)? })
    }
    /// The solution: pressures times the time step, over the density and the edge. 0 in cells without liquid.
    pub fn solution(&self) -> &Buffer<f32> {
        self.system.solution()
    }
    /// Computes the pressure that makes velocities free of divergence in cells with particles. `starts`:
    /// start of the particles of each cell. Waits for the residual every four iterations.
    pub fn solve(&mut self, starts: &Buffer<u32>, velocity: &Buffer<f32>) -> Result<Solve> {
        let (device, cells) = (velocity.device().clone(), self.cells);
        self.system.solve(true, |mut start| {
            let (level, scalars, [r, d]) = start.all();
            let (starts, velocity) = (starts.view(), velocity.view());
            let kernel = Assemble { cells, starts, velocity, level, scalars, r, d };
            device.launch(tiles(cells.count()), kernel)
        })
    }
}
