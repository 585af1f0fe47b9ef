//! Motions of a body without strain that supports leave free.
use super::body::Body;
use super::error::Result;
use super::held;
use super::stresses::principal;
use crate::Space;
use ribbonmesh::glam::DVec3;
use ribbonmesh_spectra::FreeMotions;
use ribbonmesh_volume_io::VolumeData;
use std::collections::BTreeMap;

/// Ratio of a pivot to the largest number of the diagonal below which it counts as 0.
const SINGULAR: f64 = 1e-9;

/// Nodes of each connected part of a body.
pub struct Parts {
    /// Nodes of each part, ascending.
    nodes: Vec<Vec<usize>>,
    /// Points of all nodes, where affine functions have their values.
    points: Vec<DVec3>,
}
/// The parts of a body, by their first vertices. Nodes without cells are in none.
pub fn parts(volume: &VolumeData, body: &Body, space: &Space<'_>) -> Result<Parts> {
    let (of_vertices, supports) = (held::parts(volume.positions.len(), body), space.supports()?);
    let mut nodes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (node, own) in supports.iter().enumerate() {
        let part = of_vertices[own[0].0 as usize];
        if part != u32::MAX {
            nodes.entry(part).or_default().push(node);
        }
    }
    Ok(Parts { nodes: nodes.into_values().collect(), points: space.points_of(&supports)? })
}

/// A mean and its size, by which rotations are scaled to count as much as translations.
struct Middle {
    at: DVec3,
    size: f64,
}
impl Middle {
    fn of(points: &[DVec3], nodes: &[usize]) -> Self {
        let at = nodes.iter().map(|&node| points[node]).sum::<DVec3>() / nodes.len() as f64;
        let size = nodes.iter().map(|&node| points[node].distance(at)).fold(0.0, f64::max);
        Self { at, size }
    }
    /// The movement of a point along an axis by each of the six motions.
    fn row(&self, point: DVec3, axis: usize) -> [f64; 6] {
        let turn = ((point - self.at) / self.size).cross(DVec3::AXES[axis]);
        let [x, y, z] = DVec3::AXES[axis].to_array();
        [x, y, z, turn.x, turn.y, turn.z]
    }
}

/// The motions that fixed unknowns allow, orthonormal in the product of the masses of nodes.
pub fn motions(parts: &Parts, fixed: &[u32], masses: &[f64]) -> FreeMotions {
    let n = masses.len();
    let mut all = FreeMotions { count: 0, first: vec![0; n], values: vec![[0.0; 6]; 3 * n] };
    for nodes in &parts.nodes {
        let middle = Middle::of(&parts.points, nodes);
        let mut held = [[0.0; 6]; 6];
        for &node in nodes {
            for axis in (0..3).filter(|axis| fixed[node] >> axis & 1 == 1) {
                let row = middle.row(parts.points[node], axis);
                (0..6).for_each(|i| (0..6).for_each(|j| held[i][j] += row[i] * row[j]));
            }
        }
        let own = orthonormal(kernel(held), parts, nodes, &middle, masses);
        for &node in nodes {
            all.first[node] = all.count as u32;
            for axis in (0..3).filter(|axis| fixed[node] >> axis & 1 == 0) {
                let row = middle.row(parts.points[node], axis);
                for (k, motion) in own.iter().enumerate() {
                    all.values[3 * node + axis][k] = product(&row, motion);
                }
            }
        }
        all.count += own.len();
    }
    all
}
fn product(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
/// A basis of the vectors that a positive semidefinite matrix takes to 0, by elimination with the greatest
/// pivots.
fn kernel(mut a: [[f64; 6]; 6]) -> Vec<[f64; 6]> {
    let greatest = (0..6).map(|i| a[i][i]).fold(0.0, f64::max);
    let mut pivots = vec![];
    loop {
        let left = (0..6).filter(|i| !pivots.contains(i));
        let Some(pivot) = left.max_by(|&i, &j| a[i][i].total_cmp(&a[j][j])) else { break };
        if a[pivot][pivot] <= SINGULAR * greatest {
            break;
        }
        let by = 1.0 / a[pivot][pivot];
        a[pivot].iter_mut().for_each(|x| *x *= by);
        let row = a[pivot];
        for (_, other) in a.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
            let factor = other[pivot];
            other.iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
        }
        pivots.push(pivot);
    }
    let of = |free: usize| {
        let mut motion = [0.0; 6];
        motion[free] = 1.0;
        pivots.iter().for_each(|&pivot| motion[pivot] = -a[pivot][free]);
        motion
    };
    (0..6).filter(|i| !pivots.contains(i)).map(of).collect()
}
/// Motions of a part with unit length, orthogonal to each other, in the product of masses (Gram and Schmidt's
/// method, twice). A part that turns around a line without width has fewer.
fn orthonormal(
    mut motions: Vec<[f64; 6]>,
    parts: &Parts,
    nodes: &[usize],
    middle: &Middle,
    masses: &[f64],
) -> Vec<[f64; 6]> {
    let mut gram = [[0.0; 6]; 6];
    for &node in nodes {
        for axis in 0..3 {
            let row = middle.row(parts.points[node], axis);
            (0..6).for_each(|i| (0..6).for_each(|j| gram[i][j] += masses[node] * row[i] * row[j]));
        }
    }
    let times = |a: &[f64; 6], b: &[f64; 6]| (0..6).map(|i| a[i] * product(&gram[i], b)).sum::<f64>();
    let mut done: Vec<[f64; 6]> = vec![];
    for motion in &mut motions {
        for _ in 0..2 {
            for other in &done {
                let along = times(other, motion);
                motion.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
            }
        }
        let length = times(motion, motion).sqrt();
        if length > 0.0 {
            done.push(motion.map(|x| x / length));
        }
    }
    done
}

/// About the least c² / a⁴ of the parts, where a and c are the greatest and the least standard deviation of
/// their masses: times Young's modulus by the density, the lowest ω² of a slender bar, a plate or a compact
/// body is some hundredths to some times as much.
pub fn low(parts: &Parts, masses: &[f64]) -> f64 {
    let of = |nodes: &Vec<usize>| {
        let mass: f64 = nodes.iter().map(|&node| masses[node]).sum();
        let middle = nodes.iter().map(|&node| parts.points[node] * masses[node]).sum::<DVec3>() / mass;
        let mut spread = [0.0; 6];
        for &node in nodes {
            let x = parts.points[node] - middle;
            let products = [x.x * x.x, x.y * x.y, x.z * x.z, x.x * x.y, x.y * x.z, x.z * x.x];
            spread.iter_mut().zip(products).for_each(|(sum, product)| *sum += product * masses[node] / mass);
        }
        let [a, _, c] = principal(spread);
        c.max(f64::EPSILON * a) / (a * a)
    };
    parts.nodes.iter().map(of).fold(f64::INFINITY, f64::min) / LOWER
}
/// The lowest ω² of a bar that is held at an end is 0.086 times the number of [`low`].
const LOWER: f64 = 12.0;

#[cfg(test)]
mod tests {
    use super::{kernel, product};

    /// Rows of supports of a plane: two motions and one rotation are left.
    #[test]
    fn kernels() {
        assert_eq!(kernel([[0.0; 6]; 6]).len(), 6);
        let rows =
            [[0.0, 0.0, 1.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, -0.7, 0.0], [0.0, 0.0, 1.0, 0.2, 0.3, 0.0]];
        let mut a = [[0.0; 6]; 6];
        for row in rows {
            (0..6).for_each(|i| (0..6).for_each(|j| a[i][j] += row[i] * row[j]));
        }
        let left = kernel(a);
        assert_eq!(left.len(), 3);
        for motion in &left {
            assert!(rows.iter().all(|row| product(row, motion).abs() < 1e-12), "{motion:?}");
        }
    }
}
