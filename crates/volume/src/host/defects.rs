//! Unusual features of a volume mesh.
use super::error::Result;
use super::mesh::VolumeMesh;
use super::relation::Relation;
use crate::device::defects as kinds;
use crate::device::defects::{ExamineCells, ExamineFaces, ExamineVertices};
use ribbonmesh::device::NONE;

/// The number of elements with a property, and the smallest of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The number of elements.
    pub count: usize,
    /// The smallest one, if there is any.
    pub first: Option<u32>,
}

/// Result of [`VolumeMesh::defects`]. No defect keeps a mesh from being built; algorithms say what they need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeDefects {
    /// Faces of exactly one cell.
    pub boundary_faces: Found,
    /// Faces of no cell.
    pub dangling_faces: Found,
    /// Faces of more than two cells.
    pub crowded_faces: Found,
    /// Faces with two cells or more on the same side: one of these is inverted, or a duplicate, or they
    /// overlap.
    pub same_side_faces: Found,
    /// Cells that have the same faces as a cell before them.
    pub duplicate_cells: Found,
    /// Cells of negative volume.
    pub inverted_cells: Found,
    /// Cells without volume.
    pub flat_cells: Found,
    /// Vertices without edges.
    pub isolated_vertices: Found,
}
impl VolumeDefects {
    /// Whether cells fill a volume without overlaps at their faces: nothing is found but boundary faces.
    pub fn is_sound(&self) -> bool {
        let bad = [
            self.dangling_faces,
            self.crowded_faces,
            self.same_side_faces,
            self.duplicate_cells,
            self.inverted_cells,
            self.flat_cells,
            self.isolated_vertices,
        ];
        bad.iter().all(|found| found.count == 0)
    }
}

impl VolumeMesh {
    /// Counts what is unusual about the mesh. Four passes; makes FC, FV and VE; waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn defects(&self) -> Result<VolumeDefects> {
        let (device, volumes) = (self.device(), self.volumes()?);
        let [cf, fc, ve] = [Relation::CF, Relation::FC, Relation::VE].map(|r| self.relation(r));
        let (cf, fc, ve) = (cf?, fc?, ve?);
        let mut found = device.upload(&[0, NONE].repeat(kinds::ALL))?;
        let (faces, cells, vertices) = (self.faces() as u32, self.cells() as u32, self.vertices() as u32);
        let kernel = ExamineFaces { fc: fc.view(), found: found.view_mut() };
        device.launch_each(faces, kernel)?;
        let (all, to) = (volumes.view(), found.view_mut());
        let kernel = ExamineCells { cf: cf.view(), fc: fc.view(), volumes: all, found: to };
        device.launch_each(cells, kernel)?;
        let kernel = ExamineVertices { ve: ve.view(), found: found.view_mut() };
        device.launch_each(vertices, kernel)?;
        let found = found.read()?;
        let get = |kind: u32| {
            let (count, first) = (found[2 * kind as usize] as usize, found[2 * kind as usize + 1]);
            Found { count, first: (first != NONE).then_some(first) }
        };
        Ok(VolumeDefects {
            boundary_faces: get(kinds::BOUNDARY),
            dangling_faces: get(kinds::DANGLING),
            crowded_faces: get(kinds::CROWDED),
            same_side_faces: get(kinds::SAME_SIDE),
            duplicate_cells: get(kinds::DUPLICATE),
            inverted_cells: get(kinds::INVERTED),
            flat_cells: get(kinds::FLAT),
            isolated_vertices: get(kinds::ISOLATED),
        })
    }
}
