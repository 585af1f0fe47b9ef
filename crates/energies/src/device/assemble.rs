//! Sums of the derivatives of elements. The thread of a number writes it, elements ascending: there are no
//! atomics, and the result has the same bits every time.
use super::energy::address;
use super::unroll::packed;
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

/// The energies' gradient: three numbers for each vertex, plus `loads`, 0 where fixed. Elements: numbers.
#[kernel(threads = 256)]
pub fn sum_gradients<'a>(
    i: Each,
    kind: Kind,
    corners: GroupsView<'a>,
    fixed: In<'a, u32>,
    from: In<'a, f64>,
    loads: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let (vertex, c) = (i / 3, i % 3);
    let n = (kind.vertices - 1) * kind.dimensions;
    if fixed.get(vertex) >> c & 1 == 1 {
        return to.set(i, 0.0);
    }
    let mut sum = -loads.try_get(i).unwrap_or(0.0);
    if c < kind.dimensions {
        corners.of(vertex, |corner| {
            let (element, own) = (corner / kind.vertices, corner % kind.vertices);
            let mut k = if own > 0 { (own - 1) * kind.dimensions + c } else { c };
            if own > 0 {
                sum += from.get(address(element, k, n));
            } else {
                // moving the first vertex moves all edge vectors back
                while k < n {
                    sum -= from.get(address(element, k, n));
                    k += kind.dimensions;
                }
            }
        });
    }
    to.set(i, sum);
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
}
/// The numbers of a matrix with blocks of `size` × `size` numbers, 1 or 3: sums of Hessians, plus `shift` on
/// the diagonal. Rows and columns of fixed unknowns are those of the unit matrix. Elements: numbers.
#[kernel(threads = 256)]
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
    let (place, k) = (i / (size * size), i % (size * size));
    let (r, c) = (k / size, k % size);
    let (row, column) = (parts.rows.get(place), parts.columns.get(place));
    let own = row == column && r == c;
    if (fixed.get(row) >> r | fixed.get(column) >> c) & 1 == 1 {
        return to.set(i, if own { 1.0 } else { 0.0 });
    }
    let mut sum = if own { shift } else { 0.0 };
    if r < kind.dimensions && c < kind.dimensions {
        let (mut at, end) = (parts.starts.get(place), parts.starts.get(place + 1));
        while at < end {
            let part = parts.list.get(at);
            if part != NONE {
                sum += block(kind, from, part, r, c);
            }
            at += 1;
        }
    }
    to.set(i, sum);
}
/// Entry (r, c) of the block of a pair of an element's vertices.
#[inline(always)]
fn block(kind: Kind, from: In<'_, f64>, part: u32, r: u32, c: u32) -> f64 {
    let (of, d) = (kind.vertices, kind.dimensions);
    let (element, i, j) = (part / (of * of), part / of % of, part % of);
    let n = (of - 1) * d;
    let numbers = n * (n + 1) / 2;
    // the first vertex is on all edge vectors, with the opposite sign
    let (a, a_end) = if i > 0 { (i - 1, i) } else { (0, of - 1) };
    let (b_first, b_end) = if j > 0 { (j - 1, j) } else { (0, of - 1) };
    let (mut sum, mut a) = (0.0, a);
    while a < a_end {
        let mut b = b_first;
        while b < b_end {
            let k = packed((a * d + r) as usize, (b * d + c) as usize) as u32;
            sum += from.get(address(element, k, numbers));
            b += 1;
        }
        a += 1;
    }
    if (i == 0) == (j == 0) { sum } else { -sum }
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
