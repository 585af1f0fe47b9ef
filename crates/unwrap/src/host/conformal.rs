//! Conformal maps of a disk: by least squares, and by an eigenvector.
//!
//! With complex positions u, the part of a triangle's map that turns angles over is Σ u d over its corners,
//! where d is half of the gradient of the function that is 1 at the corner. The conformal energy is the
//! integral of its square, uᴴ H u, 0 for a map that keeps angles (Lévy and others, *Least squares conformal
//! maps for automatic texture atlas generation*, 2002).
use super::disk::{Disk, Glued};
use super::lanczos::{Pairs, greatest};
use super::matrix::{Matrix, by_places};
use super::parameterize::ParameterizeError;
use crate::device::chart::{area, weights};
use glam::DVec2;

/// The part of an average eigenvalue by which those of the spectral problem are shifted, so that the matrix
/// has a factorization. It changes no eigenvector.
const SHIFT: f64 = 1e-4;

/// The Hermitian matrix of the conformal energy, by rows. Four times its real part is the Laplacian.
pub struct Energy {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<DVec2>,
}
impl Energy {
    /// Adds the triangles of a disk.
    pub fn of(mesh: &Glued<'_>, disk: &Disk) -> Self {
        let mut entries = Vec::with_capacity(9 * disk.faces.len());
        for (rest, corners) in disk.shapes(mesh).into_iter().zip(&disk.corners) {
            let halves = [0, 1, 2].map(|k| 0.5 * weights(rest, k));
            for (row, a) in corners.iter().zip(halves) {
                let whole = area(rest);
                let products = halves.map(|b| whole * DVec2::new(a.dot(b), a.perp_dot(b)));
                entries.extend(corners.iter().zip(products).map(|(column, value)| ([*row, *column], value)));
            }
        }
        // entries are added in the order of faces
        let entries = by_places(disk.vertices, entries);
        let mut all = Self { starts: vec![0; disk.vertices + 1], columns: vec![], values: vec![] };
        for same in entries.chunk_by(|a, b| a.0 == b.0) {
            let [row, column] = same[0].0;
            all.columns.push(column);
            all.values.push(same.iter().map(|entry| entry.1).sum());
            all.starts[row as usize + 1] = all.columns.len() as u32;
        }
        all
    }
    /// The Laplacian with cotangents, positive semidefinite.
    pub fn laplacian(&self) -> Result<Matrix, ParameterizeError> {
        let values = self.values.iter().map(|value| 4.0 * value.x).collect();
        Matrix::new(self.starts.clone(), self.columns.clone(), values)
    }
    /// The matrix for real unknowns: those of vertex v are 2 v and 2 v + 1.
    fn of_pairs(&self) -> Result<Matrix, ParameterizeError> {
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for row in self.starts.windows(2) {
            let range = row[0] as usize..row[1] as usize;
            for turned in [false, true] {
                for (column, value) in self.columns[range.clone()].iter().zip(&self.values[range.clone()]) {
                    columns.extend([2 * column, 2 * column + 1]);
                    values.extend(if turned { [value.y, value.x] } else { [value.x, -value.y] });
                }
                starts.push(columns.len() as u32);
            }
        }
        Matrix::new(starts, columns, values)
    }
}

/// The map of least conformal energy in which two vertices of the boundary, far from each other in space,
/// keep their distance.
pub fn least_squares(mesh: &Glued<'_>, disk: &Disk) -> Result<Vec<DVec2>, ParameterizeError> {
    let at = disk.in_space(mesh);
    let boundary = &disk.loops[0];
    let farthest = |from: u32| {
        let distance = |v: &u32| at[*v as usize].distance_squared(at[from as usize]);
        let others = boundary.iter().copied().filter(|v| *v != from);
        others.max_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(from)
    };
    let first = farthest(boundary[0]);
    let second = farthest(first);
    let distance = at[first as usize].distance(at[second as usize]);
    let distance = if distance > 0.0 { distance } else { 1.0 };
    let matrix = Energy::of(mesh, disk).of_pairs()?;
    let held = (0..2 * disk.vertices).map(|i| [first, second].contains(&(i as u32 / 2))).collect();
    let factored = matrix.factored(held)?;
    let x = factored
        .solve(&vec![0.0; 2 * disk.vertices], |i| if i == 2 * second as usize { distance } else { 0.0 })?;
    Ok(x.chunks_exact(2).map(DVec2::from_slice).collect())
}

/// The map of least conformal energy of those whose squared distances from the mean of the boundary add up to
/// 1 there: the lowest eigenvector of H u = λ B u that is not constant, where B is 1 at vertices of the
/// boundary (Mullen, Tong, Alliez and Desbrun, *Spectral conformal parameterization*, 2008). Also the number
/// of systems solved, and whether the eigenvector was found.
pub fn spectral(mesh: &Glued<'_>, disk: &Disk) -> Result<(Vec<DVec2>, Pairs), ParameterizeError> {
    let boundary = &disk.loops[0];
    let mut matrix = Energy::of(mesh, disk).of_pairs()?;
    let shift = SHIFT / boundary.len() as f64;
    let mut outer = vec![false; disk.vertices];
    boundary.iter().for_each(|&v| outer[v as usize] = true);
    matrix.add_to_diagonal(|i| if outer[i / 2] { shift } else { 0.0 });
    let factored = matrix.factored(vec![false; 2 * disk.vertices])?;
    // from values at the boundary to those everywhere
    let spread = |values: &[DVec2]| {
        let mut b = vec![0.0; 2 * disk.vertices];
        for (v, value) in boundary.iter().zip(values) {
            (b[2 * *v as usize], b[2 * *v as usize + 1]) = (value.x, value.y);
        }
        let x = factored.solve(&b, |_| 0.0)?;
        Ok::<_, ParameterizeError>(x.chunks_exact(2).map(DVec2::from_slice).collect::<Vec<_>>())
    };
    let places = disk.boundary(mesh);
    let start = boundary.iter().map(|&v| DVec2::from_angle(std::f64::consts::TAU * places[v as usize]));
    let pairs = greatest(start.collect(), |values| {
        let all = spread(values)?;
        Ok::<_, ParameterizeError>(boundary.iter().map(|&v| all[v as usize]).collect())
    })?;
    Ok((spread(&pairs.vector)?, pairs))
}
