//! New points that become points nearby.
use glam::Vec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The distance within which points become one, in a round of mending: 2⁻²⁰ of the largest coordinate in the
/// first one, four times as far in each up to the fourth, and then twice as far, up to 2⁻⁶.
pub(crate) fn reach(largest: f32, round: u32) -> f32 {
    let power = match round {
        ..=4 => 2 * round.max(1) as i32 - 22,
        round => (round.min(12) as i32) - 18,
    };
    largest * 2.0_f32.powi(power)
}

/// For new points, from number `first` on, that are within `reach` of an older vertex or an earlier new point
/// along each axis, the number of the nearest one.
pub(crate) fn snapped(
    points: &[u32],
    first: u32,
    reach: f32,
    at: impl Fn(u32) -> Vec3 + Sync,
) -> FxHashMap<u32, u32> {
    let mut order: Vec<(Vec3, u32)> = points.par_iter().map(|&p| (at(p), p)).collect();
    order.par_sort_unstable_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.1.cmp(&b.1)));
    let mut place: Vec<usize> = (0..order.len()).collect();
    place.par_sort_unstable_by_key(|&i| order[i].1);
    let mut one = FxHashMap::default();
    for i in place.into_iter().filter(|&i| order[i].1 >= first) {
        let (here, point) = order[i];
        let after = order[i + 1..].iter().take_while(|other| other.0.x - here.x <= reach);
        let before = order[..i].iter().rev().take_while(|other| here.x - other.0.x <= reach);
        let near = after.chain(before).filter(|&&(there, other)| {
            other < point && !one.contains_key(&other) && (there - here).abs().max_element() <= reach
        });
        let distance = |there: Vec3| there.as_dvec3().distance_squared(here.as_dvec3());
        let least = near.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)).then(a.1.cmp(&b.1)));
        if let Some(&(_, other)) = least {
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
