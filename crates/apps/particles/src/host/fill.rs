//! Particles that fill a shape.
use glam::{DVec3, Vec3};
use ribbonmesh_track::Random;

/// Size of the random displacement at the beginning, as a part of a cell: splashes of a regular lattice would
/// have its symmetry, and with more disorder pressure would make the liquid larger.
const JITTER: f64 = 0.02;

/// Particles of a lattice in a box that are within a shape, each slightly displaced at random. The lattice
/// has its cells' corners at the origin.
pub fn fill(inside: impl Fn(DVec3) -> bool, low: DVec3, high: DVec3, spacing: f64, seed: u64) -> Vec<Vec3> {
    let [first, last] = [(low / spacing).floor(), (high / spacing).ceil()].map(|p| p.as_i64vec3());
    let mut random = Random::new(seed);
    let mut places = vec![];
    for z in first.z..last.z {
        for y in first.y..last.y {
            for x in first.x..last.x {
                let p = spacing * (DVec3::new(x as f64, y as f64, z as f64) + 0.5);
                let beside = DVec3::new(random.unit(), random.unit(), random.unit()) - 0.5;
                if inside(p) {
                    places.push((p + JITTER * spacing * beside).as_vec3());
                }
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_is_filled() {
        let half = DVec3::splat(1.1);
        let places = fill(|p| p.length() < 1.0, -half, half, 0.1, 7);
        let volume = places.len() as f64 * 1e-3;
        assert!((volume / 4.18879 - 1.0).abs() < 0.02, "{volume}");
        assert!(places == fill(|p| p.length() < 1.0, -half, half, 0.1, 7));
        assert!(places != fill(|p| p.length() < 1.0, -half, half, 0.1, 8));
    }
}
