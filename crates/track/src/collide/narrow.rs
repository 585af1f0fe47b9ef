//! Test whether two elements collide in a step.
use crate::collide::closest::{point_triangle, segments};
use glam::DVec3;

/// Most planes that are tried, one after the other in time.
const PLANES: u32 = 40;
/// Least part of the step for which a plane must hold.
const LEAST: f64 = 1.0 / (1 << 24) as f64;
/// Part of the time for which a plane holds that is used before the next one is searched.
const USED: f64 = 0.9;
/// Bound of the errors of a signed distance, relative to the sum of the absolute terms: more than ten
/// roundings of 2⁻⁵³.
const ROUNDING: f64 = 1.0 / (1u64 << 46) as f64;

/// A vertex p and a face a b c, or two edges p q and r s, whose vertices move along straight lines.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    /// Whether these are two edges.
    pub edges: bool,
    /// The four vertices at the beginning of the step.
    pub before: [DVec3; 4],
    /// The four vertices at its end.
    pub after: [DVec3; 4],
}

/// The contact at which two elements collide, or may collide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// A time from 0 to 1 until which they certainly do not collide; soon after it they may.
    pub time: f64,
    /// Vector from the second element to the first, when they were still apart; of any length. Zero if they
    /// are never apart.
    pub normal: DVec3,
    /// Weights of the four vertices, whose sum is 0; the weighted sum of the vertices is the vector between
    /// the closest points at that time.
    pub weights: [f64; 4],
}

/// The differences of the vertices of the first element and those of the second one; for a vertex and a face,
/// the last one is repeated.
#[inline(always)]
fn differences(edges: bool, [p, q, r, s]: [DVec3; 4]) -> [DVec3; 4] {
    if edges { [p - r, p - s, q - r, q - s] } else { [p - q, p - r, p - s, p - s] }
}
#[inline(always)]
fn largest(a: DVec3, b: DVec3) -> f64 {
    a.abs().max(b.abs()).max_element()
}

/// The contact at which two elements first come so near to each other that no plane is found between them;
/// `None` if they certainly have no common point in the whole step. Computes at most 40 closest points, each
/// with four signed distances.
#[inline(always)]
pub fn first_contact(elements: &Elements) -> Option<Contact> {
    let Elements { edges, before, after } = *elements;
    let (begin, end) = (differences(edges, before), differences(edges, after));
    let size = largest(begin[0], end[0])
        .max(largest(begin[1], end[1]))
        .max(largest(begin[2], end[2]).max(largest(begin[3], end[3])));
    let mut found = Contact { time: 0.0, normal: DVec3::ZERO, weights: [0.0; 4] };
    let mut planes = 0;
    while planes < PLANES {
        let t = found.time;
        let at = |i: usize| before[i] * (1.0 - t) + after[i] * t;
        let places = [at(0), at(1), at(2), at(3)];
        let weights = if edges { segments(places) } else { point_triangle(places) };
        let normal =
            places[0] * weights[0] + places[1] * weights[1] + places[2] * weights[2] + places[3] * weights[3];
        // the distances begin + (end - begin) time along the normal, all of which must be positive from t on
        let error = ROUNDING * size * (normal.x.abs() + normal.y.abs() + normal.z.abs());
        let (mut until, mut apart) = (f64::INFINITY, true);
        let mut i = 0;
        while i < 4 {
            let (first, last) = (normal.dot(begin[i]), normal.dot(end[i]));
            let rate = last - first;
            // a comparison with NaN is false, and so proves nothing
            apart &= first + rate * t > error;
            let stays = last > error;
            if !stays {
                until = until.min((first - error) / -rate);
            }
            i += 1;
        }
        if !apart {
            return Some(found);
        }
        (found.normal, found.weights) = (normal, weights);
        if until == f64::INFINITY {
            return None;
        }
        let rest = until - t;
        let serves = rest > LEAST;
        if !serves {
            return Some(found);
        }
        found.time = t + USED * rest;
        planes += 1;
    }
    Some(found)
}
