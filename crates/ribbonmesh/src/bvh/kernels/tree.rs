//! The tree, from the leaves up.
use crate::bvh::aabb::Aabb;
use crate::bvh::node::{Child, Reference, pack};
use crate::device::atomic::{self, Order::AcqRel, Order::Relaxed, Scope::Device};
use crate::device::{Block, Each, In, Out, Parameter, Quad, Vec3, kernel};

/// Words of what [`refit_tree`] finds out; both begin with 0.
#[cfg(not(target_arch = "nvptx64"))]
pub const FACTS: usize = 2;
/// 1 if a corner of the tree is not exactly the position of its vertex.
pub(crate) const ROUNDED: u32 = 0;
/// The smallest face with a corner that is not finite, complemented; 0: none.
pub(crate) const NO_NUMBER: u32 = 1;

/// The arrays from which a tree is built.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Parts<'a> {
    /// Coordinates of vertices.
    pub positions: In<'a, Vec3>,
    /// Vertices of faces.
    pub faces: In<'a, [u32; 3]>,
    /// Morton codes, ascending.
    pub keys: In<'a, u64>,
    /// The face of each code.
    pub order: In<'a, u32>,
    /// The factor of coordinates.
    pub scale: f32,
}

/// The tree in the making.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Tree<'a> {
    /// Four words per node.
    pub nodes: Out<'a, Quad>,
    /// Three words per triangle.
    pub triangles: Out<'a, Quad>,
    /// The triangle of each face.
    pub places: Out<'a, u32>,
    /// Per node: an end of the range of the child that came first, plus 1; 0 before and in the end.
    pub meetings: Out<'a, u32>,
    /// The root and its height.
    pub root: Out<'a, u32>,
}

/// Whether the codes after `a` and `b` differ at a lower bit at `a`. Equal codes differ by their places.
#[inline(always)]
fn nearer(keys: In<'_, u64>, a: u32, b: u32) -> bool {
    let difference = |i: u32| (keys.get(i) ^ keys.get(i + 1), i ^ (i + 1));
    difference(a) < difference(b)
}

/// Writes the triangles in the order of the tree, and all nodes.
///
/// The hierarchy is that of Karras, *Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d
/// Trees* (2012), section 3: a node is where the codes of a range differ first. It is found from the leaves
/// up, as by Apetrei, *Fast and Simple Agglomerative LBVH Construction* (2014), so that boxes and structure
/// take one pass: the range of a child grows to the side where the codes differ less. Node `i` splits after
/// triangle `i`. Of its two children the first to come leaves its box and its end of the range, the second
/// continues.
#[kernel(threads = 256)]
pub fn grow_tree<'a>(block: &Block, parts: Parts<'a>, tree: Tree<'a>) {
    let n = parts.order.len() as u32;
    block.for_each_of_tile(n, |i| {
        let face = parts.order.get(i);
        let corners = parts.faces.get(face).map(|v| parts.positions.get(v) * parts.scale);
        tree.triangles.set(3 * i, pack(corners[0], face));
        tree.triangles.set(3 * i + 1, pack(corners[1], 0));
        tree.triangles.set(3 * i + 2, pack(corners[2], 0));
        tree.places.set(face, i);
        climb(parts.keys, tree, i, n, Aabb::of(corners));
    });
}

/// Writes the triangles and all boxes again, for the same codes as in [`grow_tree`] but other corners. A face
/// with a vertex that does not exist is left out: its corners are no numbers, and no search finds it; one
/// with a corner that is not finite is left out and named in `facts`.
#[kernel(threads = 256)]
pub fn refit_tree<'a>(block: &Block, parts: Parts<'a>, tree: Tree<'a>, facts: Out<'a, u32>) {
    let n = parts.order.len() as u32;
    block.for_each_of_tile(n, |i| {
        let face = parts.order.get(i);
        let [a, b, c] = parts.faces.get(face);
        let (mut corners, mut aabb) = ([Vec3::NAN; 3], Aabb::EMPTY);
        if (a.max(b).max(c) as usize) < parts.positions.len() {
            let at = [parts.positions.get(a), parts.positions.get(b), parts.positions.get(c)];
            if at[0].is_finite() & at[1].is_finite() & at[2].is_finite() {
                corners = [at[0] * parts.scale, at[1] * parts.scale, at[2] * parts.scale];
                aabb = Aabb::of(corners);
                let unscale = 1.0 / parts.scale;
                let same = |i: usize| corners[i] * unscale == at[i];
                if !(same(0) & same(1) & same(2)) {
                    atomic::fetch_max(facts, ROUNDED, 1, Relaxed, Device);
                }
            } else {
                atomic::fetch_max(facts, NO_NUMBER, !face, Relaxed, Device);
            }
        }
        tree.triangles.set(3 * i, pack(corners[0], face));
        tree.triangles.set(3 * i + 1, pack(corners[1], 0));
        tree.triangles.set(3 * i + 2, pack(corners[2], 0));
        climb(parts.keys, tree, i, n, aabb);
    });
}

/// Copies the vertices of faces; one with a vertex that does not exist becomes a point.
#[kernel(threads = 256)]
pub fn existing_faces<'a>(f: Each, faces: In<'a, [u32; 3]>, vertices: u32, to: Out<'a, [u32; 3]>) {
    let [a, b, c] = faces.get(f);
    to.set(f, if a.max(b).max(c) < vertices { [a, b, c] } else { [0; 3] });
}

#[inline(always)]
fn climb(keys: In<'_, u64>, tree: Tree<'_>, leaf: u32, n: u32, mut aabb: Aabb) {
    let (mut first, mut last, mut node, mut height) = (leaf, leaf, leaf, 0);
    loop {
        let reference = Reference::of(first, last, node);
        if first == 0 && last + 1 == n {
            tree.root.set(0, reference.0);
            tree.root.set(1, height);
            return;
        }
        let right = first > 0 && (last + 1 == n || nearer(keys, first - 1, last));
        let (side, end) = (right as u32, if right { last } else { first });
        node = if right { first - 1 } else { last };
        let [a, b] = Child { aabb, reference, height }.to_words();
        let at = |side: u32| 4 * node + 2 * side;
        tree.nodes.set(at(side), a);
        tree.nodes.set(at(side) + 1, b);
        let met = atomic::exchange(tree.meetings, node, end + 1, AcqRel, Device);
        if met == 0 {
            return;
        }
        tree.meetings.set(node, 0);
        let other = at(1 - side);
        let sibling = Child::from_words([tree.nodes.get(other), tree.nodes.get(other + 1)]);
        aabb = aabb.union(sibling.aabb);
        height = 1 + if height < sibling.height { sibling.height } else { height };
        if right {
            first = met - 1;
        } else {
            last = met - 1;
        }
    }
}
