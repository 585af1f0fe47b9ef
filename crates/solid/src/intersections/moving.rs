//! Faces that move: whether they pass through each other.
use crate::intersections::pair::intersect;
use crate::intersections::plane::Triangle;
use glam::{DVec3, Vec3};
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, Each, In, NONE, Out, Parameter, Shared, kernel};

/// Number of times that the move of a vertex is halved; the next time it is taken back.
const HALVINGS: u32 = 2;
/// The least gap between two faces along an axis, over the largest distance in any coordinate from the first
/// corner: thrice the bound of the error of a product in double precision, rounded up.
const GAP: f64 = 1e-14;

/// Number of parts of a way in which faces are compared, if no axis separates them all the way: a power of
/// two.
const PARTS: u32 = 4;

/// Faces whose vertices move along straight lines.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Moving<'a> {
    /// Positions before.
    pub x: In<'a, Vec3>,
    /// Positions after.
    pub y: Out<'a, Vec3>,
    /// Vertices of faces.
    pub vertices: In<'a, [u32; 3]>,
}

/// A face that moves.
#[derive(Clone, Copy)]
struct Move {
    before: [Vec3; 3],
    after: [Vec3; 3],
}
impl Moving<'_> {
    /// Whether a face has vertices that exist; others are left out.
    #[inline(always)]
    fn exists(&self, face: u32) -> bool {
        let [a, b, c] = self.vertices.get(face);
        (a.max(b).max(c) as usize) < self.x.len()
    }
    #[inline(always)]
    fn of(&self, face: u32) -> Move {
        let [a, b, c] = self.vertices.get(face);
        let before = [self.x.get(a), self.x.get(b), self.x.get(c)];
        Move { before, after: [self.y.get(a), self.y.get(b), self.y.get(c)] }
    }
}
impl Move {
    #[inline(always)]
    fn rests(&self) -> bool {
        self.before == self.after
    }
    /// Part `i` of [`PARTS`] of the way.
    #[inline(always)]
    fn part(&self, i: u32) -> Self {
        let [a, b, c] = self.before;
        let [d, e, f] = self.after;
        let at = |k: u32| [between(a, d, k), between(b, e, k), between(c, f, k)];
        Self { before: at(i), after: at(i + 1) }
    }
    /// The least and the greatest product of an axis with the corners relative to `origin`, before and after.
    #[inline(always)]
    fn extent(&self, axis: DVec3, origin: Vec3) -> [[f64; 2]; 2] {
        [self.before, self.after].map(|[a, b, c]| {
            let [a, b, c] = [a, b, c].map(|p| axis.dot(p.as_dvec3() - origin.as_dvec3()));
            [a.min(b).min(c), a.max(b).max(c)]
        })
    }
    /// The largest distance of a corner from `origin` in any coordinate.
    #[inline(always)]
    fn size(&self, origin: Vec3) -> f64 {
        let far = |p: Vec3| (p.as_dvec3() - origin.as_dvec3()).abs().max_element();
        let [a, b, c] = self.before.map(far);
        let [d, e, f] = self.after.map(far);
        a.max(b).max(c).max(d).max(e).max(f)
    }
}

/// The point that is `k` of [`PARTS`] of the way from one point to another one. Products are exact in double
/// precision, so that all machines round alike.
#[inline(always)]
fn between(from: Vec3, to: Vec3, k: u32) -> Vec3 {
    let share = k as f64 / PARTS as f64;
    (from.as_dvec3() * (1.0 - share) + to.as_dvec3() * share).as_vec3()
}

/// A multiple of an axis whose coordinates are rounded to single precision: their products with differences
/// of positions are exact, so that the same axes separate on all machines.
#[inline(always)]
fn rounded(axis: DVec3) -> DVec3 {
    let most = axis.abs().max_element();
    if most > 0.0 { (axis / most).as_vec3().as_dvec3() } else { DVec3::ZERO }
}

/// Whether an axis, of coordinates up to 1, has the two faces on the same sides of a gap before and after.
/// Then it separates them all the way: along it, the greatest corner of the lower face is at most where the
/// straight way between its two greatest ones is, and the least corner of the upper face at least there.
#[inline(always)]
fn separates(axis: DVec3, [a, b]: [&Move; 2], gap: f64) -> bool {
    let origin = a.before[0];
    let [p, q] = [a.extent(axis, origin), b.extent(axis, origin)];
    let below = |i: usize| q[i][0] - p[i][1] > gap;
    let above = |i: usize| p[i][0] - q[i][1] > gap;
    below(0) && below(1) || above(0) && above(1)
}

/// Whether one of the axes of coordinates separates two faces as [`separates`] tells; exactly.
#[inline(always)]
fn along_axes([p, q]: [&Move; 2]) -> bool {
    let least = |[a, b, c]: [Vec3; 3]| a.min(b).min(c);
    let most = |[a, b, c]: [Vec3; 3]| a.max(b).max(c);
    let below = most(p.before).cmplt(least(q.before)) & most(p.after).cmplt(least(q.after));
    let above = most(q.before).cmplt(least(p.before)) & most(q.after).cmplt(least(p.after));
    (below | above).any()
}

/// Whether one of the axes that separate triangles at rest, taken before or after the move, separates two
/// moving faces all the way: the normals, the products of two edges, and the normals of the edges in the
/// faces' planes.
#[inline(never)]
fn separated(pair: [&Move; 2]) -> bool {
    let origin = pair[0].before[0];
    let gap = GAP * pair[0].size(origin).max(pair[1].size(origin));
    let mut at = 0;
    while at < 2 {
        let edges = pair.map(|face| {
            let [a, b, c] = if at == 0 { face.after } else { face.before }.map(Vec3::as_dvec3);
            [b - a, c - b, a - c]
        });
        let normals = edges.map(|[u, v, _]| u.cross(v));
        let mut i = 0;
        while i < 17 {
            let axis = match i {
                0 | 1 => normals[i],
                2..8 => rounded(normals[(i - 2) / 3]).cross(edges[(i - 2) / 3][(i - 2) % 3]),
                _ => edges[0][(i - 8) / 3].cross(edges[1][(i - 8) % 3]),
            };
            if separates(rounded(axis), pair, gap) {
                return true;
            }
            i += 1;
        }
        at += 1;
    }
    false
}

/// Whether two faces may pass through each other. Faces that have a corner in common at the end pass if they
/// intersect there. Others pass unless they are [`apart`] on the way, or on each of its parts.
#[inline(always)]
fn pass(a: &Move, b: &Move) -> bool {
    let [p, q, r] = a.after;
    if b.after.iter().any(|&s| s == p || s == q || s == r) {
        return intersect(&Triangle::new(a.after), b.after);
    }
    if apart(a, b) {
        return false;
    }
    let mut i = 0;
    while i < PARTS {
        if !apart(&a.part(i), &b.part(i)) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether one axis separates two faces all the way.
#[inline(always)]
fn apart(a: &Move, b: &Move) -> bool {
    along_axes([a, b]) || separated([a, b])
}

/// Writes two opposite corners of the box around the way of each of `n` faces, and a triangle of these two,
/// whose box it is; no vertices for a face that is left out.
#[kernel(threads = 256)]
pub fn box_ways<'a>(f: Each, faces: Moving<'a>, corners: Out<'a, Vec3>, triangles: Out<'a, [u32; 3]>) {
    if !faces.exists(f) {
        corners.set(2 * f, Vec3::ZERO);
        corners.set(2 * f + 1, Vec3::ZERO);
        triangles.set(f, [NONE; 3]);
        return;
    }
    let Move { before: [a, b, c], after: [d, e, g] } = faces.of(f);
    corners.set(2 * f, a.min(b).min(c).min(d.min(e).min(g)));
    corners.set(2 * f + 1, a.max(b).max(c).max(d.max(e).max(g)));
    triangles.set(f, [2 * f, 2 * f + 1, 2 * f]);
}

/// Faces that a block of [`find_passing`] lists before it compares them.
const MET: u32 = 128;

#[inline(always)]
fn met(arena: &Arena) -> Shared<'_, u32> {
    arena.take(MET)
}

/// Sets `held[v] = 1` for the vertices of each face of a list, and of each other face, that may pass through
/// each other. `boxes` are those of [`box_ways`], in a tree. One block per face: its first thread lists the
/// faces whose boxes meet, and each thread compares one of these, since a comparison of faces that are near
/// each other takes longer than the search.
#[kernel(threads = 32, shared = met(arena))]
pub fn find_passing<'a>(
    block: &Block,
    bvh: BvhView<'a>,
    faces: Moving<'a>,
    boxes: In<'a, Vec3>,
    list: In<'a, u32>,
    held: Out<'a, u32>,
) {
    let others = met(block.arena());
    let face = list.get(block.index());
    let own = faces.of(face);
    let [low, high] = [boxes.get(2 * face), boxes.get(2 * face + 1)];
    let mut compared = 0;
    loop {
        let all = block.single(|| {
            let mut n = 0;
            bvh.meeting([low, high, low], |other| {
                if other != face {
                    if n >= compared && n - compared < MET {
                        others.set(n - compared, other);
                    }
                    n += 1;
                }
            });
            n
        });
        let left = all - compared;
        block.for_each(if left < MET { left } else { MET }, |i| {
            let other = others.get(i);
            let way = faces.of(other);
            if (own.rests() && way.rests()) || !pass(&own, &way) {
                return;
            }
            for v in [faces.vertices.get(face), faces.vertices.get(other)].as_flattened() {
                atomic::store(held, *v, 1, Relaxed, Device);
            }
        });
        if left <= MET {
            return;
        }
        compared += MET;
    }
}

/// Halves the move of each of `n` vertices that is held, or takes it back after so many times. Tells in
/// `held` whether the vertex had moved; counts the times in `times`.
#[kernel(threads = 256)]
pub fn halve<'a>(v: Each, x: In<'a, Vec3>, y: Out<'a, Vec3>, held: Out<'a, u32>, times: Out<'a, u32>) {
    if held.get(v) == 0 {
        return;
    }
    let (from, to) = (x.get(v), y.get(v));
    held.set(v, (from != to) as u32);
    if from != to {
        let n = times.get(v) + 1;
        times.set(v, n);
        // halves are exact, so that the sum is between the two on all machines
        y.set(v, if n > HALVINGS { from } else { 0.5 * from + 0.5 * to });
    }
}

/// Flags each of `n` faces of which a vertex has a flag.
#[kernel(threads = 256)]
pub fn flag_faces_of<'a>(f: Each, vertices: In<'a, [u32; 3]>, flags: In<'a, u32>, flagged: Out<'a, u32>) {
    let is_flagged = |&v: &u32| (v as usize) < flags.len() && flags.get(v) != 0;
    flagged.set(f, vertices.get(f).iter().any(is_flagged) as u32);
}
/// Flags each of `n` faces of which a vertex moves farther than the longest side is before. Other flags stay.
#[kernel(threads = 256)]
pub fn flag_far<'a>(f: Each, faces: Moving<'a>, flagged: Out<'a, u32>) {
    if !faces.exists(f) {
        return;
    }
    let Move { before, after } = faces.of(f);
    let square = |p: Vec3, q: Vec3| (p.as_dvec3() - q.as_dvec3()).length_squared();
    let [a, b, c] = before;
    let side = square(a, b).max(square(b, c)).max(square(c, a));
    let way = square(a, after[0]).max(square(b, after[1])).max(square(c, after[2]));
    if way > side {
        flagged.set(f, 1);
    }
}
/// Flags each of `n` vertices whose move was halved or taken back.
#[kernel(threads = 256)]
pub fn flag_halved<'a>(v: Each, times: In<'a, u32>, flagged: Out<'a, u32>) {
    flagged.set(v, (times.get(v) != 0) as u32);
}
