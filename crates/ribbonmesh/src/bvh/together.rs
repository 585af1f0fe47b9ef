//! The search for the closest points of many points at once.
use crate::bvh::node::Reference;
use crate::bvh::stack::References;
use crate::bvh::view::{Best, BvhView, Closest};
use crate::device::bytemuck::{Pod, Zeroable};
use crate::device::{Block, PerThread, Vec3, math};

/// Points of a search: one for each thread of a warp.
pub(crate) const TOGETHER: u32 = 32;

/// A point and what is nearest to it so far.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
#[bytemuck(crate = "crate::device::bytemuck")]
pub(crate) struct Seeker {
    /// Scaled as the tree's coordinates.
    point: Vec3,
    best: Best,
}

impl BvhView<'_> {
    /// The closest points of `point(i)` for `i < n`, for [`Self::found_by`], the same as of
    /// [`Self::closest`]. `n` is at most [`TOGETHER`], as many as the block has threads.
    ///
    /// All threads visit the same nodes: those that one of the points needs. So they read each node once for
    /// all, and none waits for another one. The points should be near each other: 32 neighbours of a million
    /// points in a box around a scan visit two and a half times as many nodes as each of them alone.
    #[inline(always)]
    pub(crate) fn closest_together<'b>(
        &self,
        block: &'b Block,
        n: u32,
        point: impl Fn(u32) -> Vec3,
    ) -> PerThread<'b, Seeker, 1> {
        let guide = point(0) * self.scale;
        let mut seekers = block.per_thread::<Seeker, 1>(n, |i| Seeker::new(point(i), self.scale));
        if self.places.is_empty() {
            return seekers;
        }
        let needs = |s: Seeker, squared: f32| squared <= s.best.distance_squared;
        let mut stack = References::new();
        let mut at = Reference(self.root);
        loop {
            match at.leaf() {
                Some((first, count)) => {
                    let mut triangle = first;
                    while triangle < first + count {
                        seekers = seekers.map(|_, s| {
                            let mut best = s.best;
                            self.consider(triangle, s.point, &mut best, |_| true);
                            Seeker { best, ..s }
                        });
                        triangle += 1;
                    }
                }
                None => {
                    let children = [self.child(at, 0), self.child(at, 1)];
                    let needed = |side: usize| {
                        let aabb = children[side].aabb;
                        seekers.any(|_, s| needs(s, aabb.distance_squared(s.point)))
                    };
                    let needed = [needed(0), needed(1)];
                    let squared = |side: usize| children[side].aabb.distance_squared(guide);
                    let near = if needed[0] & needed[1] {
                        (squared(1) < squared(0)) as usize
                    } else {
                        needed[1] as usize
                    };
                    if needed[near] {
                        if needed[1 - near] {
                            // the child by its parent, which has the box
                            stack.push(Reference(2 * at.0 + 1 - near as u32));
                        }
                        at = children[near].reference;
                        continue;
                    }
                }
            }
            loop {
                let Some(Reference(put_off)) = stack.pop() else { return seekers };
                let child = self.child(Reference(put_off / 2), put_off % 2);
                if seekers.any(|_, s| needs(s, child.aabb.distance_squared(s.point))) {
                    at = child.reference;
                    break;
                }
            }
        }
    }
    /// The distance of a point from some triangle near it, in the units of the positions; infinite if there
    /// is none. One way down the tree.
    #[inline(always)]
    pub(crate) fn roughly(&self, point: Vec3) -> f32 {
        if self.places.is_empty() {
            return f32::INFINITY;
        }
        let p = point * self.scale;
        let mut at = Reference(self.root);
        while at.leaf().is_none() {
            let (a, b) = (self.child(at, 0), self.child(at, 1));
            at = if b.aabb.distance_squared(p) < a.aabb.distance_squared(p) {
                b.reference
            } else {
                a.reference
            };
        }
        let mut best = Best::NONE;
        if let Some((first, _)) = at.leaf() {
            self.consider(first, p, &mut best, |_| true);
        }
        math::sqrt(best.distance_squared) * self.unscale
    }
    /// The result of a point of [`Self::closest_together`], with the weights of the corners of its face as
    /// [`Self::closest_with_weights`].
    #[inline(always)]
    pub(crate) fn found_by(&self, seeker: Seeker) -> (Closest, Vec3) {
        self.weighted(seeker.point * self.unscale, seeker.best)
    }
}

impl Seeker {
    #[inline(always)]
    fn new(point: Vec3, scale: f32) -> Self {
        // no box is nearer to a point that is not finite, so that it finds nothing
        let best = if point.is_finite() { Best::NONE } else { Best::LOST };
        Self { point: point * scale, best }
    }
}
