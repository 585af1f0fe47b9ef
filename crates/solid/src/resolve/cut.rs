//! Deletion of faces that intersect or are inside.
use crate::inside::InsideTest;
use crate::resolve::kernels::{
    ClustersArguments, CountInside, CutClusters, CutEarsOf, CutPairs, FlagAsked, INSIDE, MarkClusters,
    PlaceBefore, STAYS, UniteKept,
};
use glam::{DVec3, Vec3};
use ribbonmesh::array::{self, Groups};
use ribbonmesh::{Buffer, Device, FlatTopology, Result};
use ribbonmesh_mesh::TriangleMesh;

/// Rounds of deleting ears between two waits.
const ROUNDS: u32 = 6;

/// The faces that are deleted.
pub(crate) struct Cut {
    /// Whether each face is deleted.
    pub gone: Vec<bool>,
    /// Number of those that are deleted because they are inside.
    pub inside: usize,
}

/// The clusters of a region, as [`ClustersArguments`] has them.
struct Clusters {
    of: Buffer<u32>,
    faces: Groups,
    marks: Buffer<u32>,
}
impl Clusters {
    fn view(&self) -> ClustersArguments<'_> {
        ClustersArguments { of: self.of.view(), faces: self.faces.view(), marks: self.marks.view() }
    }
}

/// Finds the faces of a mesh that are deleted: those of some pairs, ears, crumbs, and clusters inside the
/// volume (Chentanez and others 2016, sections 3.2 and 3.4). Ears are deleted until there are no more:
/// boundary loops become smoother. `test` belongs to the mesh around its origin. Runs on its device.
pub(crate) fn cut(
    mesh: &TriangleMesh,
    origin: DVec3,
    pairs: &[[u32; 2]],
    test: &InsideTest<'_>,
) -> Result<Cut> {
    let device = test.device();
    let flat = FlatTopology::new(device, mesh.positions.len(), &mesh.faces)?;
    let (n, ring) = (mesh.faces.len() as u32, flat.ring());
    let mut gone = device.zeros::<u32>(n as usize)?;
    let listed = device.upload(pairs.as_flattened())?;
    let cut = CutPairs { pairs: listed.view(), gone: gone.view_mut() };
    device.launch_each(listed.len() as u32, cut)?;
    cut_ears(device, ring, &mut gone)?;

    let mut parents = array::count_up(device, n)?;
    let unite = UniteKept { ring: ring.view(), gone: gone.view(), parents: parents.view_mut() };
    device.launch_each(n, unite)?;
    let mut cluster = device.unspecified::<u32>(n as usize)?;
    let mut marks = device.zeros::<u32>(n as usize)?;
    let mark = MarkClusters {
        total: n,
        ring: ring.view(),
        gone: gone.view(),
        parents: parents.view_mut(),
        cluster: cluster.view_mut(),
        marks: marks.view_mut(),
    };
    device.launch_each(n, mark)?;
    // deleted faces come last
    let faces = array::group_by(&cluster, n + 1)?;
    let clusters = Clusters { of: cluster, faces, marks };
    let mut asked = device.unspecified::<u32>(n as usize)?;
    device.launch_each(n, FlagAsked { total: n, clusters: clusters.view(), asked: asked.view_mut() })?;
    let asked = array::select(&asked)?;
    let (count, positions) = (asked.len() as u32, device.upload(&mesh.points_around(origin))?);
    let mut points = device.unspecified::<Vec3>(asked.len())?;
    let place = PlaceBefore {
        asked: asked.view(),
        places: clusters.faces.places().view(),
        positions: positions.view(),
        faces: flat.face_vertices().view(),
        points: points.view_mut(),
    };
    device.launch_each(count, place)?;
    let winding = test.cast(&points)?.winding;
    let mut inside = device.zeros::<u32>(n as usize)?;
    let counted = CountInside {
        asked: asked.view(),
        clusters: clusters.view(),
        winding: winding.view(),
        inside: inside.view_mut(),
    };
    device.launch_each(count, counted)?;
    let cut =
        CutClusters { total: n, clusters: clusters.view(), inside: inside.view(), gone: gone.view_mut() };
    device.launch_each(n, cut)?;
    let gone = gone.read()?;
    let inside = gone.iter().filter(|why| **why == INSIDE).count();
    Ok(Cut { gone: gone.into_iter().map(|why| why != STAYS).collect(), inside })
}

/// Deletes ears until there are no more.
fn cut_ears(device: &Device, ring: &Buffer<u32>, gone: &mut Buffer<u32>) -> Result<()> {
    let n = gone.len() as u32;
    loop {
        let mut more = device.zeros::<u32>(1)?;
        for round in 1..=ROUNDS {
            if round == ROUNDS {
                more.clear()?;
            }
            let ears = CutEarsOf { ring: ring.view(), gone: gone.view_mut(), more: more.view_mut() };
            device.launch_each(n, ears)?;
        }
        if more.read()?[0] == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intersections::{Triangles, self_intersections};
    use crate::resolve::kernels::CRUMB;
    use ribbonmesh_mesh::{Sides, SplitMix64, shapes};
    use ribbonmesh_suite::suite;

    /// The same on the host: the deleted faces, and the number of those inside.
    fn expected(mesh: &TriangleMesh, pairs: &[[u32; 2]], test: &InsideTest<'_>) -> (Vec<bool>, usize) {
        let sides = Sides::of(mesh.positions.len(), &mesh.faces);
        let n = mesh.faces.len();
        let mut kept = vec![true; n];
        pairs.iter().flatten().for_each(|face| kept[*face as usize] = false);
        while let Some(ear) = (0..n as u32).find(|&f| {
            let around = sides.across(f).into_iter();
            kept[f as usize] && around.filter(|other| other.is_none_or(|f| kept[f as usize])).count() <= 1
        }) {
            kept[ear as usize] = false;
        }
        let (mut seen, mut count) = (kept.iter().map(|kept| !kept).collect::<Vec<_>>(), 0);
        for first in 0..n {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let (mut faces, mut at, mut open, mut beyond) = (vec![first as u32], 0, false, false);
            while let Some(&face) = faces.get(at) {
                at += 1;
                for other in sides.across(face) {
                    match other {
                        None => beyond = true,
                        Some(other) if std::mem::replace(&mut seen[other as usize], true) => {}
                        Some(other) => faces.push(other),
                    }
                }
            }
            faces.sort_unstable();
            let of: Vec<bool> = (0..n as u32).map(|f| faces.binary_search(&f).is_ok()).collect();
            open |= faces.iter().flat_map(|f| sides.across(*f)).flatten().any(|f| !of[f as usize]);
            let crumb = open && !beyond && faces.len() <= CRUMB as usize;
            let mut inside = false;
            if !crumb && (open || !beyond) {
                let step = faces.len().div_ceil(9);
                let asked: Vec<u32> = faces.iter().skip(step / 2).step_by(step).copied().collect();
                let before = |&f: &u32| {
                    let [a, b, c] = mesh.faces[f as usize].map(|v| mesh.positions[v as usize]);
                    let shortest = a.distance(b).min(b.distance(c)).min(c.distance(a));
                    let normal = (b - a).cross(c - a).normalize_or_zero();
                    ((a + b + c) / 3.0 + 0.05 * shortest * normal).as_vec3()
                };
                let points: Vec<Vec3> = asked.iter().map(before).collect();
                let points = test.device().upload(&points).expect("memory");
                let winding = test.cast(&points).expect("rays").winding.read().expect("memory");
                inside = 2 * winding.iter().filter(|w| **w != 0.0).count() > asked.len();
            }
            if crumb || inside {
                faces.iter().for_each(|f| kept[*f as usize] = false);
                count += if inside { faces.len() } else { 0 };
            }
        }
        (kept.into_iter().map(|kept| !kept).collect(), count)
    }

    suite! {
        fn faces_that_are_deleted(device) {
            let mut random = SplitMix64::new(5);
            for round in 0..6_u32 {
                // spheres that pass through each other, with noise that folds them, and a part of them
                let mut all = TriangleMesh::default();
                for _ in 0..3 {
                    let mut sphere = shapes::icosphere(2).expect("small");
                    let mut next = || random.unit() - 0.5;
                    let way = DVec3::new(next(), next(), next()) * 2.0;
                    let noise = 0.06 * f64::from(round);
                    sphere.positions.iter_mut().for_each(|p| {
                        *p = (*p + way + noise * DVec3::new(next(), next(), next())).as_vec3().as_dvec3();
                    });
                    all.append(&sphere).expect("no columns");
                }
                let positions = device.upload(&all.points_around(DVec3::ZERO)).expect("memory");
                let faces = device.upload(all.faces.as_flattened()).expect("memory");
                let triangles = Triangles { positions: &positions, faces: &faces };
                let pairs = self_intersections(triangles).expect("pairs").pairs.read().expect("memory");
                let test = InsideTest::new(triangles).expect("memory");
                let mut part = all.clone();
                let mut pairs_of_part = pairs.clone();
                if round % 2 == 1 {
                    // without a part that has no intersections
                    let meets: Vec<u32> = pairs.as_flattened().to_vec();
                    let far = |f: &u32| all.positions[all.faces[*f as usize][0] as usize].x < 0.8;
                    let list: Vec<u32> =
                        (0..all.faces.len() as u32).filter(|f| far(f) || meets.contains(f)).collect();
                    part.faces = list.iter().map(|f| all.faces[*f as usize]).collect();
                    let place = |f: u32| list.binary_search(&f).expect("in the part") as u32;
                    pairs_of_part.iter_mut().for_each(|pair| *pair = pair.map(place));
                }
                let Cut { gone, inside } = cut(&part, DVec3::ZERO, &pairs_of_part, &test).expect("memory");
                assert_eq!((gone, inside), expected(&part, &pairs_of_part, &test), "{round}");
                assert!(!pairs.is_empty());
            }
        }
    }
}
