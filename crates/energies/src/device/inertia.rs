//! Inertia: masses that would rather move on.
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::{Each, In, Out, kernel};

/// Half of `by` times the mass of the vertex times the square of each number's distance from its goal.
/// Elements: numbers.
#[kernel(threads = 256)]
pub fn inertia_of_numbers<'a>(
    i: Each,
    by: f64,
    masses: In<'a, f64>,
    x: In<'a, f64>,
    goal: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let d = x.get(i) - goal.get(i);
    to.set(i, 0.5 * by * masses.get(i / 3) * d * d);
}
/// Adds its derivative to a gradient, unless the number is fixed. Elements: numbers.
#[kernel(threads = 256)]
pub fn add_inertia<'a>(
    i: Each,
    by: f64,
    masses: In<'a, f64>,
    fixed: In<'a, u32>,
    x: In<'a, f64>,
    goal: In<'a, f64>,
    to: Out<'a, f64>,
) {
    if fixed.get(i / 3) >> (i % 3) & 1 == 0 {
        to.set(i, to.get(i) + by * masses.get(i / 3) * (x.get(i) - goal.get(i)));
    }
}
/// Adds its second derivative to the blocks of the diagonal of a matrix with blocks of 3 × 3 numbers.
/// Elements: blocks.
#[kernel(threads = 256)]
pub fn add_masses<'a>(
    place: Each,
    by: f64,
    masses: In<'a, f64>,
    fixed: In<'a, u32>,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    to: Out<'a, f64>,
) {
    let row = rows.get(place);
    if row != columns.get(place) {
        return;
    }
    let mut k = 0;
    while k < 3 {
        if fixed.get(row) >> k & 1 == 0 {
            let at = 9 * place + 4 * k;
            to.set(at, to.get(at) + by * masses.get(row));
        }
        k += 1;
    }
}
/// Each vertex of a tetrahedron has a quarter of its mass: volume, the last of ten numbers at rest, times
/// density, one for each tetrahedron or one for all. Elements: vertices.
#[kernel(threads = 256)]
pub fn masses_of_vertices<'a>(
    vertex: Each,
    corners: GroupsView<'a>,
    rest: In<'a, f64>,
    density: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let mut sum = 0.0;
    corners.of(vertex, |corner| {
        let cell = corner / 4;
        let own = if density.len() == 1 { 0 } else { cell };
        sum += 0.25 * rest.get(10 * cell + 9) * density.get(own);
    });
    to.set(vertex, sum);
}
/// The numbers of one list where a vertex's coordinate is fixed, 0 elsewhere; or the other way round if
/// `free` is not 0. Elements: numbers.
#[kernel(threads = 256)]
pub fn only<'a>(i: Each, free: u32, fixed: In<'a, u32>, from: In<'a, f64>, to: Out<'a, f64>) {
    let is_fixed = fixed.get(i / 3) >> (i % 3) & 1 == 1;
    to.set(i, if is_fixed == (free == 0) { from.get(i) } else { 0.0 });
}
