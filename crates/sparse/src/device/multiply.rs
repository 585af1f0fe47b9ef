//! Products of matrices with vectors, and adjoints: what the kernels of each entry type do.
#[cfg(target_arch = "nvptx64")]
use super::components::ahead;
use super::components::{load, store};
use super::entry::{Element, Entry};
use super::stored::{Access, Inner, Operands, Parts, Read, Stored, Whole};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, Parameter, Shared};

/// The rows that a block takes (Mueller-Roemer 2020, section 5.3.2): chunks with a static stride, or the next
/// chunk of a counter.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Chunks<'a> {
    /// Rows of a chunk.
    pub size: u32,
    /// 0: block `i` modulo the number of blocks takes chunk `i`. 1: the next block that asks takes it.
    pub dynamic: u32,
    /// The next chunk: a number that is 0 before the launch.
    pub counter: Out<'a, u32>,
}
impl Chunks<'_> {
    /// Runs `f(i)` for the `i < n` that fall to this block. Collective.
    #[inline(always)]
    fn for_each(&self, block: &Block, n: u32, f: impl Fn(u32)) {
        let next = |after: u32| match self.dynamic {
            0 => after,
            _ => block.single(|| atomic::fetch_add(self.counter, 0, 1, Relaxed, Device)),
        };
        let chunks = n.div_ceil(self.size);
        let mut chunk = next(block.index());
        while chunk < chunks {
            let base = chunk * self.size;
            let len = if n - base < self.size { n - base } else { self.size };
            block.for_each_nosync(len, |i| f(base + i));
            chunk = next(chunk + block.count());
        }
    }
}

/// `y = A x`, a thread for each row and vector; a row's products are added in the order of its entries. Any
/// layout. Collective.
#[inline(always)]
pub fn multiply_rows<E: Entry>(
    block: &Block,
    stored: Stored<'_, E, E::Real>,
    operands: Operands<'_, E::Element, E::Real>,
    chunks: Chunks<'_>,
) {
    #[cfg(not(target_arch = "nvptx64"))]
    if stored.lengths.is_empty()
        && (stored.group, operands.x.split, operands.many, operands.scaled) == (0, 0, 1, 0)
        && !stored.has_diagonal()
    {
        return rows_of_csr::<E>(block, stored, operands, chunks);
    }
    match (stored.group != 0, operands.x.split != 0) {
        (false, false) => rows::<E, Whole, Whole>(block, stored, operands, chunks),
        (false, true) => rows::<E, Whole, Parts>(block, stored, operands, chunks),
        (true, false) => rows::<E, Parts, Whole>(block, stored, operands, chunks),
        (true, true) => rows::<E, Parts, Parts>(block, stored, operands, chunks),
    }
}
#[inline(always)]
fn rows<E: Entry, I: Inner, A: Access>(
    block: &Block,
    stored: Stored<'_, E, E::Real>,
    operands: Operands<'_, E::Element, E::Real>,
    chunks: Chunks<'_>,
) {
    let (many, x) = (operands.many, operands.x);
    chunks.for_each(block, stored.rows * many, |i| {
        let (row, vector) = if many == 1 { (i, 0) } else { (i / many, i % many) };
        let mut sum = <E::Element as Element>::ZERO;
        if stored.has_diagonal() {
            sum = I::diagonal(&stored, row).times_plus(A::get(&x, i), sum);
        }
        let of_row = stored.row(row);
        let element = |column: u32| column * many + vector;
        sum = match const { ahead::<E>() } {
            1 => add_row::<E, I, A, 1>(&stored, &x, element, of_row, sum),
            2 => add_row::<E, I, A, 2>(&stored, &x, element, of_row, sum),
            _ => add_row::<E, I, A, 4>(&stored, &x, element, of_row, sum),
        };
        operands.put::<A>(i, sum);
    });
}

/// `y = A x` of `CSR-AoS-AoS` on a CPU, without what else [`rows`] has for each row, which takes as long as
/// the products of a short one.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn rows_of_csr<E: Entry>(
    block: &Block,
    stored: Stored<'_, E, E::Real>,
    operands: Operands<'_, E::Element, E::Real>,
    chunks: Chunks<'_>,
) {
    let (x, y) = (operands.x.whole, operands.y.whole);
    chunks.for_each(block, stored.rows, |row| {
        let begin = stored.starts.get(row);
        let count = stored.starts.get(row + 1) - begin;
        let (columns, entries) = (stored.columns.at(begin), stored.whole.at(begin));
        let mut sum = <E::Element as Element>::ZERO;
        if columns.len().min(entries.len()) >= count as usize {
            // the compiler sees that neither array ends before the row
            let mut k = 0;
            while k < count {
                sum = entries.get(k).times_plus(x.get(columns.get(k)), sum);
                k += 1;
            }
        } else {
            // a fault at the first entry that is missing
            sum = add_row::<E, Whole, Whole, 1>(&stored, &operands.x, |column| column, (begin, count), sum);
        }
        y.set(row, sum);
    });
}

/// The number of entries of a row that a thread of a GPU loads before it multiplies the first of them, so
/// that loads do not wait for each other: as many as take few registers.
const fn ahead<E>() -> usize {
    match size_of::<E>() {
        0..=16 => 4,
        17..=32 => 2,
        _ => 1,
    }
}
/// Adds the products of a row, whose first entry is at `place`, to `sum`, in the order of the row's `left`
/// entries. `element(c)` is where the element of the vector is stored that an entry of column `c` multiplies.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn add_row<E: Entry, I: Inner, A: Access, const N: usize>(
    stored: &Stored<'_, E, E::Real>,
    x: &Read<'_, E::Element, E::Real>,
    element: impl Fn(u32) -> u32,
    (mut place, mut left): (u32, u32),
    mut sum: E::Element,
) -> E::Element {
    while left > 0 {
        sum = I::entry(stored, place).times_plus(A::get(x, element(stored.columns.get(place))), sum);
        place += stored.step;
        left -= 1;
    }
    sum
}
/// Adds the products of a row, whose first entry is at `place`, to `sum`, in the order of the row's `left`
/// entries. `element(c)` is where the element of the vector is stored that an entry of column `c` multiplies.
///
/// `N` entries at a time: their loads do not wait for each other, and the next ones' columns are loaded
/// before the products.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn add_row<E: Entry, I: Inner, A: Access, const N: usize>(
    stored: &Stored<'_, E, E::Real>,
    x: &Read<'_, E::Element, E::Real>,
    element: impl Fn(u32) -> u32,
    (mut place, mut left): (u32, u32),
    mut sum: E::Element,
) -> E::Element {
    // lanes behind the last entry load the first one again, and do not add it
    let at = |place: u32, left: u32, k: u32| if k < left { place + k * stored.step } else { place };
    let mut columns = [0; N];
    if left > 0 {
        ahead!(N, |k| columns[k] = element(stored.columns.get(at(place, left, k as u32))));
    }
    while left > 0 {
        let (count, own) = (left, columns);
        let (mut entries, mut elements) = ([E::ZERO; N], [<E::Element as Element>::ZERO; N]);
        ahead!(N, |k| entries[k] = I::entry(stored, at(place, left, k as u32)));
        place += N as u32 * stored.step;
        left = left.saturating_sub(N as u32);
        if left > 0 {
            ahead!(N, |k| columns[k] = element(stored.columns.get(at(place, left, k as u32))));
        }
        ahead!(N, |k| elements[k] = A::get(x, own[k]));
        ahead!(N, |k| {
            let next = entries[k].times_plus(elements[k], sum);
            sum = if (k as u32) < count { next } else { sum };
        });
    }
    sum
}

/// Threads of a block of [`multiply_balanced`].
pub const THREADS: u32 = 256;
/// Entries that a block of [`multiply_balanced`] takes at most: their products take 16 KiB of shared memory
/// or less, except for large elements.
pub const fn capacity<T>() -> u32 {
    let fit = 16384 / size_of::<T>();
    if fit >= 2048 {
        2048
    } else if fit <= 256 {
        256
    } else {
        (fit / 256 * 256) as u32
    }
}

/// `y = A x` of CSR, a block for each item of about equally many entries (Greathouse and Daga 2014,
/// CSR-Adaptive): products of consecutive entries are stored in shared memory, where as many lanes add each
/// row as there are threads. An item is `[first row, rows, first entry, end]`; without rows it is a piece of
/// a long row, `[piece, 0, first entry, end]`, whose sum is stored in `pieces`. Collective.
#[inline(always)]
pub fn multiply_balanced<E: Entry>(
    block: &Block,
    stored: Stored<'_, E, E::Real>,
    operands: Operands<'_, E::Element, E::Real>,
    items: In<'_, [u32; 4]>,
    pieces: Out<'_, E::Element>,
    [products, sums]: [Shared<'_, E::Element>; 2],
) {
    let [first, rows, begin, end] = items.get(block.index());
    let multiply =
        || for_each_product::<E>(block, [begin, end], &stored, &operands.x, |k, y| products.set(k, y));
    let range = |i: u32| match rows {
        0 => [0, end - begin],
        _ => [stored.starts.get(first + i) - begin, stored.starts.get(first + i + 1) - begin],
    };
    let sum = |from: u32, to: u32, step: u32| {
        let (mut k, mut sum) = (from, <E::Element as Element>::ZERO);
        while k < to {
            sum = sum.plus(products.get(k));
            k += step;
        }
        sum
    };
    let count = if rows == 0 { 1 } else { rows };
    if 2 * count > THREADS {
        block.for_each_ahead_nosync::<[u32; 2], 2>(count, range, multiply, |i, [from, to]| {
            operands.put::<Whole>(first + i, sum(from, to, 1));
        });
        return;
    }
    let mut lanes = 2;
    while 2 * lanes * count <= THREADS {
        lanes *= 2;
    }
    block.for_each_ahead_nosync::<[u32; 2], 1>(
        count * lanes,
        |i| range(i / lanes),
        multiply,
        |i, [from, to]| sums.set(i, sum(from + i % lanes, to, lanes)),
    );
    block.sync();
    let mut half = lanes / 2;
    while half > 0 {
        block.for_each(count * half, |i| {
            let at = i / half * lanes + i % half;
            sums.set(at, sums.get(at).plus(sums.get(at + half)));
        });
        half /= 2;
    }
    block.for_each_nosync(count, |i| match rows {
        0 => store::<E::Element, E::Real>(pieces, first, sums.get(0)),
        _ => operands.put::<Whole>(first + i, sums.get(i * lanes)),
    });
}

/// Gives `f` the products of the entries from `begin` to `end`, numbered from 0. Collective.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn for_each_product<E: Entry>(
    block: &Block,
    [begin, end]: [u32; 2],
    stored: &Stored<'_, E, E::Real>,
    x: &Read<'_, E::Element, E::Real>,
    f: impl Fn(u32, E::Element),
) {
    block.for_each(end - begin, |k| {
        let x = load(x.whole, stored.columns.get(begin + k));
        f(k, load(stored.whole, begin + k).times(x));
    });
}
/// Gives `f` the products of the entries from `begin` to `end`, numbered from 0. Each thread has several
/// loads under way. Collective.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn for_each_product<E: Entry>(
    block: &Block,
    range: [u32; 2],
    stored: &Stored<'_, E, E::Real>,
    x: &Read<'_, E::Element, E::Real>,
    f: impl Fn(u32, E::Element),
) {
    match const { ahead::<E>() } {
        1 => products::<E, 1>(block, range, stored, x, f),
        2 => products::<E, 2>(block, range, stored, x, f),
        _ => products::<E, 4>(block, range, stored, x, f),
    }
}
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn products<E: Entry, const N: usize>(
    block: &Block,
    [begin, end]: [u32; 2],
    stored: &Stored<'_, E, E::Real>,
    x: &Read<'_, E::Element, E::Real>,
    f: impl Fn(u32, E::Element),
) {
    let n = end - begin;
    block.for_each(THREADS, |thread| {
        let mut first = thread;
        while first < n {
            // lanes behind the last entry load the first one again, and do not multiply it
            let at = |k: usize| {
                let at = first + k as u32 * THREADS;
                begin + if at < n { at } else { first }
            };
            let (mut columns, mut entries) = ([0; N], [E::ZERO; N]);
            let mut elements = [<E::Element as Element>::ZERO; N];
            ahead!(N, |k| columns[k] = stored.columns.get(at(k)));
            ahead!(N, |k| entries[k] = load(stored.whole, at(k)));
            ahead!(N, |k| elements[k] = load(x.whole, columns[k]));
            ahead!(N, |k| {
                let at = first + k as u32 * THREADS;
                if at < n {
                    f(at, entries[k].times(elements[k]));
                }
            });
            first += N as u32 * THREADS;
        }
    });
}

/// Adds the pieces of a long row: a block for each, `[row, first piece, pieces, 0]`. Collective.
#[inline(always)]
pub fn add_pieces<E: Entry>(
    block: &Block,
    operands: Operands<'_, E::Element, E::Real>,
    long: In<'_, [u32; 4]>,
    pieces: In<'_, E::Element>,
    sums: Shared<'_, E::Element>,
) {
    let [row, first, count, _] = long.get(block.index());
    block.for_each(THREADS, |i| {
        let (mut k, mut sum) = (i, <E::Element as Element>::ZERO);
        while k < count {
            sum = sum.plus(load(pieces, first + k));
            k += THREADS;
        }
        sums.set(i, sum);
    });
    let mut half = THREADS / 2;
    while half > 0 {
        block.for_each(half, |i| sums.set(i, sums.get(i).plus(sums.get(i + half))));
        half /= 2;
    }
    block.single_nosync(|| operands.put::<Whole>(row, sums.get(0)));
}

/// `to[k]` = the adjoint of `from[order[k]]`.
#[inline(always)]
pub fn adjoint<E: Entry>(block: &Block, n: u32, order: In<'_, u32>, from: In<'_, E>, to: Out<'_, E>) {
    block.for_each_of_tile(n, |k| store::<E, E::Real>(to, k, load(from, order.get(k)).adjoint()));
}
