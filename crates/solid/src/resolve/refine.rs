//! Splitting of faces that intersect, until they are small.
use crate::intersections::intersections_with;
use crate::resolve::ResolveError;
use ribbonmesh::Device;
use ribbonmesh_mesh::TriangleMesh;
use rustc_hash::FxHashSet;

/// Most rounds: each halves edges.
const ROUNDS: u32 = 40;
/// Most faces, and most times the number at the beginning: where surfaces coincide, all parts of faces
/// intersect.
const MOST: usize = 200_000;

/// Splits the edges of faces that intersect until they are at most `longest` diagonals of the bounding box.
/// Where another face has an edge that is split, its longest edge is split as well (Rivara 1984), so that no
/// slivers are made. Returns how many faces were split. Ends early if there would be too many faces.
pub(crate) fn refine(
    device: &Device,
    mesh: &mut TriangleMesh,
    pairs: &[[u32; 2]],
    longest: f64,
) -> Result<usize, ResolveError> {
    let limit = longest * mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
    let most = 4 * mesh.faces.len() + MOST;
    let origin = mesh.local_origin();
    let mut hit: Vec<u32> = pairs.iter().flatten().copied().collect();
    let mut split = 0;
    for _ in 0..ROUNDS {
        hit.sort_unstable();
        hit.dedup();
        let length =
            |[a, b]: [u32; 2]| mesh.positions[a as usize].distance_squared(mesh.positions[b as usize]);
        let mut marked: FxHashSet<[u32; 2]> = hit
            .iter()
            .flat_map(|&f| sides(mesh.faces[f as usize]))
            .filter(|&side| length(side) > limit * limit)
            .collect();
        if marked.is_empty() || mesh.faces.len() > most {
            break;
        }
        loop {
            let before = marked.len();
            for &face in &mesh.faces {
                let sides = sides(face);
                if sides.iter().any(|side| marked.contains(side)) {
                    // for equal lengths, both faces choose the same edge
                    let longer =
                        |a: &&[u32; 2], b: &&[u32; 2]| length(**a).total_cmp(&length(**b)).then(a.cmp(b));
                    marked.extend(sides.iter().max_by(longer));
                }
            }
            if marked.len() == before {
                break;
            }
        }
        let mut edges: Vec<([u32; 2], f64)> =
            marked.into_iter().map(|edge| (edge, near_the_middle(edge))).collect();
        edges.sort_unstable_by_key(|(edge, _)| *edge);
        let mut was_hit = vec![false; mesh.faces.len()];
        hit.iter().for_each(|&f| was_hit[f as usize] = true);
        let before = mesh.faces.len();
        let sources = mesh.split_edges_at(&edges)?;
        split += mesh.faces.len() - before;
        // parts of a face that intersected no other face need no search
        let parts: Vec<u32> =
            (0..).zip(&sources).filter(|(_, source)| was_hit[**source as usize]).map(|(f, _)| f).collect();
        let positions = device.upload(&mesh.points_around(origin))?;
        hit = intersections_with(&positions, &mesh.faces, &parts)?.into_iter().flatten().collect();
    }
    Ok(split)
}

/// The part of an edge at which it is split: 0.45 to 0.55. If edges were split in the middle, new vertices of
/// shapes on a common grid would coincide: surfaces would then pass through each other along edges of both,
/// without intersecting in the sense of the search.
fn near_the_middle([a, b]: [u32; 2]) -> f64 {
    let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    0.45 + 0.1 * ((mixed >> 40) as f64 / f64::from(1_u32 << 24))
}

/// The edges of a face, the lesser end first.
fn sides([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
}
