//! Whether supports prevent all rigid motions of all parts of a body.
use super::body::Body;
use super::error::{ElasticityError, Result};
use ribbonmesh::glam::DVec3;

/// The part of each vertex: its smallest vertex; `u32::MAX` for vertices of no cell.
pub fn parts(vertices: usize, body: &Body) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..vertices as u32).collect();
    fn find(parent: &mut [u32], mut v: u32) -> u32 {
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }
    let mut used = vec![false; vertices];
    for cell in 0..body.len() {
        let own = body.cell(cell);
        own.iter().for_each(|&v| used[v as usize] = true);
        for &v in &own[1..] {
            let (a, b) = (find(&mut parent, own[0]), find(&mut parent, v));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    (0..vertices as u32).map(|v| if used[v as usize] { find(&mut parent, v) } else { u32::MAX }).collect()
}

/// Refuses a body of which a part can still move without strain. `fixed` has a bit for each direction of each node, `owner` a vertex of the
/// part that a node belongs to.
pub fn check(body: &Body, parts: &[u32], points: &[DVec3], owner: &[u32], fixed: &[u32]) -> Result<()> {
    let mut names: Vec<u32> = parts.iter().copied().filter(|part| *part != u32::MAX).collect();
    names.sort_unstable();
    names.dedup();
    let which = |part: u32| names.binary_search(&part);
    // middles and sizes, so that turns count as much as shifts
    let mut boxes = vec![(DVec3::INFINITY, DVec3::NEG_INFINITY); names.len()];
    for (point, &vertex) in points.iter().zip(owner) {
        if let Ok(k) = which(parts[vertex as usize]) {
            boxes[k] = (boxes[k].0.min(*point), boxes[k].1.max(*point));
        }
    }
    let mut grams = vec![[[0.0_f64; 6]; 6]; names.len()];
    for ((point, &vertex), &bits) in points.iter().zip(owner).zip(fixed) {
        let Ok(k) = which(parts[vertex as usize]) else { continue };
        let (low, high) = boxes[k];
        let at = (*point - (low + high) / 2.0) / (high - low).length();
        for (axis, &unit) in DVec3::AXES.iter().enumerate().filter(|(axis, _)| bits >> axis & 1 == 1) {
            let _ = axis;
            let turn = at.cross(unit);
            let row = [unit.x, unit.y, unit.z, turn.x, turn.y, turn.z];
            for i in 0..6 {
                (0..6).for_each(|j| grams[k][i][j] += row[i] * row[j]);
            }
        }
    }
    for (gram, &part) in grams.iter().zip(&names) {
        let motions = 6 - rank(*gram);
        if motions > 0 {
            let in_part = |cell: &usize| parts[body.cell(*cell)[0] as usize] == part;
            let cell = (0..body.len()).find(in_part).unwrap_or_default();
            return Err(ElasticityError::Loose { cell, motions });
        }
    }
    Ok(())
}
/// The rank of a symmetric, positive semidefinite matrix, by elimination with the largest pivot of the diagonal.
fn rank(mut a: [[f64; 6]; 6]) -> usize {
    let largest = (0..6).map(|i| a[i][i]).fold(0.0, f64::max);
    let mut done = [false; 6];
    for rank in 0..6 {
        let pivot =
            (0..6).filter(|&i| !done[i]).max_by(|&i, &j| a[i][i].total_cmp(&a[j][j])).unwrap_or_default();
        if a[pivot][pivot] <= 1e-9 * largest || largest == 0.0 {
            return rank;
        }
        done[pivot] = true;
        for i in (0..6).filter(|&i| !done[i]) {
            let by = a[i][pivot] / a[pivot][pivot];
            (0..6).for_each(|j| a[i][j] -= by * a[pivot][j]);
        }
    }
    6
}
