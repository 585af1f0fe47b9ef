//! Spheres from an icosahedron.

use std::f64::consts::{PI, TAU};

use crate::TriangleMesh;
use crate::shapes::{
    ShapeError,
    error::at_most,
    random::Random,
    subdivide::{Edges, quarters},
};

/// The most subdivisions for which 32-bit numbers can count the corners.
const DEEPEST: u32 = 13;
/// Number of waves that make the bumps.
const WAVES: usize = 24;
/// Height of the bumps, in radii.
const AMPLITUDE: f64 = 0.1;
/// Radial noise, in mean edge lengths.
const NOISE: f64 = 0.15;

const FACES: [[u32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// The unit sphere: an icosahedron, `k` times subdivided, vertices moved onto the sphere each time. It has
/// 20 · 4ᵏ faces and 10 · 4ᵏ + 2 vertices, twelve of valence 5 and the others of valence 6. Takes O(4ᵏ).
///
/// # Errors
/// [`ShapeError::TooLarge`] for `k` over 13.
pub fn icosphere(k: u32) -> Result<TriangleMesh, ShapeError> {
    let Sphere { positions, faces } = Sphere::new(k)?;
    Ok(TriangleMesh::from_f32(positions.into_iter().map(narrow), faces))
}

/// An [`icosphere`] with 24 random waves of smooth bumps, about a tenth of the radius high, and on every
/// vertex a radial noise of up to 0.15 mean edge lengths. Takes O(4ᵏ).
///
/// # Errors
/// [`ShapeError::TooLarge`] for `k` over 13.
pub fn bumpy_sphere(k: u32, seed: u64) -> Result<TriangleMesh, ShapeError> {
    let Sphere { positions, faces } = Sphere::new(k)?;
    let mut random = Random::new(seed);
    // An equilateral triangle of edge 1 has area 0.433.
    let edge = (4.0 * PI / (faces.len() as f64 * 0.433)).sqrt();
    let waves: [([f64; 3], f64); WAVES] = std::array::from_fn(|_| {
        let direction = [0; 3].map(|_| random.normal());
        let frequency = 2.0 + 7.0 * random.unit();
        (direction.map(|value| value * frequency), TAU * random.unit())
    });
    let positions = positions.into_iter().map(|position| {
        let bump: f64 = waves.iter().map(|&(wave, phase)| (dot(wave, position) + phase).sin()).sum();
        let radius = 1.0 + AMPLITUDE * bump / (WAVES as f64).sqrt() + NOISE * edge * random.jitter(1.0);
        narrow(position.map(|value| value * radius))
    });
    Ok(TriangleMesh::from_f32(positions, faces))
}

/// An icosphere in double precision.
struct Sphere {
    positions: Vec<[f64; 3]>,
    faces: Vec<[u32; 3]>,
}

impl Sphere {
    fn new(k: u32) -> Result<Self, ShapeError> {
        let faces = 4_u64.checked_pow(k.min(DEEPEST + 1)).unwrap_or(u64::MAX).saturating_mul(20);
        at_most("an icosphere's depth", k, faces / 2 + 2, faces)?;
        let t = (1.0 + 5_f64.sqrt()) / 2.0;
        let mut positions: Vec<[f64; 3]> = [
            [-1.0, t, 0.0],
            [1.0, t, 0.0],
            [-1.0, -t, 0.0],
            [1.0, -t, 0.0],
            [0.0, -1.0, t],
            [0.0, 1.0, t],
            [0.0, -1.0, -t],
            [0.0, 1.0, -t],
            [t, 0.0, -1.0],
            [t, 0.0, 1.0],
            [-t, 0.0, -1.0],
            [-t, 0.0, 1.0],
        ]
        .map(unit)
        .to_vec();
        let mut faces = FACES.to_vec();
        for _ in 0..k {
            let vertices = positions.len();
            let edges = Edges::of(vertices, &faces);
            positions.reserve_exact(edges.ends.len());
            for [a, b] in edges.ends {
                let (a, b) = (positions[a as usize], positions[b as usize]);
                positions.push(unit([0, 1, 2].map(|axis| a[axis] + b[axis])));
            }
            faces = quarters(vertices as u32, &faces, &edges.of_face);
        }
        Ok(Self { positions, faces })
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = dot(vector, vector).sqrt();
    vector.map(|value| value / length)
}

fn narrow(vector: [f64; 3]) -> [f32; 3] {
    vector.map(|value| value as f32)
}
