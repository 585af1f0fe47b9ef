//! Curvatures of a surface.
use crate::{Area, CurvatureReport, FlatCurvatures, curvatures_of_triangles};
use ribbonmesh::Result;
use ribbonmesh::Surface;
use ribbonmesh::mesh::Role;

/// Options of [`curvature`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurvatureOptions {
    /// Definition of a vertex's area.
    pub area: Area,
}

/// Writes the curvatures of the vertices of a surface, as [`curvatures_of_triangles`], to attributes of the
/// vertices; no patches are made:
///
/// | attribute | field of [`Curvatures`](crate::Curvatures) |
/// |---|---|
/// | `gaussian_curvature` | [`gaussian`](crate::Curvatures::gaussian) |
/// | `mean_curvature` | [`mean`](crate::Curvatures::mean) |
/// | `geodesic_curvature` | [`geodesic`](crate::Curvatures::geodesic) |
/// | `angle_defect` | [`defect`](crate::Curvatures::defect) |
/// | `vertex_area` | [`area`](crate::Curvatures::area) |
///
/// The attributes do not change when vertices move afterwards. The report reads 24 bytes per vertex back to
/// the host.
/// # Errors
/// Out of memory; errors of earlier kernels or of the driver. After an error, some of the
/// attributes may exist.
pub fn curvature(surface: &mut Surface, options: &CurvatureOptions) -> Result<CurvatureReport> {
    let (topology, positions) = surface.flat_topology()?;
    let found = curvatures_of_triangles(&topology, positions, options.area)?;
    let report = CurvatureReport::of_triangles(&topology, &found)?;
    drop(topology);
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
