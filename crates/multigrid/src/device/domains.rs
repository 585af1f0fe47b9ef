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
use ribbonmesh::device::{Arena, Block, Each, In, Out, Parameter, Shared, kernel};
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
/// The numbers of each domain's triangle; 0 after the last one. Elements: domains and one more.
#[kernel(threads = 256)]
pub fn triangles<'a>(domain: Each, domains: u32, starts: In<'a, u32>, to: Out<'a, u32>) {
    let numbers = if domain < domains { triangle(starts.get(domain + 1) - starts.get(domain)) } else { 0 };
    to.set(domain, numbers);
}

/// Pivots below this part of the diagonal count as this part: a matrix that has been rounded to single
/// precision may have lost them.
const LEAST: f64 = 1e-7;

type FactorRoom<'b> = (Shared<'b, f64>, Shared<'b, f64>, Shared<'b, f64>);
fn factor_room(arena: &Arena, most: u32) -> FactorRoom<'_> {
    (arena.take(triangle(most)), arena.take(triangle(most)), arena.take(most))
}
/// The inverse of the Cholesky factor of each domain's part of a matrix: rows of a lower triangle. With it as
/// G, the inverse of the part is Gᵀ G, positive definite however G is rounded. `wrong[0]` becomes the smallest
/// node whose diagonal is not positive. Blocks: domains.
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
    let (a, g, inverse) = factor_room(block.arena(), most);
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
        if !(a.get(triangle(i) + i) > 0.0) {
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
    // a column of the inverse of L each
    block.for_each(n, |c| {
        g.set(triangle(c) + c, 1.0);
        let mut i = c + 1;
        while i < n {
            let (mut sum, mut k) = (0.0, c);
            while k < i {
                sum -= a.get(triangle(i) + k) * inverse.get(k) * g.get(triangle(k) + c);
                k += 1;
            }
            g.set(triangle(i) + c, sum);
            i += 1;
        }
    });
    block.for_each_nosync(n, |i| {
        let by = libm::sqrt(inverse.get(i));
        let mut j = 0;
        while j <= i {
            to.set(offsets.get(domain) + triangle(i) + j, (by * g.get(triangle(i) + j)) as f32);
            j += 1;
        }
    });
}

type SolveRoom<'b> = (Shared<'b, f32>, Shared<'b, f32>, Shared<'b, f32>);
fn solve_room(arena: &Arena, most: u32, lanes: u32) -> SolveRoom<'_> {
    (arena.take(triangle(most)), arena.take(most * lanes), arena.take(most * lanes))
}
/// z = Gᵀ G r on each domain, in single precision. Blocks: domains.
#[kernel(for V in [f32, f64], threads = 64, shared = solve_room(arena, most, lanes))]
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
    let (g, x, y) = solve_room(block.arena(), most, lanes);
    let domain = block.index();
    let (first, end) = groups.range(domain);
    let (n, offset) = (end - first, offsets.get(domain));
    let number = |k: u32| groups.places.get(first + k / lanes) * lanes + k % lanes;
    block.for_each_nosync(triangle(n), |k| g.set(k, factors.get(offset + k)));
    block.for_each(n * lanes, |k| x.set(k, r.get(number(k)).to_f64() as f32));
    block.for_each(n * lanes, |k| {
        let (i, lane) = (k / lanes, k % lanes);
        let (row, mut sum, mut j) = (triangle(i), 0.0, 0);
        while j <= i {
            sum += g.get(row + j) * x.get(j * lanes + lane);
            j += 1;
        }
        y.set(k, sum);
    });
    block.for_each_nosync(n * lanes, |k| {
        let (i, lane) = (k / lanes, k % lanes);
        let (mut sum, mut j, mut at) = (0.0, i, triangle(i) + i);
        while j < n {
            sum += g.get(at) * y.get(j * lanes + lane);
            j += 1;
            at += j;
        }
        z.set(number(k), V::from_f64(sum as f64));
    });
}
