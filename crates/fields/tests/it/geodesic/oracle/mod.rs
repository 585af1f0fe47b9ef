//! Hops by breadth-first search, and distances by repeated passes over all triangles until nothing changes,
//! in `f64`.
#![allow(dead_code)]
use ribbonmesh::glam::{DVec2, DVec3, Vec3};

/// Hops from the nearest source; `u32::MAX` without a path.
pub fn hops(n: usize, faces: &[[u32; 3]], sources: &[u32]) -> Vec<u32> {
    let mut hops = vec![u32::MAX; n];
    for &s in sources {
        hops[s as usize] = 0;
    }
    for level in 0.. {
        let mut found = false;
        for f in faces {
            if f.iter().any(|&v| hops[v as usize] == level) {
                for &v in f {
                    if hops[v as usize] == u32::MAX {
                        hops[v as usize] = level + 1;
                        found = true;
                    }
                }
            }
        }
        if !found {
            return hops;
        }
    }
    hops
}

/// The distance that a triangle offers to its first vertex; the other two have distances.
fn offer(p: [DVec3; 3], [first, second]: [f64; 2]) -> f64 {
    let edges = (first + p[0].distance(p[1])).min(second + p[0].distance(p[2]));
    let side = p[1].distance(p[2]);
    if !edges.is_finite() || side == 0.0 || !first.is_finite() || !second.is_finite() {
        return edges;
    }
    // the side from the origin along x; the vertex above it, the source below
    let x = (p[0] - p[1]).dot(p[2] - p[1]) / side;
    let vertex = DVec2::new(x, (p[0].distance_squared(p[1]) - x * x).max(0.0).sqrt());
    let x = (first * first - second * second + side * side) / (2.0 * side);
    let y = first * first - x * x;
    if y <= 0.0 {
        return edges;
    }
    let source = DVec2::new(x, -y.sqrt());
    let part = -source.y / (vertex.y - source.y);
    let crossing = source.x + part * (vertex.x - source.x);
    if (0.0..=side).contains(&crossing) { edges.min(source.distance(vertex)) } else { edges }
}

/// Distances that no triangle shortens.
pub fn distances(x: &[Vec3], faces: &[[u32; 3]], sources: &[u32]) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; x.len()];
    for &s in sources {
        distances[s as usize] = 0.0;
    }
    loop {
        let mut changed = false;
        for f in faces {
            for i in 0..3 {
                let [v, a, b] = [0, 1, 2].map(|k| f[(i + k) % 3] as usize);
                let corners = [v, a, b].map(|u| x[u].as_dvec3());
                let offered = offer(corners, [distances[a], distances[b]]);
                if offered < distances[v] * (1.0 - 1e-12) {
                    distances[v] = offered;
                    changed = true;
                }
            }
        }
        if !changed {
            return distances;
        }
    }
}

/// Distances along edges.
pub fn along_edges(x: &[Vec3], faces: &[[u32; 3]], sources: &[u32]) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; x.len()];
    for &s in sources {
        distances[s as usize] = 0.0;
    }
    loop {
        let before = distances.clone();
        for f in faces {
            for (a, b) in [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)] {
                let (a, b) = (f[a] as usize, f[b] as usize);
                let length = x[a].as_dvec3().distance(x[b].as_dvec3());
                distances[b] = distances[b].min(distances[a] + length);
            }
        }
        if before == distances {
            return distances;
        }
    }
}

/// A vertex whose distance some triangle shortens by more than `tolerance`, relative; its distance, and the
/// shorter.
pub fn shortened(
    x: &[Vec3],
    faces: &[[u32; 3]],
    distances: &[f64],
    tolerance: f64,
) -> Option<(usize, f64, f64)> {
    for f in faces {
        for i in 0..3 {
            let [v, a, b] = [0, 1, 2].map(|k| f[(i + k) % 3] as usize);
            let offered = offer([v, a, b].map(|u| x[u].as_dvec3()), [distances[a], distances[b]]);
            if offered < distances[v] * (1.0 - tolerance) {
                return Some((v, distances[v], offered));
            }
        }
    }
    None
}
