//! Parts of a surface, to be changed on the host; and its components.
//!
//! Faces are those that are not deleted, in the order of their ids, three vertices each.
use super::rank::VERTICES;
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{
    Block, Each, FaceId, HalfEdge, In, NONE, Out, Parameter, Values, Vertex, VertexId, kernel,
};
use ribbonmesh::dynamic::{DynamicView, MeshRef};
use ribbonmesh::sets;

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
/// Sets 1 for each face that is taken, or of a component with a mark, else 0.
#[kernel(threads = 256)]
pub fn take_components<'a>(
    block: &Block,
    faces: In<'a, [u32; 3]>,
    labels: Values<'a, Vertex, u32>,
    components: In<'a, u32>,
    taken: Out<'a, u32>,
) {
    block.for_each_of_tile(faces.len() as u32, |f| {
        let label = labels.get(VertexId::new(faces.get(f)[0]));
        if label < components.len() as u32 && components.get(label) != 0 {
            taken.set(f, 1);
        }
    });
}
/// Copies the faces of a list.
#[kernel(threads = 256)]
pub fn copy_listed<'a>(block: &Block, faces: In<'a, [u32; 3]>, list: In<'a, u32>, to: Out<'a, [u32; 3]>) {
    block.for_each_of_tile(list.len() as u32, |i| to.set(i, faces.get(list.get(i))));
}

/// Makes the vertices of each face one set; `parents` begins with each vertex its own parent.
#[kernel(threads = 256)]
pub fn unite_corners<'a>(f: Each, mesh: DynamicView<'a>, parents: Out<'a, u32>) {
    if let Some([a, b, c]) = mesh.living_corners(FaceId::new(f)) {
        sets::unite(parents, a.index(), b.index());
        sets::unite(parents, b.index(), c.index());
    }
}
/// Makes the root of its set the parent of each vertex; 1 for each living vertex that is a root, else 0.
#[kernel(threads = 256)]
pub fn find_roots<'a>(v: Each, mesh: DynamicView<'a>, parents: Out<'a, u32>, is_root: Out<'a, u32>) {
    is_root.set(v, (parents.get(v) == v && mesh.is_living(VertexId::new(v))) as u32);
    sets::flatten(parents, v);
}
/// Stores the component of each vertex, the number of its root; [`NONE`] for deleted vertices.
#[kernel(threads = 256)]
pub fn number_components<'a>(
    v: Each,
    mesh: DynamicView<'a>,
    roots: In<'a, u32>,
    numbers: In<'a, u32>,
    component: Out<'a, u32>,
) {
    let living = mesh.is_living(VertexId::new(v));
    component.set(v, if living { numbers.get(roots.get(v)) } else { NONE });
}

/// Key of a slot without votes.
pub const NO_VOTE: u64 = u64::MAX;

/// A hash table of votes: numbers of vertices by their labels before a change and their components after it.
/// Its length is a power of two.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Votes<'a> {
    /// The label in the upper half and the component in the lower, or [`NO_VOTE`].
    pub keys: Out<'a, u64>,
    /// Numbers of vertices; behind them, the number of those for which there was no room.
    pub counts: Out<'a, u32>,
}
impl Votes<'_> {
    #[inline(always)]
    fn add(self, key: u64, votes: u32) {
        let room = self.keys.len() as u32;
        let mut at = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32 & (room - 1);
        let mut left = room;
        while left > 0 {
            let found = atomic::compare_exchange(self.keys, at, NO_VOTE, key, Relaxed, Device);
            if found == NO_VOTE || found == key {
                break;
            }
            at = (at + 1) & (room - 1);
            left -= 1;
        }
        atomic::fetch_add(self.counts, if left > 0 { at } else { room }, votes, Relaxed, Device);
    }
}
/// Counts the votes of `n` vertices; new ones have the label [`NONE`], and no vote. A tile whose vertices
/// all vote for the same has one addition.
#[kernel(threads = 256)]
pub fn count_votes<'a>(
    block: &Block,
    labels: Values<'a, Vertex, u32>,
    component: In<'a, u32>,
    n: u32,
    votes: Votes<'a>,
) {
    block.for_each_tile(n, |base, len| {
        let key = |i: u32| {
            let (label, to) = (labels.get(VertexId::new(base + i)), component.get(base + i));
            if label == NONE || to == NONE { NO_VOTE } else { (label as u64) << 32 | to as u64 }
        };
        let or_zero = |i: u32| if key(i) == NO_VOTE { 0 } else { key(i) };
        let least = block.reduce(len, NO_VOTE, key, |a, b| if a < b { a } else { b });
        let most = block.reduce(len, 0, or_zero, |a, b| if a > b { a } else { b });
        if least == NO_VOTE {
            // no vertex votes
        } else if least == most {
            let count = block.count_where(len, |i| key(i) != NO_VOTE);
            block.single_nosync(|| votes.add(least, count));
        } else {
            block.for_each(len, |i| {
                if key(i) != NO_VOTE {
                    votes.add(key(i), 1);
                }
            });
        }
    });
}
