//! Kernels that choose the vertices of a shell, and end it.
//!
//! Heat is known by its logarithm, −∞ where it is not known. A shell is made of vertices that are not known
//! and at most so many edges from known ones or from sources.
use super::matrix::Rows;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, NONE, Out, Parameter, kernel};

/// Mark of a vertex that is not in the shell.
pub const OUTSIDE: u32 = 0;
/// Mark of a vertex of the shell.
pub const INSIDE: u32 = 1;
/// Mark of a vertex of the shell as far from what is known as it goes.
pub const OUTERMOST: u32 = 2;

/// Values of vertices that all kernels of a shell read.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Known<'a> {
    /// Logarithms of heat.
    pub logarithms: In<'a, f64>,
    /// 1 for sources.
    pub sources: In<'a, u32>,
}
impl Known<'_> {
    #[inline(always)]
    fn has(&self, v: u32) -> bool {
        self.logarithms.get(v) > f64::NEG_INFINITY
    }
}

/// Marks those of the listed vertices that are not known and are sources or neighbours of known vertices, and
/// lists them; `state[0]` counts them. Blocks: tiles.
#[kernel(threads = 256, requires(!state.is_empty(), to.len() >= n as usize && list.len() >= n as usize))]
pub fn rim<'a>(
    block: &Block,
    n: u32,
    rows: Rows<'a>,
    known: Known<'a>,
    list: In<'a, u32>,
    marks: Out<'a, u32>,
    to: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    block.for_each_tile(n, |base, len| {
        block.append(len, to, state, 0, |i| {
            let v = list.get(base + i);
            if known.has(v) {
                return None;
            }
            let mut near = known.sources.get(v) != 0;
            rows.for_each(v, |w, _| near |= known.has(w));
            if !near {
                return None;
            }
            marks.set(v, INSIDE);
            Some(v)
        });
    });
}

/// Marks and lists the vertices that are not known, not in the shell and neighbours of those in the list,
/// whose number is `state[hop]`; `state[hop + 1]` counts the new ones. Blocks: any number.
#[kernel(threads = 256, requires(state.len() > hop as usize + 1))]
pub fn spread<'a>(
    block: &Block,
    hop: u32,
    mark: u32,
    rows: Rows<'a>,
    known: Known<'a>,
    list: In<'a, u32>,
    marks: Out<'a, u32>,
    to: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    block.for_each_of_tile(state.get(hop), |i| {
        rows.for_each(list.get(i), |v, _| {
            let free = !known.has(v) && atomic::load(marks, v, Relaxed, Device) == OUTSIDE;
            if free && atomic::compare_exchange(marks, v, OUTSIDE, mark, Relaxed, Device) == OUTSIDE {
                to.set(atomic::fetch_add(state, hop + 1, 1, Relaxed, Device), v);
            }
        });
    });
}

/// Numbers the vertices of the shell, and gives for each the greatest logarithm among its known neighbours;
/// for a source at least 0, the logarithm of what it gets.
#[kernel(threads = 256, requires(
    list.len() >= count as usize && greatest.len() >= count as usize && entries.len() >= count as usize,
))]
pub fn number<'a>(
    i: Each,
    rows: Rows<'a>,
    known: Known<'a>,
    marks: In<'a, u32>,
    list: In<'a, u32>,
    locals: Out<'a, u32>,
    greatest: Out<'a, f64>,
    entries: Out<'a, u32>,
) {
    let v = list.get(i);
    locals.set(v, i);
    let mut most = if known.sources.get(v) != 0 { 0.0 } else { f64::NEG_INFINITY };
    let mut count = 0;
    rows.for_each(v, |w, _| {
        let logarithm = known.logarithms.get(w);
        most = if logarithm > most { logarithm } else { most };
        count += (marks.get(w) != OUTSIDE) as u32;
    });
    greatest.set(i, most);
    entries.set(i, count);
}

/// The heat of the shell's vertices from the solution of its system, and the same of the outermost ones
/// alone.
#[kernel(threads = 256, requires(
    list.len() >= count as usize && x.len() >= count as usize && outermost.len() >= count as usize,
))]
pub fn heat_of_shell<'a>(
    i: Each,
    list: In<'a, u32>,
    scales: In<'a, f64>,
    marks: In<'a, u32>,
    x: Out<'a, f64>,
    outermost: Out<'a, f64>,
) {
    let v = list.get(i);
    let heat = scales.get(v) * x.get(i);
    x.set(i, heat);
    outermost.set(i, if marks.get(v) == OUTERMOST { heat } else { 0.0 });
}

/// Keeps the heat that is at least `least`, times e to the power of `scale`; `kept` gets a 1 for each such
/// vertex. Takes the marks and numbers of the shell back.
#[kernel(threads = 256, requires(
    list.len() >= count as usize && x.len() >= count as usize && kept.len() >= count as usize,
))]
pub fn keep<'a>(
    i: Each,
    least: f64,
    scale: f64,
    list: In<'a, u32>,
    x: In<'a, f64>,
    logarithms: Out<'a, f64>,
    marks: Out<'a, u32>,
    locals: Out<'a, u32>,
    kept: Out<'a, u32>,
) {
    let (v, heat) = (list.get(i), x.get(i));
    let enough = heat >= least && heat > 0.0;
    if enough {
        logarithms.set(v, scale + libm::log(heat));
    }
    kept.set(i, enough as u32);
    marks.set(v, OUTSIDE);
    locals.set(v, NONE);
}
