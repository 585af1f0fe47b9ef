//! The nodes of a tree, for kernels of other crates that keep something of their own for each node.
use crate::bvh::node::Reference;
use crate::bvh::stack::Stack;
use crate::bvh::view::BvhView;
use crate::device::Vec3;

/// Content of one half of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A node.
    Node(u32),
    /// A leaf: one to four faces at consecutive places in the order of the tree.
    Faces {
        /// The place of the first one.
        first: u32,
        /// Their number.
        count: u32,
    },
}

/// One of the two halves of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Half {
    /// Its content.
    pub part: Part,
    /// The lowest corner of the box around it, in the units of the positions.
    pub low: Vec3,
    /// The highest corner.
    pub high: Vec3,
    /// Number of nodes on the longest path from here to a face, as if every leaf had a single face: a node
    /// with halves of heights a and b has the height 1 + max(a, b).
    pub height: u32,
}

impl BvhView<'_> {
    /// Numbers of nodes are below this number: the number of faces, less one. Some are the inside of leaves:
    /// these have two halves of together at most four faces, and [`Self::descend`] does not come to them.
    #[inline(always)]
    pub fn nodes(&self) -> u32 {
        self.faces().saturating_sub(1)
    }
    /// The halves of a node.
    #[inline(always)]
    pub fn halves(&self, node: u32) -> [Half; 2] {
        [0, 1].map(|side| {
            let child = self.child(Reference(node), side);
            let part = match child.reference.leaf() {
                Some((first, count)) => Part::Faces { first, count },
                None => Part::Node(child.reference.0),
            };
            let [low, high] = [child.aabb.lo, child.aabb.hi].map(|corner| corner * self.unscale);
            Half { part, low, high, height: child.height }
        })
    }
    /// The corners of the face at a place in the order of the tree, in the units of the positions. They are
    /// stored together in memory with those of its neighbours. Exact, unless coordinates of very different
    /// size were rounded (those below 10⁻³⁸ of the largest).
    #[inline(always)]
    pub fn corners_at(&self, place: u32) -> [Vec3; 3] {
        self.triangle(place).1.map(|corner| corner * self.unscale)
    }
    /// Descends from the root: calls `enter` with a node, and continues with its halves if that returns true;
    /// calls `visit` with the place of each face of each leaf that it comes to. In the order of the tree.
    #[inline(always)]
    pub fn descend(&self, mut enter: impl FnMut(u32) -> bool, mut visit: impl FnMut(u32)) {
        if self.places.is_empty() {
            return;
        }
        let mut stack = Stack::new();
        let mut at = Reference(self.root);
        loop {
            match at.leaf() {
                Some((first, count)) => {
                    let mut place = first;
                    while place < first + count {
                        visit(place);
                        place += 1;
                    }
                }
                None => {
                    if enter(at.0) {
                        stack.push(0.0, self.child(at, 1).reference);
                        at = self.child(at, 0).reference;
                        continue;
                    }
                }
            }
            match stack.pop(0.0) {
                Some(next) => at = next,
                None => return,
            }
        }
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;
    use crate::Device;
    use crate::bvh::Bvh;
    use crate::bvh::copied::Copied;
    use ribbonmesh_mesh::shapes;

    #[test]
    fn all_faces_once_and_within_their_boxes() {
        let device = Device::cpu_with_threads(1).expect("a thread");
        let mut torus = shapes::torus(24, 1).expect("small");
        shapes::shuffle(&mut torus, 1);
        let x = torus.points();
        for faces in
            [&torus.faces[..0], &torus.faces[..1], &torus.faces[..4], &torus.faces[..5], &torus.faces]
        {
            let bvh = Bvh::new(&device, &x, faces).expect("a tree");
            let copied = Copied::new(&bvh).expect("memory");
            let view = copied.view();
            let mut entered = vec![];
            let mut visited = vec![];
            let enter = |node| {
                entered.push(node);
                true
            };
            view.descend(enter, |place| visited.push(place));
            assert!(visited.into_iter().eq(0..faces.len() as u32));
            for place in 0..faces.len() as u32 {
                let corners = faces[view.face_at(place) as usize].map(|v| x[v as usize]);
                assert_eq!(view.corners_at(place), corners);
            }
            // each node but the root is a half of another one
            let halves = |&node: &u32| view.halves(node).into_iter();
            let mut below: Vec<u32> = entered
                .iter()
                .flat_map(halves)
                .filter_map(|half| match half.part {
                    Part::Node(node) => Some(node),
                    Part::Faces { first, count } => {
                        assert!((1..=4).contains(&count));
                        for place in first..first + count {
                            for p in view.corners_at(place) {
                                assert!(p.cmpge(half.low).all() && p.cmple(half.high).all());
                            }
                        }
                        None
                    }
                })
                .collect();
            below.sort_unstable();
            entered.sort_unstable();
            assert!(entered.iter().all(|&node| node < view.nodes()));
            assert_eq!(below.len() + usize::from(faces.len() > 4), entered.len());
            assert!(below.iter().all(|node| entered.binary_search(node).is_ok()));
            // none below a node that is not entered
            let mut visited = 0;
            view.descend(|_| false, |_| visited += 1);
            assert_eq!(visited, if faces.len() > 4 { 0 } else { faces.len() });
        }
    }
}
