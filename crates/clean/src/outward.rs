//! Turning of components that are inside out.
use glam::DVec3;
use ribbonmesh::{Device, Result};
use ribbonmesh_mesh::{TriangleMesh, UnionFind};
use ribbonmesh_solid::inside::{InsideTest, Triangles};

/// Number of faces of a component that are tested.
const ASKED: usize = 9;

/// Turns the closed components whose faces point inwards, unless they are voids of others. Returns their
/// number.
///
/// In front of a face of a void, the winding number is 0; in front of a face of a body that is inside out, it
/// is -1.
pub(crate) fn turn_outward(device: &Device, mesh: &mut TriangleMesh) -> Result<usize> {
    let mut components = UnionFind::new(mesh.positions.len());
    components.join_faces(&mesh.faces);
    let origin = mesh.local_origin();
    let mut volumes = vec![0.0; mesh.positions.len()];
    let mut counts = vec![0_usize; mesh.positions.len()];
    let corners = |mesh: &TriangleMesh, f: usize| mesh.faces[f].map(|v| mesh.positions[v as usize] - origin);
    for f in 0..mesh.faces.len() {
        let own = components.root(mesh.faces[f][0]) as usize;
        let [a, b, c] = corners(mesh, f);
        volumes[own] += a.dot(b.cross(c));
        counts[own] += 1;
    }
    if volumes.iter().all(|volume| *volume >= 0.0) {
        return Ok(0);
    }
    // some faces of each component with a negative volume
    let mut seen = vec![0_usize; mesh.positions.len()];
    let (mut points, mut owners) = (vec![], vec![]);
    for f in 0..mesh.faces.len() {
        let own = components.root(mesh.faces[f][0]) as usize;
        if volumes[own] >= 0.0 {
            continue;
        }
        seen[own] += 1;
        if (seen[own] - 1).is_multiple_of(counts[own].div_ceil(ASKED)) {
            let [a, b, c] = corners(mesh, f);
            let shortest = a.distance(b).min(b.distance(c)).min(c.distance(a));
            let before: DVec3 =
                (a + b + c) / 3.0 + 0.05 * shortest * (b - a).cross(c - a).normalize_or_zero();
            points.push(before.as_vec3());
            owners.push(own);
        }
    }
    let (positions, faces) =
        (device.upload(&mesh.points_around(origin))?, device.upload(mesh.faces.as_flattened())?);
    let test = InsideTest::new(Triangles { positions: &positions, faces: &faces })?;
    let winding = test.cast(&device.upload(&points)?)?.winding.read()?;
    let mut votes = vec![0_i64; mesh.positions.len()];
    for (own, winding) in owners.iter().zip(winding) {
        votes[*own] += if winding < -0.5 { 1 } else { -1 };
    }
    for f in 0..mesh.faces.len() as u32 {
        let own = components.root(mesh.faces[f as usize][0]) as usize;
        if votes[own] > 0 {
            mesh.turn_face(f);
        }
    }
    Ok(votes.iter().filter(|votes| **votes > 0).count())
}
