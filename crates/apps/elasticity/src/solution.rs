//! The result.
use ribbonmesh::glam::DVec3;
use ribbonmesh_volume_io::{DataArray, VolumeData};

/// How a problem was solved.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Cells of each of [`Problem::materials`](crate::Problem::materials).
    pub material_cells: Vec<usize>,
    /// Unknowns, fixed ones included.
    pub unknowns: usize,
    /// Unknowns that are fixed.
    pub fixed: usize,
    /// Blocks of the matrix.
    pub blocks: u64,
    /// Bytes of the matrix.
    pub matrix_bytes: usize,
    /// Places that pad rows, by blocks off the diagonal.
    pub padding: f64,
    /// Nodes of each level of multigrid, from the finest; empty without.
    pub levels: Vec<usize>,
    /// Bytes of multigrid on the device.
    pub multigrid_bytes: usize,
    /// Iterations of conjugate gradients.
    pub iterations: usize,
    /// The residual of the iteration, by the first one.
    pub residual: f64,
    /// The residual computed anew from the solution, by the size of the forces: what rounding has left.
    pub true_residual: f64,
    /// Whether the tolerance is reached.
    pub converged: bool,
    /// The energy of the strain.
    pub strain_energy: f64,
    /// The work of loads along the displacement.
    pub work: f64,
    /// The sum of all loads.
    pub load: DVec3,
    /// The sum of all reactions: minus the load.
    pub reaction: DVec3,
    /// The sum of reactions at each of [`Problem::supports`](crate::Problem::supports): along each direction of a node, the support that holds it there.
    pub support_reactions: Vec<DVec3>,
    /// The longest displacement of a vertex.
    pub greatest_displacement: f64,
    /// The greatest von Mises stress of a cell.
    pub greatest_von_mises: f64,
    /// Vertices that belong to no cell; they stay where they are.
    pub isolated_vertices: usize,
    /// Seconds.
    pub times: Times,
}
/// Seconds of the stages. Those of the device include waiting for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Relations of the mesh, selections, loads.
    pub prepare: f64,
    /// The pattern of the matrix.
    pub pattern: f64,
    /// Its values.
    pub assemble: f64,
    /// The preconditioner.
    pub precondition: f64,
    /// Conjugate gradients.
    pub solve: f64,
    /// Stresses and reactions.
    pub evaluate: f64,
}

/// Displacements, reactions and stresses.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Of each vertex.
    pub displacement: Vec<DVec3>,
    /// The force with which supports hold each vertex. That of a node inside of an edge or face is split between its vertices, which changes
    /// neither the sum nor the moment.
    pub reaction: Vec<DVec3>,
    /// At the middle of each cell: xx, yy, zz, xy, yz, zx.
    pub stress: Vec<[f64; 6]>,
    /// The von Mises stress at the middle of each cell.
    pub von_mises: Vec<f64>,
    /// The mean of the von Mises stresses around each vertex, for pictures.
    pub vertex_von_mises: Vec<f64>,
    /// How it was found.
    pub report: Report,
}
impl Solution {
    /// Puts the result into a volume as data: of vertices `displacement`, `reaction` and `von_mises`; of cells `stress` (xx, yy, zz, xy, yz,
    /// zx) and `von_mises`. Data with such names is replaced.
    pub fn store(&self, volume: &mut VolumeData) {
        let vectors = |of: &[DVec3]| of.iter().flat_map(DVec3::to_array).collect::<Vec<f64>>();
        let put = |arrays: &mut Vec<DataArray>, array: DataArray| {
            arrays.retain(|other| other.name != array.name);
            arrays.push(array);
        };
        put(&mut volume.point_data, DataArray::of_width("displacement", 3, vectors(&self.displacement)));
        put(&mut volume.point_data, DataArray::of_width("reaction", 3, vectors(&self.reaction)));
        put(&mut volume.point_data, DataArray::new("von_mises", self.vertex_von_mises.clone()));
        put(&mut volume.cell_data, DataArray::of_width("stress", 6, self.stress.concat()));
        put(&mut volume.cell_data, DataArray::new("von_mises", self.von_mises.clone()));
    }
}

/// The stress of a displacement's gradient, for each number three derivatives: 2 μ ε + λ tr(ε) I.
pub fn stress(gradient: &[f64], lambda: f64, mu: f64) -> [f64; 6] {
    let g = |i: usize, j: usize| gradient[3 * i + j];
    let trace = lambda * (g(0, 0) + g(1, 1) + g(2, 2));
    let both = |i: usize, j: usize| mu * (g(i, j) + g(j, i));
    [both(0, 0) + trace, both(1, 1) + trace, both(2, 2) + trace, both(0, 1), both(1, 2), both(2, 0)]
}
/// The von Mises stress.
pub fn von_mises([xx, yy, zz, xy, yz, zx]: [f64; 6]) -> f64 {
    let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
}
