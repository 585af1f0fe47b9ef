//! Turning of components that are inside out.
use glam::Vec3;
use ribbonmesh::{Result, Surface, array};
use ribbonmesh_solid::inside::InsideTest;
use ribbonmesh_solid::shells::{Shells, turn_shells};

/// Number of faces of a component that are tested.
const ASKED: u32 = 9;

/// Turns the closed components whose faces point inwards, unless they are voids of others. Returns their
/// number.
///
/// In front of a face of a void, the winding number is 0; in front of a face of a body that is inside out, it
/// is -1.
pub(crate) fn turn_outward(surface: &mut Surface, shells: &mut Shells) -> Result<usize> {
    let inward: Vec<bool> = shells.volumes.iter().map(|volume| *volume < 0.0).collect();
    if !inward.contains(&true) {
        return Ok(0);
    }
    let asked = shells.some_faces(&inward, ASKED)?;
    let faces: Vec<u32> = asked.iter().map(|(face, _)| *face).collect();
    let points: Vec<Vec3> = corners_of(surface, &faces)?.into_iter().map(before).collect();
    let test = InsideTest::of_surface(surface)?;
    let winding = test.cast(&surface.device().upload(&points)?)?.winding.read()?;
    drop(test);
    let mut votes = vec![0_i64; inward.len()];
    for ((_, shell), winding) in asked.iter().zip(winding) {
        votes[*shell] += if winding < -0.5 { 1 } else { -1 };
    }
    let turned: Vec<bool> = votes.iter().map(|votes| *votes > 0).collect();
    let count = turned.iter().filter(|turned| **turned).count();
    if count > 0 {
        turn_shells(surface, shells, &turned)?;
    }
    Ok(count)
}

/// The positions of the corners of some faces.
pub(crate) fn corners_of(surface: &Surface, faces: &[u32]) -> Result<Vec<[Vec3; 3]>> {
    let places: Vec<u32> = faces.iter().flat_map(|face| [0, 1, 2].map(|k| 3 * face + k)).collect();
    let triangles = surface.triangles();
    let corners = array::gather(triangles.faces(), &surface.device().upload(&places)?)?;
    Ok(array::gather(triangles.positions(), &corners)?.read()?.as_chunks().0.to_vec())
}

/// A point in front of a face, near its middle.
fn before([a, b, c]: [Vec3; 3]) -> Vec3 {
    let [a, b, c] = [a, b, c].map(|p| p.as_dvec3());
    let shortest = a.distance(b).min(b.distance(c)).min(c.distance(a));
    ((a + b + c) / 3.0 + 0.05 * shortest * (b - a).cross(c - a).normalize_or_zero()).as_vec3()
}
