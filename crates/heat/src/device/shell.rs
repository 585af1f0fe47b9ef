//! Kernels that choose the vertices of a shell, and end it.
//!
//! Heat is known by its logarithm, −∞ where it is not known. A shell is made of vertices that are not known,
//! as far from known ones or from sources as heat sinks by a factor that is given. Each has what is left of
//! the logarithm of this factor, as the bits of an `f32`: 0 outside of the shell.
use super::matrix::Rows;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, NONE, Out, Parameter, kernel};

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

/// Lists those of the listed vertices that are not known and are sources or neighbours of known vertices,
/// with `width` left; `state[0]` counts them. Blocks: tiles.
#[kernel(threads = 256, requires(!state.is_empty(), to.len() >= n as usize && list.len() >= n as usize))]
pub fn rim<'a>(
    block: &Block,
    n: u32,
    width: f32,
    rows: Rows<'a>,
    known: Known<'a>,
    list: In<'a, u32>,
    left: Out<'a, u32>,
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
            left.set(v, width.to_bits());
            Some(v)
        });
    });
}

/// How a shell spreads.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Spreading<'a> {
    /// The rest at each vertex.
    pub left: Out<'a, u32>,
    /// The last launch that has listed a vertex.
    pub stamps: Out<'a, u32>,
    /// Masses of vertices.
    pub mass: In<'a, f64>,
    /// The time.
    pub time: f64,
}
impl Spreading<'_> {
    /// The logarithm of the factor by which heat sinks along an edge to a vertex; exact in a grid.
    #[inline(always)]
    fn decay(&self, to: u32, weight: f64) -> f64 {
        let half = 0.5 * libm::sqrt(self.mass.get(to) / (self.time * weight));
        2.0 * libm::log(half + libm::sqrt(half * half + 1.0))
    }
}

/// Gives the neighbours of the listed vertices, whose number is `state[hop]`, what is left of theirs, and
/// lists those that get more than they had; `state[hop + 1]` counts them. No other launch has this stamp. In
/// the end each vertex has the most that any path leaves. Blocks: any number.
#[kernel(threads = 256, requires(state.len() > hop as usize + 1, to.len() >= spreading.left.len()))]
pub fn spread<'a>(
    block: &Block,
    hop: u32,
    stamp: u32,
    rows: Rows<'a>,
    known: Known<'a>,
    spreading: Spreading<'a>,
    list: In<'a, u32>,
    to: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    block.for_each_of_tile(state.get(hop), |i| {
        let v = list.get(i);
        let own = f32::from_bits(atomic::load(spreading.left, v, Relaxed, Device));
        rows.for_each(v, |w, weight| {
            if known.has(w) {
                return;
            }
            let left = own - spreading.decay(w, weight) as f32;
            // the bits of positive numbers have their order
            if left > 0.0
                && atomic::fetch_max(spreading.left, w, left.to_bits(), Relaxed, Device) < left.to_bits()
            {
                let first = atomic::exchange(spreading.stamps, w, stamp, Relaxed, Device) != stamp;
                if first {
                    to.set(atomic::fetch_add(state, hop + 1, 1, Relaxed, Device), w);
                }
            }
        });
    });
}

/// Numbers the vertices of the shell, and gives for each the greatest logarithm among its known neighbours,
/// for a source at least 0, the logarithm of what it gets; counts its neighbours in the shell; and tells
/// whether it has others, which are left out.
#[kernel(threads = 256, requires(
    list.len() >= count as usize && greatest.len() >= count as usize && entries.len() >= count as usize,
    outermost.len() >= count as usize,
))]
pub fn number<'a>(
    i: Each,
    rows: Rows<'a>,
    known: Known<'a>,
    left: In<'a, u32>,
    list: In<'a, u32>,
    locals: Out<'a, u32>,
    greatest: Out<'a, f64>,
    entries: Out<'a, u32>,
    outermost: Out<'a, u32>,
) {
    let v = list.get(i);
    locals.set(v, i);
    let mut most = if known.sources.get(v) != 0 { 0.0 } else { f64::NEG_INFINITY };
    let (mut count, mut last) = (0, false);
    rows.for_each(v, |w, _| {
        let logarithm = known.logarithms.get(w);
        most = if logarithm > most { logarithm } else { most };
        let inside = left.get(w) != 0;
        count += inside as u32;
        last |= !inside && !known.has(w);
    });
    outermost.set(i, last as u32);
    greatest.set(i, most);
    entries.set(i, count);
}

/// The heat of the shell's vertices from the solution of its system, and the same of the outermost ones
/// alone.
#[kernel(threads = 256, requires(
    list.len() >= count as usize && x.len() >= count as usize,
    outermost.len() >= count as usize && last.len() >= count as usize,
))]
pub fn heat_of_shell<'a>(
    i: Each,
    list: In<'a, u32>,
    scales: In<'a, f64>,
    outermost: In<'a, u32>,
    x: Out<'a, f64>,
    last: Out<'a, f64>,
) {
    let v = list.get(i);
    let heat = scales.get(v) * x.get(i);
    x.set(i, heat);
    last.set(i, if outermost.get(i) != 0 { heat } else { 0.0 });
}

/// Keeps the heat that is at least `least`, times e to the power of `scale`; `kept` gets a 1 for each such
/// vertex. Takes the numbers of the shell back.
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
    left: Out<'a, u32>,
    locals: Out<'a, u32>,
    kept: Out<'a, u32>,
) {
    let (v, heat) = (list.get(i), x.get(i));
    let enough = heat >= least && heat > 0.0;
    if enough {
        logarithms.set(v, scale + libm::log(heat));
    }
    kept.set(i, enough as u32);
    left.set(v, 0);
    locals.set(v, NONE);
}
