//! Errors of faces that are not an oriented manifold.
use crate::TilesError;
use crate::frame::Frame;
use glam::Vec3;
use rustc_hash::FxHashMap;

/// The error of a part that was refused: positions, faces, and the vertices that other parts have.
pub fn blame(positions: &[Vec3], triangles: &[[u32; 3]], fixed: &[bool], frame: &Frame) -> TilesError {
    let (reason, v) = defect(triangles, fixed);
    let at = frame.outside(positions[v as usize]).to_array();
    TilesError::NotManifold { reason, at }
}

fn defect(triangles: &[[u32; 3]], fixed: &[bool]) -> (&'static str, u32) {
    let mut sides = FxHashMap::default();
    for &[a, b, c] in triangles {
        if a == b || b == c || c == a {
            return ("a face has a vertex twice,", a);
        }
        for (from, to, next) in [(a, b, c), (b, c, a), (c, a, b)] {
            if sides.insert((from, to), next).is_some() {
                return ("an edge has more than two faces, or two that are turned differently,", from);
            }
        }
    }
    // the number of faces that a walk around each vertex finds, and of all of them
    let mut counts = vec![0u32; fixed.len()];
    triangles.as_flattened().iter().for_each(|&v| counts[v as usize] += 1);
    let corners = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    for [v, to] in triangles.iter().flat_map(corners) {
        if fixed[v as usize] {
            continue;
        }
        let (mut found, mut end) = (0, to);
        while let Some(&next) = sides.get(&(v, end)) {
            found += 1;
            end = next;
            if end == to {
                break;
            }
        }
        if end != to {
            let mut start = to;
            while let Some(&other) = sides.get(&(start, v)) {
                // the face of the side from `start` to `v` has the side from `v` to `other`
                found += 1;
                start = other;
            }
        }
        if found < counts[v as usize] {
            return ("the faces of a vertex are more than one fan,", v);
        }
    }
    ("the faces are no oriented manifold", 0)
}
