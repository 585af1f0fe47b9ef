//! Domains: small sets of nodes that depend on each other most, and exact solutions on them.
//!
//! Domains grow as in Kruskal's algorithm, which takes edges by their strength, the strongest first, and
//! joins what they connect, unless it would have too many nodes. In a round all edges that are the strongest
//! at both of their domains join them. That gives what one edge after the other would give.
use super::aggregate::scramble;
use super::cycle::ended;
use super::rows::Rows;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, Each, In, Out, Parameter, Quad, Shared, kernel};
use ribbonmesh_linear::Real;

/// 1 for places above the diagonal whose nodes depend on each other, else 0. Elements: places.
#[kernel(threads = 256)]
pub fn flag_edges<'a>(
    place: Each,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    strengths: In<'a, f32>,
    to: Out<'a, u32>,
) {
    let above = columns.get(place) > rows.get(place);
    to.set(place, (above && strengths.get(place) > 0.0) as u32);
}
/// Each node is a domain. Elements: nodes.
#[kernel(threads = 256)]
pub fn begin_domains<'a>(
    node: Each,
    roots: Out<'a, u32>,
    parents: Out<'a, u32>,
    sizes: Out<'a, u32>,
    best: Out<'a, u64>,
) {
    roots.set(node, node);
    parents.set(node, node);
    sizes.set(node, 1);
    best.set(node, 0);
}

/// Edges between nodes: places of a matrix.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Edges<'a> {
    /// The places.
    pub places: In<'a, u32>,
    /// The row of each place of the matrix.
    pub rows: In<'a, u32>,
    /// The column of each.
    pub columns: In<'a, u32>,
    /// The strength of each.
    pub strengths: In<'a, f32>,
    /// The domain of each node: one of its nodes.
    pub roots: In<'a, u32>,
}
impl Edges<'_> {
    /// The two domains of an edge.
    #[inline(always)]
    fn domains(&self, i: u32) -> (u32, u32) {
        let place = self.places.get(i);
        (self.roots.get(self.rows.get(place)), self.roots.get(self.columns.get(place)))
    }
    /// A number greater than 0 that orders edges: by strength to seven bits, then by a hash. Many edges of a
    /// good mesh have about the same strength; a hash keeps chains of stronger and stronger ones short.
    #[inline(always)]
    fn key(&self, i: u32) -> u64 {
        let place = self.places.get(i);
        key(self.strengths.get(place), place)
    }
}
/// The key of an edge.
#[inline(always)]
pub fn key(strength: f32, place: u32) -> u64 {
    1 << 63 | ((strength.to_bits() >> 16) as u64) << 32 | scramble(place) as u64
}
/// Finds the greatest key at each domain of edges whose domains can be joined. Elements: edges.
#[kernel(threads = 256)]
pub fn propose_joins<'a>(i: Each, most: u32, edges: Edges<'a>, sizes: In<'a, u32>, best: Out<'a, u64>) {
    let (a, b) = edges.domains(i);
    if a != b && sizes.get(a) + sizes.get(b) <= most {
        let key = edges.key(i);
        atomic::fetch_max(best, a, key, Relaxed, Device);
        atomic::fetch_max(best, b, key, Relaxed, Device);
    }
}
/// Joins domains by the edges that are the best of both. Elements: edges.
#[kernel(threads = 256)]
pub fn join_domains<'a>(
    i: Each,
    edges: Edges<'a>,
    best: In<'a, u64>,
    sizes: Out<'a, u32>,
    parents: Out<'a, u32>,
) {
    let (a, b) = edges.domains(i);
    let key = edges.key(i);
    if a != b && best.get(a) == key && best.get(b) == key {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        sizes.set(low, sizes.get(low) + sizes.get(high));
        parents.set(high, low);
    }
}
/// The domains after joins, and no best edges. Elements: nodes.
#[kernel(threads = 256)]
pub fn follow_joins<'a>(node: Each, parents: In<'a, u32>, roots: Out<'a, u32>, best: Out<'a, u64>) {
    // joined by pairs: the parent of a domain of the last round has none
    roots.set(node, parents.get(roots.get(node)));
    best.set(node, 0);
}
/// 1 for edges whose domains can be joined, else 0. Elements: edges.
#[kernel(threads = 256)]
pub fn keep_edges<'a>(i: Each, most: u32, edges: Edges<'a>, sizes: In<'a, u32>, to: Out<'a, u32>) {
    let (a, b) = edges.domains(i);
    to.set(i, (a != b && sizes.get(a) + sizes.get(b) <= most) as u32);
}
/// 1 for nodes that are their own domain, else 0; 0 after the last node. Elements: nodes and one more.
#[kernel(threads = 256)]
pub fn flag_domains<'a>(node: Each, nodes: u32, roots: In<'a, u32>, to: Out<'a, u32>) {
    to.set(node, (node < nodes && roots.get(node) == node) as u32);
}
/// The place of each node in the order of domains. Elements: places of that order.
#[kernel(threads = 256)]
pub fn slots_of_nodes<'a>(slot: Each, nodes: In<'a, u32>, to: Out<'a, u32>) {
    to.set(nodes.get(slot), slot);
}

/// The numbers of a triangle of `n` rows.
#[inline(always)]
pub fn triangle(n: u32) -> u32 {
    n * (n + 1) / 2
}
/// The words of 16 bytes in which a triangle of `n` rows is, in single precision.
#[inline(always)]
pub fn words(n: u32) -> u32 {
    triangle(n).div_ceil(4)
}
/// The words of each domain's triangle; 0 after the last one. Elements: domains and one more.
#[kernel(threads = 256)]
pub fn triangles<'a>(domain: Each, domains: u32, starts: In<'a, u32>, to: Out<'a, u32>) {
    let n = if domain < domains { starts.get(domain + 1) - starts.get(domain) } else { 0 };
    to.set(domain, words(n));
}

/// Pivots below this part of the diagonal count as this part: a matrix that has been rounded to single
/// precision may have lost them.
const LEAST: f64 = 1e-7;

type FactorRoom<'b> = (Shared<'b, f64>, Shared<'b, f64>, Shared<'b, f64>);
fn factor_room(arena: &Arena, most: u32) -> FactorRoom<'_> {
    (arena.take(triangle(most)), arena.take(most), arena.take(2 * most))
}
/// The inverse of the Cholesky factor of each domain's part of a matrix: rows of a lower triangle. With it as
/// G, the inverse of the part is Gᵀ G, positive definite however G is rounded. `wrong[0]` becomes the
/// smallest node whose diagonal is not positive. Blocks: domains.
#[kernel(threads = 64, shared = factor_room(arena, most))]
pub fn factor_domains<'a>(
    block: &Block,
    most: u32,
    groups: GroupsView<'a>,
    of: In<'a, u32>,
    slots: In<'a, u32>,
    rows: Rows<'a>,
    values: In<'a, f64>,
    offsets: In<'a, u32>,
    to: Out<'a, f32>,
    wrong: Out<'a, u32>,
) {
    let (a, inverse, columns) = factor_room(block.arena(), most);
    let domain = block.index();
    let (first, end) = groups.range(domain);
    let n = end - first;
    block.for_each(triangle(n), |k| a.set(k, 0.0));
    block.for_each(n, |i| {
        let node = groups.places.get(first + i);
        let (mut k, last) = rows.range(node);
        while k < last {
            let other = rows.columns.get(k);
            if of.get(other) == domain {
                let j = slots.get(other) - first;
                if j <= i {
                    a.set(triangle(i) + j, values.get(k));
                }
            }
            k += 1;
        }
        let positive = a.get(triangle(i) + i) > 0.0;
        if !positive {
            atomic::fetch_min(wrong, 0, node, Relaxed, Device);
        }
    });
    // a becomes L D below the diagonal, the pivots' inverses are apart
    let mut p = 0;
    while p < n {
        block.for_each(n - p, |k| {
            let i = p + k;
            let own = a.get(triangle(i) + p);
            let (mut sum, mut l) = (own, 0);
            while l < p {
                sum -= a.get(triangle(i) + l) * a.get(triangle(p) + l) * inverse.get(l);
                l += 1;
            }
            if i > p {
                a.set(triangle(i) + p, sum);
            } else {
                let pivot = if sum > LEAST * own { sum } else { LEAST * own };
                inverse.set(p, if own > 0.0 { 1.0 / pivot } else { 0.0 });
            }
        });
        p += 1;
    }
    // the inverse of L in place, from the last column on; two columns take turns, so that one barrier is
    // enough
    let mut c = n;
    while c > 0 {
        c -= 1;
        let column = (c & 1) * most;
        block.for_each(n - c, |k| columns.set(column + k, a.get(triangle(c + k) + c) * inverse.get(c)));
        block.for_each_nosync(n - c, |k| {
            if k > 0 {
                let (row, mut sum, mut l) = (triangle(c + k) + c, columns.get(column + k), 1);
                while l < k {
                    sum += a.get(row + l) * columns.get(column + l);
                    l += 1;
                }
                a.set(row, -sum);
            }
        });
    }
    block.sync();
    let base = 4 * offsets.get(domain);
    block.for_each_nosync(n, |i| {
        let by = libm::sqrt(inverse.get(i));
        let mut j = 0;
        while j <= i {
            let unit = if j < i { a.get(triangle(i) + j) } else { 1.0 };
            to.set(base + triangle(i) + j, (by * unit) as f32);
            j += 1;
        }
    });
    block.for_each_nosync(4 * words(n) - triangle(n), |k| to.set(base + triangle(n) + k, 0.0));
}

/// Words of a triangle that a thread has at once: with 64 threads those of 64 rows, but for eight.
const AHEAD: usize = 8;

type SolveRoom<'b> = (Shared<'b, Quad>, Shared<'b, Quad>, Shared<'b, Quad>);
fn solve_room(arena: &Arena, most: u32) -> SolveRoom<'_> {
    (arena.take(words(most)), arena.take(most), arena.take(most))
}
/// The four numbers of a word.
#[inline(always)]
fn four(word: Quad) -> [f32; 4] {
    bytemuck::cast(word.0)
}
/// `sum + by word`.
#[inline(always)]
fn plus([a, b, c, d]: [f32; 4], by: f32, word: Quad) -> [f32; 4] {
    let [e, f, g, h] = four(word);
    [a + by * e, b + by * f, c + by * g, d + by * h]
}
/// z = Gᵀ G r on each domain, in single precision. A thread has a row, and four lanes at once. Blocks:
/// domains.
#[kernel(for V in [f32, f64], threads = 64, shared = solve_room(arena, most))]
pub fn solve_domains<'a, V: Real>(
    block: &Block,
    most: u32,
    lanes: u32,
    state: In<'a, f64>,
    groups: GroupsView<'a>,
    offsets: In<'a, u32>,
    factors: In<'a, f32>,
    r: In<'a, V>,
    z: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    let (triangles, x, y) = solve_room(block.arena(), most);
    let domain = block.index();
    let (first, end) = groups.range(domain);
    let (n, offset) = (end - first, offsets.get(domain));
    let g = triangles.wide::<f32>();
    let place = |i: u32| groups.places.get(first + i) * lanes;
    let fetch = |lane: u32| {
        block.for_each_nosync(n, |i| {
            let at = place(i) + lane;
            let number = |k: u32| if lane + k < lanes { r.get(at + k).to_f64() as f32 } else { 0.0 };
            x.set(i, Quad(bytemuck::cast([number(0), number(1), number(2), number(3)])));
        })
    };
    let from = factors.wide::<Quad>();
    block.for_each_ahead_nosync::<Quad, AHEAD>(
        words(n),
        |k| from.get(offset + k),
        || fetch(0),
        |k, word| triangles.set(k, word),
    );
    let mut lane = 0;
    while lane < lanes {
        if lane > 0 {
            fetch(lane);
        }
        block.sync();
        block.for_each(n, |i| {
            let (row, mut sum, mut j) = (triangle(i), [0.0; 4], 0);
            while j <= i {
                sum = plus(sum, g.get(row + j), x.get(j));
                j += 1;
            }
            y.set(i, Quad(bytemuck::cast(sum)));
        });
        block.for_each_nosync(n, |i| {
            let (mut sum, mut j, mut at) = ([0.0; 4], i, triangle(i) + i);
            while j < n {
                sum = plus(sum, g.get(at), y.get(j));
                j += 1;
                at += j;
            }
            let (to, mut k) = (place(i) + lane, 0);
            let [a, b, c, d] = sum;
            while k < 4 && lane + k < lanes {
                let number = if k == 0 {
                    a
                } else if k == 1 {
                    b
                } else if k == 2 {
                    c
                } else {
                    d
                };
                z.set(to + k, V::from_f64(number as f64));
                k += 1;
            }
        });
        lane += 4;
    }
}
