//! Edges of more than two faces: which of these stay together.
use crate::repair::check::VERTICES;
use crate::repair::edges::ends;
use crate::repair::fans::vertices_of_several;
use crate::repair::linked::{Linked, Side, marks, set};
use crate::repair::links::Links;
use crate::repair::orient::Orientation;
use crate::repair::pair::{Unpair, close, pair, sorted, unpair};
use crate::repair::region::Region;
use crate::repair::split::split;
use crate::repair::{EdgeSplit, RepairError, RepairReport};
use glam::DVec3;
use ribbonmesh::{Buffer, Error, array};
use ribbonmesh_mesh::{MeshError, SidedUnionFind};
use rustc_hash::FxHashMap;

/// The faces around the ends of some sides, on the host.
pub(crate) struct Around {
    /// The faces.
    pub region: Region,
    /// The ends, as the region numbers them; ascending.
    pub ends: Vec<u32>,
    /// The positions of the region's vertices.
    pub at: Vec<DVec3>,
}

impl Around {
    /// Reads the faces at the ends of `sides`. Waits three times.
    pub fn of(
        positions: &Buffer<DVec3>,
        linked: &Linked,
        sides: &[Side],
        inputs: Option<&Buffer<u32>>,
    ) -> Result<Self, Error> {
        let device = positions.device();
        let mut ends: Vec<u32> = sides.iter().flat_map(|side| side.ends).collect();
        ends.sort_unstable();
        ends.dedup();
        let marked = marks(device, positions.len(), &ends)?;
        let region = Region::around(&marked, linked.faces(), inputs, &linked.across)?;
        let at = array::gather(positions, &device.upload(&region.vertices)?)?.read()?;
        Ok(Self { ends: region.places(&ends), region, at })
    }
}

/// Links sides of edges of more than two faces, which `noted` has, in pairs that stay together.
pub(crate) fn pair_crowded(
    mut noted: Vec<Side>,
    positions: &Buffer<DVec3>,
    orientation: &Orientation,
    linked: &mut Linked,
    inputs: Option<&Buffer<u32>>,
    report: &mut RepairReport,
) -> Result<(), RepairError> {
    let Around { mut region, ends, at } = Around::of(positions, linked, &noted, inputs)?;
    noted.sort_unstable_by_key(|side| (side.edge(), side.side));
    let inner = |side: &Side| region.side(side.side).unwrap_or_default();
    let crowded: Vec<Vec<u32>> =
        noted.chunk_by(|a, b| a.edge() == b.edge()).map(|sides| sides.iter().map(inner).collect()).collect();

    // faces of the same set, and those that are turned
    let list: Vec<u32> = noted.iter().map(|side| side.side / 3).collect();
    let [roots, turns] = orientation.of_faces(&positions.device().upload(&list)?)?;
    let mut oriented = SidedUnionFind::new(region.faces.len());
    let mut first: FxHashMap<u32, u32> = FxHashMap::default();
    let mut turned = vec![false; region.faces.len()];
    for ((inner, root), turn) in crowded.iter().flatten().zip(roots).zip(turns) {
        let face = inner / 3;
        turned[face as usize] = turn != 0;
        oriented.join(*first.entry(root).or_insert(face), face, false);
    }
    let pairs = sheets(&crowded, &ends, &at, &region.faces, &turned, oriented, &mut region.links)?;

    let mut links = vec![];
    for (side, &inner) in noted.iter().zip(crowded.iter().flatten()) {
        links.extend(region.links.across(inner).map(|across| (side.side, region.side_of(across))));
    }
    let (sides, across): (Vec<u32>, Vec<u32>) = links.into_iter().unzip();
    set(&mut linked.across, &sides, &across)?;
    report.edges_split = edges_split(&crowded, pairs, &region.faces, &region.inputs);
    for split in &mut report.edges_split {
        split.edge = split.edge.map(|v| region.vertices[v as usize]);
    }
    Ok(())
}

/// Links the sides of edges of more than two faces so that an edge has at most two after the split into fans.
/// `hot`: the vertices of these edges, ascending. Returns the pairs.
fn sheets(
    crowded: &[Vec<u32>],
    hot: &[u32],
    positions: &[DVec3],
    faces: &[[u32; 3]],
    turned: &[bool],
    oriented: SidedUnionFind,
    links: &mut Links,
) -> Result<Vec<[u32; 2]>, MeshError> {
    let vertices = positions.len();
    let split = |links: &Links| -> Result<Vec<[u32; 3]>, MeshError> {
        let (mut faces, mut inputs) = (faces.to_vec(), (0..vertices as u32).collect());
        let mut several = vertices_of_several(vertices, &faces, links);
        several.retain(|v| hot.binary_search(v).is_ok());
        split(&several, &mut faces, links, &mut inputs);
        MeshError::at_most("vertices, copies included,", inputs.len(), VERTICES)?;
        Ok(faces)
    };
    let mut pairs = pair(crowded, positions, faces, turned, oriented, links);
    let mut apart = split(links)?;
    for which in [Unpair::Others, Unpair::All] {
        if !unpair(crowded, &apart, &mut pairs, links, which) {
            break;
        }
        apart = split(links)?;
    }
    pairs.extend(close(crowded, &apart, links));
    Ok(pairs)
}

/// The entries of the report for edges of more than two faces.
fn edges_split(
    crowded: &[Vec<u32>],
    pairs: Vec<[u32; 2]>,
    faces: &[[u32; 3]],
    face_inputs: &[u32],
) -> Vec<EdgeSplit> {
    let of = |side: u32| face_inputs[side as usize / 3];
    let by_edge = |&pair: &[u32; 2]| (sorted(ends(faces, pair[0])), sorted(pair.map(of)));
    let mut pairs: Vec<([u32; 2], [u32; 2])> = pairs.iter().map(by_edge).collect();
    pairs.sort_unstable();
    let mut pairs = pairs.chunk_by(|a, b| a.0 == b.0).peekable();
    let split = |sides: &Vec<u32>| {
        let edge = sorted(ends(faces, sides[0]));
        let joined = pairs.next_if(|pairs| pairs[0].0 == edge).unwrap_or_default();
        let joined = joined.iter().map(|pair| pair.1).collect();
        EdgeSplit { edge, faces: sides.iter().map(|&side| of(side)).collect(), joined }
    };
    crowded.iter().map(split).collect()
}
