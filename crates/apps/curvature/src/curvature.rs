//! Curvatures of a surface.
use crate::{Area, CurvatureReport, Curvatures, curvatures_of};
use ribbonmesh::Result;
use ribbonmesh::Surface;
use ribbonmesh::mesh::Role;

/// Options of [`curvature`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurvatureOptions {
    /// Definition of a vertex's area.
    pub area: Area,
}

/// Writes the curvatures of the vertices of a surface, as [`curvatures_of`], to attributes of the vertices:
///
/// | attribute | field of [`Curvatures`] |
/// |---|---|
/// | `gaussian_curvature` | [`gaussian`](Curvatures::gaussian) |
/// | `mean_curvature` | [`mean`](Curvatures::mean) |
/// | `geodesic_curvature` | [`geodesic`](Curvatures::geodesic) |
/// | `angle_defect` | [`defect`](Curvatures::defect) |
/// | `vertex_area` | [`area`](Curvatures::area) |
///
/// The attributes do not change when vertices move afterwards. The report reads 28 bytes per vertex back to the host.
/// # Errors
/// As [`Surface::patches`]; out of memory; errors of earlier kernels or of the driver. After an error, some of the
/// attributes may exist.
pub fn curvature(surface: &mut Surface, options: &CurvatureOptions) -> Result<CurvatureReport> {
    let (mesh, positions) = surface.patches()?;
    let found = curvatures_of(mesh, positions, options.area)?;
    let report = CurvatureReport::new(mesh, &found)?;
    let Curvatures { defect, area, gaussian, mean, geodesic } = &found;
    let mut vertices = surface.vertices_mut()?;
    for (name, values) in [
        ("gaussian_curvature", gaussian),
        ("mean_curvature", mean),
        ("geodesic_curvature", geodesic),
        ("angle_defect", defect),
        ("vertex_area", area),
    ] {
        vertices.insert(name, Role::Custom, values)?;
    }
    Ok(report)
}
