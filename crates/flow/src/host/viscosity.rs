//! Viscosity, and the force on the obstacle.
use super::error::{FlowError, Result};
use super::flow::Flow;
use super::options::FlowOptions;
use super::poisson::{Method, Poisson, PoissonOptions};
use crate::device::viscosity::{Along, BeginDiffusion, EndDiffusion, Forces};
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, array};

/// Viscosity, times the time step, over the square of the edge, above which multigrid pays: below it
/// diagonals dominate.
const STIFF: f64 = 1.0;

/// The diffusion of velocities. About 54 bytes for each face of one component, and as many bytes for one
/// component as for three.
pub struct Viscosity {
    system: Poisson,
    /// Unknowns along each axis.
    n: [u32; 3],
    along: Along,
}
impl Viscosity {
    /// `None` without viscosity.
    pub fn new(device: &Device, options: &FlowOptions) -> Result<Option<Self>> {
        if options.viscosity == 0.0 {
            return Ok(None);
        }
        let along = options.along();
        // a single layer of cells between two sides with given velocities has no unknown across
        let flows_out = |a: usize| options.boundary().outflow >> (2 * a) & 3 != 0;
        let n = [0, 1, 2].map(|a| options.cells[a] + u32::from(options.cells[a] > 1 || flows_out(a)));
        let solution = PoissonOptions { sweeps: [1, 1], ..options.pressure };
        Ok(Some(Self { system: Poisson::new(device, n, &solution)?, n, along }))
    }
}

impl Flow {
    /// Diffuses velocities for a time, as they are with the last pressure: so that fluid that sticks to a
    /// wall also does so after the next pressure (van Kan 1986).
    pub(super) fn diffuse(&mut self, dt: f64) -> Result<()> {
        if self.viscosity.is_none() {
            return Ok(());
        }
        let factor = if self.last_step > 0.0 { (dt / self.last_step) as f32 } else { 0.0 };
        self.subtract_pressure(factor)?;
        self.diffuse_all(dt)?;
        self.subtract_pressure(-factor)
    }
    fn diffuse_all(&mut self, dt: f64) -> Result<()> {
        let Some(Viscosity { system, n, along }) = &mut self.viscosity else { return Ok(()) };
        let (cells, boundary, along, n) = (self.cells, self.boundary, *along, *n);
        let edge = f64::from(cells.edge);
        let factor = f64::from(self.options.viscosity) * dt / (edge * edge);
        system.set_method(if factor > STIFF { Method::ConjugateGradients } else { Method::Plain });
        let blocks = tiles(n.iter().product());
        for d in (0..3).filter(|d| n[*d] > cells.n[*d]) {
            let (open, velocity) = (self.geometry.open.view(), self.velocity.view());
            let (d, factor) = (d as u32, factor as f32);
            let solve = system.solve(true, |mut start| {
                let (level, scalars, [r, x]) = start.all();
                let kernel = BeginDiffusion {
                    cells,
                    boundary,
                    along,
                    d,
                    factor,
                    open,
                    velocity,
                    n,
                    level,
                    scalars,
                    r,
                    x,
                };
                self.device.launch(blocks, kernel)
            })?;
            self.report.count_viscous(solve);
            if solve.residual.is_nan() {
                return Err(FlowError::NotFinite { step: self.report.steps + 1 });
            }
            let (x, velocity) = (system.solution().view(), self.velocity.view_mut());
            self.device.launch(blocks, EndDiffusion { cells, boundary, d, n, open, x, velocity })?;
        }
        Ok(())
    }
    /// The force of the fluid on the obstacle in the last step, over the density: of the pressure, and of
    /// friction where the fluid has a viscosity. In two dimensions over the edge of a cell it is the force on
    /// a unit of length. 0 before the first step. Two passes over the grid; waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn force(&self) -> Result<[f64; 3]> {
        if self.last_step == 0.0 || !self.geometry.is_cut {
            return Ok([0.0; 3]);
        }
        let (cells, edge) = (self.cells, f64::from(self.cells.edge));
        let mut parts: Buffer<Vec3> = self.device.unspecified(cells.nodes() as usize)?;
        let kernel = Forces {
            cells,
            boundary: self.boundary,
            along: self.options.along(),
            pressure: (edge.powi(3) / self.last_step) as f32,
            friction: (f64::from(self.options.viscosity) * edge) as f32,
            open: self.geometry.open.view(),
            velocity: self.velocity.view(),
            p: self.system.solution().view(),
            to: parts.view_mut(),
        };
        self.device.launch(tiles(cells.nodes()), kernel)?;
        Ok(array::sum(&parts)?.to_array())
    }
}
