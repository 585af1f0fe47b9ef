//! The pressure: conjugate gradients with a V-cycle, all of it on the device.
use super::report::Solve;
use crate::device::cells::Cells;
use crate::device::cg::{
    Advance, CONVERGED, Direction, ITERATIONS, OUTCOME, RR, RR_FIRST, RUNNING, STATE, ScalarsArguments, Weigh,
};
use crate::device::multigrid::{
    COARSEST, Coarsen, LevelArguments, LevelOutArguments, Relax, RelaxCorrected, Restrict, SolveCoarsest,
};
use crate::device::project::Assemble;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Result};

/// Iterations between two looks at the outcome.
const LOOK: u32 = 4;

/// A level on the device. 16 bytes for each cell, and 8 for what it is solved for.
struct LevelBuffers {
    n: [u32; 3],
    lower: [Buffer<f32>; 3],
    diagonal: Buffer<f32>,
    /// What the level is solved for. On the finest one the residual stands in its place.
    b: Buffer<f32>,
    /// The solution of the V-cycle.
    x: Buffer<f32>,
}
impl LevelBuffers {
    fn new(device: &Device, n: [u32; 3], finest: bool) -> Result<Self> {
        let count = n.iter().product::<u32>() as usize;
        let zeros = || device.zeros::<f32>(count);
        Ok(Self {
            n,
            lower: [zeros()?, zeros()?, zeros()?],
            diagonal: zeros()?,
            b: device.zeros(if finest { 0 } else { count })?,
            x: zeros()?,
        })
    }
    fn count(&self) -> u32 {
        self.n.iter().product()
    }
    /// Blocks of a kernel for the cells of one colour.
    fn half(&self) -> u32 {
        tiles(self.n[0].div_ceil(2) * self.n[1] * self.n[2])
    }
}
/// Views of some fields of a level, while the others are written.
macro_rules! view {
    ($level:expr) => {
        LevelArguments {
            n: $level.n,
            x: $level.lower[0].view(),
            y: $level.lower[1].view(),
            z: $level.lower[2].view(),
            diagonal: $level.diagonal.view(),
        }
    };
}
fn view_mut<'a>(lower: &'a mut [Buffer<f32>; 3], diagonal: &'a mut Buffer<f32>) -> LevelOutArguments<'a> {
    let [x, y, z] = lower;
    LevelOutArguments { x: x.view_mut(), y: y.view_mut(), z: z.view_mut(), diagonal: diagonal.view_mut() }
}
macro_rules! scalars {
    ($self:expr) => {
        ScalarsArguments {
            state: $self.state.view_mut(),
            partials: $self.partials.view_mut(),
            finished: $self.finished.view_mut(),
            tolerance2: $self.tolerance * $self.tolerance,
        }
    };
}

/// The solver of the pressure. About 50 bytes for each cell.
pub struct Pressure {
    device: Device,
    cells: Cells,
    levels: Vec<LevelBuffers>,
    r: Buffer<f32>,
    d: Buffer<f32>,
    q: Buffer<f32>,
    p: [Buffer<f32>; 2],
    state: Buffer<f64>,
    partials: Buffer<f64>,
    finished: Buffer<u32>,
    tolerance: f64,
    most: u32,
}

impl Pressure {
    pub fn new(device: &Device, cells: Cells, tolerance: f64, most: u32) -> Result<Self> {
        let count = cells.count() as usize;
        let mut levels = vec![LevelBuffers::new(device, cells.n, true)?];
        let mut n = cells.n;
        while n.iter().product::<u32>() > COARSEST || levels.len() == 1 {
            n = n.map(|n| n.div_ceil(2));
            levels.push(LevelBuffers::new(device, n, false)?);
        }
        let zeros = || device.zeros::<f32>(count);
        Ok(Self {
            device: device.clone(),
            cells,
            levels,
            r: zeros()?,
            d: zeros()?,
            q: zeros()?,
            p: [zeros()?, zeros()?],
            state: device.zeros(STATE)?,
            partials: device.zeros(tiles(cells.count()) as usize)?,
            finished: device.zeros(1)?,
            tolerance,
            most,
        })
    }
    /// The solution: pressures times the time step, over the density and the edge. 0 where there is no liquid.
    pub fn solution(&self) -> &Buffer<f32> {
        &self.d
    }
    /// Finds the pressure that makes velocities free of divergence in cells with particles. `starts`: where the particles of
    /// each cell begin. Waits for the outcome, every four iterations.
    pub fn solve(&mut self, starts: &Buffer<u32>, velocity: &Buffer<f32>) -> Result<Solve> {
        let device = self.device.clone();
        let blocks = tiles(self.cells.count());
        let scalars = scalars!(self);
        let finest = &mut self.levels[0];
        let kernel = Assemble {
            cells: self.cells,
            starts: starts.view(),
            velocity: velocity.view(),
            level: view_mut(&mut finest.lower, &mut finest.diagonal),
            scalars,
            r: self.r.view_mut(),
            d: self.d.view_mut(),
        };
        device.launch(blocks, kernel)?;
        for l in 1..self.levels.len() {
            let (fine, coarse) = self.levels.split_at_mut(l);
            let (fine, to) = (&fine[l - 1], &mut coarse[0]);
            let (n, blocks) = (to.n, tiles(to.count()));
            let to = view_mut(&mut to.lower, &mut to.diagonal);
            device.launch(blocks, Coarsen { fine: view!(fine), coarse: n, to })?;
        }
        let mut found = self.found()?;
        let mut done = 0;
        while found.is_none() && done < self.most {
            for _ in 0..LOOK.min(self.most - done) {
                self.iterate()?;
                done += 1;
            }
            found = self.found()?;
        }
        let state = self.state.read()?;
        let [rr, first, iterations] = [RR, RR_FIRST, ITERATIONS].map(|i| state[i as usize]);
        let residual = if first == 0.0 { 0.0 } else { (rr / first).sqrt() };
        Ok(Solve { iterations: iterations as u32, residual, converged: found == Some(true) })
    }
    /// Whether the tolerance is reached, once that is known.
    fn found(&self) -> Result<Option<bool>> {
        let outcome = self.state.read_range(OUTCOME as usize, 1)?[0];
        Ok((outcome != RUNNING).then_some(outcome == CONVERGED))
    }
    fn iterate(&mut self) -> Result<()> {
        self.cycle()?;
        let (device, n) = (self.device.clone(), self.cells.count());
        let blocks = tiles(n);
        let scalars = scalars!(self);
        let finest = &self.levels[0];
        let (diagonal, z) = (finest.diagonal.view(), finest.x.view());
        device.launch(blocks, Weigh { n, scalars, diagonal, r: self.r.view(), z })?;
        let scalars = scalars!(self);
        let [old, p] = &mut self.p;
        let kernel = Direction {
            level: view!(finest),
            scalars,
            z,
            old: old.view(),
            p: p.view_mut(),
            q: self.q.view_mut(),
        };
        device.launch(blocks, kernel)?;
        self.p.swap(0, 1);
        let scalars = scalars!(self);
        let kernel = Advance {
            n,
            scalars,
            diagonal,
            p: self.p[0].view(),
            q: self.q.view(),
            d: self.d.view_mut(),
            r: self.r.view_mut(),
        };
        device.launch(blocks, kernel)
    }
    /// A V-cycle of the residual.
    fn cycle(&mut self) -> Result<()> {
        let device = self.device.clone();
        let state = self.state.view();
        let last = self.levels.len() - 1;
        for l in 0..last {
            let (upper, lower) = self.levels.split_at_mut(l + 1);
            let (fine, coarse) = (&mut upper[l], &mut lower[0]);
            let half = fine.half();
            for (colour, first) in [(0, 1), (1, 0)] {
                let b = if l == 0 { self.r.view() } else { fine.b.view() };
                let kernel = Relax { level: view!(fine), state, b, colour, first, x: fine.x.view_mut() };
                device.launch(half, kernel)?;
            }
            let b = if l == 0 { self.r.view() } else { fine.b.view() };
            let (n, blocks) = (coarse.n, tiles(coarse.count()));
            let (level, x) = (view!(fine), fine.x.view());
            device
                .launch(blocks, Restrict { fine: level, state, coarse: n, b, x, to: coarse.b.view_mut() })?;
        }
        let coarsest = &mut self.levels[last];
        let (level, b) = (view!(coarsest), coarsest.b.view());
        device.launch(1, SolveCoarsest { level, state, b, x: coarsest.x.view_mut() })?;
        for l in (0..last).rev() {
            let (upper, lower) = self.levels.split_at_mut(l + 1);
            let (fine, coarse) = (&mut upper[l], &lower[0]);
            let half = fine.half();
            let b = if l == 0 { self.r.view() } else { fine.b.view() };
            let kernel = RelaxCorrected {
                level: view!(fine),
                state,
                coarse: coarse.n,
                correction: coarse.x.view(),
                b,
                x: fine.x.view_mut(),
            };
            device.launch(half, kernel)?;
            let kernel = Relax { level: view!(fine), state, b, colour: 0, first: 0, x: fine.x.view_mut() };
            device.launch(half, kernel)?;
        }
        Ok(())
    }
}
