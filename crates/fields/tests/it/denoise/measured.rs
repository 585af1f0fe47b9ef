//! A mesh with noise whose true surface is known, and its distance from it.
use ribbonmesh::bvh::Bvh;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::mesh::TriangleMesh;
use ribbonmesh::{Attribute, Device, MeshOptions, Result, StaticMesh, Vertex};
use ribbonmesh_fields::denoise::{DenoiseOptions, DenoiseReport, Denoiser, Deviation};
use ribbonmesh_mesh::{BoundingBox, shapes};
use ribbonmesh_suite::Random;
use std::fmt;

/// Noise in mean edges.
#[derive(Clone, Copy, Debug)]
pub enum Noise {
    /// Noise along normals.
    Normal(f64),
    /// Noise in all directions: the standard deviation of each coordinate.
    Any(f64),
}
impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal(size) => write!(f, "{size} n"),
            Self::Any(size) => write!(f, "{size} a"),
        }
    }
}

/// Deviation from the true surface.
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// Mean distance of vertices from the true surface, in mean edges.
    pub distance: f64,
    /// Mean angle between normals of faces and the true ones, in degrees.
    pub angle: f64,
}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}, {:.1}°", self.distance, self.angle)
    }
}

/// A mesh without noise, of size 1.
pub struct Measured {
    device: Device,
    shape: TriangleMesh,
    tree: Bvh,
    mesh: StaticMesh,
    /// Mean edge length.
    pub edge: f64,
}
impl Measured {
    pub fn new(device: &Device, name: &str, mut shape: TriangleMesh) -> Self {
        let around = shape.positions.iter().copied().fold(BoundingBox::EMPTY, BoundingBox::with);
        let (middle, size) = (around.middle(), around.diagonal());
        shape.positions.iter_mut().for_each(|p| *p = (*p - middle) / size);
        let points = shape.points();
        let tree = Bvh::new(device, &points, &shape.faces).expect(name);
        let mesh = StaticMesh::new(device, points.len(), &shape.faces, &MeshOptions::default()).expect(name);
        let side = |f: &[u32; 3], i: usize| points[f[i] as usize].distance(points[f[(i + 1) % 3] as usize]);
        let sides = shape.faces.iter().flat_map(|f| [0, 1, 2].map(|i| f64::from(side(f, i))));
        let edge = sides.sum::<f64>() / (3 * shape.faces.len()) as f64;
        Self { device: device.clone(), shape, tree, mesh, edge }
    }
    pub fn clean(&self) -> Vec<Vec3> {
        self.shape.points()
    }
    pub fn noisy(&self, noise: Noise) -> Vec<Vec3> {
        let mut shape = self.shape.clone();
        match noise {
            Noise::Normal(size) => shapes::add_noise(&mut shape, size, 1),
            Noise::Any(size) => {
                let mut random = Normal(Random(7));
                for p in &mut shape.positions {
                    *p += DVec3::new(random.next(), random.next(), random.next()) * size * self.edge;
                }
            }
        }
        shape.points()
    }
    pub fn denoised(&self, x: &[Vec3], options: &DenoiseOptions) -> Result<(Vec<Vec3>, DenoiseReport)> {
        let x = Attribute::<Vertex, Vec3>::from_input(&self.mesh, x)?;
        let mut to = Attribute::zeros(&self.mesh)?;
        let report = Denoiser::new(&self.mesh, options)?.denoise(&x, &mut to)?;
        Ok((to.download()?, report))
    }
    pub fn error(&self, x: &[Vec3]) -> Error {
        let points = self.device.upload(x).expect("memory");
        let found = self.tree.closest(&points, None).and_then(|c| c.read()).expect("closest points");
        let distance = found.iter().map(|c| f64::from(c.distance)).sum::<f64>() / x.len() as f64;
        let angle = Deviation::between(&self.shape.faces, &self.clean(), x).normal_angle;
        Error { distance: distance / self.edge, angle }
    }
}

/// Generator of standard normal numbers (Box and Muller 1958), from a linear congruential generator.
struct Normal(Random);
impl Normal {
    fn unit(&mut self) -> f64 {
        (f64::from(self.0.next()) + 0.5) / (1_u64 << 31) as f64
    }
    fn next(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}
