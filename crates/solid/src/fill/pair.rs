//! Search for holes that belong together because their loops are near each other.
//!
//! Chentanez, Müller, Macklin and Kim, *Grid-Free Surface Tracking on the GPU* (2016), section 3.7.
use crate::fill::loops::Loop;
use crate::fill::{NotJoined, Why};
use glam::{DVec3, I64Vec3};
use rustc_hash::{FxHashMap, FxHashSet};

/// Least number of pairs of near vertices of two loops that belong together, as a part of the longer loop's
/// vertices (β of the paper).
const SHARE: f64 = 0.25;
/// Most vertices that are examined around one.
const MOST: usize = 4096;

/// Two loops to be joined.
pub(crate) struct Pair {
    /// The loops, the lesser first.
    pub loops: [usize; 2],
    /// The indices of the two nearest vertices in their loops.
    pub start: [usize; 2],
}

/// Measures of two loops that are near each other.
struct Near {
    /// Pairs of vertices that are near.
    score: u64,
    /// Sum of the cosines of the angles between the loops at such pairs.
    direction: f64,
    /// The nearest pair.
    nearest: (f64, [usize; 2]),
}

/// Finds the pairs of loops that belong together, each loop in at most one pair; pairs with the most pairs of
/// vertices that are at most `distance` apart come first. For near loops that do not fit, returns the
/// reasons. `skipped` loops are in no pair.
pub(crate) fn pairs(
    loops: &[Loop],
    skipped: impl Fn(usize) -> bool,
    place: impl Fn(u32) -> DVec3,
    distance: f64,
) -> (Vec<Pair>, Vec<NotJoined>) {
    let cell = |p: DVec3| (p / distance).floor().as_i64vec3();
    let mut cells: FxHashMap<I64Vec3, Vec<(usize, usize, DVec3)>> = FxHashMap::default();
    for (i, boundary) in loops.iter().enumerate().filter(|(i, _)| !skipped(*i)) {
        for (k, &v) in boundary.vertices.iter().enumerate() {
            cells.entry(cell(place(v))).or_default().push((i, k, place(v)));
        }
    }
    let way = |i: usize, k: usize| {
        let of = &loops[i].vertices;
        let n = of.len();
        (place(of[(k + 1) % n]) - place(of[(k + n - 1) % n])).normalize_or_zero()
    };
    let mut found: FxHashMap<[usize; 2], Near> = FxHashMap::default();
    for (i, boundary) in loops.iter().enumerate().filter(|(i, _)| !skipped(*i)) {
        for (k, &v) in boundary.vertices.iter().enumerate() {
            let (at, middle) = (place(v), cell(place(v)));
            // for each other loop: number of near vertices, and the nearest one
            let mut near: Vec<(usize, u64, f64, usize)> = vec![];
            let mut left = MOST;
            'cells: for offset in 0..27 {
                let offset = I64Vec3::new(offset % 3, offset / 3 % 3, offset / 9) - I64Vec3::ONE;
                let Some(list) = cells.get(&middle.saturating_add(offset)) else { continue };
                for &(j, l, p) in list.iter().filter(|(j, ..)| *j != i) {
                    if left == 0 {
                        break 'cells;
                    }
                    left -= 1;
                    let far = at.distance(p);
                    if far > distance {
                        continue;
                    }
                    match near.iter_mut().find(|(other, ..)| *other == j) {
                        Some((_, count, least, nearest)) => {
                            *count += 1;
                            if far < *least {
                                (*least, *nearest) = (far, l);
                            }
                        }
                        None => near.push((j, 1, far, l)),
                    }
                }
            }
            for (j, count, far, l) in near {
                let (key, ends) = if i < j { ([i, j], [k, l]) } else { ([j, i], [l, k]) };
                let new = Near { score: 0, direction: 0.0, nearest: (f64::INFINITY, [0, 0]) };
                let known = found.entry(key).or_insert(new);
                // each pair of vertices is found from both sides, but counted once
                known.score += u64::from(i < j) * count;
                known.direction += way(i, k).dot(way(j, l));
                if (far, ends) < known.nearest {
                    known.nearest = (far, ends);
                }
            }
        }
    }
    let mut list: Vec<([usize; 2], Near)> = found.into_iter().collect();
    // Algorithm 2: the highest score first; loops of an earlier pair are skipped
    list.sort_by_key(|(loops, near)| (std::cmp::Reverse(near.score), *loops));
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    let (mut pairs, mut refused) = (vec![], vec![]);
    for ([i, j], near) in list {
        let [a, b] = [&loops[i].vertices, &loops[j].vertices];
        if (near.score as f64) < SHARE * a.len().max(b.len()) as f64 {
            continue;
        }
        let of_a: FxHashSet<u32> = a.iter().copied().collect();
        let why = if b.iter().any(|v| of_a.contains(v)) {
            Some(Why::Touching)
        } else if near.direction >= 0.0 {
            Some(Why::Orientation)
        } else {
            None
        };
        if let Some(why) = why {
            refused.push(NotJoined { holes: [i, j], why });
        } else if !taken.contains(&i) && !taken.contains(&j) {
            taken.extend([i, j]);
            pairs.push(Pair { loops: [i, j], start: near.nearest.1 });
        }
    }
    pairs.sort_by_key(|pair| pair.loops);
    refused.sort_by_key(|refused| refused.holes);
    (pairs, refused)
}
