//! Curvatures: the host's part.
use crate::curvature::Area;
use crate::curvature::at_vertex::ResultsArguments;
use crate::curvature::kernels::{FlatBarycentric, FlatMixed};
use ribbonmesh::device::tiles;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Error, FlatTopology, Result};

/// Curvatures of all vertices by id, on the mesh's device. All values are 0 at vertices without faces. No
/// value is NaN; values beyond the range of `f32` are clamped to its largest number.
pub struct FlatCurvatures {
    /// Angle defect in radians: 2π minus the sum of the angles at the vertex, on the boundary π minus this
    /// sum. It is the integral of the Gaussian curvature around the vertex, or of the geodesic curvature of
    /// the boundary. For any vertex it is 2π − π (edges − faces) − angles, so that all defects add up to 2π
    /// times the Euler characteristic.
    pub defect: Buffer<f32>,
    /// The area of the vertex. All areas add up to the surface's area.
    pub area: Buffer<f32>,
    /// Gaussian curvature: defect divided by area, in 1/length²; 0 on the boundary.
    pub gaussian: Buffer<f32>,
    /// Mean curvature in 1/length, positive if the surface is convex towards its normals; 0 on the boundary.
    pub mean: Buffer<f32>,
    /// Geodesic curvature of the boundary: defect divided by half the length of the vertex's boundary edges,
    /// in 1/length, positive if the surface is convex; 0 elsewhere.
    pub geodesic: Buffer<f32>,
    /// The place of each vertex, as one of the constants of the kernels.
    pub(crate) places: Buffer<u32>,
}

/// Curvatures of all vertices, without patches. Groups the corners by vertex, then one launch; linear in the
/// mesh.
/// # Errors
/// [`Error::OtherDevice`]; [`Error::Length`] unless there is a position for each vertex; out of memory;
/// errors of the driver.
pub fn curvatures_of_triangles(
    topology: &FlatTopology,
    positions: &Buffer<Vec3>,
    area: Area,
) -> Result<FlatCurvatures> {
    let (device, n) = (topology.device(), topology.vertices());
    if !positions.device().same(device) {
        return Err(Error::OtherDevice { what: "the positions" });
    }
    if positions.len() != n {
        return Err(Error::Length { what: "positions", expected: n, found: positions.len() });
    }
    let around = topology.corners_of_vertices()?;
    let one = || device.unspecified::<f32>(n);
    let mut found = FlatCurvatures {
        defect: one()?,
        area: one()?,
        gaussian: one()?,
        mean: one()?,
        geodesic: one()?,
        places: device.unspecified(n)?,
    };
    let mesh = topology.mesh_view(&around)?;
    let results = ResultsArguments {
        defect: found.defect.view_mut(),
        area: found.area.view_mut(),
        gaussian: found.gaussian.view_mut(),
        mean: found.mean.view_mut(),
        geodesic: found.geodesic.view_mut(),
    };
    let (blocks, x, places) = (tiles(n as u32), positions.view(), found.places.view_mut());
    match area {
        Area::Barycentric => device.launch(blocks, FlatBarycentric { mesh, x, results, places })?,
        Area::Mixed => device.launch(blocks, FlatMixed { mesh, x, results, places })?,
    }
    Ok(found)
}
