//! The mesh that is measured: a sphere with bumps, in three orders (thesis Figure 4.7).
use anyhow::Result;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes::{bumpy_sphere, shuffle};
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
    /// Coordinates of each vertex.
    pub positions: Vec<[f32; 3]>,
    /// Vertices of each face.
    pub faces: Vec<[u32; 3]>,
}
impl Subject {
    /// The sphere whose number of faces, 20·4ᵏ, is nearest (by their ratio).
    pub fn sphere(faces: u64) -> Result<Self> {
        let k = (faces as f64 / 20.0).log(4.0).round().max(0.0);
        Ok(Self::of(&bumpy_sphere(k as u32, SEED)?))
    }
    /// The triangles of a mesh, in single precision.
    pub fn of(mesh: &TriangleMesh) -> Self {
        Self { positions: mesh.points_as_arrays(), faces: mesh.faces.clone() }
    }
    /// Positions as the library takes them.
    pub fn points(&self) -> Vec<Vec3> {
        self.positions.iter().map(|&p| p.into()).collect()
    }
    /// A mesh of it.
    pub fn mesh(&self, device: &Device, options: &MeshOptions) -> ribbonmesh::Result<StaticMesh> {
        StaticMesh::new(device, self.positions.len(), &self.faces, options)
    }
    /// The same in another order. Sorting takes building a mesh on `device`.
    pub fn in_order(&self, order: Order, device: &Device) -> Result<Self> {
        match order {
            Order::Default => Ok(self.clone()),
            Order::Shuffled => {
                let mut shape = TriangleMesh::from_f32(self.positions.clone(), self.faces.clone());
                shuffle(&mut shape, SEED);
                Ok(Self::of(&shape))
            }
            Order::Sorted => {
                let mesh = self.mesh(device, &MeshOptions::default())?;
                let inputs = mesh.vertex_inputs().read()?;
                let mut ids = vec![0; inputs.len()];
                for (id, &input) in (0..).zip(&inputs) {
                    ids[input as usize] = id;
                }
                let positions = inputs.iter().map(|&v| self.positions[v as usize]).collect();
                let by_id = mesh.face_inputs().read()?;
                let faces = by_id.iter().map(|&f| self.faces[f as usize].map(|v| ids[v as usize]));
                Ok(Self { positions, faces: faces.collect() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners of all faces as bits of their coordinates, cyclically from the least, sorted: what no
    /// order changes.
    fn triangles(subject: &Subject) -> Vec<[[u32; 3]; 3]> {
        let corner = |v: u32| subject.positions[v as usize].map(f32::to_bits);
        let turned = |f: &[u32; 3]| {
            let turns = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].map(|t| t.map(|i| corner(f[i])));
            turns.into_iter().min().unwrap_or_default()
        };
        let mut triangles: Vec<_> = subject.faces.iter().map(turned).collect();
        triangles.sort_unstable();
        triangles
    }

    #[test]
    fn orders_are_of_the_same_mesh() -> Result<()> {
        let (device, sphere) = (Device::cpu(), Subject::sphere(5000)?);
        assert_eq!((sphere.positions.len(), sphere.faces.len()), (2562, 5120));
        for order in [Order::Default, Order::Sorted, Order::Shuffled] {
            let other = sphere.in_order(order, &device)?;
            assert!(triangles(&other) == triangles(&sphere), "{order}");
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
