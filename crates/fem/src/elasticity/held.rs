//! Test whether supports prevent all rigid motions of all parts of a body, including those at hinges.
use super::body::Body;
use super::error::{ElasticityError, Result};
use ribbonmesh::glam::DVec3;
use ribbonmesh::mesh::{BoundingBox, UnionFind};
use std::collections::{BTreeMap, BTreeSet};

/// The part of each vertex: its smallest vertex; `u32::MAX` for vertices without a cell.
pub fn parts(vertices: usize, body: &Body) -> Vec<u32> {
    let mut parts = UnionFind::new(vertices);
    let mut used = vec![false; vertices];
    for cell in 0..body.len() {
        let own = body.cell(cell);
        own.iter().for_each(|&v| used[v as usize] = true);
        own[1..].iter().for_each(|&v| _ = parts.join(own[0], v));
    }
    (0..vertices as u32).map(|v| if used[v as usize] { parts.root(v) } else { u32::MAX }).collect()
}

type Gram = [[f64; 6]; 6];
/// Ratio of a pivot to the largest number of the diagonal below which it counts as 0.
const SINGULAR: f64 = 1e-9;

/// A rigid body: its middle and its size, by which rotations are scaled to count as much as translations.
struct Rigid {
    middle: DVec3,
    size: f64,
}
impl Rigid {
    fn of_boxes(count: usize, points: impl Iterator<Item = (usize, DVec3)>) -> Vec<Self> {
        let mut boxes = vec![BoundingBox::EMPTY; count];
        for (k, point) in points {
            boxes[k] = boxes[k].with(point);
        }
        boxes.iter().map(|own| Self { middle: own.middle(), size: own.diagonal() }).collect()
    }
    /// Movement of a point along an axis by each of the six motions.
    fn row(&self, point: DVec3, unit: DVec3) -> [f64; 6] {
        let turn = ((point - self.middle) / self.size).cross(unit);
        [unit.x, unit.y, unit.z, turn.x, turn.y, turn.z]
    }
}
fn add(to: &mut Gram, a: &[f64; 6], b: &[f64; 6], by: f64) {
    for (to, a) in to.iter_mut().zip(a) {
        to.iter_mut().zip(b).for_each(|(to, b)| *to += by * a * b);
    }
}

/// Refuses a body of which a part can still move without strain. `fixed` has a bit for each direction of each
/// node, vertices first; `of` has the cluster of each cell: a cluster consists of cells that are connected
/// through faces.
///
/// There is no strain only if each cluster moves rigidly. So the remaining motions are rigid motions of the
/// clusters that agree at shared vertices, and are 0 at supports: the kernel of a positive semidefinite
/// matrix with six rows per cluster. The matrix is eliminated body by body, those with the fewest neighbours
/// first; a body whose block is singular when it is eliminated can move.
pub fn check(body: &Body, parts: &[u32], points: &[DVec3], fixed: &[u32], of: &[u32]) -> Result<()> {
    let vertices = parts.len();
    check_parts(body, parts, &points[..vertices], fixed)?;
    let mut names = of.to_vec();
    names.sort_unstable();
    names.dedup();
    let which = |cluster: u32| names.binary_search(&cluster).unwrap_or_default();
    // the clusters of each vertex
    let mut pairs: Vec<(u32, u32)> = vec![];
    for (cell, &cluster) in of.iter().enumerate().take(body.len()) {
        pairs.extend(body.cell(cell).iter().map(|&v| (v, which(cluster) as u32)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    let shared: Vec<&[(u32, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).filter(|own| own.len() > 1).collect();
    if shared.is_empty() {
        return Ok(());
    }
    let at = |vertex: u32| points[vertex as usize];
    let bodies = Rigid::of_boxes(names.len(), pairs.iter().map(|&(v, k)| (k as usize, at(v))));
    let mut own = vec![[[0.0; 6]; 6]; names.len()];
    let mut beside: Vec<BTreeMap<usize, Gram>> = vec![BTreeMap::new(); names.len()];
    for &(vertex, k) in &pairs {
        let k = k as usize;
        for (axis, &unit) in DVec3::AXES.iter().enumerate() {
            if fixed[vertex as usize] >> axis & 1 == 1 {
                let row = bodies[k].row(at(vertex), unit);
                add(&mut own[k], &row, &row, 1.0);
            }
        }
    }
    for shared in &shared {
        let (vertex, first) = (shared[0].0, shared[0].1 as usize);
        for (_, other) in &shared[1..] {
            let other = *other as usize;
            for unit in DVec3::AXES {
                let (a, b) = (bodies[first].row(at(vertex), unit), bodies[other].row(at(vertex), unit));
                add(&mut own[first], &a, &a, 1.0);
                add(&mut own[other], &b, &b, 1.0);
                add(beside[first].entry(other).or_insert([[0.0; 6]; 6]), &a, &b, -1.0);
                add(beside[other].entry(first).or_insert([[0.0; 6]; 6]), &b, &a, -1.0);
            }
        }
    }
    let Some((moving, motions)) = eliminate(own, beside) else { return Ok(()) };
    let cluster = names[moving];
    let joint = shared.iter().filter(|own| own.iter().any(|(_, k)| *k as usize == moving));
    let joint: Vec<u32> = joint.map(|own| own[0].0).collect();
    Err(ElasticityError::Hinge {
        cell: of.iter().position(|own| *own == cluster).unwrap_or_default(),
        cells: of.iter().filter(|own| **own == cluster).count(),
        vertex: joint.first().copied().unwrap_or_default() as usize,
        vertices: joint.len(),
        motions,
    })
}

/// The first body that can move, and the number of motions that all bodies have together; `None` if there is
/// none.
fn eliminate(mut own: Vec<Gram>, mut beside: Vec<BTreeMap<usize, Gram>>) -> Option<(usize, usize)> {
    let largest: Vec<f64> = own.iter().map(|a| (0..6).map(|i| a[i][i]).fold(0.0, f64::max)).collect();
    let mut waiting: BTreeSet<(usize, usize)> =
        beside.iter().enumerate().map(|(k, beside)| (beside.len(), k)).collect();
    let (mut first, mut motions) = (None, 0);
    while let Some((_, k)) = waiting.pop_first() {
        let neighbours = std::mem::take(&mut beside[k]);
        let mut left = own[k];
        // rows of the pivots in the neighbours' columns: the elimination of each pivot subtracts their
        // products
        let mut rows: Vec<(usize, Gram)> = neighbours.into_iter().collect();
        let mut done = [false; 6];
        for _ in 0..6 {
            let pivot = (0..6).filter(|&i| !done[i]).max_by(|&i, &j| left[i][i].total_cmp(&left[j][j]));
            let Some(pivot) = pivot.filter(|&i| left[i][i] > SINGULAR * largest[k]) else {
                first = first.or(Some(k));
                motions += done.iter().filter(|done| !**done).count();
                break;
            };
            done[pivot] = true;
            let (row, by) = (left[pivot], 1.0 / left[pivot][pivot]);
            let taken: Vec<(usize, [f64; 6])> = rows.iter().map(|(j, block)| (*j, block[pivot])).collect();
            for i in (0..6).filter(|&i| !done[i]) {
                let factor = row[i] * by;
                (0..6).for_each(|j| left[i][j] -= factor * row[j]);
                for ((_, block), (_, own)) in rows.iter_mut().zip(&taken) {
                    (0..6).for_each(|j| block[i][j] -= factor * own[j]);
                }
            }
            for (i, a) in &taken {
                add(&mut own[*i], a, a, -by);
                for (j, b) in taken.iter().filter(|(j, _)| j != i) {
                    let before = beside[*i].len();
                    add(beside[*i].entry(*j).or_insert([[0.0; 6]; 6]), a, b, -by);
                    let after = beside[*i].len();
                    if after != before && waiting.remove(&(before, *i)) {
                        waiting.insert((after, *i));
                    }
                }
            }
        }
        for (j, _) in &rows {
            let before = beside[*j].len();
            if beside[*j].remove(&k).is_some() && waiting.remove(&(before, *j)) {
                waiting.insert((before - 1, *j));
            }
        }
    }
    first.map(|k| (k, motions))
}

/// Refuses a part that can move as a whole.
fn check_parts(body: &Body, parts: &[u32], points: &[DVec3], fixed: &[u32]) -> Result<()> {
    let mut names: Vec<u32> = parts.iter().copied().filter(|part| *part != u32::MAX).collect();
    names.sort_unstable();
    names.dedup();
    let which = |vertex: usize| names.binary_search(&parts[vertex]).ok();
    let inside = points.iter().enumerate().filter_map(|(v, point)| Some((which(v)?, *point)));
    let bodies = Rigid::of_boxes(names.len(), inside);
    let mut grams = vec![[[0.0_f64; 6]; 6]; names.len()];
    for (vertex, point) in points.iter().enumerate() {
        let Some(k) = which(vertex) else { continue };
        for (axis, &unit) in DVec3::AXES.iter().enumerate() {
            if fixed[vertex] >> axis & 1 == 1 {
                let row = bodies[k].row(*point, unit);
                add(&mut grams[k], &row, &row, 1.0);
            }
        }
    }
    for (gram, &part) in grams.into_iter().zip(&names) {
        if let Some((_, motions)) = eliminate(vec![gram], vec![BTreeMap::new()]) {
            let in_part = |cell: &usize| parts[body.cell(*cell)[0] as usize] == part;
            let cell = (0..body.len()).find(in_part).unwrap_or_default();
            return Err(ElasticityError::Loose { cell, motions });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bodies of size 1 at points; `held` bodies are held completely, links join two bodies at points.
    fn system(count: usize, held: &[usize], links: &[(usize, usize, DVec3)]) -> Option<(usize, usize)> {
        let bodies: Vec<Rigid> =
            (0..count).map(|k| Rigid { middle: DVec3::X * k as f64, size: 1.0 }).collect();
        let mut own = vec![[[0.0; 6]; 6]; count];
        let mut beside = vec![BTreeMap::new(); count];
        for &k in held {
            (0..6).for_each(|i| own[k][i][i] += 1.0);
        }
        for &(i, j, at) in links {
            for unit in DVec3::AXES {
                let (a, b) = (bodies[i].row(at, unit), bodies[j].row(at, unit));
                add(&mut own[i], &a, &a, 1.0);
                add(&mut own[j], &b, &b, 1.0);
                add(beside[i].entry(j).or_insert([[0.0; 6]; 6]), &a, &b, -1.0);
                add(beside[j].entry(i).or_insert([[0.0; 6]; 6]), &b, &a, -1.0);
            }
        }
        eliminate(own, beside)
    }
    #[test]
    fn chains_of_hinges() {
        let link = |i: usize, y: f64, z: f64| (i, i + 1, DVec3::new(i as f64 + 0.5, y, z));
        // three points that are not on a line join rigidly, two are a hinge, one is a ball joint
        let chain = |per: usize, n: usize| -> Vec<(usize, usize, DVec3)> {
            let of = |i| [link(i, 0.0, 0.0), link(i, 0.4, 0.0), link(i, 0.0, 0.4)].into_iter().take(per);
            (0..n - 1).flat_map(of).collect()
        };
        for n in [2, 3, 40] {
            assert_eq!(system(n, &[0], &chain(3, n)), None);
            assert_eq!(system(n, &[n / 2], &chain(3, n)), None);
            assert_eq!(system(n, &[0], &chain(2, n)).map(|found| found.1), Some(n - 1));
            assert_eq!(system(n, &[0], &chain(1, n)).map(|found| found.1), Some(3 * (n - 1)));
            assert_eq!(system(n, &[], &chain(3, n)).map(|found| found.1), Some(6));
        }
        // hinges along parallel lines between two walls: a chain of three is stiff enough only if its middle
        // is
        assert_eq!(system(3, &[0, 2], &chain(2, 3)), None);
        assert_eq!(system(4, &[0, 3], &chain(2, 4)).map(|found| found.1), Some(1));
    }
}
