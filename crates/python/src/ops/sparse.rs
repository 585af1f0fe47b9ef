//! Sparse matrices.
use super::{in_turn, text};
use crate::arrays::give;
use crate::device::Choice;
use crate::failure::{Failure, Kind};
use crate::options::word;
use crate::watch::Size;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use ribbonmesh_sparse::{
    CgOptions, CgOutcome, ConjugateGradients, Csr, Preconditioner, SparseError, SparseMatrix, Vector,
};
use serde_json::json;
use std::sync::Arc;

/// A matrix on its device.
enum Matrix {
    Single(SparseMatrix<f32>),
    Double(SparseMatrix<f64>),
}

/// A sparse matrix that does not change.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeSparse {
    matrix: Arc<Matrix>,
    choice: Choice,
}

macro_rules! with {
    ($matrix:expr, $name:ident => $work:expr) => {
        match $matrix {
            Matrix::Single($name) => $work,
            Matrix::Double($name) => $work,
        }
    };
}

impl From<SparseError> for Failure {
    fn from(error: SparseError) -> Self {
        match error {
            SparseError::Device(error) => error.into(),
            error => Self::new(Kind::Argument, error.to_string()),
        }
    }
}

/// Places of rows or columns, each at least 0 and less than 2³².
fn places(array: &PyReadonlyArray1<'_, i64>, what: &str) -> Result<Vec<u32>, Failure> {
    let whole = |(i, x): (usize, &i64)| {
        u32::try_from(*x)
            .map_err(|_| Failure::argument(format!("{what}[{i}] is {x}: at least 0 and less than 2³²")))
    };
    array.as_array().iter().enumerate().map(whole).collect()
}

#[pymethods]
impl NativeSparse {
    /// A matrix of compressed rows: the index of each row's first entry, and the end; columns, which ascend
    /// in each; values of float32 or float64.
    #[new]
    fn new(
        py: Python<'_>,
        starts: PyReadonlyArray1<'_, i64>,
        indices: PyReadonlyArray1<'_, i64>,
        values: &Bound<'_, PyAny>,
        columns: usize,
        device: &str,
    ) -> PyResult<Self> {
        let choice: Choice = device.parse()?;
        let (starts, indices) = (places(&starts, "indptr")?, places(&indices, "indices")?);
        let size = Size::Faces(indices.len());
        if let Ok(values) = values.extract::<PyReadonlyArray1<'_, f32>>() {
            let csr = Csr::from_parts(columns, starts, indices, values.as_array().to_vec())
                .map_err(Failure::from)?;
            let matrix = in_turn(py, choice, size, None, move |device| Ok(SparseMatrix::new(device, &csr)?))?;
            return Ok(Self { matrix: Arc::new(Matrix::Single(matrix)), choice });
        }
        let values: PyReadonlyArray1<'_, f64> = values.extract()?;
        let csr =
            Csr::from_parts(columns, starts, indices, values.as_array().to_vec()).map_err(Failure::from)?;
        let matrix = in_turn(py, choice, size, None, move |device| Ok(SparseMatrix::new(device, &csr)?))?;
        Ok(Self { matrix: Arc::new(Matrix::Double(matrix)), choice })
    }
    /// Rows, columns, entries.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize) {
        with!(&*self.matrix, m => (m.rows(), m.columns(), m.len()))
    }
    /// Its layout on the device.
    #[getter]
    fn layout(&self) -> String {
        with!(&*self.matrix, m => m.variant().to_string())
    }
    /// The product with a vector of its own type.
    fn multiply<'py>(&self, py: Python<'py>, x: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        macro_rules! product {
            ($type:ty, $variant:ident) => {{
                let x = x.extract::<PyReadonlyArray1<'_, $type>>()?.as_array().to_vec();
                let matrix = Arc::clone(&self.matrix);
                let size = Size::Faces(self.sizes().2);
                let y = in_turn(py, self.choice, size, None, move |device| {
                    let Matrix::$variant(m) = &*matrix else { return Ok(vec![]) };
                    let x = Vector::upload(device, &x, m.variant().layout.vector)?;
                    let mut y = m.range()?;
                    m.multiply(&x, &mut y)?;
                    Ok(y.download()?)
                })?;
                give::<$type>(py, y, 1)
            }};
        }
        match &*self.matrix {
            Matrix::Single(_) => product!(f32, Single),
            Matrix::Double(_) => product!(f64, Double),
        }
    }
    /// Solves a system by conjugate gradients: the solution, and a report.
    #[pyo3(signature = (b, x0, tolerance, max_iterations, preconditioner, progress))]
    #[expect(clippy::too_many_arguments, reason = "they are the options")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        b: &Bound<'_, PyAny>,
        x0: Option<&Bound<'_, PyAny>>,
        tolerance: f64,
        max_iterations: u32,
        preconditioner: &str,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, String)> {
        let options = CgOptions {
            tolerance,
            iterations: max_iterations,
            preconditioner: word(
                "preconditioner",
                [(Preconditioner::Jacobi, "jacobi"), (Preconditioner::None, "none")],
                preconditioner,
            )?,
            ..CgOptions::default()
        };
        macro_rules! solved {
            ($type:ty, $variant:ident) => {{
                let b = b.extract::<PyReadonlyArray1<'_, $type>>()?.as_array().to_vec();
                let x0 = match x0 {
                    Some(x0) => Some(x0.extract::<PyReadonlyArray1<'_, $type>>()?.as_array().to_vec()),
                    None => None,
                };
                let matrix = Arc::clone(&self.matrix);
                let (x, report) = in_turn(py, self.choice, Size::Long, progress, move |device| {
                    let Matrix::$variant(m) = &*matrix else {
                        return Err(Failure::new(Kind::Internal, "a matrix of another type"));
                    };
                    let layout = m.variant().layout.vector;
                    let b = Vector::upload(device, &b, layout)?;
                    let mut x = match x0 {
                        Some(x0) => Vector::upload(device, &x0, layout)?,
                        None => m.domain()?,
                    };
                    let report = ConjugateGradients::new(m, options)?.solve(&b, &mut x)?;
                    Ok((x.download()?, report))
                })?;
                (give::<$type>(py, x, 1)?, report)
            }};
        }
        let (x, report) = match &*self.matrix {
            Matrix::Single(_) => solved!(f32, Single),
            Matrix::Double(_) => solved!(f64, Double),
        };
        let report = json!({
            "converged": report.outcome == CgOutcome::Converged,
            "outcome": match report.outcome {
                CgOutcome::Converged => "converged",
                CgOutcome::Iterations => "iterations",
                CgOutcome::Breakdown => "breakdown",
            },
            "iterations": report.iterations,
            "residual": report.residual,
            "true_residual": report.true_residual,
        });
        Ok((x, text(&report)))
    }
}
