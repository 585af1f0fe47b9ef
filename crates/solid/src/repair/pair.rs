//! Pairs of faces that stay together at edges of more than two.
use crate::repair::edges::{before, ends, start};
use crate::repair::links::Links;
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh_mesh::SidedUnionFind;
use std::cmp::Ordering;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Number of sides of an edge up to which every pair is a candidate.
const ALL: usize = 32;
/// Candidates of each side of an edge that has more: those nearest to its continuation.
const NEAREST: usize = 16;
/// Number of rounds for edges that have more.
const ROUNDS: usize = 16;
/// Difference in radians by which a pair at a reflex angle has to be flatter than one at a convex angle to be
/// preferred. So bodies that touch at an edge of four right angles, like cubes of a grid, are separated,
/// whatever the rounding.
const REFLEX: f64 = 0.01;

/// A side of a face at an edge of more than two.
struct Side {
    side: u32,
    /// Direction of the face around the edge, in radians from 0 to 2π; positive is counterclockwise seen from
    /// the edge's greater vertex.
    angle: f64,
    /// Whether the face, turned to agree with its neighbours, runs from the lesser vertex to the greater.
    up: bool,
}

/// A pair of faces that could stay together.
struct Candidate {
    /// Whether the faces' orientations disagree.
    disagrees: bool,
    /// Angle in radians between the pair and a flat one.
    bend: f64,
    /// The two sides, the lesser first.
    sides: [u32; 2],
}

impl Candidate {
    fn order(&self, other: &Self) -> Ordering {
        let by_bend = || self.bend.total_cmp(&other.bend);
        self.disagrees.cmp(&other.disagrees).then_with(by_bend).then_with(|| self.sides.cmp(&other.sides))
    }
}

/// Links the sides of `crowded` edges in pairs, the flattest pairs first. Pairs whose faces agree come before
/// pairs of which one face would have to be turned; the latter are linked only up to right angles, and only
/// if turning contradicts no link. `turned` says which faces will be turned; all links agree with it.
/// `oriented` has the sets of faces that are linked, on the same side each. Returns the pairs, best first.
///
/// This is the stitching of Guéziec et al. 2001 with the angle as the criterion. Takes O(k²) for an edge of
/// up to 32 sides, O(k log k) for one of more, and a sort of the candidates.
pub(crate) fn pair(
    crowded: &[Vec<u32>],
    positions: &[DVec3],
    faces: &[[u32; 3]],
    turned: &[bool],
    mut oriented: SidedUnionFind,
    links: &mut Links,
) -> Vec<[u32; 2]> {
    let mut pairs = vec![];
    let mut round = |crowded: &[Vec<u32>], links: &mut Links| {
        let found = crowded.par_iter().flat_map_iter(|sides| candidates(sides, positions, faces, turned));
        let mut found: Vec<Candidate> = found.collect();
        found.par_sort_unstable_by(Candidate::order);
        for Candidate { disagrees, sides, .. } in found {
            let free = sides.iter().all(|&side| links.across(side).is_none());
            let [a, b] = sides.map(|side| side / 3);
            if free && oriented.join(a, b, disagrees) {
                links.join(sides);
                pairs.push(sides);
            }
        }
    };
    round(crowded, links);
    // where an edge has many sides, the nearest candidates of some may be linked already: later rounds find
    // others
    let mut many: Vec<Vec<u32>> = crowded.iter().filter(|sides| sides.len() > ALL).cloned().collect();
    for _ in 0..ROUNDS {
        many.iter_mut().for_each(|sides| sides.retain(|&side| links.across(side).is_none()));
        many.retain(|sides| sides.len() > 1);
        if many.is_empty() {
            break;
        }
        round(&many, links);
    }
    pairs
}

fn candidates(sides: &[u32], positions: &[DVec3], faces: &[[u32; 3]], turned: &[bool]) -> Vec<Candidate> {
    let mut sides = around(sides, positions, faces, turned);
    let n = sides.len();
    if n <= ALL {
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
        return pairs.filter_map(|[i, j]| candidate(&sides[i], &sides[j])).collect();
    }
    sides.sort_unstable_by(|a, b| a.angle.total_cmp(&b.angle).then(a.side.cmp(&b.side)));
    let mut found: Vec<Candidate> = vec![];
    for (i, side) in sides.iter().enumerate() {
        let opposite = (side.angle + PI) % TAU;
        let first = sides.partition_point(|other| other.angle < opposite) + n - NEAREST / 2;
        let near = (first..first + NEAREST).map(|j| j % n).filter(|&j| j != i);
        found.extend(near.filter_map(|j| candidate(side, &sides[j])));
    }
    found.sort_unstable_by_key(|candidate| candidate.sides);
    found.dedup_by_key(|candidate| candidate.sides);
    found
}

/// The sides of an edge, with their faces' directions around it.
fn around(sides: &[u32], positions: &[DVec3], faces: &[[u32; 3]], turned: &[bool]) -> Vec<Side> {
    let mut edge = ends(faces, sides[0]);
    edge.sort_unstable();
    let [low, high] = edge.map(|v| positions[v as usize]);
    let axis = (high - low).normalize_or_zero();
    let x = axis.any_orthogonal_vector().normalize_or_zero();
    let y = axis.cross(x);
    let angle = |side: u32| {
        let to = positions[start(faces, before(side)) as usize] - low;
        y.dot(to).atan2(x.dot(to)).rem_euclid(TAU)
    };
    let up = |side: u32| (start(faces, side) == edge[0]) != turned[side as usize / 3];
    sides.iter().map(|&side| Side { side, angle: angle(side), up: up(side) }).collect()
}

/// Two sides as a candidate; `None` if they disagree and are not flat enough.
fn candidate(a: &Side, b: &Side) -> Option<Candidate> {
    let disagrees = a.up == b.up;
    // the inside of a face that runs up is clockwise of it, that of a face that runs down counterclockwise
    let [down, up] = if a.up { [b, a] } else { [a, b] };
    let inside = (up.angle - down.angle).rem_euclid(TAU);
    let bend = (PI - inside).abs();
    if disagrees && (bend.is_nan() || bend >= FRAC_PI_2) {
        return None;
    }
    let reflex = !disagrees && inside > PI;
    let bend = if reflex { bend + REFLEX } else { bend };
    Some(Candidate { disagrees, bend, sides: [a.side.min(b.side), a.side.max(b.side)] })
}

/// Choice of the pairs that are separated at an edge where not all pairs can stay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unpair {
    /// All pairs but the best.
    Others,
    /// All pairs.
    All,
}

/// Separates pairs where an edge still has more than two faces after the split. This happens if a fan passes
/// an edge twice. `split` has the faces with a vertex of its own for each fan; `pairs` has the pairs, best
/// first, and shrinks. Returns whether there is such an edge.
///
/// Separating pairs only makes fans smaller, so no other edge gets more faces. A fan ends at a side that is
/// not linked: after [`Unpair::All`] it has at most two sides at such an edge.
pub(crate) fn unpair(
    crowded: &[Vec<u32>],
    split: &[[u32; 3]],
    pairs: &mut Vec<[u32; 2]>,
    links: &mut Links,
    which: Unpair,
) -> bool {
    let groups = crowded.iter().flat_map(|sides| groups(sides, split));
    let mut wrong: Vec<[u32; 2]> =
        groups.filter(|(_, sides)| sides.len() > 2).map(|(edge, _)| edge).collect();
    wrong.sort_unstable();
    let mut seen = vec![false; wrong.len()];
    pairs.retain(|&pair| {
        let Ok(at) = wrong.binary_search(&sorted(ends(split, pair[0]))) else { return true };
        let best = !std::mem::replace(&mut seen[at], true);
        let stays = best && which == Unpair::Others;
        if !stays {
            links.cut(pair);
        }
        stays
    });
    !wrong.is_empty()
}

/// Links sides that are the only two of an edge of `split`, but are not linked; returns these pairs. They are
/// the two ends of one fan at both of their vertices, so that the faces agree, and the link closes these
/// fans.
pub(crate) fn close(crowded: &[Vec<u32>], split: &[[u32; 3]], links: &mut Links) -> Vec<[u32; 2]> {
    let mut closed = vec![];
    for (_, sides) in crowded.iter().flat_map(|sides| groups(sides, split)) {
        if let Ok(pair) = <[u32; 2]>::try_from(sides)
            && links.across(pair[0]).is_none()
        {
            links.join(pair);
            closed.push(pair);
        }
    }
    closed
}

/// The sides of an edge of the input, grouped by the edges to which they belong after the split.
fn groups(sides: &[u32], split: &[[u32; 3]]) -> Vec<([u32; 2], Vec<u32>)> {
    let mut by_edge: Vec<([u32; 2], u32)> =
        sides.iter().map(|&side| (sorted(ends(split, side)), side)).collect();
    by_edge.sort_unstable();
    let groups = by_edge.chunk_by(|a, b| a.0 == b.0);
    groups.map(|group| (group[0].0, group.iter().map(|entry| entry.1).collect())).collect()
}

/// Two vertices, the lesser first.
pub(crate) fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
