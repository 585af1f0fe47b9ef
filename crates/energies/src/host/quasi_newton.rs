//! L-BFGS, with a matrix of one's own for the first guess.
use super::error::{EnergyError, Result, length};
use super::objective::Objective;
use super::report::{Ended, MinimumReport};
use super::search::{SAFE, backtrack};
use super::solver::Solver;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_linear::{axpby, dot};
use std::collections::VecDeque;

/// Parameters of [`quasi_newton`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuasiNewtonOptions {
    /// The search ends when the gradient is this part of the first one; above 0.
    pub tolerance: f64,
    /// Iterations at most.
    pub iterations: usize,
    /// Steps that are remembered. With 0 and a matrix of one's own this is a method of that matrix alone:
    /// Gauss and Newton's, or the alternation of rotations and positions.
    pub memory: usize,
}
impl Default for QuasiNewtonOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, iterations: 1000, memory: 8 }
    }
}
/// The first guess of the Hessian, before any step is remembered.
#[derive(Debug)]
pub enum Metric<'a> {
    /// A multiple of the unit matrix, as the last step tells.
    Unit,
    /// A matrix with its levels, and the residual to which its systems are solved.
    Matrix(&'a mut Solver, f64),
}
impl Metric<'_> {
    fn solve(&mut self, q: &Buffer<f64>, to: &mut Buffer<f64>, last: Option<&Pair>) -> Result<usize> {
        match self {
            Self::Unit => {
                let by = last.map_or(1.0, |last| last.sy / last.yy);
                axpby(q.device(), by, q, 0.0, to)?;
                Ok(0)
            }
            Self::Matrix(solver, tolerance) => Ok(solver.solve(q, to, *tolerance)?.iterations),
        }
    }
}
/// A step with the change of the gradient.
struct Pair {
    s: Buffer<f64>,
    y: Buffer<f64>,
    sy: f64,
    yy: f64,
}

/// Finds a minimum near `x` by L-BFGS (Nocedal 1980), which needs gradients alone, and the same as Laplacian
/// steps that learn from each other if the metric is a matrix (Liu, Bouaziz and Kavan, *Quasi-Newton Methods
/// for Real-Time Simulation of Hyperelastic Materials*, 2017). The line search stays where no element turns
/// inside out. Fixed unknowns as of [`newton`](crate::newton). The host reads some 20 numbers for each step.
/// # Errors
/// As [`newton`](crate::newton).
pub fn quasi_newton<O: Objective>(
    objective: &mut O,
    mut metric: Metric<'_>,
    fixed: &Buffer<u32>,
    x: &mut Buffer<f64>,
    options: &QuasiNewtonOptions,
) -> Result<MinimumReport> {
    if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
        let (option, value) = ("tolerance", options.tolerance);
        return Err(EnergyError::Option { option, value, expected: "between 0 and 1" });
    }
    let device = x.device().clone();
    length("coordinates of vertices", 3 * objective.pattern().rows(), x.len())?;
    let fixed = objective.fixed(fixed)?;
    let zeros = || device.zeros::<f64>(x.len());
    let (mut g, mut d, mut next, mut next_g) = (zeros()?, zeros()?, zeros()?, zeros()?);
    let mut memory = Memory { pairs: VecDeque::new(), q: zeros()?, most: options.memory };
    let mut report = MinimumReport::new();
    let mut value = objective.gradient(x, &fixed, &mut g)?;
    if !value.is_finite() {
        return Err(EnergyError::Start { value });
    }
    loop {
        let length = dot(&device, &g, &g)?.sqrt();
        report.energies.push(value);
        report.gradients.push(length);
        if length <= options.tolerance * report.gradients[0] {
            return Ok(report.end(Ended::Converged));
        }
        if report.iterations == options.iterations {
            return Ok(report.end(Ended::Iterations));
        }
        let mut slope = memory.direction(&device, &g, &mut metric, &mut d, &mut report)?;
        let descends = slope < 0.0;
        if !descends {
            memory.pairs.clear();
            slope = memory.direction(&device, &g, &mut metric, &mut d, &mut report)?;
        }
        let mut first = (SAFE * objective.longest_step(x, &d)?).min(1.0);
        if matches!(metric, Metric::Unit) && memory.pairs.is_empty() {
            // nothing is known of the scale yet: no longer than the positions' own
            let (size, reach) = (dot(&device, x, x)?.sqrt(), dot(&device, &d, &d)?.sqrt());
            first = first.min(1e-2 * if size > 0.0 { size } else { 1.0 } / reach);
        }
        let evaluate = |x: &Buffer<f64>| objective.gradient(x, &fixed, &mut next_g);
        let Some(step) = backtrack((x, value), (&d, slope), first, &mut next, evaluate)? else {
            if memory.pairs.is_empty() {
                return Ok(report.end(Ended::Rounding));
            }
            // what was remembered misleads
            memory.pairs.clear();
            report.energies.pop();
            report.gradients.pop();
            continue;
        };
        report.evaluations += step.evaluations;
        value = step.value;
        memory.remember(&device, [x, &next], [&g, &next_g])?;
        std::mem::swap(x, &mut next);
        std::mem::swap(&mut g, &mut next_g);
        report.iterations += 1;
    }
}

/// The steps that are remembered, the oldest first.
struct Memory {
    pairs: VecDeque<Pair>,
    q: Buffer<f64>,
    most: usize,
}
impl Memory {
    /// The direction for a gradient: the two loops of Nocedal. The slope.
    fn direction(
        &mut self,
        device: &Device,
        g: &Buffer<f64>,
        metric: &mut Metric<'_>,
        d: &mut Buffer<f64>,
        report: &mut MinimumReport,
    ) -> Result<f64> {
        axpby(device, -1.0, g, 0.0, &mut self.q)?;
        let mut weights = vec![];
        for pair in self.pairs.iter().rev() {
            let weight = dot(device, &pair.s, &self.q)? / pair.sy;
            axpby(device, -weight, &pair.y, 1.0, &mut self.q)?;
            weights.push(weight);
        }
        report.linear_iterations += metric.solve(&self.q, d, self.pairs.back())?;
        for (pair, weight) in self.pairs.iter().zip(weights.into_iter().rev()) {
            let other = dot(device, &pair.y, d)? / pair.sy;
            axpby(device, weight - other, &pair.s, 1.0, d)?;
        }
        Ok(dot(device, g, d)?)
    }
    /// Remembers a step, unless the energy bends the other way along it.
    fn remember(&mut self, device: &Device, x: [&Buffer<f64>; 2], g: [&Buffer<f64>; 2]) -> Result<()> {
        if self.most == 0 {
            return Ok(());
        }
        let difference = |[before, after]: [&Buffer<f64>; 2]| -> Result<Buffer<f64>> {
            let mut to = after.try_clone()?;
            axpby(device, -1.0, before, 1.0, &mut to)?;
            Ok(to)
        };
        let (s, y) = (difference(x)?, difference(g)?);
        let (sy, yy) = (dot(device, &s, &y)?, dot(device, &y, &y)?);
        let ss = dot(device, &s, &s)?;
        if sy > 1e-12 * (ss * yy).sqrt() {
            if self.pairs.len() == self.most {
                self.pairs.pop_front();
            }
            self.pairs.push_back(Pair { s, y, sy, yy });
        }
        Ok(())
    }
}
