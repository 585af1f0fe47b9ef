//! Cholesky factorizations on the host, kept for many right-hand sides.
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::sparse::linalg::cholesky::{LltRef, SymbolicCholesky, factorize_symbolic_cholesky};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use ribbonmesh::{Device, Error, Result};
use std::sync::Arc;

/// The entries of a symmetric matrix, and the order in which a factorization eliminates its rows (by least
/// degree, approximately): shared by all matrices with these entries.
pub struct Elimination {
    starts: Vec<u32>,
    columns: Vec<u32>,
    symbolic: SymbolicCholesky<u32>,
}
impl Elimination {
    /// Finds the order and the entries of the factor. `starts` has the first entry of each row, and the end;
    /// `columns` the columns of all entries, which ascend in each row. Both triangles are there.
    /// # Errors
    /// [`Error::Invalid`] for rows that are not so; [`Error::TooMany`] for a factor beyond 2³¹ entries; out
    /// of memory.
    pub fn new(starts: Vec<u32>, columns: Vec<u32>) -> Result<Arc<Self>> {
        if let Some(row) = wrong_row(&starts, &columns) {
            let text =
                format!("row {row} of a symmetric matrix: columns must ascend and be less than the rows");
            return Err(Error::Invalid(text));
        }
        let n = starts.len() - 1;
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &columns);
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Lower, Default::default(), Default::default());
        let symbolic = symbolic.map_err(|error| refused(error, 0))?;
        Ok(Arc::new(Self { starts, columns, symbolic }))
    }
    /// Rows of the matrix.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }
    /// Numbers of the factor, 8 bytes each.
    pub fn numbers(&self) -> usize {
        self.symbolic.len_val()
    }
}
/// The first row that is not in order; the row behind the last one if the ends of rows do not fit.
fn wrong_row(starts: &[u32], columns: &[u32]) -> Option<usize> {
    let rows = starts.len().saturating_sub(1);
    let whole = starts.first() == Some(&0) && starts.last().is_some_and(|&end| end as usize == columns.len());
    let is_wrong = |row: usize| {
        // `None` also for a range that ends before it begins
        let own = columns.get(starts[row] as usize..starts[row + 1] as usize);
        own.is_none_or(|own| {
            !own.is_sorted_by(|a, b| a < b) || own.last().is_some_and(|&c| c as usize >= rows)
        })
    };
    (0..rows).find(|&row| is_wrong(row)).or((!whole).then_some(rows))
}

/// A factorization A = L Lᵀ of a symmetric positive definite matrix, in double precision, on one core of the
/// host. A mesh of n vertices has about 10 n log₂ n numbers in L.
///
/// Where no entry outside the diagonal is positive, and no right-hand side negative, it adds positive numbers
/// alone: each number of a solution is right to its own last digits, however small it is.
pub struct Cholesky {
    order: Arc<Elimination>,
    factor: Vec<f64>,
}
impl Cholesky {
    /// Factors the matrix with these numbers, in the order of the entries.
    /// # Errors
    /// [`Error::Length`]; [`Error::Invalid`] for a matrix that is not positive definite; out of memory.
    pub fn new(order: &Arc<Elimination>, values: &[f64]) -> Result<Self> {
        let not = || Error::Invalid("a matrix to factor is not positive definite".into());
        Self::if_definite(order, values)?.ok_or_else(not)
    }
    /// The same, or `None` where the matrix is not positive definite, if only by rounding.
    /// # Errors
    /// [`Error::Length`]; out of memory.
    pub fn if_definite(order: &Arc<Elimination>, values: &[f64]) -> Result<Option<Self>> {
        let (expected, found) = (order.columns.len(), values.len());
        if found != expected {
            return Err(Error::Length { what: "numbers of a matrix", expected, found });
        }
        let (n, needed) = (order.rows(), 8 * order.numbers() as u64);
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &order.starts, None, &order.columns);
        let matrix = SparseColMatRef::new(pattern, values);
        let mut factor = vec![];
        let out = |_| refused(FaerError::OutOfMemory, needed);
        factor.try_reserve_exact(order.numbers()).map_err(out)?;
        factor.resize(order.numbers(), 0.0);
        let (symbolic, parameters) = (&order.symbolic, Default::default());
        let scratch = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, parameters);
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| refused(FaerError::OutOfMemory, needed))?;
        let stack = MemStack::new(&mut memory);
        let (regular, parameters) = (Default::default(), Default::default());
        let done = symbolic.factorize_numeric_llt(
            &mut factor,
            matrix,
            Side::Lower,
            regular,
            Par::Seq,
            stack,
            parameters,
        );
        Ok(match done {
            Ok(_) => Some(Self { order: order.clone(), factor }),
            Err(LltError::NonPositivePivot { .. }) => None,
        })
    }
    /// Solves for `lanes` right-hand sides at once, in place: those of a row are next to each other.
    /// # Errors
    /// [`Error::Length`]; out of memory.
    pub fn solve(&self, b: &mut [f64], lanes: usize) -> Result<()> {
        let (expected, found) = (self.order.rows() * lanes, b.len());
        if found != expected {
            return Err(Error::Length { what: "right-hand sides", expected, found });
        }
        let symbolic = &self.order.symbolic;
        let scratch = symbolic.solve_in_place_scratch::<f64>(lanes, Par::Seq);
        let needed = scratch.unaligned_bytes_required() as u64;
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| refused(FaerError::OutOfMemory, needed))?;
        let right = MatMut::from_row_major_slice_mut(b, self.order.rows(), lanes);
        let factor = LltRef::new(symbolic, &self.factor);
        factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, MemStack::new(&mut memory));
        Ok(())
    }
    /// The order of elimination.
    pub fn order(&self) -> &Arc<Elimination> {
        &self.order
    }
}

/// An error of the factorization as one of the library.
fn refused(error: FaerError, needed: u64) -> Error {
    match error {
        FaerError::IndexOverflow => {
            let limit = i32::MAX as u64;
            Error::TooMany { what: "numbers of a factor", count: limit + 1, limit }
        }
        _ => {
            let memory = Device::cpu().free_memory();
            let (free, total) = memory.map_or((0, 0), |memory| (memory.free, memory.total));
            Error::OutOfMemory { needed, free, total }
        }
    }
}
