//! The triangulation of least weight.
use crate::fill::weight::{Weight, sharpness, triangle};
use glam::DVec3;
use rayon::prelude::*;

/// Least number of triangles that one task compares.
const TASK: usize = 1 << 12;

/// The triangulation of a polygon of least weight by dynamic programming (Barequet and Sharir 1995; algorithm
/// 3 of Chentanez, Müller, Macklin and Kim 2016): its triangles, as indices into the polygon. `None` if each
/// triangulation has an edge that is not `legal`. `normals` has the normals of the faces across the side from
/// each vertex to the next.
///
/// The sharpness of an edge takes the best triangles on both sides into account (Liepa 2003). Takes O(n³),
/// and 48 n² bytes; on rayon's pool.
pub(crate) fn least_weight(
    points: &[DVec3],
    normals: &[DVec3],
    legal: impl Fn(usize, usize) -> bool + Sync,
) -> Option<Vec<[u32; 3]>> {
    let n = points.len();
    if n < 3 {
        return None;
    }
    // cell (i, j) has the triangulation of the polygon from i to j: its weight, the third vertex of the
    // triangle at its chord, and that triangle's normal; cell (j, i) has a copy, so that both are read in
    // rows
    let mut cells = vec![Cell { weight: Weight::INFINITE, apex: 0, normal: DVec3::ZERO }; n * n];
    for (i, &normal) in normals.iter().enumerate().take(n - 1) {
        let cell = Cell { weight: Weight::ZERO, apex: 0, normal };
        (cells[i * n + i + 1], cells[(i + 1) * n + i]) = (cell, cell);
    }
    for width in 2..n {
        let last = width == n - 1;
        let best = |i: usize| {
            let j = i + width;
            let mut best = Cell { weight: Weight::INFINITE, apex: 0, normal: DVec3::ZERO };
            if !last && !legal(i, j) {
                return best;
            }
            let (from, to) = (&cells[i * n..(i + 1) * n], &cells[j * n..(j + 1) * n]);
            for k in i + 1..j {
                let parts = from[k].weight.and(to[k].weight);
                if parts >= best.weight {
                    continue;
                }
                let (mut own, normal) =
                    triangle([points[i], points[k], points[j]], [from[k].normal, to[k].normal]);
                if last {
                    own.sharpest = own.sharpest.max(sharpness(normal, normals[n - 1]));
                }
                let weight = parts.and(own);
                if weight < best.weight {
                    best = Cell { weight, apex: k as u32, normal };
                }
            }
            best
        };
        let chords = (0..n - width).into_par_iter().with_min_len(1 + TASK / width);
        let found: Vec<Cell> = chords.map(best).collect();
        for (i, cell) in found.into_iter().enumerate() {
            (cells[i * n + i + width], cells[(i + width) * n + i]) = (cell, cell);
        }
    }
    if cells[n - 1].weight.sharpest.is_infinite() {
        return None;
    }
    let mut triangles = Vec::with_capacity(n - 2);
    let mut open = vec![(0, n as u32 - 1)];
    while let Some((i, j)) = open.pop() {
        if j < i + 2 {
            continue;
        }
        let k = cells[i as usize * n + j as usize].apex;
        triangles.push([i, k, j]);
        open.extend([(i, k), (k, j)]);
    }
    Some(triangles)
}

#[derive(Clone, Copy)]
struct Cell {
    weight: Weight,
    apex: u32,
    normal: DVec3,
}
