//! Boundary-first flattening (Sawhney and Crane, *Boundary first flattening*, 2017).
//!
//! A conformal map is given by its scale eᵘ along the boundary, or by the curvature of the boundary in the
//! plane: one follows from the other by Cherrier's formula, k̃ = k + ∂u/∂n where Δu = K. Both give a closed
//! curve, whose inside is filled by harmonic functions. Where the curve is to be a circle, Green's function
//! gives it: arcs are what flows out along the boundary from a source within.
use super::conformal::Energy;
use super::disk::{Disk, Glued};
use super::matrix::{Factored, Matrix};
use super::parameterize::ParameterizeError;
use crate::device::chart::area;
use glam::{DMat2, DVec2};
use std::f64::consts::{PI, TAU};

/// The least arc for its length, as a part of the greatest among two edges before and two after.
const BESIDE: f64 = 0.1;
/// The same as a part of the mean along the whole boundary.
const LEAST: f64 = 1e-3;

/// A disk with the lengths along its boundary.
struct Boundary<'a> {
    disk: &'a Disk,
    laplacian: &'a Matrix,
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
        let sides = disk.loops[0].iter().zip(disk.loops[0].iter().cycle().skip(1));
        let lengths = sides.map(|(a, b)| side((*a, *b))).collect();
        Self { disk, laplacian, lengths, outer }
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
    /// 2π minus the angles of each vertex within, π minus those of one of the boundary.
    fn curvatures(&self, mesh: &Glued<'_>) -> Vec<f64> {
        let mut curvatures: Vec<f64> = self.outer.iter().map(|&outer| if outer { PI } else { TAU }).collect();
        for (rest, corners) in self.disk.shapes(mesh).into_iter().zip(&self.disk.corners) {
            // the triangle 0 0, a 0, b c
            let (a, c) = (1.0 / rest.x, 1.0 / rest.z);
            let b = -rest.y * a * c;
            let (first, second) = (c.atan2(b), c.atan2(a - b));
            for (v, angle) in corners.iter().zip([first, second, PI - first - second]) {
                curvatures[*v as usize] -= angle;
            }
        }
        curvatures
    }
    /// The turn at each vertex of the boundary that a scale of 1 along all of it gives.
    fn turns(&self, mesh: &Glued<'_>, inside: &Factored<'_>) -> Result<Vec<f64>, ParameterizeError> {
        let curvatures = self.curvatures(mesh);
        let b: Vec<f64> = curvatures.iter().map(|k| -k).collect();
        let flows = self.laplacian.times(&inside.solve(&b, |_| 0.0)?);
        Ok(self.vertices().iter().map(|&v| curvatures[v as usize] + flows[v as usize]).collect())
    }
    /// The arcs of the boundary's edges on a circle, as parts of their sum: what flows out from a source at
    /// the vertex within that heat takes longest to leave (Green's function), half of it from each end. All
    /// are above 0, which flows are not: nothing flows out where vertices have no neighbour within, and
    /// cotangents can be negative.
    fn arcs(&self, mesh: &Glued<'_>, inside: &Factored<'_>) -> Result<Vec<f64>, ParameterizeError> {
        let mut masses = vec![0.0; self.disk.vertices];
        for (rest, corners) in self.disk.shapes(mesh).into_iter().zip(&self.disk.corners) {
            corners.iter().for_each(|v| masses[*v as usize] += area(rest));
        }
        let times = inside.solve(&masses, |_| 0.0)?;
        let within = (0..self.disk.vertices).filter(|&v| !self.outer[v]);
        let n = self.lengths.len();
        let mut flows = vec![0.0; n];
        if let Some(source) = within.max_by(|&a, &b| times[a].total_cmp(&times[b])) {
            let mut b = vec![0.0; self.disk.vertices];
            b[source] = 1.0;
            let out = self.laplacian.times(&inside.solve(&b, |_| 0.0)?);
            flows = self.vertices().iter().map(|&v| -out[v as usize]).collect();
        }
        let whole: f64 = self.lengths.iter().sum();
        // those of edges without length count as a part of the mean
        let parts: Vec<f64> =
            self.lengths.iter().map(|length| (length / whole).max(0.05 / n as f64)).collect();
        let arcs: Vec<f64> = (0..n).map(|i| (0.5 * (flows[i] + flows[self.next(i)])).max(0.0)).collect();
        let by_length: Vec<f64> = arcs.iter().zip(&parts).map(|(arc, part)| arc / part).collect();
        let beside = |i: usize| [n - 2 % n, n - 1, 1, 2].map(|k| by_length[(i + k) % n]);
        let least = |i: usize| beside(i).into_iter().fold(0.0, f64::max) * BESIDE;
        let arcs: Vec<f64> = (0..n).map(|i| arcs[i].max(parts[i] * least(i).max(LEAST))).collect();
        let sum: f64 = arcs.iter().sum();
        Ok(arcs.into_iter().map(|arc| arc / sum).collect())
    }
}

/// A map that keeps lengths along the boundary as well as a closed curve can, and so has the least
/// distortion of areas of all conformal ones: scale factors are 1 there.
pub fn free(mesh: &Glued<'_>, disk: &Disk) -> Result<Vec<DVec2>, ParameterizeError> {
    let laplacian = Energy::of(mesh, disk).laplacian()?;
    let boundary = Boundary::new(mesh, disk, &laplacian);
    let inside = boundary.inside()?;
    let curve = closed(&boundary.lengths, &boundary.turns(mesh, &inside)?);
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

/// A map to a circle, with the vertex that is farthest within in the middle.
pub fn circle(mesh: &Glued<'_>, disk: &Disk) -> Result<Vec<DVec2>, ParameterizeError> {
    let laplacian = Energy::of(mesh, disk).laplacian()?;
    let boundary = Boundary::new(mesh, disk, &laplacian);
    let inside = boundary.inside()?;
    let mut sum = 0.0;
    let at = |arc: f64| {
        let at = DVec2::from_angle(TAU * sum);
        sum += arc;
        at
    };
    let curve: Vec<DVec2> = boundary.arcs(mesh, &inside)?.into_iter().map(at).collect();
    let mut places = vec![DVec2::ZERO; disk.vertices];
    boundary.vertices().iter().zip(curve).for_each(|(v, place)| places[*v as usize] = place);
    inside.harmonic(|v| places[v])
}
