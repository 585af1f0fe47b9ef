//! Conjugate gradients with multigrid on matrices that are listed, not assembled.
use super::Clock;
use anyhow::{Result, ensure};
use ribbonmesh::{Buffer, Device, array};
use ribbonmesh_linear::{ConjugateGradients, Limits, Outcome, axpby};
use ribbonmesh_multigrid::{Blocks, Cycle, Lanes, Modes, Multigrid, MultigridError, MultigridOptions};
use ribbonmesh_suite::Random;
use serde::Serialize;

/// The length of the residual, as a part of the first one, at which a solution ends.
const TOLERANCE: f64 = 1e-6;

/// A matrix by its kind and size.
#[derive(Clone, Copy, Debug)]
pub enum Case {
    /// The Laplacian of a square grid of triangles with so many nodes at a side, and a little mass.
    Grid(u32),
    /// The same, where squares of it are a million times as stiff as others.
    Contrast(u32),
    /// Springs from each node of a box to its 26 neighbours; one end is held. Nodes at both sides of that
    /// end, and along it.
    Springs(u32, u32),
    /// The same, whose other half is a million times as stiff.
    SpringsContrast(u32, u32),
}

/// One matrix. Times are in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// Its kind.
    pub matrix: &'static str,
    /// Its unknowns.
    pub unknowns: usize,
    /// Its numbers.
    pub numbers: usize,
    /// Making the levels.
    pub levels_ms: f64,
    /// Making them again for other numbers in the same blocks.
    pub again_ms: f64,
    /// Solving for a random right-hand side.
    pub solve_ms: f64,
    /// A product with the matrix.
    pub product_ms: f64,
    /// Iterations of the solution.
    pub iterations: usize,
    /// Numbers of the matrices of all levels by those of the first.
    pub operator_complexity: f64,
}

/// The matrices.
pub fn cases(on_cpu: bool) -> Vec<Case> {
    if on_cpu {
        return vec![Case::Grid(400), Case::Contrast(400), Case::Springs(20, 20), Case::Springs(8, 200)];
    }
    vec![
        Case::Grid(400),
        Case::Grid(800),
        Case::Grid(1612),
        Case::Contrast(800),
        Case::Springs(37, 37),
        Case::Springs(74, 74),
        Case::SpringsContrast(50, 50),
        Case::Springs(10, 1000),
    ]
}

/// Rows of blocks of `size` × `size` numbers on the host, columns ascending.
struct Rows {
    size: usize,
    starts: Vec<u32>,
    columns: Vec<u32>,
    numbers: Vec<f64>,
}
impl Rows {
    /// From the blocks beside the diagonal of each row, columns ascending, which `around` gives to a function
    /// one after the other; each diagonal block is what makes sums of rows `mass`.
    fn new(nodes: u32, size: usize, mass: f64, around: impl Fn(u32, &mut dyn FnMut(u32, &[f64]))) -> Self {
        let mut made = Self { size, starts: vec![0], columns: vec![], numbers: vec![] };
        let square = size * size;
        let mut own = vec![0.0; square];
        for node in 0..nodes {
            own.fill(0.0);
            (0..size).for_each(|k| own[k * size + k] = mass);
            let (mut place, first) = (None, made.columns.len());
            around(node, &mut |column, block| {
                if column > node && place.is_none() {
                    place = Some(made.columns.len());
                    made.columns.push(node);
                    made.numbers.extend(&own);
                }
                own.iter_mut().zip(block).for_each(|(own, other)| *own -= other);
                made.columns.push(column);
                made.numbers.extend(block);
            });
            let place = place.unwrap_or_else(|| {
                made.columns.push(node);
                made.numbers.extend(&own);
                made.columns.len() - 1
            });
            made.numbers[place * square..][..square].copy_from_slice(&own);
            debug_assert!(made.columns[first..].is_sorted());
            made.starts.push(made.columns.len() as u32);
        }
        made
    }
    fn upload(&self, device: &Device) -> Result<Blocks<f64>> {
        let [starts, columns] = [device.upload(&self.starts)?, device.upload(&self.columns)?];
        let numbers = device.upload(&self.numbers)?;
        Ok(Blocks::new(self.starts.len() - 1, [self.size; 2], starts, columns, numbers)?)
    }
    /// The same where rows and columns of fixed nodes are those of the unit matrix.
    fn free(&self, fixed: &[u32]) -> Self {
        let (size, numbers) = (self.size, self.numbers.clone());
        let mut made = Self { size, starts: self.starts.clone(), columns: self.columns.clone(), numbers };
        let is_fixed = |node: u32| fixed.get(node as usize).is_some_and(|word| *word != 0);
        for row in 0..self.starts.len() as u32 - 1 {
            for at in self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize {
                let column = self.columns[at];
                if is_fixed(row) || is_fixed(column) {
                    let block = &mut made.numbers[at * size * size..][..size * size];
                    for (k, number) in block.iter_mut().enumerate() {
                        *number = f64::from(u8::from(row == column && k % (size + 1) == 0));
                    }
                }
            }
        }
        made
    }
}

/// The Laplacian of a grid of `n` × `n` nodes.
fn grid(n: u32, stiff: impl Fn(u32, u32) -> f64) -> Rows {
    const AROUND: [(i64, i64); 6] = [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1)];
    Rows::new(n * n, 1, 1e-3, |node, add| {
        let (i, j) = (node / n, node % n);
        for (di, dj) in AROUND {
            let to = [i64::from(i) + di, i64::from(j) + dj];
            if to.iter().all(|x| (0..i64::from(n)).contains(x)) {
                let [k, l] = to.map(|x| x as u32);
                let diagonal = if di == dj { 0.3 } else { 1.0 };
                add(k * n + l, &[-0.5 * diagonal * (stiff(i, j) + stiff(k, l))]);
            }
        }
    })
}

/// Springs in a box of `n` × `n` × `long` nodes, whose stiffness depends on the layer.
fn springs(n: u32, long: u32, stiff: impl Fn(u32) -> f64) -> Rows {
    Rows::new(n * n * long, 3, 0.0, |node, add| {
        let from = [node % n, node / n % n, node / (n * n)];
        for step in 0..27_i64 {
            let d = [step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1];
            let to = [0, 1, 2].map(|k| i64::from(from[k]) + d[k]);
            let inside = to.iter().zip([n, n, long]).all(|(x, n)| (0..i64::from(n)).contains(x));
            if d == [0; 3] || !inside {
                continue;
            }
            let [i, j, k] = to.map(|x| x as u32);
            let length: i64 = d.iter().map(|x| x * x).sum();
            // springs between two layers have the stiffness of the lower one
            let by = stiff(from[2].min(k)) / length as f64;
            let block: [f64; 9] = std::array::from_fn(|m| -by * (d[m / 3] * d[m % 3]) as f64);
            add((k * n + j) * n + i, &block);
        }
    })
}

/// The six rigid motions at each node of that box, row by row.
fn motions(n: u32, long: u32) -> Vec<f64> {
    let middle = [n, n, long].map(|n| 0.5 * f64::from(n - 1));
    let of = |node: u32| {
        let at = [node % n, node / n % n, node / (n * n)];
        let [x, y, z] = [0, 1, 2].map(|k| f64::from(at[k]) - middle[k]);
        [1.0, 0.0, 0.0, 0.0, z, -y, 0.0, 1.0, 0.0, -z, 0.0, x, 0.0, 0.0, 1.0, y, -x, 0.0]
    };
    (0..n * n * long).flat_map(of).collect()
}

impl Case {
    fn name(self) -> &'static str {
        match self {
            Self::Grid(_) => "grid of triangles",
            Self::Contrast(_) => "the same, contrast of 10⁶ in a chequerboard",
            Self::Springs(n, long) if n == long => "springs between 27 nodes, a cube held at a side",
            Self::Springs(..) => "the same, a slender beam held at an end",
            Self::SpringsContrast(..) => "the same cube, one half 10⁶ times as stiff",
        }
    }
    /// The matrix, and its fixed nodes.
    fn rows(self) -> (Rows, Vec<u32>) {
        let held =
            |n: u32, long: u32| (0..n * n * long).map(|node| if node < n * n { 7 } else { 0 }).collect();
        match self {
            Self::Grid(n) => (grid(n, |_, _| 1.0), vec![]),
            Self::Contrast(n) => (grid(n, |i, j| if (i / 13 + j / 11) % 2 == 0 { 1e6 } else { 1.0 }), vec![]),
            Self::Springs(n, long) => (springs(n, long, |_| 1.0), held(n, long)),
            Self::SpringsContrast(n, long) => {
                (springs(n, long, |k| if k < long / 2 { 1.0 } else { 1e6 }), held(n, long))
            }
        }
    }
    fn modes(self, device: &Device) -> Result<Modes> {
        Ok(match self {
            Self::Grid(_) | Self::Contrast(_) => Modes::Constant,
            Self::Springs(n, long) | Self::SpringsContrast(n, long) => {
                Modes::Six(device.upload(&motions(n, long))?)
            }
        })
    }
}

/// Measures a matrix.
pub fn measure(clock: Clock<'_>, case: &Case) -> Result<Solved> {
    let device = clock.device;
    let (rows, fixed) = case.rows();
    let n = (rows.starts.len() - 1) * rows.size;
    let words = || -> Result<Option<Buffer<u32>>> {
        Ok(if fixed.is_empty() { None } else { Some(device.upload(&fixed)?) })
    };
    let free = rows.free(&fixed).upload(device)?;
    let all = rows.upload(device)?;
    let copy = || -> Result<_> {
        Ok(Blocks::of_pattern(all.pattern().clone(), all.shape(), all.numbers().try_clone()?)?)
    };
    // the copies are made before the clock starts
    let mut given: Vec<_> =
        (0..clock.times()).map(|_| Ok((copy()?, case.modes(device)?, words()?))).collect::<Result<_>>()?;
    let (levels_ms, mut multigrid) = clock.median(|| {
        let (matrix, modes, words) = given.pop().expect("one for each run");
        Ok(Multigrid::<f64>::new(matrix, modes, words, 1, MultigridOptions::default())?)
    })?;
    let mut given: Vec<_> = (0..clock.times()).map(|_| copy()).collect::<Result<_>>()?;
    let (again_ms, ()) = clock.median(|| Ok(multigrid.update(given.pop().expect("one for each run"))?))?;
    let mut random = Random(9);
    let is_fixed = |i: usize| fixed.get(i / rows.size).is_some_and(|word| *word != 0);
    let b: Vec<f64> = (0..n)
        .map(|i| if is_fixed(i) { 0.0 } else { f64::from(random.below(2001)) / 1000.0 - 1.0 })
        .collect();
    let b = device.upload(&b)?;
    let (mut z, mut x) = (device.zeros::<f64>(n)?, device.zeros::<f64>(n)?);
    let mut solver = ConjugateGradients::new::<MultigridError>(device, 0, || Ok(device.zeros(n)?))?;
    let (solve_ms, progress) = clock.median(|| {
        array::fill(&mut x, 0.0)?;
        solver.begin(TOLERANCE, |to, run| {
            axpby(run.device(), 1.0, &b, 0.0, &mut to.r)?;
            run.begin(&to.r)
        })?;
        let limits = Limits { iterations: 500, look: 3 };
        let mut cycle = Cycle { multigrid: &mut multigrid, z: &mut z };
        let mut matrix = Lanes { matrix: &free, lanes: 1 };
        Ok(solver.finish(&mut matrix, Some(&mut cycle), &mut x, &limits)?)
    })?;
    ensure!(progress.outcome == Outcome::Converged, "{}: {progress:?}", case.name());
    let (product_ms, ()) = clock.median(|| Ok(free.multiply(1, &b, &mut z)?))?;
    Ok(Solved {
        matrix: case.name(),
        unknowns: n,
        numbers: rows.numbers.len(),
        levels_ms,
        again_ms,
        solve_ms,
        product_ms,
        iterations: progress.iterations,
        operator_complexity: multigrid.hierarchy().operator_complexity(),
    })
}
