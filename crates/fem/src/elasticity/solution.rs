//! The solution of a problem, and the report.
use super::stresses::{principal, von_mises};
use ribbonmesh::glam::DVec3;
use ribbonmesh_volume_io::{DataArray, VolumeData};

/// Report of [`solve`](crate::elasticity::solve()).
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Number of cells of each of [`Problem::materials`](crate::elasticity::Problem::materials).
    pub material_cells: Vec<usize>,
    /// Number of unknowns, including fixed ones.
    pub unknowns: usize,
    /// Number of fixed unknowns.
    pub fixed: usize,
    /// Number of blocks of the matrix.
    pub blocks: u64,
    /// Bytes of the matrix.
    pub matrix_bytes: usize,
    /// Ratio of entries that pad rows to blocks off the diagonal.
    pub padding: f64,
    /// Number of nodes of each level of multigrid, from the finest; empty without multigrid.
    pub levels: Vec<usize>,
    /// Bytes of multigrid on the device.
    pub multigrid_bytes: usize,
    /// Iterations of conjugate gradients.
    pub iterations: usize,
    /// Steps of Newton's method; 0 of small displacements.
    pub newton_steps: usize,
    /// Stages in which supports moved to their places; 0 of small displacements.
    pub stages: usize,
    /// The residual b - A x of the solution, recomputed with the matrix in double precision, divided by the
    /// one at the beginning; the tolerance refers to it.
    pub residual: f64,
    /// The same residual divided by the size of loads and reactions.
    pub true_residual: f64,
    /// The least residual that rounding in double precision allows, if the tolerance is not reached. It is
    /// large if a stiff part moves far, since its forces cancel out.
    pub rounding: f64,
    /// Whether the residual is within the tolerance, or within the limit of rounding.
    pub converged: bool,
    /// Methods that failed before the one that succeeded, in words: single precision, multigrid.
    pub fallbacks: Vec<String>,
    /// Selections of regions that both faces and cells have. Supports and loads took the faces, materials the
    /// cells.
    pub ambiguous: Vec<String>,
    /// The energy of the strain.
    pub strain_energy: f64,
    /// The sum over all nodes of the load times the displacement. Loads that grow from 0 do half of this
    /// work, which is the strain energy if no displacement is prescribed.
    pub work: f64,
    /// The sum of all loads, including gravity.
    pub load: DVec3,
    /// Their moment about the origin of the file's coordinates.
    pub load_moment: DVec3,
    /// The sum of all reactions: minus the load.
    pub reaction: DVec3,
    /// Their moment about the origin: minus that of the loads.
    pub reaction_moment: DVec3,
    /// The sum of reactions at each of [`Problem::supports`](crate::elasticity::Problem::supports). A
    /// reaction along a direction of a node belongs to the support that holds it there.
    pub support_reactions: Vec<DVec3>,
    /// Their moments about the origin.
    pub support_moments: Vec<DVec3>,
    /// The sums of each of [`Problem::loads`](crate::elasticity::Problem::loads).
    pub loads: Vec<LoadSum>,
    /// The volume of the body.
    pub volume: f64,
    /// Its mass.
    pub mass: f64,
    /// The longest displacement of a vertex.
    pub greatest_displacement: f64,
    /// The vertex with the longest displacement.
    pub greatest_displacement_at: Place,
    /// The greatest von Mises stress of a vertex.
    pub greatest_von_mises: f64,
    /// The vertex with the greatest von Mises stress.
    pub greatest_von_mises_at: Place,
    /// The greatest von Mises stress at the middle of a cell, which is less than that of vertices where
    /// stresses vary.
    pub greatest_cell_von_mises: f64,
    /// The cell with that stress.
    pub greatest_cell: usize,
    /// The greatest principal stress of a vertex: tension.
    pub greatest_principal: f64,
    /// The vertex with the greatest principal stress.
    pub greatest_principal_at: Place,
    /// The least principal stress of a vertex: compression.
    pub least_principal: f64,
    /// The vertex with the least principal stress.
    pub least_principal_at: Place,
    /// [`Problem::yield_stress`](crate::elasticity::Problem::yield_stress) divided by the greatest von Mises
    /// stress.
    pub safety_factor: Option<f64>,
    /// An estimate of the error of stresses in the norm of the energy, divided by that of the solution. It
    /// measures the difference between the stresses of cells and of vertices (Zienkiewicz and Zhu 1987). Its
    /// square is about the part by which the body is too stiff.
    pub estimated_error: f64,
    /// The greatest Poisson's ratio of a cell.
    pub greatest_poisson: f64,
    /// Vertices that belong to no cell; they stay where they are.
    pub isolated_vertices: usize,
    /// Seconds of each stage.
    pub times: Times,
}
impl Report {
    /// Whether the elements are tetrahedra of order 1 of a material that hardly changes its volume: they
    /// lock, and the body is much too stiff.
    pub fn locks(&self, order: u32, tetrahedra: bool) -> bool {
        order == 1 && tetrahedra && self.greatest_poisson > 0.45
    }
}
/// A vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Its number.
    pub vertex: usize,
    /// Its position, in the file's coordinates.
    pub position: DVec3,
}
/// The sums of a load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoadSum {
    /// The area of the faces on which it acts.
    pub area: f64,
    /// Its sum.
    pub force: DVec3,
    /// Its moment about the origin of the file's coordinates.
    pub moment: DVec3,
}
/// Seconds of the stages. Stages on the device include waiting for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Relations of the mesh, selections, loads.
    pub prepare: f64,
    /// The pattern of the matrix.
    pub pattern: f64,
    /// The values of the matrix.
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
    /// The displacement of each vertex.
    pub displacement: Vec<DVec3>,
    /// The force with which supports hold each vertex. The force at a node inside of an edge or face is split
    /// between its vertices, which changes neither the sum nor the moment.
    pub reaction: Vec<DVec3>,
    /// The stress at the middle of each cell: xx, yy, zz, xy, yz, zx.
    pub stress: Vec<[f64; 6]>,
    /// The von Mises stress at the middle of each cell.
    pub von_mises: Vec<f64>,
    /// The stress at each vertex: the mean of the stresses of the cells around it at that vertex; where
    /// materials meet, the mean within the material with the greatest von Mises stress.
    pub vertex_stress: Vec<[f64; 6]>,
    /// The von Mises stress of each vertex's stress.
    pub vertex_von_mises: Vec<f64>,
    /// Report of the solution.
    pub report: Report,
}
/// Adds data; other data with its name goes.
pub fn put(arrays: &mut Vec<DataArray>, array: DataArray) {
    arrays.retain(|other| other.name != array.name);
    arrays.push(array);
}
/// Data of vectors.
pub fn vectors(name: &str, of: &[DVec3]) -> DataArray {
    DataArray::of_width(name, 3, of.iter().flat_map(DVec3::to_array).collect::<Vec<f64>>())
}
impl Solution {
    /// Stores the result in a volume as data: `displacement` and `reaction` of vertices; `stress` (xx, yy,
    /// zz, xy, yz, zx), `principal_stress` (the greatest first) and `von_mises` of vertices and of cells.
    /// Data with such names is replaced.
    pub fn store(&self, volume: &mut VolumeData) {
        put(&mut volume.point_data, vectors("displacement", &self.displacement));
        put(&mut volume.point_data, vectors("reaction", &self.reaction));
        for (data, stress) in
            [(&mut volume.point_data, &self.vertex_stress), (&mut volume.cell_data, &self.stress)]
        {
            let principal: Vec<f64> = stress.iter().flat_map(|s| principal(*s)).collect();
            let von: Vec<f64> = stress.iter().map(|s| von_mises(*s)).collect();
            put(data, DataArray::of_width("stress", 6, stress.concat()));
            put(data, DataArray::of_width("principal_stress", 3, principal));
            put(data, DataArray::new("von_mises", von));
        }
    }
    /// The principal stresses of each vertex, the greatest first.
    pub fn vertex_principal(&self) -> Vec<[f64; 3]> {
        self.vertex_stress.iter().map(|s| principal(*s)).collect()
    }
}
