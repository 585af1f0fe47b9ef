//! Points of an arrangement: vertices, cuts of an edge with a plane, corners of three planes; and the exact
//! predicates on them.
//!
//! A cut and a corner are never rounded. Each has its planes, a position in double precision with a bound of
//! the error, and homogeneous coordinates in integers, computed when a predicate first needs them (indirect
//! predicates, Attene 2020; the number types are ours).
use crate::arrange::grid::Grid;
use crate::arrange::integer::{self, Integer, cross, determinant};
use crate::arrange::near::{self, Near, Near3};
use glam::DVec3;
use std::cmp::Ordering;
use std::sync::OnceLock;

/// A plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Plane {
    /// Through the corners of a face.
    Face(u32),
    /// Through an edge, parallel to an axis.
    Beside([u32; 2], u8),
}

/// The definition of a point that is not a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// The point of the line through two vertices that is on a plane.
    Cut([u32; 2], Plane),
    /// The point that is on three planes.
    Corner([Plane; 3]),
}

/// A position in double precision, and a bound of the distance of each coordinate from the exact one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) at: DVec3,
    pub(crate) error: f64,
}

/// Coordinates x, y, z and their divisor, which is above 0.
pub(crate) type Homogeneous = [Integer; 4];

/// A point that is not a vertex.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) form: Form,
    pub(crate) place: Place,
    exact: OnceLock<Box<Homogeneous>>,
}

/// The vertices and faces that define planes.
#[derive(Clone, Copy)]
pub(crate) struct Soup<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) faces: &'a [[u32; 3]],
}

impl<'a> Soup<'a> {
    /// Its vertices and other points.
    pub(crate) fn with(self, made: &'a [Made]) -> Points<'a> {
        Points { soup: self, shared: made, own: &[] }
    }
    pub(crate) fn integers(&self, vertex: u32) -> [Integer; 3] {
        self.grid.integers(vertex).map(Integer::of)
    }
    fn between(&self, from: u32, to: u32) -> [Integer; 3] {
        let (a, b) = (self.integers(from), self.integers(to));
        [0, 1, 2].map(|i| b[i].minus(&a[i]))
    }
    /// The normal of a face in integers, of twice its area.
    pub(crate) fn normal(&self, face: u32) -> [Integer; 3] {
        let [a, b, c] = self.faces[face as usize];
        cross(&self.between(a, b), &self.between(a, c))
    }
    pub(crate) fn near_normal(&self, face: u32) -> Near3 {
        let [a, b, c] = self.faces[face as usize].map(|v| self.grid.near(v));
        near::cross(&near::difference(b, a), &near::difference(c, a))
    }
    fn plane(&self, plane: Plane) -> ([Integer; 3], u32) {
        match plane {
            Plane::Face(face) => (self.normal(face), self.faces[face as usize][0]),
            Plane::Beside([a, b], axis) => {
                let way = [0, 1, 2].map(|i| Integer::of(i64::from(i == axis)));
                (cross(&self.between(a, b), &way), a)
            }
        }
    }
    fn near_plane(&self, plane: Plane) -> (Near3, DVec3) {
        match plane {
            Plane::Face(face) => (self.near_normal(face), self.grid.near(self.faces[face as usize][0])),
            Plane::Beside([a, b], axis) => {
                let way = [0, 1, 2].map(|i| Near::exact(f64::from(u8::from(i == axis))));
                let (a, b) = (self.grid.near(a), self.grid.near(b));
                (near::cross(&near::difference(b, a), &way), a)
            }
        }
    }
    /// The point of a definition.
    pub(crate) fn make(&self, form: Form) -> Made {
        let made = Made { form, place: self.near_place(form), exact: OnceLock::new() };
        // where planes are nearly parallel, double precision says little
        if made.place.error <= 1e-9 * self.grid.extent() {
            return made;
        }
        let [x, y, z, w] = self.exact(&made);
        let at = DVec3::new(x.over(w), y.over(w), z.over(w));
        let error = 2.0_f64.powi(-49) * at.abs().max_element();
        Made { place: Place { at, error }, ..made }
    }
    fn near_place(&self, form: Form) -> Place {
        let [offset, from] = match form {
            Form::Cut([p, q], plane) => {
                let (normal, on) = self.near_plane(plane);
                let (from, to) = (self.grid.near(p), self.grid.near(q));
                let way = near::difference(to, from);
                let part = near::dot(&normal, &near::difference(on, from)).over(near::dot(&normal, &way));
                [way.map(|w| w * part), from.to_array().map(Near::exact)]
            }
            Form::Corner(planes) => {
                let [(a, from), (b, on_b), (c, on_c)] = planes.map(|plane| self.near_plane(plane));
                let (s, t) = (
                    near::dot(&b, &near::difference(on_b, from)),
                    near::dot(&c, &near::difference(on_c, from)),
                );
                let (ca, ab) = (near::cross(&c, &a), near::cross(&a, &b));
                let divisor = near::dot(&a, &near::cross(&b, &c));
                let offset = [0, 1, 2].map(|i| (s * ca[i] + t * ab[i]).over(divisor));
                [offset, from.to_array().map(Near::exact)]
            }
        };
        let sum = [0, 1, 2].map(|i| from[i] + offset[i]);
        // not a number where an infinite error was multiplied by 0
        let error = sum.iter().map(|x| if x.error.is_nan() { f64::INFINITY } else { x.error });
        let error = error.fold(0.0, f64::max);
        Place { at: DVec3::from_array(sum.map(|x| x.value)), error }
    }
    fn exact<'m>(&self, made: &'m Made) -> &'m Homogeneous {
        made.exact.get_or_init(|| {
            let [x, y, z, w] = match made.form {
                Form::Cut([p, q], plane) => {
                    let (normal, on) = self.plane(plane);
                    let way = self.between(p, q);
                    let w = integer::dot(&normal, &way);
                    let t = integer::dot(&normal, &self.between(p, on));
                    let from = self.integers(p);
                    let [x, y, z] = [0, 1, 2].map(|i| from[i].times(&w).plus(&way[i].times(&t)));
                    [x, y, z, w]
                }
                Form::Corner(planes) => {
                    let [(a, on_a), (b, on_b), (c, on_c)] = planes.map(|plane| self.plane(plane));
                    let [bc, ca, ab] = [cross(&b, &c), cross(&c, &a), cross(&a, &b)];
                    let w = integer::dot(&a, &bc);
                    let constant = |n: &[Integer; 3], on: u32| integer::dot(n, &self.integers(on));
                    let (r, s, t) = (constant(&a, on_a), constant(&b, on_b), constant(&c, on_c));
                    let [x, y, z] =
                        [0, 1, 2].map(|i| r.times(&bc[i]).plus(&s.times(&ca[i])).plus(&t.times(&ab[i])));
                    [x, y, z, w]
                }
            };
            let all = [x, y, z, w];
            Box::new(if w.sign() < 0 { all.map(Integer::negated) } else { all })
        })
    }
}

/// The points that a predicate may name: vertices, points that all faces know, and points of one task.
///
/// Point `i` is vertex `i` below the number of vertices; others follow in the order of the lists.
#[derive(Clone, Copy)]
pub(crate) struct Points<'a> {
    pub(crate) soup: Soup<'a>,
    pub(crate) shared: &'a [Made],
    pub(crate) own: &'a [Made],
}

/// A point as a predicate reads it.
enum Kind<'a> {
    Vertex(u32),
    Made(&'a Made),
}

impl<'a> Points<'a> {
    /// The number of vertices.
    pub(crate) fn vertices(&self) -> u32 {
        self.soup.grid.points.len() as u32
    }
    fn kind(&self, point: u32) -> Kind<'a> {
        match self.made(point) {
            None => Kind::Vertex(point),
            Some(made) => Kind::Made(made),
        }
    }
    /// A point that is not a vertex.
    pub(crate) fn made(&self, point: u32) -> Option<&'a Made> {
        let made = point.checked_sub(self.vertices())? as usize;
        Some(match made.checked_sub(self.shared.len()) {
            None => &self.shared[made],
            Some(own) => &self.own[own],
        })
    }
    /// Where a point is, nearly.
    pub(crate) fn place(&self, point: u32) -> Place {
        match self.kind(point) {
            Kind::Vertex(v) => Place { at: self.soup.grid.near(v), error: 0.0 },
            Kind::Made(made) => made.place,
        }
    }
    /// The coordinates of a point in integers, and their divisor, which is above 0.
    pub(crate) fn exact(&self, point: u32) -> Homogeneous {
        match self.kind(point) {
            Kind::Vertex(v) => {
                let [x, y, z] = self.soup.integers(v);
                [x, y, z, Integer::of(1)]
            }
            Kind::Made(made) => *self.soup.exact(made),
        }
    }
    /// The order of two points along an axis.
    pub(crate) fn compare(&self, axis: usize, a: u32, b: u32) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let (p, q) = (self.place(a), self.place(b));
        let way = Near { value: p.at[axis], error: p.error } - Near { value: q.at[axis], error: q.error };
        let sign = way.sign().unwrap_or_else(|| {
            let (p, q) = (self.exact(a), self.exact(b));
            p[axis].times(&q[3]).minus(&q[axis].times(&p[3])).sign()
        });
        sign.cmp(&0)
    }
    /// Whether two points are at the same place.
    pub(crate) fn same(&self, a: u32, b: u32) -> bool {
        (0..3).all(|axis| self.compare(axis, a, b) == Ordering::Equal)
    }
    /// The orientation of three points, seen along an axis: 1 if they turn counterclockwise, −1 clockwise, 0
    /// if they are on a line in this projection.
    pub(crate) fn turn(&self, axis: usize, a: u32, b: u32, c: u32) -> i32 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let [p, q, r] = [a, b, c].map(|point| self.place(point));
        let along = |to: Place, k: usize| {
            Near { value: to.at[k], error: to.error } - Near { value: p.at[k], error: p.error }
        };
        let turn = along(q, i) * along(r, j) - along(q, j) * along(r, i);
        turn.sign().unwrap_or_else(|| {
            let rows = [a, b, c].map(|point| {
                let exact = self.exact(point);
                [exact[i], exact[j], exact[3]]
            });
            determinant([&rows[0], &rows[1], &rows[2]]).sign()
        })
    }
}
