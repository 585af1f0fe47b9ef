//! Faces that are connected across edges.
use rustc_hash::FxHashMap;

/// Across a side of the frontier: a face that is not among these.
const BEYOND: u32 = u32::MAX;

/// What is across the sides of faces. Side `3 f + i` of face `f` leads from corner `i` to the next.
pub(crate) struct Sides {
    /// The face across each side, or [`BEYOND`].
    across: Vec<u32>,
    /// Whether each vertex is where a region ends; empty for a closed surface.
    frontier: Vec<bool>,
}
impl Sides {
    /// Those of a manifold. Where a side has no face across, the surface goes on beyond.
    pub fn of(vertices: usize, faces: &[[u32; 3]]) -> Self {
        let ends = |side: usize| {
            let face = faces[side / 3];
            [face[side % 3], face[(side + 1) % 3]]
        };
        let sides = 0..3 * faces.len();
        let by_ends: FxHashMap<[u32; 2], u32> =
            sides.clone().map(|side| (ends(side), side as u32 / 3)).collect();
        let opposite = |side| {
            let [a, b] = ends(side);
            by_ends.get(&[b, a]).copied().unwrap_or(BEYOND)
        };
        let across: Vec<u32> = sides.clone().map(opposite).collect();
        let mut frontier = vec![];
        if across.contains(&BEYOND) {
            frontier = vec![false; vertices];
            sides.filter(|&s| across[s] == BEYOND).flat_map(ends).for_each(|v| frontier[v as usize] = true);
        }
        Self { across, frontier }
    }
    /// Whether a vertex is where the region ends.
    pub fn end_at(&self, v: u32) -> bool {
        self.frontier.get(v as usize).is_some_and(|on| *on)
    }
    /// The faces across the sides of one; no face's number where there is none.
    pub fn of_face(&self, f: usize) -> &[u32] {
        &self.across[3 * f..][..3]
    }
}

/// Drops faces that only one edge holds, or none, until there are no more: loops become smoother.
pub(crate) fn drop_ears(sides: &Sides, kept: &mut [bool]) {
    let holds = |kept: &[bool], other: u32| other == BEYOND || kept[other as usize];
    let mut waiting: Vec<usize> = (0..kept.len()).filter(|&f| kept[f]).collect();
    while let Some(f) = waiting.pop() {
        let around = sides.of_face(f);
        if !kept[f] || around.iter().filter(|other| holds(kept, **other)).count() > 1 {
            continue;
        }
        kept[f] = false;
        waiting.extend(around.iter().filter(|other| **other != BEYOND).map(|other| *other as usize));
    }
}

/// Faces that are connected.
pub(crate) struct Cluster {
    /// Ascending.
    pub faces: Vec<u32>,
    /// Whether it has a boundary.
    pub open: bool,
    /// Whether it goes on beyond the frontier.
    pub beyond: bool,
}

/// The faces that are kept, in clusters, in the order of their first faces.
pub(crate) fn clusters(sides: &Sides, kept: &[bool]) -> Vec<Cluster> {
    let mut seen: Vec<bool> = kept.iter().map(|kept| !kept).collect();
    let mut clusters = vec![];
    for first in 0..kept.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut cluster = Cluster { faces: vec![first as u32], open: false, beyond: false };
        let mut at = 0;
        while let Some(&face) = cluster.faces.get(at) {
            at += 1;
            for &other in sides.of_face(face as usize) {
                if other == BEYOND {
                    cluster.beyond = true;
                } else if !kept[other as usize] {
                    cluster.open = true;
                } else if !std::mem::replace(&mut seen[other as usize], true) {
                    cluster.faces.push(other);
                }
            }
        }
        cluster.faces.sort_unstable();
        clusters.push(cluster);
    }
    clusters
}
