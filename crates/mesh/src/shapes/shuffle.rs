//! Vertices and faces in random order.

use glam::DVec3;

use crate::TriangleMesh;
use crate::shapes::random::Random;

/// Puts the vertices and faces of a mesh without attributes into random order; each face keeps its corners in
/// their order. Takes O(n).
///
/// Indices that are out of range stay as they are. Of more than 2³² − 1 faces or vertices, only 2³² − 1
/// change places.
pub fn shuffle(shape: &mut TriangleMesh, seed: u64) {
    let mut random = Random::new(seed);
    let vertices = u32::try_from(shape.positions.len()).unwrap_or(u32::MAX);
    // The vertex that comes to each place.
    let mut order: Vec<u32> = (0..vertices).collect();
    permute(&mut order, &mut random);
    let mut place = vec![0_u32; order.len()];
    for (new, &old) in (0_u32..).zip(&order) {
        place[old as usize] = new;
    }
    let mut positions: Vec<DVec3> = order.iter().map(|&old| shape.positions[old as usize]).collect();
    positions.extend_from_slice(&shape.positions[order.len()..]);
    shape.positions = positions;
    for corner in shape.faces.as_flattened_mut() {
        *corner = place.get(*corner as usize).copied().unwrap_or(*corner);
    }
    permute(&mut shape.faces, &mut random);
}

/// Source: Durstenfeld, *Algorithm 235: random permutation*, 1964.
fn permute<T>(items: &mut [T], random: &mut Random) {
    let most = items.len().min(u32::MAX as usize) as u32;
    for last in (1..most).rev() {
        items.swap(last as usize, random.below(last + 1) as usize);
    }
}
