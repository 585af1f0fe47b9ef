//! Normals by a plain loop over the faces, in `f64`.
#![allow(dead_code)]
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Attribute, Buffer, Device, MeshOptions, StaticMesh, Vertex};
use ribbonmesh_normals::{Ring, Weight, normals_of, normals_of_triangles, normals_with_ring};

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

/// A mesh with positions, on a device.
pub struct Model {
    pub name: String,
    pub x: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    pub mesh: StaticMesh,
    pub positions: Attribute<Vertex, Vec3>,
    pub ring: Ring,
    pub triangles: Buffer<u32>,
    pub by_input: Buffer<Vec3>,
}
impl Model {
    pub fn new(device: &Device, name: &str, x: Vec<Vec3>, faces: &[[u32; 3]], patch_size: u32) -> Self {
        let options = MeshOptions { patch_size, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, x.len(), faces, &options).expect("a mesh");
        let positions = Attribute::from_input(&mesh, &x).expect("positions");
        let ring = Ring::new(&mesh).expect("a ring");
        let triangles = device.upload(faces.as_flattened()).expect("memory");
        let by_input = device.upload(&x).expect("memory");
        let name = format!("{name}, patches of {patch_size}");
        Self { name, x, faces: faces.to_vec(), mesh, positions, ring, triangles, by_input }
    }
    /// The normals without and with a ring, and without patches, each the same twice.
    pub fn normals(&self, weight: Weight) -> [Vec<Vec3>; 3] {
        let plain = || normals_of(&self.mesh, &self.positions, weight);
        let ringed = || normals_with_ring(&self.mesh, &self.ring, &self.positions, weight);
        let twice = |run: &dyn Fn() -> ribbonmesh::Result<Attribute<Vertex, Vec3>>| {
            let [a, b] = [(); 2].map(|()| run().and_then(|n| n.download()).expect("normals"));
            assert_eq!(a, b, "{weight} of {}", self.name);
            a
        };
        let flat = || normals_of_triangles(&self.triangles, &self.by_input, weight)?.read();
        let [a, b] = [(); 2].map(|()| flat().expect("normals"));
        assert_eq!(a, b, "{weight} of {}, flat", self.name);
        [twice(&plain), twice(&ringed), a]
    }
    /// Compares all weights with the plain loop. Where the sum has no correct digit, checks only that the
    /// normal is a unit vector or zero.
    pub fn check(&self) {
        for weight in Weight::ALL {
            let expected = sums(&self.x, &self.faces, weight);
            for normals in self.normals(weight) {
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
}
