//! Functions for programs.
use crate::kernels::{AngleDefect, Despike};
use ribbonmesh::device::Vec3;
use ribbonmesh::{Attribute, Buffer, Device, MeshOptions, Result, StaticMesh, Timing, Vertex};
use std::cell::RefCell;

/// A mesh with positions on a machine.
pub struct Surface {
    mesh: StaticMesh,
    positions: Attribute<Vertex, Vec3>,
    /// Marks by vertex id: 1 on the boundary.
    boundary: Buffer<u32>,
}

/// Angle defects.
#[derive(Clone, Debug)]
pub struct Curvature {
    /// The angle defect of each vertex, in the order of the input, in radians; 2π for a vertex without faces.
    pub defects: Vec<f32>,
    /// Their sum.
    pub total: f64,
    /// The number of negative ones.
    pub saddles: u32,
}

impl Surface {
    /// Builds the mesh on `device`.
    /// # Errors
    /// As [`StaticMesh::new`].
    pub fn new(device: &Device, positions: &[Vec3], faces: &[[u32; 3]]) -> Result<Self> {
        let mesh = StaticMesh::new(device, positions.len(), faces, &MeshOptions::default())?;
        let positions = Attribute::from_input(&mesh, positions)?;
        let boundary = mesh.boundary::<Vertex>()?;
        Ok(Self { mesh, positions, boundary })
    }

    /// The angle defect of every vertex.
    /// # Errors
    /// [`ribbonmesh::Error::Kernel`] with the code [`crate::kernels::NOT_FINITE`] if positions are not
    /// finite; out of memory; what the driver says.
    pub fn curvature(&self) -> Result<Curvature> {
        let (mesh, device) = (&self.mesh, self.mesh.device());
        let mut defects = Attribute::<Vertex, f32>::zeros(mesh)?;
        let mut saddles = device.zeros(1)?;
        let kernel = AngleDefect {
            mesh: mesh.view(),
            positions: self.positions.view(),
            boundary: self.boundary.view(),
            defects: defects.view_mut(),
            saddles: saddles.view_mut(),
        };
        device.launch(mesh.patches() as u32, kernel)?;
        Ok(Curvature { defects: defects.download()?, total: defects.sum()?, saddles: saddles.read()?[0] })
    }

    /// The positions, in the order of the input, after inner vertices with an angle defect over `threshold`
    /// have moved to the mean of their neighbours.
    /// # Errors
    /// Out of memory; what the driver says.
    pub fn despiked(&self, threshold: f32) -> Result<Vec<Vec3>> {
        let mut moved = self.positions.try_clone()?;
        self.launch_despike(threshold, &mut moved)?;
        moved.download()
    }

    /// The time of the filter on this machine.
    /// # Errors
    /// As [`Surface::despiked`].
    pub fn time_despike(&self, threshold: f32, repetitions: usize) -> Result<Timing> {
        let moved = RefCell::new(self.positions.try_clone()?);
        let device = self.mesh.device();
        device.time_repeated(repetitions, || self.launch_despike(threshold, &mut moved.borrow_mut()))
    }

    fn launch_despike(&self, threshold: f32, moved: &mut Attribute<Vertex, Vec3>) -> Result<()> {
        let kernel = Despike {
            mesh: self.mesh.view(),
            positions: self.positions.view(),
            boundary: self.boundary.view(),
            threshold,
            moved: moved.view_mut(),
        };
        self.mesh.device().launch(self.mesh.patches() as u32, kernel)
    }
}
