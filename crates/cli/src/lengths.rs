//! Lengths that depend on the mesh.
use ribbonmesh::glam::DVec3;
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
    match length {
        Length::Absolute(length) => length.into(),
        Length::Mean(share) => {
            let lengths = mesh
                .sides()
                .into_iter()
                .map(|[a, b]| mesh.positions[a as usize].distance(mesh.positions[b as usize]));
            let (count, sum) = lengths.fold((0_u64, 0.0), |(count, sum), length| (count + 1, sum + length));
            f64::from(share) * sum / count.max(1) as f64
        }
        Length::Diagonal(share) => {
            let used = mesh.faces.as_flattened().iter().map(|&v| mesh.positions[v as usize]);
            let corners = used.fold(None, |corners: Option<[DVec3; 2]>, p| {
                Some(corners.map_or([p, p], |[low, high]| [low.min(p), high.max(p)]))
            });
            f64::from(share) * corners.map_or(0.0, |[low, high]| low.distance(high))
        }
        Length::Usual => in_units(Length::Mean(1.0), mesh).min(in_units(Length::Diagonal(0.05), mesh)),
    }
}
