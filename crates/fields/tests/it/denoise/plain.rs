//! The filter of normals and Taubin's filter by plain loops in `f64`.
use crate::denoise::oracle::neighbours;
use ribbonmesh::glam::{DVec3, Vec3};

fn corners(x: &[DVec3], f: &[u32; 3]) -> [DVec3; 3] {
    f.map(|v| x[v as usize])
}
fn cross(x: &[DVec3], f: &[u32; 3]) -> DVec3 {
    let [a, b, c] = corners(x, f);
    (b - a).cross(c - a)
}
fn centre(x: &[DVec3], f: &[u32; 3]) -> DVec3 {
    let [a, b, c] = corners(x, f);
    (a + b + c) / 3.0
}

/// Zheng et al. 2011, equation 3, with the faces that share a vertex; then Sun et al. 2007, equation 13.
pub fn filtered(x: &[Vec3], faces: &[[u32; 3]], iterations: u32, similarity: f64, moves: u32) -> Vec<DVec3> {
    let mut x: Vec<DVec3> = x.iter().map(|p| p.as_dvec3()).collect();
    let around = |f: usize| {
        let shares = move |g: &usize| *g != f && faces[*g].iter().any(|v| faces[f].contains(v));
        (0..faces.len()).filter(shares).collect::<Vec<_>>()
    };
    let around: Vec<Vec<usize>> = (0..faces.len()).map(around).collect();
    let areas: Vec<f64> = faces.iter().map(|f| cross(&x, f).length()).collect();
    let centres: Vec<DVec3> = faces.iter().map(|f| centre(&x, f)).collect();
    let mut normals: Vec<DVec3> = faces.iter().map(|f| cross(&x, f).normalize_or_zero()).collect();
    for _ in 0..iterations {
        let one = |f: usize| {
            let distance = |g: usize| centres[f].distance(centres[g]);
            let sigma = around[f].iter().map(|&g| distance(g)).sum::<f64>() / around[f].len() as f64;
            let weight = |g: usize| {
                let e = normals[f].distance(normals[g]) / similarity;
                areas[g] * (-0.5 * (distance(g) / sigma).powi(2) - 0.5 * e * e).exp()
            };
            let others: DVec3 = around[f].iter().map(|&g| weight(g) * normals[g]).sum();
            (areas[f] * normals[f] + others).normalize_or_zero()
        };
        normals = (0..faces.len()).map(one).collect();
    }
    for _ in 0..moves {
        let (mut ways, mut counts) = (vec![DVec3::ZERO; x.len()], vec![0.0; x.len()]);
        for (f, n) in faces.iter().zip(&normals) {
            let c = centre(&x, f);
            for &v in f {
                ways[v as usize] += *n * n.dot(c - x[v as usize]);
                counts[v as usize] += 1.0;
            }
        }
        for ((p, way), count) in x.iter_mut().zip(ways).zip(counts) {
            *p += way / f64::max(count, 1.0);
        }
    }
    x
}

/// Taubin 1995 with λ = 0.5 and μ = −0.53; a vertex on the boundary has neighbours on the boundary.
pub fn taubin(x: &[Vec3], faces: &[[u32; 3]], iterations: u32) -> Vec<DVec3> {
    let mut x: Vec<DVec3> = x.iter().map(|p| p.as_dvec3()).collect();
    let vv = neighbours(x.len(), faces);
    let sides = |a: u32, b: u32| faces.iter().filter(|f| f.contains(&a) && f.contains(&b)).count();
    let mut border = vec![false; x.len()];
    for (v, row) in (0..).zip(&vv) {
        border[v as usize] = row.iter().any(|&u| sides(v, u) == 1);
    }
    for factor in [0.5, -0.53].repeat(iterations as usize) {
        let one = |v: usize| {
            let used: Vec<DVec3> =
                vv[v].iter().filter(|&&u| !border[v] || border[u as usize]).map(|&u| x[u as usize]).collect();
            let mean = used.iter().sum::<DVec3>() / used.len() as f64;
            if used.is_empty() { x[v] } else { x[v] + factor * (mean - x[v]) }
        };
        x = (0..x.len()).map(one).collect();
    }
    x
}
