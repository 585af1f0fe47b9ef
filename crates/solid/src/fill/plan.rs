//! Which holes are filled, and how.
use crate::fill::pair::Pair;
use crate::fill::{FillOptions, Hole, Left};
use rustc_hash::FxHashMap;

/// Which holes are filled, and how.
pub(crate) struct Plan {
    pub options: FillOptions,
    /// The reason for which each hole is left open, if it is not joined.
    pub left: Vec<Option<Left>>,
    /// Whether each hole may be filled; empty if all may.
    pub chosen: Vec<bool>,
    /// The hole with the longest boundary, if it is to be left open.
    pub largest: Option<usize>,
    /// The pairs to be joined, by the first of their loops.
    pub partners: FxHashMap<usize, Pair>,
    /// For each hole the other one of its pair.
    pub joined: Vec<Option<usize>>,
}

impl Plan {
    /// A plan without pairs. `outer` says whether each hole is an outer border; it is empty if that does not
    /// matter, and `chosen` is empty if all holes may be filled.
    pub fn new(options: &FillOptions, holes: &[Hole], chosen: Vec<bool>, outer: &[bool]) -> Self {
        let by_length = |a: &(usize, &Hole), b: &(usize, &Hole)| a.1.perimeter.total_cmp(&b.1.perimeter);
        let longest = || holes.iter().enumerate().max_by(by_length).map(|(i, _)| i);
        let largest = if options.keep_largest { longest() } else { None };
        let reason = |(i, hole): (usize, &Hole)| {
            let long = options.perimeter.is_some_and(|limit| hole.perimeter > limit);
            let many = options.up_to.is_some_and(|limit| hole.edges > limit as usize);
            let reasons = [
                (chosen.get(i) == Some(&false), Left::NotChosen),
                (largest == Some(i), Left::Largest),
                (many, Left::TooManyEdges),
                (long, Left::TooLong),
                (outer.get(i) == Some(&true), Left::Border),
            ];
            reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
        };
        let left = holes.iter().enumerate().map(reason).collect();
        let (partners, joined) = (FxHashMap::default(), vec![None; holes.len()]);
        Self { options: *options, left, chosen, largest, partners, joined }
    }
    /// Whether a hole may not be one of two rims that face each other.
    pub fn is_no_ring(&self, i: usize) -> bool {
        self.left[i].is_some_and(|reason| reason != Left::Border)
    }
}
