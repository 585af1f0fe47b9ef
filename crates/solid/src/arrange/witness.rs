//! The middle of a part, from which a ray is cast.
use crate::arrange::integer::{self, Integer};
use crate::arrange::near::{self, Near};
use crate::arrange::points::{Homogeneous, Points, Soup};
use crate::intersections::{Along, turn};
use ribbonmesh_mesh::BoundingBox;
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The middle m of three points, treated as m + (ε, ε², ε³) for an ε smaller than every number.
pub(crate) struct Witness<'a> {
    points: Points<'a>,
    corners: [u32; 3],
    near: [Near; 3],
    exact: OnceLock<Homogeneous>,
}

impl<'a> Witness<'a> {
    pub(crate) fn new(points: Points<'a>, corners: [u32; 3]) -> Self {
        let places = corners.map(|p| points.place(p));
        let near = [0, 1, 2].map(|axis| {
            let [a, b, c] = places.map(|p| Near { value: p.at[axis], error: p.error });
            (a + b + c).over(Near::exact(3.0))
        });
        Self { points, corners, near, exact: OnceLock::new() }
    }
    fn soup(&self) -> Soup<'a> {
        self.points.soup
    }
    fn exact(&self) -> &Homogeneous {
        self.exact.get_or_init(|| {
            let [a, b, c] = self.corners.map(|p| self.points.exact(p));
            let others = [b[3].times(&c[3]), c[3].times(&a[3]), a[3].times(&b[3])];
            let at =
                |i: usize| a[i].times(&others[0]).plus(&b[i].times(&others[1])).plus(&c[i].times(&others[2]));
            [at(0), at(1), at(2), a[3].times(&others[0]).times(&Integer::of(3))]
        })
    }
    /// Whether a vertex is above the point, along z.
    fn is_below(&self, vertex: u32) -> bool {
        let near = Near::exact(self.soup().grid.near(vertex).z) - self.near[2];
        let sign = near.sign().unwrap_or_else(|| {
            let [.., z, w] = self.exact();
            self.soup().integers(vertex)[2].times(w).minus(z).sign()
        });
        sign > 0
    }
    /// The offset from a vertex, in integers, times the divisor.
    fn offset(&self, vertex: u32) -> [Integer; 3] {
        let exact = self.exact();
        let from = self.soup().integers(vertex);
        [0, 1, 2].map(|i| exact[i].minus(&from[i].times(&exact[3])))
    }
    fn near_offset(&self, vertex: u32) -> [Near; 3] {
        let from = self.soup().grid.near(vertex);
        [0, 1, 2].map(|i| self.near[i] - Near::exact(from[i]))
    }
    /// Whether the ray along +x crosses the edge between two vertices, seen along x: right of the point.
    fn crosses_edge(&self, a: u32, b: u32) -> bool {
        if self.is_below(a) == self.is_below(b) {
            return false;
        }
        let z = |v: u32| self.soup().grid.points[v as usize].z;
        let (lower, upper) = if z(a).total_cmp(&z(b)) == Ordering::Less { (a, b) } else { (b, a) };
        let way = near::difference(self.soup().grid.near(upper), self.soup().grid.near(lower));
        let to = self.near_offset(lower);
        let sign = (way[1] * to[2] - way[2] * to[1]).sign().unwrap_or_else(|| {
            let (low, high) = (self.soup().integers(lower), self.soup().integers(upper));
            let way = [1, 2].map(|i| high[i].minus(&low[i]));
            let to = self.offset(lower);
            way[0].times(&to[2]).minus(&way[1].times(&to[1])).sign()
        });
        sign > 0
    }
    /// Whether the ray along +x may cross a face within a box.
    pub(crate) fn may_cross(&self, around: &BoundingBox) -> bool {
        let [x, y, z] = self.near;
        x.value - x.error <= around.high.x
            && [(y, around.low.y, around.high.y), (z, around.low.z, around.high.z)]
                .iter()
                .all(|(at, low, high)| at.value + at.error >= *low && at.value - at.error <= *high)
    }
    /// The crossing of the ray along +x with a face, as [`crossing`](crate::inside::crossing).
    pub(crate) fn crossing(&self, face: u32) -> i32 {
        let [a, b, c] = self.soup().faces[face as usize];
        if !(self.crosses_edge(a, b) ^ self.crosses_edge(b, c) ^ self.crosses_edge(c, a)) {
            return 0;
        }
        let [p, q, r] = [a, b, c].map(|v| self.soup().grid.points[v as usize]);
        let out = turn(Along::X, p, q, r);
        let near = near::dot(&self.soup().near_normal(face), &self.near_offset(a)).sign();
        let side = near.unwrap_or_else(|| integer::dot(&self.soup().normal(face), &self.offset(a)).sign());
        if side * out < 0 { out } else { 0 }
    }
}
