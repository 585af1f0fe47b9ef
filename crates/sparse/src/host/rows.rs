//! Matrices of numbers as plain rows, and their products.
use super::error::{Result, SparseError};
use super::layout::Schedule;
use super::{Launched, SparseMatrix};
use crate::device::arrange::{ListRows, NumbersArguments, RowLengths};
use ribbonmesh::{Buffer, array};
use ribbonmesh_multigrid::{Blocks, Product};
use std::any::TypeId;

impl<E: Launched> SparseMatrix<E> {
    /// The matrix as rows of numbers in double precision, for products and for multigrid. A few launches;
    /// waits.
    /// # Errors
    /// [`SparseError::NotReal`] for other entries than `f32` and `f64`; [`SparseError::Columns`] names the
    /// first row whose columns do not ascend; out of memory; errors of the driver.
    pub fn to_rows(&self) -> Result<Blocks<f64>> {
        if TypeId::of::<E>() != TypeId::of::<E::Real>() {
            return Err(SparseError::NotReal { what: "a matrix as rows of numbers" });
        }
        let (device, rows) = (self.device(), self.rows() as u32);
        let mut starts = device.unspecified::<u32>(self.rows() + 1)?;
        device.launch_each(rows + 1, RowLengths { rows, from: self.numbers(), to: starts.view_mut() })?;
        let len = array::exclusive_scan(&mut starts)? as usize;
        let (mut columns, mut values) = (device.unspecified::<u32>(len)?, device.unspecified::<f64>(len)?);
        let list = ListRows {
            from: self.numbers(),
            starts: starts.view(),
            columns: columns.view_mut(),
            values: values.view_mut(),
        };
        device.launch_each(rows, list)?;
        Ok(Blocks::new(self.columns(), [1, 1], starts, columns, values)?)
    }
    fn numbers(&self) -> NumbersArguments<'_, E::Real> {
        let (values, diagonal) = self.number_views();
        let [starts, lengths, columns] = self.place_views();
        let (slice, step) = self.steps();
        NumbersArguments { slice, step, starts, lengths, columns, values, diagonal }
    }
}
impl SparseMatrix<f64> {
    /// The product of two matrices, in the layout CSR, made on the device: columns of rows ascend, products
    /// are added in the order of this matrix's columns. [`ribbonmesh_multigrid::Product`] keeps the pattern
    /// for other numbers, and has blocks and `f32`. Waits.
    /// # Errors
    /// [`ribbonmesh::Error::Length`] unless `other` has as many rows as this matrix columns; as
    /// [`SparseMatrix::to_rows`].
    pub fn product_with(&self, other: &Self) -> Result<Self> {
        let (a, b) = (self.to_rows()?, other.to_rows()?);
        let product = Product::new(&a, &b)?.values(&a, &b)?;
        let pattern = product.pattern();
        let [starts, indices] = [pattern.starts(), pattern.indices()].map(Buffer::try_clone);
        let values = product.numbers().try_clone()?;
        Self::from_buffers(other.columns(), starts?, indices?, values, Schedule::Rows { threads: 256 })
    }
}
