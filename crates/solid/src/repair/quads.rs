//! Flat sheets that exist twice, cut along different diagonals.
use crate::repair::edges::{Edges, before, start};
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};

/// Greatest height of a corner above the plane of the others, relative to the longest edge.
const FLAT: f64 = 1e-6;

/// Two faces that make a flat square of four corners.
struct Quad {
    /// The corners, ascending.
    corners: [u32; 4],
    /// The faces, ascending.
    faces: [u32; 2],
    /// The edge between them.
    diagonal: [u32; 2],
}

/// Finds pairs of faces that fill the same flat square as an earlier pair, cut along the other diagonal,
/// where they meet other faces at edges of more than two faces. Lists each of these faces with a face that
/// stays, ascending. Linear in the faces at such edges.
pub(crate) fn doubled_quads(edges: &Edges, positions: &[DVec3], faces: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let crowded: FxHashSet<[u32; 2]> =
        edges.pick(|edge| (edge.len() > 2).then_some(edge.ends)).into_iter().collect();
    if crowded.is_empty() {
        return vec![];
    }
    let vertices: FxHashSet<u32> = crowded.iter().flatten().copied().collect();
    let quads = edges.pick(|edge| {
        // most edges have no vertex at a crowded edge
        if !edge.ends.iter().any(|v| vertices.contains(v)) {
            return None;
        }
        let [a, b] = edge.pair()?;
        let [c, d] = [a, b].map(|side| start(faces, before(side)));
        let [p, q, r, s] = [edge.ends[0], c, edge.ends[1], d];
        let outer = [[p, q], [q, r], [r, s], [s, p]].map(|[a, b]| [a.min(b), a.max(b)]);
        let mut corners = [p, q, r, s];
        corners.sort_unstable();
        let square = c != d && outer.iter().any(|edge| crowded.contains(edge));
        (square && flat([p, q, r, s].map(|v| positions[v as usize]))).then_some(Quad {
            corners,
            faces: [a / 3, b / 3],
            diagonal: edge.ends,
        })
    });
    let mut first: FxHashMap<[u32; 4], Vec<Quad>> = FxHashMap::default();
    for quad in quads {
        first.entry(quad.corners).or_default().push(quad);
    }
    let mut found = vec![];
    for mut same in first.into_values().filter(|same| same.len() > 1) {
        same.iter_mut().for_each(|quad| quad.faces.sort_unstable());
        same.sort_by_key(|quad| quad.faces);
        let kept = &same[0];
        let other = same[1..].iter().filter(|quad| quad.diagonal != kept.diagonal);
        found.extend(other.flat_map(|quad| [0, 1].map(|i| [quad.faces[i], kept.faces[i]])));
    }
    found.sort_unstable();
    found.dedup_by_key(|pair| pair[0]);
    found
}

/// Whether four points around a square are in a plane, and the square is convex.
fn flat([a, b, c, d]: [DVec3; 4]) -> bool {
    let (diagonal, other) = (c - a, d - b);
    let normal = diagonal.cross(other);
    let longest = diagonal.length().max(other.length());
    let height = (b - a).dot(normal.normalize_or_zero()).abs();
    let turns =
        [(a, b, c), (b, c, d), (c, d, a), (d, a, b)].map(|(a, b, c)| (b - a).cross(c - b).dot(normal));
    normal != DVec3::ZERO && height <= FLAT * longest && turns.iter().all(|turn| *turn > 0.0)
}
