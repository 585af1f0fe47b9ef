//! The faces whose boxes meet a box.
use crate::bvh::aabb::Aabb;
use crate::bvh::node::Reference;
use crate::bvh::stack::References;
use crate::bvh::view::BvhView;
use crate::device::Vec3;

/// Boxes by coordinates, so that a processor compares several at once.
struct Boxes<const N: usize> {
    lo: [[f32; N]; 3],
    hi: [[f32; N]; 3],
}
impl<const N: usize> Boxes<N> {
    #[inline(always)]
    fn of(boxes: [Aabb; N]) -> Self {
        let (mut lo, mut hi) = ([[0.0; N]; 3], [[0.0; N]; 3]);
        let mut i = 0;
        while i < N {
            let Aabb { lo: l, hi: h } = boxes[i];
            (lo[0][i], lo[1][i], lo[2][i]) = (l.x, l.y, l.z);
            (hi[0][i], hi[1][i], hi[2][i]) = (h.x, h.y, h.z);
            i += 1;
        }
        Self { lo, hi }
    }
    /// Whether each meets a box.
    #[inline(always)]
    fn meet(&self, Aabb { lo, hi }: &Aabb) -> [bool; N] {
        let mut meet = [false; N];
        let mut i = 0;
        while i < N {
            meet[i] = (self.lo[0][i] <= hi.x)
                & (self.lo[1][i] <= hi.y)
                & (self.lo[2][i] <= hi.z)
                & (lo.x <= self.hi[0][i])
                & (lo.y <= self.hi[1][i])
                & (lo.z <= self.hi[2][i]);
            i += 1;
        }
        meet
    }
}

impl BvhView<'_> {
    /// The face at a place in the order of the tree; faces that follow each other are near each other in
    /// space.
    #[inline(always)]
    pub fn face_at(&self, place: u32) -> u32 {
        self.triangle(place).0
    }
    /// The place of a face in the order of the tree.
    #[inline(always)]
    pub fn place_of(&self, face: u32) -> u32 {
        self.places.get(face)
    }
    /// Calls `visit` with each face whose box meets the box of a triangle, in the order of the tree. Boxes
    /// are closed: boxes that touch meet. Coordinates of very different size are rounded, which may add faces
    /// whose boxes do not meet, and leaves out none. No face meets a triangle with a coordinate that is not a
    /// number.
    #[inline(always)]
    pub fn meeting(&self, corners: [Vec3; 3], mut visit: impl FnMut(u32)) {
        self.walk(Aabb::of(scaled(corners, self.scale)), 0, |_, face, _| {
            visit(face);
            true
        });
    }
    /// Whether the box of a face meets the box of a triangle, as [`Self::meeting`].
    #[inline(always)]
    pub fn meets(&self, corners: [Vec3; 3]) -> bool {
        let mut met = false;
        self.walk(Aabb::of(scaled(corners, self.scale)), 0, |_, _, _| {
            met = true;
            false
        });
        met
    }
    /// As [`Self::meeting`], with the corners of each face.
    #[inline(always)]
    pub fn triangles_meeting(&self, corners: [Vec3; 3], mut visit: impl FnMut(u32, [Vec3; 3])) {
        let aabb = Aabb::of(scaled(corners, self.scale));
        self.walk(aabb, 0, |_, face, corners| {
            visit(face, scaled(corners, self.unscale));
            true
        });
    }
    /// As [`Self::meeting`] for the triangle at a place in the order of the tree, but only with faces that
    /// follow after it. So each pair of faces is visited once if this is called for all places.
    #[inline(always)]
    pub fn meeting_after(&self, place: u32, mut visit: impl FnMut(u32)) {
        let (_, corners) = self.triangle(place);
        self.walk(Aabb::of(corners), place + 1, |_, face, _| {
            visit(face);
            true
        });
    }
    /// As [`Self::meeting_after`] for up to `N` triangles from `place` on, but none from `end` on, on one way
    /// through the tree; with the corners of each face, and of these triangles first: `begin` makes of them
    /// what `visit` gets. The corners are stored in the nodes of the tree, so that none is loaded by its
    /// index. They are exact if `Bvh::is_exact` says so.
    #[inline(always)]
    pub fn triangles_meeting_after<T, const N: usize>(
        &self,
        place: u32,
        end: u32,
        begin: impl Fn(u32, [Vec3; 3]) -> T,
        mut visit: impl FnMut(&T, u32, [Vec3; 3]),
    ) {
        let last = place + N as u32 - 1;
        let last = if last < end { last } else { end - 1 };
        // those beyond the end repeat the last one
        let own: [_; N] = core::array::from_fn(|i| {
            let i = place + i as u32;
            let (face, corners) = self.triangle(if i < last { i } else { last });
            (Aabb::of_any(corners), begin(face, scaled(corners, self.unscale)))
        });
        let boxes: [_; N] = core::array::from_fn(|i| own[i].0);
        let (aabb, boxes) = (union(&boxes), Boxes::<N>::of(boxes));
        self.walk(aabb, place + 1, |at, face, [a, b, c]| {
            let of_face = Aabb::of([a, b, c]);
            let corners = scaled([a, b, c], self.unscale);
            let before = at - place;
            let before = if before > last - place { last - place + 1 } else { before };
            let meets = boxes.meet(&of_face);
            let mut i = 0;
            while i < before as usize {
                if N == 1 || meets[i] {
                    visit(&own[i].1, face, corners);
                }
                i += 1;
            }
            true
        });
    }
    /// As [`Self::meeting`] for the triangles at up to `N` places in the order of the tree, on one way
    /// through the tree, with all other faces and their corners, until `visit` returns false. It gets which
    /// of the places it is, and what `begin` has made of the triangle there. Places that follow each other
    /// should be near each other.
    #[inline(always)]
    pub fn triangles_meeting_at<T, const N: usize>(
        &self,
        places: [u32; N],
        begin: impl Fn(u32, [Vec3; 3]) -> T,
        mut visit: impl FnMut(usize, &T, u32, [Vec3; 3]) -> bool,
    ) {
        let own: [_; N] = core::array::from_fn(|i| {
            let (face, corners) = self.triangle(places[i]);
            (Aabb::of_any(corners), begin(face, scaled(corners, self.unscale)))
        });
        let boxes: [_; N] = core::array::from_fn(|i| own[i].0);
        let (aabb, boxes) = (union(&boxes), Boxes::<N>::of(boxes));
        self.walk(aabb, 0, |at, face, [a, b, c]| {
            let of_face = Aabb::of([a, b, c]);
            let corners = scaled([a, b, c], self.unscale);
            let meets = boxes.meet(&of_face);
            let mut i = 0;
            while i < N {
                if (N == 1 || meets[i]) && places[i] != at && !visit(i, &own[i].1, face, corners) {
                    return false;
                }
                i += 1;
            }
            true
        });
    }

    /// Visits the faces at places from `from` on whose boxes meet `aabb`, until `visit` returns false: place,
    /// face, and corners as the tree has them.
    #[inline(always)]
    fn walk(&self, aabb: Aabb, from: u32, mut visit: impl FnMut(u32, u32, [Vec3; 3]) -> bool) {
        if from >= self.faces() {
            return;
        }
        let mut stack = References::new();
        let mut at = Reference(self.root);
        loop {
            match at.leaf() {
                Some((first, n)) => {
                    let mut place = if first < from { from } else { first };
                    while place < first + n {
                        let (face, corners) = self.triangle(place);
                        if Aabb::of(corners).meets(&aabb) && !visit(place, face, corners) {
                            return;
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
                                stack.push(right.reference);
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
            match stack.pop() {
                Some(next) => at = next,
                None => return,
            }
        }
    }
}

/// The least box that holds some.
#[inline(always)]
fn union<const N: usize>(boxes: &[Aabb; N]) -> Aabb {
    let mut aabb = boxes[0];
    let mut i = 1;
    while i < N {
        aabb = aabb.union(boxes[i]);
        i += 1;
    }
    aabb
}

/// The corners, multiplied by a factor; written out, since `map` is not inlined in builds with little
/// optimization.
#[inline(always)]
fn scaled([a, b, c]: [Vec3; 3], factor: f32) -> [Vec3; 3] {
    [a * factor, b * factor, c * factor]
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;
    use crate::Device;
    use crate::bvh::Bvh;
    use crate::bvh::copied::Copied;
    use ribbonmesh_mesh::shapes;

    #[test]
    fn exact_unless_small_coordinates_are_rounded() {
        let exact =
            |points: [Vec3; 3]| Bvh::new(&Device::cpu(), &points, &[[0, 1, 2]]).expect("a face").is_exact();
        let with = |x: f32, y: f32| [Vec3::ZERO, Vec3::new(x, 0.0, 0.0), Vec3::new(0.0, y, 0.0)];
        for (x, y) in [(1.0, 1.0), (1e30, 1.0), (1e-45, 1e-44), (1.0, 1e-45), (1e30, 1e-5), (0.0, 0.0)] {
            let points = with(x, y);
            assert!(exact(points), "{x}, {y}");
            let bvh = Bvh::new(&Device::cpu(), &points, &[[0, 1, 2]]).expect("a face");
            let mut found = vec![];
            let copied = Copied::new(&bvh).expect("memory");
            let view = copied.view();
            view.triangles_meeting(points, |_, corners| found.push(corners));
            assert_eq!(found, [points]);
        }
        for (x, y) in [(1e30, 1e-30), (1e38, 1e-5), (3.0, 1e-45)] {
            assert!(!exact(with(x, y)), "{x}, {y}");
        }
    }
    /// The faces that a search visits, ascending.
    fn visited(search: impl FnOnce(&mut dyn FnMut(u32))) -> Vec<u32> {
        let mut faces = vec![];
        search(&mut |face| faces.push(face));
        faces.sort_unstable();
        faces
    }

    #[test]
    fn as_comparing_all_boxes() {
        let device = Device::cpu_with_threads(1).expect("a thread");
        let mut torus = shapes::torus(24, 1).expect("small");
        shapes::shuffle(&mut torus, 1);
        // one triangle, a leaf, and more; some of them twice
        let mut many = torus.faces.clone();
        many.extend_from_within(..100);
        for faces in [&torus.faces[..1], &torus.faces[..4], &torus.faces[..5], &many] {
            let x = torus.points();
            let bvh = Bvh::new(&device, &x, faces).expect("a tree");
            let copied = Copied::new(&bvh).expect("memory");
            let view = copied.view();
            let corners = |face: u32| faces[face as usize].map(|v| x[v as usize]);
            let aabb = |face: u32| Aabb::of(corners(face));
            for (face, &place) in (0..).zip(&copied.places) {
                assert_eq!(view.face_at(place), face);
                let all = (0..faces.len() as u32).filter(|&other| aabb(other).meets(&aabb(face)));
                let all: Vec<u32> = all.collect();
                assert_eq!(visited(|visit| view.meeting(corners(face), visit)), all, "{face}");
                assert!(view.meets(corners(face)));
                let after = all.iter().copied().filter(|&other| copied.places[other as usize] > place);
                let after: Vec<u32> = after.collect();
                assert_eq!(visited(|visit| view.meeting_after(place, visit)), after, "{face}");
            }
            // several faces on one way through the tree, each pair once
            let mut pairs = vec![];
            let n = faces.len() as u32;
            for first in (0..n).step_by(8) {
                let visit = |&face: &u32, other, of_other| {
                    assert_eq!(of_other, corners(other));
                    pairs.push([face, other]);
                };
                view.triangles_meeting_after::<_, 8>(first, n, |face, _| face, visit);
            }
            pairs.sort_unstable();
            let place = |face: u32| copied.places[face as usize];
            let meeting = |a: u32| {
                let others = (0..n).filter(move |&b| place(b) > place(a));
                others.filter(move |&b| aabb(a).meets(&aabb(b))).map(move |b| [a, b])
            };
            assert!(pairs.into_iter().eq((0..n).flat_map(meeting)));
            let far = [Vec3::splat(9.0), Vec3::splat(10.0), Vec3::splat(11.0)];
            assert!(visited(|visit| view.meeting(far, visit)).is_empty() && !view.meets(far));
            assert!(visited(|visit| view.meeting([Vec3::NAN; 3], visit)).is_empty());
        }
    }
}
