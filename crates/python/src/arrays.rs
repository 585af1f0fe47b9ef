//! Arrays of numpy, in and out.
use crate::failure::Failure;
use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::Precision;

/// Rows of three numbers, by whatever strides.
fn rows<T: Element + Copy, U>(
    array: &PyReadonlyArray2<'_, T>,
    mut convert: impl FnMut([T; 3]) -> U,
) -> Vec<U> {
    // a slice of columns would be one, too
    match array.as_slice().ok().filter(|_| array.is_c_contiguous()) {
        Some(numbers) => numbers.as_chunks().0.iter().copied().map(convert).collect(),
        None => array.as_array().rows().into_iter().map(|row| convert([row[0], row[1], row[2]])).collect(),
    }
}

/// Refuses arrays of other shapes than (n, 3).
fn threes(array: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    match shape[..] {
        [_, 3] => Ok(()),
        _ => {
            let shape = array.getattr("shape")?;
            Err(Failure::argument(format!("{what} have the shape {shape}: (n, 3) is needed")).into())
        }
    }
}
fn wrong_type(array: &Bound<'_, PyAny>, what: &str, expected: &str) -> PyErr {
    let dtype = array.getattr("dtype").map(|dtype| dtype.to_string()).unwrap_or_default();
    Failure::argument(format!("{what} have the dtype {dtype}: {expected} is needed")).into()
}

/// Positions of vertices or points; the package's Python part has made one of these types of others.
pub fn points(array: &Bound<'_, PyAny>, what: &str) -> PyResult<(Vec<DVec3>, Precision)> {
    threes(array, what)?;
    if let Ok(array) = array.extract::<PyReadonlyArray2<'_, f32>>() {
        return Ok((rows(&array, |p| DVec3::from(p.map(f64::from))), Precision::Single));
    }
    if let Ok(array) = array.extract::<PyReadonlyArray2<'_, f64>>() {
        return Ok((rows(&array, DVec3::from), Precision::Double));
    }
    Err(wrong_type(array, what, "float32 or float64"))
}

/// Vertices of faces, each at least 0 and less than 2³²; the mesh is to check that they are there.
pub fn faces(array: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    threes(array, "faces")?;
    fn convert<T: Element + Copy + std::fmt::Display + TryInto<u32>>(
        array: &PyReadonlyArray2<'_, T>,
    ) -> PyResult<Vec<[u32; 3]>> {
        let mut wrong = None;
        let mut face = 0;
        let faces = rows(array, |corners| {
            let row = corners.map(|v| {
                v.try_into().unwrap_or_else(|_| {
                    wrong.get_or_insert((face, v));
                    0
                })
            });
            face += 1;
            row
        });
        match wrong {
            None => Ok(faces),
            Some((face, vertex)) => Err(Failure::argument(format!(
                "face {face} has the vertex {vertex}: vertices are numbered from 0"
            ))
            .into()),
        }
    }
    if let Ok(array) = array.extract::<PyReadonlyArray2<'_, u32>>() {
        return Ok(rows(&array, |corners| corners));
    }
    if let Ok(array) = array.extract::<PyReadonlyArray2<'_, i32>>() {
        return convert(&array);
    }
    if let Ok(array) = array.extract::<PyReadonlyArray2<'_, i64>>() {
        return convert(&array);
    }
    if let Ok(array) = array.extract::<PyReadonlyArray2<'_, u64>>() {
        return convert(&array);
    }
    Err(wrong_type(array, "faces", "an integer type"))
}

/// A read-only array on memory that `owner` keeps where it is, as long as it lives. One row per element; of
/// one number per row, a vector.
///
/// # Safety
/// `numbers` belongs to `owner`, which neither moves nor changes it.
pub unsafe fn lend<'py, T: Element>(
    owner: &Bound<'py, PyAny>,
    numbers: &[T],
    width: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let array = if width == 1 {
        let view = ArrayView1::from(numbers);
        // SAFETY: by this function's contract; the array keeps the owner alive.
        unsafe { PyArray1::borrow_from_array(&view, owner.clone()) }.into_any()
    } else {
        let shape = (numbers.len() / width, width);
        let view = ArrayView2::from_shape(shape, numbers)
            .map_err(|error| Failure::new(crate::failure::Kind::Internal, error.to_string()))?;
        // SAFETY: as above.
        unsafe { PyArray2::borrow_from_array(&view, owner.clone()) }.into_any()
    };
    array.getattr("flags")?.setattr("writeable", false)?;
    Ok(array)
}

/// An array that takes over numbers; of several per row, with a row for each element.
pub fn give<T: Element>(py: Python<'_>, numbers: Vec<T>, width: usize) -> PyResult<Bound<'_, PyAny>> {
    let array = PyArray1::from_vec(py, numbers);
    if width == 1 {
        return Ok(array.into_any());
    }
    let rows = array.len() / width;
    Ok(array.reshape([rows, width])?.into_any())
}
