//! Rows of blocks of 3 × 3 numbers, in the scale in which the mass matrix is the unit matrix.
use super::panel::{add_four, four, panel, set_four};
use super::rows::Rows;
use ribbonmesh::device::{Each, In, Out, Quad, kernel};

/// The roots of masses of three unknowns for each node; 0 where bit `k` of the node's word says that unknown
/// `k` is fixed. Elements: unknowns.
#[kernel(threads = 256, requires(
    3 * mass.len() >= count as usize && 3 * fixed.len() >= count as usize && to.len() >= count as usize,
))]
pub fn roots_of_nodes<'a>(i: Each, mass: In<'a, f64>, fixed: In<'a, u32>, to: Out<'a, f64>) {
    let (own, held) = (mass.get(i / 3), fixed.get(i / 3) >> (i % 3) & 1 == 1);
    to.set(i, if own > 0.0 && !held { libm::sqrt(own) } else { 0.0 });
}
/// Numbers of blocks divided by the roots of both masses; 0 where one of them is 0. Elements: numbers.
#[kernel(threads = 256, requires(
    9 * places.len() >= count as usize && 9 * columns.len() >= count as usize,
    values.len() >= count as usize && to.len() >= count as usize,
))]
pub fn scale_blocks<'a>(
    i: Each,
    places: In<'a, u32>,
    columns: In<'a, u32>,
    values: In<'a, f64>,
    roots: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (place, number) = (i / 9, i % 9);
    let (row, column) = (3 * places.get(place) + number / 3, 3 * columns.get(place) + number % 3);
    let by = roots.get(row) * roots.get(column);
    to.set(i, if by > 0.0 { values.get(i) / by } else { 0.0 });
}
/// Adds `shift` times the masses of nodes to the diagonal. Elements: blocks.
#[kernel(threads = 256, requires(
    places.len() >= count as usize && columns.len() >= count as usize && values.len() >= 9 * count as usize,
))]
pub fn shift_blocks<'a>(
    place: Each,
    shift: f64,
    places: In<'a, u32>,
    columns: In<'a, u32>,
    mass: In<'a, f64>,
    values: Out<'a, f64>,
) {
    let node = places.get(place);
    if columns.get(place) == node {
        let (more, mut k) = (shift * mass.get(node), 0);
        while k < 9 {
            let at = 9 * place + k;
            values.set(at, values.get(at) + more);
            k += 4;
        }
    }
}
/// The sums of the sizes of all numbers of each row, times the roots of their columns. Elements: unknowns.
#[kernel(threads = 256, requires(
    3 * rows.starts.len() > count as usize && 9 * rows.columns.len() == rows.values.len(),
    roots.len() >= count as usize && to.len() >= count as usize,
))]
pub fn sizes_of_rows<'a>(i: Each, rows: Rows<'a>, roots: In<'a, f64>, to: Out<'a, f64>) {
    let (node, r) = (i / 3, i % 3);
    let (mut k, end, mut sum) = (rows.starts.get(node), rows.starts.get(node + 1), 0.0);
    while k < end {
        let mut c = 0;
        while c < 3 {
            let number = rows.values.get(9 * k + 3 * r + c);
            let root = roots.get(3 * rows.columns.get(k) + c);
            sum += root * if number < 0.0 { -number } else { number };
            c += 1;
        }
        k += 1;
    }
    to.set(i, sum);
}
/// Y = A X for panels of `n` rows, three for each row of blocks. Elements: four numbers of a panel each.
#[kernel(threads = 256, requires(
    n > 0 && n % 3 == 0 && 3 * rows.starts.len() > n as usize && 9 * rows.columns.len() == rows.values.len(),
    x.len() >= 4 * count as usize && y.len() >= 4 * count as usize,
))]
pub fn multiply_panels_by_blocks<'a>(i: Each, n: u32, rows: Rows<'a>, x: In<'a, f64>, y: Out<'a, f64>) {
    let (unknown, quad) = (i / 4, i % 4);
    let (column, row) = (unknown / n, unknown % n);
    let (node, r) = (row / 3, row % 3);
    let of = panel(x, n, column);
    let (mut k, end) = (rows.starts.get(node), rows.starts.get(node + 1));
    let mut sum = [0.0; 4];
    while k < end {
        let (own, from) = (9 * k + 3 * r, 12 * rows.columns.get(k) + quad);
        sum = add_four(sum, rows.values.get(own), four(of, from));
        sum = add_four(sum, rows.values.get(own + 1), four(of, from + 4));
        sum = add_four(sum, rows.values.get(own + 2), four(of, from + 8));
        k += 1;
    }
    set_four(y.wide::<Quad>(), i, sum);
}
