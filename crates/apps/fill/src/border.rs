//! Outer borders of open surfaces.
use crate::ring::Rim;
use ribbonmesh_mesh::TriangleMesh;

/// Greatest area of an open surface beside that of its border: a terrain of slopes of 60 degrees. Half of a ball has as
/// much, but arrives at its border at a right angle.
const AREA: f64 = 2.0;

/// Which loops are the outer borders of open surfaces, such as terrains. `of` has the first vertex of the component of each
/// loop, and `components` that of each vertex. Linear.
pub(crate) fn borders(mesh: &TriangleMesh, rims: &[Rim], of: &[u32], components: &[u32]) -> Vec<bool> {
    let mut areas = vec![0.0; mesh.positions.len()];
    for face in &mesh.faces {
        let [a, b, c] = face.map(|v| mesh.positions[v as usize]);
        areas[components[face[0] as usize] as usize] += 0.5 * (b - a).cross(c - a).length();
    }
    let border = |(rim, &component): (&Rim, &u32)| {
        rim.is_around() && areas[component as usize] <= AREA * rim.area.length()
    };
    rims.iter().zip(of).map(border).collect()
}
