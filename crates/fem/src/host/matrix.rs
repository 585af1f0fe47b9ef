//! Sparse matrices of blocks.
use super::assembler::{Assembler, Marks};
use super::error::Result;
use super::form::Form;
use super::kernels::fits;
use super::pattern::{Pattern, places};
use super::space::{CellShape, length};
use crate::device::hexahedra::{HexElasticity, HexLaplacian, HexMass};
use crate::device::materials::{
    VariedElasticity1Arguments, VariedElasticity2Arguments, VariedElasticity3Arguments,
    VariedHexElasticityArguments,
};
use crate::device::matrix::{BIN, MatrixViewArguments, ROWS, ValuesViewArguments, address};
use crate::device::multigrid::ListBlocksTypes;
use crate::device::real::Real;
use crate::device::solve::{one_f32, one_f64, three_f32, three_f64};
use crate::device::tetrahedra::{TetElasticity, TetLaplacian, TetMass};
use crate::device::triangles::{TriLaplacian, TriMass};
use ribbonmesh::device::{BufferView, BufferViewMut};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_linear::ScalarsArguments;
use std::marker::PhantomData;
use std::sync::Arc;

/// A sparse matrix of blocks of 1 × 1 or 3 × 3 numbers (or others, of elements of your own) in the layout
/// Bin-BCSR*. The numbers of 32 blocks of neighbouring rows are interleaved.
pub struct Matrix<S: Real> {
    pattern: Arc<Pattern>,
    size: u32,
    diagonal: Buffer<S>,
    values: Buffer<S>,
}
/// The blocks of a matrix on the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// Rows and columns of a block.
    pub size: usize,
    /// For each row the columns of its blocks, ascending, that of the diagonal among them, and their numbers
    /// row by row.
    pub rows: Vec<Vec<(u32, Vec<f64>)>>,
}
impl Blocks {
    /// The matrix times a vector.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut y = vec![0.0; n * self.rows.len()];
        for (row, own) in self.rows.iter().enumerate() {
            for (column, block) in own {
                for i in 0..n {
                    y[n * row + i] +=
                        (0..n).map(|j| block[n * i + j] * x[n * *column as usize + j]).sum::<f64>();
                }
            }
        }
        y
    }
}

impl<S: Storage> Matrix<S> {
    /// A matrix of zeros with blocks of `size` by `size` numbers.
    /// # Errors
    /// [`ribbonmesh::Error::TooMany`] beyond 2³² numbers; out of memory.
    pub fn zeros(pattern: &Arc<Pattern>, size: u32) -> Result<Self> {
        let numbers = u64::from(size * size);
        let rows = (pattern.rows() as u64).next_multiple_of(BIN.into());
        let values = fits("numbers of a matrix", numbers * pattern.places() as u64)?;
        let diagonal = fits("numbers of a matrix", numbers * rows)?;
        let (device, pattern) = (pattern.device(), pattern.clone());
        let (diagonal, values) = (device.zeros(diagonal as usize)?, device.zeros(values as usize)?);
        Ok(Self { pattern, size, diagonal, values })
    }
    /// The pattern.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.pattern.device()
    }
    /// Rows and columns of a block.
    pub fn size(&self) -> u32 {
        self.size
    }
    /// Unknowns: rows of numbers.
    pub fn unknowns(&self) -> usize {
        self.size as usize * self.pattern.rows()
    }
    /// Bytes on the device with the pattern, which other matrices may share.
    pub fn bytes(&self) -> usize {
        self.pattern.bytes() + self.diagonal.bytes() + self.values.bytes()
    }
    /// y = A x, in double precision. One launch. For blocks of 1 × 1 and 3 × 3 numbers.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`ribbonmesh::Error::OtherDevice`];
    /// [`super::error::FemError::OtherPattern`] for other blocks; errors of the driver.
    pub fn multiply(&self, x: &Buffer<f64>, y: &mut Buffer<f64>) -> Result<()> {
        length("numbers of a vector", self.unknowns(), x.len())?;
        length("numbers of a vector", self.unknowns(), y.len())?;
        S::multiply(self, x.view(), y.view_mut())
    }
    /// The numbers of the diagonal, one for each unknown; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn diagonal(&self) -> Result<Vec<f64>> {
        let (all, size) = (self.diagonal.read()?, self.size);
        let number = |i: u32| all[address(i / size, (i % size) * (size + 1), size * size) as usize].to_f64();
        Ok((0..self.unknowns() as u32).map(number).collect())
    }
    /// Copies the blocks to the host, padding left out; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<Blocks> {
        let (offsets, columns) = (self.pattern.offsets().read()?, self.pattern.columns().read()?);
        let (diagonal, values) = (self.diagonal.read()?, self.values.read()?);
        let numbers = self.size * self.size;
        let block = |from: &[S], place: u32| -> Vec<f64> {
            (0..numbers).map(|k| from[address(place, k, numbers) as usize].to_f64()).collect()
        };
        let row = |row: u32| {
            let mut own = vec![(row, block(&diagonal, row))];
            own.extend(
                places(&offsets, &columns, row).map(|(column, place)| (column, block(&values, place))),
            );
            own.sort_by_key(|(column, _)| *column);
            own
        };
        let rows = (0..self.pattern.rows() as u32).map(row).collect();
        Ok(Blocks { size: self.size as usize, rows })
    }
    /// The numbers as they are in memory: first the diagonal's, then the places'. For comparisons bit by bit.
    pub fn buffers(&self) -> [&Buffer<S>; 2] {
        [&self.diagonal, &self.values]
    }
    pub(crate) fn view(&self) -> MatrixViewArguments<'_, S> {
        MatrixViewArguments {
            pattern: self.pattern.view(),
            diagonal: self.diagonal.view(),
            values: self.values.view(),
        }
    }
    pub(crate) fn view_mut(&mut self) -> ValuesViewArguments<'_, S> {
        ValuesViewArguments { diagonal: self.diagonal.view_mut(), values: self.values.view_mut() }
    }
    pub(crate) fn clear(&mut self) -> Result<()> {
        self.diagonal.clear()?;
        Ok(self.values.clear()?)
    }
}
impl<S: Real> std::fmt::Debug for Matrix<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.size;
        write!(f, "Matrix of {} rows of {size} x {size} blocks", self.pattern.rows())
    }
}

/// The numbers of a matrix in memory, `f32` or `f64`, and the kernels for them.
pub trait Storage: Real + ListBlocksTypes + Send + Sync {
    /// Launches the product.
    #[doc(hidden)]
    fn multiply(a: &Matrix<Self>, x: BufferView<'_, f64>, y: BufferViewMut<'_, f64>) -> Result<()>;
    /// Launches the product of conjugate gradients.
    #[doc(hidden)]
    fn direction(
        a: &Matrix<Self>,
        scalars: ScalarsArguments<'_>,
        fixed: BufferView<'_, u32>,
        p: BufferView<'_, f64>,
        q: BufferViewMut<'_, f64>,
    ) -> Result<()>;
    /// Launches the inversion of the diagonal.
    #[doc(hidden)]
    fn invert(
        a: &Matrix<Self>,
        fixed: BufferView<'_, u32>,
        to: BufferViewMut<'_, f32>,
        wrong: BufferViewMut<'_, u32>,
    ) -> Result<()>;
    /// Sums a form of the library into a matrix.
    #[doc(hidden)]
    fn sum(at: &Assembler<'_>, form: Form, to: &mut Matrix<Self>, marks: &mut Marks<'_>) -> Result<()>;
    /// Sums elasticity with a material for each cell.
    #[doc(hidden)]
    fn sum_materials(
        at: &Assembler<'_>,
        materials: BufferView<'_, [Self; 2]>,
        to: &mut Matrix<Self>,
    ) -> Result<()>
    where
        [Self; 2]: ribbonmesh::device::Pod;
}
macro_rules! storage { ($($scalar:ident: $one:ident $three:ident;)*) => { $(impl Storage for $scalar {
    fn multiply(a: &Matrix<Self>, x: BufferView<'_, f64>, y: BufferViewMut<'_, f64>) -> Result<()> {
        let (device, blocks, a_view) = (a.device(), (a.pattern.rows() as u32).div_ceil(ROWS), a.view());
        match a.size {
            1 => Ok(device.launch(blocks, $one::Multiply { a: a_view, x, y })?),
            3 => Ok(device.launch(blocks, $three::Multiply { a: a_view, x, y })?),
            _ => Err(super::error::FemError::OtherPattern),
        }
    }
    fn direction(
        a: &Matrix<Self>,
        scalars: ScalarsArguments<'_>,
        fixed: BufferView<'_, u32>,
        p: BufferView<'_, f64>,
        q: BufferViewMut<'_, f64>,
    ) -> Result<()> {
        let (device, blocks, a_view) = (a.device(), (a.pattern.rows() as u32).div_ceil(ROWS), a.view());
        match a.size {
            1 => Ok(device.launch(blocks, $one::Direction { a: a_view, scalars, fixed, p, q })?),
            3 => Ok(device.launch(blocks, $three::Direction { a: a_view, scalars, fixed, p, q })?),
            _ => Err(super::error::FemError::OtherPattern),
        }
    }
    fn invert(
        a: &Matrix<Self>,
        fixed: BufferView<'_, u32>,
        to: BufferViewMut<'_, f32>,
        wrong: BufferViewMut<'_, u32>,
    ) -> Result<()> {
        let (device, rows, diagonal) = (a.device(), a.pattern.rows() as u32, a.diagonal.view());
        let blocks = rows.div_ceil(ROWS);
        match a.size {
            1 => Ok(device.launch(blocks, $one::Invert { rows, diagonal, fixed, to, wrong })?),
            3 => Ok(device.launch(blocks, $three::Invert { rows, diagonal, fixed, to, wrong })?),
            _ => Err(super::error::FemError::OtherPattern),
        }
    }
    fn sum(at: &Assembler<'_>, form: Form, to: &mut Matrix<Self>, marks: &mut Marks<'_>) -> Result<()> {
        use CellShape::{Hex, Tet1, Tet2, Tet3, Tri};
        let precision = PhantomData::<$scalar>;
        match (form, at.space().shape()) {
            (Form::Elasticity(material), Tet1) => at.sum(TetElasticity::<1, _> { material, precision }, to, marks),
            (Form::Elasticity(material), Tet2) => at.sum(TetElasticity::<2, _> { material, precision }, to, marks),
            (Form::Elasticity(material), Tet3) => at.sum(TetElasticity::<3, _> { material, precision }, to, marks),
            (Form::Elasticity(material), Hex) => at.sum(HexElasticity { material, precision }, to, marks),
            (Form::Elasticity(_), Tri) => Err(super::error::FemError::Triangles),
            (Form::Laplacian { conductivity }, Tri) => at.sum(TriLaplacian { conductivity, precision }, to, marks),
            (Form::Mass { density }, Tri) => at.sum(TriMass { density, precision }, to, marks),
            (Form::Laplacian { conductivity }, Tet1) => at.sum(TetLaplacian::<1, _> { conductivity, precision }, to, marks),
            (Form::Laplacian { conductivity }, Tet2) => at.sum(TetLaplacian::<2, _> { conductivity, precision }, to, marks),
            (Form::Laplacian { conductivity }, Tet3) => at.sum(TetLaplacian::<3, _> { conductivity, precision }, to, marks),
            (Form::Laplacian { conductivity }, Hex) => at.sum(HexLaplacian { conductivity, precision }, to, marks),
            (Form::Mass { density }, Tet1) => at.sum(TetMass::<1, _> { density, precision }, to, marks),
            (Form::Mass { density }, Tet2) => at.sum(TetMass::<2, _> { density, precision }, to, marks),
            (Form::Mass { density }, Tet3) => at.sum(TetMass::<3, _> { density, precision }, to, marks),
            (Form::Mass { density }, Hex) => at.sum(HexMass { density, precision }, to, marks),
        }
    }
    fn sum_materials(at: &Assembler<'_>, materials: BufferView<'_, [Self; 2]>, to: &mut Matrix<Self>) -> Result<()> {
        let marks = &mut Marks::none();
        match at.space().shape() {
            CellShape::Tet1 => at.sum(VariedElasticity1Arguments { materials }, to, marks),
            CellShape::Tet2 => at.sum(VariedElasticity2Arguments { materials }, to, marks),
            CellShape::Tet3 => at.sum(VariedElasticity3Arguments { materials }, to, marks),
            CellShape::Hex => at.sum(VariedHexElasticityArguments { materials }, to, marks),
            CellShape::Tri => Err(super::error::FemError::Triangles),
        }
    }
})* } }
storage! {
    f32: one_f32 three_f32;
    f64: one_f64 three_f64;
}
