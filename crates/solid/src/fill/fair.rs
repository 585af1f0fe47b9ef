//! Fillings that continue the curvature around them.
use crate::fill::around::NONE;
use crate::fill::sheet::Sheet;
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::Result;
use ribbonmesh_linear::{Cholesky, Elimination};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// Limits of cotangents: greater ones are those of slivers, and would outweigh all others.
const COTANGENT: [f64; 2] = [-1.0, 10.0];
/// Greatest ratio of the area of a filling to the area before, for one step. A larger filling does not
/// continue the surface.
const LARGER: f64 = 4.0;
/// Residual at which the iteration ends, relative to the first, in the norm of the preconditioner.
const TOLERANCE: f64 = 1e-4;
/// Residual, relative to the first, that is accepted if the iteration reaches its limit.
const ACCEPTED: f64 = 1e-2;
/// Most iterations, and a limit of the number of visits to vertices in all of them.
const ITERATIONS: usize = 2000;
const VISITS: usize = 10_000_000;
/// Smallest mass of a vertex, relative to the mean.
const MASS: f64 = 1e-3;
/// Least number of rows of a matrix that is factored: of thin plates, and of harmonic sizes, which conjugate
/// gradients find in few iterations.
const PLATE_FACTORED: usize = 100;
const SIZE_FACTORED: usize = 10_000;
/// Most rows of a matrix that is factored.
const MOST_FACTORED: usize = 50_000;
/// Least number of rows that one task multiplies.
const TOGETHER: usize = 512;

/// A vertex of a face: a vertex of the sheet, or a point outside, which stays.
#[derive(Clone, Copy)]
pub(crate) enum Corner {
    Own(u32),
    Outside(DVec3),
}

/// Moves the vertices of a sheet that are not on its loop so that the integral of the squared difference
/// between the Laplacian of the positions and its goal is least. The Laplacian has cotangent weights; it is
/// taken at these vertices and at those of the loop, where it includes the faces `outside`. With the goal 0
/// this is the second-order fairing of Liepa 2003 in a symmetric form, a thin plate. With `bent`, the goal
/// has the direction of the normals, and its size is harmonic between the sizes at the loop: the plate is
/// bent like the surface around it, so that a part of a sphere stays one. Returns whether conjugate gradients
/// converged; `None` if the vertices stay where they are because the result is not finite, or much larger
/// than before.
pub(crate) fn fair(sheet: &mut Sheet, outside: &[[Corner; 3]], bent: bool) -> Result<Option<bool>> {
    let (rim, n) = (sheet.rim, sheet.points.len());
    if rim == n {
        return Ok(Some(true));
    }
    let mut system = System::of(sheet, outside);
    let mut x = sheet.points[rim..].to_vec();
    if bent {
        let normals = normals(sheet, outside);
        system.bend(&x, &normals)?;
    }
    let converged = system.solve(&mut x, PLATE_FACTORED)?;
    let before = (sheet.area(), sheet.points.clone());
    sheet.points[rim..].copy_from_slice(&x);
    // false also if the area is not a number
    if sheet.area() <= LARGER * before.0 {
        return Ok(Some(converged));
    }
    sheet.points = before.1;
    Ok(None)
}

/// Unit normals of the vertices of a sheet, by the areas of the faces, those outside included.
fn normals(sheet: &Sheet, outside: &[[Corner; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; sheet.points.len()];
    let own = |&face: &[u32; 3]| face.map(Corner::Own);
    for corners in sheet.faces.iter().map(own).chain(outside.iter().copied()) {
        let [a, b, c] = corners.map(|corner| corner.place(sheet));
        let normal = (b - a).cross(c - a);
        for corner in corners {
            if let Corner::Own(v) = corner {
                normals[v as usize] += normal;
            }
        }
    }
    normals.iter().map(|normal| normal.normalize_or_zero()).collect()
}

impl Corner {
    fn place(self, sheet: &Sheet) -> DVec3 {
        match self {
            Self::Own(v) => sheet.points[v as usize],
            Self::Outside(place) => place,
        }
    }
}

/// A sparse matrix by its rows.
#[derive(Default)]
struct Rows {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}
impl Rows {
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.offsets[i] as usize..self.offsets[i + 1] as usize;
        self.columns[range.clone()].iter().map(|&j| j as usize).zip(self.values[range].iter().copied())
    }
    /// The transpose, with this many rows; entries of a row ascend.
    fn transposed(&self, rows: usize) -> Self {
        let mut offsets = vec![0; rows + 1];
        self.columns.iter().for_each(|j| offsets[*j as usize + 1] += 1);
        (0..rows).for_each(|j| offsets[j + 1] += offsets[j]);
        let (mut columns, mut values) = (vec![0; self.columns.len()], vec![0.0; self.values.len()]);
        let mut next = offsets.clone();
        for i in 0..self.offsets.len() - 1 {
            for (j, value) in self.row(i) {
                let at = next[j] as usize;
                (columns[at], values[at]) = (i as u32, value);
                next[j] += 1;
            }
        }
        Self { offsets, columns, values }
    }
    /// Adds a row, whose entries ascend.
    fn push(&mut self, row: impl Iterator<Item = (u32, f64)>) {
        row.for_each(|(column, value)| {
            self.columns.push(column);
            self.values.push(value);
        });
        self.offsets.push(self.columns.len() as u32);
    }
    /// The product with the matrix of which this is the transpose; entries of a row ascend.
    fn times_transpose(&self, transpose: &Self) -> Self {
        let n = self.offsets.len() - 1;
        let mut product = Self { offsets: vec![0], ..Self::default() };
        let (mut sums, mut last) = (vec![0.0; n], vec![NONE; n]);
        let mut met: Vec<u32> = vec![];
        for j in 0..n {
            for (i, factor) in self.row(j) {
                for (k, value) in transpose.row(i) {
                    if last[k] != j as u32 {
                        (last[k], sums[k]) = (j as u32, 0.0);
                        met.push(k as u32);
                    }
                    sums[k] += factor * value;
                }
            }
            product.push(met.drain(..).map(|k| (k, sums[k as usize])));
        }
        // it is symmetric, and transposing puts rows in order
        product.transposed(n)
    }
    /// y = the rows times x, on all threads where that is worth it; the same bits on any number of them.
    fn times(&self, x: &[DVec3], y: &mut [DVec3]) {
        let product = |(i, y): (usize, &mut DVec3)| *y = self.row(i).map(|(j, value)| x[j] * value).sum();
        y.par_iter_mut().enumerate().with_min_len(TOGETHER).for_each(product);
    }
}

/// Rows of the Laplacian, divided by the roots of the masses: one for each vertex of the sheet, with a column
/// for each vertex that is not on the loop.
struct System {
    rows: Rows,
    /// Contribution of the vertices that stay to each row.
    fixed: Vec<DVec3>,
    /// Roots of the masses.
    roots: Vec<f64>,
    /// Number of columns.
    unknowns: usize,
}

impl System {
    fn of(sheet: &Sheet, outside: &[[Corner; 3]]) -> Self {
        let (rim, n) = (sheet.rim, sheet.points.len());
        let own = |&face: &[u32; 3]| face.map(Corner::Own);
        let all = || sheet.faces.iter().map(own).chain(outside.iter().copied());
        let place = |corner: Corner| corner.place(sheet);
        let mut masses = vec![0.0; n];
        let mut fixed = vec![DVec3::ZERO; n];
        let mut diagonal = vec![0.0; n];
        let mut entries: Vec<(u32, u32, f64)> = vec![];
        for corners in all() {
            let places = corners.map(place);
            let double_area = (places[1] - places[0]).cross(places[2] - places[0]).length();
            for i in 0..3 {
                let (a, b) = (corners[(i + 1) % 3], corners[(i + 2) % 3]);
                if let Corner::Own(v) = corners[i] {
                    masses[v as usize] += double_area / 6.0;
                }
                let (u, v) = (places[(i + 1) % 3] - places[i], places[(i + 2) % 3] - places[i]);
                let cotangent = u.dot(v) / double_area.max(f64::MIN_POSITIVE);
                let weight = 0.5 * cotangent.clamp(COTANGENT[0], COTANGENT[1]);
                for (from, to) in [(a, b), (b, a)] {
                    let Corner::Own(row) = from else { continue };
                    diagonal[row as usize] -= weight;
                    match to {
                        Corner::Own(v) if v as usize >= rim => entries.push((row, v - rim as u32, weight)),
                        to => fixed[row as usize] += weight * place(to),
                    }
                }
            }
        }
        for v in 0..n {
            if v >= rim {
                entries.push((v as u32, (v - rim) as u32, diagonal[v]));
            } else {
                fixed[v] += diagonal[v] * sheet.points[v];
            }
        }
        let least = MASS * masses.iter().sum::<f64>() / n as f64;
        let roots: Vec<f64> =
            masses.iter().map(|mass| mass.max(least).max(f64::MIN_POSITIVE).sqrt()).collect();
        fixed.iter_mut().zip(&roots).for_each(|(fixed, root)| *fixed /= *root);
        let mut ends = vec![0; n + 1];
        entries.iter().for_each(|entry| ends[entry.0 as usize + 1] += 1);
        (0..n).for_each(|v| ends[v + 1] += ends[v]);
        let mut by_rows = vec![(0, 0.0); entries.len()];
        let mut next = ends.clone();
        for (row, column, weight) in entries {
            by_rows[next[row as usize]] = (column, weight);
            next[row as usize] += 1;
        }
        let mut rows = Rows { offsets: vec![0], ..Rows::default() };
        for (v, root) in roots.iter().enumerate() {
            let row = &mut by_rows[ends[v]..ends[v + 1]];
            row.sort_by_key(|entry| entry.0);
            let same = row.chunk_by(|a, b| a.0 == b.0);
            rows.push(same.map(|same| (same[0].0, same.iter().map(|entry| entry.1).sum::<f64>() / root)));
        }
        Self { rows, fixed, roots, unknowns: n - rim }
    }
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        self.rows.row(i)
    }
    /// Sets the goal of the Laplacian: along the normals, with its present size at the loop, and a harmonic
    /// size between.
    fn bend(&mut self, x: &[DVec3], normals: &[DVec3]) -> Result<()> {
        let (n, rim) = (self.unknowns, self.fixed.len() - self.unknowns);
        let laplacian = |i: usize| {
            let sum: DVec3 = self.row(i).map(|(j, value)| x[j] * value).sum();
            (sum + self.fixed[i]) / self.roots[i]
        };
        let mut sizes: Vec<f64> = (0..rim).map(|i| laplacian(i).dot(normals[i])).collect();
        // rows of the loop have the weights between its vertices and the others; the sign makes the matrix
        // positive
        let mut b = vec![0.0; n];
        for (i, size) in sizes.iter().enumerate() {
            self.row(i).for_each(|(j, value)| b[j] += value * self.roots[i] * size);
        }
        let mut diagonal = vec![0.0; n];
        for (j, diagonal) in diagonal.iter_mut().enumerate() {
            let own = self.row(rim + j).find(|(column, _)| *column == j);
            *diagonal = -own.map_or(0.0, |(_, value)| value) * self.roots[rim + j];
        }
        let inner = || {
            let mut inner = Rows { offsets: vec![0], ..Rows::default() };
            for j in 0..n {
                inner.push(self.row(rim + j).map(|(k, value)| (k as u32, -value * self.roots[rim + j])));
            }
            inner
        };
        let apply = |x: &[f64], y: &mut [f64]| {
            for (j, y) in y.iter_mut().enumerate() {
                let sum: f64 = self.row(rim + j).map(|(k, value)| x[k] * value).sum();
                *y = -sum * self.roots[rim + j];
            }
        };
        let preconditioner = Preconditioner::of(diagonal, SIZE_FACTORED, inner)?;
        let mut harmonic = vec![0.0; n];
        conjugate_gradients(apply, &preconditioner, &b, &mut harmonic)?;
        sizes.extend(harmonic);
        for (i, (size, normal)) in sizes.iter().zip(normals).enumerate() {
            self.fixed[i] -= *normal * (size * self.roots[i]);
        }
        Ok(())
    }
    /// Solves for the positions of least energy, by a factorization from a number of unknowns on.
    fn solve(&self, x: &mut [DVec3], factored: usize) -> Result<bool> {
        let mut diagonal = vec![0.0; self.unknowns];
        let mut b = vec![DVec3::ZERO; self.unknowns];
        for (i, fixed) in self.fixed.iter().enumerate() {
            for (j, value) in self.row(i) {
                diagonal[j] += value * value;
                b[j] -= *fixed * value;
            }
        }
        let (turned, mut between) =
            (self.rows.transposed(self.unknowns), vec![DVec3::ZERO; self.fixed.len()]);
        let squares = || turned.times_transpose(&self.rows);
        let preconditioner = Preconditioner::of(diagonal, factored, squares)?;
        let apply = |x: &[DVec3], y: &mut [DVec3]| {
            self.rows.times(x, &mut between);
            turned.times(&between, y);
        };
        conjugate_gradients(apply, &preconditioner, &b, x)
    }
}

/// The approximate inverse of a matrix in conjugate gradients.
enum Preconditioner {
    /// The diagonal.
    Jacobi(Vec<f64>),
    /// A factorization: one iteration remains, or a few where rounding makes it inexact.
    Factor(Cholesky),
}
impl Preconditioner {
    /// A factorization of a symmetric matrix with this diagonal and `factored` rows or more; the diagonal if
    /// it has fewer, or more than [`MOST_FACTORED`], or is not definite.
    /// # Errors
    /// Out of memory.
    fn of(diagonal: Vec<f64>, factored: usize, matrix: impl FnOnce() -> Rows) -> Result<Self> {
        if (factored..=MOST_FACTORED).contains(&diagonal.len()) {
            let Rows { offsets, columns, values } = matrix();
            let order = Elimination::new(offsets, columns)?;
            if let Some(factor) = Cholesky::if_definite(&order, &values)? {
                return Ok(Self::Factor(factor));
            }
        }
        Ok(Self::Jacobi(diagonal))
    }
    fn apply<V: Lanes>(&self, r: &[V], z: &mut [V]) -> Result<()> {
        match self {
            Self::Jacobi(diagonal) => {
                let quotient = |((z, r), d): ((&mut V, &V), &f64)| *z = *r / d.max(f64::MIN_POSITIVE);
                z.iter_mut().zip(r).zip(diagonal).for_each(quotient);
            }
            Self::Factor(factor) => {
                let mut b = Vec::with_capacity(r.len() * V::COUNT);
                r.iter().for_each(|r| r.write(&mut b));
                factor.solve(&mut b, V::COUNT)?;
                z.iter_mut().zip(b.chunks_exact(V::COUNT)).for_each(|(z, b)| *z = V::read(b));
            }
        }
        Ok(())
    }
}

/// Numbers of one unknown, for one right-hand side or three.
trait Lanes:
    Copy
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<f64, Output = Self>
    + AddAssign
    + SubAssign
    + Sum
{
    /// Number of right-hand sides.
    const COUNT: usize;
    /// The same number in all lanes.
    fn splat(x: f64) -> Self;
    fn greater(self, other: Self) -> Self;
    /// Whether no lane is greater.
    fn is_at_most(self, other: Self) -> bool;
    /// The quotient; 0 where the divisor is not positive.
    fn over(self, divisor: Self) -> Self;
    fn write(self, to: &mut Vec<f64>);
    fn read(from: &[f64]) -> Self;
}
impl Lanes for f64 {
    const COUNT: usize = 1;
    fn splat(x: f64) -> Self {
        x
    }
    fn greater(self, other: Self) -> Self {
        self.max(other)
    }
    fn is_at_most(self, other: Self) -> bool {
        self <= other
    }
    fn over(self, divisor: Self) -> Self {
        if divisor > 0.0 { self / divisor } else { 0.0 }
    }
    fn write(self, to: &mut Vec<f64>) {
        to.push(self);
    }
    fn read(from: &[f64]) -> Self {
        from[0]
    }
}
impl Lanes for DVec3 {
    const COUNT: usize = 3;
    fn splat(x: f64) -> Self {
        Self::splat(x)
    }
    fn greater(self, other: Self) -> Self {
        self.max(other)
    }
    fn is_at_most(self, other: Self) -> bool {
        self.cmple(other).all()
    }
    fn over(self, divisor: Self) -> Self {
        Self::select(divisor.cmpgt(Self::ZERO), self / divisor, Self::ZERO)
    }
    fn write(self, to: &mut Vec<f64>) {
        to.extend(self.to_array());
    }
    fn read(from: &[f64]) -> Self {
        Self::from_slice(from)
    }
}

/// Preconditioned conjugate gradients, for all right-hand sides at a time. Returns whether the last residuals
/// are small enough relative to the first.
fn conjugate_gradients<V: Lanes>(
    mut apply: impl FnMut(&[V], &mut [V]),
    preconditioner: &Preconditioner,
    b: &[V],
    x: &mut [V],
) -> Result<bool> {
    let n = x.len();
    let dot = |a: &[V], b: &[V]| a.iter().zip(b).map(|(a, b)| *a * *b).sum::<V>();
    let mut z = vec![V::default(); n];
    preconditioner.apply(b, &mut z)?;
    let scale = dot(b, &z);
    let mut q = vec![V::default(); n];
    apply(x, &mut q);
    let mut r: Vec<V> = b.iter().zip(&q).map(|(b, q)| *b - *q).collect();
    preconditioner.apply(&r, &mut z)?;
    let mut p = z.clone();
    let mut rho = dot(&r, &z);
    let square = |x: f64| V::splat(x * x);
    let least = rho.greater(scale * V::splat(f64::EPSILON)).greater(V::splat(f64::MIN_POSITIVE));
    let goal = square(TOLERANCE) * least;
    for _ in 0..ITERATIONS.min(VISITS / n.max(1)) {
        if rho.is_at_most(goal) {
            return Ok(true);
        }
        apply(&p, &mut q);
        let alpha = rho.over(dot(&p, &q));
        for i in 0..n {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        preconditioner.apply(&r, &mut z)?;
        let next = dot(&r, &z);
        let beta = next.over(rho);
        rho = next;
        p.iter_mut().zip(&z).for_each(|(p, z)| *p = *z + beta * *p);
    }
    Ok(rho.is_at_most(goal * square(ACCEPTED / TOLERANCE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wavy square of side² vertices, those of its loop first; inner ones are off by a part of an edge.
    fn square(side: usize) -> Sheet {
        let at = |i: usize, j: usize| j * side + i;
        let last = side - 1;
        let rim = (0..last).map(|i| at(i, 0)).chain((0..last).map(|j| at(last, j)));
        let rim = rim.chain((1..side).rev().map(|i| at(i, last))).chain((1..side).rev().map(|j| at(0, j)));
        let mut order: Vec<usize> = rim.collect();
        let loop_length = order.len();
        order.extend((1..last).flat_map(|j| (1..last).map(move |i| at(i, j))));
        let mut number = vec![0; side * side];
        order.iter().zip(0..).for_each(|(&v, n)| number[v] = n);
        let point = |(n, &v): (usize, &usize)| {
            let (x, y) = ((v % side) as f64 / last as f64, (v / side) as f64 / last as f64);
            let off = if n < loop_length { 0.0 } else { 0.3 * (v as f64 * 0.7).sin() / last as f64 };
            DVec3::new(x, y, 0.3 * (3.0 * x).sin() * (2.0 * y).cos() + off)
        };
        let points = order.iter().enumerate().map(point).collect();
        let number = &number;
        let corner = move |i: usize, j: usize| number[j * side + i];
        let faces = (0..last).flat_map(|j| {
            (0..last).flat_map(move |i| {
                let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
        });
        Sheet::new(loop_length, points, faces.collect(), vec![DVec3::Z; loop_length])
    }
    #[test]
    fn factors_and_iterations_find_the_same_plate() {
        let system = System::of(&square(24), &[]);
        let plates = [0, usize::MAX].map(|factored| {
            let mut x = vec![DVec3::ZERO; system.unknowns];
            assert!(system.solve(&mut x, factored).expect("memory"));
            x
        });
        let farthest = plates[0].iter().zip(&plates[1]).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        // iterations end at their tolerance
        assert!(farthest < 5e-3, "{farthest}");
        // where the energy is least, the rows are perpendicular to what is left
        let left: Vec<DVec3> = (0..system.fixed.len())
            .map(|i| system.row(i).map(|(j, value)| plates[0][j] * value).sum::<DVec3>() + system.fixed[i])
            .collect();
        let turned = system.rows.transposed(system.unknowns);
        for j in 0..system.unknowns {
            let sum: DVec3 = turned.row(j).map(|(i, value)| left[i] * value).sum();
            let size: f64 = turned.row(j).map(|(i, value)| left[i].length() * value.abs()).sum();
            assert!(sum.length() < 1e-8 * size, "row {j}: {sum} of {size}");
        }
    }
    #[test]
    fn a_matrix_that_is_not_definite_has_its_diagonal() {
        let mut matrix = Rows { offsets: vec![0], ..Rows::default() };
        matrix.push([(0, 1.0), (1, 2.0)].into_iter());
        matrix.push([(0, 2.0), (1, 1.0)].into_iter());
        let of = Preconditioner::of(vec![1.0; 2], 0, || matrix).expect("memory");
        assert!(matches!(of, Preconditioner::Jacobi(diagonal) if diagonal == [1.0, 1.0]));
    }
}
