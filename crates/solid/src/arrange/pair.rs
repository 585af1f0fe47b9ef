//! The common points of two triangles of which no corners are on a line.
//!
//! Every point is named by the parts of lowest dimension that meet there: a vertex, an edge and a face, two
//! edges. So all pairs of faces around an edge give the same name to a point on it.
use crate::arrange::points::{Form, Plane, Soup};
use crate::intersections::{Along, Triangle, orientation, turn};
use glam::Vec3;

/// A name of a point where faces meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Name {
    Vertex(u32),
    /// An edge passes through the inside of a face.
    EdgeFace([u32; 2], u32),
    /// Two edges cross, the lesser one first; the definition is for the pair that was found first.
    EdgeEdge([u32; 2], [u32; 2]),
}

/// A common point of two triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    pub(crate) name: Name,
    /// The definition of a point that is not a vertex.
    pub(crate) form: Option<Form>,
}

/// The common points of two triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meeting {
    /// Whether they are in one plane; then the points are the corners of what they have in common.
    pub(crate) flat: bool,
    pub(crate) points: Vec<Common>,
}

/// A face of the pair, by vertices and positions.
#[derive(Clone, Copy)]
struct Side {
    face: u32,
    vertices: [u32; 3],
    at: [Vec3; 3],
    triangle: Triangle,
}
impl Side {
    fn of(soup: Soup<'_>, face: u32) -> Self {
        let vertices = soup.faces[face as usize];
        let at = vertices.map(|v| soup.grid.points[v as usize]);
        Self { face, vertices, at, triangle: Triangle::new(at) }
    }
    /// The edge from corner `i` to the next, the lesser vertex first.
    fn edge(&self, i: usize) -> [u32; 2] {
        let (a, b) = (self.vertices[i], self.vertices[(i + 1) % 3]);
        [a.min(b), a.max(b)]
    }
}

/// An axis along which the projection of a triangle is largest; `None` if its corners are on a line.
pub(crate) fn widest([a, b, c]: [Vec3; 3]) -> Option<Along> {
    const AXES: [Along; 3] = [Along::X, Along::Y, Along::Z];
    let normal = (b.as_dvec3() - a.as_dvec3()).cross(c.as_dvec3() - a.as_dvec3()).abs();
    let first = match normal.max_position() {
        0 => 0,
        1 => 1,
        _ => 2,
    };
    [0, 1, 2].map(|i| AXES[(first + i) % 3]).into_iter().find(|&along| turn(along, a, b, c) != 0)
}

pub(crate) fn axis(along: Along) -> usize {
    match along {
        Along::X => 0,
        Along::Y => 1,
        Along::Z => 2,
    }
}

/// The common points of two faces; `meeting` becomes these.
pub(crate) fn meet(soup: Soup<'_>, first: u32, second: u32, meeting: &mut Meeting) {
    let (a, b) = (Side::of(soup, first), Side::of(soup, second));
    let of_a = a.at.map(|p| b.triangle.side(p));
    let of_b = b.at.map(|p| a.triangle.side(p));
    meeting.flat = of_a == [0; 3];
    meeting.points.clear();
    corners_in(&a, &b, of_a, &mut meeting.points);
    corners_in(&b, &a, of_b, &mut meeting.points);
    if meeting.flat {
        flat_crossings(&a, &b, &mut meeting.points);
    } else {
        crossings(&a, &b, of_a, &mut meeting.points);
        crossings(&b, &a, of_b, &mut meeting.points);
    }
}

fn add(points: &mut Vec<Common>, name: Name, form: Option<Form>) {
    if points.iter().all(|point| point.name != name) {
        points.push(Common { name, form });
    }
}

/// The corners of `a` that are on `b`.
fn corners_in(a: &Side, b: &Side, sides: [i32; 3], points: &mut Vec<Common>) {
    let Some(along) = (sides.contains(&0)).then(|| widest(b.at)).flatten() else { return };
    let [p, q, r] = b.at;
    let whole = turn(along, p, q, r);
    for i in (0..3).filter(|&i| sides[i] == 0) {
        let at = a.at[i];
        let inside = [[p, q], [q, r], [r, p]].iter().all(|&[u, v]| turn(along, u, v, at) * whole >= 0);
        if inside {
            add(points, Name::Vertex(a.vertices[i]), None);
        }
    }
}

/// The points at which edges of `a` pass through the plane of `b` within `b`, and not at a corner.
fn crossings(a: &Side, b: &Side, sides: [i32; 3], points: &mut Vec<Common>) {
    for i in 0..3 {
        let j = (i + 1) % 3;
        if sides[i] * sides[j] >= 0 {
            continue;
        }
        let past = [0, 1, 2].map(|k| orientation(a.at[i], a.at[j], b.at[k], b.at[(k + 1) % 3]));
        if past.contains(&1) && past.contains(&-1) {
            continue;
        }
        let edge = a.edge(i);
        let form = Some(Form::Cut(edge, Plane::Face(b.face)));
        let mut on = (0..3).filter(|&k| past[k] == 0);
        match (on.next(), on.next()) {
            (None, _) => add(points, Name::EdgeFace(edge, b.face), form),
            (Some(k), None) => {
                let other = b.edge(k);
                add(points, Name::EdgeEdge(edge.min(other), edge.max(other)), form);
            }
            // through the corner that both edges have
            (Some(k), Some(l)) => {
                let corner = if (k + 1) % 3 == l { l } else { k };
                add(points, Name::Vertex(b.vertices[corner]), None);
            }
        }
    }
}

/// The points at which edges of two triangles in one plane cross.
fn flat_crossings(a: &Side, b: &Side, points: &mut Vec<Common>) {
    let Some(along) = widest(a.at) else { return };
    for i in 0..3 {
        let (p, q) = (a.at[i], a.at[(i + 1) % 3]);
        for k in 0..3 {
            let (r, s) = (b.at[k], b.at[(k + 1) % 3]);
            let crosses = turn(along, p, q, r) * turn(along, p, q, s) < 0
                && turn(along, r, s, p) * turn(along, r, s, q) < 0;
            if crosses {
                let (edge, other) = (a.edge(i), b.edge(k));
                let form = Form::Cut(edge, Plane::Beside(other, axis(along) as u8));
                add(points, Name::EdgeEdge(edge.min(other), edge.max(other)), Some(form));
            }
        }
    }
}
