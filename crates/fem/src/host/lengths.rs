//! Exact lengths of the rows of a matrix.
use super::error::{FemError, Result};
use crate::device::bernstein::binomial;
use crate::device::pattern::{
    CountByCells, CountByEdges, CountByFaces, LengthsInArguments, LengthsOutArguments,
};
use ribbonmesh::{Buffer, array};
use ribbonmesh_volume::{Relation, SimplexMesh};

/// The lengths of the rows of a matrix on tetrahedra, or on triangles at order 1, counted in blocks, by
/// equation 4.6: nodes inside of the same edge or face have the same length. They are exact for a mesh
/// without duplicate cells, and bounds otherwise.
pub struct RowLengths {
    order: u32,
    cells: u64,
    vertices: Buffer<u32>,
    edges: Buffer<u32>,
    faces: Buffer<u32>,
}
impl RowLengths {
    /// Counts with as few relations as the order needs: ends of edges; from order 2 on vertices and edges of
    /// faces, and of cells. Two or three launches.
    /// # Errors
    /// [`FemError::Order`] for others than 1 to 4, or on triangles than 1; out of memory; errors of the
    /// driver.
    pub fn new(mesh: &SimplexMesh, order: u32) -> Result<Self> {
        use Relation::{CE, CF, CV, EV, FE, FV};
        let most = if mesh.dimension() == 3 { 4 } else { 1 };
        if !(1..=most).contains(&order) {
            return Err(FemError::Order { order, most });
        }
        let (device, ev) = (mesh.device(), mesh.relation(EV)?);
        let filled = |n: usize, k: u32| {
            let mut counts = device.unspecified::<u32>(n)?;
            array::fill(&mut counts, binomial(order + k, k))?;
            Ok::<_, FemError>(counts)
        };
        let mut vertices = filled(mesh.vertices(), 0)?;
        let mut edges = filled(if order > 1 { ev.rows() } else { 0 }, 1)?;
        let mut faces = filled(if order > 2 { mesh.relation(FE)?.rows() } else { 0 }, 2)?;
        let mut to = LengthsOutArguments {
            vertices: vertices.view_mut(),
            edges: edges.view_mut(),
            faces: faces.view_mut(),
        };
        let n = ev.rows() as u32;
        device.launch_each(n, CountByEdges { order, ev: ev.view(), to: to.reborrow() })?;
        if order > 1 {
            let (fv, fe) = (mesh.relation(FV)?, mesh.relation(FE)?);
            let n = fe.rows() as u32;
            device.launch_each(n, CountByFaces { order, fv: fv.view(), fe: fe.view(), to: to.reborrow() })?;
            let (cv, ce, cf) = (mesh.relation(CV)?, mesh.relation(CE)?, mesh.relation(CF)?);
            let n = cv.rows() as u32;
            let (cv, ce, cf) = (cv.view(), ce.view(), cf.view());
            device.launch_each(n, CountByCells { order, cv, ce, cf, to: to.reborrow() })?;
        }
        Ok(Self { order, cells: mesh.simplices() as u64, vertices, edges, faces })
    }
    /// The length of the row of each vertex.
    pub fn vertices(&self) -> &Buffer<u32> {
        &self.vertices
    }
    /// The lengths of the rows of the nodes inside of each edge; empty at order 1, where there are none.
    pub fn edges(&self) -> &Buffer<u32> {
        &self.edges
    }
    /// The lengths of the rows of the nodes inside of each face; empty below order 3.
    pub fn faces(&self) -> &Buffer<u32> {
        &self.faces
    }
    /// The length of the rows of the nodes inside of a cell; there are none below order 4.
    pub fn cell(&self) -> u32 {
        binomial(self.order + 3, 3)
    }
    /// The number of blocks of the matrix; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn total(&self) -> Result<u64> {
        let sum = |counts: &Buffer<u32>, dimension: u32| -> Result<u64> {
            let inner = u64::from(binomial(self.order - 1, dimension));
            Ok(inner * array::sum(counts)?)
        };
        let cells = u64::from(binomial(self.order - 1, 3)) * u64::from(self.cell()) * self.cells;
        Ok(sum(&self.vertices, 0)? + sum(&self.edges, 1)? + sum(&self.faces, 2)? + cells)
    }
    /// As an argument of kernels.
    pub(crate) fn view(&self, first_edge: u32, first_face: u32) -> LengthsInArguments<'_> {
        LengthsInArguments {
            vertices: self.vertices.view(),
            edges: self.edges.view(),
            faces: self.faces.view(),
            first_edge,
            first_face,
            per_edge: (self.order - 1).max(1),
        }
    }
    /// The lengths of rows that are counted one by one.
    pub(crate) fn of_rows(lengths: Buffer<u32>) -> Result<Self> {
        let (edges, faces) = (lengths.device().unspecified(0)?, lengths.device().unspecified(0)?);
        Ok(Self { order: 1, cells: 0, vertices: lengths, edges, faces })
    }
}
impl std::fmt::Debug for RowLengths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RowLengths of order {}", self.order)
    }
}
