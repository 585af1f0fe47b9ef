//! Conjugate gradients.
use super::operator::{Operator, Preconditioner};
use super::vector::{Vector, blocks};
use crate::device::kernels::{Advance, Axpby, BEGIN, Product, REFER, STEP, Turn, WEIGH, WORDS};
use crate::device::packed::Packs;
use crate::device::scalars::{
    BROKEN, CONVERGED, ITERATIONS, OUTCOME, REFERENCE, RR, STATE, ScalarsArguments,
};
use ribbonmesh::device::{BufferView, BufferViewMut, GROUPED_ARRIVALS, TILE, tiles};
use ribbonmesh::{Buffer, Device, Error, Result};

/// The conditions under which a solve ends without a solution, and the interval between two looks of the
/// host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Iterations at most.
    pub iterations: usize,
    /// Iterations between two looks of the host at the outcome, each of which waits; 0 counts as 1.
    pub look: usize,
}

/// The outcome of a solve so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The tolerance is not reached.
    Running,
    /// The residual that the iterations carry along is within the tolerance.
    Converged,
    /// A scalar product is not finite, or not positive where it must be.
    Broken,
}
/// The progress of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The outcome so far.
    pub outcome: Outcome,
    /// Iterations done.
    pub iterations: usize,
    /// The squared length of the residual.
    pub rr: f64,
    /// The square of the number to which the tolerance is relative: of the length of the first residual, or
    /// of the length that [`Run::refer`] got.
    pub reference: f64,
}
impl Progress {
    /// The length of the residual relative to the reference; 0 where that is 0.
    pub fn residual(&self) -> f64 {
        if self.reference > 0.0 { (self.rr / self.reference).sqrt() } else { 0.0 }
    }
}

/// The scalars of a solve on the device, and steps over vectors that need them.
#[derive(Debug)]
pub struct Run {
    device: Device,
    state: Buffer<f64>,
    /// Two numbers per block.
    partials: Buffer<f64>,
    arrived: Buffer<u32>,
    tolerance2: f64,
}
impl Run {
    fn new(device: &Device, blocks: u32) -> Result<Self> {
        Ok(Self {
            device: device.clone(),
            state: device.zeros(STATE)?,
            partials: device.zeros_on_all_cards(2 * blocks as usize)?,
            arrived: device.zeros_on_all_cards(GROUPED_ARRIVALS)?,
            tolerance2: 0.0,
        })
    }
    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// As an argument of a kernel that ends with a sum.
    pub fn scalars(&mut self) -> ScalarsArguments<'_> {
        let [state, partials] = [&mut self.state, &mut self.partials].map(Buffer::view_mut);
        ScalarsArguments::new(state, partials, self.arrived.view_mut(), self.tolerance2)
    }
    /// As an argument of a kernel that reads scalars.
    pub fn state(&self) -> BufferView<'_, f64> {
        self.state.view()
    }
    /// Begins with r·r. One launch, for operators whose own kernels do not.
    /// # Errors
    /// [`Error::Length`]; errors of the driver.
    pub fn begin<V: Vector>(&mut self, r: &V) -> Result<()> {
        self.product(BEGIN, r, r)
    }
    /// p = z + β p. One launch.
    /// # Errors
    /// [`Error::Length`]; errors of the driver.
    pub fn turn<V: Vector>(&self, z: &V, p: &mut V) -> Result<()> {
        let (z, p) = (z.numbers(), p.numbers_mut());
        same(z.len(), p.len())?;
        let n = z.len() as u32;
        self.device.launch(tiles(n), Turn { n, state: self.state.view(), z, p })
    }
    /// α = r·z / p·q. One launch.
    /// # Errors
    /// [`Error::Length`]; errors of the driver.
    pub fn step<V: Vector>(&mut self, p: &V, q: &V) -> Result<()> {
        self.product(STEP, p, q)
    }
    /// β of r·z. One launch.
    /// # Errors
    /// [`Error::Length`]; errors of the driver.
    pub fn weigh<V: Vector>(&mut self, r: &V, z: &V) -> Result<()> {
        self.product(WEIGH, r, z)
    }
    /// Makes the tolerance relative to b·b, for [`Scalars::begin_relative`](crate::Scalars::begin_relative).
    /// One launch.
    /// # Errors
    /// [`Error::Length`]; errors of the driver.
    pub fn refer<V: Vector>(&mut self, b: &V) -> Result<()> {
        self.product(REFER, b, b)
    }
    fn product<V: Vector>(&mut self, then: u32, x: &V, y: &V) -> Result<()> {
        let (x, y) = (x.numbers(), y.numbers());
        same(x.len(), y.len())?;
        self.check_blocks(blocks(x.len()))?;
        let device = self.device.clone();
        let n = x.len() as u32;
        let each = TILE * several(tiles(n));
        device.launch(n.div_ceil(each), Product { n, each, then, x, y, scalars: self.scalars() })
    }
    /// x += α p, r -= α q, r·r. One launch.
    /// # Errors
    /// [`Error::Length`]; errors of the driver.
    pub fn advance<V: Vector>(&mut self, with: &mut Vectors<V>, x: &mut V) -> Result<()> {
        let (p, q) = (with.p.numbers(), with.q.numbers());
        let (x, r) = (x.numbers_mut(), with.r.numbers_mut());
        for other in [q.len(), x.len(), r.len()] {
            same(p.len(), other)?;
        }
        self.check_blocks(blocks(p.len()))?;
        let device = self.device.clone();
        let n = p.len() as u32;
        let words = n.div_ceil(<V::Real as Packs>::LANES);
        let each = WORDS * several(words.div_ceil(WORDS));
        device.launch(words.div_ceil(each), Advance { n, each, scalars: self.scalars(), p, q, x, r })
    }
    fn check_blocks(&self, blocks: u32) -> Result<()> {
        let (expected, found) = (2 * blocks as usize, self.partials.len());
        if found < expected {
            return Err(Error::Length { what: "sums of blocks", expected, found });
        }
        Ok(())
    }
}
/// Pieces that a block takes one after the other, where there are so many: each block waits for its sum to
/// arrive.
fn several(pieces: u32) -> u32 {
    (pieces / ENOUGH).clamp(1, 8)
}
/// Blocks that occupy a GPU for some time.
const ENOUGH: u32 = 4096;
fn same(expected: usize, found: usize) -> Result<()> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::Length { what: "numbers of a vector", expected, found })
    }
}

/// The vectors of an iteration.
#[derive(Debug)]
pub struct Vectors<V> {
    /// The residual.
    pub r: V,
    /// The direction.
    pub p: V,
    /// The matrix times the direction.
    pub q: V,
}

/// Conjugate gradients for a symmetric positive definite matrix (Hestenes and Stiefel 1952).
///
/// Scalar products are sums over all numbers in `f64`, and stay on the device; so do α, β and the outcome, at
/// which the host looks now and then. Once a solve has ended, launches return at once. The same bits in every
/// run on a machine.
#[derive(Debug)]
pub struct ConjugateGradients<V> {
    vectors: Vectors<V>,
    run: Run,
}
impl<V: Vector> ConjugateGradients<V> {
    /// A solver with three vectors of zeros. Kernels of the operator that end with a sum have at most
    /// `most_blocks` blocks.
    /// # Errors
    /// Errors of `zeros`; out of memory.
    pub fn new<E: From<Error>>(
        device: &Device,
        most_blocks: u32,
        zeros: impl Fn() -> std::result::Result<V, E>,
    ) -> std::result::Result<Self, E> {
        let vectors = Vectors { r: zeros()?, p: zeros()?, q: zeros()? };
        let most_blocks = most_blocks.max(blocks(vectors.r.numbers().len()));
        Ok(Self { vectors, run: Run::new(device, most_blocks)? })
    }
    /// The vectors, which hold nothing of use between two solves.
    pub fn vectors(&mut self) -> &mut Vectors<V> {
        &mut self.vectors
    }
    /// Begins a solve, which ends when the residual is `tolerance` of the reference: `first` computes r = b -
    /// A x, and its last kernel ends with [`Scalars::begin`](crate::Scalars::begin).
    /// # Errors
    /// Errors of `first`.
    pub fn begin<E>(
        &mut self,
        tolerance: f64,
        first: impl FnOnce(&mut Vectors<V>, &mut Run) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.run.tolerance2 = tolerance * tolerance;
        first(&mut self.vectors, &mut self.run)
    }
    /// One iteration; waits for nothing. Does nothing once the solve has ended.
    /// # Errors
    /// Errors of launches.
    pub fn iterate<A: Operator<Vector = V>>(
        &mut self,
        a: &mut A,
        preconditioner: Option<&mut dyn Preconditioner<V, A::Error>>,
        x: &mut V,
    ) -> std::result::Result<(), A::Error> {
        let Vectors { r, p, q } = &mut self.vectors;
        match preconditioner {
            Some(preconditioner) => {
                let z = preconditioner.apply(self.run.state(), r)?;
                a.weigh(r, z, &mut self.run)?;
                a.direct(z, p, q, &mut self.run)?;
            }
            None => a.direct(r, p, q, &mut self.run)?,
        }
        a.advance(&mut self.vectors, x, &mut self.run)
    }
    /// The state of the solve; waits for its iterations.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn look(&self) -> Result<Progress> {
        let state = self.run.state.read()?;
        let [rr, reference, iterations, outcome] =
            [RR, REFERENCE, ITERATIONS, OUTCOME].map(|i| state[i as usize]);
        let outcome = if outcome == CONVERGED {
            Outcome::Converged
        } else if outcome == BROKEN {
            Outcome::Broken
        } else {
            Outcome::Running
        };
        Ok(Progress { outcome, iterations: iterations as usize, rr, reference })
    }
    /// Iterates until the solve that has begun is done. [`Outcome::Running`]: the tolerance is not reached
    /// within the allowed number of iterations.
    /// # Errors
    /// Errors of launches; errors of earlier kernels or of the driver.
    pub fn finish<A: Operator<Vector = V>>(
        &mut self,
        a: &mut A,
        mut preconditioner: Option<&mut dyn Preconditioner<V, A::Error>>,
        x: &mut V,
        limits: &Limits,
    ) -> std::result::Result<Progress, A::Error> {
        let mut done = 0;
        loop {
            let progress = self.look()?;
            if progress.outcome != Outcome::Running || done >= limits.iterations {
                return Ok(progress);
            }
            for _ in 0..limits.look.max(1).min(limits.iterations - done) {
                // a reborrow, with a shorter life than the one that was given
                let own: Option<&mut dyn Preconditioner<V, A::Error>> = match &mut preconditioner {
                    Some(own) => Some(&mut **own),
                    None => None,
                };
                self.iterate(a, own, x)?;
                done += 1;
            }
        }
    }
}

/// `y = a x + b y`; the old values are not read if `b` is 0. One pass; does not wait.
/// # Errors
/// [`Error::Length`]; errors of the driver.
pub fn axpby<V: Vector>(device: &Device, a: V::Real, x: &V, b: V::Real, y: &mut V) -> Result<()> {
    let (x, y): (BufferView<'_, _>, BufferViewMut<'_, _>) = (x.numbers(), y.numbers_mut());
    same(x.len(), y.len())?;
    device.launch_each(x.len() as u32, Axpby { a, b, x, y })
}
/// The sum of the products of all numbers, in `f64`. The same bits in every run on a machine. One pass;
/// waits.
/// # Errors
/// [`Error::Length`]; out of memory; errors of earlier kernels or of the driver.
pub fn dot<V: Vector>(device: &Device, x: &V, y: &V) -> Result<f64> {
    let mut run = Run::new(device, blocks(x.numbers().len()))?;
    run.product(REFER, x, y)?;
    Ok(run.state.read()?[REFERENCE as usize])
}
