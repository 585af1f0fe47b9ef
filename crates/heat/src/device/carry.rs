//! Numbers and vectors that heat carries, in shells: known by their quotients by the heat of each vertex, so
//! that neither sinks below the least double.
use super::carried::{Carried, Planar};
use super::matrix::Rows;
use super::shell::Known;
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// Something that is carried.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Burden<'a, N> {
    /// Gifts of sources, for each vertex.
    pub given: In<'a, N>,
    /// Sums that each entry of the rows adds to what is carried along it, for a heat of 1; or nothing.
    pub ways: In<'a, N>,
    /// Quotients that are known at each vertex, by its heat.
    pub known: In<'a, N>,
    /// The turns of all entries of the rows; of vectors alone.
    pub turns: In<'a, Planar>,
}

/// Writes the right-hand side of a shell's system: what sources give, and what heat brings along from known
/// neighbours, divided by e to the power of `scale`. `heat` is the solution of the shell's system for heat.
#[kernel(for N in [f64, Planar], threads = 256, requires(
    list.len() >= count as usize && heat.len() >= count as usize && right.len() >= count as usize,
))]
pub fn carry_rows<'a, N: Carried>(
    i: Each,
    time: f64,
    scale: f64,
    rows: Rows<'a>,
    known: Known<'a>,
    scales: In<'a, f64>,
    list: In<'a, u32>,
    locals: In<'a, u32>,
    heat: In<'a, f64>,
    burden: Burden<'a, N>,
    right: Out<'a, N>,
) {
    let v = list.get(i);
    let mut sum = N::ZERO;
    if known.sources.get(v) != 0 {
        sum = burden.given.get(v).times(libm::exp(-scale));
    }
    rows.for_each_entry(v, |k, w, weight| {
        let (local, logarithm) = (locals.get(w), known.logarithms.get(w));
        let flow = if local != NONE {
            time * weight * heat.get(local)
        } else if logarithm > f64::NEG_INFINITY {
            let flow = time * weight * libm::exp(logarithm - scale);
            sum = sum.plus(flow, burden.known.get(w).turned(burden.turns, k));
            flow
        } else {
            0.0
        };
        if !burden.ways.is_empty() {
            sum = sum.plus(flow, burden.ways.get(k));
        }
    });
    right.set(i, sum.times(scales.get(v)));
}

/// Copies the turns of those entries that a shell's matrix has, in its order.
#[kernel(threads = 256, requires(list.len() >= count as usize && starts.len() >= count as usize))]
pub fn turns_of_shell<'a>(
    i: Each,
    rows: Rows<'a>,
    list: In<'a, u32>,
    locals: In<'a, u32>,
    starts: In<'a, u32>,
    turns: In<'a, Planar>,
    to: Out<'a, Planar>,
) {
    let mut at = starts.get(i);
    rows.for_each_entry(list.get(i), |k, w, _| {
        if locals.get(w) != NONE {
            to.set(at, turns.get(k));
            at += 1;
        }
    });
}

/// Keeps what is carried where heat is kept, by its heat; `x` is the solution of the shell's system.
#[kernel(for N in [f64, Planar], threads = 256, requires(
    list.len() >= count as usize && heat.len() >= count as usize && x.len() >= count as usize,
))]
pub fn keep_carried<'a, N: Carried>(
    i: Each,
    least: f64,
    list: In<'a, u32>,
    scales: In<'a, f64>,
    heat: In<'a, f64>,
    x: In<'a, N>,
    known: Out<'a, N>,
) {
    let (v, own) = (list.get(i), heat.get(i));
    if own >= least && own > 0.0 {
        known.set(v, x.get(i).times(scales.get(v) / own));
    }
}
