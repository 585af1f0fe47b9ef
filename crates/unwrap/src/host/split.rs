//! Two halves of a disk.
use super::disk::{Disk, Glued};
use ribbonmesh::device::NONE;
use std::collections::VecDeque;

/// Halves the faces of a piece with more than one: each goes to the nearer, by faces, of two that are far
/// from each other, on the boundary. Halves of a disk are disks.
pub fn halves(mesh: &Glued<'_>, disk: &Disk) -> [Vec<u32>; 2] {
    let place = |face: u32| mesh.places[face as usize] as usize;
    let is_outer = |face: u32| (3 * face..3 * face + 3).any(|corner| mesh.across(corner).is_none());
    let flood = |seeds: &[u32]| {
        let (mut distance, mut owner) = (vec![NONE; disk.faces.len()], vec![NONE; disk.faces.len()]);
        let mut queue: VecDeque<u32> = seeds.iter().copied().collect();
        for (which, &seed) in (0..).zip(seeds) {
            (distance[place(seed)], owner[place(seed)]) = (0, which);
        }
        while let Some(face) = queue.pop_front() {
            for corner in 3 * face..3 * face + 3 {
                let Some(other) = mesh.across(corner).map(|twin| twin / 3) else { continue };
                if distance[place(other)] == NONE {
                    distance[place(other)] = distance[place(face)] + 1;
                    owner[place(other)] = owner[place(face)];
                    queue.push_back(other);
                }
            }
        }
        (distance, owner)
    };
    let farthest = |from: u32| {
        let distance = flood(&[from]).0;
        let outer = disk.faces.iter().copied().filter(|&face| is_outer(face) && face != from);
        outer.max_by_key(|&face| (distance[place(face)], std::cmp::Reverse(face)))
    };
    let some = disk.faces[0];
    let first = farthest(some).unwrap_or(some);
    let second = farthest(first).unwrap_or(some);
    let owner = flood(&[first, second]).1;
    let half = |which: u32| disk.faces.iter().copied().filter(|&f| owner[place(f)] == which).collect();
    [half(0), half(1)]
}
