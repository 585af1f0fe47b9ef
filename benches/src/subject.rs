//! The mesh that is measured: a sphere with bumps, in three orders (thesis Figure 4.7).
use anyhow::Result;
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use ribbonmesh_shapes::{Shape, bumpy_sphere, shuffle};
use serde::Serialize;
use std::fmt;

/// Seed of the bumps and of the shuffled order.
const SEED: u64 = 1;

/// In which order vertices and faces come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As the generator subdivides.
    Default,
    /// By the ids that a mesh gives them: patch by patch.
    Sorted,
    /// Vertices and faces at random. RXMesh was measured with this.
    Shuffled,
}
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Default => "default",
            Self::Sorted => "sorted",
            Self::Shuffled => "shuffled",
        })
    }
}

/// Indexed triangles.
#[derive(Clone)]
pub struct Subject {
    /// Number of vertices.
    pub vertices: usize,
    /// Vertices of each face.
    pub faces: Vec<[u32; 3]>,
}
impl Subject {
    /// The sphere whose number of faces, 20·4ᵏ, is nearest (by their ratio).
    pub fn sphere(faces: u64) -> Result<Self> {
        let k = (faces as f64 / 20.0).log(4.0).round().max(0.0);
        let shape = bumpy_sphere(k as u32, SEED)?;
        Ok(Self { vertices: shape.positions.len(), faces: shape.faces })
    }
    /// The same in another order. Sorting takes building a mesh on `device`.
    pub fn in_order(&self, order: Order, device: &Device) -> Result<Self> {
        match order {
            Order::Default => Ok(self.clone()),
            Order::Shuffled => {
                let mut shape = Shape { positions: vec![[0.0; 3]; self.vertices], faces: self.faces.clone() };
                shuffle(&mut shape, SEED);
                Ok(Self { vertices: self.vertices, faces: shape.faces })
            }
            Order::Sorted => {
                let mesh = StaticMesh::new(device, self.vertices, &self.faces, &MeshOptions::default())?;
                let mut ids = vec![0; self.vertices];
                for (id, &input) in (0..).zip(&mesh.vertex_inputs().read()?) {
                    ids[input as usize] = id;
                }
                let by_id = mesh.face_inputs().read()?;
                let faces = by_id.iter().map(|&f| self.faces[f as usize].map(|v| ids[v as usize]));
                Ok(Self { vertices: self.vertices, faces: faces.collect() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorted corners of all faces, by sorted degree of the vertices: what no order changes.
    fn degrees(subject: &Subject) -> Vec<usize> {
        let mut degrees = vec![0; subject.vertices];
        subject.faces.iter().flatten().for_each(|&v| degrees[v as usize] += 1);
        degrees.sort_unstable();
        degrees
    }

    #[test]
    fn orders_are_of_the_same_mesh() -> Result<()> {
        let (device, sphere) = (Device::cpu(), Subject::sphere(5000)?);
        assert_eq!((sphere.vertices, sphere.faces.len()), (2562, 5120));
        for order in [Order::Default, Order::Sorted, Order::Shuffled] {
            let other = sphere.in_order(order, &device)?;
            assert_eq!(degrees(&other), degrees(&sphere), "{order}");
            assert_eq!(other.faces == sphere.faces, order == Order::Default, "{order}");
        }
        Ok(())
    }
    #[test]
    fn sorted_faces_stand_together() -> Result<()> {
        let (device, sphere) = (Device::cpu(), Subject::sphere(20_000)?);
        let spread = |s: &Subject| s.faces.iter().map(|f| f[0].abs_diff(f[1]) as u64).sum::<u64>();
        let sorted = sphere.in_order(Order::Sorted, &device)?;
        let shuffled = sphere.in_order(Order::Shuffled, &device)?;
        assert!(5 * spread(&sorted) < spread(&shuffled));
        Ok(())
    }
}
