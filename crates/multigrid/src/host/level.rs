//! A level, and how it is made.
use super::aggregates::Aggregates;
use super::blocks::{Blocks, Pattern, Run};
use super::error::Result;
use super::multigrid::MultigridOptions;
use super::numbers::Numbers;
use super::product::Product;
use super::prolongation::{self, SAFE};
use super::transposition::Transposition;
use crate::device::cycle::{
    ADD, Relax, RelaxFours, RelaxRows, RelaxRowsFours, RelaxRowsFoursTypes, RelaxRowsTypes, SET, SUBTRACT,
    Step,
};
use crate::device::rows::{Narrow, ROWS};
use ribbonmesh::device::{BufferView, BufferViewMut};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_linear::{Real, Vector};

/// Chebyshev's iteration is for eigenvalues from the greatest one by this on.
const RATIO: f64 = 10.0;

/// The step from coarser unknowns to finer ones.
enum Up {
    /// Modes of aggregates, orthonormal, which are smoothed by the matrix.
    Smoothed { aggregates: Aggregates, first: Blocks<f64>, up: Product },
    /// One that is given.
    Given(Blocks<f64>),
}
/// Parts of a level that stay when numbers change.
pub struct Plan {
    up: Up,
    down: Transposition,
    half: Product,
    coarse: Product,
}
impl Plan {
    /// The aggregates of a level, and the blocks of the next one; with the modes as that has them. `None` if
    /// nodes depend on nothing else.
    pub fn new(
        a: &Blocks<f64>,
        diagonal: &Buffer<u32>,
        words: &Buffer<u32>,
        (width, modes): (usize, &Buffer<f64>),
        options: &MultigridOptions,
    ) -> Result<Option<(Self, Buffer<f64>)>> {
        let aggregates = Aggregates::new(a, diagonal, words, options.strength)?;
        if aggregates.count == 0 || 10 * aggregates.count > 9 * a.pattern.rows() {
            return Ok(None);
        }
        let (first, modes) = prolongation::tentative(&aggregates, [a.height as usize, width], modes)?;
        let up = Product::of(&a.pattern, &aggregates.members)?;
        let pattern = up.pattern().clone();
        Ok(Some((Self::of(a, Up::Smoothed { aggregates, first, up }, &pattern)?, modes)))
    }
    /// The blocks of the next level, by a step that is given.
    pub fn given(a: &Blocks<f64>, up: Blocks<f64>) -> Result<Self> {
        let pattern = up.pattern.clone();
        Self::of(a, Up::Given(up), &pattern)
    }
    fn of(a: &Blocks<f64>, up: Up, pattern: &Pattern) -> Result<Self> {
        let down = Transposition::new(pattern)?;
        let half = Product::of(&a.pattern, pattern)?;
        let coarse = Product::of(down.pattern(), half.pattern())?;
        Ok(Self { up, down, half, coarse })
    }
    /// The prolongation, its transpose, and the matrix of the next level.
    pub fn numbers(&self, a: &Blocks<f64>, inverse: &Buffer<f32>, greatest: f64) -> Result<[Blocks<f64>; 3]> {
        let up = match &self.up {
            Up::Smoothed { aggregates, first, up } => {
                let mut up = up.values(a, first)?;
                prolongation::smooth(&mut up, first, aggregates, inverse, greatest)?;
                up
            }
            Up::Given(up) => Blocks::of_pattern(up.pattern.clone(), up.shape(), up.values.try_clone()?)?,
        };
        let down = self.down.of(&up)?;
        let half = self.half.values(a, &up)?;
        let coarse = self.coarse.values(&down, &half)?;
        Ok([up, down, coarse])
    }
}

/// A matrix in either precision, as a cycle applies it.
enum Applied {
    Single(Blocks<f32>),
    Double(Blocks<f64>),
}
impl Applied {
    fn single(a: &Blocks<f64>) -> Result<Self> {
        let mut to = a.device().unspecified::<f32>(a.values.len())?;
        a.device().launch_each(a.values.len() as u32, Narrow { from: a.values.view(), to: to.view_mut() })?;
        Ok(Self::Single(Blocks::of_pattern(a.pattern.clone(), a.shape(), to)?))
    }
    fn bytes(&self) -> usize {
        match self {
            Self::Single(a) => a.bytes(),
            Self::Double(a) => a.bytes(),
        }
    }
    /// Numbers of a product.
    fn results(&self, lanes: u32) -> usize {
        let (rows, height) = match self {
            Self::Single(a) => (a.pattern.rows(), a.height),
            Self::Double(a) => (a.pattern.rows(), a.height),
        };
        rows * (height * lanes) as usize
    }
    fn multiply<V: Numbers>(
        &self,
        run: Run<'_>,
        what: u32,
        x: BufferView<'_, V>,
        b: BufferView<'_, V>,
        y: BufferViewMut<'_, V>,
    ) -> Result<()> {
        match self {
            Self::Single(a) => a.launch(run, what, x, b, y),
            Self::Double(a) => a.launch(run, what, x, b, y),
        }
    }
}

/// One level: its matrix, its relaxation, and the ways to the next one.
pub struct Level<V> {
    /// Unknowns of a node.
    size: u32,
    matrix: Applied,
    inverse: Buffer<f32>,
    greatest: f64,
    sweeps: u32,
    up: Applied,
    down: Applied,
    left: [Buffer<V>; 2],
    d: [Buffer<V>; 2],
    t: Buffer<V>,
    /// The right-hand side and the solution of the next level.
    pub below: [Buffer<V>; 2],
}
impl<V: Numbers> Level<V> {
    pub fn new(
        finest: bool,
        a: Blocks<f64>,
        (inverse, greatest): (Buffer<f32>, f64),
        [up, down]: [Blocks<f64>; 2],
        lanes: u32,
        sweeps: u32,
    ) -> Result<Self> {
        let (device, size) = (a.device().clone(), a.height);
        let empty = || device.zeros::<V>(0);
        let matrix = if finest && size_of::<V>() == size_of::<f32>() {
            Applied::single(&a)?
        } else {
            Applied::Double(a)
        };
        let mut level = Self {
            size,
            matrix,
            inverse,
            greatest,
            sweeps,
            up: Applied::single(&up)?,
            below: [empty()?, empty()?],
            down: Applied::single(&down)?,
            left: [empty()?, empty()?],
            d: [empty()?, empty()?],
            t: empty()?,
        };
        level.set_lanes(lanes)?;
        Ok(level)
    }
    pub fn bytes(&self) -> usize {
        let matrices = self.matrix.bytes() + self.up.bytes() + self.down.bytes() + self.inverse.bytes();
        matrices + 5 * self.t.bytes() + 2 * self.below[0].bytes()
    }
    /// Makes its vectors anew, for another number of lanes.
    pub fn set_lanes(&mut self, lanes: u32) -> Result<()> {
        let device = self.inverse.device().clone();
        let [own, next] = [&self.matrix, &self.down].map(|a| a.results(lanes));
        let (vector, coarse) = (|| device.zeros::<V>(own), || device.zeros::<V>(next));
        self.below = [coarse()?, coarse()?];
        self.left = [vector()?, vector()?];
        self.d = [vector()?, vector()?];
        self.t = vector()?;
        Ok(())
    }
    /// Starts from zero: relaxes, and passes the residual to the next level.
    pub fn descend<X: Vector<Real = V>>(&mut self, run: Run<'_>, b: &X, x: &mut X) -> Result<()> {
        self.relax(run, b, x, true)?;
        self.matrix.multiply(run, SUBTRACT, x.numbers(), b.numbers(), self.t.view_mut())?;
        self.down.multiply(run, SET, self.t.view(), BufferView::empty(), self.below[0].view_mut())
    }
    /// Adds the next level's correction, and relaxes.
    pub fn ascend<X: Vector<Real = V>>(&mut self, run: Run<'_>, b: &X, x: &mut X) -> Result<()> {
        self.up.multiply(run, ADD, self.below[1].view(), BufferView::empty(), x.numbers_mut())?;
        self.relax(run, b, x, false)
    }
    /// Steps of Chebyshev's iteration (Saad, *Iterative methods for sparse linear systems*, 2003, algorithm
    /// 12.1). Without fixed unknowns in the steps: their inverses are 0, and the residual at them is not
    /// read.
    fn relax<X: Vector<Real = V>>(&mut self, run: Run<'_>, b: &X, x: &mut X, from_zero: bool) -> Result<()> {
        let greatest = SAFE * self.greatest;
        let least = greatest / RATIO;
        let (theta, delta) = (0.5 * (greatest + least), 0.5 * (greatest - least));
        let sigma = theta / delta;
        let mut rho = 1.0 / sigma;
        for index in 0..self.sweeps {
            if index == 0 {
                let subtract = !from_zero;
                if subtract {
                    self.matrix.multiply(run, SET, x.numbers(), BufferView::empty(), self.t.view_mut())?;
                }
                let step =
                    Step { keep: 0.0, by: 1.0 / theta, subtract: subtract.into(), add: subtract.into() };
                self.step(run, step, Some(b.numbers()), x)?;
            } else {
                let next = 1.0 / (2.0 * sigma - rho);
                let step = Step { keep: next * rho, by: 2.0 * next / delta, subtract: 1, add: 1 };
                rho = next;
                if self.size == 1 {
                    self.step_rows(run, step, x)?;
                } else {
                    let d = self.d[0].view();
                    self.matrix.multiply(run, SET, d, BufferView::empty(), self.t.view_mut())?;
                    self.step(run, step, None, x)?;
                }
            }
        }
        Ok(())
    }
    /// A step, from b or from the residual of the last step.
    fn step<X: Vector<Real = V>>(
        &mut self,
        Run { lanes, state }: Run<'_>,
        step: Step,
        b: Option<BufferView<'_, V>>,
        x: &mut X,
    ) -> Result<()> {
        let (numbers, size, [one, two]) = (self.t.len() as u32, self.size, &mut self.left);
        let (inverse, t, device) = (self.inverse.view(), self.t.view(), self.inverse.device());
        let (from, to) = (b.unwrap_or(two.view()), one.view_mut());
        let (d, x) = (self.d[0].view_mut(), x.numbers_mut());
        if lanes.is_multiple_of(4) {
            let (quads, fours) = (numbers / 4, lanes / 4);
            let kernel = RelaxFours { quads, size, fours, step, state, inverse, from, t, to, d, x };
            device.launch(quads.div_ceil(ROWS), kernel)?;
        } else {
            let kernel = Relax { numbers, size, lanes, step, state, inverse, from, t, to, d, x };
            device.launch(numbers.div_ceil(ROWS), kernel)?;
        }
        self.left.swap(0, 1);
        Ok(())
    }
    /// The same with its product, where nodes have one unknown.
    fn step_rows<X: Vector<Real = V>>(
        &mut self,
        Run { lanes, state }: Run<'_>,
        step: Step,
        x: &mut X,
    ) -> Result<()> {
        let numbers = self.t.len() as u32;
        let ([to, from], [before, d]) = (&mut self.left, &mut self.d);
        let (inverse, from, before) = (self.inverse.view(), from.view(), before.view());
        let (to, d, x, device) = (to.view_mut(), d.view_mut(), x.numbers_mut(), self.inverse.device());
        let run = RunRows { numbers, lanes, step, state, inverse, from, before, to, d, x };
        match &self.matrix {
            Applied::Single(a) => run.launch(device, a)?,
            Applied::Double(a) => run.launch(device, a)?,
        }
        self.left.swap(0, 1);
        self.d.swap(0, 1);
        Ok(())
    }
}

/// The arguments of a step with its product, but for the matrix.
struct RunRows<'a, V> {
    numbers: u32,
    lanes: u32,
    step: Step,
    state: BufferView<'a, f64>,
    inverse: BufferView<'a, f32>,
    from: BufferView<'a, V>,
    before: BufferView<'a, V>,
    to: BufferViewMut<'a, V>,
    d: BufferViewMut<'a, V>,
    x: BufferViewMut<'a, V>,
}
impl<V: Numbers> RunRows<'_, V> {
    fn launch<M>(self, device: &Device, a: &Blocks<M>) -> Result<()>
    where
        M: Real,
        V: RelaxRowsTypes<M> + RelaxRowsFoursTypes<M>,
    {
        let Self { numbers, lanes, step, state, inverse, from, before, to, d, x } = self;
        let (rows, values) = (a.pattern.view(), a.values.view());
        if lanes.is_multiple_of(4) {
            let (quads, fours) = (numbers / 4, lanes / 4);
            let kernel =
                RelaxRowsFours { quads, fours, step, state, rows, values, inverse, from, before, to, d, x };
            return Ok(device.launch(quads.div_ceil(ROWS), kernel)?);
        }
        let kernel = RelaxRows { numbers, lanes, step, state, rows, values, inverse, from, before, to, d, x };
        Ok(device.launch(numbers.div_ceil(ROWS), kernel)?)
    }
}
