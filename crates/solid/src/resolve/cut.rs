//! Deletion of faces that intersect or are inside (Chentanez and others 2016, sections 3.2 and 3.4).
//!
//! On the calling thread, but for the test of points: a region has thousands of faces, of which each is
//! looked at a few times. Kernels for it would be launched, and waited for, for longer than that.
use crate::inside::InsideTest;
use glam::{DVec3, Vec3};
use ribbonmesh::Result;
use ribbonmesh::device::NONE;
use ribbonmesh_mesh::{Sides, TriangleMesh};

/// Number of faces of a cluster that are tested for being inside (w of the paper).
const ASKED: usize = 9;
/// A cluster of at most this many faces that deletion has cut off is deleted, too.
pub(crate) const CRUMB: usize = 12;
/// Distance in front of a face of the point that is tested, in lengths of its shortest edge.
const BEFORE: f64 = 0.05;

/// The faces that are deleted.
pub(crate) struct Cut {
    /// Whether each face is deleted.
    pub gone: Vec<bool>,
    /// Number of those that are deleted because they are inside.
    pub inside: usize,
}

/// A set of connected faces that stay.
#[derive(Clone, Default)]
struct Cluster {
    /// Its faces, ascending.
    faces: Vec<u32>,
    /// Whether a face across one of its sides is deleted.
    is_open: bool,
    /// Whether it continues beyond the region.
    goes_on: bool,
}
impl Cluster {
    /// Whether it is left over, and so small that it is deleted.
    fn is_crumb(&self) -> bool {
        self.is_open && !self.goes_on && self.faces.len() <= CRUMB
    }
    /// The faces that are tested, spread over it. A cluster that no cut touches belongs to the part beyond
    /// the region, and stays untested; so does a crumb.
    fn asked(&self) -> impl Iterator<Item = u32> {
        let is_tested = self.is_open || !self.goes_on;
        let faces = if is_tested && !self.is_crumb() { &self.faces[..] } else { &[] };
        let step = faces.len().div_ceil(ASKED).max(1);
        faces.iter().skip(step / 2).step_by(step).copied()
    }
}

/// Finds the faces of a mesh that are deleted: those of some pairs, ears, crumbs, and clusters inside the
/// volume. Ears are deleted until there are no more: boundary loops become smoother. `sides` are those of the
/// mesh, and `test` belongs to it around its origin; it runs on its device, once for all points. Linear
/// otherwise.
pub(crate) fn cut(
    mesh: &TriangleMesh,
    sides: &Sides,
    origin: DVec3,
    pairs: &[[u32; 2]],
    test: &InsideTest<'_>,
) -> Result<Cut> {
    let mut gone = vec![false; mesh.faces.len()];
    cut_pairs(sides, pairs, &mut gone);
    let clusters = clusters(sides, &gone);
    let position = |v: u32| (mesh.positions[v as usize] - origin).as_vec3().as_dvec3();
    let asked = clusters.iter().flat_map(Cluster::asked);
    let points: Vec<Vec3> = asked.map(|f| point_before(mesh.faces[f as usize].map(position))).collect();
    let mut winding = vec![];
    if !points.is_empty() {
        winding = test.cast(&test.device().upload(&points)?)?.winding.read()?;
    }
    let (mut inside, mut rest) = (0, &winding[..]);
    for cluster in &clusters {
        let (own, others) = rest.split_at(cluster.asked().count());
        rest = others;
        let is_inside = 2 * own.iter().filter(|winding| **winding != 0.0).count() > own.len();
        if is_inside {
            inside += cluster.faces.len();
        }
        if is_inside || cluster.is_crumb() {
            cluster.faces.iter().for_each(|f| gone[*f as usize] = true);
        }
    }
    Ok(Cut { gone, inside })
}

/// Deletes the faces of pairs, then faces that at most one edge connects with one that stays, until there are
/// no more: the same in every order. Beyond the border, faces stay.
fn cut_pairs(sides: &Sides, pairs: &[[u32; 2]], gone: &mut [bool]) {
    let mut list: Vec<u32> = vec![];
    for &f in pairs.as_flattened() {
        if !std::mem::replace(&mut gone[f as usize], true) {
            list.push(f);
        }
    }
    while let Some(f) = list.pop() {
        for other in sides.across(f).into_iter().flatten() {
            let stays = |third: &Option<u32>| third.is_none_or(|third| !gone[third as usize]);
            if !gone[other as usize] && sides.across(other).iter().filter(|third| stays(third)).count() <= 1 {
                gone[other as usize] = true;
                list.push(other);
            }
        }
    }
}

/// The clusters, in the order of their first faces.
fn clusters(sides: &Sides, gone: &[bool]) -> Vec<Cluster> {
    let mut of = vec![NONE; gone.len()];
    let mut clusters: Vec<Cluster> = vec![];
    let mut front = vec![];
    for first in (0..gone.len()).filter(|f| !gone[*f]) {
        if of[first] != NONE {
            continue;
        }
        let number = clusters.len() as u32;
        let mut cluster = Cluster::default();
        of[first] = number;
        front.push(first as u32);
        while let Some(f) = front.pop() {
            for other in sides.across(f) {
                let Some(other) = other else {
                    cluster.goes_on = true;
                    continue;
                };
                if gone[other as usize] {
                    cluster.is_open = true;
                } else if of[other as usize] == NONE {
                    of[other as usize] = number;
                    front.push(other);
                }
            }
        }
        clusters.push(cluster);
    }
    for (f, number) in (0..).zip(of) {
        if let Some(cluster) = clusters.get_mut(number as usize) {
            cluster.faces.push(f);
        }
    }
    clusters
}

/// A point just in front of a face.
fn point_before([a, b, c]: [DVec3; 3]) -> Vec3 {
    let shortest = (b - a).length_squared().min((c - b).length_squared()).min((a - c).length_squared());
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    let unit = if length > 0.0 { normal / length } else { DVec3::ZERO };
    ((a + b + c) / 3.0 + BEFORE * shortest.sqrt() * unit).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::{SplitMix64, UnionFind, shapes};

    /// Part of a sphere, with some faces deleted.
    fn open_sphere(seed: u64, part: u64) -> (TriangleMesh, Sides, Vec<[u32; 2]>) {
        let mut mesh = shapes::icosphere(3).expect("small");
        mesh.faces.retain(|face| face.iter().all(|v| mesh.positions[*v as usize].z < 0.7));
        let mut random = SplitMix64::new(seed);
        let n = mesh.faces.len() as u64;
        let pairs = (0..n / part).map(|_| [(); 2].map(|()| (random.bits() % n) as u32)).collect();
        let sides = Sides::of(mesh.positions.len(), &mesh.faces);
        (mesh, sides, pairs)
    }

    #[test]
    fn ears_are_deleted_as_by_passes_over_all_faces() {
        for (seed, part) in [(1, 4), (2, 8), (3, 20), (4, 100)] {
            let (mesh, sides, pairs) = open_sphere(seed, part);
            let mut gone = vec![false; mesh.faces.len()];
            cut_pairs(&sides, &pairs, &mut gone);
            let mut expected = vec![false; mesh.faces.len()];
            pairs.as_flattened().iter().for_each(|f| expected[*f as usize] = true);
            loop {
                let stays = |other: &Option<u32>| other.is_none_or(|other| !expected[other as usize]);
                let ear = |f: &u32| sides.across(*f).iter().filter(|other| stays(other)).count() <= 1;
                let ears: Vec<u32> =
                    (0..mesh.faces.len() as u32).filter(|f| !expected[*f as usize]).filter(ear).collect();
                if ears.is_empty() {
                    break;
                }
                ears.into_iter().for_each(|f| expected[f as usize] = true);
            }
            assert_eq!(gone, expected);
        }
    }
    #[test]
    fn clusters_are_sets_of_connected_faces() {
        for (seed, part) in [(5, 3), (6, 6), (7, 40), (8, 10_000)] {
            let (mesh, sides, pairs) = open_sphere(seed, part);
            let mut gone = vec![false; mesh.faces.len()];
            cut_pairs(&sides, &pairs, &mut gone);
            let mut sets = UnionFind::new(gone.len());
            let kept: Vec<u32> = (0..gone.len() as u32).filter(|f| !gone[*f as usize]).collect();
            let across = |f: u32| sides.across(f).into_iter().flatten().filter(|g| !gone[*g as usize]);
            kept.iter().for_each(|f| across(*f).for_each(|g| _ = sets.join(*f, g)));
            let found = clusters(&sides, &gone);
            assert!(found.is_sorted_by_key(|cluster| cluster.faces[0]));
            assert_eq!(found.iter().map(|cluster| cluster.faces.len()).sum::<usize>(), kept.len());
            for cluster in &found {
                let root = sets.root(cluster.faces[0]);
                let own: Vec<u32> = kept.iter().copied().filter(|f| sets.root(*f) == root).collect();
                assert_eq!(cluster.faces, own);
                let any =
                    |is: &dyn Fn(&Option<u32>) -> bool| own.iter().any(|f| sides.across(*f).iter().any(is));
                assert_eq!(cluster.goes_on, any(&|other| other.is_none()));
                assert_eq!(cluster.is_open, any(&|other| other.is_some_and(|other| gone[other as usize])));
                let asked: Vec<u32> = cluster.asked().collect();
                assert!(asked.len() <= ASKED && asked.iter().all(|f| own.contains(f)));
                let stays = cluster.is_crumb() || !cluster.is_open && cluster.goes_on;
                assert_eq!(asked.is_empty(), stays);
            }
        }
    }
}
