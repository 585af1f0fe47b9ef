//! Colours of patches.
use crate::Rgb;

/// Ten soft colours that differ in hue and lightness.
pub const PATCH_PALETTE: [Rgb; 10] = [
    [78, 121, 167],
    [242, 160, 79],
    [225, 108, 110],
    [128, 196, 190],
    [106, 170, 96],
    [240, 208, 98],
    [176, 134, 172],
    [250, 176, 182],
    [163, 128, 106],
    [150, 196, 232],
];

/// A colour index below `colours` for each patch, such that patches that share a vertex have different
/// colours. If a patch has too many neighbours for this, it gets the colour that occurs least among them.
/// Colours are used evenly.
///
/// `patch_of` has the patch of each face. Faces with a vertex index not below `vertices`, and faces with a
/// patch not below `patches`, are ignored. The result is deterministic. A greedy algorithm in the order of
/// patches: one pass over the faces, and sorting the corners where patches meet.
pub fn patch_colours(
    vertices: usize,
    faces: &[[u32; 3]],
    patch_of: &[u32],
    patches: usize,
    colours: usize,
) -> Vec<usize> {
    let colours = colours.max(1);
    let neighbours = neighbours(vertices, faces, patch_of, patches);
    let mut colour_of = vec![usize::MAX; patches];
    let mut used = vec![0_usize; colours];
    for patch in 0..patches {
        let start = neighbours.partition_point(|pair| (pair[0] as usize) < patch);
        let mut near = vec![0_usize; colours];
        for pair in neighbours[start..].iter().take_while(|pair| pair[0] as usize == patch) {
            if let Some(count) = near.get_mut(colour_of[pair[1] as usize]) {
                *count += 1;
            }
        }
        // neighbours in number have like colours unless the search begins elsewhere each time
        let from = patch.wrapping_mul(7);
        let order = (0..colours).map(|k| (from + k) % colours);
        let best = order.min_by_key(|&colour| (near[colour], used[colour])).unwrap_or(0);
        colour_of[patch] = best;
        used[best] += 1;
    }
    colour_of
}

/// Pairs of patches that share a vertex, in both orders, ascending, each once.
fn neighbours(vertices: usize, faces: &[[u32; 3]], patch_of: &[u32], patches: usize) -> Vec<[u32; 2]> {
    const NONE: u32 = u32::MAX;
    const SEVERAL: u32 = u32::MAX - 1;
    let corners = || {
        let known = faces.iter().zip(patch_of).filter(|(_, patch)| (**patch as usize) < patches);
        known.flat_map(|(face, &patch)| face.map(|v| (v as usize, patch))).filter(|(v, _)| *v < vertices)
    };
    let mut only = vec![NONE; vertices];
    for (v, patch) in corners() {
        only[v] = if only[v] == NONE || only[v] == patch { patch } else { SEVERAL };
    }
    let mut meeting: Vec<(usize, u32)> = corners().filter(|(v, _)| only[*v] == SEVERAL).collect();
    meeting.sort_unstable();
    meeting.dedup();
    let mut pairs = vec![];
    for at_vertex in meeting.chunk_by(|a, b| a.0 == b.0) {
        for (_, a) in at_vertex {
            pairs.extend(at_vertex.iter().filter(|(_, b)| a != b).map(|(_, b)| [*a, *b]));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ() {
        let sphere = ribbonmesh_mesh::shapes::icosphere(4).expect("small");
        // each patch is a triangle, with at most 12 neighbours
        let patch_of: Vec<u32> = (0..sphere.faces.len() as u32).map(|f| f / 64).collect();
        let vertices = sphere.positions.len();
        let colours = patch_colours(vertices, &sphere.faces, &patch_of, 80, 13);
        for (f, a) in sphere.faces.iter().enumerate() {
            for (g, b) in sphere.faces.iter().enumerate() {
                if patch_of[f] != patch_of[g] && a.iter().any(|v| b.contains(v)) {
                    assert_ne!(colours[patch_of[f] as usize], colours[patch_of[g] as usize], "{f}, {g}");
                }
            }
        }
        for colour in 0..13 {
            assert!(colours.contains(&colour), "{colours:?}");
        }
    }

    #[test]
    fn too_few_colours_and_bad_input() {
        let fan: Vec<[u32; 3]> = (0..6).map(|i| [0, i + 1, (i + 1) % 6 + 1]).collect();
        let colours = patch_colours(7, &fan, &[0, 1, 2, 3, 4, 5], 6, 3);
        for colour in 0..3 {
            assert_eq!(colours.iter().filter(|c| **c == colour).count(), 2);
        }
        assert_eq!(patch_colours(7, &[[0, 1, 9]], &[0], 1, 3).len(), 1);
        assert_eq!(patch_colours(7, &fan, &[8; 6], 2, 3).len(), 2);
        assert!(patch_colours(0, &[], &[], 0, 0).is_empty());
    }
}
