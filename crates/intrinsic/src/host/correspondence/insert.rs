//! New vertices.
use super::arcs::Region;
use super::{Correspondence, Home};
use glam::DVec2;
use ribbonmesh::{Error, Result};
use std::f64::consts::TAU;

/// The least weight of a corner at a new vertex: a vertex upon a side lies a little beside it.
const LEAST: f64 = 1e-9;

/// An arc through an intrinsic triangle, on the side of the input's half-edge that matters, which goes
/// inwards through a side of the triangle.
struct Chord {
    input: u32,
    /// The input's half-edge runs from the origin along this vector.
    end: DVec2,
    /// The corners of the intrinsic triangle.
    corners: [DVec2; 3],
}

impl Correspondence {
    /// Puts a vertex into the intrinsic triangle of a half-edge and joins it to the corners, by weights of
    /// the corners from the half-edge's origin on, which become positive and add up to 1. Flips nothing.
    ///
    /// Returns the number of the vertex. Linear in the crossings of the input's edges that pass the triangle.
    /// # Errors
    /// [`Error::Invalid`] for a half-edge that is not there and for weights that are not finite, negative, or
    /// all 0; [`Error::TooMany`] beyond 2³² half-edges.
    pub fn insert(&mut self, half_edge: u32, weights: [f64; 3]) -> Result<u32> {
        let h = self.known_half_edge(half_edge)?;
        let sum: f64 = weights.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) || weights.iter().any(|&w| w < 0.0) {
            return Err(Error::Invalid(format!("{weights:?} are not weights of a triangle's corners")));
        }
        let (count, limit) = (u64::from(self.half_edges()) + 6, u64::from(u32::MAX));
        if count > limit {
            return Err(Error::TooMany { what: "half-edges", count, limit });
        }
        let weights = inside(weights, LEAST);
        let corners = self.links.laid_out(h);
        let point = mixed(corners, weights);
        let (region, home) = self.home(h, corners, weights, point);
        let arcs = self.arcs(h);
        let (crossed, before) = (arcs.crossed(region), arcs.before(region));
        let around = self.links.around(h);
        let (vertex, fan) = (self.vertices() as u32, self.fans.len() as u32);
        self.homes.push(home);
        self.fans.push(vec![]);
        self.angles.push(TAU);
        self.starts.push(self.half_edges() + 1);
        let spokes = [0, 1, 2].map(|c| {
            let side = around[c];
            let of = [self.links.origin[side as usize], vertex];
            let fans = [self.links.fan[side as usize], fan];
            let spoke = self.links.add_edge(of, fans, corners[c].distance(point));
            self.normal.extend([crossed[c]; 2]);
            self.roundabout.extend([0; 2]);
            self.turn_behind(spoke, side, i64::from(self.is_shared(side)) + before[c]);
            spoke
        });
        for c in 0..3 {
            self.links.glue([around[c], spokes[(c + 1) % 3], spokes[c] + 1]);
        }
        self.delaunay = false;
        Ok(vertex)
    }
    /// The region of a triangle in which a point lies, and its place on the input.
    fn home(&self, h: u32, corners: [DVec2; 3], weights: [f64; 3], point: DVec2) -> (Region, Home) {
        let arcs = self.arcs(h);
        let around = self.links.around(h);
        let chord = |c: usize, index: i64| self.chord(around, c, index);
        for c in 0..3 {
            let near = |k: i64| chord(c, k).left_of(weights) > 0.0;
            let behind = first(arcs.cut[c], near);
            if behind < arcs.cut[c] {
                return (Region::Corner(c, behind), self.at_chord(&chord(c, behind), weights, true));
            }
        }
        let source = arcs.source();
        let side = (source + 1) % 3;
        let near = |k: i64| chord(side, arcs.cut[side] + k).left_of(weights) > 0.0;
        let behind = first(arcs.from[source], near);
        let region = Region::Middle(behind);
        let home = if behind < arcs.from[source] {
            self.at_chord(&chord(side, arcs.cut[side] + behind), weights, true)
        } else if behind > 0 {
            self.at_chord(&chord(side, arcs.cut[side] + behind - 1), weights, false)
        } else if let Some(c) = (0..3).find(|&c| arcs.cut[c] > 0) {
            self.at_chord(&chord(c, arcs.cut[c] - 1), weights, false)
        } else if let Some(c) = (0..3).find(|&c| self.is_shared(around[c])) {
            let along = (corners[(c + 1) % 3] - corners[c]).normalize();
            self.beside(self.leaving(around[c], 0), seen_along(along, point - corners[c]))
        } else {
            let homes = around.map(|h| self.home_of_corner(h, 0));
            let weights = [0, 1, 2].map(|k| (0..3).map(|c| weights[c] * homes[c].weights[k]).sum());
            Home { face: homes[0].face, weights: inside(weights, 0.0) }
        };
        (region, home)
    }
    /// The face of the input in which a corner begins, behind so many of the arcs from it, and the corner's
    /// place there.
    pub(super) fn home_of_corner(&self, h: u32, behind: i64) -> Home {
        let origin = self.links.origin[h as usize];
        if origin >= self.vertices {
            return self.homes[(origin - self.vertices) as usize];
        }
        let corner = self.leaving(h, i64::from(self.is_shared(h)) - 1 + behind);
        let face = first_of(corner);
        Home { face, weights: self.input.around(face).map(|h| if h == corner { 1.0 } else { 0.0 }) }
    }
    /// The arc that comes in through a side of a triangle.
    fn chord(&self, around: [u32; 3], side: usize, index: i64) -> Chord {
        let (input, start, way, at) = self.arc_into(around[side], index);
        let strip = self.strip(start, &way);
        // the half-edge out of the triangle before runs against that of this triangle
        let [to, from] = strip.sides[at];
        let mut corners = [from, to, self.beyond(way[at].0, [to, from])];
        corners.rotate_right(side);
        Chord { input, end: strip.end, corners }
    }
    /// The place of a point beside a chord: on the left of the input's half-edge, or on its right.
    fn at_chord(&self, chord: &Chord, weights: [f64; 3], left: bool) -> Home {
        let point = mixed(chord.corners, weights);
        let place = seen_along(chord.end.normalize(), point);
        if left {
            return self.beside(chord.input, place);
        }
        // from the other end
        let turned = DVec2::new(chord.end.length() - place.x, -place.y);
        self.beside(self.input.twin(chord.input), turned)
    }
    /// The place of a point on the left of a half-edge of the input, which lies along the x axis.
    fn beside(&self, input: u32, place: DVec2) -> Home {
        let [_, second, third] = self.input.laid_out(input);
        let high = place.y / third.y;
        let along = (place.x - high * third.x) / second.x;
        let mut weights = inside([1.0 - along - high, along, high], 0.0);
        let face = first_of(input);
        let turns = self.input.around(face).iter().position(|&h| h == input).unwrap_or(0);
        weights.rotate_right(turns);
        Home { face, weights }
    }
}
impl Chord {
    /// Above 0 where a point of the triangle lies on the left of the input's half-edge.
    fn left_of(&self, weights: [f64; 3]) -> f64 {
        self.end.perp_dot(mixed(self.corners, weights))
    }
}

/// The first half-edge of a face of the input: those of a face have numbers that follow each other.
pub fn first_of(half_edge: u32) -> u32 {
    half_edge - half_edge % 3
}
/// A point in axes of which the first one is a unit vector.
fn seen_along(unit: DVec2, point: DVec2) -> DVec2 {
    DVec2::new(unit.dot(point), unit.perp_dot(point))
}
fn mixed(corners: [DVec2; 3], weights: [f64; 3]) -> DVec2 {
    corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]
}
/// Weights that are at least so large, about, and add up to 1.
fn inside(weights: [f64; 3], least: f64) -> [f64; 3] {
    let sum: f64 = weights.iter().sum();
    let larger = weights.map(|w| (w / sum).max(least));
    let sum: f64 = larger.iter().sum();
    larger.map(|w| w / sum)
}
/// The first number below a limit for which something holds that holds for all behind it, or the limit.
fn first(limit: i64, holds: impl Fn(i64) -> bool) -> i64 {
    let (mut low, mut high) = (0, limit);
    while low < high {
        let middle = (low + high) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
