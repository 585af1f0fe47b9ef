//! Integrals over tetrahedra on the host, by products of Gauss points: an oracle that knows nothing of the
//! library's integrals.
use ribbonmesh::glam::DVec3;
use ribbonmesh_fem::{power, powers};

/// Five Gauss points of [0, 1] and their weights.
const POINTS: [(f64, f64); 5] = [
    (0.046910077030668, 0.118463442528095),
    (0.230765344947158, 0.239314335249683),
    (0.5, 0.284444444444444),
    (0.769234655052842, 0.239314335249683),
    (0.953089922969332, 0.118463442528095),
];
/// Runs `f(barycentric coordinates, weight)`; weights sum up to the volume. By Duffy's map of the cube.
pub fn each_point(corners: [DVec3; 4], mut f: impl FnMut([f64; 4], f64)) {
    let [o, a, b, c] = corners;
    let six = (a - o).dot((b - o).cross(c - o));
    for (u, p) in POINTS {
        for (v, q) in POINTS {
            for (w, r) in POINTS {
                let (x, y, z) = (u, v * (1.0 - u), w * (1.0 - u) * (1.0 - v));
                f([1.0 - x - y - z, x, y, z], six * p * q * r * (1.0 - u).powi(2) * (1.0 - v));
            }
        }
    }
}
/// The Bernstein polynomials of a cell's nodes.
pub fn bernstein(order: u32, at: [f64; 4]) -> Vec<f64> {
    let own = |k: u32| match order {
        1 => powers::<1>(k),
        2 => powers::<2>(k),
        _ => powers::<3>(k),
    };
    let factorial = |n: u32| (1..=n).product::<u32>() as f64;
    let n = [4, 10, 20][order as usize - 1];
    (0..n)
        .map(|k| {
            let start = factorial(order);
            (0..4).fold(start, |v, i| {
                v * at[i as usize].powi(power(own(k), i) as i32) / factorial(power(own(k), i))
            })
        })
        .collect()
}
