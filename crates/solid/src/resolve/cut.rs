//! Deletion of faces that intersect or are inside.
use crate::inside::InsideTest;
use crate::resolve::clusters::{Cluster, clusters, drop_ears};
use glam::{DVec3, Vec3};
use ribbonmesh::Result;
use ribbonmesh_mesh::{Sides, TriangleMesh};

/// Number of faces of a cluster that are tested for being inside (w of the paper).
const ASKED: usize = 9;
/// A cluster of at most this many faces that deletion has cut off is deleted, too.
pub(crate) const CRUMB: usize = 12;
/// Distance in front of a face of the point that is tested, in lengths of its shortest edge.
const BEFORE: f64 = 0.05;

/// The faces that stay.
pub(crate) struct Kept {
    /// Their numbers, ascending.
    pub faces: Vec<u32>,
    /// Number of those that are deleted because they are inside.
    pub inside: usize,
}

/// Finds the faces of a mesh that stay: without the faces of some pairs, and without ears, crumbs, and
/// clusters inside the volume. `test` belongs to the mesh around its origin.
pub(crate) fn kept(
    mesh: &TriangleMesh,
    origin: DVec3,
    pairs: &[[u32; 2]],
    sides: &Sides,
    test: &InsideTest<'_>,
) -> Result<Kept> {
    let mut kept = vec![true; mesh.faces.len()];
    pairs.iter().flatten().for_each(|&face| kept[face as usize] = false);
    drop_ears(sides, &mut kept);
    let inside = take_out_inside(mesh, origin, sides, test, &mut kept)?;
    let faces = (0..mesh.faces.len() as u32).filter(|&f| kept[f as usize]).collect();
    Ok(Kept { faces, inside })
}

/// Deletes the clusters whose outside is inside of the volume, and crumbs. Returns the number of faces
/// inside.
fn take_out_inside(
    mesh: &TriangleMesh,
    origin: DVec3,
    sides: &Sides,
    test: &InsideTest<'_>,
    kept: &mut [bool],
) -> Result<usize> {
    let mut clusters = clusters(sides, kept);
    clusters.retain(|Cluster { faces, open, beyond }| {
        let crumb = *open && !beyond && faces.len() <= CRUMB;
        if crumb {
            faces.iter().for_each(|&face| kept[face as usize] = false);
        }
        // a cluster that no cut touches belongs to the part beyond the border, and stays
        let far = *beyond && !open;
        !crumb && !far
    });
    // faces spread over each cluster, and a point in front of each
    let corners = |face: u32| mesh.faces[face as usize].map(|v| mesh.positions[v as usize] - origin);
    let asked = |Cluster { faces, .. }: &Cluster| -> Vec<u32> {
        let step = faces.len().div_ceil(ASKED);
        faces.iter().skip(step / 2).step_by(step).copied().collect()
    };
    let lists: Vec<Vec<u32>> = clusters.iter().map(asked).collect();
    let before = |&face: &u32| {
        let [a, b, c] = corners(face);
        let shortest = a.distance(b).min(b.distance(c)).min(c.distance(a));
        ((a + b + c) / 3.0 + BEFORE * shortest * (b - a).cross(c - a).normalize_or_zero()).as_vec3()
    };
    let points: Vec<Vec3> = lists.iter().flatten().map(before).collect();
    let winding = test.cast(&test.device().upload(&points)?)?.winding.read()?;
    let mut winding = winding.into_iter();
    let mut inside = 0;
    for (Cluster { faces, .. }, list) in clusters.iter().zip(&lists) {
        let votes = winding.by_ref().take(list.len()).filter(|w| *w != 0.0).count();
        if 2 * votes > list.len() {
            faces.iter().for_each(|&face| kept[face as usize] = false);
            inside += faces.len();
        }
    }
    Ok(inside)
}
