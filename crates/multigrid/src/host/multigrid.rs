//! Multigrid by smoothed aggregation.
use super::blocks::{Blocks, Run};
use super::coarsest::Coarsest;
use super::diagonal;
use super::error::{MultigridError, Result, fits, length};
use super::hierarchy::{Hierarchy, LevelSize};
use super::level::{Level, Plan};
use super::numbers::Numbers;
use super::spectrum::greatest_eigenvalue;
use crate::device::cycle::{Relax, Step};
use crate::device::diagonal::{FixModes, IsolateFixed};
use crate::device::rows::ROWS;
use ribbonmesh::device::{BufferView, BufferViewMut};
use ribbonmesh::{Buffer, array};
use ribbonmesh_linear::Vector;
use std::time::Instant;

/// Parameters of [`Multigrid`]. The defaults suit elasticity, heat flow and surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultigridOptions {
    /// Steps of Chebyshev's iteration before and after each correction, at least 1.
    pub sweeps: u32,
    /// Nodes are neighbours for aggregates if the length of their block is more than this by the geometric
    /// mean of both diagonal blocks' lengths; at least 0.
    pub strength: f64,
    /// Most unknowns of the coarsest level, which is solved by an inverse matrix; at most 4096.
    pub coarsest: usize,
}
impl Default for MultigridOptions {
    fn default() -> Self {
        Self { sweeps: 2, strength: 0.02, coarsest: 300 }
    }
}

/// The motions that cost no energy, or hardly any: what coarser levels must represent.
#[derive(Debug)]
pub enum Modes {
    /// The constant, for one unknown for each node.
    Constant,
    /// For each node of three unknowns the values of six motions, row by row: 18 numbers.
    Six(Buffer<f64>),
}

/// The coarsest level.
enum Last {
    /// An inverse matrix.
    Dense(Coarsest),
    /// The inverted blocks of the diagonal, where nodes depend on nothing else.
    Diagonal { size: u32, inverse: Buffer<f32> },
}

/// A preconditioner for symmetric positive definite matrices: the number of iterations hardly depends on the
/// number of nodes (Vaněk, Mandel and Brezina, *Algebraic multigrid by smoothed aggregation for second and
/// fourth order elliptic problems*, 1996).
///
/// The levels are made on the device from the matrix. Vectors are numbers of type `V`, those of unknown `i`
/// next to each other: `lanes` right-hand sides at once. The finest matrix is kept in the precision of
/// vectors, coarser ones in double precision, the ways between them in single precision. No sum depends on
/// the order of threads.
pub struct Multigrid<V> {
    options: MultigridOptions,
    lanes: u32,
    fixed: Option<Buffer<u32>>,
    plans: Vec<Plan>,
    levels: Vec<Level<V>>,
    last: Last,
    hierarchy: Hierarchy,
}
impl<V: Numbers> Multigrid<V> {
    /// Makes the levels of a matrix of blocks of 1 × 1 or 3 × 3 numbers, for vectors with `lanes` numbers for
    /// each unknown. Bit `k` of a node's word in `fixed` says that its unknown `k` is fixed: there the cycle
    /// gives 0.
    /// # Errors
    /// [`MultigridError::Size`] for other blocks, or for modes of another size;
    /// [`MultigridError::NotPositive`] names the first row whose diagonal block is not positive definite;
    /// [`MultigridError::Option`]; [`ribbonmesh::Error::Length`]; [`MultigridError::TooMany`]; out of memory;
    /// errors of the driver.
    pub fn new(
        matrix: Blocks<f64>,
        modes: Modes,
        fixed: Option<Buffer<u32>>,
        lanes: u32,
        options: MultigridOptions,
    ) -> Result<Self> {
        Self::with_first(matrix, None, modes, fixed, lanes, options)
    }
    /// The same where the first step is known: `first` gives the values of nodes from those of fewer nodes,
    /// which are the first ones and have the modes, in blocks of the matrix's size. A space of functions of
    /// order 2 has one of order 1 below it.
    /// # Errors
    /// As [`Multigrid::new`].
    pub fn with_first(
        matrix: Blocks<f64>,
        first: Option<Blocks<f64>>,
        modes: Modes,
        fixed: Option<Buffer<u32>>,
        lanes: u32,
        options: MultigridOptions,
    ) -> Result<Self> {
        check(&options, lanes)?;
        let started = Instant::now();
        length("columns of a square matrix", matrix.pattern().rows(), matrix.pattern().columns())?;
        let width = match &modes {
            Modes::Constant => 1,
            Modes::Six(_) => 6,
        };
        let (device, size) = (matrix.device().clone(), matrix.shape()[0]);
        if matrix.shape() != [size; 2] || (size, width) != (1, 1) && (size, width) != (3, 6) {
            let [height, width] = matrix.shape();
            let expected = "1 x 1 with constants and 3 x 3 with six motions";
            return Err(MultigridError::Size { what: "a matrix of blocks", height, width, expected });
        }
        let mut nodes = matrix.pattern().rows();
        if let Some(first) = &first {
            length("rows of the first step", nodes, first.pattern().rows())?;
            let [height, width] = first.shape();
            if height != size || width != size {
                let expected = "as large as those of the matrix";
                return Err(MultigridError::Size {
                    what: "blocks of the first step",
                    height,
                    width,
                    expected,
                });
            }
            nodes = first.pattern().columns();
        }
        let mut modes = match modes {
            Modes::Constant => {
                let mut ones = device.unspecified(nodes)?;
                array::fill(&mut ones, 1.0)?;
                ones
            }
            Modes::Six(modes) => modes,
        };
        length("numbers of the modes", nodes * size * width, modes.len())?;
        if let Some(words) = &fixed {
            length("words of fixed unknowns", matrix.pattern().rows(), words.len())?;
            let (n, words) = (modes.len() as u32, words.view());
            let (size, width) = (size as u32, width as u32);
            device.launch_each(n, FixModes { size, width, words, modes: modes.view_mut() })?;
        }
        let last = Last::Diagonal { size: 1, inverse: device.zeros(0)? };
        let hierarchy = Hierarchy { levels: vec![], seconds: 0.0, bytes: 0 };
        let mut made = Self { options, lanes, fixed, plans: vec![], levels: vec![], last, hierarchy };
        made.make(matrix, first, Some((width, modes)))?;
        made.hierarchy.seconds = started.elapsed().as_secs_f64();
        Ok(made)
    }
    /// The levels for other numbers in the same blocks: aggregates and the blocks of all levels stay.
    /// # Errors
    /// As [`Multigrid::new`].
    pub fn update(&mut self, matrix: Blocks<f64>) -> Result<()> {
        let started = Instant::now();
        let nodes = self.hierarchy.levels[0].nodes;
        length("rows of the matrix", nodes, matrix.pattern().rows())?;
        self.make(matrix, None, None)?;
        self.hierarchy.seconds = started.elapsed().as_secs_f64();
        Ok(())
    }
    /// The same levels for vectors with another number of lanes.
    /// # Errors
    /// [`MultigridError::Option`] for 0 lanes; [`MultigridError::TooMany`]; out of memory.
    pub fn set_lanes(&mut self, lanes: u32) -> Result<()> {
        if lanes != self.lanes {
            check(&self.options, lanes)?;
            fits("numbers of a vector", self.hierarchy.levels[0].unknowns as u64 * u64::from(lanes))?;
            self.lanes = lanes;
            self.levels.iter_mut().try_for_each(|level| level.set_lanes(lanes))?;
        }
        Ok(())
    }
    /// Makes the levels; without modes by the plans that there are.
    fn make(
        &mut self,
        mut a: Blocks<f64>,
        mut first: Option<Blocks<f64>>,
        mut modes: Option<(usize, Buffer<f64>)>,
    ) -> Result<()> {
        self.levels.clear();
        let mut sizes = vec![];
        let device = a.device().clone();
        let mut words = match &self.fixed {
            Some(fixed) => {
                isolate(&mut a, fixed)?;
                fixed.try_clone()?
            }
            None => device.zeros(a.pattern().rows())?,
        };
        self.last = loop {
            let (index, nodes, size) = (self.levels.len(), a.pattern().rows(), a.shape()[0]);
            sizes.push(LevelSize { nodes, unknowns: nodes * size, numbers: a.numbers().len() });
            let diagonal = diagonal::places(&a)?;
            let inverse = diagonal::inverse(&mut a, &diagonal, &mut words, index == 0)?;
            if nodes * size <= self.options.coarsest {
                break Last::Dense(Coarsest::new(&a, &words)?);
            }
            if let Some(first) = first.take() {
                self.plans.push(Plan::given(&a, first)?);
            } else if let Some((width, own)) = modes.take() {
                let plan = Plan::new(&a, &diagonal, &words, (width, &own), &self.options)?;
                if let Some((plan, next)) = plan {
                    self.plans.push(plan);
                    modes = Some((width, next));
                }
            }
            let Some(plan) = self.plans.get(index) else {
                break Last::Diagonal { size: size as u32, inverse };
            };
            let greatest = greatest_eigenvalue(&a, &inverse)?;
            let [up, down, coarse] = plan.numbers(&a, &inverse, greatest)?;
            let smoother = (inverse, greatest);
            let sweeps = self.options.sweeps;
            self.levels.push(Level::new(index == 0, a, smoother, [up, down], self.lanes, sweeps)?);
            a = coarse;
            words = device.zeros(a.pattern().rows())?;
        };
        let last = match &self.last {
            Last::Dense(inverse) => inverse.bytes(),
            Last::Diagonal { inverse, .. } => inverse.bytes(),
        };
        self.hierarchy.levels = sizes;
        self.hierarchy.bytes = last + self.levels.iter().map(Level::bytes).sum::<usize>();
        device.synchronize()?;
        Ok(())
    }
    /// The levels.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }
    /// The numbers of a vector.
    pub fn numbers(&self) -> usize {
        self.hierarchy.levels[0].unknowns * self.lanes as usize
    }
    /// z = M r: one cycle from zero. Does not wait; does nothing if `state` is that of a solve that has
    /// ended, and not empty.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; errors of launches.
    pub fn apply<X: Vector<Real = V>>(&mut self, state: BufferView<'_, f64>, r: &X, z: &mut X) -> Result<()> {
        length("numbers of the residual", self.numbers(), r.numbers().len())?;
        length("numbers of the result", self.numbers(), z.numbers().len())?;
        let run = Run { lanes: self.lanes, state };
        let Some((first, rest)) = self.levels.split_first_mut() else {
            return self.last.solve(run, r.numbers(), z.numbers_mut());
        };
        first.descend(run, r, z)?;
        below(run, &mut first.below, rest, &self.last)?;
        first.ascend(run, r, z)
    }
}
/// Solves for the right-hand side of a level, on that level and those below.
fn below<V: Numbers>(
    run: Run<'_>,
    [b, x]: &mut [Buffer<V>; 2],
    levels: &mut [Level<V>],
    last: &Last,
) -> Result<()> {
    let Some((first, rest)) = levels.split_first_mut() else {
        return last.solve(run, b.view(), x.view_mut());
    };
    first.descend(run, b, x)?;
    below(run, &mut first.below, rest, last)?;
    first.ascend(run, b, x)
}
impl Last {
    fn solve<V: Numbers>(&self, run: Run<'_>, b: BufferView<'_, V>, x: BufferViewMut<'_, V>) -> Result<()> {
        match self {
            Self::Dense(inverse) => inverse.solve(run.lanes, run.state, b, x),
            Self::Diagonal { size, inverse } => {
                let numbers = x.len() as u32;
                let device = inverse.device();
                let mut unused = [device.unspecified::<V>(x.len())?, device.unspecified::<V>(x.len())?];
                let [to, d] = &mut unused;
                let step = Step { keep: 0.0, by: 1.0, subtract: 0, add: 0 };
                let relax = Relax {
                    numbers,
                    size: *size,
                    lanes: run.lanes,
                    step,
                    state: run.state,
                    inverse: inverse.view(),
                    from: b,
                    t: BufferView::empty(),
                    to: to.view_mut(),
                    d: d.view_mut(),
                    x,
                };
                Ok(device.launch(numbers.div_ceil(ROWS), relax)?)
            }
        }
    }
}
/// Rows and columns of fixed unknowns become those of the unit matrix.
fn isolate(a: &mut Blocks<f64>, words: &Buffer<u32>) -> Result<()> {
    let (device, n, size) = (words.device().clone(), a.numbers().len() as u32, a.height);
    let pattern = a.pattern.clone();
    let kernel = IsolateFixed {
        size,
        rows: pattern.rows.view(),
        columns: pattern.indices.view(),
        words: words.view(),
        values: a.values.view_mut(),
    };
    Ok(device.launch_each(n, kernel)?)
}
fn check(options: &MultigridOptions, lanes: u32) -> Result<()> {
    let refuse = |option, value, expected| Err(MultigridError::Option { option, value, expected });
    if options.sweeps == 0 {
        return refuse("sweeps", 0.0, "at least 1");
    }
    if !(options.strength >= 0.0 && options.strength.is_finite()) {
        return refuse("strength", options.strength, "a number that is not negative");
    }
    if options.coarsest > 4096 {
        return refuse("coarsest", options.coarsest as f64, "at most 4096");
    }
    if lanes == 0 {
        return refuse("lanes", 0.0, "at least 1");
    }
    Ok(())
}
impl<V> std::fmt::Debug for Multigrid<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Multigrid with {}", self.hierarchy)
    }
}
