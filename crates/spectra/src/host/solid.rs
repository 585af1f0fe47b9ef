//! Solid bodies as problems: matrices of blocks of 3 × 3 numbers.
use super::problem::{LANES, Problem};
use crate::device::blocks::{MultiplyPanelsByBlocks, RootsOfNodes, ScaleBlocks, ShiftBlocks, SizesOfRows};
use crate::device::rows::RowsArguments;
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, Device, Result};
use ribbonmesh_multigrid::{Blocks, Hierarchy, Modes, Multigrid, MultigridOptions};

/// The part of [`Solid::low`] that the preconditioner adds to all eigenvalues.
const SHIFT: f64 = 0.25;
/// The part that small eigenvalues count as, at least.
const BESIDE: f64 = 0.01;

/// Motions of a body without strain, which cost nothing: at most six for each of its parts.
#[derive(Clone, Debug, Default)]
pub struct FreeMotions {
    /// Motions of all parts.
    pub count: usize,
    /// The number of the first motion of each node's part.
    pub first: Vec<u32>,
    /// Six numbers for each unknown: what the motions of its part are there, and zeros for those that the
    /// part does not have. Orthonormal in the product of masses; 0 where an unknown is fixed.
    pub values: Vec<[f64; 6]>,
}

/// The arguments of [`SolidProblem::new`].
#[derive(Debug)]
pub struct Solid {
    /// The stiffness.
    pub matrix: Blocks<f64>,
    /// The mass of each node; above 0 unless all of its unknowns are fixed.
    pub masses: Buffer<f64>,
    /// Bit `k` of a node's word: its unknown `k` is fixed.
    pub fixed: Buffer<u32>,
    /// Motions without strain that fixed unknowns allow.
    pub free: FreeMotions,
    /// A number of the size of the lowest eigenvalue above 0, or less.
    pub low: f64,
    /// The six motions of nodes for the levels of multigrid, as [`Modes::Six`] has them.
    pub motions: Buffer<f64>,
    /// The first step between levels, if it is known, as [`Multigrid::with_first`] has it.
    pub first: Option<Blocks<f64>>,
}

/// The stiffness of a solid body, scaled by the roots of its masses, with the levels of multigrid.
pub struct SolidProblem {
    scaled: Blocks<f64>,
    roots: Buffer<f64>,
    free: FreeMotions,
    beside: f64,
    rounding: f64,
    multigrid: Multigrid<f32>,
}
impl SolidProblem {
    /// Makes the scaled matrix, and the levels. Waits.
    /// # Errors
    /// [`ribbonmesh::Error::Invalid`] names a node whose block of the stiffness is not positive definite;
    /// [`ribbonmesh::Error::Length`]; out of memory; errors of the driver.
    pub fn new(of: Solid) -> Result<Self> {
        let Solid { mut matrix, masses, fixed, free, low, motions, first } = of;
        let (device, pattern) = (masses.device().clone(), matrix.pattern().clone());
        let (n, blocks) = (3 * masses.len() as u32, pattern.len() as u32);
        let mut roots = device.unspecified::<f64>(n as usize)?;
        let kernel = RootsOfNodes { mass: masses.view(), fixed: fixed.view(), to: roots.view_mut() };
        device.launch_each(n, kernel)?;
        let mut scaled = device.unspecified::<f64>(9 * blocks as usize)?;
        let kernel = ScaleBlocks {
            places: pattern.places().view(),
            columns: pattern.indices().view(),
            values: matrix.numbers().view(),
            roots: roots.view(),
            to: scaled.view_mut(),
        };
        device.launch_each(9 * blocks, kernel)?;
        let kernel = ShiftBlocks {
            shift: SHIFT * low,
            places: pattern.places().view(),
            columns: pattern.indices().view(),
            mass: masses.view(),
            values: matrix.numbers_mut().view_mut(),
        };
        device.launch_each(blocks, kernel)?;
        let scaled = Blocks::of_pattern(pattern, [3, 3], scaled)?;
        let rounding = rounding(&scaled, &roots)?;
        let options = MultigridOptions::default();
        let (modes, lanes) = (Modes::Six(motions), LANES as u32);
        let multigrid = Multigrid::with_first(matrix, first, modes, Some(fixed), lanes, options)?;
        Ok(Self { scaled, roots, free, beside: BESIDE * low, rounding, multigrid })
    }
    /// The levels of multigrid.
    pub fn hierarchy(&self) -> &Hierarchy {
        self.multigrid.hierarchy()
    }
}
impl Problem for SolidProblem {
    fn device(&self) -> &Device {
        self.roots.device()
    }
    fn unknowns(&self) -> usize {
        self.roots.len()
    }
    fn roots(&self) -> &Buffer<f64> {
        &self.roots
    }
    fn shift(&self) -> f64 {
        self.beside
    }
    fn rounding(&self) -> f64 {
        self.rounding
    }
    fn known(&self) -> usize {
        self.free.count
    }
    fn known_vectors(&self, count: usize) -> Result<Buffer<f64>> {
        let mut vectors = vec![0.0; count * self.unknowns()];
        for (unknown, values) in self.free.values.iter().enumerate() {
            let first = self.free.first[unknown / 3] as usize;
            for (column, value) in (first..count).zip(values) {
                if *value != 0.0 {
                    vectors[count * unknown + column] = *value;
                }
            }
        }
        self.device().upload(&vectors)
    }
    fn multiply(&self, panels: usize, x: &Buffer<f64>, y: &mut Buffer<f64>) -> Result<()> {
        let (n, quads) = (self.unknowns() as u32, panels * self.unknowns() * (LANES / 4));
        let kernel = MultiplyPanelsByBlocks { n, rows: rows(&self.scaled), x: x.view(), y: y.view_mut() };
        self.device().launch_each(quads as u32, kernel)
    }
    fn precondition(&mut self, r: &Buffer<f32>, z: &mut Buffer<f32>) -> Result<()> {
        Ok(self.multigrid.apply(BufferView::empty(), r, z)?)
    }
}
fn rows(matrix: &Blocks<f64>) -> RowsArguments<'_> {
    let pattern = matrix.pattern();
    let (starts, columns) = (pattern.starts().view(), pattern.indices().view());
    RowsArguments { starts, columns, values: matrix.numbers().view() }
}
/// The length of K 1 that rounding leaves, for the constant of length 1 and in the norm of M⁻¹.
fn rounding(scaled: &Blocks<f64>, roots: &Buffer<f64>) -> Result<f64> {
    let (device, n) = (roots.device(), roots.len());
    let mut sizes = device.unspecified::<f64>(n)?;
    let kernel = SizesOfRows { rows: rows(scaled), roots: roots.view(), to: sizes.view_mut() };
    device.launch_each(n as u32, kernel)?;
    let squares: f64 = sizes.read()?.iter().map(|size| size * size).sum();
    let mass: f64 = roots.read()?.iter().map(|root| root * root).sum();
    Ok(if mass > 0.0 { f64::EPSILON * (squares / mass).sqrt() } else { 0.0 })
}
impl std::fmt::Debug for SolidProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SolidProblem of {} unknowns, {} motions without strain", self.roots.len(), self.free.count)
    }
}
