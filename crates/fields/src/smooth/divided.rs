//! A step of smoothing by conjugate gradients with domains: the host's part.
use crate::smooth::flat::{FlatMatrixArguments, ScaledRows, StartsWithDiagonal};
use crate::smooth::ordered::{
    CountOrdered, DisplaceOrdered, OrderRows, OrderedDirectionsArguments, OrderedMatrixArguments,
    OrderedMultiply, OrderedStartArguments, ROWS,
};
use crate::smooth::system::{limits, report};
use crate::smooth::{SmoothOptions, StepReport};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, Error, Result, array};
use ribbonmesh_linear::{ConjugateGradients, Operator, Run, Vectors};
use ribbonmesh_multigrid::{Blocks, Schwarz, Words};

/// Most vertices of a domain; measured.
const DOMAIN: u32 = 64;

/// The matrix of a step in the order of its domains. About 490 bytes per vertex with vectors, half of them in
/// domains.
pub(crate) struct Divided {
    schwarz: Schwarz,
    starts: Buffer<u32>,
    entries: Buffer<u64>,
    masses: Buffer<f32>,
    scales: Buffer<f32>,
    last: Words,
    z: Words,
    d: Words,
    solver: ConjugateGradients<Words>,
}
impl Divided {
    /// Domains of a matrix with these entries in all rows, and its rows in their order; the displacement 0,
    /// whose residual is given.
    pub fn new(
        device: &Device,
        matrix: FlatMatrixArguments<'_>,
        entries: usize,
        residual: &Buffer<Vec3>,
    ) -> Result<Self> {
        let n = residual.len();
        let schwarz = Schwarz::new(&scaled(device, matrix, n, entries)?, DOMAIN)?;
        let order = schwarz.order().view();
        let mut starts = device.unspecified::<u32>(n + 1)?;
        let kernel = CountOrdered { order, starts: matrix.starts, to: starts.view_mut() };
        device.launch_each(n as u32 + 1, kernel)?;
        array::exclusive_scan(&mut starts)?;
        let mut entries = device.unspecified::<u64>(entries)?;
        let (mut masses, mut scales) = (device.unspecified::<f32>(n)?, device.unspecified::<f32>(n)?);
        let words = || device.unspecified::<[f32; 4]>(n);
        let (last, mut d) = (words()?, words()?);
        let blocks = (n as u32).div_ceil(ROWS).max(schwarz.blocks_of_advance());
        let mut solver = ConjugateGradients::new(device, blocks, words)?;
        let Vectors { r, p, .. } = solver.vectors();
        let kernel = OrderRows {
            order,
            slots: schwarz.slots().view(),
            matrix,
            starts: starts.view(),
            entries: entries.view_mut(),
            masses: masses.view_mut(),
            scales: scales.view_mut(),
            to: OrderedStartArguments {
                from: residual.view(),
                r: r.view_mut().wide(),
                d: d.view_mut().wide(),
                last: p.view_mut().wide(),
            },
        };
        device.launch_each(n as u32, kernel)?;
        Ok(Self { starts, entries, masses, scales, last, z: words()?, d, solver, schwarz })
    }
    /// Solves for the displacement, and adds `size` times it to the positions.
    pub fn step(mut self, options: &SmoothOptions, size: f32, x: &mut Buffer<Vec3>) -> Result<StepReport> {
        self.begin(options.tolerance)?;
        let (mut rows, solver, d) = self.parts();
        let report = report(solver.finish(&mut rows, None, d, &limits(options))?);
        let (order, d) = (self.schwarz.order(), self.d.view().wide());
        let kernel = DisplaceOrdered { order: order.view(), d, size, x: x.view_mut() };
        order.device().launch_each(order.len() as u32, kernel)?;
        Ok(report)
    }
    /// Begins a solve. One launch.
    pub fn begin(&mut self, tolerance: f64) -> Result<()> {
        let (rows, solver, d) = self.parts();
        solver.begin(tolerance, |to, run| Ok(rows.schwarz.begin(rows.scales, to, d, rows.z, run)?))
    }
    /// One iteration: two launches; does not wait.
    pub fn iterate(&mut self) -> Result<()> {
        let (mut rows, solver, d) = self.parts();
        solver.iterate(&mut rows, None, d)
    }
    /// The state of the solve; waits.
    pub fn look(&self) -> Result<StepReport> {
        Ok(report(self.solver.look()?))
    }
    /// Least number of bytes that an iteration has to read and write: eleven vectors, the matrix, and the
    /// domains.
    pub fn floor_bytes(&self) -> u64 {
        let matrix =
            self.starts.bytes() + self.entries.bytes() + self.masses.bytes() + 2 * self.scales.bytes();
        (11 * self.d.bytes() + matrix + self.schwarz.bytes_of_advance()) as u64
    }
    fn parts(&mut self) -> (OrderedRows<'_>, &mut ConjugateGradients<Words>, &mut Words) {
        let matrix = OrderedMatrixArguments {
            starts: self.starts.view(),
            entries: self.entries.view(),
            masses: self.masses.view(),
            scales: self.scales.view(),
        };
        let (schwarz, scales) = (&self.schwarz, &self.scales);
        let rows = OrderedRows { schwarz, matrix, scales, last: &mut self.last, z: &mut self.z };
        (rows, &mut self.solver, &mut self.d)
    }
}
/// S (M + k L) S with all entries of a row.
fn scaled(
    device: &Device,
    matrix: FlatMatrixArguments<'_>,
    rows: usize,
    entries: usize,
) -> Result<Blocks<f64>> {
    let (n, places) = (rows as u32, entries + rows);
    let (mut starts, mut columns) = (device.unspecified(rows + 1)?, device.unspecified(places)?);
    let mut values = device.unspecified(places)?;
    device.launch_each(n + 1, StartsWithDiagonal { starts: matrix.starts, to: starts.view_mut() })?;
    let (from, to) = (starts.view(), values.view_mut());
    let kernel = ScaledRows { n, matrix, starts: from, columns: columns.view_mut(), values: to };
    device.launch_each(places as u32, kernel)?;
    Ok(Blocks::new(rows, [1, 1], starts, columns, values)?)
}

/// The matrix, and the solution on domains as the end of an iteration.
struct OrderedRows<'a> {
    schwarz: &'a Schwarz,
    matrix: OrderedMatrixArguments<'a>,
    scales: &'a Buffer<f32>,
    last: &'a mut Words,
    z: &'a mut Words,
}
impl Operator for OrderedRows<'_> {
    type Vector = Words;
    type Error = Error;
    fn direct(&mut self, _: &Words, p: &mut Words, q: &mut Words, run: &mut Run) -> Result<()> {
        std::mem::swap(p, self.last);
        let (device, n, matrix) = (run.device().clone(), p.len() as u32, self.matrix);
        let [z, last] = [&*self.z, &*self.last].map(|words| words.view().wide());
        let (p, q) = (p.view_mut().wide(), q.view_mut().wide());
        let to = OrderedDirectionsArguments { z, last, p, q };
        device.launch(n.div_ceil(ROWS), OrderedMultiply { n, scalars: run.scalars(), matrix, to })
    }
    fn advance(&mut self, with: &mut Vectors<Words>, x: &mut Words, run: &mut Run) -> Result<()> {
        Ok(self.schwarz.advance(self.scales, with, x, self.z, run)?)
    }
}
