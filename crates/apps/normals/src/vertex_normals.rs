//! Normals of a surface.
use crate::{Weight, normals_of};
use ribbonmesh::Result;
use ribbonmesh::Surface;
use ribbonmesh::glam::Vec3;
use ribbonmesh::mesh::{Element, Role};

/// How to compute normals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NormalOptions {
    /// How the faces at a vertex are weighted.
    pub weight: Weight,
}

/// What was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NormalReport {
    /// Vertices.
    pub vertices: usize,
    /// Vertices whose normal is the zero vector, since there is no direction.
    pub without_normal: usize,
}

/// Writes unit normals to the vertex attribute `normal`. Other attributes that are normals, of vertices or of corners, go. As
/// [`normals_of`]; the report reads the normals back, 12 bytes for each vertex.
/// # Errors
/// As [`Surface::patches`]; out of memory; errors of earlier kernels or of the driver. The attributes are as they were then.
pub fn vertex_normals(surface: &mut Surface, options: &NormalOptions) -> Result<NormalReport> {
    let (mesh, positions) = surface.patches()?;
    let normals = normals_of(mesh, positions, options.weight)?;
    let without_normal = normals.download_by_id()?.iter().filter(|normal| **normal == Vec3::ZERO).count();
    surface.vertices_mut()?.insert("normal", Role::Normal, &normals)?;
    surface.retain(Element::Vertex, |name, role| role != Role::Normal || name == "normal");
    surface.retain(Element::Corner, |_, role| role != Role::Normal);
    Ok(NormalReport { vertices: normals.len(), without_normal })
}
