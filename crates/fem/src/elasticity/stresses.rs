//! Stresses of cells, and stresses of vertices computed from them.
use super::materials::Materials;
use crate::{Derivatives, HostField, Lame};
use rayon::prelude::*;
use ribbonmesh::glam::DVec3;

/// Six numbers of a symmetric tensor: xx, yy, zz, xy, yz, zx.
pub type Tensor = [f64; 6];

/// Stresses of cells and of vertices, and the difference between them.
pub struct Stresses {
    /// The stress at the middle of each cell.
    pub cells: Vec<Tensor>,
    /// The stress at each vertex; 0 if it belongs to no cell.
    pub vertices: Vec<Tensor>,
    /// Volumes of cells.
    pub volumes: Vec<f64>,
    /// The energy of the differences between the stresses of cells and those of vertices.
    pub difference: f64,
}

/// The stress of a displacement's gradient, with a given change of volume, which may differ from that of the
/// gradient: 2 μ ε + λ tr I.
fn stress(g: &Derivatives<3>, trace: f64, Lame { lambda, mu }: Lame) -> Tensor {
    let both = |i: usize, j: usize| mu * (g[i][j] + g[j][i]);
    let volume = lambda * trace;
    [both(0, 0) + volume, both(1, 1) + volume, both(2, 2) + volume, both(0, 1), both(1, 2), both(2, 0)]
}
fn trace(g: &Derivatives<3>) -> f64 {
    g[0][0] + g[1][1] + g[2][2]
}
/// Twice the energy of a stress per volume: σ : C⁻¹ : σ.
fn energy([xx, yy, zz, xy, yz, zx]: Tensor, Lame { lambda, mu }: Lame) -> f64 {
    let all = xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + zx * zx);
    let sum = xx + yy + zz;
    (all - lambda / (3.0 * lambda + 2.0 * mu) * sum * sum) / (2.0 * mu)
}
fn plus(a: Tensor, b: Tensor, by: f64) -> Tensor {
    std::array::from_fn(|k| a[k] + by * b[k])
}

/// Number of cells whose stresses are in memory at a time.
const CHUNK: usize = 1 << 14;
/// Stresses at the corners of a cell, which has at most eight.
type Corners = [Tensor; 8];

/// Stresses at the corners of a cell, and its volume.
fn at_corners(field: &HostField<3>, cell: usize, lame: Lame) -> Corners {
    let mut all = [[0.0; 6]; 8];
    // the stiffness of such hexahedra uses the mean change of volume
    let mean = if lame.is_nearly_incompressible() { field.mean_of_hexahedron(cell) } else { None };
    field.at_corners(cell, |k, g| all[k] = stress(&g, trace(mean.as_ref().unwrap_or(&g)), lame));
    all
}

/// How stresses follow from displacements, whose gradients at the middles of cells are known: nine numbers
/// each.
#[derive(Clone, Copy)]
pub enum Law<'a> {
    /// Small displacements.
    Linear(&'a [f64]),
    /// Neo-Hookean tetrahedra of order 1, in each of which the gradient is the same everywhere: the stress
    /// per area as it is deformed (Cauchy).
    NeoHookean(&'a [f64]),
}
impl Law<'_> {
    fn middle(self, field: &HostField<3>, cell: usize, lame: Lame) -> Tensor {
        let (Self::Linear(all) | Self::NeoHookean(all)) = self;
        let g = &all[9 * cell..9 * (cell + 1)];
        let g: Derivatives<3> = std::array::from_fn(|i| std::array::from_fn(|j| g[3 * i + j]));
        match self {
            Self::NeoHookean(_) => neo_hookean(&g, lame),
            Self::Linear(_) => {
                let mean =
                    if lame.is_nearly_incompressible() { field.mean_of_hexahedron(cell) } else { None };
                stress(&g, trace(mean.as_ref().unwrap_or(&g)), lame)
            }
        }
    }
    fn at_corners(self, field: &HostField<3>, cell: usize, lame: Lame) -> Corners {
        match self {
            Self::Linear(_) => at_corners(field, cell, lame),
            Self::NeoHookean(_) => [self.middle(field, cell, lame); 8],
        }
    }
}
/// The stress (μ (F Fᵀ - I) + λ ln J I) / J of a displacement's gradient, where F is that plus I.
fn neo_hookean(g: &Derivatives<3>, Lame { lambda, mu }: Lame) -> Tensor {
    let f: Derivatives<3> =
        std::array::from_fn(|i| std::array::from_fn(|j| g[i][j] + f64::from(u8::from(i == j))));
    let [a, b, c] = f.map(DVec3::from_array);
    let volume = a.dot(b.cross(c));
    let (shape, all) = (mu / volume, lambda * volume.ln() / volume);
    let on = |row: DVec3| shape * (row.length_squared() - 1.0) + all;
    [on(a), on(b), on(c), shape * a.dot(b), shape * b.dot(c), shape * c.dot(a)]
}

/// Runs `f` for each cell of a material with the stresses at its corners, in order.
fn for_each(
    (field, law): (&HostField<3>, Law<'_>),
    materials: &Materials,
    material: usize,
    mut f: impl FnMut(usize, &Corners),
) {
    for first in (0..field.cells()).step_by(CHUNK) {
        let cells = first..field.cells().min(first + CHUNK);
        let own = |cell: usize| {
            let mine = materials.index(cell) == material;
            mine.then(|| (cell, law.at_corners(field, cell, materials.lame(cell))))
        };
        let made: Vec<Option<(usize, Corners)>> = cells.into_par_iter().map(own).collect();
        made.iter().flatten().for_each(|(cell, corners)| f(*cell, corners));
    }
}

/// Computes the stresses of a displacement.
///
/// The stress of a vertex is the mean of the stresses of the cells around it at that vertex, as in CalculiX
/// and other programs. Where several materials meet, stresses jump; there it is the mean within the material
/// with the greatest von Mises stress. The difference between the stresses of cells and of vertices is an
/// estimate of the error (Zienkiewicz and Zhu 1987).
pub fn all(field: &HostField<3>, law: Law<'_>, materials: &Materials, vertices: usize) -> Stresses {
    let middle = |cell: usize| law.middle(field, cell, materials.lame(cell));
    let cells: Vec<Tensor> = (0..field.cells()).into_par_iter().map(middle).collect();
    let volumes: Vec<f64> = (0..field.cells()).into_par_iter().map(|cell| field.volume(cell)).collect();
    let mut chosen = vec![[0.0; 6]; vertices];
    let mut difference = 0.0;
    for material in 0..materials.count() {
        let mut sums = vec![([0.0; 6], 0_u32); vertices];
        for_each((field, law), materials, material, |cell, corners| {
            for (v, stress) in field.corners(cell).zip(corners) {
                sums[v] = (plus(sums[v].0, *stress, 1.0), sums[v].1 + 1);
            }
        });
        for (sum, count) in &mut sums {
            *sum = plus([0.0; 6], *sum, 1.0 / f64::from((*count).max(1)));
        }
        for_each((field, law), materials, material, |cell, corners| {
            let lame = materials.lame(cell);
            let count = field.corners(cell).count();
            // differences are linear in a tetrahedron, and treated as linear in a hexahedron
            let share = if count == 4 { 0.2 } else { 1.0 / 3.0 };
            let (mut mean, mut squares) = ([0.0; 6], 0.0);
            for (v, stress) in field.corners(cell).zip(corners) {
                let apart = plus(sums[v].0, *stress, -1.0);
                mean = plus(mean, apart, 1.0 / count as f64);
                squares += energy(apart, lame) / count as f64;
            }
            difference += 0.5 * volumes[cell] * ((1.0 - share) * energy(mean, lame) + share * squares);
        });
        for (own, (stress, count)) in chosen.iter_mut().zip(sums) {
            if count > 0 && (material == 0 || von_mises(stress) >= von_mises(*own)) {
                *own = stress;
            }
        }
    }
    Stresses { cells, vertices: chosen, volumes, difference }
}

/// The von Mises stress.
pub fn von_mises([xx, yy, zz, xy, yz, zx]: Tensor) -> f64 {
    let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
}
/// The principal stresses, the greatest first: eigenvalues by the angle of the deviator's invariants (Smith
/// 1961).
pub fn principal([xx, yy, zz, xy, yz, zx]: Tensor) -> [f64; 3] {
    let mean = (xx + yy + zz) / 3.0;
    let (a, b, c) = (xx - mean, yy - mean, zz - mean);
    let size = ((a * a + b * b + c * c + 2.0 * (xy * xy + yz * yz + zx * zx)) / 6.0).sqrt();
    if size == 0.0 {
        return [mean; 3];
    }
    let [a, b, c, xy, yz, zx] = [a, b, c, xy, yz, zx].map(|x| x / size);
    let determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * zx) + zx * (xy * yz - b * zx);
    let angle = (determinant / 2.0).clamp(-1.0, 1.0).acos() / 3.0;
    let first = mean + 2.0 * size * angle.cos();
    let last = mean + 2.0 * size * (angle + 2.0 * std::f64::consts::FRAC_PI_3).cos();
    [first, 3.0 * mean - first - last, last]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: [f64; 3], b: [f64; 3]) {
        let scale = b.iter().fold(1e-300_f64, |most, x| most.max(x.abs()));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-7 * scale), "{a:?}, not {b:?}");
    }
    #[test]
    fn principal_stresses() {
        close(principal([3.0, 1.0, 2.0, 0.0, 0.0, 0.0]), [3.0, 2.0, 1.0]);
        close(principal([0.0, 0.0, 0.0, 5.0, 0.0, 0.0]), [5.0, 0.0, -5.0]);
        close(
            principal(
                [7.0; 3]
                    .map(|x| x * 1e9)
                    .into_iter()
                    .chain([0.0; 3])
                    .collect::<Vec<_>>()
                    .try_into()
                    .expect("six"),
            ),
            [7e9; 3],
        );
        close(principal([0.0; 6]), [0.0; 3]);
        // turned by 45 degrees around z: 4 along x + y, 2 along x - y
        close(principal([3.0, 3.0, -1.0, 1.0, 0.0, 0.0]), [4.0, 2.0, -1.0]);
        // almost the same in all directions
        close(principal([1.0, 1.0, 1.0, 1e-12, 0.0, 0.0]), [1.0; 3]);
    }
    #[test]
    fn von_mises_of_simple_stresses() {
        assert!((von_mises([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]) - 2.0).abs() < 1e-12);
        assert!((von_mises([0.0, 0.0, 0.0, 1.0, 0.0, 0.0]) - 3.0_f64.sqrt()).abs() < 1e-12);
        assert!(von_mises([5.0, 5.0, 5.0, 0.0, 0.0, 0.0]) < 1e-12);
    }
}
