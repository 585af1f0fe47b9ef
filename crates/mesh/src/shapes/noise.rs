//! Noise along normals.

use crate::Precision;

use crate::TriangleMesh;
use crate::shapes::random::Random;

/// Moves every vertex along its normal by a normally distributed length with standard deviation `size` times
/// the mean length of the faces' sides, as scanners do. The same for the same seed. Takes O(n).
///
/// The normal is that of the faces at the vertex, weighted by their areas; a vertex without a normal stays.
/// Faces with an index that is out of range are passed over.
pub fn add_noise(shape: &mut TriangleMesh, size: f64, seed: u64) {
    let mut random = Random::new(seed);
    let mut normals = vec![[0.0_f64; 3]; shape.positions.len()];
    let (mut lengths, mut sides) = (0.0, 0_u64);
    for face in &shape.faces {
        let corners = face.map(|v| shape.positions.get(v as usize).map(|p| p.to_array()));
        let [Some(a), Some(b), Some(c)] = corners else { continue };
        let (u, v) = (minus(b, a), minus(c, a));
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for &corner in face {
            for (sum, n) in normals[corner as usize].iter_mut().zip(normal) {
                *sum += n;
            }
        }
        lengths += length(u) + length(v) + length(minus(c, b));
        sides += 3;
    }
    let single = shape.precision == Precision::Single;
    let deviation = size * lengths / sides.max(1) as f64;
    for (position, normal) in shape.positions.iter_mut().zip(normals) {
        let by = deviation * random.normal();
        let norm = length(normal);
        if norm > 0.0 && norm.is_finite() {
            for (axis, n) in normal.into_iter().enumerate() {
                position[axis] += by * n / norm;
            }
            if single {
                *position = position.as_vec3().as_dvec3();
            }
        }
    }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn length(a: [f64; 3]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}
