//! Holes that were found, and which of them are filled together.
use crate::fill::around::NONE;
use crate::fill::filler::{Filler, Strips};
use crate::fill::grow::{Done, Grown, put_together};
use crate::fill::loops::{Loop, Loops};
use crate::fill::pair::{Pair, pairs};
use crate::fill::plan::Plan;
use crate::fill::ring::{Rim, nearest, rings};
use crate::fill::surroundings::Surroundings;
use crate::fill::{FillError, FillOptions, FillReport, Hole, NotJoined};
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::Device;
use ribbonmesh_mesh::{BoundingBox, UnionFind};

/// Result of the search for the holes of a mesh.
pub(crate) struct Search {
    pub(super) part: Surroundings,
    pub(super) found: Loops,
    pub(super) holes: Vec<Hole>,
    /// Properties of the rims of the loops, if they are needed.
    pub(super) rims: Vec<Rim>,
    /// Which loops are the borders of open surfaces, if that matters.
    pub(super) outer: Vec<bool>,
}

/// As [`fill`], when the holes are known.
pub(crate) fn fill_part(
    search: Search,
    device: &Device,
    options: &FillOptions,
    chosen: impl Fn(&[u32]) -> bool,
    refused: impl Fn([u32; 2]) -> bool + Sync,
) -> Result<(FillReport, Option<Grown>), FillError> {
    let Search { mut part, found, holes, rims, outer } = search;
    let mut plan = Plan::new(options, &holes, are_chosen(&part, &found, chosen), &outer);
    let not_joined = plan_pairs(&part, &found, &rims, &mut plan);
    let filler = Filler::of(&part, &found, &refused);
    let groups = groups(&part, &found, &plan);
    let of_group = |group: &Vec<usize>| filler.fill_group(group, &plan, None, &mut Strips::default());
    let all: ribbonmesh::Result<Vec<Vec<(usize, Done)>>> =
        device.install(|| groups.par_iter().map(of_group).collect());
    let mesh = std::mem::take(&mut part.mesh);
    put_together(&part, mesh, &found, &holes, all?.into_iter().flatten(), not_joined)
}

/// Which loops a function chooses, which gets their vertices in the whole mesh.
pub(crate) fn are_chosen(part: &Surroundings, found: &Loops, chosen: impl Fn(&[u32]) -> bool) -> Vec<bool> {
    let n = part.vertices.len();
    let input = |&v: &u32| part.vertex((v as usize).checked_sub(n).map_or(v, |copy| found.copies[copy]));
    let is_chosen = |boundary: &Loop| chosen(&boundary.vertices.iter().map(input).collect::<Vec<_>>());
    found.loops.iter().map(is_chosen).collect()
}

/// Adds the pairs of loops that are to be joined. Returns those that do not fit.
pub(crate) fn plan_pairs(
    part: &Surroundings,
    found: &Loops,
    rims: &[Rim],
    plan: &mut Plan,
) -> Vec<NotJoined> {
    let positions = positions(part, found);
    let place = |v: u32| positions[v as usize];
    let (list, not_joined) = if let Some(distance) = plan.options.join {
        let skipped = |i: usize| plan.largest == Some(i) || !plan.chosen[i];
        pairs(&found.loops, skipped, place, distance)
    } else if plan.options.rings {
        let pair = |loops: [usize; 2]| {
            let places = |i: usize| found.loops[i].vertices.iter().map(|&v| place(v));
            let [first, second] = loops.map(|i| places(i).collect::<Vec<DVec3>>());
            Pair { loops, start: [0, nearest(&first, &second)] }
        };
        (rings(rims, |i| plan.is_no_ring(i)).into_iter().map(pair).collect(), vec![])
    } else {
        (vec![], vec![])
    };
    for pair in list {
        let [i, j] = pair.loops;
        (plan.joined[i], plan.joined[j]) = (Some(j), Some(i));
        plan.partners.insert(i, pair);
    }
    not_joined
}

/// Positions of the vertices of a part, then those of copies.
pub(crate) fn positions(part: &Surroundings, found: &Loops) -> Vec<DVec3> {
    let copies = found.copies.iter().map(|&v| part.mesh.positions[v as usize]);
    part.mesh.positions.iter().copied().chain(copies).collect()
}

/// Sets of loops that have common vertices, or are to be joined: filling one may forbid an edge across
/// another of its set, but no other edge. The loops of a set ascend.
pub(crate) fn groups(part: &Surroundings, found: &Loops, plan: &Plan) -> Vec<Vec<usize>> {
    let mut sets = UnionFind::new(found.loops.len());
    let mut first = vec![NONE; part.vertices.len() + found.copies.len()];
    for (i, boundary) in (0..).zip(&found.loops) {
        for &v in &boundary.vertices {
            match &mut first[v as usize] {
                none @ &mut NONE => *none = i,
                &mut other => _ = sets.join(other, i),
            }
        }
    }
    for pair in plan.partners.values() {
        let [i, j] = pair.loops.map(|i| i as u32);
        sets.join(i, j);
    }
    let mut groups: Vec<Vec<usize>> = vec![vec![]; found.loops.len()];
    for (i, root) in sets.roots().into_iter().enumerate() {
        groups[root as usize].push(i);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Describes the loops as holes.
pub(crate) fn describe(part: &Surroundings, found: &Loops) -> Vec<Hole> {
    let positions = &part.mesh.positions;
    let input = |v: u32| (v as usize).checked_sub(positions.len()).map_or(v, |copy| found.copies[copy]);
    let hole = |boundary: &Loop| {
        let vertices = boundary.vertices.iter().map(|&v| input(v));
        let places: Vec<DVec3> = vertices.clone().map(|v| positions[v as usize]).collect();
        let next = places.iter().cycle().skip(1);
        let vertex = vertices.min().unwrap_or(NONE);
        Hole {
            edges: places.len(),
            vertex: part.vertex(vertex),
            perimeter: places.iter().zip(next).map(|(a, b)| a.distance(*b)).sum(),
            bounding_box: places.iter().copied().fold(BoundingBox::EMPTY, BoundingBox::with),
            component: part.components[vertex as usize],
        }
    };
    found.loops.iter().map(hole).collect()
}

/// Properties of the rims of the loops.
pub(crate) fn rims(part: &Surroundings, found: &Loops, holes: &[Hole]) -> Vec<Rim> {
    let (positions, n) = (&part.mesh.positions, part.vertices.len());
    let faces = found.faces.as_deref().unwrap_or(&part.mesh.faces);
    let input = |v: u32| (v as usize).checked_sub(n).map_or(v, |copy| found.copies[copy]);
    let place = |v: u32| positions[input(v) as usize];
    let rim = |(boundary, hole): (&Loop, &Hole)| Rim::of(boundary, faces, place, hole.component);
    found.loops.par_iter().zip(holes).map(rim).collect()
}
