//! A tree as kernels see it, and the search for closest points.
use crate::bvh::aabb::Aabb;
use crate::bvh::node::{Child, Reference, unpack};
use crate::bvh::stack::Stack;
use crate::bvh::triangle::nearest;
use crate::device::bytemuck::{Pod, Zeroable};
use crate::device::{In, NONE, Out, Parameter, Quad, Vec3, math};

/// The point of a surface that is closest to another point.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[bytemuck(crate = "crate::device::bytemuck")]
pub struct Closest {
    /// The point, in the units of the positions; zero where there is none.
    pub point: Vec3,
    /// The face on which it is, the one with the smallest number if several are equally close; [`NONE`] where
    /// there is none.
    pub face: u32,
    /// The face's unit normal, counterclockwise; zero where the face has no area, or there is none.
    pub normal: Vec3,
    /// The distance, in the units of the positions; infinite where there is none.
    pub distance: f32,
}

impl Closest {
    const NOTHING: Self = Self { point: Vec3::ZERO, face: NONE, normal: Vec3::ZERO, distance: f32::INFINITY };

    /// Writes it to place `i`, in two words of 16 bytes.
    #[inline(always)]
    pub fn store(self, to: Out<'_, Closest>, i: u32) {
        let words: [Quad; 2] = crate::device::bytemuck::cast(self);
        let to = to.wide::<Quad>();
        to.set(2 * i, words[0]);
        to.set(2 * i + 1, words[1]);
    }
}

/// A tree as kernels see it.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct BvhView<'a> {
    /// Four words per node: two children.
    pub(crate) nodes: In<'a, Quad>,
    /// Three words per triangle, in the order of the tree: its corners, and with the first of them its face.
    pub(crate) triangles: In<'a, Quad>,
    /// The triangle of each face.
    pub(crate) places: In<'a, u32>,
    /// The root as a [`Reference`].
    pub(crate) root: u32,
    /// A power of two by which coordinates are multiplied, so that squares neither overflow nor vanish.
    pub(crate) scale: f32,
    /// Its inverse.
    pub(crate) unscale: f32,
}

/// The best triangle so far.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
#[bytemuck(crate = "crate::device::bytemuck")]
pub(super) struct Best {
    pub distance_squared: f32,
    face: u32,
    triangle: u32,
}
impl Best {
    pub const NONE: Self = Self { distance_squared: f32::INFINITY, face: NONE, triangle: NONE };
    /// Nothing is nearer.
    pub const LOST: Self = Self { distance_squared: -1.0, ..Self::NONE };

    /// The largest squared distance of what is still looked at: that of the best, or the number before it.
    #[inline(always)]
    fn bound<const TIES: bool>(self) -> f32 {
        if TIES {
            self.distance_squared
        } else if self.distance_squared > 0.0 {
            f32::from_bits(self.distance_squared.to_bits() - 1)
        } else {
            -1.0
        }
    }
}

impl BvhView<'_> {
    /// Number of faces.
    #[inline(always)]
    pub fn faces(&self) -> u32 {
        self.places.len() as u32
    }
    /// The closest point to `point`, nothing if that is not finite. About log₂(faces) nodes for a point near
    /// the surface, more the more of the surface is about as far.
    #[inline(always)]
    pub fn closest(&self, point: Vec3) -> Closest {
        self.closest_from(point, NONE)
    }
    /// As [`Self::closest`], the same result, faster the closer face `seed` is: the search begins with its
    /// distance. [`NONE`], and an index that is not a face, is not a seed.
    #[inline(always)]
    pub fn closest_from(&self, point: Vec3, seed: u32) -> Closest {
        let best = self.seeded(point, Best::NONE, seed);
        self.result(point, self.search::<true>(point, best, |_| true, || ()))
    }
    /// As [`Self::closest`], among the faces of which `keep` says true. The fewer these are near the point,
    /// the longer it takes.
    #[inline(always)]
    pub fn closest_where(&self, point: Vec3, keep: impl Fn(u32) -> bool) -> Closest {
        self.result(point, self.search::<true>(point, Best::NONE, keep, || ()))
    }
    /// The distance of `point` from the surface, infinite if that is not finite: that of [`Self::closest`],
    /// sooner. Triangles that are as near as the nearest so far are left out. So the search ends soon even
    /// where single precision takes all triangles to be as near, as those of a mesh with one vertex at 10³⁰.
    #[inline(always)]
    pub fn distance(&self, point: Vec3) -> f32 {
        let best = self.search::<false>(point, Best::NONE, |_| true, || ());
        math::sqrt(best.distance_squared) * self.unscale
    }
    /// As [`Self::closest`], but nothing where the surface is farther than `radius`.
    #[inline(always)]
    pub fn closest_within(&self, point: Vec3, radius: f32) -> Closest {
        self.result(point, self.best_within(point, radius))
    }
    /// The distance of [`Self::closest_within`], and a face at this distance; infinite and [`NONE`] where
    /// there is nothing. Faster the closer face `seed` is, as in [`Self::closest_from`].
    #[inline(always)]
    pub fn distance_from(&self, point: Vec3, radius: f32, seed: u32) -> (f32, u32) {
        let radius = radius * self.scale;
        let best = Best { distance_squared: radius * radius, ..Best::NONE };
        let best = self.seeded(point, best, seed);
        let best = self.search::<false>(point, best, |_| true, || ());
        match best.face {
            NONE => (f32::INFINITY, NONE),
            face => (math::sqrt(best.distance_squared) * self.unscale, face),
        }
    }
    /// The better one of the best so far and a face, which may be none.
    #[inline(always)]
    fn seeded(&self, point: Vec3, mut best: Best, seed: u32) -> Best {
        if seed < self.faces() && point.is_finite() {
            self.consider(self.places.get(seed), point * self.scale, &mut best, |_| true);
        }
        best
    }
    #[inline(always)]
    fn best_within(&self, point: Vec3, radius: f32) -> Best {
        let radius = radius * self.scale;
        if radius >= 0.0 {
            let best = Best { distance_squared: radius * radius, ..Best::NONE };
            self.search::<true>(point, best, |_| true, || ())
        } else {
            Best::NONE
        }
    }

    /// Nearest child first; what is farther than the best so far is left out. With `TIES`, every triangle
    /// that is as near as the nearest is looked at, so that the result depends neither on the order nor on
    /// the seed; without, only the distance does not. Faces of which `keep` says false are passed over. Calls
    /// `visit` at each node and each triangle.
    #[inline(always)]
    fn search<const TIES: bool>(
        &self,
        point: Vec3,
        mut best: Best,
        keep: impl Fn(u32) -> bool,
        mut visit: impl FnMut(),
    ) -> Best {
        if self.places.is_empty() || !point.is_finite() {
            return best;
        }
        let p = point * self.scale;
        let mut stack = Stack::new();
        let mut at = Reference(self.root);
        loop {
            match at.leaf() {
                Some((first, n)) => {
                    for triangle in first..first + n {
                        visit();
                        self.consider(triangle, p, &mut best, &keep);
                    }
                }
                None => {
                    visit();
                    let (a, b) = (self.child(at, 0), self.child(at, 1));
                    let (a_far, b_far) = (a.aabb.distance_squared(p), b.aabb.distance_squared(p));
                    let (near, near_far, far, far_far) = if b_far < a_far {
                        (b.reference, b_far, a.reference, a_far)
                    } else {
                        (a.reference, a_far, b.reference, b_far)
                    };
                    let bound = best.bound::<TIES>();
                    if near_far <= bound {
                        if far_far <= bound {
                            stack.push(far_far, far);
                        }
                        at = near;
                        continue;
                    }
                }
            }
            match stack.pop(best.bound::<TIES>()) {
                Some(next) => at = next,
                None => return best,
            }
        }
    }
    #[inline(always)]
    pub(super) fn child(&self, node: Reference, side: u32) -> Child {
        let at = 4 * node.0 + 2 * side;
        Child::from_words([self.nodes.get(at), self.nodes.get(at + 1)])
    }
    #[inline(always)]
    pub(super) fn triangle(&self, i: u32) -> (u32, [Vec3; 3]) {
        // not by `map`, which is not inlined in builds with little optimization
        let (a, face) = unpack(self.triangles.get(3 * i));
        let (b, _) = unpack(self.triangles.get(3 * i + 1));
        let (c, _) = unpack(self.triangles.get(3 * i + 2));
        (face, [a, b, c])
    }
    /// The point of a triangle that has these weights of the second and the third corner.
    #[inline(always)]
    pub(crate) fn point_of(&self, triangle: u32, [u, v]: [f32; 2]) -> Vec3 {
        let (_, [a, b, c]) = self.triangle(triangle);
        (a + u * (b - a) + v * (c - a)) * self.unscale
    }
    #[inline(always)]
    pub(super) fn consider(&self, triangle: u32, p: Vec3, best: &mut Best, keep: impl Fn(u32) -> bool) {
        let (face, corners) = self.triangle(triangle);
        if !keep(face) {
            return;
        }
        let least = Aabb::of(corners).distance_squared(p);
        if least > best.distance_squared {
            return;
        }
        let d = nearest(p, corners, least).distance_squared;
        if d < best.distance_squared || (d == best.distance_squared && face < best.face) {
            *best = Best { distance_squared: d, face, triangle };
        }
    }
    /// As [`Self::closest`], with the weights of the corners of its face, not negative and 1 in all; zero
    /// where there is none.
    #[inline(always)]
    pub(crate) fn closest_with_weights(&self, point: Vec3) -> (Closest, Vec3) {
        self.weighted(point, self.search::<true>(point, Best::NONE, |_| true, || ()))
    }
    #[inline(always)]
    fn result(&self, point: Vec3, best: Best) -> Closest {
        self.weighted(point, best).0
    }
    #[inline(always)]
    pub(super) fn weighted(&self, point: Vec3, best: Best) -> (Closest, Vec3) {
        if best.face == NONE {
            return (Closest::NOTHING, Vec3::ZERO);
        }
        let p = point * self.scale;
        let (face, [a, b, c]) = self.triangle(best.triangle);
        let (ab, ac) = (b - a, c - a);
        let [u, v] = nearest(p, [a, b, c], 0.0).weights;
        let found = Closest {
            point: (a + u * ab + v * ac) * self.unscale,
            face,
            normal: unit(ab.cross(ac)),
            distance: math::sqrt(best.distance_squared) * self.unscale,
        };
        // rounding may have led out of the face
        let weights = Vec3::new(1.0 - u - v, u, v).clamp(Vec3::ZERO, Vec3::ONE);
        (found, weights / (weights.x + weights.y + weights.z))
    }
}

/// The vector of length 1, or zero.
#[inline(always)]
fn unit(n: Vec3) -> Vec3 {
    let most = n.abs().max_element();
    if most > 0.0 {
        let n = n / most;
        n / math::sqrt(n.dot(n))
    } else {
        Vec3::ZERO
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;
    use crate::bvh::Bvh;
    use crate::bvh::Extent;
    use crate::bvh::copied::Copied;
    use crate::{Device, Result};
    use ribbonmesh_mesh::shapes;

    /// The most nodes and triangles that a search for the distance of one of `points` visits, and the largest
    /// distance.
    fn visited(bvh: &Bvh, points: &[Vec3]) -> Result<(u32, f32)> {
        let copied = Copied::new(bvh)?;
        let view = copied.view();
        let (mut most, mut farthest) = (0, 0.0_f32);
        for &p in points {
            let mut n = 0;
            let best = view.search::<false>(p, Best::NONE, |_| true, || n += 1);
            let distance = view.distance(p);
            assert_eq!(distance, math::sqrt(best.distance_squared) * view.unscale);
            (most, farthest) = (most.max(n), farthest.max(distance));
        }
        Ok((most, farthest))
    }

    #[test]
    fn distances_do_not_depend_on_seeds() {
        let device = Device::cpu_with_threads(1).expect("a thread");
        let torus = shapes::torus(24, 1).expect("small");
        let bvh = Bvh::new(&device, &torus.points(), &torus.faces).expect("a tree");
        let copied = Copied::new(&bvh).expect("memory");
        let view = copied.view();
        let points: Vec<Vec3> = torus.points().iter().map(|p| Vec3::new(p.y, 1.3 * p.z, 0.9 * p.x)).collect();
        let mut found = [0; 2];
        for (i, &p) in points.iter().enumerate() {
            for radius in [0.01, 0.3, 9.0] {
                let expected = view.closest_within(p, radius);
                for seed in [NONE, 0, i as u32, expected.face] {
                    let (distance, face) = view.distance_from(p, radius, seed);
                    assert_eq!((distance, face == NONE), (expected.distance, expected.face == NONE));
                    found[usize::from(face == NONE)] += 1;
                }
            }
        }
        assert!(found[0] > 100 && found[1] > 100);
        assert_eq!(view.distance_from(Vec3::NAN, 1.0, 3), (f32::INFINITY, NONE));
    }
    #[test]
    fn few_triangles_where_precision_takes_all_for_one() {
        let device = Device::cpu_with_threads(1).expect("a thread");
        let mut sphere = shapes::icosphere(4).expect("small");
        shapes::shuffle(&mut sphere, 1);
        let near = sphere.points();
        let build = |x: &[Vec3], reach: f32| {
            let x = device.upload(x).expect("memory");
            let faces = device.upload(sphere.faces.as_flattened()).expect("memory");
            let most = Extent::of(&x, &faces).expect("memory").most;
            Bvh::reaching(&x, &faces, reach, most).expect("a tree")
        };
        for far in [1e8, 1e15, 1e20, 1e25, 1e30, 1e38] {
            let mut moved = near.clone();
            moved[100].x = far;
            // the far vertex is one of the tree's, or of the points'
            let tree = build(&moved, 0.0);
            let (most, farthest) = visited(&tree, &near).expect("distances");
            assert!(most < 200 && farthest < 1e-6 * far, "{far:e}: {most} visits, {farthest:e}");
            let tree = build(&near, far);
            let (most, farthest) = visited(&tree, &moved[100..101]).expect("distances");
            assert!(
                most < 200 && (farthest / far - 1.0).abs() < 1e-6,
                "{far:e}: {most} visits, {farthest:e}"
            );
        }
    }
}
