//! Faces that are connected across edges.
use rustc_hash::FxHashMap;

/// The face across each side, among the faces that are kept; the side's own face where there is none. Side `3 f + i` of face
/// `f` leads from corner `i` to the next.
pub(crate) fn across(faces: &[[u32; 3]], kept: &[bool]) -> Vec<u32> {
    let ends = |side: usize| {
        let face = faces[side / 3];
        [face[side % 3], face[(side + 1) % 3]]
    };
    let sides = || (0..3 * faces.len()).filter(|side| kept[side / 3]);
    let by_ends: FxHashMap<[u32; 2], u32> = sides().map(|side| (ends(side), side as u32 / 3)).collect();
    let mut across: Vec<u32> = (0..3 * faces.len() as u32).map(|side| side / 3).collect();
    for side in sides() {
        let [a, b] = ends(side);
        if let Some(&other) = by_ends.get(&[b, a]) {
            across[side] = other;
        }
    }
    across
}

/// Drops faces that only one edge holds, or none, until there are no more: loops become smoother.
pub(crate) fn drop_ears(faces: &[[u32; 3]], kept: &mut [bool]) {
    let mut across = across(faces, kept);
    let held = |across: &[u32], f: usize| (0..3).filter(|i| across[3 * f + i] != f as u32).count();
    let mut waiting: Vec<usize> = (0..faces.len()).filter(|&f| kept[f]).collect();
    while let Some(f) = waiting.pop() {
        if !kept[f] || held(&across, f) > 1 {
            continue;
        }
        kept[f] = false;
        for i in 0..3 {
            let other = across[3 * f + i] as usize;
            if other != f {
                (0..3)
                    .filter(|j| across[3 * other + j] == f as u32)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .for_each(|j| across[3 * other + j] = other as u32);
                waiting.push(other);
            }
        }
    }
}

/// The faces that are kept, in clusters, each ascending, in the order of their first faces; with each whether it has a
/// boundary.
pub(crate) fn clusters(faces: &[[u32; 3]], kept: &[bool]) -> Vec<(Vec<u32>, bool)> {
    let across = across(faces, kept);
    let mut seen: Vec<bool> = kept.iter().map(|kept| !kept).collect();
    let mut clusters = vec![];
    for first in 0..faces.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let (mut cluster, mut at, mut open) = (vec![first as u32], 0, false);
        while let Some(&face) = cluster.get(at) {
            at += 1;
            for &other in &across[3 * face as usize..][..3] {
                open |= other == face;
                if !std::mem::replace(&mut seen[other as usize], true) {
                    cluster.push(other);
                }
            }
        }
        cluster.sort_unstable();
        clusters.push((cluster, open));
    }
    clusters
}
