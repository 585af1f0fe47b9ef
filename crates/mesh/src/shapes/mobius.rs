//! Möbius strips.

use std::f64::consts::TAU;

use crate::TriangleMesh;
use crate::shapes::{
    ShapeError,
    error::{at_least, at_most},
};

/// Half the breadth of the strip, whose middle is the unit circle.
const BREADTH: f64 = 0.3;

/// A Möbius strip around the z axis: `n` rows of `width` vertices, and 2 `n` (`width` − 1) faces. It has one
/// side and one boundary loop, and no consistent orientation: across the seam between the last row and the
/// first, neighbours are oriented against each other. Takes O(`n` · `width`).
///
/// # Errors
/// [`ShapeError::TooSmall`] for `n` below 3 or `width` below 2, [`ShapeError::TooLarge`] beyond 32-bit
/// numbers.
pub fn mobius(n: u32, width: u32) -> Result<TriangleMesh, ShapeError> {
    at_least("a Möbius strip's number of rows", n, 3)?;
    at_least("a Möbius strip's width", width, 2)?;
    let vertices = u64::from(n) * u64::from(width);
    at_most("a Möbius strip's number of rows", n, vertices, vertices.saturating_mul(2))?;
    let mut positions = Vec::with_capacity(vertices as usize);
    for row in 0..n {
        let u = TAU * f64::from(row) / f64::from(n);
        for column in 0..width {
            let across = BREADTH * (2.0 * f64::from(column) / f64::from(width - 1) - 1.0);
            let radius = 1.0 + across * (u / 2.0).cos();
            positions.push([radius * u.cos(), radius * u.sin(), across * (u / 2.0).sin()].map(|v| v as f32));
        }
    }
    // After one turn, the strip comes back upside down.
    let vertex = |row: u32, column: u32| match row {
        row if row < n => row * width + column,
        _ => width - 1 - column,
    };
    let mut faces = Vec::with_capacity(2 * (n * (width - 1)) as usize);
    for row in 0..n {
        for column in 0..width - 1 {
            let [a, b] = [vertex(row, column), vertex(row + 1, column)];
            let [c, d] = [vertex(row + 1, column + 1), vertex(row, column + 1)];
            faces.extend([[a, b, c], [a, c, d]]);
        }
    }
    Ok(TriangleMesh::from_f32(positions, faces))
}
