//! The middle of a part, from which a ray is cast.
use crate::arrange::grid::Grid;
use crate::arrange::integer::{self, Integer};
use crate::arrange::near::{self, Near};
use crate::arrange::points::{Homogeneous, Points};
use crate::intersections::{Along, turn};
use glam::{DVec3, Vec3};
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
    fn grid(&self) -> &'a Grid {
        self.points.soup.grid
    }
    fn integers(&self, of: Vec3) -> [Integer; 3] {
        self.grid().integers_of(of).map(Integer::of)
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
    /// Whether a position is above the point, along z.
    fn is_below(&self, of: Vec3) -> bool {
        let near = Near::exact(self.grid().near_of(of).z) - self.near[2];
        let sign = near.sign().unwrap_or_else(|| {
            let [.., z, w] = self.exact();
            self.integers(of)[2].times(w).minus(z).sign()
        });
        sign > 0
    }
    /// The offset from a position, in integers, times the divisor.
    fn offset(&self, from: Vec3) -> [Integer; 3] {
        let exact = self.exact();
        let from = self.integers(from);
        [0, 1, 2].map(|i| exact[i].minus(&from[i].times(&exact[3])))
    }
    fn near_offset(&self, from: Vec3) -> [Near; 3] {
        let from = self.grid().near_of(from);
        [0, 1, 2].map(|i| self.near[i] - Near::exact(from[i]))
    }
    /// Whether the ray along +x crosses the edge between two positions, seen along x: right of the point.
    fn crosses_edge(&self, a: Vec3, b: Vec3) -> bool {
        if self.is_below(a) == self.is_below(b) {
            return false;
        }
        let (lower, upper) = if a.z.total_cmp(&b.z) == Ordering::Less { (a, b) } else { (b, a) };
        let way = near::difference(self.grid().near_of(upper), self.grid().near_of(lower));
        let to = self.near_offset(lower);
        let sign = (way[1] * to[2] - way[2] * to[1]).sign().unwrap_or_else(|| {
            let (low, high) = (self.integers(lower), self.integers(upper));
            let way = [1, 2].map(|i| high[i].minus(&low[i]));
            let to = self.offset(lower);
            way[0].times(&to[2]).minus(&way[1].times(&to[1])).sign()
        });
        sign > 0
    }
    /// A box around the point, in the units of the positions.
    pub(crate) fn around(&self) -> BoundingBox {
        let [low, high] = [-1.0, 1.0]
            .map(|side| self.grid().place(DVec3::from_array(self.near.map(|x| x.value + side * x.error))));
        BoundingBox { low, high }
    }
    /// The crossing of the ray along +x with a face, as [`crossing`](crate::inside::crossing).
    pub(crate) fn crossing(&self, [p, q, r]: [Vec3; 3]) -> i32 {
        if !(self.crosses_edge(p, q) ^ self.crosses_edge(q, r) ^ self.crosses_edge(r, p)) {
            return 0;
        }
        let out = turn(Along::X, p, q, r);
        let [a, b, c] = [p, q, r].map(|corner| self.grid().near_of(corner));
        let normal = near::cross(&near::difference(b, a), &near::difference(c, a));
        let side = near::dot(&normal, &self.near_offset(p)).sign().unwrap_or_else(|| {
            let [a, b, c] = [p, q, r].map(|corner| self.integers(corner));
            let way = |to: &[Integer; 3]| [0, 1, 2].map(|i| to[i].minus(&a[i]));
            integer::dot(&integer::cross(&way(&b), &way(&c)), &self.offset(p)).sign()
        });
        if side * out < 0 { out } else { 0 }
    }
}
