//! The Laplacian of a surface.
use super::options::{Cover, LaplacianOptions, LaplacianReport, Mass};
use super::ordered::Ordered;
use super::triangulation::Triangulation;
use crate::device::rows::{
    Corners, CountEntries, LUMPED, NewMatrixArguments, PairUp, StarsArguments, VORONOI, WriteRows,
};
use ribbonmesh::{Buffer, Result, Surface, array};
use ribbonmesh_sparse::{Csr, SparseMatrix, Variant};

/// The Laplacian of a surface and the masses of its vertices, on the device. Rows and columns are vertices in
/// the order of [`Surface::download`].
///
/// The matrix L is positive semidefinite, and symmetric to the last bit: uᵀ L u is the integral of the
/// squared gradient of u. Columns ascend in each row, and the diagonal is always there. L M⁻¹ has the units
/// of an inverse area.
pub struct Laplacian {
    starts: Buffer<u32>,
    columns: Buffer<u32>,
    values: Buffer<f64>,
    mass: Buffer<f64>,
    report: LaplacianReport,
}

/// The Laplacian and the masses of any triangles: with boundary, edges of several faces, triangles of no
/// area, whatever orientation (Sharp and Crane, *A Laplacian for Nonmanifold Triangle Meshes*, 2020). Equal
/// to those of geometry-central but for rounding.
///
/// About 300 bytes of the device's memory for a face, half of that for a closed oriented manifold. Waits.
/// # Errors
/// As [`Triangulation::new`]; [`ribbonmesh::Error::Option`] for a `mollify` out of range.
pub fn laplacian(surface: &Surface, options: &LaplacianOptions) -> Result<Laplacian> {
    Laplacian::of(&triangulation(surface, options)?, options.mass)
}
/// The triangulation that a Laplacian is of.
pub fn triangulation(surface: &Surface, options: &LaplacianOptions) -> Result<Triangulation> {
    options.check()?;
    let Ordered { positions, faces } = Ordered::of(surface)?;
    let intrinsic = !options.extrinsic;
    let mollify = if intrinsic { options.mollify } else { 0.0 };
    let mut triangulation = Triangulation::glued(&positions, faces, mollify, intrinsic)?;
    drop(positions);
    if intrinsic {
        triangulation.flip_to_delaunay(options.rounds)?;
    }
    Ok(triangulation)
}

impl Laplacian {
    /// The Laplacian of a triangulation as it is. Linear; waits. Each row is written by one thread.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn of(of: &Triangulation, mass: Mass) -> Result<Self> {
        Ok(Self::assembled(of, mass)?.0)
    }
    /// The same, with what it was made of.
    pub(super) fn assembled(of: &Triangulation, mass: Mass) -> Result<(Self, Parts)> {
        let (device, n, vertices) = (&of.device, of.twin.len(), of.vertices as usize);
        let mut cotangents = device.unspecified::<f64>(n)?;
        let mut thirds = device.unspecified::<f64>(n)?;
        let mut lesser = device.unspecified::<u32>(n)?;
        let mut flat = device.zeros::<u32>(1)?;
        let corners = Corners {
            mesh: of.view(),
            cotangents: cotangents.view_mut(),
            thirds: thirds.view_mut(),
            lesser: lesser.view_mut(),
            flat: flat.view_mut(),
        };
        device.launch_each(n as u32, corners)?;
        let (first, half_edges) = by_vertices(of, &lesser)?;
        let parts = Parts { cotangents, first, half_edges };
        let stars = || parts.stars(of);
        let mut starts = device.zeros::<u32>(vertices + 1)?;
        device.launch_each(of.vertices, CountEntries { stars: stars(), counts: starts.view_mut() })?;
        let entries = array::exclusive_scan(&mut starts)? as usize;
        let mut columns = device.unspecified::<u32>(entries)?;
        let mut values = device.unspecified::<f64>(entries)?;
        let mut masses = device.unspecified::<f64>(vertices)?;
        let write = WriteRows {
            share: of.share(),
            masses: if mass == Mass::Voronoi { VORONOI } else { LUMPED },
            stars: stars(),
            length: of.length.view(),
            cotangents: parts.cotangents.view(),
            thirds: thirds.view(),
            to: NewMatrixArguments {
                starts: starts.view(),
                columns: columns.view_mut(),
                values: values.view_mut(),
                mass: masses.view_mut(),
            },
        };
        device.launch_each(of.vertices, write)?;
        let report = LaplacianReport {
            cover: of.cover(),
            flips: of.flips(),
            rounds: of.rounds(),
            delaunay: of.is_delaunay(),
            longer: of.longer(),
            mean_edge_length: of.mean_edge_length(),
            degenerate_faces: of.degenerate_faces(),
            // without flips both sheets are the same
            flat_triangles: flat.read()?[0] as usize
                / if of.cover() == Cover::Double && of.flips() == 0 { 6 } else { 3 },
            vertices,
            entries,
        };
        Ok((Self { starts, columns, values, mass: masses, report }, parts))
    }
    /// The first entry of each row, and the end.
    pub fn starts(&self) -> &Buffer<u32> {
        &self.starts
    }
    /// The column of each entry.
    pub fn columns(&self) -> &Buffer<u32> {
        &self.columns
    }
    /// The entries.
    pub fn values(&self) -> &Buffer<f64> {
        &self.values
    }
    /// The mass of each vertex: the diagonal of the mass matrix, in the units of an area. 0 for a vertex
    /// without triangles.
    pub fn mass(&self) -> &Buffer<f64> {
        &self.mass
    }
    /// How it was made.
    pub fn report(&self) -> &LaplacianReport {
        &self.report
    }
    /// The arrays: first entries of rows, columns, entries, and masses.
    pub fn into_parts(self) -> (Buffer<u32>, Buffer<u32>, Buffer<f64>, Buffer<f64>) {
        (self.starts, self.columns, self.values, self.mass)
    }
    /// The matrix on the host. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn to_csr(&self) -> ribbonmesh_sparse::Result<Csr<f64>> {
        csr(self.report.vertices, &self.starts, &self.columns, &self.values)
    }
    /// The mass matrix on the host. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn mass_csr(&self) -> ribbonmesh_sparse::Result<Csr<f64>> {
        Csr::diagonal(self.mass.read()?)
    }
    /// The matrix for products and solvers, without a copy. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn into_matrix(self) -> ribbonmesh_sparse::Result<SparseMatrix<f64>> {
        let Self { starts, columns, values, report, .. } = self;
        SparseMatrix::from_buffers(report.vertices, starts, columns, values, Variant::CSR.schedule)
    }
}

/// The parts of the rows of a Laplacian.
pub struct Parts {
    /// The cotangent opposite to each half-edge.
    pub cotangents: Buffer<f64>,
    first: array::Groups,
    half_edges: Buffer<u32>,
}
impl Parts {
    /// The half-edges of each vertex.
    pub fn stars<'a>(&'a self, of: &'a Triangulation) -> StarsArguments<'a> {
        StarsArguments {
            starts: self.first.starts().view(),
            half_edges: self.half_edges.view(),
            twin: of.twin.view(),
            origin: of.origin.view(),
        }
    }
}

/// All half-edges by the vertices at which they begin, then by those at which they end, then by their edges:
/// the first place of each vertex, and the half-edges by places. Both rows of an edge add in the same order.
fn by_vertices(of: &Triangulation, lesser: &Buffer<u32>) -> Result<(array::Groups, Buffer<u32>)> {
    let (device, n) = (&of.device, of.twin.len());
    let edges = array::select(lesser)?;
    let [mut half_edges, mut begins, mut ends] =
        [device.unspecified::<u32>(n)?, device.unspecified::<u32>(n)?, device.unspecified::<u32>(n)?];
    let pair = PairUp {
        edges: edges.view(),
        twin: of.twin.view(),
        origin: of.origin.view(),
        half_edges: half_edges.view_mut(),
        begins: begins.view_mut(),
        ends: ends.view_mut(),
    };
    device.launch_each(edges.len() as u32, pair)?;
    // by the second first: groups keep the order of what they get
    let by_end = array::group_by(&ends, of.vertices)?;
    let by_begin = array::group_by(&array::gather(&begins, by_end.places())?, of.vertices)?;
    let half_edges = array::gather(&half_edges, &array::gather(by_end.places(), by_begin.places())?)?;
    Ok((by_begin, half_edges))
}

/// A matrix on the host.
pub fn csr(
    width: usize,
    starts: &Buffer<u32>,
    columns: &Buffer<u32>,
    values: &Buffer<f64>,
) -> ribbonmesh_sparse::Result<Csr<f64>> {
    Csr::from_parts(width, starts.read()?, columns.read()?, values.read()?)
}
