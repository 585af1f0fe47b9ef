//! Kernels of the gradient.
use super::number::{cross, dot, length};
use glam::DVec3;
use ribbonmesh::device::{Each, In, Out, kernel};

/// Counts the entries of the three rows of each face: its vertices, unless one is there twice.
#[kernel(threads = 256, requires(faces.len() >= 3 * count as usize, counts.len() >= 3 * count as usize))]
pub fn count_gradient<'a>(f: Each, faces: In<'a, u32>, counts: Out<'a, u32>) {
    let [a, b, c] = [0, 1, 2].map(|k| faces.get(3 * f + k));
    let whole = a != b && b != c && c != a;
    let mut row = 3 * f;
    while row < 3 * f + 3 {
        counts.set(row, if whole { 3 } else { 0 });
        row += 1;
    }
}

/// Writes the three rows of each face: x, y and z of the gradient; zeros for a face without area. Also the
/// area of each face.
#[kernel(threads = 256, requires(
    faces.len() >= 3 * count as usize,
    starts.len() > 3 * count as usize,
    columns.len() == values.len(),
    areas.len() >= count as usize,
))]
pub fn write_gradient<'a>(
    f: Each,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    starts: In<'a, u32>,
    columns: Out<'a, u32>,
    values: Out<'a, f64>,
    areas: Out<'a, f64>,
) {
    let v = [0, 1, 2].map(|k| faces.get(3 * f + k));
    let [a, b, c] = v.map(|v| positions.get(v));
    let normal = cross(b - a, c - a);
    let square = dot(normal, normal);
    areas.set(f, 0.5 * libm::sqrt(square));
    if starts.get(3 * f) == starts.get(3 * f + 1) {
        return;
    }
    // unit normal, and length: their product with a side is precise where the square of the area is not
    let twice = length(normal);
    let unit = normal / twice;
    let of = [c - b, a - c, b - a].map(|side| {
        let slope = cross(unit, side) / twice;
        if slope.is_finite() { slope } else { DVec3::ZERO }
    });
    let mut k = 0;
    while k < 3 {
        let (column, slope) = (v[k], of[k]);
        // its place among the three
        let place = (v[(k + 1) % 3] < column) as u32 + (v[(k + 2) % 3] < column) as u32;
        let mut axis = 0;
        while axis < 3 {
            let at = starts.get(3 * f + axis) + place;
            columns.set(at, column);
            values.set(
                at,
                if axis == 0 {
                    slope.x
                } else if axis == 1 {
                    slope.y
                } else {
                    slope.z
                },
            );
            axis += 1;
        }
        k += 1;
    }
}
