//! Quadrics of vertices, and what collapses cost by them (Garland and Heckbert 1997).
use crate::copy::{Owners, OwnersLayout, Topology, TopologyLayout};
use crate::query::{Rows, StoreQuery, Vf};
use crate::view::{ReadStore, StoreView};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, In, Out, Shared, Vec3, kernel};

/// Words of 64 bits that a quadric takes.
pub const WORDS: u32 = 11;
/// Distance of planes, in lengths of the edge, that is added to the error, so that shorter edges come first
/// where the surface is flat: as of simplification by claims.
const FLAT: f64 = 1e-3;
/// Bins of costs: by exponent and three more bits, so that each begins at 1.125 times the one before at most.
pub const BINS: u32 = 1 << (31 - SHIFT);
/// Bits of a cost that its bin does not have.
pub const SHIFT: u32 = 20;

/// A sum of squared distances from planes, by their weights: that at p is p·Ap + 2 b·p + c. Points are
/// relative to the vertex to which it belongs, in double precision, as of simplification by claims: it would
/// lose too much otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadric {
    /// Coefficients of A: xx, xy, xz, yy, yz, zz.
    a: [f64; 6],
    /// Half the gradient at the vertex.
    b: [f64; 3],
    /// The error at the vertex.
    c: f64,
    /// The sum of the weights.
    area: f64,
}
impl Quadric {
    /// Without planes.
    const ZERO: Self = Self { a: [0.0; 6], b: [0.0; 3], c: 0.0, area: 0.0 };

    /// From its words.
    #[inline(always)]
    pub fn of(word: impl Fn(u32) -> u64) -> Self {
        let of = |i: u32| f64::from_bits(word(i));
        Self {
            a: [of(0), of(1), of(2), of(3), of(4), of(5)],
            b: [of(6), of(7), of(8)],
            c: of(9),
            area: of(10),
        }
    }
    /// Its words.
    #[inline(always)]
    pub fn words(&self) -> [u64; WORDS as usize] {
        let ([a0, a1, a2, a3, a4, a5], [b0, b1, b2]) = (self.a, self.b);
        [a0, a1, a2, a3, a4, a5, b0, b1, b2, self.c, self.area].map(f64::to_bits)
    }
    /// Adds the plane of a face with one corner at the vertex and the others at `p` and `q`, by a third of
    /// its area.
    #[inline(always)]
    fn add_face(&mut self, p: [f64; 3], q: [f64; 3]) {
        let n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
        let square = dot(n, n);
        if square > 0.0 {
            // |n| is twice the area
            let area = libm::sqrt(square) / 6.0;
            let m = n.map(|x| x * (area / square));
            let [xx, xy, xz, yy, yz, zz] = self.a;
            self.a = [
                xx + m[0] * n[0],
                xy + m[0] * n[1],
                xz + m[0] * n[2],
                yy + m[1] * n[1],
                yz + m[1] * n[2],
                zz + m[2] * n[2],
            ];
            self.area += area;
        }
    }
    /// The quadric of a vertex at `to` onto which the one of this quadric, at `from`, is collapsed.
    #[inline(always)]
    pub fn joined(&self, other: &Self, from: Vec3, to: Vec3) -> Self {
        let by = difference(to, from);
        let [xx, xy, xz, yy, yz, zz] = self.a;
        let times = [
            xx * by[0] + xy * by[1] + xz * by[2],
            xy * by[0] + yy * by[1] + yz * by[2],
            xz * by[0] + yz * by[1] + zz * by[2],
        ];
        let b = self.b;
        let moved = [b[0] + times[0], b[1] + times[1], b[2] + times[2]];
        let c = self.c + dot(by, [moved[0] + b[0], moved[1] + b[1], moved[2] + b[2]]);
        let ([a0, a1, a2, a3, a4, a5], o) = (other.a, other);
        Self {
            a: [a0 + xx, a1 + xy, a2 + xz, a3 + yy, a4 + yz, a5 + zz],
            b: [o.b[0] + moved[0], o.b[1] + moved[1], o.b[2] + moved[2]],
            c: o.c + c,
            area: o.area + self.area,
        }
    }
    /// The cost of that collapse: the error at the vertex that stays, and a little for the length of the
    /// edge.
    #[inline(always)]
    pub fn cost(&self, other: &Self, from: Vec3, to: Vec3) -> f32 {
        let (sum, by) = (self.joined(other, from, to), difference(to, from));
        let error = if sum.c > 0.0 { sum.c } else { 0.0 };
        (error + FLAT * FLAT * dot(by, by) * sum.area) as f32
    }
}
#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
#[inline(always)]
fn difference(a: Vec3, b: Vec3) -> [f64; 3] {
    [a.x as f64 - b.x as f64, a.y as f64 - b.y as f64, a.z as f64 - b.z as f64]
}

fn make_memory(arena: &Arena, capacity: [u32; 3]) -> (TopologyLayout<'_>, OwnersLayout<'_>, Rows<'_>) {
    let rows = Rows::layout(arena, Vf::transposed(capacity));
    (Topology::layout(arena, capacity), Owners::layout(arena, capacity[0]), rows)
}
/// The quadric of each vertex by place: a third of each of its faces' areas times the squared distance from
/// the face's plane. One block per patch.
#[kernel(threads = 256, shared = make_memory(arena, store.limits()))]
pub fn make_quadrics<'a>(block: &Block, store: StoreView<'a>, x: In<'a, Vec3>, quadrics: Out<'a, u64>) {
    let row = store.row(block.index());
    let (topology, owners, rows) = make_memory(block.arena(), row.capacity);
    let t = Topology::load(block, store, row, topology);
    let owners = Owners::expand(block, store, t, 0, store.settled != 0, owners);
    let rows = Vf::ask(block, t, rows);
    t.for_each_owned_nosync(block, 0, |v| {
        let p = x.get(row.first[0] + v);
        let mut sum = Quadric::ZERO;
        Vf::visit(t, rows, v, |f| {
            let others = [0, 1, 2].map(|i| t.corner(f, i));
            let [u, w] = if others[0] == v {
                [others[1], others[2]]
            } else if others[1] == v {
                [others[2], others[0]]
            } else {
                [others[0], others[1]]
            };
            let [u, w] = [u, w].map(|u| difference(x.get(owners.slot(u)), p));
            sum.add_face(u, w);
        });
        for (i, word) in sum.words().into_iter().enumerate() {
            quadrics.set(WORDS * (row.first[0] + v) + i as u32, word);
        }
    });
}

fn count_memory(
    arena: &Arena,
    capacity: [u32; 3],
) -> (TopologyLayout<'_>, OwnersLayout<'_>, Shared<'_, u32>) {
    (Topology::layout(arena, capacity), Owners::layout(arena, capacity[0]), arena.take(BINS))
}
/// Adds each edge to the bin of its cost, of the cheaper of its two collapses. One block per patch.
#[kernel(threads = 256, shared = count_memory(arena, store.limits()), requires(bins.len() >= BINS as usize))]
pub fn count_costs<'a>(
    block: &Block,
    store: StoreView<'a>,
    x: In<'a, Vec3>,
    quadrics: In<'a, u64>,
    bins: Out<'a, u32>,
) {
    let row = store.row(block.index());
    let (topology, owners, counts) = count_memory(block.arena(), row.capacity);
    let t = Topology::load(block, store, row, topology);
    let owners = Owners::expand(block, store, t, 0, store.settled != 0, owners);
    block.for_each(BINS, |i| counts.set(i, 0));
    t.for_each_owned_nosync(block, 1, |e| {
        let places = t.ends(e).map(|v| owners.slot(v));
        let [q, r] = places.map(|place| Quadric::of(|i| quadrics.get(WORDS * place + i)));
        let [a, b] = places.map(|place| x.get(place));
        let (forth, back) = (q.cost(&r, a, b), r.cost(&q, b, a));
        let least = if forth < back { forth } else { back };
        if least < f32::INFINITY {
            counts.fetch_add(least.to_bits() >> SHIFT, 1);
        }
    });
    block.sync();
    block.for_each_nosync(BINS, |i| {
        if counts.get(i) > 0 {
            atomic::fetch_add(bins, i, counts.get(i), Relaxed, Device);
        }
    });
}
