//! Squares cut along random diagonals, flat or rolled up.

use std::f64::consts::{SQRT_2, TAU};

use crate::TriangleMesh;
use crate::shapes::{
    ShapeError,
    error::{at_least, at_most},
    random::Random,
};

/// The greatest random displacement of vertices, in sides of a square.
const JITTER: f64 = 0.22;
/// Radius of the tube of the torus, whose other radius is 1.
const TUBE: f64 = 0.45;

/// A flat square in the plane z = 0: n × n vertices, those inside moved at random within the plane, and 2 (n
/// − 1)² faces along random diagonals. The side is (n − 1) / n. Takes O(n²).
///
/// # Errors
/// [`ShapeError::TooSmall`] for `n` below 2, [`ShapeError::TooLarge`] beyond 32-bit numbers.
pub fn grid(n: u32, seed: u64) -> Result<TriangleMesh, ShapeError> {
    at_least("a grid's size", n, 2)?;
    let side = u64::from(n);
    at_most("a grid's size", n, side * side, (side * side).saturating_mul(2))?;
    let mut random = Random::new(seed);
    let faces = squares(n, n, false, &mut random);
    let mut positions = Vec::with_capacity((n * n) as usize);
    for i in 0..n {
        for j in 0..n {
            let moved = [0; 2].map(|_| random.jitter(JITTER));
            let edge = i % (n - 1) == 0 || j % (n - 1) == 0;
            let [u, v] = if edge { [0.0; 2] } else { moved };
            let place = |index: u32, offset: f64| ((f64::from(index) + offset) / f64::from(n)) as f32;
            positions.push([place(i, u), place(j, v), 0.0]);
        }
    }
    Ok(TriangleMesh::from_f32(positions, faces))
}

/// A torus around the z axis with radii 1 and 0.45: round(n √2) × round(n / √2) vertices, moved at random
/// along the surface, and twice as many faces, along random diagonals. Takes O(n²).
///
/// # Errors
/// [`ShapeError::TooSmall`] for `n` below 4, [`ShapeError::TooLarge`] beyond 32-bit numbers.
pub fn torus(n: u32, seed: u64) -> Result<TriangleMesh, ShapeError> {
    at_least("a torus's size", n, 4)?;
    let rings = (f64::from(n) * SQRT_2).round() as u64;
    let around = (f64::from(n) / SQRT_2).round() as u64;
    let vertices = rings.saturating_mul(around);
    at_most("a torus's size", n, vertices, vertices.saturating_mul(2))?;
    let mut random = Random::new(seed);
    let faces = squares(rings as u32, around as u32, true, &mut random);
    let mut positions = Vec::with_capacity((rings * around) as usize);
    for i in 0..rings {
        for j in 0..around {
            let u = (i as f64 + random.jitter(JITTER)) * TAU / rings as f64;
            let v = (j as f64 + random.jitter(JITTER)) * TAU / around as f64;
            let radius = 1.0 + TUBE * v.cos();
            positions.push([radius * u.cos(), radius * u.sin(), TUBE * v.sin()].map(|value| value as f32));
        }
    }
    Ok(TriangleMesh::from_f32(positions, faces))
}

/// The faces of a grid of nu × nv vertices, vertex (i, j) being i · nv + j; closed in both directions if
/// `wrap`.
fn squares(nu: u32, nv: u32, wrap: bool, random: &mut Random) -> Vec<[u32; 3]> {
    let (cu, cv) = if wrap { (nu, nv) } else { (nu - 1, nv - 1) };
    let mut faces = Vec::with_capacity(2 * (cu * cv) as usize);
    for i in 0..cu {
        let next = (i + 1) % nu;
        for j in 0..cv {
            let after = (j + 1) % nv;
            let [a, b, c, d] = [i * nv + j, next * nv + j, next * nv + after, i * nv + after];
            faces.extend(if random.coin() { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    faces
}
