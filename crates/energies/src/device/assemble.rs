//! Sums of the derivatives of elements. The thread of a number writes it, elements ascending: there are no
//! atomics, and the result has the same bits every time.
use super::energy::{LANES, address};
use super::unroll::{packed, unroll};
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// The kind of elements, as numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Parameter)]
pub struct Kind {
    /// Vertices of an element.
    pub vertices: u32,
    /// Coordinates that the energy depends on.
    pub dimensions: u32,
}

/// Records in `wrong[0]` the smallest element that names a vertex twice, or one that does not exist.
/// Elements: elements.
#[kernel(threads = 256)]
pub fn check_elements<'a>(element: Each, of: u32, vertices: u32, corners: In<'a, u32>, wrong: Out<'a, u32>) {
    let (first, mut i, mut fine) = (of * element, 0, true);
    while i < of {
        let own = corners.get(first + i);
        fine &= own < vertices;
        let mut j = 0;
        while j < i {
            fine &= corners.get(first + j) != own;
            j += 1;
        }
        i += 1;
    }
    if !fine {
        atomic::fetch_min(wrong, 0, element, Relaxed, Device);
    }
}

/// A key for each block of each element, row before column; the diagonal follows, with which no element goes.
/// Elements: these blocks.
#[kernel(threads = 256)]
pub fn list_pairs<'a>(
    i: Each,
    of: u32,
    elements: u32,
    bits: u32,
    corners: In<'a, u32>,
    keys: Out<'a, u64>,
    parts: Out<'a, u32>,
) {
    let pairs = of * of * elements;
    let (row, column) = if i < pairs {
        let (element, k) = (i / (of * of), i % (of * of));
        (corners.get(of * element + k / of), corners.get(of * element + k % of))
    } else {
        (i - pairs, i - pairs)
    };
    keys.set(i, (row as u64) << bits | column as u64);
    parts.set(i, if i < pairs { i } else { NONE });
}
/// Flags the first of equal keys. Elements: keys.
#[kernel(threads = 256)]
pub fn flag_first<'a>(i: Each, keys: In<'a, u64>, flags: Out<'a, u32>) {
    flags.set(i, (i == 0 || keys.get(i) != keys.get(i - 1)) as u32);
}
/// The column of each place, the first place of each row, and the first of the `n` keys of each place; all
/// rows have places. Elements: places.
#[kernel(threads = 256)]
pub fn rows_of_keys<'a>(
    place: Each,
    n: u32,
    bits: u32,
    firsts: In<'a, u32>,
    keys: In<'a, u64>,
    columns: Out<'a, u32>,
    rows: Out<'a, u32>,
    starts: Out<'a, u32>,
) {
    let key = keys.get(firsts.get(place));
    starts.set(place, firsts.get(place));
    if place + 1 == firsts.len() as u32 {
        starts.set(place + 1, n);
    }
    columns.set(place, (key & ((1 << bits) - 1)) as u32);
    if place == 0 || keys.get(firsts.get(place - 1)) >> bits != key >> bits {
        rows.set((key >> bits) as u32, place);
    }
}

/// The energies' gradient: three numbers for each vertex, minus `loads`, 0 where fixed. Elements: vertices.
#[kernel(threads = 128)]
pub fn sum_gradients<'a>(
    vertex: Each,
    kind: Kind,
    corners: GroupsView<'a>,
    fixed: In<'a, u32>,
    from: In<'a, f64>,
    loads: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let d = kind.dimensions;
    let n = (kind.vertices - 1) * d;
    let mut sums = [0.0; 3];
    unroll!(c < 3 => { sums[c] = -loads.try_get(3 * vertex + c as u32).unwrap_or(0.0); });
    corners.of(vertex, |corner| {
        let (element, own) = (corner / kind.vertices, corner % kind.vertices);
        // moving the first vertex moves all edge vectors back
        let (mut a, end, sign) = if own > 0 { (own - 1, own, 1.0) } else { (0, kind.vertices - 1, -1.0) };
        while a < end {
            unroll!(c < 3 => {
                if (c as u32) < d {
                    sums[c] += sign * from.get(address(element, a * d + c as u32, n));
                }
            });
            a += 1;
        }
    });
    let held = fixed.get(vertex);
    unroll!(c < 3 => { to.set(3 * vertex + c as u32, if held >> c & 1 == 1 { 0.0 } else { sums[c] }); });
}

/// The place of the block on the other side of the diagonal, by halving its row; of blocks below the diagonal
/// none is wanted. Elements: blocks.
#[kernel(threads = 256)]
pub fn mirrors_of_places<'a>(
    place: Each,
    starts: In<'a, u32>,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    flags: Out<'a, u32>,
    mirrors: Out<'a, u32>,
) {
    let (row, column) = (rows.get(place), columns.get(place));
    flags.set(place, (row <= column) as u32);
    let (mut low, mut high) = (starts.get(column), starts.get(column + 1));
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if columns.get(middle) <= row {
            low = middle;
        } else {
            high = middle;
        }
    }
    mirrors.set(place, low);
}

/// The blocks of elements whose sum is each block of the matrix.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct PartsView<'a> {
    /// The first index of each place's list, and the end.
    pub starts: In<'a, u32>,
    /// `(element · vertices + i) · vertices + j`, elements ascending, then an entry that says nothing for the
    /// diagonal.
    pub list: In<'a, u32>,
    /// The row of each place.
    pub rows: In<'a, u32>,
    /// The column of each place.
    pub columns: In<'a, u32>,
    /// Places on the diagonal and above it.
    pub upper: In<'a, u32>,
    /// The place on the other side of the diagonal of each place.
    pub mirrors: In<'a, u32>,
}
/// The numbers of a matrix with blocks of `size` × `size` numbers, 1 or 3: sums of Hessians, plus `shift` on
/// the diagonal. Rows and columns of fixed unknowns are those of the unit matrix. A thread sums a block on
/// the diagonal or above it, and writes it below, too. Elements: `upper`, these blocks.
#[kernel(threads = 128)]
pub fn sum_hessians<'a>(
    i: Each,
    size: u32,
    kind: Kind,
    shift: f64,
    parts: PartsView<'a>,
    fixed: In<'a, u32>,
    from: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let place = parts.upper.get(i);
    let (row, column) = (parts.rows.get(place), parts.columns.get(place));
    let mut sums = [[0.0; 3]; 3];
    let used = if size < kind.dimensions { size } else { kind.dimensions };
    let (mut at, end) = (parts.starts.get(place), parts.starts.get(place + 1));
    while at < end {
        let part = parts.list.get(at);
        if part != NONE {
            add_block(kind, used, from, part, &mut sums);
        }
        at += 1;
    }
    let mirror = parts.mirrors.get(place);
    let (fixed_rows, fixed_columns) = (fixed.get(row), fixed.get(column));
    unroll!(r < 3 => {
        unroll!(c < 3 => {
            if (r as u32) < size && (c as u32) < size {
                let own = row == column && r == c;
                let value = if (fixed_rows >> r | fixed_columns >> c) & 1 == 1 {
                    if own { 1.0 } else { 0.0 }
                } else {
                    sums[r][c] + if own { shift } else { 0.0 }
                };
                let first = size * size * place;
                to.set(first + size * r as u32 + c as u32, value);
                if row != column {
                    to.set(size * size * mirror + size * c as u32 + r as u32, value);
                }
            }
        });
    });
}
/// Adds the block of a pair of an element's vertices, as far as its coordinates are `used`.
#[inline(always)]
fn add_block(kind: Kind, used: u32, from: In<'_, f64>, part: u32, sums: &mut [[f64; 3]; 3]) {
    let (of, d) = (kind.vertices, kind.dimensions);
    let (element, i, j) = (part / (of * of), part / of % of, part % of);
    let n = (of - 1) * d;
    let first = address(element, 0, n * (n + 1) / 2);
    // the first vertex is on all edge vectors, with the opposite sign
    let (a, a_end) = if i > 0 { (i - 1, i) } else { (0, of - 1) };
    let (b_first, b_end) = if j > 0 { (j - 1, j) } else { (0, of - 1) };
    let sign = if (i == 0) == (j == 0) { 1.0 } else { -1.0 };
    let mut a = a;
    while a < a_end {
        let mut b = b_first;
        while b < b_end {
            unroll!(r < 3 => {
                unroll!(c < 3 => {
                    if (r as u32) < used && (c as u32) < used {
                        let k = packed((a * d) as usize + r, (b * d) as usize + c) as u32;
                        sums[r][c] += sign * from.get(first + LANES * k);
                    }
                });
            });
            b += 1;
        }
        a += 1;
    }
}

/// The six rigid motions at each vertex, about `middle`: for each of its unknowns a row of six numbers.
/// Elements: vertices.
#[kernel(threads = 256)]
pub fn motions_of_vertices<'a>(vertex: Each, middle: [f64; 3], x: In<'a, f64>, to: Out<'a, f64>) {
    let at = |c: u32| x.get(3 * vertex + c) - middle[c as usize];
    let (x, y, z) = (at(0), at(1), at(2));
    let put = |row: u32, own: [f64; 6]| {
        let [a, b, c, d, e, f] = own;
        let first = 18 * vertex + 6 * row;
        to.set(first, a);
        to.set(first + 1, b);
        to.set(first + 2, c);
        to.set(first + 3, d);
        to.set(first + 4, e);
        to.set(first + 5, f);
    };
    put(0, [1.0, 0.0, 0.0, 0.0, z, -y]);
    put(1, [0.0, 1.0, 0.0, -z, 0.0, x]);
    put(2, [0.0, 0.0, 1.0, y, -x, 0.0]);
}

/// Fixes unknowns on which no energy depends: all of vertices without elements, the third one in the plane.
/// Elements: vertices.
#[kernel(threads = 256)]
pub fn fix_unused<'a>(
    vertex: Each,
    kind: Kind,
    corners: GroupsView<'a>,
    from: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let (first, end) = corners.range(vertex);
    let unused = if first == end { 7 } else { 7 & !((1 << kind.dimensions) - 1) };
    to.set(vertex, from.get(vertex) & 7 | unused);
}

/// Numbers in double precision. Elements: numbers.
#[kernel(threads = 256)]
pub fn widen<'a>(i: Each, from: In<'a, f32>, to: Out<'a, f64>) {
    to.set(i, from.get(i) as f64);
}
/// Numbers in single precision. Elements: numbers.
#[kernel(threads = 256)]
pub fn narrow<'a>(i: Each, from: In<'a, f64>, to: Out<'a, f32>) {
    to.set(i, from.get(i) as f32);
}
