//! Products of tall matrices of panels.
use super::panel::{Basis, LANES, PAIRS, add_products, four, four_of, panel, set_four};
use ribbonmesh::device::{Arena, Block, Each, In, Out, Quad, Shared, kernel};

/// Threads, each with sixteen products of a sixteenth of the rows.
const THREADS: u32 = 256;
/// Numbers of a product of two panels.
pub const SQUARE: u32 = LANES * LANES;
/// Rows of a block of [`combine`].
pub const TILE_ROWS: u32 = 256;

fn parts<'b>(arena: &'b Arena) -> Shared<'b, Quad> {
    arena.take(SQUARE * PAIRS)
}

/// Products of each column of the basis with those of `right` that it meets, over `rows` rows for each block:
/// `to` has, for each part of the rows and each pair of panels, 16 × 16 sums, row by row. Blocks: parts ×
/// pairs, pairs first, those of one panel of the basis next to each other.
#[kernel(threads = 256, shared = parts(arena), requires(rows > 0, of_right > 0))]
pub fn gram<'a>(
    block: &Block,
    n: u32,
    rows: u32,
    left: Basis<'a>,
    right: In<'a, f64>,
    of_right: u32,
    to: Out<'a, f64>,
) {
    let pairs = left.panels() * of_right;
    let (part, pair) = (block.index() / pairs, block.index() % pairs);
    let (a, b) = (left.panel(n, pair / of_right, pair % of_right), panel(right, n, pair % of_right));
    let first = part * rows;
    let len = if n - first < rows { n - first } else { rows };
    let sums = parts(block.arena());
    block.for_each(THREADS, |t| {
        let (group, i, j) = (t / 16, t / 4 % 4, t % 4);
        let mut products = [[0.0; 4]; 4];
        let mut row = group;
        while row < len {
            let at = 4 * (first + row);
            products = add_products(products, four(a, at + i), four(b, at + j));
            row += 16;
        }
        let at = SQUARE * group + 4 * LANES * i + 4 * j;
        let set = |row: u32, [a, b, c, d]: [f64; 4]| {
            let pair = (at + LANES * row) / 2;
            sums.set(pair, Quad(bytemuck::cast([a, b])));
            sums.set(pair + 1, Quad(bytemuck::cast([c, d])));
        };
        set(0, products[0]);
        set(1, products[1]);
        set(2, products[2]);
        set(3, products[3]);
    });
    let sums = sums.wide::<f64>();
    block.for_each_nosync(SQUARE, |k| {
        let (mut sum, mut group) = (0.0, 0);
        while group < LANES {
            sum += sums.get(SQUARE * group + k);
            group += 1;
        }
        to.set(SQUARE * block.index() + k, sum);
    });
}

/// Sums of `parts` arrays, which follow each other. Elements: numbers of an array.
#[kernel(threads = 256, requires(
    from.len() >= parts as usize * count as usize && to.len() >= count as usize,
))]
pub fn add_parts<'a>(i: Each, parts: u32, len: u32, from: In<'a, f64>, to: Out<'a, f64>) {
    let (mut sum, mut part) = (0.0, 0);
    while part < parts {
        sum += from.get(part * len + i);
        part += 1;
    }
    to.set(i, sum);
}

/// Linear combinations of the columns of the basis that a panel of the result meets; added to what is there
/// if `add` is 1. Of `coefficients`, four columns of the result are next to
/// each other, then come the columns of the basis, then the other columns of the result. Blocks: panels of
/// the result for each [`TILE_ROWS`] rows.
#[kernel(threads = 256, requires(of_to > 0))]
pub fn combine<'a>(
    block: &Block,
    n: u32,
    basis: Basis<'a>,
    coefficients: In<'a, f64>,
    of_to: u32,
    add: u32,
    to: Out<'a, f64>,
) {
    let (tile, column) = (block.index() / of_to, block.index() % of_to);
    let (first, panels) = (TILE_ROWS * tile, basis.panels());
    let (factors, to) = (coefficients.wide::<Quad>(), to.wide::<Quad>());
    block.for_each_nosync(THREADS, |t| {
        let (group, j) = (t / 4, t % 4);
        let row = |k: u32| first + group + 64 * k;
        // rows past the end are read as the last one, and not written
        let read = |k: u32| 4 * if row(k) < n { row(k) } else { n - 1 };
        let (r0, r1, r2, r3) = (read(0), read(1), read(2), read(3));
        let mut factor = (4 * column + j) * LANES * panels;
        let base = 4 * n * column + j;
        let mut sums = if add == 0 {
            [[0.0; 4]; 4]
        } else {
            [four_of(to, base + r0), four_of(to, base + r1), four_of(to, base + r2), four_of(to, base + r3)]
        };
        let mut q = 0;
        while q < panels {
            let of = basis.panel(n, q, column);
            let mut l = 0;
            while l < 4 {
                let (a, b, c, d) = (four(of, r0 + l), four(of, r1 + l), four(of, r2 + l), four(of, r3 + l));
                sums = add_products(sums, [a[0], b[0], c[0], d[0]], four(factors, factor));
                sums = add_products(sums, [a[1], b[1], c[1], d[1]], four(factors, factor + 1));
                sums = add_products(sums, [a[2], b[2], c[2], d[2]], four(factors, factor + 2));
                sums = add_products(sums, [a[3], b[3], c[3], d[3]], four(factors, factor + 3));
                factor += 4;
                l += 1;
            }
            q += 1;
        }
        let set = |k: u32, sum: [f64; 4]| {
            if row(k) < n {
                set_four(to, base + 4 * row(k), sum);
            }
        };
        set(0, sums[0]);
        set(1, sums[1]);
        set(2, sums[2]);
        set(3, sums[3]);
    });
}
