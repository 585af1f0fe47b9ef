//! The pressure: conjugate gradients with a V-cycle, all of it on the device.
use super::report::Solve;
use crate::device::cells::Cells;
use crate::device::cg::{Advance, Direction, Weigh};
use crate::device::multigrid::{
    COARSEST, Coarsen, LevelArguments, LevelOutArguments, Relax, RelaxCorrected, Restrict, SolveCoarsest,
};
use crate::device::project::Assemble;
use ribbonmesh::device::{BufferView, tiles};
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_linear::{ConjugateGradients, Limits, Operator, Outcome, Preconditioner, Run, Vectors};

/// Iterations between two checks of the residual.
const LOOK: usize = 4;

/// The matrix of a level on the device. 16 bytes for each cell.
struct LevelBuffers {
    n: [u32; 3],
    lower: [Buffer<f32>; 3],
    diagonal: Buffer<f32>,
}
impl LevelBuffers {
    fn new(device: &Device, n: [u32; 3]) -> Result<Self> {
        let zeros = || device.zeros::<f32>(n.iter().product::<u32>() as usize);
        Ok(Self { n, lower: [zeros()?, zeros()?, zeros()?], diagonal: zeros()? })
    }
    fn count(&self) -> u32 {
        self.n.iter().product()
    }
    /// Number of blocks of a kernel for the cells of one colour.
    fn half(&self) -> u32 {
        tiles(self.n[0].div_ceil(2) * self.n[1] * self.n[2])
    }
    fn view(&self) -> LevelArguments<'_> {
        let [x, y, z] = &self.lower;
        LevelArguments { n: self.n, x: x.view(), y: y.view(), z: z.view(), diagonal: self.diagonal.view() }
    }
    fn view_mut(&mut self) -> LevelOutArguments<'_> {
        let [x, y, z] = &mut self.lower;
        LevelOutArguments {
            x: x.view_mut(),
            y: y.view_mut(),
            z: z.view_mut(),
            diagonal: self.diagonal.view_mut(),
        }
    }
}

/// The solver of the pressure. About 50 bytes for each cell.
pub struct Pressure {
    cells: Cells,
    levels: Vec<LevelBuffers>,
    /// Right-hand sides and solutions of a V-cycle's levels. The finest level is solved for the residual, and
    /// has no `b`.
    b: Vec<Buffer<f32>>,
    x: Vec<Buffer<f32>>,
    d: Buffer<f32>,
    /// The last direction.
    last: Buffer<f32>,
    solver: ConjugateGradients<Buffer<f32>>,
    tolerance: f64,
    limits: Limits,
}

impl Pressure {
    pub fn new(device: &Device, cells: Cells, tolerance: f64, most: u32) -> Result<Self> {
        let mut levels = vec![LevelBuffers::new(device, cells.n)?];
        let mut n = cells.n;
        while n.iter().product::<u32>() > COARSEST || levels.len() == 1 {
            n = n.map(|n| n.div_ceil(2));
            levels.push(LevelBuffers::new(device, n)?);
        }
        let of_level = |(l, level): (usize, &LevelBuffers)| {
            device.zeros(if l == 0 { 0 } else { level.count() as usize })
        };
        let zeros = || device.zeros::<f32>(cells.count() as usize);
        Ok(Self {
            cells,
            b: levels.iter().enumerate().map(of_level).collect::<Result<_>>()?,
            x: levels.iter().map(|level| device.zeros(level.count() as usize)).collect::<Result<_>>()?,
            levels,
            d: zeros()?,
            last: zeros()?,
            solver: ConjugateGradients::new(device, tiles(cells.count()), zeros)?,
            tolerance,
            limits: Limits { iterations: most as usize, look: LOOK },
        })
    }
    /// The solution: pressures times the time step, over the density and the edge. 0 in cells without liquid.
    pub fn solution(&self) -> &Buffer<f32> {
        &self.d
    }
    /// Computes the pressure that makes velocities free of divergence in cells with particles. `starts`:
    /// start of the particles of each cell. Waits for the residual every four iterations.
    pub fn solve(&mut self, starts: &Buffer<u32>, velocity: &Buffer<f32>) -> Result<Solve> {
        let cells = self.cells;
        self.solver.begin(self.tolerance, |to, run| {
            let device = run.device().clone();
            let kernel = Assemble {
                cells,
                starts: starts.view(),
                velocity: velocity.view(),
                level: self.levels[0].view_mut(),
                scalars: run.scalars(),
                r: to.r.view_mut(),
                d: self.d.view_mut(),
            };
            device.launch(tiles(cells.count()), kernel)?;
            for l in 1..self.levels.len() {
                let (fine, coarse) = self.levels.split_at_mut(l);
                let (fine, to) = (fine[l - 1].view(), &mut coarse[0]);
                let (coarse, blocks) = (to.n, tiles(to.count()));
                device.launch(blocks, Coarsen { fine, coarse, to: to.view_mut() })?;
            }
            Ok::<_, Error>(())
        })?;
        let mut finest = Finest { level: &self.levels[0], last: &mut self.last };
        let mut cycle = Cycle { levels: &self.levels, b: &mut self.b, x: &mut self.x };
        let progress = self.solver.finish(&mut finest, Some(&mut cycle), &mut self.d, &self.limits)?;
        Ok(Solve {
            iterations: progress.iterations as u32,
            residual: progress.residual(),
            converged: progress.outcome == Outcome::Converged,
        })
    }
}

/// The matrix of the finest level.
struct Finest<'a> {
    level: &'a LevelBuffers,
    last: &'a mut Buffer<f32>,
}
impl Operator for Finest<'_> {
    type Vector = Buffer<f32>;
    type Error = Error;
    fn direct(
        &mut self,
        z: &Buffer<f32>,
        p: &mut Buffer<f32>,
        q: &mut Buffer<f32>,
        run: &mut Run,
    ) -> Result<()> {
        std::mem::swap(p, self.last);
        let (device, level) = (run.device().clone(), self.level.view());
        let (scalars, old) = (run.scalars(), self.last.view());
        let kernel = Direction { level, scalars, z: z.view(), old, p: p.view_mut(), q: q.view_mut() };
        device.launch(tiles(self.level.count()), kernel)
    }
    fn advance(&mut self, with: &mut Vectors<Buffer<f32>>, d: &mut Buffer<f32>, run: &mut Run) -> Result<()> {
        let (device, n) = (run.device().clone(), self.level.count());
        let kernel = Advance {
            n,
            scalars: run.scalars(),
            diagonal: self.level.diagonal.view(),
            p: with.p.view(),
            q: with.q.view(),
            d: d.view_mut(),
            r: with.r.view_mut(),
        };
        device.launch(tiles(n), kernel)
    }
    fn weigh(&mut self, r: &Buffer<f32>, z: &Buffer<f32>, run: &mut Run) -> Result<()> {
        let (device, n) = (run.device().clone(), self.level.count());
        let (scalars, diagonal) = (run.scalars(), self.level.diagonal.view());
        device.launch(tiles(n), Weigh { n, scalars, diagonal, r: r.view(), z: z.view() })
    }
}

/// The V-cycle as a preconditioner.
struct Cycle<'a> {
    levels: &'a [LevelBuffers],
    b: &'a mut [Buffer<f32>],
    x: &'a mut [Buffer<f32>],
}
impl Preconditioner<Buffer<f32>, Error> for Cycle<'_> {
    fn apply(&mut self, state: BufferView<'_, f64>, r: &Buffer<f32>) -> Result<&Buffer<f32>> {
        let (device, last) = (r.device(), self.levels.len() - 1);
        for l in 0..last {
            let (fine, coarse) = (&self.levels[l], &self.levels[l + 1]);
            let (upper, lower) = self.b.split_at_mut(l + 1);
            let b = if l == 0 { r.view() } else { upper[l].view() };
            let (level, x) = (fine.view(), &mut self.x[l]);
            for (colour, first) in [(0, 1), (1, 0)] {
                device.launch(fine.half(), Relax { level, state, b, colour, first, x: x.view_mut() })?;
            }
            let to = lower[0].view_mut();
            let kernel = Restrict { fine: level, state, coarse: coarse.n, b, x: x.view(), to };
            device.launch(tiles(coarse.count()), kernel)?;
        }
        let (level, b, x) = (self.levels[last].view(), self.b[last].view(), self.x[last].view_mut());
        device.launch(1, SolveCoarsest { level, state, b, x })?;
        for l in (0..last).rev() {
            let (fine, coarse) = (&self.levels[l], self.levels[l + 1].n);
            let (x, lower) = self.x.split_at_mut(l + 1);
            let b = if l == 0 { r.view() } else { self.b[l].view() };
            let (level, x, correction) = (fine.view(), &mut x[l], lower[0].view());
            let kernel = RelaxCorrected { level, state, coarse, correction, b, x: x.view_mut() };
            device.launch(fine.half(), kernel)?;
            let kernel = Relax { level, state, b, colour: 0, first: 0, x: x.view_mut() };
            device.launch(fine.half(), kernel)?;
        }
        Ok(&self.x[0])
    }
}
