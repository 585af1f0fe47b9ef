//! The side of a connected set that is outside of it.
use crate::arrange::arrangement::Arrangement;
use crate::arrange::edges::{Axle, Spoke};
use crate::arrange::patches::NONE;
use crate::arrange::pool::GRAIN;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// For each connected set of patches a part at its last vertex in the order of coordinates, and whether the
/// side of this part that is ahead is outside of the set.
pub(crate) fn outer(all: &Arrangement, patch_of: &[(u32, bool)], components: &[u32]) -> Vec<(Spoke, bool)> {
    let vertices = all.grid.points.len() as u32;
    let at = |v: u32| all.grid.points[v as usize].to_array();
    let component = |part: u32| components[patch_of[part as usize].0 as usize] as usize;
    let is_after =
        |v: u32, last: u32| last == NONE || at(v).partial_cmp(&at(last)) == Some(Ordering::Greater);
    let last: Vec<AtomicU32> =
        (0..components.len()).into_par_iter().with_min_len(GRAIN).map(|_| AtomicU32::new(NONE)).collect();
    all.parts().for_each(|part| {
        let last = &last[component(part)];
        for v in all.corners(part).into_iter().filter(|&v| v < vertices) {
            let raise = |last| is_after(v, last).then_some(v);
            // an error says that it is not after the last one
            _ = last.fetch_update(Relaxed, Relaxed, raise);
        }
    });
    let last: Vec<u32> = last.into_iter().map(AtomicU32::into_inner).collect();
    let is_there = |&part: &u32| all.corners(part).contains(&last[component(part)]);
    let mut there: Vec<Vec<u32>> = vec![vec![]; components.len()];
    for part in all.parts().filter(is_there).collect::<Vec<u32>>() {
        there[component(part)].push(part);
    }
    let sets = (0..components.len()).filter(|&set| last[set] != NONE);
    sets.filter_map(|set| outer_side(all, last[set], &there[set])).collect()
}

/// A part at the last vertex of a set, and whether its side ahead is outside.
///
/// All points of the set are before the vertex in the order of coordinates. So a half-plane that ends in the
/// line through the vertex along z, and begins in the direction of x, meets nothing until it has turned to
/// the first edge; and about this edge, nothing is met between the half-plane's way and the first part.
fn outer_side(all: &Arrangement, vertex: u32, parts: &[u32]) -> Option<(Spoke, bool)> {
    let points = all.points();
    let others = parts.iter().flat_map(|&p| all.corners(p)).filter(|&p| p != vertex);
    let equal = |axis: usize, p: u32| points.compare(axis, p, vertex) == Ordering::Equal;
    let mut first: Option<u32> = None;
    let mut upright = false;
    for p in others {
        if equal(0, p) && equal(1, p) {
            (first, upright) = (Some(p), true);
            break;
        }
        if first.is_none_or(|first| points.turn(2, vertex, first, p) < 0) {
            first = Some(p);
        }
    }
    let edge = [vertex, first?];
    // a direction that is free, as an axis and a sign
    let (axis, sign) = if upright {
        (0, 1)
    } else if equal(0, edge[1]) {
        (0, -1)
    } else {
        (1, 1)
    };
    let axle = Axle::new(all, edge);
    let mut spokes: Vec<Spoke> =
        parts.iter().filter_map(|&part| Spoke::at(edge, part, all.corners(part))).collect();
    axle.sort_by(&mut spokes, |spoke| match -sign * axle.ahead_along(spoke, axis) {
        1 => 1,
        0 => 2,
        _ => 3,
    });
    // what is behind the first part is free
    spokes.first().map(|&spoke| (spoke, false))
}
