//! Kernels that read what was carried.
use super::carried::{Planar, direction, turn};
use super::tangent::{Fans, unit};
use glam::DVec3;
use ribbonmesh::device::{Each, In, Out, kernel};

/// A vector of the tangent plane of a vertex in space.
#[inline(always)]
fn lift(bases: In<'_, DVec3>, v: u32, [x, y]: Planar) -> DVec3 {
    bases.get(2 * v) * x + bases.get(2 * v + 1) * y
}

/// The vectors of space with the directions of what was carried. Their length is `length` times that of
/// `lengths`, or 1 if there are none. Zeros where no heat came.
#[kernel(threads = 256, requires(
    bases.len() >= 2 * count as usize && logarithms.len() >= count as usize,
    carried.len() >= count as usize && to.len() >= count as usize,
    lengths.is_empty() || lengths.len() >= count as usize,
))]
pub fn lift_directions<'a>(
    v: Each,
    length: f64,
    bases: In<'a, DVec3>,
    logarithms: In<'a, f64>,
    carried: In<'a, Planar>,
    lengths: In<'a, f64>,
    to: Out<'a, DVec3>,
) {
    let by = if lengths.is_empty() { length } else { length * lengths.get(v) };
    let known = logarithms.get(v) > f64::NEG_INFINITY;
    to.set(v, if known { lift(bases, v, direction(carried.get(v))) * by } else { DVec3::ZERO });
}

/// The place of each vertex in the plane of a source: against the direction in which it sees the source, from
/// the direction of the first axis on, which was carried. Not a number where no heat came, and +∞ as its
/// length; `reached` gets a 1 where some did.
#[kernel(threads = 256, requires(
    logarithms.len() >= count as usize && axes.len() >= count as usize && places.len() >= count as usize,
    x.len() >= count as usize && y.len() >= count as usize && lengths.len() >= count as usize,
    reached.len() >= count as usize,
))]
pub fn map_places<'a>(
    v: Each,
    source: u32,
    logarithms: In<'a, f64>,
    axes: In<'a, Planar>,
    places: In<'a, Planar>,
    x: Out<'a, f64>,
    y: Out<'a, f64>,
    lengths: Out<'a, f64>,
    reached: Out<'a, u32>,
) {
    let known = v == source || logarithms.get(v) > f64::NEG_INFINITY;
    let [cos, sin] = direction(axes.get(v));
    let [a, b] = places.get(v);
    let (mut place, mut length) = ([f64::NAN; 2], f64::INFINITY);
    if v == source {
        (place, length) = ([0.0; 2], 0.0);
    } else if known {
        place = turn([cos, -sin], [-a, -b]);
        length = libm::sqrt(place[0] * place[0] + place[1] * place[1]);
    }
    x.set(v, place[0]);
    y.set(v, place[1]);
    lengths.set(v, length);
    reached.set(v, known as u32);
}

/// The direction of the mean of what was carried to the vertices of each face, weighted by heat, in its
/// plane; 0 without one.
#[kernel(threads = 256, requires(faces.len() >= 3 * count as usize && to.len() >= count as usize))]
pub fn directions_of_faces<'a>(
    f: Each,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    bases: In<'a, DVec3>,
    logarithms: In<'a, f64>,
    carried: In<'a, Planar>,
    to: Out<'a, DVec3>,
) {
    let v = [0, 1, 2].map(|k| faces.get(3 * f + k));
    let [a, b, c] = v.map(|v| positions.get(v));
    let [p, q, r] = v.map(|v| logarithms.get(v));
    let most = if p > q { p } else { q };
    let most = if r > most { r } else { most };
    let mut sum = DVec3::ZERO;
    if most > f64::NEG_INFINITY {
        for v in v {
            let [x, y] = carried.get(v);
            let by = libm::exp(logarithms.get(v) - most);
            sum += lift(bases, v, [by * x, by * y]);
        }
    }
    let normal = unit((b - a).cross(c - a), DVec3::ZERO);
    to.set(f, unit(sum - normal * normal.dot(sum), DVec3::ZERO));
}

/// The divergence of a field that is constant on faces, as the integral at each vertex of the field times the
/// gradient of the function that is 1 there.
#[kernel(threads = 256, requires(fans.firsts.len() >= count as usize && out.len() >= count as usize))]
pub fn diverge<'a>(
    v: Each,
    fans: Fans<'a>,
    positions: In<'a, DVec3>,
    field: In<'a, DVec3>,
    out: Out<'a, f64>,
) {
    let mut sum = 0.0;
    fans.for_each(v, |corner| {
        let [own, a, b] = fans.face(corner).map(|v| positions.get(v));
        let across = (a - own).cross(b - own);
        let area = libm::sqrt(across.dot(across));
        if area > 0.0 {
            let (at_a, at_b) = ((own - a).dot(b - a) / area, (own - b).dot(a - b) / area);
            let flow = (a - own) * at_b + (b - own) * at_a;
            sum -= 0.5 * flow.dot(field.get(corner / 3));
        }
    });
    out.set(v, sum);
}
