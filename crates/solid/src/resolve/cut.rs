//! Deletion of faces that intersect or are inside.
use crate::inside::InsideTest;
use crate::resolve::kernels::{
    ClustersArguments, CountInside, CutClusters, CutEarsOf, CutPairs, FlagAsked, INSIDE, MarkClusters,
    PlaceBefore, STAYS, UniteKept,
};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::array::{self, Groups};
use ribbonmesh::{Buffer, Device, Result};
use ribbonmesh_mesh::{Sides, TriangleMesh};

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
/// boundary loops become smoother. `sides` are those of the mesh, and `test` belongs to it around its origin.
/// Runs on its device.
pub(crate) fn cut(
    mesh: &TriangleMesh,
    sides: &Sides,
    origin: DVec3,
    pairs: &[[u32; 2]],
    test: &InsideTest<'_>,
) -> Result<Cut> {
    let device = test.device();
    let (n, faces) = (mesh.faces.len() as u32, device.upload(mesh.faces.as_flattened())?);
    let ring = &device.upload(&ring(&mesh.faces, sides))?;
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
    let groups = array::group_by(&cluster, n + 1)?;
    let clusters = Clusters { of: cluster, faces: groups, marks };
    let mut asked = device.unspecified::<u32>(n as usize)?;
    device.launch_each(n, FlagAsked { total: n, clusters: clusters.view(), asked: asked.view_mut() })?;
    let asked = array::select(&asked)?;
    let (count, positions) = (asked.len() as u32, device.upload(&mesh.points_around(origin))?);
    let mut points = device.unspecified::<Vec3>(asked.len())?;
    let place = PlaceBefore {
        asked: asked.view(),
        places: clusters.faces.places().view(),
        positions: positions.view(),
        faces: faces.view(),
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

/// For each corner the corner across its side, or itself where the mesh ends.
fn ring(faces: &[[u32; 3]], sides: &Sides) -> Vec<u32> {
    let of_face = |f: usize| {
        let across = sides.across(f as u32);
        [0, 1, 2].map(|side| {
            let end = faces[f][(side + 1) % 3];
            let there = across[side].and_then(|other| {
                let at = faces[other as usize].iter().position(|v| *v == end)?;
                Some(3 * other + at as u32)
            });
            there.unwrap_or((3 * f + side) as u32)
        })
    };
    let all: Vec<[u32; 3]> = (0..faces.len()).into_par_iter().with_min_len(1 << 12).map(of_face).collect();
    all.into_flattened()
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
