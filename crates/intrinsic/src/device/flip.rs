//! Kernels that flip edges until the triangulation is Delaunay.
//!
//! A round has three launches. *Choose*: of the edges that want to be flipped, those with a greater claim
//! than the others at the same two triangles. *Flip*: these, and list what has to be looked at again. *Look*:
//! which edges want to be flipped. Claims are numbers of edges, scrambled anew in each round: they do not
//! depend on the machine, and no atomics decide about them.
use super::half_edges::HalfEdges;
use super::triangle::other_diagonal;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, kernel};

/// Mark of an edge that stays.
const STAYS: u32 = 0;
/// Mark of an edge that wants to be flipped.
const WANTS: u32 = 1;
/// Mark of an edge that is listed to be looked at.
const LISTED: u32 = 2;

/// Outcome of a listed edge: nothing to do, waiting for the next round, to be flipped.
const NONE: u32 = 0;
const WAITS: u32 = 1;
const WINS: u32 = 2;

/// Words of the state: the lengths of the two lists, which take turns; flips; rounds with flips.
#[cfg(not(target_arch = "nvptx64"))]
pub const STATE: usize = 4;
/// Edges that were flipped.
pub const FLIPS: u32 = 2;
/// Rounds in which edges were flipped.
pub const ROUNDS: u32 = 3;

/// Edges with a cotangent sum above this stay, although they are not quite Delaunay: without a tolerance,
/// rounding could flip the diagonal of a square for ever. That of geometry-central, for half the sum.
const TOLERANCE: f64 = 2e-6;

/// Whether an edge, named by one of its half-edges, should be flipped.
#[inline(always)]
fn wants(mesh: &HalfEdges<'_>, h: u32) -> bool {
    let t = mesh.twin.get(h);
    let (a, b) = (mesh.around(h), mesh.around(t));
    // an edge between a triangle and itself is Delaunay
    if a[1] == t || a[2] == t {
        return false;
    }
    let sum = mesh.cotangent(h) + mesh.cotangent(t);
    // false for what is not finite, too
    let obtuse = sum < -TOLERANCE;
    if !obtuse {
        return false;
    }
    let length = diagonal(mesh.lengths(a), mesh.lengths(b));
    length > 0.0 && length.is_finite()
}
/// The other diagonal of two triangles, whose lengths begin with that of the common edge.
#[inline(always)]
fn diagonal(a: [f64; 3], b: [f64; 3]) -> f64 {
    other_diagonal(a[0], [a[2], a[1]], [b[1], b[2]])
}

/// The claim of an edge in a round: bits that look random, and differ for different edges.
#[inline(always)]
fn claim(edge: u32, round: u32) -> u32 {
    let mut x = edge.wrapping_add(round.wrapping_mul(0x9e37_79b9));
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// Looks at all edges, and lists those that want to be flipped. Blocks: any number.
#[kernel(threads = 256, requires(
    mesh.next.len() == mesh.twin.len() && mesh.length.len() == mesh.twin.len(),
    marks.len() == mesh.twin.len(),
    state.len() >= 4,
))]
pub fn look_at_all<'a>(
    block: &Block,
    mesh: HalfEdges<'a>,
    marks: Out<'a, u32>,
    list: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    block.for_each_tile(mesh.twin.len() as u32, |base, len| {
        block.append(len, list, state, 0, |i| {
            let h = base + i;
            let wants = h < mesh.twin.get(h) && wants(&mesh, h);
            marks.set(h, if wants { WANTS } else { STAYS });
            if wants { Some(h) } else { None }
        });
    });
}

/// Chooses of the listed edges those that are flipped in this round; `from` is the list's word of the state.
/// Blocks: any number.
#[kernel(threads = 256, requires(
    mesh.next.len() == mesh.twin.len(),
    marks.len() == mesh.twin.len(),
    outcomes.len() >= list.len(),
    state.len() >= 4,
))]
pub fn choose_flips<'a>(
    block: &Block,
    from: u32,
    round: u32,
    mesh: HalfEdges<'a>,
    marks: In<'a, u32>,
    list: In<'a, u32>,
    state: In<'a, u32>,
    outcomes: Out<'a, u32>,
) {
    block.for_each_of_tile(state.get(from), |i| {
        let h = list.get(i);
        if marks.get(h) != WANTS {
            outcomes.set(i, NONE);
            return;
        }
        let own = claim(h, round);
        let yields = |side: u32| {
            let edge = mesh.edge(side);
            marks.get(edge) == WANTS && claim(edge, round) > own
        };
        let (a, b) = (mesh.around(h), mesh.around(mesh.twin.get(h)));
        let waits = yields(a[1]) || yields(a[2]) || yields(b[1]) || yields(b[2]);
        outcomes.set(i, if waits { WAITS } else { WINS });
    });
}

/// Flips the chosen edges, and lists for the next round the sides of their triangles, and the edges that
/// wait. No two of the chosen have a triangle in common, so that each writes what only itself reads. Blocks:
/// any number.
#[kernel(threads = 256, requires(
    next.len() == twin.len() && origin.len() == twin.len() && length.len() == twin.len(),
    marks.len() == twin.len(),
    outcomes.len() >= list.len(),
    state.len() >= 4,
))]
pub fn flip_chosen<'a>(
    block: &Block,
    from: u32,
    twin: In<'a, u32>,
    next: Out<'a, u32>,
    origin: Out<'a, u32>,
    length: Out<'a, f64>,
    marks: Out<'a, u32>,
    list: In<'a, u32>,
    outcomes: In<'a, u32>,
    to: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    let flip = |h: u32| {
        let t = twin.get(h);
        let around = |h: u32| {
            let n = next.get(h);
            [h, n, next.get(n)]
        };
        let (a, b) = (around(h), around(t));
        let lengths = |of: [u32; 3]| of.map(|h| length.get(h));
        let new = diagonal(lengths(a), lengths(b));
        // from i to j, with k on the left and l on the right, it becomes from l to k, with i on the left
        origin.set(h, origin.get(b[2]));
        origin.set(t, origin.get(a[2]));
        for [x, y, z] in [[h, a[2], b[1]], [t, b[2], a[1]]] {
            next.set(x, y);
            next.set(y, z);
            next.set(z, x);
            length.set(x, new);
        }
        // no other chosen edge lists it
        marks.set(h, STAYS);
    };
    let count = state.get(from);
    block.for_each_tile(count, |base, len| {
        block.for_each(len, |i| {
            if outcomes.get(base + i) == WINS {
                flip(list.get(base + i));
            }
        });
        // one of the four sides around a flipped edge, or the edge that waits
        let mut k = 0;
        while k < 4 {
            block.append(len, to, state, 1 - from, |i| {
                let (h, outcome) = (list.get(base + i), outcomes.get(base + i));
                let side = match outcome {
                    WINS => {
                        let n = next.get(if k < 2 { h } else { twin.get(h) });
                        if k % 2 == 0 { n } else { next.get(n) }
                    }
                    WAITS if k == 0 => h,
                    _ => return None,
                };
                let t = twin.get(side);
                let edge = if t < side { t } else { side };
                let before = atomic::exchange(marks, edge, LISTED, Relaxed, Device);
                if before == LISTED { None } else { Some(edge) }
            });
            k += 1;
        }
        let won = block.count_where(len, |i| outcomes.get(base + i) == WINS);
        block.single_nosync(|| {
            atomic::fetch_add(state, FLIPS, won, Relaxed, Device);
        });
    });
    if block.index() == 0 && count > 0 {
        block.single_nosync(|| state.set(ROUNDS, state.get(ROUNDS) + 1));
    }
}

/// Looks at the listed edges; `at` is the list's word of the state. Empties the other list. Blocks: any
/// number.
#[kernel(threads = 256, requires(
    mesh.next.len() == mesh.twin.len() && mesh.length.len() == mesh.twin.len(),
    marks.len() == mesh.twin.len(),
    state.len() >= 4,
))]
pub fn look_at_listed<'a>(
    block: &Block,
    at: u32,
    mesh: HalfEdges<'a>,
    marks: Out<'a, u32>,
    list: In<'a, u32>,
    state: Out<'a, u32>,
) {
    block.for_each_of_tile(state.get(at), |i| {
        let h = list.get(i);
        marks.set(h, if wants(&mesh, h) { WANTS } else { STAYS });
    });
    if block.index() == 0 {
        block.single_nosync(|| state.set(1 - at, 0));
    }
}
