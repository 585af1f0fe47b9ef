//! The gradient of functions on a surface.
use super::laplacian::csr;
use super::ordered::Ordered;
use crate::device::gradient::{CountGradient, WriteGradient};
use ribbonmesh::{Buffer, Result, Surface, array};
use ribbonmesh_sparse::Csr;

/// The gradient as a matrix on the device: rows 3 f, 3 f + 1 and 3 f + 2 give x, y and z of the gradient in
/// face f of a function with a value at each vertex, linear on faces. Vertices and faces have the order of
/// [`Surface::download`].
pub struct Gradient {
    vertices: usize,
    starts: Buffer<u32>,
    columns: Buffer<u32>,
    values: Buffer<f64>,
    areas: Buffer<f64>,
}

/// The gradient on the triangles of a surface as they are: three entries in each row, zeros for a face
/// without area, and no entries for a face that has a vertex twice. Linear; waits.
/// # Errors
/// Out of memory; errors of the driver.
pub fn gradient(surface: &Surface) -> Result<Gradient> {
    let Ordered { positions, faces } = Ordered::of(surface)?;
    let (device, n) = (surface.device(), (faces.len() / 3) as u32);
    let mut starts = device.zeros::<u32>(faces.len() + 1)?;
    device.launch_each(n, CountGradient { faces: faces.view(), counts: starts.view_mut() })?;
    let entries = array::exclusive_scan(&mut starts)? as usize;
    let mut columns = device.unspecified::<u32>(entries)?;
    let mut values = device.unspecified::<f64>(entries)?;
    let mut areas = device.unspecified::<f64>(n as usize)?;
    let write = WriteGradient {
        faces: faces.view(),
        positions: positions.view(),
        starts: starts.view(),
        columns: columns.view_mut(),
        values: values.view_mut(),
        areas: areas.view_mut(),
    };
    device.launch_each(n, write)?;
    Ok(Gradient { vertices: positions.len(), starts, columns, values, areas })
}

impl Gradient {
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
    /// The area of each face.
    pub fn areas(&self) -> &Buffer<f64> {
        &self.areas
    }
    /// The arrays: first entries of rows, columns, entries.
    pub fn into_parts(self) -> (Buffer<u32>, Buffer<u32>, Buffer<f64>) {
        (self.starts, self.columns, self.values)
    }
    /// The matrix on the host. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn to_csr(&self) -> ribbonmesh_sparse::Result<Csr<f64>> {
        csr(self.vertices, &self.starts, &self.columns, &self.values)
    }
}
