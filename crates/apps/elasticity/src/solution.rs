//! The result.
use super::stresses::{principal, von_mises};
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
    /// The residual b - A x of the solution, computed anew with the matrix in double precision, by the one at
    /// the beginning: what the tolerance is for.
    pub residual: f64,
    /// The same residual by the size of loads and reactions.
    pub true_residual: f64,
    /// The residual that rounding in double precision leaves at best, where the tolerance is not
    /// reached: large where a stiff part moves far, since its forces cancel out.
    pub rounding: f64,
    /// Whether the residual is within the tolerance, or within what rounding leaves.
    pub converged: bool,
    /// Ways that failed before the one that was taken, in words: single precision, multigrid.
    pub fallbacks: Vec<String>,
    /// Selections of regions that both faces and cells have, of which supports and loads took faces,
    /// materials cells.
    pub ambiguous: Vec<String>,
    /// The energy of the strain.
    pub strain_energy: f64,
    /// The sum over all nodes of the load times the displacement. Loads that grow from 0 do half of it, which
    /// is the strain energy if no displacement is prescribed.
    pub work: f64,
    /// The sum of all loads, gravity included.
    pub load: DVec3,
    /// Their moment about the origin of the file's coordinates.
    pub load_moment: DVec3,
    /// The sum of all reactions: minus the load.
    pub reaction: DVec3,
    /// Their moment about the origin: minus that of the loads.
    pub reaction_moment: DVec3,
    /// The sum of reactions at each of [`Problem::supports`](crate::Problem::supports): along each direction
    /// of a node, the support that holds it there.
    pub support_reactions: Vec<DVec3>,
    /// Their moments about the origin.
    pub support_moments: Vec<DVec3>,
    /// Of each of [`Problem::loads`](crate::Problem::loads).
    pub loads: Vec<LoadSum>,
    /// The volume of the body.
    pub volume: f64,
    /// Its mass.
    pub mass: f64,
    /// The longest displacement of a vertex.
    pub greatest_displacement: f64,
    /// Where.
    pub greatest_displacement_at: Place,
    /// The greatest von Mises stress of a vertex.
    pub greatest_von_mises: f64,
    /// Where.
    pub greatest_von_mises_at: Place,
    /// The greatest von Mises stress at the middle of a cell, which is below that of vertices where stresses
    /// change.
    pub greatest_cell_von_mises: f64,
    /// The cell.
    pub greatest_cell: usize,
    /// The greatest principal stress of a vertex: tension.
    pub greatest_principal: f64,
    /// Where.
    pub greatest_principal_at: Place,
    /// The least principal stress of a vertex: compression.
    pub least_principal: f64,
    /// Where.
    pub least_principal_at: Place,
    /// [`Problem::yield_stress`](crate::Problem::yield_stress) by the greatest von Mises stress.
    pub safety_factor: Option<f64>,
    /// An estimate of the error of stresses in the norm of the energy, by that of the solution: how far
    /// stresses of cells are from those of vertices (Zienkiewicz and Zhu 1987). Its square is about how much
    /// too stiff the body is.
    pub estimated_error: f64,
    /// The greatest Poisson's ratio of a cell.
    pub greatest_poisson: f64,
    /// Vertices that belong to no cell; they stay where they are.
    pub isolated_vertices: usize,
    /// Seconds.
    pub times: Times,
}
impl Report {
    /// Whether the elements are tetrahedra of order 1 of a material that hardly changes its volume: they
    /// lock, and the body is too stiff by far.
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
    /// The area of the faces that it is on.
    pub area: f64,
    /// Its sum.
    pub force: DVec3,
    /// Its moment about the origin of the file's coordinates.
    pub moment: DVec3,
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
    /// The force with which supports hold each vertex. That of a node inside of an edge or face is split
    /// between its vertices, which changes neither the sum nor the moment.
    pub reaction: Vec<DVec3>,
    /// At the middle of each cell: xx, yy, zz, xy, yz, zx.
    pub stress: Vec<[f64; 6]>,
    /// The von Mises stress at the middle of each cell.
    pub von_mises: Vec<f64>,
    /// At each vertex: the mean of the stresses that the cells around it have there; where materials meet,
    /// within that of the greatest von Mises stress.
    pub vertex_stress: Vec<[f64; 6]>,
    /// The von Mises stress of each vertex's stress.
    pub vertex_von_mises: Vec<f64>,
    /// How it was found.
    pub report: Report,
}
impl Solution {
    /// Puts the result into a volume as data: of vertices `displacement` and `reaction`; of vertices and of
    /// cells `stress` (xx, yy, zz, xy, yz, zx), `principal_stress` (the greatest first) and `von_mises`. Data
    /// with such names is replaced.
    pub fn store(&self, volume: &mut VolumeData) {
        let vectors = |of: &[DVec3]| of.iter().flat_map(DVec3::to_array).collect::<Vec<f64>>();
        let put = |arrays: &mut Vec<DataArray>, array: DataArray| {
            arrays.retain(|other| other.name != array.name);
            arrays.push(array);
        };
        put(&mut volume.point_data, DataArray::of_width("displacement", 3, vectors(&self.displacement)));
        put(&mut volume.point_data, DataArray::of_width("reaction", 3, vectors(&self.reaction)));
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
