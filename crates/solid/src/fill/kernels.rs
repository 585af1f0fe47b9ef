//! Kernels of filling holes: components, and their sizes.
use glam::DVec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};
use ribbonmesh::sets;

/// No component.
pub const NONE: u32 = u32::MAX;
/// The part of a component's border that counts 1.
pub const UNITS: f64 = (1_u64 << 32) as f64;

/// Lets the vertices to which those of a face lead lead to the least of them. `parent` begins with each
/// vertex leading to itself. Most sets become trees in few rounds of this and of [`flatten`]; links that
/// other blocks replace are made by [`unite_vertices`].
#[kernel(threads = 256)]
pub fn lead_down<'a>(f: Each, faces: In<'a, u32>, parent: Out<'a, u32>) {
    let up = |k: u32| atomic::load(parent, faces.get(3 * f + k), Relaxed, Device);
    let [a, b, c] = [up(0), up(1), up(2)];
    let least = if a < b && a < c {
        a
    } else if b < c {
        b
    } else {
        c
    };
    for v in [a, b, c] {
        if least < v && least < atomic::load(parent, v, Relaxed, Device) {
            atomic::fetch_min(parent, v, least, Relaxed, Device);
        }
    }
}
/// Unites the vertices of each face. The root of a component is its first vertex.
#[kernel(threads = 256)]
pub fn unite_vertices<'a>(f: Each, faces: In<'a, u32>, parent: Out<'a, u32>) {
    let [a, b, c] = [faces.get(3 * f), faces.get(3 * f + 1), faces.get(3 * f + 2)];
    let up = |v: u32| atomic::load(parent, v, Relaxed, Device);
    let (of_a, of_b, of_c) = (up(a), up(b), up(c));
    if of_a != of_b {
        sets::unite(parent, a, b);
    }
    if of_b != of_c {
        sets::unite(parent, b, c);
    }
}
/// The root of the tree of a vertex.
#[inline(always)]
pub(crate) fn root(parent: In<'_, u32>, mut x: u32) -> u32 {
    loop {
        let up = parent.get(x);
        if up == x {
            return x;
        }
        x = up;
    }
}
/// The first vertex of the component of each listed vertex.
#[kernel(threads = 128)]
pub fn label_listed<'a>(i: Each, list: In<'a, u32>, parent: In<'a, u32>, labels: Out<'a, u32>) {
    labels.set(i, root(parent, list.get(i)));
}

/// Lets each vertex lead to the first vertex of its component.
#[kernel(threads = 256)]
pub fn flatten<'a>(v: Each, parent: Out<'a, u32>) {
    sets::flatten(parent, v);
}

/// The area of a face as a part of `whole`, in [`UNITS`]; more than all of them if it is larger, or not
/// finite. Sums of whole numbers do not depend on their order.
#[inline(always)]
fn part([a, b, c]: [DVec3; 3], whole: f64) -> u64 {
    let cross = (b - a).cross(c - a);
    let part = 0.5 * libm::sqrt(cross.dot(cross)) / whole;
    if part <= 1.0 { (part * UNITS + 0.5) as u64 } else { UNITS as u64 + 1 }
}
/// Adds the areas of faces to the sums of their components, as parts of `wholes`. `labels`: the first vertex
/// of each vertex's component; `places`: the place of a component among the sums, by its first vertex, or
/// [`NONE`]. The component of a tile's first face gets one sum from the tile, so that faces of a large one do
/// not contend.
#[kernel(threads = 256)]
pub fn add_areas<'a>(
    block: &Block,
    count: u32,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    labels: In<'a, u32>,
    places: In<'a, u32>,
    wholes: In<'a, f64>,
    sums: Out<'a, u64>,
) {
    block.for_each_tile(count, |base, len| {
        let place = |i: u32| places.get(labels.get(faces.get(3 * (base + i))));
        let area = |i: u32, place: u32| {
            let corner = |k: u32| positions.get(faces.get(3 * (base + i) + k));
            part([corner(0), corner(1), corner(2)], wholes.get(place))
        };
        let first = place(0);
        if first != NONE {
            let own = |i: u32| if place(i) == first { area(i, first) } else { 0 };
            let sum = block.reduce(len, 0_u64, own, |a, b| a + b);
            block.single_nosync(|| _ = atomic::fetch_add(sums, first, sum, Relaxed, Device));
        }
        block.for_each_nosync(len, |i| {
            let place = place(i);
            if place != first && place != NONE {
                atomic::fetch_add(sums, place, area(i, place), Relaxed, Device);
            }
        });
    });
}

/// Bits that have the order of the numbers; not for NaN.
#[inline(always)]
pub fn ordered(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}
/// The number with these bits.
#[cfg(not(target_arch = "nvptx64"))]
pub fn number(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 { bits & !(1 << 63) } else { !bits })
}
/// Finds the least and the greatest heights of the vertices of components along their normals. `labels` and
/// `places` as for [`add_areas`].
#[kernel(threads = 256)]
pub fn find_heights<'a>(
    block: &Block,
    count: u32,
    positions: In<'a, DVec3>,
    labels: In<'a, u32>,
    places: In<'a, u32>,
    normals: In<'a, DVec3>,
    least: Out<'a, u64>,
    greatest: Out<'a, u64>,
) {
    block.for_each_tile(count, |base, len| {
        let place = |i: u32| places.get(labels.get(base + i));
        let height = |i: u32, place: u32| positions.get(base + i).dot(normals.get(place));
        let first = place(0);
        if first != NONE {
            let own = |i: u32, none: u64| {
                let height = if place(i) == first { height(i, first) } else { f64::NAN };
                if height.is_nan() { none } else { ordered(height) }
            };
            let low = block.reduce(len, u64::MAX, |i| own(i, u64::MAX), |a, b| if b < a { b } else { a });
            let high = block.reduce(len, 0, |i| own(i, 0), |a, b| if b > a { b } else { a });
            block.single_nosync(|| {
                atomic::fetch_min(least, first, low, Relaxed, Device);
                atomic::fetch_max(greatest, first, high, Relaxed, Device);
            });
        }
        block.for_each_nosync(len, |i| {
            let place = place(i);
            if place != first && place != NONE {
                let height = height(i, place);
                if !height.is_nan() {
                    atomic::fetch_min(least, place, ordered(height), Relaxed, Device);
                    atomic::fetch_max(greatest, place, ordered(height), Relaxed, Device);
                }
            }
        });
    });
}
