//! Kernels: moments of nodes, and a search for each point.
use crate::inside::angle::Angles;
use crate::inside::moments::{Moments, Place, WORDS, far};
use crate::inside::ray::crossing;
use glam::{DVec3, Vec3};
use libm::sqrt;
use ribbonmesh::bvh::{BvhView, Half, Part};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::bytemuck::{Pod, Zeroable};
use ribbonmesh::device::{Block, Each, In, Out, Parameter, Quad, kernel};

/// Points per block: one per thread.
pub const POINTS: u32 = 128;
/// Faces per block that adds up edges.
pub const FACES: u32 = 1024;

/// Triangles by the indices of their vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Faces<'a> {
    /// Positions of vertices.
    pub positions: In<'a, Vec3>,
    /// Vertices of faces.
    pub vertices: In<'a, [u32; 3]>,
}

impl Faces<'_> {
    /// The corners of a face.
    #[inline(always)]
    pub fn corners(&self, face: u32) -> [Vec3; 3] {
        self.vertices.get(face).map(|v| self.positions.get(v))
    }
}

/// Computes the height of each node as [`Half::height`]; 0 for nodes within leaves.
#[kernel(threads = 256)]
pub fn heights<'a>(node: Each, bvh: BvhView<'a>, to: Out<'a, u32>) {
    let [a, b] = bvh.halves(node);
    let within = match (a.part, b.part) {
        (Part::Faces { count, .. }, Part::Faces { count: more, .. }) => count + more <= 4,
        _ => false,
    };
    let higher = if a.height < b.height { b.height } else { a.height };
    to.set(node, if within { 0 } else { 1 + higher });
}

#[inline(always)]
fn read(moments: Out<'_, Quad>, node: u32) -> Moments {
    Moments::from_words([0, 1, 2, 3, 4, 5].map(|i| moments.get(WORDS * node + i)))
}
/// The distance from a point to the farthest corner of a half's box.
#[inline(always)]
fn reach(half: &Half, from: DVec3) -> f64 {
    let way = (half.low.as_dvec3() - from).abs().max((half.high.as_dvec3() - from).abs());
    sqrt(way.length_squared())
}

/// Computes the moments of the nodes in a part of a list; the nodes below them have theirs already.
#[kernel(threads = 128)]
pub fn node_moments<'a>(i: Each, bvh: BvhView<'a>, list: In<'a, u32>, first: u32, moments: Out<'a, Quad>) {
    let node = list.get(first + i);
    let halves = bvh.halves(node);
    // area and centre first
    let (mut area, mut sum) = (0.0, DVec3::ZERO);
    for half in &halves {
        match half.part {
            Part::Node(below) => {
                let m = read(moments, below);
                area += m.area;
                sum += m.area * m.centre;
            }
            Part::Faces { first, count } => {
                for place in first..first + count {
                    let m = Moments::of_triangle(bvh.corners_at(place).map(|p| p.as_dvec3()));
                    area += m.area;
                    sum += m.area * m.centre;
                }
            }
        }
    }
    let middle = 0.25 * (halves[0].low + halves[1].low).as_dvec3()
        + 0.25 * (halves[0].high + halves[1].high).as_dvec3();
    let mut all = Moments::about(area, sum, middle);
    let mut radius = 0.0_f64;
    for half in &halves {
        let mut far = 0.0_f64;
        match half.part {
            Part::Node(below) => {
                let m = read(moments, below);
                far = sqrt((m.centre - all.centre).length_squared()) + m.radius;
                all.add(&m);
            }
            Part::Faces { first, count } => {
                for place in first..first + count {
                    let corners = bvh.corners_at(place).map(|p| p.as_dvec3());
                    for p in corners {
                        let here = sqrt((p - all.centre).length_squared());
                        far = if here > far { here } else { far };
                    }
                    all.add(&Moments::of_triangle(corners));
                }
            }
        }
        let of_box = reach(half, all.centre);
        let least = if of_box < far { of_box } else { far };
        radius = if least > radius { least } else { radius };
    }
    all.radius = radius;
    let words = all.to_words();
    for (k, word) in words.iter().enumerate() {
        moments.set(WORDS * node + k as u32, *word);
    }
}

/// The first element of a block, and the number of its elements, of `n` in all.
#[inline(always)]
pub fn block_of(block: &Block, size: u32, n: u32) -> (u32, u32) {
    let base = size * block.index();
    (base, if n - base < size { n - base } else { size })
}

/// Computes the winding number of the surface around each point: by moments if a node is more than `beta`
/// radii away, otherwise by solid angles of faces. One block per [`POINTS`].
#[kernel(threads = 128)]
pub fn winding_near<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    moments: In<'a, Quad>,
    points: In<'a, Vec3>,
    beta: f32,
    numbers: Out<'a, f32>,
) {
    let (base, len) = block_of(block, POINTS, points.len() as u32);
    block.for_each_nosync(len, |i| {
        let point = points.get(base + i);
        let (mut angles, mut sum) = (Angles::new(), 0.0_f64);
        bvh.descend(
            |node| {
                let place = Place::of(moments.get(WORDS * node));
                match place.away(point, beta) {
                    _ if place.is_nothing() => false,
                    Some(way) => {
                        sum += far(way, [1, 2, 3, 4, 5].map(|k| moments.get(WORDS * node + k))) as f64;
                        false
                    }
                    None => true,
                }
            },
            |place| angles.add(point, bvh.corners_at(place)),
        );
        numbers.set(base + i, (sum + angles.winding()) as f32);
    });
}
/// Computes the same by the solid angles of all faces.
#[kernel(threads = 128)]
pub fn winding_of_all<'a>(block: &Block, bvh: BvhView<'a>, points: In<'a, Vec3>, numbers: Out<'a, f32>) {
    let (base, len) = block_of(block, POINTS, points.len() as u32);
    block.for_each_nosync(len, |i| {
        let (point, mut angles) = (points.get(base + i), Angles::new());
        for place in 0..bvh.faces() {
            angles.add(point, bvh.corners_at(place));
        }
        numbers.set(base + i, angles.winding() as f32);
    });
}
/// Counts the crossings of the ray from each point along +x: `sums` with their directions, `odd` whether
/// their number is odd. One block per [`POINTS`].
#[kernel(threads = 128)]
pub fn cast<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Faces<'a>,
    points: In<'a, Vec3>,
    sums: Out<'a, f32>,
    odd: Out<'a, u32>,
) {
    let (base, len) = block_of(block, POINTS, points.len() as u32);
    block.for_each_nosync(len, |i| {
        let point = points.get(base + i);
        let end = Vec3::new(f32::MAX, point.y, point.z);
        let mut sum = 0;
        bvh.meeting([point, point, end], |face| sum += crossing(point, faces.corners(face)));
        sums.set(base + i, sum as f32);
        // a sum of ones and minus ones has the parity of their number
        odd.set(base + i, (sum & 1) as u32);
    });
}

/// The increment of SplitMix64.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// The finalizer of SplitMix64.
#[inline(always)]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number for an edge, the same in both directions, that looks random: of the positions of its ends, so
/// that vertices at the same position are one. And whether this is the direction that counts as backwards.
#[inline(always)]
fn edge_number(a: Vec3, b: Vec3) -> (u64, bool) {
    let number = |p: Vec3| {
        // adding 0 turns −0 into 0
        let [x, y, z] = [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(|x| x.to_bits() as u64);
        mix(mix(x << 32 | y).wrapping_add(GOLDEN) ^ z)
    };
    let (a, b) = (number(a), number(b));
    let backwards = b < a;
    let (low, high) = if backwards { (b, a) } else { (a, b) };
    (mix(mix(low.wrapping_add(GOLDEN)) ^ high.rotate_left(32)), backwards)
}
/// Computes, of the numbers of all edges of the faces of each block, the exclusive or, and the sum with a
/// sign by direction. Over all blocks the one is 0 if each edge has an even number of faces, the other if it
/// has as many in one direction as in the other, and hardly ever otherwise. One block per [`FACES`].
#[kernel(threads = 256)]
pub fn edge_sums<'a>(block: &Block, faces: Faces<'a>, n: u32, sums: Out<'a, [u64; 2]>) {
    let (base, len) = block_of(block, FACES, n);
    let of_face = |i: u32| {
        let [a, b, c] = faces.corners(base + i);
        let of = |p: Vec3, q: Vec3| {
            let (number, backwards) = if p == q { (0, false) } else { edge_number(p, q) };
            [number, if backwards { number.wrapping_neg() } else { number }]
        };
        both(of(a, b), both(of(b, c), of(c, a)))
    };
    let both_sums = block.reduce(len, [0; 2], of_face, both);
    block.single_nosync(|| sums.set(block.index(), both_sums));
}
/// The exclusive or of the first numbers, and the sum of the second ones.
#[inline(always)]
pub fn both([a, b]: [u64; 2], [c, d]: [u64; 2]) -> [u64; 2] {
    [a ^ c, b.wrapping_add(d)]
}

/// A part of the border of faces: of an edge that has more faces in one direction than in the other.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
#[bytemuck(crate = "ribbonmesh::device::bytemuck")]
pub struct Border {
    /// The middle of the edge.
    pub middle: Vec3,
    /// Half of its length.
    pub half: f32,
    /// How many more.
    pub times: f32,
}
/// The ends of the edge from a corner `3 f + i` to the next one.
#[inline(always)]
fn edge_of(faces: Faces<'_>, corner: u32) -> [Vec3; 2] {
    let [a, b, c] = faces.corners(corner / 3);
    match corner % 3 {
        0 => [a, b],
        1 => [b, c],
        _ => [c, a],
    }
}
/// Writes the number of the edge from each corner; `order[i] = i`.
#[kernel(threads = 256)]
pub fn number_edges<'a>(corner: Each, faces: Faces<'a>, keys: Out<'a, u64>, order: Out<'a, u32>) {
    let [a, b] = edge_of(faces, corner);
    keys.set(corner, edge_number(a, b).0);
    order.set(corner, corner);
}
/// Adds up the directions of the edges that have the number at a place, if it is the first one that has it;
/// `keys` are in order.
#[inline(always)]
fn turns(i: u32, faces: Faces<'_>, keys: In<'_, u64>, order: In<'_, u32>) -> i32 {
    let key = keys.get(i);
    if i > 0 && keys.get(i - 1) == key {
        return 0;
    }
    let (mut at, mut sum) = (i, 0);
    while (at as usize) < keys.len() && keys.get(at) == key {
        let [a, b] = edge_of(faces, order.get(at));
        sum += match edge_number(a, b).1 {
            _ if a == b => 0,
            true => -1,
            false => 1,
        };
        at += 1;
    }
    sum
}
/// Flags the first place of the number of each edge of the border.
#[kernel(threads = 256)]
pub fn flag_border<'a>(
    i: Each,
    faces: Faces<'a>,
    keys: In<'a, u64>,
    order: In<'a, u32>,
    flags: Out<'a, u32>,
) {
    flags.set(i, (turns(i, faces, keys, order) != 0) as u32);
}
/// The parts of the border at the places of a list.
#[kernel(threads = 256)]
pub fn list_border<'a>(
    i: Each,
    faces: Faces<'a>,
    keys: In<'a, u64>,
    order: In<'a, u32>,
    list: In<'a, u32>,
    border: Out<'a, Border>,
) {
    let place = list.get(i);
    let [a, b] = edge_of(faces, order.get(place));
    let half = 0.5 * (b - a);
    let times = turns(place, faces, keys, order).abs() as f32;
    border.set(i, Border { middle: a + half, half: half.length(), times });
}

/// Searches for points with a coordinate that is not finite: `wrong` becomes the complement of the first one,
/// if it begins with 0.
#[kernel(threads = 256)]
pub fn check_points<'a>(i: Each, points: In<'a, Vec3>, wrong: Out<'a, u32>) {
    if !points.get(i).is_finite() {
        atomic::fetch_max(wrong, 0, !i, Relaxed, Device);
    }
}

/// Takes points in an order, or as they come without one, minus `origin`; far ones at the largest number of
/// single precision.
#[kernel(threads = 256)]
pub fn move_points<'a>(
    i: Each,
    points: In<'a, Vec3>,
    order: In<'a, u32>,
    origin: [f64; 3],
    to: Out<'a, Vec3>,
) {
    let most = DVec3::splat(f32::MAX as f64);
    let moved = points.get(nth(order, i)).as_dvec3() - DVec3::from_array(origin);
    to.set(i, moved.max(-most).min(most).as_vec3());
}
/// The number of the `i`-th point of an order; of an empty one, `i`.
#[inline(always)]
fn nth(order: In<'_, u32>, i: u32) -> u32 {
    if order.is_empty() { i } else { order.get(i) }
}
/// Writes the winding number of each point, and whether it is inside, to the place that the order gives:
/// with an odd number of crossings, or, without these, if the number is more than one half or less than minus
/// one half. Counts those inside. One block per [`POINTS`].
#[kernel(threads = 128)]
pub fn tell_points<'a>(
    block: &Block,
    winding: In<'a, f32>,
    odd: In<'a, u32>,
    order: In<'a, u32>,
    numbers: Out<'a, f32>,
    inside: Out<'a, u8>,
    counts: Out<'a, u32>,
) {
    let (base, len) = block_of(block, POINTS, winding.len() as u32);
    let is_inside = |i: u32| {
        if odd.is_empty() { winding.get(base + i).abs() > 0.5 } else { odd.get(base + i) == 1 }
    };
    block.for_each_nosync(len, |i| {
        let to = nth(order, base + i);
        numbers.set(to, winding.get(base + i));
        inside.set(to, is_inside(i) as u8);
    });
    let count = block.count_where(len, is_inside);
    block.single_nosync(|| counts.set(block.index(), count));
}
