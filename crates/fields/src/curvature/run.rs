//! Curvatures of a surface.
use crate::curvature::{Area, CurvatureReport, FlatCurvatures, curvatures_of_triangles};
use ribbonmesh::Result;
use ribbonmesh::Surface;
use ribbonmesh::mesh::Role;
use ribbonmesh_application::Options;

/// Options of [`curvature`].
#[derive(Options, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurvatureOptions {
    /// The part of its faces that belongs to a vertex
    pub area: Area,
}

/// Writes the curvatures of the vertices of a surface, as [`curvatures_of_triangles`], to attributes of the
/// vertices; no patches are made:
///
/// | attribute | field of [`FlatCurvatures`] |
/// |---|---|
/// | `gaussian_curvature` | [`gaussian`](FlatCurvatures::gaussian) |
/// | `mean_curvature` | [`mean`](FlatCurvatures::mean) |
/// | `geodesic_curvature` | [`geodesic`](FlatCurvatures::geodesic) |
/// | `angle_defect` | [`defect`](FlatCurvatures::defect) |
/// | `vertex_area` | [`area`](FlatCurvatures::area) |
///
/// The attributes do not change when vertices move afterwards. The report reads 24 bytes per vertex back to
/// the host.
/// # Errors
/// Out of memory; errors of earlier kernels or of the driver. After an error, some of the
/// attributes may exist.
pub fn curvature(surface: &mut Surface, options: &CurvatureOptions) -> Result<CurvatureReport> {
    let (topology, positions) = surface.flat_topology()?;
    let found = curvatures_of_triangles(topology, positions, options.area)?;
    let report = CurvatureReport::of_triangles(topology, &found)?;
    let FlatCurvatures { defect, area, gaussian, mean, geodesic, .. } = &found;
    for (name, values) in [
        ("gaussian_curvature", gaussian),
        ("mean_curvature", mean),
        ("geodesic_curvature", geodesic),
        ("angle_defect", defect),
        ("vertex_area", area),
    ] {
        surface.insert_of_vertices(name, Role::Custom, values)?;
    }
    Ok(report)
}
