//! Deviation of positions from a reference.
use ribbonmesh::glam::{DVec3, Vec3};
use serde::Serialize;

/// The difference between two meshes with the same faces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Deviation {
    /// Root mean square distance between corresponding vertices.
    pub distance_rms: f64,
    /// The largest such distance.
    pub distance_max: f64,
    /// Root mean square offset along the reference's normals, the part that denoising can change.
    pub offset_rms: f64,
    /// Mean angle between the normals of the faces, in degrees; faces without a normal do not count.
    pub normal_angle: f64,
}
impl Deviation {
    /// The deviation of `positions` from `reference`, both for the vertices of `faces`; all 0 without
    /// vertices. Vertices that are missing in either list, and faces with such a vertex, do not count. O(n),
    /// on the host.
    pub fn between(faces: &[[u32; 3]], reference: &[Vec3], positions: &[Vec3]) -> Self {
        let normals = |x: &[Vec3]| -> Vec<DVec3> {
            let normal = |f: &[u32; 3]| {
                let [a, b, c] = f.map(|v| x.get(v as usize).copied().unwrap_or(Vec3::NAN).as_dvec3());
                (b - a).cross(c - a)
            };
            faces.iter().map(normal).collect()
        };
        let (expected, found) = (normals(reference), normals(positions));
        let mut at_vertices = vec![DVec3::ZERO; reference.len()];
        for (f, n) in faces.iter().zip(&expected).filter(|(_, n)| n.is_finite()) {
            f.iter().for_each(|&v| at_vertices[v as usize] += n);
        }
        let (mut distances, mut offsets, mut max) = (0.0, 0.0, 0.0_f64);
        for ((a, b), n) in reference.iter().zip(positions).zip(&at_vertices) {
            let d = b.as_dvec3() - a.as_dvec3();
            distances += d.length_squared();
            max = max.max(d.length());
            offsets += d.dot(n.normalize_or_zero()).powi(2);
        }
        let (mut angles, mut count) = (0.0, 0);
        for (a, b) in expected.iter().zip(&found) {
            let angle = a.cross(*b).length().atan2(a.dot(*b));
            if angle.is_finite() && a.length() > 0.0 && b.length() > 0.0 {
                angles += angle.to_degrees();
                count += 1;
            }
        }
        let n = reference.len().min(positions.len()).max(1) as f64;
        Self {
            distance_rms: (distances / n).sqrt(),
            distance_max: max,
            offset_rms: (offsets / n).sqrt(),
            normal_angle: angles / f64::from(count.max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Deviation;
    use ribbonmesh::glam::Vec3;

    #[test]
    fn of_a_square() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
        let faces = [[0, 1, 2], [0, 2, 3]];
        let lifted = square.map(|p| p + Vec3::Z * 0.5);
        let found = Deviation::between(&faces, &square, &lifted);
        assert_eq!((found.distance_rms, found.distance_max, found.offset_rms), (0.5, 0.5, 0.5));
        assert_eq!(found.normal_angle, 0.0);
        let moved = square.map(|p| p + Vec3::X * 2.0);
        let found = Deviation::between(&faces, &square, &moved);
        assert_eq!((found.distance_rms, found.offset_rms), (2.0, 0.0));
        let mut bent = square;
        bent[3] = Vec3::new(0.0, 0.5, 0.5);
        let found = Deviation::between(&faces, &square, &bent);
        assert!((found.normal_angle - 0.5 * 90.0).abs() < 45.0 && found.normal_angle > 1.0);
        assert_eq!(Deviation::between(&[], &[], &[]).distance_rms, 0.0);
    }
}
