//! Boundary-first flattening (Sawhney and Crane, *Boundary first flattening*, 2017).
//!
//! A conformal map is given by its scale eᵘ along the boundary, or by the curvature of the boundary in the
//! plane: one follows from the other by Cherrier's formula, k̃ = k + ∂u/∂n where Δu = K. Both give a closed
//! curve, whose inside is filled by harmonic functions.
use super::conformal::Energy;
use super::disk::{Disk, Glued};
use super::matrix::{Factored, Matrix};
use super::parameterize::ParameterizeError;
use glam::{DMat2, DMat3, DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// Rounds in which a boundary becomes a circle, at most.
const ROUNDS: u32 = 60;
/// Change of lengths at which it is one.
const SMALL: f64 = 1e-9;

/// A disk with the angles of its vertices and the lengths along its boundary.
struct Boundary<'a> {
    disk: &'a Disk,
    laplacian: &'a Matrix,
    /// 2π minus the angles of each vertex within, π minus those of one of the boundary.
    curvatures: Vec<f64>,
    /// The lengths of the boundary's edges, from each vertex of the loop to the next one.
    lengths: Vec<f64>,
    outer: Vec<bool>,
}
impl<'a> Boundary<'a> {
    fn new(mesh: &Glued<'_>, disk: &'a Disk, laplacian: &'a Matrix) -> Self {
        let at = disk.in_space(mesh);
        let side = |(from, to): (u32, u32)| at[from as usize].distance(at[to as usize]).max(1e-12);
        let mut outer = vec![false; disk.vertices];
        disk.loops[0].iter().for_each(|&v| outer[v as usize] = true);
        let mut curvatures: Vec<f64> = outer.iter().map(|&outer| if outer { PI } else { TAU }).collect();
        for (rest, corners) in disk.shapes(mesh).into_iter().zip(&disk.corners) {
            // the triangle 0 0, a 0, b c
            let (a, c) = (1.0 / rest.x, 1.0 / rest.z);
            let b = -rest.y * a * c;
            let (first, second) = (c.atan2(b), c.atan2(a - b));
            for (v, angle) in corners.iter().zip([first, second, PI - first - second]) {
                curvatures[*v as usize] -= angle;
            }
        }
        let sides = disk.loops[0].iter().zip(disk.loops[0].iter().cycle().skip(1));
        let lengths = sides.map(|(a, b)| side((*a, *b))).collect();
        Self { disk, laplacian, curvatures, lengths, outer }
    }
    fn vertices(&self) -> &[u32] {
        &self.disk.loops[0]
    }
    fn next(&self, i: usize) -> usize {
        (i + 1) % self.lengths.len()
    }
    fn before(&self, i: usize) -> usize {
        (i + self.lengths.len() - 1) % self.lengths.len()
    }
    /// The factorization for values that are given at the boundary.
    fn inside(&self) -> Result<Factored<'a>, ParameterizeError> {
        self.laplacian.factored(self.outer.clone())
    }
    /// The factorization for flows that are given at the boundary: one vertex stays at 0.
    fn flows(&self) -> Result<Factored<'a>, ParameterizeError> {
        let first = self.vertices()[0] as usize;
        self.laplacian.factored((0..self.disk.vertices).map(|v| v == first).collect())
    }
    /// A harmonic function with these values along the boundary.
    fn harmonic(
        &self,
        inside: &Factored<'_>,
        values: impl Fn(usize) -> f64,
    ) -> Result<Vec<f64>, ParameterizeError> {
        let mut all = vec![0.0; self.disk.vertices];
        self.vertices().iter().enumerate().for_each(|(i, &v)| all[v as usize] = values(i));
        inside.solve(&vec![0.0; all.len()], |v| all[v])
    }
    /// The turn at each vertex of the boundary that a scale of 1 along all of it gives.
    fn turns(&self, inside: &Factored<'_>) -> Result<Vec<f64>, ParameterizeError> {
        let b: Vec<f64> = self.curvatures.iter().map(|k| -k).collect();
        let flows = self.laplacian.times(&inside.solve(&b, |_| 0.0)?);
        Ok(self.vertices().iter().map(|&v| self.curvatures[v as usize] + flows[v as usize]).collect())
    }
}

/// A map that keeps lengths along the boundary as well as a closed curve can, and so has the least
/// distortion of areas of all conformal ones: scale factors are 1 there.
pub fn free(mesh: &Glued<'_>, disk: &Disk) -> Result<Vec<DVec2>, ParameterizeError> {
    let laplacian = Energy::of(mesh, disk).laplacian()?;
    let boundary = Boundary::new(mesh, disk, &laplacian);
    let inside = boundary.inside()?;
    let curve = closed(&boundary.lengths, &boundary.turns(&inside)?);
    let x = boundary.harmonic(&inside, |i| curve[i].x)?;
    drop(inside);
    // the harmonic function that is conjugate to x: what flows out is how x falls along the boundary
    let mut flow = vec![0.0; disk.vertices];
    for (i, &v) in boundary.vertices().iter().enumerate() {
        flow[v as usize] = 0.5 * (curve[boundary.before(i)].x - curve[boundary.next(i)].x);
    }
    let y = boundary.flows()?.solve(&flow, |_| 0.0)?;
    Ok(x.into_iter().zip(y).map(|(x, y)| DVec2::new(x, y)).collect())
}

/// The closed curve with these turns at its vertices whose edges have nearly these lengths: the squares of
/// what they miss, as parts of them, are least.
fn closed(lengths: &[f64], turns: &[f64]) -> Vec<DVec2> {
    let mut angle = 0.0;
    let directions: Vec<DVec2> = turns
        .iter()
        .map(|turn| {
            angle += turn;
            DVec2::from_angle(angle)
        })
        .collect();
    let (mut gap, mut squares) = (DVec2::ZERO, DMat2::ZERO);
    for (direction, length) in directions.iter().zip(lengths) {
        gap += *length * direction;
        squares += *length * DMat2::from_cols(direction.x * direction, direction.y * direction);
    }
    let by = squares.inverse() * gap;
    let mut at = DVec2::ZERO;
    let mut curve = Vec::with_capacity(lengths.len());
    for (direction, length) in directions.iter().zip(lengths) {
        curve.push(at);
        at += *length * (1.0 - direction.dot(by)) * direction;
    }
    curve
}

/// Scales along a boundary without their mean, and without the part that a Möbius transformation of the disk
/// has, which rounds would leave as it is: that of the sine and the cosine.
fn centred(scales: &[f64], lengths: &[f64]) -> Vec<f64> {
    let n = scales.len();
    let whole: f64 = lengths.iter().sum();
    let (mut turn, mut waves, mut weights) = (0.0, vec![], vec![]);
    for (i, length) in lengths.iter().enumerate() {
        let direction = DVec2::from_angle(TAU * turn / whole);
        waves.push(DVec3::new(1.0, direction.x, direction.y));
        weights.push(0.5 * (length + lengths[(i + n - 1) % n]));
        turn += length;
    }
    let (mut squares, mut sums) = (DMat3::ZERO, DVec3::ZERO);
    for i in 0..n {
        let wave = weights[i] * waves[i];
        squares += DMat3::from_cols(wave * waves[i].x, wave * waves[i].y, wave * waves[i].z);
        sums += wave * scales[i];
    }
    let by = squares.inverse() * sums;
    scales.iter().zip(waves).map(|(scale, wave)| scale - by.dot(wave)).collect()
}

/// A map to a circle: the boundary turns everywhere as much as its own length in the plane says. Also the
/// rounds taken, and whether lengths change no more.
pub fn circle(mesh: &Glued<'_>, disk: &Disk) -> Result<(Vec<DVec2>, u32, bool), ParameterizeError> {
    let laplacian = Energy::of(mesh, disk).laplacian()?;
    let boundary = Boundary::new(mesh, disk, &laplacian);
    let n = boundary.lengths.len();
    let mut lengths = boundary.lengths.clone();
    let factored = boundary.flows()?;
    let (mut rounds, mut converged) = (0, false);
    while rounds < ROUNDS && !converged {
        let whole: f64 = lengths.iter().sum();
        let mut b: Vec<f64> = boundary.curvatures.iter().map(|k| -k).collect();
        for (i, &v) in boundary.vertices().iter().enumerate() {
            b[v as usize] += PI * (lengths[i] + lengths[boundary.before(i)]) / whole;
        }
        let u = factored.solve(&b, |_| 0.0)?;
        let scales: Vec<f64> = boundary.vertices().iter().map(|&v| u[v as usize]).collect();
        let scales = centred(&scales, &lengths);
        let new: Vec<f64> = (0..n)
            .map(|i| (0.5 * (scales[i] + scales[boundary.next(i)])).exp() * boundary.lengths[i])
            .collect();
        let new_whole: f64 = new.iter().sum();
        if !(new_whole > 0.0 && new_whole.is_finite()) {
            return Err(ParameterizeError::Singular);
        }
        let change = |(old, new): (&f64, &f64)| (old / whole - new / new_whole).abs();
        converged = lengths.iter().zip(&new).map(change).fold(0.0, f64::max) <= SMALL;
        lengths = new;
        rounds += 1;
    }
    drop(factored);
    let whole: f64 = lengths.iter().sum();
    let mut sum = 0.0;
    let curve: Vec<DVec2> = lengths
        .iter()
        .map(|length| {
            let at = DVec2::from_angle(TAU * sum / whole);
            sum += length;
            at
        })
        .collect();
    let inside = boundary.inside()?;
    let x = boundary.harmonic(&inside, |i| curve[i].x)?;
    let y = boundary.harmonic(&inside, |i| curve[i].y)?;
    Ok((x.into_iter().zip(y).map(|(x, y)| DVec2::new(x, y)).collect(), rounds, converged))
}
