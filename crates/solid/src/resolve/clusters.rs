//! Clusters of connected faces.
use ribbonmesh_mesh::Sides;

/// Drops faces that at most one edge connects with a kept face, until there are no more: boundary loops
/// become smoother. At the border of the surface, the part beyond counts as a kept face.
pub(crate) fn drop_ears(sides: &Sides, kept: &mut [bool]) {
    let mut waiting: Vec<u32> = (0..kept.len() as u32).filter(|&f| kept[f as usize]).collect();
    while let Some(f) = waiting.pop() {
        let around = sides.across(f);
        if !kept[f as usize] || !is_ear(around, |other| kept[other as usize]) {
            continue;
        }
        kept[f as usize] = false;
        waiting.extend(around.into_iter().flatten());
    }
}
/// Whether at most one edge connects a face with a kept one.
pub(crate) fn is_ear(around: [Option<u32>; 3], kept: impl Fn(u32) -> bool) -> bool {
    around.into_iter().filter(|other| other.is_none_or(&kept)).count() <= 1
}

/// A cluster of connected faces.
pub(crate) struct Cluster {
    /// Its faces, ascending.
    pub faces: Vec<u32>,
    /// Whether it has a boundary.
    pub open: bool,
    /// Whether it continues beyond the border of the surface.
    pub beyond: bool,
}

/// The kept faces in clusters, in the order of their first faces.
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
            for other in sides.across(face) {
                match other {
                    None => cluster.beyond = true,
                    Some(other) if !kept[other as usize] => cluster.open = true,
                    Some(other) => {
                        if !std::mem::replace(&mut seen[other as usize], true) {
                            cluster.faces.push(other);
                        }
                    }
                }
            }
        }
        cluster.faces.sort_unstable();
        clusters.push(cluster);
    }
    clusters
}
