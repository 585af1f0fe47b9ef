//! Normals of vertices.
use crate::TriangleMesh;
use glam::DVec3;

impl TriangleMesh {
    /// Unit normals of the vertices, as [`vertex_normals`].
    pub fn vertex_normals(&self) -> Vec<[f32; 3]> {
        vertex_normals(&self.positions, &self.faces)
    }
}

/// Unit normals of vertices: normals of faces weighted by the angle at the vertex (Thürmer and Wüthrich,
/// *Computing vertex normals from polygonal facets*, 1998). 0 for a vertex without a normal direction. Faces
/// with indices out of range or corners that are not finite do not count. Linear in the mesh, on one thread.
pub fn vertex_normals(positions: &[DVec3], faces: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let mut sums = NormalSums::new(positions.len());
    let place = |v: u32| positions.get(v as usize).copied();
    for face in faces {
        if let [Some(a), Some(b), Some(c)] = face.map(place) {
            sums.add(face.map(|v| Some(v as usize)), [a, b, c]);
        }
    }
    sums.normals()
}

/// The sums behind [`vertex_normals`], for faces that come one by one. Faces in the same order give the same
/// bits.
#[derive(Clone, Debug)]
pub struct NormalSums(Vec<DVec3>);

impl NormalSums {
    /// Of so many vertices, without a face.
    pub fn new(vertices: usize) -> Self {
        Self(vec![DVec3::ZERO; vertices])
    }
    /// Adds a face with these corners to its vertices; `None` for vertices that are of no interest. Faces
    /// with corners that are not finite do not count.
    /// # Panics
    /// There are fewer vertices.
    pub fn add(&mut self, vertices: [Option<usize>; 3], [a, b, c]: [DVec3; 3]) {
        let normal = (b - a).cross(c - a).normalize_or_zero();
        if normal == DVec3::ZERO {
            return;
        }
        for (vertex, (p, q, r)) in vertices.into_iter().zip([(a, b, c), (b, c, a), (c, a, b)]) {
            let (u, v) = (q - p, r - p);
            let angle = u.cross(v).length().atan2(u.dot(v));
            if let Some(vertex) = vertex.filter(|_| angle.is_finite()) {
                self.0[vertex] += normal * angle;
            }
        }
    }
    /// The unit normals; 0 for a vertex without a direction.
    pub fn normals(self) -> Vec<[f32; 3]> {
        self.0.into_iter().map(|sum| sum.normalize_or_zero().to_array().map(|x| x as f32)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octahedron() {
        let corners = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        let mut faces = vec![];
        for (a, b, c) in [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2)] {
            faces.push([a, b, c]);
            faces.push([b, a, 5]);
        }
        let mesh = TriangleMesh::new(corners.to_vec(), faces);
        for (normal, place) in mesh.vertex_normals().iter().zip(&mesh.positions) {
            assert!(
                DVec3::from_array(normal.map(f64::from)).distance(*place) < 1e-6,
                "{normal:?} at {place:?}"
            );
        }
    }

    #[test]
    fn what_has_no_direction() {
        let positions = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [f64::NAN, 0.0, 0.0], [f64::MAX; 3]];
        let positions = positions.map(DVec3::from_array);
        let faces = [[0, 1, 2], [0, 0, 1], [0, 1, 3], [0, 1, 9]];
        assert_eq!(vertex_normals(&positions, &faces), [[0.0; 3]; 5]);
    }
}
