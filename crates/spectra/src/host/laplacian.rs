//! The Laplacian of a surface as a problem.
use super::problem::{LANES, Problem};
use crate::device::rows::{MultiplyPanels, Roots, RowsArguments, ScaleRows, ShiftRows};
use ribbonmesh::device::{BufferView, NONE};
use ribbonmesh::mesh::UnionFind;
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_intrinsic::Laplacian;
use ribbonmesh_multigrid::{Blocks, Hierarchy, Modes, Multigrid, MultigridOptions};
use std::f64::consts::PI;

/// Most unknowns of the coarsest level.
const COARSEST: usize = 100;
/// The part of the eigenvalues' mean distance that the preconditioner adds to all of them.
const SHIFT: f64 = 0.25;

/// Components, on each of which a constant is an eigenvector.
struct Known {
    /// The component of a vertex, or [`NONE`].
    of: Vec<u32>,
    /// The mass of each.
    masses: Vec<f64>,
}
/// The Laplacian of a surface, scaled by the roots of its masses, with the levels of multigrid.
pub struct SurfaceProblem {
    starts: Buffer<u32>,
    columns: Buffer<u32>,
    scaled: Buffer<f64>,
    roots: Buffer<f64>,
    known: Known,
    area: f64,
    rounding: f64,
    multigrid: Multigrid<f32>,
}
impl SurfaceProblem {
    /// Makes the scaled matrix, and the levels. The host finds components. Waits.
    /// # Errors
    /// [`Error::Invalid`] names a vertex with edges but without area, which eigenfunctions need, or says that
    /// there is no area at all; out of memory; errors of the driver.
    pub fn new(of: Laplacian) -> Result<Self> {
        let (starts, columns, values, mass) = of.into_parts();
        let (device, n) = (mass.device().clone(), mass.len());
        let (known, area, rounding) = components(&starts, &columns, &values, &mass)?;
        let shift = shift(area);
        let rows = || RowsArguments { starts: starts.view(), columns: columns.view(), values: values.view() };
        let mut roots = device.unspecified::<f64>(n)?;
        device.launch_each(n as u32, Roots { mass: mass.view(), to: roots.view_mut() })?;
        let mut scaled = device.unspecified::<f64>(values.len())?;
        let kernel = ScaleRows { rows: rows(), roots: roots.view(), to: scaled.view_mut() };
        device.launch_each(n as u32, kernel)?;
        let mut shifted = device.unspecified::<f64>(values.len())?;
        let kernel = ShiftRows { shift, rows: rows(), mass: mass.view(), to: shifted.view_mut() };
        device.launch_each(n as u32, kernel)?;
        drop((values, mass));
        let matrix = Blocks::new(n, [1, 1], starts.try_clone()?, columns.try_clone()?, shifted)?;
        let options = MultigridOptions { coarsest: COARSEST, ..MultigridOptions::default() };
        let multigrid = Multigrid::new(matrix, Modes::Constant, None, LANES as u32, options)?;
        Ok(Self { starts, columns, scaled, roots, known, area, rounding, multigrid })
    }
    /// The area of the surface.
    pub fn area(&self) -> f64 {
        self.area
    }
    /// The levels of multigrid.
    pub fn hierarchy(&self) -> &Hierarchy {
        self.multigrid.hierarchy()
    }
}
impl Problem for SurfaceProblem {
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
        shift(self.area)
    }
    fn rounding(&self) -> f64 {
        self.rounding
    }
    fn known(&self) -> usize {
        self.known.masses.len()
    }
    fn known_vectors(&self, count: usize) -> Result<Buffer<f64>> {
        let mut vectors = vec![0.0; count * self.known.of.len()];
        for (v, &of) in self.known.of.iter().enumerate() {
            if (of as usize) < count {
                vectors[count * v + of as usize] = 1.0 / self.known.masses[of as usize].sqrt();
            }
        }
        self.device().upload(&vectors)
    }
    fn multiply(&self, panels: usize, x: &Buffer<f64>, y: &mut Buffer<f64>) -> Result<()> {
        let (n, quads) = (self.unknowns(), panels * self.unknowns() * (LANES / 4));
        let rows = RowsArguments {
            starts: self.starts.view(),
            columns: self.columns.view(),
            values: self.scaled.view(),
        };
        let kernel = MultiplyPanels { n: n as u32, rows, x: x.view(), y: y.view_mut() };
        self.device().launch_each(quads as u32, kernel)
    }
    fn precondition(&mut self, r: &Buffer<f32>, z: &mut Buffer<f32>) -> Result<()> {
        Ok(self.multigrid.apply(BufferView::empty(), r, z)?)
    }
}
/// A part of the mean distance of eigenvalues of a surface (Weyl 1911).
fn shift(area: f64) -> f64 {
    SHIFT * 4.0 * PI / area
}

/// The components that entries join, with their masses, by their first vertices; the sum of masses; and the
/// length of L 1 that rounding leaves, for the constant of length 1 and in the norm of M⁻¹.
fn components(
    starts: &Buffer<u32>,
    columns: &Buffer<u32>,
    values: &Buffer<f64>,
    mass: &Buffer<f64>,
) -> Result<(Known, f64, f64)> {
    let (starts, columns, values, mass) = (starts.read()?, columns.read()?, values.read()?, mass.read()?);
    let (mut sets, mut squares) = (UnionFind::new(mass.len()), 0.0);
    for (v, range) in (0..).zip(starts.windows(2)) {
        let range = range[0] as usize..range[1] as usize;
        if mass[v as usize] > 0.0 {
            squares +=
                values[range.clone()].iter().map(|value| value.abs()).sum::<f64>().powi(2) / mass[v as usize];
        }
        for k in range {
            let other = columns[k];
            if other == v || values[k] == 0.0 {
                continue;
            }
            if mass[v as usize] <= 0.0 {
                let what = "has edges, but no area: more mollification gives it some";
                return Err(Error::Invalid(format!("vertex {v} {what}")));
            }
            sets.join(v, other);
        }
    }
    let mut known = Known { of: vec![NONE; mass.len()], masses: vec![] };
    for (v, root) in sets.roots().into_iter().enumerate() {
        if mass[v] <= 0.0 {
            continue;
        }
        if root as usize == v {
            known.of[v] = known.masses.len() as u32;
            known.masses.push(0.0);
        }
        known.of[v] = known.of[root as usize];
        known.masses[known.of[v] as usize] += mass[v];
    }
    let area = known.masses.iter().sum();
    if area <= 0.0 {
        return Err(Error::Invalid("a surface without area has no spectrum".into()));
    }
    Ok((known, area, f64::EPSILON * (squares / area).sqrt()))
}
