//! New points that become points nearby.
use crate::arrange::GRAIN;
use glam::Vec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// A round of mending.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    /// Its number; 0 before the first one.
    pub(crate) number: u32,
    /// The power of two by which its distance is smaller than the largest coordinate.
    power: i32,
    /// Pairs of faces that intersect before it.
    pairs: usize,
}

impl Round {
    /// The distance in the first round: a few times the rounding of the largest coordinate.
    const FIRST: i32 = -22;
    /// The greatest one.
    const LAST: i32 = -6;

    /// The next round. Its distance is twice that of this one, or four times, if at least half as many pairs
    /// are left.
    pub(crate) fn next(self, pairs: usize) -> Self {
        let power = match self.number {
            0 => Self::FIRST,
            _ if 2 * pairs < self.pairs => self.power + 1,
            _ => self.power + 2,
        };
        Self { number: self.number + 1, power: power.min(Self::LAST), pairs }
    }
    /// Whether it is the first one.
    pub(crate) fn is_first(self) -> bool {
        self.number == 1
    }
    /// The distance along each axis within which points become one.
    pub(crate) fn reach(self, largest: f32) -> f32 {
        if self.number == 0 { 0.0 } else { largest * 2.0_f32.powi(self.power) }
    }
}

/// For new points, from number `first` on, that are within `reach` of an older vertex or an earlier new point
/// along each axis, the number of the nearest one.
pub(crate) fn snapped(
    points: &[u32],
    first: u32,
    reach: f32,
    at: impl Fn(u32) -> Vec3 + Sync,
) -> FxHashMap<u32, u32> {
    let mut order: Vec<(Vec3, u32)> = points.par_iter().with_min_len(GRAIN).map(|&p| (at(p), p)).collect();
    order.par_sort_unstable_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.1.cmp(&b.1)));
    // for each new point the older ones near it, the nearest first
    let near = |(i, &(here, point)): (usize, &(Vec3, u32))| {
        let after = order[i + 1..].iter().take_while(|other| other.0.x - here.x <= reach);
        let before = order[..i].iter().rev().take_while(|other| here.x - other.0.x <= reach);
        let near = after
            .chain(before)
            .filter(|&&(there, other)| other < point && (there - here).abs().max_element() <= reach);
        let distance = |there: Vec3| there.as_dvec3().distance_squared(here.as_dvec3());
        let mut near: Vec<(f64, u32)> = near.map(|&(there, other)| (distance(there), other)).collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        (!near.is_empty()).then_some((point, near))
    };
    let new = order.par_iter().with_min_len(GRAIN).enumerate().filter(|of| of.1.1 >= first);
    let mut found: Vec<(u32, Vec<(f64, u32)>)> = new.filter_map(near).collect();
    found.sort_unstable_by_key(|of| of.0);
    let mut one = FxHashMap::default();
    for (point, near) in found {
        if let Some(&(_, other)) = near.iter().find(|of| !one.contains_key(&of.1)) {
            one.insert(point, other);
        }
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_points_become_points_nearby() {
        let at = [0.0, 1.0, 0.25, 1.125, 0.25, 0.375];
        let place = |p: u32| Vec3::splat(at[p as usize]);
        let points: Vec<u32> = (0..6).collect();
        let sorted = |reach: f32| {
            let mut found: Vec<(u32, u32)> = snapped(&points, 2, reach, place).into_iter().collect();
            found.sort_unstable();
            found
        };
        assert_eq!(sorted(0.0), [(4, 2)]);
        // 5 is near 2, and 4 is 2 already
        assert_eq!(sorted(0.125), [(3, 1), (4, 2), (5, 2)]);
        assert_eq!(sorted(0.25), [(2, 0), (3, 1), (4, 0)]);
    }
}
