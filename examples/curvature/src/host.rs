//! What a program calls.
use crate::kernels::{AngleDefect, Despike};
use ribbonmesh::device::{Vec3, Vertex};
use ribbonmesh::{Buffer, Device, MeshOptions, Result, StaticMesh, Timing};

/// A mesh with positions on a machine.
pub struct Surface {
    mesh: StaticMesh,
    /// By vertex id.
    positions: Buffer<Vec3>,
    /// By vertex id: 1 on the boundary.
    boundary: Buffer<u32>,
    /// Place in the input of each vertex id.
    inputs: Vec<u32>,
}

/// Angle defects.
#[derive(Clone, Debug)]
pub struct Curvature {
    /// Of each vertex, in the order of the input, in radians; 2π for a vertex without faces.
    pub defects: Vec<f32>,
    /// Their sum.
    pub total: f64,
    /// How many are negative.
    pub saddles: u32,
}

impl Surface {
    /// Builds the mesh on `device`.
    /// # Errors
    /// As [`StaticMesh::new`].
    pub fn new(device: &Device, positions: &[[f32; 3]], faces: &[[u32; 3]]) -> Result<Self> {
        let mesh = StaticMesh::new(device, positions.len(), faces, &MeshOptions::default())?;
        let inputs = mesh.vertex_inputs().read()?;
        let by_id: Vec<Vec3> = inputs.iter().map(|&i| positions[i as usize].into()).collect();
        let (positions, boundary) = (device.upload(&by_id)?, mesh.boundary::<Vertex>()?);
        Ok(Self { mesh, positions, boundary, inputs })
    }
    /// The angle defect of every vertex.
    /// # Errors
    /// Out of memory; what a kernel recorded or the driver says.
    pub fn curvature(&self) -> Result<Curvature> {
        let (mesh, device) = (&self.mesh, self.mesh.device());
        let mut defects = device.zeros(mesh.vertices())?;
        let mut sums = device.zeros(mesh.patches())?;
        let mut saddles = device.zeros(1)?;
        let kernel = AngleDefect {
            mesh: mesh.view(),
            positions: self.positions.view(),
            boundary: self.boundary.view(),
            defects: defects.view_mut(),
            sums: sums.view_mut(),
            saddles: saddles.view_mut(),
        };
        device.launch(mesh.patches() as u32, kernel)?;
        Ok(Curvature {
            defects: self.in_input_order(&defects.read()?),
            total: sums.read()?.iter().sum(),
            saddles: saddles.read()?[0],
        })
    }
    /// The positions, in the order of the input, after inner vertices with an angle defect over `threshold` have moved
    /// to the mean of their neighbours.
    /// # Errors
    /// As [`Surface::curvature`].
    pub fn despiked(&self, threshold: f32) -> Result<Vec<[f32; 3]>> {
        let mut moved = self.positions.try_clone()?;
        self.launch_despike(threshold, &mut moved)?;
        Ok(self.in_input_order(&moved.read()?).into_iter().map(Into::into).collect())
    }
    /// How long the filter takes on this machine.
    /// # Errors
    /// As [`Surface::curvature`].
    pub fn time_despike(&self, threshold: f32, repetitions: usize) -> Result<Timing> {
        let moved = std::cell::RefCell::new(self.positions.try_clone()?);
        let device = self.mesh.device();
        device.time_repeated(repetitions, || self.launch_despike(threshold, &mut moved.borrow_mut()))
    }
    fn launch_despike(&self, threshold: f32, moved: &mut Buffer<Vec3>) -> Result<()> {
        let kernel = Despike {
            mesh: self.mesh.view(),
            positions: self.positions.view(),
            boundary: self.boundary.view(),
            threshold,
            moved: moved.view_mut(),
        };
        self.mesh.device().launch(self.mesh.patches() as u32, kernel)
    }
    fn in_input_order<T: Copy + Default>(&self, by_id: &[T]) -> Vec<T> {
        let mut values = vec![T::default(); by_id.len()];
        for (&input, &value) in self.inputs.iter().zip(by_id) {
            values[input as usize] = value;
        }
        values
    }
}
