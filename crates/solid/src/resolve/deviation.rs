//! Distance of the input from the result.
use crate::inside::{InsideTest, Triangles};
use glam::{DVec3, Vec3};
use ribbonmesh::bvh::Bvh;
use ribbonmesh::{Device, Result};
use ribbonmesh_mesh::TriangleMesh;

/// Most faces that are tested.
const ASKED: usize = 20_000;

/// The greatest distance of the outer surface of a closed mesh from another mesh, in the units of the
/// positions. It is measured from the middles of some faces; a face is part of the outer surface if the
/// winding number in front of it is 0.
pub(crate) fn deviation(device: &Device, closed: &TriangleMesh, from: &TriangleMesh) -> Result<f64> {
    let origin = closed.local_origin();
    let step = closed.faces.len().div_ceil(ASKED).max(1);
    let corners = |face: &[u32; 3]| face.map(|v| closed.positions[v as usize] - origin);
    let (mut before, mut middles) = (vec![], vec![]);
    for face in closed.faces.iter().step_by(step) {
        let [a, b, c] = corners(face);
        let shortest = a.distance(b).min(b.distance(c)).min(c.distance(a));
        let (middle, normal): (DVec3, _) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize_or_zero());
        before.push((middle + 0.05 * shortest * normal).as_vec3());
        middles.push(middle.as_vec3());
    }
    let positions = device.upload(&closed.points_around(origin))?;
    let faces = device.upload(closed.faces.as_flattened())?;
    let test = InsideTest::new(Triangles { positions: &positions, faces: &faces })?;
    let winding = test.cast(&device.upload(&before)?)?.winding.read()?;
    let outer: Vec<Vec3> =
        middles.into_iter().zip(winding).filter(|(_, w)| *w == 0.0).map(|(middle, _)| middle).collect();
    if from.faces.is_empty() || outer.is_empty() {
        return Ok(if outer.is_empty() { 0.0 } else { f64::INFINITY });
    }
    let tree = Bvh::new(device, &from.points_around(origin), &from.faces)?;
    let found = tree.closest(&device.upload(&outer)?, None)?.read()?;
    Ok(found.iter().map(|found| f64::from(found.distance)).fold(0.0, f64::max))
}
