//! Bodies of liquid: surfaces of revolution, and the particles inside of them.
use ribbonmesh::TriangleMesh;
use ribbonmesh::glam::{DVec3, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Number of particles along an edge of a cell. With two, the usual number, sheets that get thinner than a
/// cell have cells without particles, and the surface loses volume there: a fifth in `jets` of 20 cells,
/// against a twentieth with three.
const ALONG: f64 = 3.0;

/// A body of liquid.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// A cylinder with round ends.
    Capsule {
        /// The centres of the ends.
        ends: [DVec3; 2],
        radius: f64,
    },
    /// An upright cylinder with rounded edges.
    Column {
        /// The centre of its bottom.
        foot: DVec3,
        radius: f64,
        height: f64,
        /// The radius of its edges.
        edge: f64,
    },
}

impl Body {
    /// The distance of a position from the surface, negative inside.
    fn distance(&self, p: DVec3) -> f64 {
        match *self {
            Self::Capsule { ends: [a, b], radius } => {
                let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                p.distance(a.lerp(b, along)) - radius
            }
            Self::Column { foot, radius, height, edge } => {
                let q = p - foot;
                let out = q.x.hypot(q.z) - (radius - edge);
                let up = (q.y - 0.5 * height).abs() - (0.5 * height - edge);
                out.max(0.0).hypot(up.max(0.0)) + out.max(up).min(0.0) - edge
            }
        }
    }
    /// Its surface, with edges of about this length.
    pub fn surface(&self, length: f64) -> TriangleMesh {
        match *self {
            Self::Capsule { ends: [a, b], radius } => {
                let straight = a.distance(b);
                let arc = FRAC_PI_2 * radius;
                let profile = |s: f64| {
                    let angle = (s.min(arc) + (s - arc - straight).max(0.0)) / radius;
                    let way = (s - arc).clamp(0.0, straight);
                    (way - radius * angle.cos(), radius * angle.sin())
                };
                revolved(profile, 2.0 * arc + straight, a, (b - a) / straight, length)
            }
            Self::Column { foot, radius, height, edge } => {
                let (flat, arc, wall) = (radius - edge, FRAC_PI_2 * edge, height - 2.0 * edge);
                let profile = |s: f64| {
                    let after = |part: f64| (s - part).max(0.0);
                    let out = s.min(flat) - after(flat + 2.0 * arc + wall);
                    let angle = (after(flat).min(arc) + after(flat + arc + wall).min(arc)) / edge;
                    let way = after(flat + arc).min(wall);
                    (way + edge * (1.0 - angle.cos()), out + edge * angle.sin())
                };
                revolved(profile, 2.0 * flat + 2.0 * arc + wall, foot, DVec3::Y, length)
            }
        }
    }
    /// The corners of a box around it.
    fn bounds(&self) -> [DVec3; 2] {
        match *self {
            Self::Capsule { ends: [a, b], radius } => {
                [a.min(b) - DVec3::splat(radius), a.max(b) + DVec3::splat(radius)]
            }
            Self::Column { foot, radius, height, .. } => {
                let out = DVec3::new(radius, 0.0, radius);
                [foot - out, foot + out + height * DVec3::Y]
            }
        }
    }
    /// Particles deeper inside than `depth`, [`ALONG`]³ in a cell of a grid with this edge, each at a random
    /// position in the middle of its part.
    pub fn particles(&self, edge: f64, depth: f64, seed: u64) -> Vec<Vec3> {
        let part = edge / ALONG;
        let [low, high] = self.bounds().map(|p| (p / part).floor().as_i64vec3().max(glam::I64Vec3::ZERO));
        let mut particles = vec![];
        for k in low.z..=high.z {
            for j in low.y..=high.y {
                for i in low.x..=high.x {
                    let mut state = seed ^ (i as u64) << 42 ^ (j as u64) << 21 ^ k as u64;
                    let mut jitter = || {
                        state = scrambled(state);
                        (state >> 40) as f64 / (1_u64 << 24) as f64
                    };
                    let within = DVec3::new(jitter(), jitter(), jitter()) * 0.5 + 0.25;
                    let p = part * (DVec3::new(i as f64, j as f64, k as f64) + within);
                    if self.distance(p) < -depth {
                        particles.push(p.as_vec3());
                    }
                }
            }
        }
        particles
    }
}

/// The next number (Steele, Lea and Flood 2014, SplitMix).
fn scrambled(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The surface of revolution of a profile, which gives the position along the axis and the distance from it,
/// by the length along the profile. Both of its ends are on the axis. Closed, oriented outwards, with edges
/// of about this length.
fn revolved(
    profile: impl Fn(f64) -> (f64, f64),
    whole: f64,
    from: DVec3,
    axis: DVec3,
    length: f64,
) -> TriangleMesh {
    let side = axis.any_orthonormal_vector();
    let up = axis.cross(side);
    // rows of equilateral triangles
    let rows = (whole / (0.866 * length)).round().max(4.0) as u32;
    let (mut positions, mut rings) = (vec![], vec![]);
    for row in 0..=rows {
        let (way, out) = profile(whole * f64::from(row) / f64::from(rows));
        let count = if row == 0 || row == rows { 1 } else { (TAU * out / length).round().max(3.0) as u32 };
        // every other row is shifted by half an edge
        let first = 0.5 * f64::from(row % 2);
        let start = positions.len() as u32;
        rings.push((start, count, first));
        for i in 0..count {
            let angle = TAU * (f64::from(i) + first) / f64::from(count);
            let out = if count == 1 { 0.0 } else { out };
            positions.push(from + way * axis + out * (angle.cos() * side + angle.sin() * up));
        }
    }
    let mut faces = vec![];
    for pair in rings.windows(2) {
        let [(a, a_count, a_first), (b, b_count, b_first)] = [pair[0], pair[1]];
        let angle = |i: u32, count: u32, first: f64| (f64::from(i) + first) / f64::from(count);
        let (mut i, mut j) = (0, 0);
        // a single vertex has no edges of its own
        let (a_ends, b_ends) =
            (if a_count == 1 { 0 } else { a_count }, if b_count == 1 { 0 } else { b_count });
        while i < a_ends || j < b_ends {
            let (p, q) = (a + i % a_count, b + j % b_count);
            let next_a = angle(i + 1, a_count, a_first);
            if j >= b_ends || i < a_ends && next_a < angle(j + 1, b_count, b_first) {
                i += 1;
                faces.push([p, a + i % a_count, q]);
            } else {
                j += 1;
                faces.push([p, b + j % b_count, q]);
            }
        }
    }
    let mut mesh = TriangleMesh::new(positions, faces);
    if mesh.volume().is_some_and(|volume| volume < 0.0) {
        mesh.faces.iter_mut().for_each(|face| face.swap(1, 2));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn surfaces_and_particles_fill_the_same() {
        let ends = [DVec3::new(0.3, 0.5, 0.4), DVec3::new(0.7, 0.6, 0.5)];
        let straight = ends[0].distance(ends[1]);
        let capsule = PI * 0.01 * straight + 4.0 / 3.0 * PI * 0.001;
        let column = Body::Column { foot: DVec3::new(0.5, 0.1, 0.5), radius: 0.2, height: 0.5, edge: 0.02 };
        let bodies = [(Body::Capsule { ends, radius: 0.1 }, capsule), (column, PI * 0.04 * 0.5 * 0.997)];
        for (body, volume) in bodies {
            for length in [0.03, 0.01] {
                let mesh = body.surface(length);
                assert!(mesh.is_closed());
                let found = mesh.volume().expect("closed");
                assert!((found / volume - 1.0).abs() < 30.0 * length * length + 0.003, "{found} {volume}");
                let mean = (mesh.area() / mesh.faces.len() as f64 * 4.0 / 3_f64.sqrt()).sqrt();
                assert!((mean / length - 1.0).abs() < 0.1, "{mean}");
                for [a, b, c] in mesh.faces.iter().map(|f| f.map(|v| mesh.positions[v as usize])) {
                    assert!((b - a).cross(c - a).length() > 0.1 * length * length);
                }
            }
            let particles = body.particles(0.02, 0.0, 1).len() as f64 * (0.02 / ALONG).powi(3);
            assert!((particles / volume - 1.0).abs() < 0.02, "{particles} {volume}");
        }
    }
}
