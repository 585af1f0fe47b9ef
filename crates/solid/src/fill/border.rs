//! Outer borders of open surfaces.
use crate::fill::ring::Rim;
use glam::DVec3;
use ribbonmesh_mesh::TriangleMesh;
use rustc_hash::FxHashMap;

/// Greatest area of an open surface relative to that of its border: a terrain of slopes of 60 degrees. A
/// hemisphere has the same ratio, but meets its border at a right angle.
const AREA: f64 = 2.0;
/// Greatest extent of an open surface across the plane of its border, relative to the radius of a circle of
/// the border's area. A right-angled cone has 1.
const RELIEF: f64 = 0.8;

/// Decides which loops are the outer borders of open surfaces, such as terrains. `of` has the first vertex of
/// the component of each loop, and `components` that of each vertex. Linear.
pub(crate) fn borders(mesh: &TriangleMesh, rims: &[Rim], of: &[u32], components: &[u32]) -> Vec<bool> {
    let mut areas = vec![0.0; mesh.positions.len()];
    for face in &mesh.faces {
        let [a, b, c] = face.map(|v| mesh.positions[v as usize]);
        areas[components[face[0] as usize] as usize] += 0.5 * (b - a).cross(c - a).length();
    }
    let mut is: Vec<bool> = rims
        .iter()
        .zip(of)
        .map(|(rim, &component)| rim.is_around() && areas[component as usize] <= AREA * rim.area.length())
        .collect();
    // at most one loop of a component may surround it
    let mut around: FxHashMap<u32, (DVec3, [f64; 2])> = FxHashMap::default();
    for (i, rim) in rims.iter().enumerate().filter(|(i, _)| is[*i]) {
        let none = [f64::INFINITY, f64::NEG_INFINITY];
        around.insert(of[i], (rim.area.normalize_or_zero(), none));
    }
    for (p, component) in mesh.positions.iter().zip(components) {
        if let Some((normal, [low, high])) = around.get_mut(component) {
            let height = p.dot(*normal);
            (*low, *high) = (low.min(height), high.max(height));
        }
    }
    for (is, (rim, component)) in is.iter_mut().zip(rims.iter().zip(of)) {
        let radius = (rim.area.length() / std::f64::consts::PI).sqrt();
        *is &= around.get(component).is_some_and(|(_, [low, high])| high - low <= RELIEF * radius);
    }
    is
}
