//! Normals of a surface.
use crate::normals::Weight;
use crate::normals::run::counted_normals;
use ribbonmesh::Result;
use ribbonmesh::Surface;
use ribbonmesh::mesh::{Element, Role};
use ribbonmesh_application::Options;

/// Options of [`vertex_normals`].
#[derive(Options, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NormalOptions {
    /// Weights of the faces at a vertex
    pub weight: Weight,
}

/// Report of [`vertex_normals`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NormalReport {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of vertices without a normal direction; their normal is the zero vector.
    pub without_normal: usize,
}

/// Writes unit normals to the vertex attribute `normal`, as [`normals_of_triangles`]; neither edges nor
/// patches are made. Other normals of vertices and normals of corners are removed. Waits once.
///
/// [`normals_of_triangles`]: crate::normals::normals_of_triangles
/// # Errors
/// Out of memory; errors of earlier kernels or of the driver. After an error, the attributes are unchanged.
pub fn vertex_normals(surface: &mut Surface, options: &NormalOptions) -> Result<NormalReport> {
    let triangles = surface.triangles();
    let (normals, without_normal) =
        counted_normals(triangles.faces(), triangles.positions(), options.weight)?;
    let vertices = normals.len();
    surface.insert_owned_of_vertices("normal", Role::Normal, normals)?;
    surface.retain(Element::Vertex, |name, role| role != Role::Normal || name == "normal");
    surface.retain(Element::Corner, |_, role| role != Role::Normal);
    Ok(NormalReport { vertices, without_normal })
}
