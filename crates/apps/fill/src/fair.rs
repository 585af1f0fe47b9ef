//! Fillings that continue the curvature around them.
use crate::sheet::Sheet;
use glam::DVec3;

/// Cotangents beyond this are those of slivers, and would outweigh all others.
const COTANGENT: f64 = 20.0;
/// Residual at which the iteration ends, relative to the first.
const TOLERANCE: f64 = 1e-7;
/// Most iterations.
const ITERATIONS: usize = 4000;
/// Smallest mass of a vertex, relative to the mean.
const MASS: f64 = 1e-3;

/// A vertex of a face: one of the sheet, or a place outside, which stays.
#[derive(Clone, Copy)]
pub(crate) enum Corner {
    Own(u32),
    Outside(DVec3),
}

/// Moves the vertices of a sheet behind its loop to where the integral of the squared Laplacian is least: the Laplacian
/// with cotangent weights, at these vertices and at those of the loop, where it takes in the faces `outside`. That is the
/// second-order fairing of Liepa 2003 in a symmetric form, solved by conjugate gradients. Returns whether these met
/// their tolerance; the vertices stay where they are if the result is not finite.
pub(crate) fn fair(sheet: &mut Sheet, outside: &[[Corner; 3]]) -> bool {
    let (rim, n) = (sheet.rim, sheet.points.len());
    if rim == n {
        return true;
    }
    let system = System::of(sheet, outside);
    let mut x = sheet.points[rim..].to_vec();
    let converged = system.solve(&mut x);
    if x.iter().all(|p| p.is_finite()) {
        sheet.points[rim..].copy_from_slice(&x);
        return converged;
    }
    false
}

/// Rows of the Laplacian, divided by the roots of the masses: one for each vertex of the sheet, with a column for each
/// vertex behind the loop.
struct System {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// What the vertices that stay add to each row.
    fixed: Vec<DVec3>,
    /// Number of columns.
    unknowns: usize,
}

impl System {
    fn of(sheet: &Sheet, outside: &[[Corner; 3]]) -> Self {
        let (rim, n) = (sheet.rim, sheet.points.len());
        let own = |&face: &[u32; 3]| face.map(Corner::Own);
        let all = || sheet.faces.iter().map(own).chain(outside.iter().copied());
        let place = |corner: Corner| match corner {
            Corner::Own(v) => sheet.points[v as usize],
            Corner::Outside(place) => place,
        };
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
                let weight = 0.5 * cotangent.clamp(-COTANGENT, COTANGENT);
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
        entries.sort_unstable_by_key(|entry| (entry.0, entry.1));
        let least = MASS * masses.iter().sum::<f64>() / n as f64;
        let roots: Vec<f64> =
            masses.iter().map(|mass| mass.max(least).max(f64::MIN_POSITIVE).sqrt()).collect();
        fixed.iter_mut().zip(&roots).for_each(|(fixed, root)| *fixed /= *root);
        let mut system = Self { offsets: vec![0], columns: vec![], values: vec![], fixed, unknowns: n - rim };
        let mut row = 0;
        for same in entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (at, column, _) = same[0];
            while row < at {
                system.offsets.push(system.columns.len() as u32);
                row += 1;
            }
            system.columns.push(column);
            system.values.push(same.iter().map(|entry| entry.2).sum::<f64>() / roots[at as usize]);
        }
        system.offsets.resize(n + 1, system.columns.len() as u32);
        system
    }
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.offsets[i] as usize..self.offsets[i + 1] as usize;
        self.columns[range.clone()].iter().map(|&j| j as usize).zip(self.values[range].iter().copied())
    }
    /// y = transpose of the rows times (rows times x).
    fn apply(&self, x: &[DVec3], y: &mut [DVec3]) {
        y.fill(DVec3::ZERO);
        for i in 0..self.fixed.len() {
            let value: DVec3 = self.row(i).map(|(j, value)| x[j] * value).sum();
            self.row(i).for_each(|(j, other)| y[j] += value * other);
        }
    }
    /// Preconditioned conjugate gradients, for the three coordinates side by side.
    fn solve(&self, x: &mut [DVec3]) -> bool {
        let n = self.unknowns;
        let mut diagonal = vec![0.0; n];
        let mut r = vec![DVec3::ZERO; n];
        for (i, fixed) in self.fixed.iter().enumerate() {
            for (j, value) in self.row(i) {
                diagonal[j] += value * value;
                r[j] -= *fixed * value;
            }
        }
        // relative to what the vertices that stay add: the first residual may be 0
        let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| *a * *b).sum::<DVec3>();
        let precondition = |r: &[DVec3], z: &mut [DVec3]| {
            z.iter_mut().zip(r).zip(&diagonal).for_each(|((z, r), d)| *z = *r / d.max(f64::MIN_POSITIVE));
        };
        let mut z = vec![DVec3::ZERO; n];
        precondition(&r, &mut z);
        let scale = dot(&r, &z);
        let mut q = vec![DVec3::ZERO; n];
        self.apply(x, &mut q);
        r.iter_mut().zip(&q).for_each(|(r, q)| *r -= *q);
        precondition(&r, &mut z);
        let mut p = z.clone();
        let mut rho = dot(&r, &z);
        let goal = TOLERANCE * TOLERANCE * rho.max(scale * f64::EPSILON).max(DVec3::splat(f64::MIN_POSITIVE));
        let quotient = |a: DVec3, b: DVec3| DVec3::select(b.cmpgt(DVec3::ZERO), a / b, DVec3::ZERO);
        for _ in 0..ITERATIONS {
            if rho.cmple(goal).all() {
                return true;
            }
            self.apply(&p, &mut q);
            let alpha = quotient(rho, dot(&p, &q));
            for i in 0..n {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            precondition(&r, &mut z);
            let next = dot(&r, &z);
            let beta = quotient(next, rho);
            rho = next;
            p.iter_mut().zip(&z).for_each(|(p, z)| *p = *z + beta * *p);
        }
        rho.cmple(goal).all()
    }
}
