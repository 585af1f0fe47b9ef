//! Attributes as arrays.
use crate::arrays::lend;
use crate::failure::Failure;
use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use ribbonmesh_mesh::{ColourSpace, Column, Element, Role, Scalar, Scalars};

/// `vertex`, `face`, `corner` or `edge`.
pub fn element(name: &str) -> Result<Element, Failure> {
    let all = [Element::Vertex, Element::Face, Element::Corner, Element::Edge];
    let found = all.into_iter().find(|element| element.to_string() == name);
    found.ok_or_else(|| Failure::argument(format!("{name:?} is none of vertex, face, corner, edge")))
}

/// The role of an attribute, from the name that readers of files give it.
fn role(name: &str, scalar: Scalar, width: usize) -> Role {
    let float = matches!(scalar, Scalar::F32 | Scalar::F64);
    match (name, width) {
        ("normal", 3) if float => Role::Normal,
        ("color" | "colour", 3 | 4) => Role::Colour(ColourSpace::Srgb),
        ("uv", 2) if float => Role::TextureCoordinate(0),
        ("quality", 1) => Role::Quality,
        _ => Role::Custom,
    }
}

/// A column of an array of one row per element, of up to four numbers.
pub fn column(element: Element, name: &str, array: &Bound<'_, PyAny>, rows: usize) -> PyResult<Column> {
    let (shape, dtype) = (array.getattr("shape")?, array.getattr("dtype")?);
    let wrong = |expected: String| -> PyErr {
        let text = format!(
            "the {element} attribute {name:?} has the shape {shape} and the dtype {dtype}: {expected}"
        );
        Failure::argument(text).into()
    };
    let sizes: Vec<usize> = shape.extract()?;
    let width = match sizes[..] {
        [n] if n == rows => 1,
        [n, width @ 1..=4] if n == rows => width,
        _ => return Err(wrong(format!("({rows},) or ({rows}, 1 to 4) is needed"))),
    };
    macro_rules! of_type {
        ($($type:ty),*) => {
            $(if let Ok(array) = array.extract::<PyReadonlyArrayDyn<'_, $type>>() {
                Scalars::from(array.as_array().iter().copied().collect::<Vec<$type>>())
            } else)* {
                return Err(wrong("an integer or floating-point type of 8 to 64 bits is needed".into()));
            }
        };
    }
    let scalars = of_type!(f32, f64, u8, i8, u16, i16, u32, i32, u64, i64);
    let role = role(name, scalars.scalar(), width);
    let column = Column::from_scalars(name, role, width, scalars);
    column.ok_or_else(|| wrong("it has too few numbers".into()))
}

/// The numbers of a column, which `owner` keeps where they are.
///
/// # Safety
/// As [`lend`].
pub unsafe fn array<'py>(owner: &Bound<'py, PyAny>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
    let width = column.width();
    macro_rules! of_type {
        ($($variant:ident),*) => {
            match column.scalars() {
                // SAFETY: by this function's contract.
                $(Scalars::$variant(numbers) => unsafe { lend(owner, numbers, width) },)*
            }
        };
    }
    of_type!(U8, I8, U16, I16, U32, I32, U64, I64, F32, F64)
}
