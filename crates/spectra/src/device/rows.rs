//! Rows of a Laplacian, in the scale in which the mass matrix is the unit matrix, and steps over panels.
use super::panel::{LANES, add_four, four, panel, set_four};
use ribbonmesh::device::{Arena, Block, Each, In, NONE, Out, Parameter, Quad, Shared, kernel};

/// The rows of a matrix.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Rows<'a> {
    /// The first entry of each row, and the end.
    pub starts: In<'a, u32>,
    /// Columns.
    pub columns: In<'a, u32>,
    /// Entries.
    pub values: In<'a, f64>,
}

/// The roots of masses; 0 for a vertex without mass.
#[kernel(threads = 256, requires(mass.len() >= count as usize && to.len() >= count as usize))]
pub fn roots<'a>(v: Each, mass: In<'a, f64>, to: Out<'a, f64>) {
    let own = mass.get(v);
    to.set(v, if own > 0.0 { libm::sqrt(own) } else { 0.0 });
}
/// The matrix divided by the roots of both masses; 0 where one of them is 0.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && rows.columns.len() == rows.values.len(),
    roots.len() >= count as usize && to.len() == rows.values.len(),
))]
pub fn scale_rows<'a>(v: Each, rows: Rows<'a>, roots: In<'a, f64>, to: Out<'a, f64>) {
    let (mut k, end) = (rows.starts.get(v), rows.starts.get(v + 1));
    while k < end {
        let by = roots.get(v) * roots.get(rows.columns.get(k));
        to.set(k, if by > 0.0 { rows.values.get(k) / by } else { 0.0 });
        k += 1;
    }
}
/// The matrix and `shift` times the masses; 1 on the diagonal where the mass is 0.
#[kernel(threads = 256, requires(
    rows.starts.len() > count as usize && rows.columns.len() == rows.values.len(),
    mass.len() >= count as usize && to.len() == rows.values.len(),
))]
pub fn shift_rows<'a>(v: Each, shift: f64, rows: Rows<'a>, mass: In<'a, f64>, to: Out<'a, f64>) {
    let (mut k, end, own) = (rows.starts.get(v), rows.starts.get(v + 1), mass.get(v));
    while k < end {
        let diagonal = rows.columns.get(k) == v;
        let more = if own > 0.0 { shift * own } else { 1.0 };
        to.set(k, rows.values.get(k) + if diagonal { more } else { 0.0 });
        k += 1;
    }
}

/// Y = A X for panels of `n` rows. Elements: four numbers of a panel each.
#[kernel(threads = 256, requires(
    n > 0 && rows.starts.len() > n as usize && rows.columns.len() == rows.values.len(),
    x.len() >= 4 * count as usize && y.len() >= 4 * count as usize,
))]
pub fn multiply_panels<'a>(i: Each, n: u32, rows: Rows<'a>, x: In<'a, f64>, y: Out<'a, f64>) {
    let (unknown, quad) = (i / 4, i % 4);
    let (column, row) = (unknown / n, unknown % n);
    let of = panel(x, n, column);
    let (mut k, end) = (rows.starts.get(row), rows.starts.get(row + 1));
    let mut sum = [0.0; 4];
    while k < end {
        sum = add_four(sum, rows.values.get(k), four(of, 4 * rows.columns.get(k) + quad));
        k += 1;
    }
    set_four(y.wide::<Quad>(), i, sum);
}

fn squares<'b>(arena: &'b Arena) -> Shared<'b, f64> {
    arena.take(LANES * LANES)
}
/// The squared lengths of the columns of A X - X Λ, over `rows` rows for each block. Blocks: parts × panels,
/// panels first.
#[kernel(threads = 256, shared = squares(arena), requires(rows > 0 && panels > 0))]
pub fn residual_squares<'a>(
    block: &Block,
    n: u32,
    rows: u32,
    panels: u32,
    x: In<'a, f64>,
    ax: In<'a, f64>,
    values: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (part, column) = (block.index() / panels, block.index() % panels);
    let first = part * rows;
    let len = if n - first < rows { n - first } else { rows };
    let sums = squares(block.arena());
    block.for_each(LANES * LANES, |t| {
        let (group, lane) = (t / LANES, t % LANES);
        let value = values.get(LANES * column + lane);
        let (mut sum, mut row) = (0.0, group);
        while row < len {
            let at = LANES * (n * column + first + row) + lane;
            let left = ax.get(at) - value * x.get(at);
            sum += left * left;
            row += LANES;
        }
        sums.set(t, sum);
    });
    block.for_each_nosync(LANES, |lane| {
        let (mut sum, mut group) = (0.0, 0);
        while group < LANES {
            sum += sums.get(LANES * group + lane);
            group += 1;
        }
        to.set(LANES * block.index() + lane, sum);
    });
}

/// A panel of right-hand sides for the preconditioner: the listed columns of A X - X Λ, times `by` of each
/// and the roots of masses; 0 for a column [`NONE`]. Elements: numbers of the panel.
#[kernel(threads = 256, requires(
    list.len() >= 16 && by.len() >= 16 && to.len() >= count as usize && 16 * roots.len() >= count as usize,
))]
pub fn pick_residuals<'a>(
    i: Each,
    n: u32,
    list: In<'a, u32>,
    by: In<'a, f64>,
    roots: In<'a, f64>,
    x: In<'a, f64>,
    ax: In<'a, f64>,
    values: In<'a, f64>,
    to: Out<'a, f32>,
) {
    let (row, lane) = (i / LANES, i % LANES);
    let column = list.get(lane);
    if column == NONE {
        to.set(i, 0.0);
        return;
    }
    let at = LANES * (n * (column / LANES) + row) + column % LANES;
    let left = ax.get(at) - values.get(column) * x.get(at);
    to.set(i, (left * by.get(lane) * roots.get(row)) as f32);
}
/// A panel of numbers that look random, for column `first` and those that follow, times the roots of masses;
/// 0 from column `end` on. Elements: numbers of the panel.
#[kernel(threads = 256, requires(to.len() >= count as usize && 16 * roots.len() >= count as usize))]
pub fn random_panel<'a>(i: Each, first: u32, end: u32, roots: In<'a, f64>, to: Out<'a, f32>) {
    let (row, column) = (i / LANES, first + i % LANES);
    let mut hash = row.wrapping_mul(0x9e37_79b9) ^ column.wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 16).wrapping_mul(0x7feb_352d);
    hash = (hash ^ hash >> 15).wrapping_mul(0x846c_a68b);
    hash ^= hash >> 16;
    let number = hash as f64 / 2_147_483_648.0 - 1.0;
    to.set(i, if column < end { (number * roots.get(row)) as f32 } else { 0.0 });
}
/// Preconditioned numbers, times the roots of masses, into a panel of the directions. Elements: numbers of
/// the panel.
#[kernel(threads = 256, requires(
    from.len() >= count as usize && 16 * roots.len() >= count as usize,
    to.len() >= first as usize + count as usize,
))]
pub fn take_directions<'a>(i: Each, first: u32, roots: In<'a, f64>, from: In<'a, f32>, to: Out<'a, f64>) {
    to.set(first + i, roots.get(i / LANES) * from.get(i) as f64);
}
/// Eigenvectors that are known, `known` numbers for each row, into the first columns of panels. Elements:
/// rows × known.
#[kernel(threads = 256, requires(
    known > 0 && vectors.len() >= count as usize && roots.len() * known as usize >= count as usize,
))]
pub fn set_known<'a>(
    i: Each,
    n: u32,
    known: u32,
    vectors: In<'a, f64>,
    roots: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (v, column) = (i / known, i % known);
    to.set(LANES * (n * (column / LANES) + v) + column % LANES, roots.get(v) * vectors.get(i));
}
/// The listed columns of panels into the columns of other panels that are listed. Elements: rows × columns.
#[kernel(threads = 256, requires(
    columns > 0 && list.len() >= columns as usize && to_list.len() >= columns as usize,
))]
pub fn copy_columns<'a>(
    i: Each,
    n: u32,
    columns: u32,
    list: In<'a, u32>,
    from: In<'a, f64>,
    to_list: In<'a, u32>,
    to: Out<'a, f64>,
) {
    let (v, k) = (i / columns, i % columns);
    let place = |column: u32| LANES * (n * (column / LANES) + v) + column % LANES;
    to.set(place(to_list.get(k)), from.get(place(list.get(k))));
}
/// The functions themselves, those of a row next to each other; first those that are known, then columns of
/// panels by their numbers in `order`. Elements: rows × functions.
#[kernel(threads = 256, requires(
    functions > 0 && order.len() >= functions as usize && to.len() >= count as usize,
    roots.len() * functions as usize >= count as usize,
    vectors.len() * functions as usize >= known as usize * count as usize,
))]
pub fn unscale<'a>(
    i: Each,
    n: u32,
    functions: u32,
    known: u32,
    vectors: In<'a, f64>,
    order: In<'a, u32>,
    roots: In<'a, f64>,
    x: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (v, function) = (i / functions, i % functions);
    if function < known {
        to.set(i, vectors.get(known * v + function));
    } else {
        let (root, column) = (roots.get(v), order.get(function));
        let number = x.get(LANES * (n * (column / LANES) + v) + column % LANES);
        to.set(i, if root > 0.0 { number / root } else { 0.0 });
    }
}
