//! Faces that are connected across edges.
use rustc_hash::FxHashMap;

/// Across a side of the frontier: a face that is not among these.
const BEYOND: u32 = u32::MAX;

/// Where a region ends: the sides of faces with no other face of the region across. None of a closed surface.
#[derive(Default)]
pub(crate) struct Frontier {
    sides: Vec<u32>,
    vertices: Vec<bool>,
}
impl Frontier {
    /// That of some faces.
    pub fn of(vertices: usize, faces: &[[u32; 3]]) -> Self {
        let across = across(faces, &vec![true; faces.len()], &Self::default());
        let sides: Vec<u32> = (0..across.len() as u32).filter(|s| across[*s as usize] == s / 3).collect();
        let mut marked = vec![false; vertices];
        for side in &sides {
            let face = faces[*side as usize / 3];
            [0, 1].into_iter().for_each(|end| marked[face[(*side as usize + end) % 3] as usize] = true);
        }
        Self { sides, vertices: marked }
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }
    /// Whether a vertex is on it.
    pub fn has(&self, v: u32) -> bool {
        self.vertices.get(v as usize).is_some_and(|on| *on)
    }
}

/// The face across each side, among the faces that are kept; the side's own face where there is none. Side `3 f + i` of face
/// `f` leads from corner `i` to the next.
fn across(faces: &[[u32; 3]], kept: &[bool], frontier: &Frontier) -> Vec<u32> {
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
    frontier.sides.iter().filter(|side| kept[**side as usize / 3]).for_each(|&s| across[s as usize] = BEYOND);
    across
}

/// Drops faces that only one edge holds, or none, until there are no more: loops become smoother.
pub(crate) fn drop_ears(faces: &[[u32; 3]], kept: &mut [bool], frontier: &Frontier) {
    let mut across = across(faces, kept, frontier);
    let held = |across: &[u32], f: usize| (0..3).filter(|i| across[3 * f + i] != f as u32).count();
    let mut waiting: Vec<usize> = (0..faces.len()).filter(|&f| kept[f]).collect();
    while let Some(f) = waiting.pop() {
        if !kept[f] || held(&across, f) > 1 {
            continue;
        }
        kept[f] = false;
        for i in 0..3 {
            let other = across[3 * f + i] as usize;
            if other != f && other != BEYOND as usize {
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
pub(crate) fn clusters(faces: &[[u32; 3]], kept: &[bool], frontier: &Frontier) -> Vec<Cluster> {
    let across = across(faces, kept, frontier);
    let mut seen: Vec<bool> = kept.iter().map(|kept| !kept).collect();
    let mut clusters = vec![];
    for first in 0..faces.len() {
        if std::mem::replace(&mut seen[first], true) {
            continue;
        }
        let mut cluster = Cluster { faces: vec![first as u32], open: false, beyond: false };
        let mut at = 0;
        while let Some(&face) = cluster.faces.get(at) {
            at += 1;
            for &other in &across[3 * face as usize..][..3] {
                if other == BEYOND {
                    cluster.beyond = true;
                    continue;
                }
                cluster.open |= other == face;
                if !std::mem::replace(&mut seen[other as usize], true) {
                    cluster.faces.push(other);
                }
            }
        }
        cluster.faces.sort_unstable();
        clusters.push(cluster);
    }
    clusters
}
