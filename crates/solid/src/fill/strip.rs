//! A strip of triangles between two loops.
use glam::DVec3;

/// Most pairs of vertices for which the best strip is computed.
const EXACT: usize = 1 << 24;

/// Finds the triangles between two loops, beginning with the edge between their vertices `start`. Vertices of
/// the second loop are numbered after those of the first. Both loops run in the direction of the new faces,
/// so that the strip passes the second one backwards. `None` if each strip has an edge that is `blocked`: for
/// each vertex of the first loop, those of the second one with which it must have no edge.
///
/// Among the strips that begin with a step along the first loop and end with one along the second, it takes
/// the one with the least sum of squared lengths of the edges between the loops. For very long loops it takes
/// the shorter of the next two edges each time. Time and memory are proportional to the product of the
/// numbers of vertices, a byte each; for very long loops, to their sum.
pub(crate) fn strip(
    a: &[DVec3],
    b: &[DVec3],
    start: [usize; 2],
    blocked: &[Vec<u32>],
) -> Option<Vec<[u32; 3]>> {
    let (m, n) = (a.len(), b.len());
    if m < 3 || n < 3 {
        return None;
    }
    let first = |i: usize| (start[0] + i) % m;
    let second = |j: usize| (start[1] + n - j % n) % n;
    let steps = if m * n <= EXACT {
        let along: Vec<DVec3> = (0..=n).map(|j| b[second(j)]).collect();
        // the costs of the edges at a vertex of the first loop, in the order of the steps along the second
        best(m, n, |i, costs| {
            let p = first(i);
            costs.iter_mut().zip(&along).for_each(|(cost, q)| *cost = a[p].distance_squared(*q));
            for &q in &blocked[p] {
                let j = (start[1] + n - q as usize) % n;
                costs[j] = f64::INFINITY;
                if j == 0 {
                    costs[n] = f64::INFINITY;
                }
            }
        })?
    } else {
        shorter(m, n, |i, j| {
            let (p, q) = (first(i), second(j));
            if blocked[p].contains(&(q as u32)) { f64::INFINITY } else { a[p].distance_squared(b[q]) }
        })?
    };
    let (mut i, mut j) = (0, 0);
    let triangle = |along_first: bool| {
        let (p, q) = (first(i) as u32, (m + second(j)) as u32);
        if along_first {
            i += 1;
            [p, first(i) as u32, q]
        } else {
            j += 1;
            [(m + second(j)) as u32, q, p]
        }
    };
    Some(steps.into_iter().map(triangle).collect())
}

/// Whether an edge between vertex `i` of the first loop and `j` of the second may be part of a strip. An edge
/// after all steps around the first loop and before the first step along the second would be the edge of the
/// start again.
fn within(i: usize, j: usize, m: usize, n: usize) -> bool {
    match j {
        0 => i < m,
        _ if j == n => i == m,
        _ => i > 0,
    }
}

/// Finds the steps with the least sum of costs: true for a step along the first loop.
/// `costs_of` writes those of the edges after `i` steps along the first loop.
fn best(m: usize, n: usize, costs_of: impl Fn(usize, &mut [f64])) -> Option<Vec<bool>> {
    let width = n + 1;
    let mut along_first = vec![false; (m + 1) * width];
    let (mut above, mut costs) = (vec![f64::INFINITY; width], vec![0.0; width]);
    costs_of(0, &mut costs);
    above[0] = costs[0];
    for (i, along_first) in along_first.chunks_exact_mut(width).enumerate().skip(1) {
        costs_of(i, &mut costs);
        let mut by_second = f64::INFINITY;
        for (j, ((above, along_first), cost)) in above.iter_mut().zip(along_first).zip(&costs).enumerate() {
            if within(i, j, m, n) {
                *along_first = *above <= by_second;
                by_second = above.min(by_second) + cost;
            } else {
                by_second = f64::INFINITY;
            }
            *above = by_second;
        }
    }
    if !above[n].is_finite() {
        return None;
    }
    let (mut i, mut j) = (m, n);
    let mut steps = vec![];
    while (i, j) != (0, 0) {
        let first = along_first[i * width + j];
        steps.push(first);
        if first { i -= 1 } else { j -= 1 }
    }
    steps.reverse();
    Some(steps)
}

/// Finds the steps that take the shorter edge each time.
fn shorter(m: usize, n: usize, cost: impl Fn(usize, usize) -> f64) -> Option<Vec<bool>> {
    let (mut i, mut j) = (0, 0);
    let mut steps = vec![];
    while (i, j) != (m, n) {
        let of = |i: usize, j: usize| {
            // the last step is along the second loop, after all steps along the first
            let open = i <= m && j <= n && within(i, j, m, n);
            if open { cost(i, j) } else { f64::INFINITY }
        };
        let (by_first, by_second) = (of(i + 1, j), of(i, j + 1));
        if !by_first.min(by_second).is_finite() {
            return None;
        }
        steps.push(by_first <= by_second);
        if by_first <= by_second { i += 1 } else { j += 1 }
    }
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn circle(n: usize, z: f64, backwards: bool) -> Vec<DVec3> {
        let angle = |i: usize| std::f64::consts::TAU * (i as f64 + 0.2) / n as f64;
        let point = |i: usize| {
            let angle = if backwards { -angle(i) } else { angle(i) };
            DVec3::new(angle.cos(), angle.sin(), z)
        };
        (0..n).map(point).collect()
    }

    #[test]
    fn every_edge_once_in_each_direction() {
        for (m, n) in [(3, 3), (3, 40), (40, 3), (7, 11), (64, 64)] {
            let (a, b) = (circle(m, 0.0, false), circle(n, 0.3, true));
            for exact in [true, false] {
                let faces = match exact {
                    true => strip(&a, &b, [1, 2], &vec![vec![]; m]).expect("a strip"),
                    false => {
                        let at = |i: usize, j: usize| a[(1 + i) % m].distance_squared(b[(2 + n - j % n) % n]);
                        assert_eq!(shorter(m, n, at).expect("steps").len(), m + n);
                        continue;
                    }
                };
                assert_eq!(faces.len(), m + n);
                let sides: Vec<[u32; 2]> =
                    faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
                let all: HashSet<[u32; 2]> = sides.iter().copied().collect();
                assert_eq!(all.len(), sides.len(), "{m} {n}: a side twice");
                let mut open: Vec<[u32; 2]> =
                    sides.into_iter().filter(|&[p, q]| !all.contains(&[q, p])).collect();
                open.sort_unstable();
                let of = |first: usize, n: usize| (0..n).map(move |i| [first + i, first + (i + 1) % n]);
                let mut expected: Vec<[u32; 2]> =
                    of(0, m).chain(of(m, n)).map(|side| side.map(|v| v as u32)).collect();
                expected.sort_unstable();
                assert_eq!(open, expected);
            }
        }
    }

    #[test]
    fn none_where_no_edge_is_legal() {
        let (a, b) = (circle(5, 0.0, false), circle(6, 0.3, true));
        let all: Vec<u32> = (0..6).collect();
        assert!(strip(&a, &b, [0, 0], &vec![all.clone(); 5]).is_none());
        // one vertex of the first loop without an edge
        let mut blocked = vec![vec![]; 5];
        blocked[3] = all;
        assert!(strip(&a, &b, [0, 0], &blocked).is_none());
        // the strip avoids edges that are there already
        let mut blocked = vec![vec![]; 5];
        blocked[2] = vec![3];
        let gone = strip(&a, &b, [0, 0], &blocked).expect("a strip");
        assert!(!gone.iter().any(|face| face.contains(&2) && face.contains(&8)));
    }
}
