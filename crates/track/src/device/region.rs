//! Parts of a surface, to be changed on the host; and its components.
//!
//! Faces are those that are not deleted, in the order of their ids, three vertices each.
use super::rank::VERTICES;
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, HalfEdge, In, Out, Values, Vertex, VertexId, kernel};
use ribbonmesh::dynamic::{DynamicView, MeshRef};

/// Marks the vertices of each face of a list.
#[kernel(threads = 256)]
pub fn mark_listed<'a>(block: &Block, faces: In<'a, [u32; 3]>, list: In<'a, u32>, marks: Out<'a, u32>) {
    block.for_each_of_tile(list.len() as u32, |i| mark(marks, faces.get(list.get(i))));
}
/// Marks the vertices of all faces.
#[kernel(threads = 256)]
pub fn mark_all<'a>(block: &Block, faces: In<'a, [u32; 3]>, marks: Out<'a, u32>) {
    block.for_each_of_tile(faces.len() as u32, |f| mark(marks, faces.get(f)));
}
/// Marks the vertices of the faces that are taken.
#[kernel(threads = 256)]
pub fn mark_taken<'a>(block: &Block, faces: In<'a, [u32; 3]>, taken: In<'a, u32>, marks: Out<'a, u32>) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        if taken.get(f) != 0 {
            mark(marks, faces.get(f));
        }
    });
}
/// Marks the vertices of cycles of three edges that are not faces, of which one edge has a squared length
/// below a bound. Needs half-edges of vertices, and a closed surface. One block per [`VERTICES`] of `n`.
#[kernel(threads = 128)]
pub fn mark_necks<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    x: Values<'a, Vertex, Vec3>,
    n: u32,
    below: f32,
    marks: Out<'a, u32>,
) {
    let base = VERTICES * block.index();
    block.for_each_nosync(if n - base < VERTICES { n - base } else { VERTICES }, |i| {
        let v = VertexId::new(base + i);
        let Some(first) = mesh.half_edge_at(v) else { return };
        let p = x.get(v);
        around(mesh, first, |h| {
            let u = mesh.to(h);
            let (Some(twin), true) = (mesh.twin(h), v.index() < u.index()) else { return };
            if (x.get(u) - p).length_squared() >= below {
                return;
            }
            let opposite = [mesh.opposite(h), mesh.opposite(twin)];
            around(mesh, twin, |k| {
                let w = mesh.to(k);
                if w == v || w == opposite[0] || w == opposite[1] {
                    return;
                }
                around(mesh, first, |h| {
                    if mesh.to(h) == w {
                        mark(marks, [v, u, w].map(VertexId::index));
                    }
                });
            });
        });
    });
}
/// The half-edges from the start of `first`, once each, as far as the surface is closed.
#[inline(always)]
fn around(mesh: DynamicView<'_>, first: HalfEdge, mut f: impl FnMut(HalfEdge)) {
    let mut h = first;
    loop {
        f(h);
        let Some(next) = mesh.twin(h.prev()) else { return };
        h = next;
        if h == first {
            return;
        }
    }
}
#[inline(always)]
fn mark(marks: Out<'_, u32>, corners: [u32; 3]) {
    for v in corners {
        atomic::store(marks, v, 1, Relaxed, Device);
    }
}

/// Sets 1 for each face that has a marked vertex, else 0.
#[kernel(threads = 256)]
pub fn take_marked<'a>(block: &Block, faces: In<'a, [u32; 3]>, marks: In<'a, u32>, taken: Out<'a, u32>) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        let [a, b, c] = faces.get(f).map(|v| marks.get(v));
        taken.set(f, (a | b | c != 0) as u32);
    });
}
/// Sets 1 for each face that is neither taken nor of a component with a mark, else 0.
#[kernel(threads = 256)]
pub fn leave_taken<'a>(
    block: &Block,
    faces: In<'a, [u32; 3]>,
    taken: In<'a, u32>,
    labels: Values<'a, Vertex, u32>,
    components: In<'a, u32>,
    left: Out<'a, u32>,
) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        let label = labels.get(VertexId::new(faces.get(f)[0]));
        let stays = label >= components.len() as u32 || components.get(label) == 0;
        left.set(f, (stays && taken.get(f) == 0) as u32);
    });
}
/// Copies the faces of a list.
#[kernel(threads = 256)]
pub fn copy_listed<'a>(block: &Block, faces: In<'a, [u32; 3]>, list: In<'a, u32>, to: Out<'a, [u32; 3]>) {
    block.for_each_of_tile(list.len() as u32, |i| to.set(i, faces.get(list.get(i))));
}

/// Makes the vertices of each face one set. `parents` begins with each vertex its own parent; a parent is
/// never greater than its child, so the root of a set is its least vertex, whatever the order (Jayanti and
/// Tarjan 2016).
#[kernel(threads = 256)]
pub fn unite_corners<'a>(block: &Block, faces: In<'a, [u32; 3]>, parents: Out<'a, u32>) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        let [a, b, c] = faces.get(f);
        unite(parents, a, b);
        unite(parents, b, c);
    });
}
/// Stores the root of the set of each vertex, and 1 for each vertex that is a root.
#[kernel(threads = 256)]
pub fn find_roots<'a>(v: Each, parents: Out<'a, u32>, roots: Out<'a, u32>, is_root: Out<'a, u32>) {
    let root = root(parents, v);
    roots.set(v, root);
    is_root.set(v, (root == v) as u32);
}
#[inline(always)]
fn root(parents: Out<'_, u32>, mut v: u32) -> u32 {
    loop {
        let parent = atomic::load(parents, v, Relaxed, Device);
        if parent == v {
            return v;
        }
        // shortens the path for later searches
        let next = atomic::load(parents, parent, Relaxed, Device);
        if next != parent {
            atomic::fetch_min(parents, v, next, Relaxed, Device);
        }
        v = parent;
    }
}
#[inline(always)]
fn unite(parents: Out<'_, u32>, a: u32, b: u32) {
    let (mut a, mut b) = (root(parents, a), root(parents, b));
    while a != b {
        if a > b {
            (a, b) = (b, a);
        }
        if atomic::compare_exchange(parents, b, b, a, Relaxed, Device) == b {
            return;
        }
        b = root(parents, b);
    }
}
