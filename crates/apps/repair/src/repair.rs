//! Repair.
use crate::check::{NONE, VERTICES, degenerate, indices, too_many};
use crate::duplicates::duplicates;
use crate::edges::{Edges, ends};
use crate::fans::vertices_of_several;
use crate::links::Links;
use crate::orient::orient;
use crate::split::split;
use crate::{EdgeCut, EdgeSplit, RepairReport, Repaired, VertexSplit};
use rayon::prelude::*;
use ribbonmesh::Result;

/// What else to repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairOptions {
    /// Remove vertices without a face, those that lose their faces here included.
    pub remove_isolated: bool,
}

/// Makes an oriented manifold of `faces`, each three of `vertices` vertices; a mesh that is one comes back as it is.
///
/// 1. Faces with a vertex twice are dropped; of faces with the same three vertices, all but the first.
/// 2. Edges of more than two faces are cut, and so are vertices of several fans: each fan gets a vertex of its own
///    (Guéziec, Taubin, Lazarus and Horn, *Cutting and stitching: converting sets of polygons to manifold surfaces*,
///    2001, section 3). Faces of such an edge that are of one fan at both of its vertices stay together.
/// 3. Faces are turned so that neighbours agree, as few as possible; where a component cannot be oriented, it is cut along
///    edges where neighbours disagreed.
/// 4. Isolated vertices are removed where that is asked for.
///
/// Linear but for sorting a few numbers per vertex; on rayon's pool, orienting apart. Memory: about 100 bytes a face.
/// # Errors
/// [`ribbonmesh::Error::IndexOutOfRange`]; [`ribbonmesh::Error::TooMany`]: 400 million faces, or 2³² − 1 vertices,
/// copies included.
pub fn repair(vertices: usize, faces: &[[u32; 3]], options: &RepairOptions) -> Result<Repaired> {
    indices(vertices, faces)?;
    let mut report = RepairReport::default();
    let (mut faces, face_inputs, edges) = distinct(vertices, faces, &mut report);
    let mut inputs: Vec<u32> = (0..vertices as u32).collect();

    let mut links = Links::of(&edges, faces.len());
    let crowded = edges.pick(|edge| (edge.len() > 2).then(|| edge.sides().collect::<Vec<u32>>()));
    drop(edges);
    for sides in &crowded {
        let faces_of = sides.iter().map(|side| face_inputs[*side as usize / 3]).collect();
        report.edges_split.push(EdgeSplit { edge: sorted(ends(&faces, sides[0])), faces: faces_of });
    }
    let several = vertices_of_several(vertices, &faces, &links);
    split(&several, &mut faces, &links, &mut inputs);
    too_many("vertices, copies included,", inputs.len(), VERTICES)?;
    stitch(crowded, &faces, &mut links);

    let orientation = orient(&faces, &links, &links.inconsistent(&faces));
    for &pair in &orientation.cuts {
        links.cut(pair);
        let edge = sorted(ends(&faces, pair[0]).map(|v| inputs[v as usize]));
        let of = pair.map(|side| face_inputs[side as usize / 3]);
        report.edges_cut.push(EdgeCut { edge, faces: of });
    }
    report.edges_cut.sort_unstable_by_key(|cut| (cut.edge, cut.faces));
    report.nonorientable_components = orientation.nonorientable;
    let mut at_cuts: Vec<u32> = orientation.cuts.iter().flat_map(|&[side, _]| ends(&faces, side)).collect();
    at_cuts.sort_unstable();
    at_cuts.dedup();
    split(&at_cuts, &mut faces, &links, &mut inputs);
    too_many("vertices, copies included,", inputs.len(), VERTICES)?;
    for &face in &orientation.turned {
        faces[face as usize].swap(1, 2);
    }
    report.faces_turned = orientation.turned.iter().map(|&face| face_inputs[face as usize]).collect();

    if options.remove_isolated {
        report.isolated_vertices_removed = remove_isolated(&mut faces, &mut inputs);
    }
    report.vertices_split = copies(vertices - report.isolated_vertices_removed.len(), &inputs);
    Ok(Repaired { faces, vertex_inputs: inputs, face_inputs, report })
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Faces that are neither degenerate nor duplicates, where they come from, and their edges.
fn distinct(
    vertices: usize,
    faces: &[[u32; 3]],
    report: &mut RepairReport,
) -> (Vec<[u32; 3]>, Vec<u32>, Edges) {
    let numbered = faces.par_iter().enumerate();
    let dropped = numbered.filter(|(_, face)| degenerate(**face)).map(|(i, _)| i as u32);
    report.degenerate_faces_dropped = dropped.collect();
    let edges = Edges::of(vertices, faces);
    report.duplicate_faces_dropped = duplicates(&edges, faces);
    if report.is_empty() {
        return (faces.to_vec(), (0..faces.len() as u32).collect(), edges);
    }
    drop(edges);
    let mut kept = vec![true; faces.len()];
    let duplicates = report.duplicate_faces_dropped.iter().map(|pair| &pair[0]);
    for &face in report.degenerate_faces_dropped.iter().chain(duplicates) {
        kept[face as usize] = false;
    }
    let inputs: Vec<u32> = (0..faces.len() as u32).into_par_iter().filter(|i| kept[*i as usize]).collect();
    let faces: Vec<[u32; 3]> = inputs.par_iter().map(|&i| faces[i as usize]).collect();
    let edges = Edges::of(vertices, &faces);
    (faces, inputs, edges)
}

/// Connects again what is left of edges of more than two faces: each of them, by its vertices after the split, has one or
/// two faces, since a fan ends at such an edge and so has at most two of its faces.
fn stitch(crowded: Vec<Vec<u32>>, faces: &[[u32; 3]], links: &mut Links) {
    for mut sides in crowded {
        sides.sort_unstable_by_key(|&side| (sorted(ends(faces, side)), side));
        let edges = sides.chunk_by(|&a, &b| sorted(ends(faces, a)) == sorted(ends(faces, b)));
        for pair in edges.filter_map(|sides| <[u32; 2]>::try_from(sides).ok()) {
            links.join(pair);
        }
    }
}

/// Removes vertices without a face; gives those of the input.
fn remove_isolated(faces: &mut [[u32; 3]], inputs: &mut Vec<u32>) -> Vec<u32> {
    let mut place = vec![NONE; inputs.len()];
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
