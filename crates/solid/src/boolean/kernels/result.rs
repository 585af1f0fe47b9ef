//! Kernels for faces of the result, and for faces near others.
use crate::boolean::kernels::{DROPPED, FLAT, TURNED, WHOLE};
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::glam::Vec3;
use ribbonmesh::device::{Each, In, Out, kernel};

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
