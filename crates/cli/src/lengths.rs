//! Lengths that depend on the mesh.
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_remesh::Length;

/// A length, or 0.
pub fn or_zero(text: &str) -> Result<Length, String> {
    match text.trim().parse::<f32>() {
        Ok(0.0) => Ok(Length::Absolute(0.0)),
        _ => text.parse().map_err(|error: ribbonmesh::Error| error.to_string()),
    }
}

/// A length in the units of a mesh's positions. Vertices that no face has do not count.
pub fn in_units(length: Length, mesh: &TriangleMesh) -> f64 {
    length.in_units(mesh)
}
