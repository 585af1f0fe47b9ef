//! Normals by a plain loop over the faces, in `f64`.
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_fields::normals::{Weight, normals_of_triangles};

/// Sum of the weighted normals at each vertex, and of their lengths.
pub fn sums(x: &[Vec3], faces: &[[u32; 3]], weight: Weight) -> Vec<(DVec3, f64)> {
    let mut sums = vec![(DVec3::ZERO, 0.0); x.len()];
    for f in faces {
        let p = f.map(|v| x[v as usize].as_dvec3());
        for i in 0..3 {
            let (a, b) = (p[(i + 1) % 3] - p[i], p[(i + 2) % 3] - p[i]);
            let n = a.cross(b);
            let (length, product) = (n.length(), a.length() * b.length());
            // a vertex twice, or three on a line to the last digit of `f64`
            if length <= 1e-15 * product {
                continue;
            }
            let w = match weight {
                Weight::Area => 1.0,
                Weight::Angle => length.atan2(a.dot(b)) / length,
                Weight::Max => 1.0 / (product * product),
            };
            let sum = &mut sums[f[i] as usize];
            sum.0 += n * w;
            sum.1 += length * w;
        }
    }
    sums
}

/// Triangles on a device.
pub struct Model {
    pub name: String,
    pub x: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    pub triangles: Buffer<u32>,
    pub positions: Buffer<Vec3>,
}
impl Model {
    pub fn new(device: &Device, name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]) -> Self {
        let triangles = device.upload(faces.as_flattened()).expect("memory");
        let positions = device.upload(&x).expect("memory");
        Self { name: name.to_owned(), x, faces: faces.to_vec(), triangles, positions }
    }
    /// The normals, the same twice.
    pub fn normals(&self, weight: Weight) -> Vec<Vec3> {
        let once = || normals_of_triangles(&self.triangles, &self.positions, weight)?.read();
        let [a, b] = [(); 2].map(|()| once().expect("normals"));
        assert_eq!(a, b, "{weight} of {}", self.name);
        a
    }
    /// Compares all weights with the plain loop. Where the sum has no correct digit, checks only that the
    /// normal is a unit vector or zero.
    pub fn check(&self) {
        for weight in Weight::ALL {
            let (normals, expected) = (self.normals(weight), sums(&self.x, &self.faces, weight));
            assert_eq!(normals.len(), self.x.len());
            for (v, (n, (sum, size))) in normals.iter().zip(&expected).enumerate() {
                let what = || format!("{weight} of vertex {v} of {}: {n}, {sum}, {size}", self.name);
                assert!(n.is_finite(), "{}", what());
                if *size == 0.0 {
                    assert_eq!(*n, Vec3::ZERO, "{}", what());
                } else if sum.length() > 1e-9 * size {
                    let difference = n.as_dvec3() - *sum / sum.length();
                    assert!(difference.length() < 1e-5, "{}", what());
                } else {
                    assert!(*n == Vec3::ZERO || (n.length() - 1.0).abs() < 1e-5, "{}", what());
                }
            }
        }
    }
}
