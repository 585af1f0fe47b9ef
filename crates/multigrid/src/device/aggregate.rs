//! Aggregates: nodes that are one node of the next level. Their roots are a set of nodes no two of which are
//! neighbours or have a common one, to which no node can be added (Bell, Dalton and Olson 2012).
use super::rows::Rows;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// Length of a block of the diagonal; 0 without one. Elements: nodes.
#[kernel(threads = 256)]
pub fn diagonal_lengths<'a>(
    node: Each,
    numbers: u32,
    diagonal: In<'a, u32>,
    values: In<'a, f64>,
    to: Out<'a, f64>,
) {
    to.set(node, length(values, diagonal.get(node), numbers));
}
/// The root of the sum of the squares of a block's numbers.
#[inline(always)]
fn length(values: In<'_, f64>, place: u32, numbers: u32) -> f64 {
    let (mut k, mut sum) = (0, 0.0);
    while k < numbers {
        let x = values.get(place * numbers + k);
        sum += x * x;
        k += 1;
    }
    libm::sqrt(sum)
}

/// How much the node of a row depends on that of a column: the length of their block by the geometric mean
/// of both diagonal blocks' lengths; 0 if that is at most `threshold`, and for nodes that are fixed.
/// Elements: places.
#[kernel(threads = 256)]
pub fn strengths<'a>(
    place: Each,
    size: u32,
    threshold: f64,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    values: In<'a, f64>,
    lengths: In<'a, f64>,
    words: In<'a, u32>,
    to: Out<'a, f32>,
) {
    let (row, column) = (rows.get(place), columns.get(place));
    let all = (1 << size) - 1;
    let free = words.get(row) != all && words.get(column) != all;
    let mean = libm::sqrt(lengths.get(row) * lengths.get(column));
    let own = length(values, place, size * size);
    let strong = row != column && free && own > threshold * mean;
    to.set(place, if strong { (own / mean) as f32 } else { 0.0 });
}

/// The graph of nodes that depend on each other.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Graph<'a> {
    /// Its rows.
    pub rows: Rows<'a>,
    /// The strength of each entry; 0 where nothing depends.
    pub strengths: In<'a, f32>,
}
impl Graph<'_> {
    /// Runs `f` for the strength and the neighbour of each edge of a node, in order.
    #[inline(always)]
    fn edges(&self, node: u32, mut f: impl FnMut(f32, u32)) {
        let (mut k, end) = self.rows.range(node);
        while k < end {
            let strength = self.strengths.get(k);
            if strength > 0.0 {
                f(strength, self.rows.columns.get(k));
            }
            k += 1;
        }
    }
    /// The greatest word of a node and its neighbours.
    #[inline(always)]
    fn greatest(&self, node: u32, words: In<'_, u64>) -> u64 {
        let mut most = words.get(node);
        self.edges(node, |_, other| {
            let word = words.get(other);
            if word > most {
                most = word;
            }
        });
        most
    }
    /// The number of the strongest neighbour that has one; `none` if there is none.
    #[inline(always)]
    fn strongest(&self, node: u32, none: u32, number: impl Fn(u32) -> u32) -> u32 {
        let (mut most, mut found) = (0.0, none);
        self.edges(node, |strength, other| {
            if strength > most {
                let own = number(other);
                if own != none {
                    (most, found) = (strength, own);
                }
            }
        });
        found
    }
}

/// The node is a root.
const ROOT: u64 = 2 << 62;
/// It is not decided yet.
const OPEN: u64 = 1 << 62;
/// The state of a word.
const STATE: u64 = 3 << 62;

/// A scrambled number.
#[inline(always)]
pub fn scramble(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// The first word of each node: its priority by a hash, or 0 without neighbours. Elements: nodes.
#[kernel(threads = 256)]
pub fn open_nodes<'a>(node: Each, graph: Graph<'a>, words: Out<'a, u64>) {
    let mut degree = 0;
    graph.edges(node, |_, _| degree += 1);
    let priority = ((scramble(node) >> 2) as u64) << 32 | node as u64;
    words.set(node, if degree > 0 { OPEN | priority } else { 0 });
}
/// The greatest word of each node and its neighbours. Elements: nodes.
#[kernel(threads = 256)]
pub fn spread_words<'a>(node: Each, graph: Graph<'a>, words: In<'a, u64>, to: Out<'a, u64>) {
    to.set(node, graph.greatest(node, words));
}
/// A node with the greatest word of all nodes within two steps becomes a root; one with a root there is none.
/// Counts the others. Elements: nodes.
#[kernel(threads = 256)]
pub fn decide_nodes<'a>(
    node: Each,
    graph: Graph<'a>,
    spread: In<'a, u64>,
    words: Out<'a, u64>,
    open: Out<'a, u32>,
) {
    let own = words.get(node);
    if own & STATE != OPEN {
        return;
    }
    let most = graph.greatest(node, spread);
    if most == own {
        words.set(node, own & !STATE | ROOT);
    } else if most & STATE == ROOT {
        words.set(node, 0);
    } else {
        atomic::fetch_add(open, 0, 1, Relaxed, Device);
    }
}
/// 1 for roots, else 0; 0 after the last node. Elements: nodes and one more.
#[kernel(threads = 256)]
pub fn flag_roots<'a>(node: Each, nodes: u32, words: In<'a, u64>, to: Out<'a, u32>) {
    to.set(node, (node < nodes && words.get(node) & STATE == ROOT) as u32);
}
/// The aggregates of roots and of their neighbours; `none` for other nodes. Elements: nodes.
#[kernel(threads = 256)]
pub fn join_roots<'a>(
    node: Each,
    none: u32,
    graph: Graph<'a>,
    words: In<'a, u64>,
    numbers: In<'a, u32>,
    to: Out<'a, u32>,
) {
    let number = |v: u32| if words.get(v) & STATE == ROOT { numbers.get(v) } else { none };
    let own = number(node);
    to.set(node, if own != none { own } else { graph.strongest(node, none, number) });
}
/// The aggregates of all nodes: others join the neighbour on which they depend most. Elements: nodes.
#[kernel(threads = 256)]
pub fn join_neighbours<'a>(node: Each, none: u32, graph: Graph<'a>, from: In<'a, u32>, to: Out<'a, u32>) {
    let own = from.get(node);
    to.set(node, if own != none { own } else { graph.strongest(node, none, |v| from.get(v)) });
}
/// 1 for nodes with an aggregate, else 0; 0 after the last node. Elements: nodes and one more.
#[kernel(threads = 256)]
pub fn flag_members<'a>(node: Each, nodes: u32, none: u32, of: In<'a, u32>, to: Out<'a, u32>) {
    to.set(node, (node < nodes && of.get(node) != none) as u32);
}
/// The aggregates of nodes that have one, one after the other. Elements: nodes.
#[kernel(threads = 256)]
pub fn list_members<'a>(
    node: Each,
    none: u32,
    of: In<'a, u32>,
    starts: In<'a, u32>,
    columns: Out<'a, u32>,
    rows: Out<'a, u32>,
) {
    let own = of.get(node);
    if own != none {
        columns.set(starts.get(node), own);
        rows.set(starts.get(node), node);
    }
}
