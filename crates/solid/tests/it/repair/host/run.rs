//! Repair of triangles to an oriented manifold.
use crate::repair::host::check::{NONE, VERTICES, degenerate, indices};
use crate::repair::host::edges::{Edges, ends};
use crate::repair::host::fans::{apart, vertices_of_several};
use crate::repair::host::folds::doubled;
use crate::repair::host::links::Links;
use crate::repair::host::orient::orient;
use crate::repair::host::pair::{Unpair, close, pair, sorted, unpair};
use crate::repair::host::quads::doubled_quads;
use crate::repair::host::split::split;
use crate::repair::host::weld::weld;
use crate::repair::host::{
    EdgeCut, EdgeSplit, RepairError, RepairOptions, RepairReport, Repaired, VertexSplit, area, components,
};
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh_mesh::{MeshError, OptionError};
use rustc_hash::FxHashSet;

/// Makes an oriented manifold of `faces`, each three of the vertices at `positions`; a mesh that is one comes
/// back as it is.
///
/// 1. Where that is asked for, vertices near each other become one, and faces of no area are dropped.
/// 2. Faces with a vertex twice are dropped; of faces with the same three vertices, all but one of the
///    orientation that more of them have, and of two pairs that fill the same flat square at an edge of more
///    than two faces, one. Two of opposite orientations are both dropped where they are a fold, which the
///    surface closes without.
/// 3. Faces are turned so that neighbours agree, as few as possible; where faces cannot be oriented, they are
///    cut along edges where neighbours disagreed.
/// 4. At edges of more than two faces, faces are paired, the flattest pairs first, so that sheets pass
///    through each other. All else is cut there: each fan of a vertex gets a vertex of its own (Guéziec,
///    Taubin, Lazarus and Horn, *Cutting and stitching: converting sets of polygons to manifold surfaces*,
///    2001). Pairs that would leave an edge of more than two faces are cut as well. Vertices at which only
///    holes touch stay where that is asked for.
/// 5. Where that is asked for, components of few faces and isolated vertices are removed.
///
/// Linear but for sorting a few numbers per vertex; on rayon's pool, orienting, pairing and welding apart.
/// Memory: about 100 bytes a face.
/// # Errors
/// [`MeshError::FaceIndex`]; [`MeshError::TooMany`]: 400 million faces, or 2³² − 1 vertices, copies included;
/// [`OptionError`]: a distance that is negative or not finite.
pub fn repair(
    positions: &[DVec3],
    faces: &[[u32; 3]],
    options: &RepairOptions,
) -> Result<Repaired, RepairError> {
    let vertices = positions.len();
    indices(vertices, faces)?;
    let mut report = RepairReport::default();
    let welded = match options.weld {
        None => None,
        Some(distance) if distance >= 0.0 && distance.is_finite() => Some(weld(positions, distance)),
        Some(distance) => {
            return Err(OptionError::value("weld", distance, "a finite number, 0 or above").into());
        }
    };
    let welded_faces: Option<Vec<[u32; 3]>> = welded.as_ref().map(|becomes| {
        let pairs = (0..).zip(becomes).filter(|(v, to)| v != *to);
        report.vertices_welded = pairs.map(|(v, &to)| [v, to]).collect();
        faces.par_iter().map(|face| face.map(|v| becomes[v as usize])).collect()
    });
    let faces = welded_faces.as_deref().unwrap_or(faces);
    let (mut faces, mut face_inputs, edges) = distinct(positions, faces, options, &mut report);
    drop(welded_faces);

    let mut links = Links::of(&edges, faces.len());
    let crowded = edges.pick(|edge| (edge.len() > 2).then(|| edge.sides().collect::<Vec<u32>>()));
    drop(edges);
    let mut orientation = orient(&faces, &links, &links.inconsistent(&faces));
    for &pair in &orientation.cuts {
        links.cut(pair);
        let of = pair.map(|side| face_inputs[side as usize / 3]);
        report.edges_cut.push(EdgeCut { edge: sorted(ends(&faces, pair[0])), faces: of });
    }
    report.edges_cut.sort_unstable_by_key(|cut| (cut.edge, cut.faces));
    report.nonorientable_components = orientation.nonorientable;

    if !crowded.is_empty() {
        let mut turned = vec![false; faces.len()];
        orientation.turned.iter().for_each(|&face| turned[face as usize] = true);
        let pairs = sheets(&crowded, positions, &faces, &turned, &mut links)?;
        report.edges_split = edges_split(&crowded, pairs, &faces, &face_inputs);
        orientation = orient(&faces, &links, &links.inconsistent(&faces));
    }
    let mut lost = vec![];
    if options.remove_components > 1 {
        let small = components::small(&faces, &links, options.remove_components);
        if !small.is_empty() {
            lost = without(&small, &mut faces, &mut face_inputs, &mut links, &mut report);
            orientation = orient(&faces, &links, &links.inconsistent(&faces));
        }
    }

    let mut inputs: Vec<u32> = (0..vertices as u32).collect();
    let mut several = vertices_of_several(vertices, &faces, &links);
    if options.keep_touching {
        let cut = report
            .edges_cut
            .iter()
            .map(|cut| cut.edge)
            .chain(report.edges_split.iter().map(|split| split.edge));
        let cut: FxHashSet<u32> = cut.flatten().collect();
        let closed = apart(&several, vertices, &faces, &links);
        several = several
            .into_iter()
            .zip(closed)
            .filter(|(v, closed)| *closed || cut.contains(v))
            .map(|(v, _)| v)
            .collect();
    }
    split(&several, &mut faces, &links, &mut inputs);
    MeshError::at_most("vertices, copies included,", inputs.len(), VERTICES)?;
    for &face in &orientation.turned {
        faces[face as usize].swap(1, 2);
    }
    report.faces_turned = orientation.turned.iter().map(|&face| face_inputs[face as usize]).collect();

    let mut removable = vec![options.remove_isolated; inputs.len()];
    let merged = report.vertices_welded.iter().map(|pair| pair[0]);
    lost.into_iter().chain(merged).for_each(|v| removable[v as usize] = true);
    let mut removed = remove_isolated(&removable, &mut faces, &mut inputs);
    report.vertices_split = copies(vertices - removed.len(), &inputs);
    removed.retain(|v| report.vertices_welded.binary_search_by_key(v, |pair| pair[0]).is_err());
    report.isolated_vertices_removed = removed;
    Ok(Repaired { faces, vertex_inputs: inputs, face_inputs, report })
}

/// Links the sides of edges of more than two faces so that an edge has at most two after the split into fans.
/// Returns the pairs.
fn sheets(
    crowded: &[Vec<u32>],
    positions: &[DVec3],
    faces: &[[u32; 3]],
    turned: &[bool],
    links: &mut Links,
) -> Result<Vec<[u32; 2]>, MeshError> {
    let vertices = positions.len();
    let split = |links: &Links| -> Result<Vec<[u32; 3]>, MeshError> {
        let (mut faces, mut inputs) = (faces.to_vec(), (0..vertices as u32).collect());
        split(&vertices_of_several(vertices, &faces, links), &mut faces, links, &mut inputs);
        MeshError::at_most("vertices, copies included,", inputs.len(), VERTICES)?;
        Ok(faces)
    };
    let mut pairs = pair(crowded, positions, faces, turned, links);
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

/// Drops the faces of components. Returns their vertices, of which some may have other faces.
fn without(
    components: &[Vec<u32>],
    faces: &mut Vec<[u32; 3]>,
    face_inputs: &mut Vec<u32>,
    links: &mut Links,
    report: &mut RepairReport,
) -> Vec<u32> {
    let mut kept = vec![true; faces.len()];
    components.iter().flatten().for_each(|&face| kept[face as usize] = false);
    let lost = components.iter().flatten().flat_map(|&face| faces[face as usize]).collect();
    let inputs = |component: &Vec<u32>| component.iter().map(|&face| face_inputs[face as usize]).collect();
    report.components_removed = components.iter().map(inputs).collect();
    let kept: Vec<u32> = (0..).zip(kept).filter(|(_, kept)| *kept).map(|(face, _)| face).collect();
    *links = links.select(&kept);
    *faces = kept.iter().map(|&face| faces[face as usize]).collect();
    *face_inputs = kept.iter().map(|&face| face_inputs[face as usize]).collect();
    lost
}

/// Faces that are neither degenerate nor duplicates, nor, with the option, without area; the faces of the
/// input from which they come; and their edges.
fn distinct(
    positions: &[DVec3],
    faces: &[[u32; 3]],
    options: &RepairOptions,
    report: &mut RepairReport,
) -> (Vec<[u32; 3]>, Vec<u32>, Edges) {
    let vertices = positions.len();
    let numbered = || faces.par_iter().enumerate();
    let dropped = numbered().filter(|(_, face)| degenerate(**face)).map(|(i, _)| i as u32);
    report.degenerate_faces_dropped = dropped.collect();
    if options.remove_zero_area {
        let flat = |face: &[u32; 3]| !degenerate(*face) && area::none(face.map(|v| positions[v as usize]));
        let dropped = numbered().filter(|(_, face)| flat(face)).map(|(i, _)| i as u32);
        report.zero_area_faces_dropped = dropped.collect();
    }
    let edges = Edges::of(vertices, faces);
    let mut kept = vec![true; faces.len()];
    let dropped = report.degenerate_faces_dropped.iter().chain(&report.zero_area_faces_dropped);
    dropped.for_each(|&face| kept[face as usize] = false);
    let gone: Vec<bool> = kept.iter().map(|kept| !kept).collect();
    let mut doubled = doubled(&edges, faces, &gone);
    let dropped = doubled.duplicates.iter().map(|pair| &pair[0]).chain(&doubled.folded);
    dropped.for_each(|&face| kept[face as usize] = false);
    let gone: Vec<bool> = kept.iter().map(|kept| !kept).collect();
    let squares = doubled_quads(&edges, positions, faces, &gone);
    squares.iter().for_each(|pair| kept[pair[0] as usize] = false);
    doubled.duplicates.extend(squares);
    doubled.duplicates.sort_unstable();
    report.duplicate_faces_dropped = doubled.duplicates;
    report.folded_faces_dropped = doubled.folded;
    if kept.iter().all(|kept| *kept) {
        return (faces.to_vec(), (0..faces.len() as u32).collect(), edges);
    }
    drop(edges);
    let inputs: Vec<u32> = (0..faces.len() as u32).into_par_iter().filter(|i| kept[*i as usize]).collect();
    let faces: Vec<[u32; 3]> = inputs.par_iter().map(|&i| faces[i as usize]).collect();
    let edges = Edges::of(vertices, &faces);
    (faces, inputs, edges)
}

/// Removes the vertices without a face that are `removable`. Returns the input's vertices of those that were
/// removed.
fn remove_isolated(removable: &[bool], faces: &mut [[u32; 3]], inputs: &mut Vec<u32>) -> Vec<u32> {
    let mut place: Vec<u32> = removable.iter().map(|&may| if may { NONE } else { 0 }).collect();
    faces.as_flattened().iter().for_each(|&v| place[v as usize] = 0);
    let removed: Vec<u32> =
        inputs.iter().zip(&place).filter(|(_, place)| **place == NONE).map(|(input, _)| *input).collect();
    if removed.is_empty() {
        return removed;
    }
    let mut kept = 0;
    for (v, place) in place.iter_mut().enumerate() {
        if *place != NONE {
            inputs[kept as usize] = inputs[v];
            (*place, kept) = (kept, kept + 1);
        }
    }
    inputs.truncate(kept as usize);
    faces.par_iter_mut().for_each(|face| *face = face.map(|v| place[v as usize]));
    removed
}

/// The vertices of the input that have copies, which begin at `first`.
fn copies(first: usize, inputs: &[u32]) -> Vec<VertexSplit> {
    let mut copies: Vec<(u32, u32)> = (first as u32..).zip(&inputs[first..]).map(|(v, &i)| (i, v)).collect();
    copies.sort_unstable();
    let by_input = copies.chunk_by(|a, b| a.0 == b.0);
    by_input
        .map(|same| VertexSplit { vertex: same[0].0, copies: same.iter().map(|copy| copy.1).collect() })
        .collect()
}
