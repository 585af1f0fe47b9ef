//! Levels of multigrid, and the V-cycle.
use super::closed::Closed;
use crate::device::level::{LevelArguments, LevelOutArguments};
use crate::device::multigrid::{COARSEST, Coarsen, CoarsenTail, Relax, RelaxCorrected, Restrict, SMALL};
use crate::device::tail::{CorrectTail, CycleTail, RelaxTail, RestrictTail, SolveTail, TailArguments};
use ribbonmesh::device::{BufferView, GridArgument, tiles};
use ribbonmesh::{Buffer, Device, DeviceKind, Error, Result};
use ribbonmesh_linear::Preconditioner;

/// The matrix of a level on the device. 16 bytes for each cell.
pub struct LevelBuffers {
    pub n: [u32; 3],
    pub lower: [Buffer<f32>; 3],
    pub diagonal: Buffer<f32>,
}
impl LevelBuffers {
    /// Room for `count` cells.
    fn new(device: &Device, n: [u32; 3], count: u32) -> Result<Self> {
        let zeros = || device.zeros::<f32>(count as usize);
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

/// Blocks of the resident launch for each multiprocessor.
const BLOCKS: u32 = 1;

/// The levels of multigrid. 25 bytes for each cell of the finest, in three dimensions.
pub struct Levels {
    /// Large levels, finest first.
    pub large: Vec<LevelBuffers>,
    /// Their right-hand sides and solutions. The finest level is solved for the residual, and has no `b`.
    pub b: Vec<Buffer<f32>>,
    pub x: Vec<Buffer<f32>>,
    pub tail: TailBuffers,
}
/// The small levels, one after another in each array. The `n` of the matrix is that of the first.
pub struct TailBuffers {
    matrix: LevelBuffers,
    /// Cells along each axis, and where the values begin.
    places: Vec<([u32; 3], u32)>,
    b: Buffer<f32>,
    values: Buffer<f32>,
}
fn count(n: [u32; 3]) -> u32 {
    n.iter().product()
}

impl Levels {
    pub fn new(device: &Device, n: [u32; 3]) -> Result<Self> {
        let mut sizes = vec![n];
        let mut coarse = n;
        while count(coarse) > COARSEST || sizes.len() == 1 {
            coarse = coarse.map(|n| n.div_ceil(2));
            sizes.push(coarse);
        }
        let small = (1..sizes.len()).find(|l| count(sizes[*l]) <= SMALL).unwrap_or(sizes.len() - 1);
        let tail = sizes.split_off(small);
        let zeros = |count: u32| device.zeros(count as usize);
        let mut end = 0;
        let mut place = |n: &[u32; 3]| {
            end += count(*n);
            (*n, end - count(*n))
        };
        let places = tail.iter().map(&mut place).collect();
        let of_level = |(l, n): (usize, &[u32; 3])| zeros(if l == 0 { 0 } else { count(*n) });
        let large = sizes.iter().map(|n| LevelBuffers::new(device, *n, count(*n))).collect::<Result<_>>()?;
        let matrix = LevelBuffers::new(device, tail[0], end)?;
        Ok(Self {
            large,
            b: sizes.iter().enumerate().map(of_level).collect::<Result<_>>()?,
            x: sizes.iter().map(|n| zeros(count(*n))).collect::<Result<_>>()?,
            tail: TailBuffers { matrix, places, b: zeros(end)?, values: zeros(end)? },
        })
    }
    /// Number of levels.
    pub fn count(&self) -> usize {
        self.large.len() + self.tail.places.len()
    }
    /// The coefficients of a level, and its diagonal. Waits.
    pub fn matrix_of(&self, level: usize) -> Result<([u32; 3], [Vec<f32>; 4])> {
        let (of, n, first) = match self.large.get(level) {
            Some(of) => (of, of.n, 0),
            None => {
                let (n, first) = self.tail.places[level - self.large.len()];
                (&self.tail.matrix, n, first)
            }
        };
        let [x, y, z] = &of.lower;
        let read = |from: &Buffer<f32>| from.read_range(first as usize, count(n) as usize);
        Ok((n, [read(x)?, read(y)?, read(z)?, read(&of.diagonal)?]))
    }
    /// Computes all levels from the finest one.
    pub fn coarsen(&mut self) -> Result<()> {
        let device = self.tail.b.device();
        for l in 0..self.large.len() {
            let (fine, rest) = self.large.split_at_mut(l + 1);
            let (fine, to) = (fine[l].view(), rest.first_mut().unwrap_or(&mut self.tail.matrix));
            let coarse = to.n;
            device.launch(tiles(count(coarse)), Coarsen { fine, coarse, to: to.view_mut() })?;
        }
        for pair in self.tail.places.windows(2) {
            let [(n, from), (coarse, to)] = [pair[0], pair[1]];
            let level = self.tail.matrix.view_mut();
            let kernel = CoarsenTail { n, coarse, first: [from, to], level };
            device.launch(tiles(count(coarse)), kernel)?;
        }
        Ok(())
    }
}

/// The V-cycle as a preconditioner.
pub struct Cycle<'a> {
    pub large: &'a [LevelBuffers],
    pub b: &'a mut [Buffer<f32>],
    pub x: &'a mut [Buffer<f32>],
    pub tail: &'a mut TailBuffers,
    pub closed: Option<&'a Closed>,
    pub sweeps: [u32; 2],
}
impl Cycle<'_> {
    /// Smoothing steps of a level before the coarser one, and after it.
    fn sweeps(&self, l: usize) -> u32 {
        self.sweeps[usize::from(l > 0)]
    }
    /// The cells along each axis of the level after a large one.
    fn after(&self, l: usize) -> [u32; 3] {
        self.large.get(l + 1).unwrap_or(&self.tail.matrix).n
    }
    /// Smooths a level whose values count as 0, and restricts what is left.
    fn down(&mut self, l: usize, state: BufferView<'_, f64>, r: &Buffer<f32>) -> Result<()> {
        let (device, sweeps, coarse) = (r.device(), self.sweeps(l), self.after(l));
        let (upper, lower) = self.b.split_at_mut(l + 1);
        let b = if l == 0 { r.view() } else { upper[l].view() };
        let (fine, x) = (&self.large[l], &mut self.x[l]);
        let level = fine.view();
        for step in 0..2 * sweeps {
            let (colour, first) = (step % 2, u32::from(step == 0));
            device.launch(fine.half(), Relax { level, state, b, colour, first, x: x.view_mut() })?;
        }
        let to = lower.first_mut().unwrap_or(&mut self.tail.b).view_mut();
        device.launch(tiles(count(coarse)), Restrict { fine: level, state, coarse, b, x: x.view(), to })
    }
    /// Adds the correction of the coarser level, and smooths in the reverse order.
    fn up(&mut self, l: usize, state: BufferView<'_, f64>, r: &Buffer<f32>) -> Result<()> {
        let (device, sweeps, coarse) = (r.device(), self.sweeps(l), self.after(l));
        let (x, lower) = self.x.split_at_mut(l + 1);
        let b = if l == 0 { r.view() } else { self.b[l].view() };
        let (fine, x) = (&self.large[l], &mut x[l]);
        let (level, correction) = (fine.view(), lower.first().unwrap_or(&self.tail.values).view());
        let kernel = RelaxCorrected { level, state, coarse, correction, b, x: x.view_mut() };
        device.launch(fine.half(), kernel)?;
        for step in 1..2 * sweeps {
            let colour = 1 - step % 2;
            let kernel = Relax { level, state, b, colour, first: 0, x: x.view_mut() };
            device.launch(fine.half(), kernel)?;
        }
        Ok(())
    }
    /// The small levels: on a GPU in one launch.
    fn tail(&mut self, state: BufferView<'_, f64>, device: &Device) -> Result<()> {
        let (tail, sweeps) = (&mut *self.tail, self.sweeps[1]);
        if device.kind() == DeviceKind::Cuda {
            let most = (BLOCKS * device.multiprocessors()).min(tail.matrix.half());
            let kernel = CycleTail { grid: GridArgument::default(), state, tail: tail.view(), sweeps };
            return device.launch_resident(most, kernel).map(drop);
        }
        let last = tail.places.len() as u32 - 1;
        let blocks = |n: [u32; 3]| tiles(count(n));
        for l in 0..last {
            for step in 0..2 * sweeps {
                let (colour, first) = (step % 2, u32::from(step == 0));
                let n = tail.places[l as usize].0;
                device.launch(blocks(n), RelaxTail { state, tail: tail.view(), l, colour, first })?;
            }
            let n = tail.places[l as usize + 1].0;
            device.launch(blocks(n), RestrictTail { state, tail: tail.view(), l })?;
        }
        device.launch(1, SolveTail { state, tail: tail.view() })?;
        for l in (0..last).rev() {
            let n = tail.places[l as usize].0;
            device.launch(blocks(n), CorrectTail { state, tail: tail.view(), l })?;
            for step in 1..2 * sweeps {
                let colour = 1 - step % 2;
                device.launch(blocks(n), RelaxTail { state, tail: tail.view(), l, colour, first: 0 })?;
            }
        }
        Ok(())
    }
}
impl TailBuffers {
    fn view(&mut self) -> TailArguments<'_> {
        let LevelArguments { n, x, y, z, diagonal } = self.matrix.view();
        let (b, values) = (self.b.view_mut(), self.values.view_mut());
        TailArguments { n, levels: self.places.len() as u32, x, y, z, diagonal, b, values }
    }
}
impl Preconditioner<Buffer<f32>, Error> for Cycle<'_> {
    fn apply(&mut self, state: BufferView<'_, f64>, r: &Buffer<f32>) -> Result<&Buffer<f32>> {
        for l in 0..self.large.len() {
            self.down(l, state, r)?;
        }
        self.tail(state, r.device())?;
        for l in (0..self.large.len()).rev() {
            self.up(l, state, r)?;
        }
        let x = &mut self.x[0];
        if let Some(closed) = self.closed {
            // by rounding, residuals have a mean; the cycle would make a large constant of it
            closed.subtract_means(x)?;
        }
        Ok(x)
    }
}
