//! Edges of the input on intrinsic triangles.
use super::Correspondence;
use glam::DVec2;
use ribbonmesh::{Error, Result};

/// A place where an edge of the input crosses an intrinsic one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The intrinsic half-edge, which has the origin of the input's half-edge on its left.
    pub half_edge: u32,
    /// Crossings of this half-edge that are nearer to its origin.
    pub place: u64,
    /// The part of the input's half-edge before the crossing.
    pub along: f64,
    /// The part of the intrinsic half-edge before the crossing.
    pub across: f64,
}
/// The way of a half-edge of the input over intrinsic triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The intrinsic half-edge that it is, if it is one.
    pub same: Option<u32>,
    /// The edges that it crosses, in order.
    pub crossings: Vec<Crossing>,
    /// Its length, measured over these triangles.
    pub length: f64,
    /// The intrinsic half-edge with which the triangle begins in which it starts.
    pub start: u32,
}

/// An arc through a side: the half-edge of the side, out of the triangle from which the arc comes, and arcs
/// that are nearer to its origin.
pub type Step = (u32, i64);
/// Where an arc goes on.
enum Next {
    Through(Step),
    /// It ends at the corner with which a half-edge begins, as so many arcs of that corner before it.
    EndsAt(u32, i64),
}

/// Triangles along an arc in a plane, in which the arc begins at the origin.
pub struct Strip {
    /// The ends of the half-edges through which the arc leaves triangles.
    pub sides: Vec<[DVec2; 2]>,
    /// Where the arc ends.
    pub end: DVec2,
}

impl Correspondence {
    /// The way of a half-edge of the input over the intrinsic triangles: combinatorially exact; places along
    /// edges come from triangles laid out in a plane, where the input's edge is straight. Linear in intrinsic
    /// edges at its origin, and in crossings.
    /// # Errors
    /// [`Error::Invalid`] for a half-edge that is not there.
    pub fn trace(&self, half_edge: u32) -> Result<Trace> {
        match half_edge < self.input_half_edges() {
            true => Ok(self.traced(half_edge)),
            false => Err(Error::Invalid(format!("half-edge {half_edge} is not one of the input"))),
        }
    }
    pub(super) fn traced(&self, half_edge: u32) -> Trace {
        let (start, arc) = self.corner_of(half_edge);
        if arc < 0 {
            let length = self.links.length[start as usize];
            return Trace { same: Some(start), crossings: vec![], length, start };
        }
        let way = self.way(start, arc);
        let Strip { sides, end } = self.strip(start, &way);
        let crossings = way.iter().zip(sides).map(|(&(half_edge, place), side)| {
            let across = crossed_at(side, end);
            let point = side[0].lerp(side[1], across);
            let along = point.dot(end) / end.length_squared();
            Crossing { half_edge, place: place as u64, along, across }
        });
        Trace { same: None, crossings: crossings.collect(), length: end.length(), start }
    }
    /// The intrinsic corner out of which a half-edge of the input leaves its vertex: the half-edge with which
    /// the triangle begins there, and arcs of that corner before; -1 if it is that half-edge.
    fn corner_of(&self, half_edge: u32) -> (u32, i64) {
        let fan = self.input.fan[half_edge as usize] as usize;
        let (degree, place) = (self.fans[fan].len() as i64, i64::from(self.places[half_edge as usize]));
        let mut h = self.starts[fan];
        loop {
            let ahead = (place - i64::from(self.roundabout[h as usize])).rem_euclid(degree);
            let arc = ahead - i64::from(self.is_shared(h));
            if arc < self.arcs(h).from[0] {
                return (h, arc);
            }
            h = self.links.turned(h);
            // the counts of arcs between half-edges of a fan add up to its edges
            debug_assert!(h != self.starts[fan], "each edge of the input leaves its vertex in some corner");
        }
    }
    /// The sides through which an arc from a corner passes.
    pub(super) fn way(&self, start: u32, arc: i64) -> Vec<Step> {
        let mut step = (self.links.next[start as usize], self.arcs(start).cut[1] + arc);
        let mut way = vec![step];
        while let Next::Through(next) = self.step(step) {
            way.push(next);
            step = next;
        }
        way
    }
    /// Where an arc that has passed a side goes.
    fn step(&self, (crossed, index): Step) -> Next {
        let around = self.links.around(self.links.twin(crossed));
        let sides = self.normals(around);
        let arcs = self.arcs(around[0]);
        let at = sides[0] - 1 - index;
        if at < arcs.cut[0] {
            Next::Through((around[2], sides[2] - 1 - at))
        } else if at < arcs.cut[0] + arcs.from[2] {
            Next::EndsAt(around[2], at - arcs.cut[0])
        } else {
            Next::Through((around[1], index))
        }
    }
    /// The arc that comes in through a side: the half-edge of the input, whose origin is beyond the side; the
    /// corner where it begins; its way; and the step through this side.
    pub(super) fn arc_into(&self, half_edge: u32, index: i64) -> (u32, u32, Vec<Step>, usize) {
        let mut out = (half_edge, index);
        let (start, arc) = loop {
            match self.step(out) {
                Next::Through(next) => out = next,
                Next::EndsAt(start, arc) => break (start, arc),
            }
        };
        let input = self.leaving(start, i64::from(self.is_shared(start)) + arc);
        let way = self.way(start, arc);
        let twin = self.links.twin(half_edge);
        let through = (twin, self.normal[twin as usize] - 1 - index);
        let at = way.iter().position(|&step| step == through);
        (input, start, way, at.expect("an arc passes the same sides both ways"))
    }
    /// Lays the triangles along a way out in a plane.
    pub(super) fn strip(&self, start: u32, way: &[Step]) -> Strip {
        let links = &self.links;
        let [_, second, third] = links.laid_out(start);
        let mut ends = [second, third];
        let mut sides = Vec::with_capacity(way.len());
        let mut end = DVec2::ZERO;
        for (k, &(crossed, _)) in way.iter().enumerate() {
            sides.push(ends);
            end = self.beyond(crossed, ends);
            if let Some(&(next, _)) = way.get(k + 1) {
                // the twin runs from the second end to the first
                let is_first = next == links.next[links.twin(crossed) as usize];
                ends = if is_first { [ends[0], end] } else { [end, ends[1]] };
            }
        }
        Strip { sides, end }
    }
    /// The third corner of the triangle beyond a half-edge with ends in a plane.
    pub(super) fn beyond(&self, crossed: u32, [from, to]: [DVec2; 2]) -> DVec2 {
        let apex = self.links.opposite(self.links.twin(crossed));
        let along = (to - from) / self.links.length[crossed as usize];
        // on the right of the half-edge, and measured from its end
        to - along.rotate(apex)
    }
}
/// The part of a side before the line from the origin to `end`.
pub fn crossed_at([from, to]: [DVec2; 2], end: DVec2) -> f64 {
    let (before, behind) = (end.perp_dot(from), end.perp_dot(to));
    let part = before / (before - behind);
    // anywhere on a side that lies along the line
    if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.5 }
}
