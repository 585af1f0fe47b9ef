//! Kernels that join faces that meet no others to sets, and find those that the host needs to know.
use crate::boolean::kernels::{CUT, FLAT, WHOLE};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::glam::Vec3;
use ribbonmesh::device::{Each, In, NONE, Out, kernel};
use ribbonmesh::sets::{flatten, unite};

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
/// bit for each side of a face at which this was done. `across` gets for each side of a whole face the other
/// one if its edge has two faces with area, else [`NONE`].
#[kernel(threads = 128)]
pub fn join_faces<'a>(
    f: Each,
    corners: In<'a, u32>,
    ring: In<'a, u32>,
    kinds: In<'a, u32>,
    starts: In<'a, u32>,
    parents: Out<'a, u32>,
    joined: Out<'a, u32>,
    across: Out<'a, u32>,
) {
    let mut bits = 0;
    let mut i = 0;
    while i < 3 {
        let side = 3 * f + i;
        let (mut other, mut at) = (NONE, if kinds.get(f) == WHOLE { ring.get(side) } else { side });
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
        across.set(side, other);
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
/// Copies what is known of listed faces: the numbers of three vertices, the kind, the sides that are joined,
/// the root.
#[kernel(threads = 128)]
pub fn copy_facts<'a>(
    i: Each,
    list: In<'a, u32>,
    faces: In<'a, [u32; 3]>,
    numbers: In<'a, u32>,
    kinds: In<'a, u32>,
    joined: In<'a, u32>,
    roots: In<'a, u32>,
    facts: Out<'a, [u32; 6]>,
) {
    let f = list.get(i);
    let [a, b, c] = faces.get(f);
    let [a, b, c] = [numbers.get(a), numbers.get(b), numbers.get(c)];
    facts.set(i, [a, b, c, kinds.get(f), joined.get(f), roots.get(f)]);
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
