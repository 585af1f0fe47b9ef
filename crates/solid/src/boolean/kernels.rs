//! Kernels for all faces of the meshes that are combined.
use crate::boolean::on_grid::on_grid;
use crate::intersections::{Along, turn};
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::glam::{DVec3, Vec3};
use ribbonmesh::device::{Block, Each, In, NONE, Out, kernel};
use ribbonmesh::sets::{flatten, unite};

/// Word of facts: bits of the largest coordinate relative to the origin, without its sign.
pub const LARGEST: u32 = 0;
/// Word of facts: the first vertex that is not finite, complemented; 0: none.
pub const NOT_FINITE: u32 = 1;

/// Word of facts: whether a position was rounded to the grid.
pub const ROUNDED: u32 = 2;

/// A face without area.
pub const FLAT: u32 = 0;
/// A face that meets no other one.
pub const WHOLE: u32 = 1;
/// A face that meets another one.
pub const CUT: u32 = 2;

/// A face that is not in the result.
pub const DROPPED: u32 = 0;
/// A face of the result that is turned.
pub const TURNED: u32 = 2;

/// Looks for positions that are not finite, and for the largest coordinate. `facts` begin with 0.
#[kernel(threads = 256)]
pub fn measure_positions<'a>(
    block: &Block,
    positions: In<'a, DVec3>,
    origin: [f64; 3],
    n: u32,
    facts: Out<'a, u32>,
) {
    block.for_each_tile(n, |base, len| {
        let largest = block.reduce(
            len,
            0,
            |i| {
                let p = (positions.get(base + i) - DVec3::from_array(origin)).as_vec3();
                if p.is_finite() {
                    return p.abs().max_element().to_bits();
                }
                atomic::fetch_max(facts, NOT_FINITE, !(base + i), Relaxed, Device);
                0
            },
            |a, b| if a < b { b } else { a },
        );
        block.single_nosync(|| _ = atomic::fetch_max(facts, LARGEST, largest, Relaxed, Device));
    });
}
/// Rounds positions relative to the origin to a grid, and says in `facts` whether this changed one.
#[kernel(threads = 256)]
pub fn put_on_grid<'a>(
    v: Each,
    origin: [f64; 3],
    scale: f64,
    exact: In<'a, DVec3>,
    points: Out<'a, Vec3>,
    facts: Out<'a, u32>,
) {
    let point = (exact.get(v) - DVec3::from_array(origin)).as_vec3();
    let rounded = on_grid(point, scale);
    if rounded != point {
        atomic::store(facts, ROUNDED, 1, Relaxed, Device);
    }
    points.set(v, rounded);
}
/// Copies positions to double precision.
#[kernel(threads = 256)]
pub fn widen<'a>(v: Each, points: In<'a, Vec3>, exact: Out<'a, DVec3>) {
    exact.set(v, points.get(v).as_dvec3());
}
/// For each tile of the faces from `first` on the sum of the volumes between them and a point, times six.
#[kernel(threads = 256)]
pub fn sum_volumes<'a>(
    block: &Block,
    points: In<'a, Vec3>,
    faces: In<'a, [u32; 3]>,
    first: u32,
    n: u32,
    middle: [f32; 3],
    sums: Out<'a, f64>,
) {
    let middle = Vec3::from_array(middle).as_dvec3();
    block.for_each_tile(n, |base, len| {
        let sum = block.reduce(
            len,
            0.0_f64,
            |i| {
                let [a, b, c] = faces.get(first + base + i);
                let (a, b, c) =
                    (points.get(a).as_dvec3(), points.get(b).as_dvec3(), points.get(c).as_dvec3());
                (a - middle).dot((b - middle).cross(c - middle))
            },
            |a, b| a + b,
        );
        block.single_nosync(|| sums.set(block.index(), sum));
    });
}
/// Turns the faces of a range around.
#[kernel(threads = 256)]
pub fn turn_range<'a>(i: Each, first: u32, faces: Out<'a, [u32; 3]>) {
    let [a, b, c] = faces.get(first + i);
    faces.set(first + i, [a, c, b]);
}
/// Gives faces the first vertices at the places of theirs, and says which have an area.
#[kernel(threads = 128)]
pub fn weld_faces<'a>(
    f: Each,
    points: In<'a, Vec3>,
    becomes: In<'a, u32>,
    faces: Out<'a, [u32; 3]>,
    kinds: Out<'a, u32>,
) {
    let [a, b, c] = faces.get(f);
    let (a, b, c) = (becomes.get(a), becomes.get(b), becomes.get(c));
    faces.set(f, [a, b, c]);
    let has_area = a != b && b != c && c != a && has_area(points.get(a), points.get(b), points.get(c));
    kinds.set(f, if has_area { WHOLE } else { FLAT });
}
/// Whether three positions are not on a line.
#[inline(always)]
fn has_area(a: Vec3, b: Vec3, c: Vec3) -> bool {
    let (u, v) = (b.as_dvec3() - a.as_dvec3(), c.as_dvec3() - a.as_dvec3());
    let normal = u.cross(v).abs();
    // differences and products are rounded by far less
    if normal.max_element() > 1e-12 * (u.abs().max_element() * v.abs().max_element()) {
        return true;
    }
    turn(Along::X, a, b, c) != 0 || turn(Along::Y, a, b, c) != 0 || turn(Along::Z, a, b, c) != 0
}
/// Marks the vertices at whose place others are.
#[kernel(threads = 256)]
pub fn mark_merged<'a>(v: Each, becomes: In<'a, u32>, marks: Out<'a, u32>) {
    let first = becomes.get(v);
    if first != v {
        atomic::store(marks, first, 1, Relaxed, Device);
    }
}
/// Makes faces with area that meet each other [`CUT`].
#[kernel(threads = 256)]
pub fn mark_cut<'a>(i: Each, pairs: In<'a, [u32; 2]>, kinds: Out<'a, u32>) {
    let [a, b] = pairs.get(i);
    let flat = |f: u32| atomic::load(kinds, f, Relaxed, Device) == FLAT;
    if !flat(a) && !flat(b) {
        atomic::store(kinds, a, CUT, Relaxed, Device);
        atomic::store(kinds, b, CUT, Relaxed, Device);
    }
}
/// Whether two faces are of one mesh; `starts` has the first face of each.
#[inline(always)]
fn same_mesh(starts: In<'_, u32>, f: u32, g: u32) -> bool {
    let mut i = 0;
    while i < starts.len() as u32 {
        let start = starts.get(i);
        if (f < start) != (g < start) {
            return false;
        }
        i += 1;
    }
    true
}
/// Unites whole faces of one mesh that are on the two sides of an edge, in one orientation. `joined` gets a
/// bit for each side of a face at which this was done.
#[kernel(threads = 128)]
pub fn join_faces<'a>(
    f: Each,
    corners: In<'a, u32>,
    ring: In<'a, u32>,
    kinds: In<'a, u32>,
    starts: In<'a, u32>,
    parents: Out<'a, u32>,
    joined: Out<'a, u32>,
) {
    let mut bits = 0;
    let mut i = 0;
    while i < 3 && kinds.get(f) == WHOLE {
        let side = 3 * f + i;
        let (mut other, mut at) = (NONE, ring.get(side));
        while at != side {
            if kinds.get(at / 3) != FLAT {
                if other != NONE {
                    other = NONE;
                    break;
                }
                other = at;
            }
            at = ring.get(at);
        }
        if other != NONE {
            let g = other / 3;
            // the other one begins where this one ends
            let opposite = corners.get(other) != corners.get(side);
            if opposite && kinds.get(g) == WHOLE && same_mesh(starts, f, g) {
                bits |= 1 << i;
                if g < f {
                    unite(parents, f, g);
                }
            }
        }
        i += 1;
    }
    joined.set(f, bits);
}
/// A number with the order of numbers in single precision.
#[inline(always)]
fn ordered(x: f32) -> u32 {
    // adding 0 turns −0 into 0
    let bits = (x + 0.0).to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}
#[inline(always)]
fn order_of(p: Vec3) -> u64 {
    (ordered(p.x) as u64) << 32 | ordered(p.y) as u64
}
/// Keeps the greater number; reads first, since most are not.
#[inline(always)]
fn raise(numbers: Out<'_, u64>, i: u32, to: u64) {
    if atomic::load(numbers, i, Relaxed, Device) < to {
        atomic::fetch_max(numbers, i, to, Relaxed, Device);
    }
}
/// Finds the root of each whole face, and for each root the greatest x and y of its faces.
#[kernel(threads = 128)]
pub fn find_last<'a>(
    f: Each,
    points: In<'a, Vec3>,
    faces: In<'a, [u32; 3]>,
    kinds: In<'a, u32>,
    parents: Out<'a, u32>,
    last: Out<'a, u64>,
) {
    if kinds.get(f) != WHOLE {
        return;
    }
    flatten(parents, f);
    let root = atomic::load(parents, f, Relaxed, Device);
    let [a, b, c] = faces.get(f);
    let greatest = order_of(points.get(a)).max(order_of(points.get(b))).max(order_of(points.get(c)));
    raise(last, root, greatest);
}
/// For each root the vertex of greatest z among those of greatest x and y.
#[kernel(threads = 128)]
pub fn find_highest<'a>(
    f: Each,
    points: In<'a, Vec3>,
    faces: In<'a, [u32; 3]>,
    kinds: In<'a, u32>,
    roots: In<'a, u32>,
    last: In<'a, u64>,
    highest: Out<'a, u64>,
) {
    if kinds.get(f) != WHOLE {
        return;
    }
    let root = roots.get(f);
    let last = last.get(root);
    let [a, b, c] = faces.get(f);
    let look = |v: u32| {
        let p = points.get(v);
        if order_of(p) == last {
            raise(highest, root, (ordered(p.z) as u64) << 32 | v as u64);
        }
    };
    look(a);
    look(b);
    look(c);
}
/// Marks the faces of which the host needs to know: those that meet others, those beside them, and those at
/// the last vertex of their set.
#[kernel(threads = 128)]
pub fn mark_wanted<'a>(
    f: Each,
    faces: In<'a, [u32; 3]>,
    kinds: In<'a, u32>,
    joined: In<'a, u32>,
    roots: In<'a, u32>,
    highest: In<'a, u64>,
    wanted: Out<'a, u32>,
) {
    let mut is_wanted = kinds.get(f) == CUT;
    if kinds.get(f) == WHOLE {
        let last = highest.get(roots.get(f)) as u32;
        let [a, b, c] = faces.get(f);
        is_wanted = joined.get(f) != 7 || a == last || b == last || c == last;
    }
    wanted.set(f, is_wanted as u32);
}
/// Copies what is known of listed faces: three vertices, the kind, the sides that are joined, the root.
#[kernel(threads = 128)]
pub fn copy_facts<'a>(
    i: Each,
    list: In<'a, u32>,
    faces: In<'a, [u32; 3]>,
    kinds: In<'a, u32>,
    joined: In<'a, u32>,
    roots: In<'a, u32>,
    facts: Out<'a, [u32; 6]>,
) {
    let f = list.get(i);
    let [a, b, c] = faces.get(f);
    facts.set(i, [a, b, c, kinds.get(f), joined.get(f), roots.get(f)]);
}
/// Copies the positions of corners of listed faces.
#[kernel(threads = 128)]
pub fn copy_corners<'a>(
    i: Each,
    list: In<'a, u32>,
    points: In<'a, Vec3>,
    faces: In<'a, [u32; 3]>,
    corners: Out<'a, [[f32; 3]; 3]>,
) {
    let [a, b, c] = faces.get(list.get(i));
    corners.set(i, [points.get(a).to_array(), points.get(b).to_array(), points.get(c).to_array()]);
}
/// For each root the largest of its faces: the bits of the area, and the face, complemented.
#[kernel(threads = 128)]
pub fn find_largest<'a>(
    f: Each,
    points: In<'a, Vec3>,
    faces: In<'a, [u32; 3]>,
    kinds: In<'a, u32>,
    roots: In<'a, u32>,
    largest: Out<'a, u64>,
) {
    if kinds.get(f) != WHOLE {
        return;
    }
    let [a, b, c] = faces.get(f);
    let a = points.get(a);
    let area = (points.get(b) - a).cross(points.get(c) - a).length();
    raise(largest, roots.get(f), (area.to_bits() as u64) << 32 | !f as u64);
}
/// Counts the faces with area whose boxes meet boxes, or, if there is room for them, lists each of them with
/// the box. Boxes are given by two corners.
#[kernel(threads = 64)]
pub fn meet_boxes<'a>(
    i: Each,
    bvh: BvhView<'a>,
    boxes: In<'a, [[f32; 3]; 2]>,
    kinds: In<'a, u32>,
    starts: Out<'a, u32>,
    found: Out<'a, u32>,
) {
    let [low, high] = boxes.get(i);
    let (low, high) = (Vec3::from_array(low), Vec3::from_array(high));
    let list = !found.is_empty();
    let mut at = if list { starts.get(i) } else { 0 };
    bvh.meeting([low, high, high], |face| {
        if kinds.get(face) != FLAT {
            if list {
                found.set(at, face);
            }
            at += 1;
        }
    });
    if !list {
        starts.set(i, at);
    }
}
/// Marks the faces of the result whose boxes meet those of triangles.
#[kernel(threads = 64)]
pub fn mark_near<'a>(
    i: Each,
    bvh: BvhView<'a>,
    triangles: In<'a, [[f32; 3]; 3]>,
    states: In<'a, u32>,
    near: Out<'a, u32>,
) {
    let [a, b, c] = triangles.get(i);
    bvh.meeting([Vec3::from_array(a), Vec3::from_array(b), Vec3::from_array(c)], |face| {
        if states.get(face) != DROPPED {
            atomic::store(near, face, 1, Relaxed, Device);
        }
    });
}
/// Marks the faces of the result with a vertex that is marked.
#[kernel(threads = 256)]
pub fn mark_touching<'a>(
    f: Each,
    faces: In<'a, [u32; 3]>,
    states: In<'a, u32>,
    used: In<'a, u32>,
    near: Out<'a, u32>,
) {
    let mut touches = false;
    if states.get(f) != DROPPED {
        let [a, b, c] = faces.get(f);
        touches = used.get(a) | used.get(b) | used.get(c) != 0;
    }
    near.set(f, touches as u32);
}
/// Gives whole faces the state of their root, and drops all others.
#[kernel(threads = 256)]
pub fn spread_states<'a>(
    f: Each,
    kinds: In<'a, u32>,
    roots: In<'a, u32>,
    of_roots: In<'a, u32>,
    states: Out<'a, u32>,
) {
    states.set(f, if kinds.get(f) == WHOLE { of_roots.get(roots.get(f)) } else { DROPPED });
}
/// Marks the vertices of listed faces.
#[kernel(threads = 256)]
pub fn mark_vertices<'a>(i: Each, list: In<'a, u32>, faces: In<'a, [u32; 3]>, used: Out<'a, u32>) {
    let [a, b, c] = faces.get(list.get(i));
    atomic::store(used, a, 1, Relaxed, Device);
    atomic::store(used, b, 1, Relaxed, Device);
    atomic::store(used, c, 1, Relaxed, Device);
}
/// Marks which of listed faces are turned in the result.
#[kernel(threads = 256)]
pub fn mark_turned<'a>(i: Each, list: In<'a, u32>, states: In<'a, u32>, turned: Out<'a, u32>) {
    turned.set(i, (states.get(list.get(i)) == TURNED) as u32);
}
/// The vertices of listed faces by their numbers in the result.
#[kernel(threads = 256)]
pub fn number_corners<'a>(
    i: Each,
    list: In<'a, u32>,
    faces: In<'a, [u32; 3]>,
    states: In<'a, u32>,
    numbers: In<'a, u32>,
    to: Out<'a, [u32; 3]>,
) {
    let f = list.get(i);
    let [a, b, c] = faces.get(f);
    let (a, b, c) = (numbers.get(a), numbers.get(b), numbers.get(c));
    to.set(i, if states.get(f) == TURNED { [a, c, b] } else { [a, b, c] });
}
