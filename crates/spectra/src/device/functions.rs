//! Functions of vertices that eigenfunctions tell.
use ribbonmesh::device::{Each, In, Out, kernel};

/// Sums of squared functions, each with a weight, in several columns: `weights` has those of a column next to
/// each other. Elements: vertices × columns.
#[kernel(threads = 256, requires(
    columns > 0 && weights.len() >= columns as usize * functions as usize && to.len() >= count as usize,
    vectors.len() * columns as usize >= functions as usize * count as usize,
))]
pub fn weighted_squares<'a>(
    i: Each,
    functions: u32,
    columns: u32,
    weights: In<'a, f64>,
    vectors: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (v, column) = (i / columns, i % columns);
    let (mut sum, mut k) = (0.0, 0);
    while k < functions {
        let own = vectors.get(functions * v + k);
        sum += weights.get(functions * column + k) * own * own;
        k += 1;
    }
    to.set(i, sum);
}
/// The distance from a vertex in the space of the functions, each with a weight for its square. Elements:
/// vertices.
#[kernel(threads = 256, requires(
    weights.len() >= functions as usize && to.len() >= count as usize,
    vectors.len() >= functions as usize * count as usize && from < count,
))]
pub fn spectral_distance<'a>(
    v: Each,
    from: u32,
    functions: u32,
    weights: In<'a, f64>,
    vectors: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (mut sum, mut k) = (0.0, 0);
    while k < functions {
        let difference = vectors.get(functions * v + k) - vectors.get(functions * from + k);
        sum += weights.get(k) * difference * difference;
        k += 1;
    }
    to.set(v, libm::sqrt(sum));
}
/// One of several columns. Elements: rows.
#[kernel(threads = 256, requires(
    column < columns && from.len() >= columns as usize * count as usize && to.len() >= count as usize,
))]
pub fn column_of<'a>(v: Each, column: u32, columns: u32, from: In<'a, f64>, to: Out<'a, f64>) {
    to.set(v, from.get(columns * v + column));
}
