//! The system of a shell, with a unit diagonal: a thread for each row.
use super::carried::{Carried, Planar};
use super::matrix::Rows;
use super::shell::Known;
use ribbonmesh::device::{Block, Each, In, NONE, Out, Parameter, kernel};
use ribbonmesh_linear::{Part, Read, Scalars, Turned};

/// Writes a row of the system, and its right-hand side: the heat that flows in from known neighbours, divided
/// by e to the power of `scale`, and for a source 1 over the same.
#[kernel(threads = 256, requires(
    list.len() >= count as usize && starts.len() >= count as usize,
    columns.len() == values.len(),
    right.len() >= count as usize,
))]
pub fn shell_rows<'a>(
    i: Each,
    time: f64,
    scale: f64,
    rows: Rows<'a>,
    known: Known<'a>,
    scales: In<'a, f64>,
    list: In<'a, u32>,
    locals: In<'a, u32>,
    starts: In<'a, u32>,
    columns: Out<'a, u32>,
    values: Out<'a, f64>,
    right: Out<'a, f64>,
) {
    let v = list.get(i);
    let own = scales.get(v);
    let (mut at, mut sum) = (starts.get(i), 0.0);
    if known.sources.get(v) != 0 {
        sum = libm::exp(-scale);
    }
    rows.for_each(v, |w, weight| {
        let (local, logarithm) = (locals.get(w), known.logarithms.get(w));
        if local != NONE {
            columns.set(at, local);
            values.set(at, -time * weight * own * scales.get(w));
            at += 1;
        } else if logarithm > f64::NEG_INFINITY {
            sum += time * weight * libm::exp(logarithm - scale);
        }
    });
    right.set(i, own * sum);
}

/// A matrix without its diagonal of ones. What it multiplies is turned as heat carries it, entry by entry.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Entries<'a> {
    /// The first entry of each row, and the end.
    pub starts: In<'a, u32>,
    /// Columns.
    pub columns: In<'a, u32>,
    /// Entries.
    pub values: In<'a, f64>,
    /// The turns of entries; of vectors alone.
    pub turns: In<'a, Planar>,
}

/// p = r + β p; q = A p; α from p · q. Blocks: tiles.
#[kernel(for N in [f64, Planar], threads = 256, requires(
    matrix.starts.len() > n as usize && matrix.columns.len() == matrix.values.len(),
    r.len() >= n as usize && last.len() >= n as usize && p.len() >= n as usize && q.len() >= n as usize,
))]
pub fn shell_multiply<'a, N: Carried>(
    block: &Block,
    n: u32,
    scalars: Scalars<'a>,
    matrix: Entries<'a>,
    r: In<'a, N>,
    last: In<'a, N>,
    p: Out<'a, N>,
    q: Out<'a, N>,
) {
    if scalars.done() {
        return;
    }
    let direction = Turned { z: r, last, beta: scalars.beta::<f64>() };
    let part = Part::of_tile(block, n).sum(block, |i| {
        let own = direction.get(i);
        let mut sum = own;
        let (mut k, end) = (matrix.starts.get(i), matrix.starts.get(i + 1));
        while k < end {
            let other = direction.get(matrix.columns.get(k)).turned(matrix.turns, k);
            sum = sum.plus(matrix.values.get(k), other);
            k += 1;
        }
        p.set(i, own);
        q.set(i, sum);
        own.dot(sum)
    });
    scalars.step::<f64>(block, part);
}
