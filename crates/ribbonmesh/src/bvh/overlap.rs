//! The faces whose boxes meet a box.
use crate::bvh::aabb::Aabb;
use crate::bvh::node::Reference;
use crate::bvh::stack::Stack;
use crate::bvh::view::BvhView;
use crate::device::Vec3;

impl BvhView<'_> {
    /// The face at a place in the order of the tree; faces that follow each other are near each other in space.
    #[inline(always)]
    pub fn face_at(&self, place: u32) -> u32 {
        self.triangle(place).0
    }
    /// Calls `visit` with each face whose box meets the box of a triangle, in the order of the tree. Boxes are closed:
    /// those that touch meet. Coordinates of very different size are rounded, which may add faces whose boxes do not
    /// meet, and leaves out none. No face meets a triangle with a coordinate that is not a number.
    #[inline(always)]
    pub fn meeting(&self, corners: [Vec3; 3], visit: impl FnMut(u32)) {
        self.walk(Aabb::of(corners.map(|p| p * self.scale)), 0, visit);
    }
    /// As [`Self::meeting`] for the triangle at a place in the order of the tree, but only with faces that follow after
    /// it. So each pair of faces is visited once if this is called for all places.
    #[inline(always)]
    pub fn meeting_after(&self, place: u32, visit: impl FnMut(u32)) {
        let (_, corners) = self.triangle(place);
        self.walk(Aabb::of(corners), place + 1, visit);
    }

    /// Visits the faces at places from `from` on whose boxes meet `aabb`.
    #[inline(always)]
    fn walk(&self, aabb: Aabb, from: u32, mut visit: impl FnMut(u32)) {
        if from >= self.faces() {
            return;
        }
        let mut stack = Stack::new();
        let mut at = Reference(self.root);
        loop {
            match at.leaf() {
                Some((first, n)) => {
                    let mut place = if first < from { from } else { first };
                    while place < first + n {
                        let (face, corners) = self.triangle(place);
                        if Aabb::of(corners).meets(&aabb) {
                            visit(face);
                        }
                        place += 1;
                    }
                }
                None => {
                    // node i splits after triangle i, so that this is the last place of its first child
                    let left = if at.0 >= from { Some(self.child(at, 0)) } else { None };
                    let left = left.filter(|child| child.aabb.meets(&aabb));
                    let right = self.child(at, 1);
                    match (left, right.aabb.meets(&aabb)) {
                        (Some(left), both) => {
                            if both {
                                stack.push(0.0, right.reference);
                            }
                            at = left.reference;
                            continue;
                        }
                        (None, true) => {
                            at = right.reference;
                            continue;
                        }
                        (None, false) => {}
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
