//! Sets of parts that meet in edges of two parts, and edges of more.
use crate::arrange::arrangement::Arrangement;
use crate::arrange::cells::{Ranges, steps};
use crate::arrange::edges::{Edges, Spoke};
use crate::arrange::pool::GRAIN;
use crate::arrange::sides::Sides;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh_mesh::SidedUnionFind;

/// No number.
pub(crate) const NONE: u32 = u32::MAX;
/// Points whose edges one task looks at.
const TOGETHER: usize = 1 << 9;

/// An edge at which the faces of a mesh do not cancel: it has an open side there, or faces of opposite
/// orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) mesh: u32,
    pub(crate) ends: [u32; 2],
}

/// Sets of parts that meet in edges of two parts.
pub(crate) struct Patches {
    pub(crate) edges: Edges,
    /// For each part its patch, and whether it is turned relative to it.
    pub(crate) patch_of: Vec<(u32, bool)>,
    /// The first part of each patch.
    pub(crate) of_patch: Vec<u32>,
    /// Edges of more than two parts.
    pub(crate) crowded: Vec<[u32; 2]>,
    /// The first open edge of each mesh that is not closed.
    pub(crate) open: Vec<Open>,
}

impl Patches {
    /// The patches of an arrangement. Whole faces with the same number in `labels`, the number of one of
    /// them, are one patch in any case. `None` if the arrangement contradicts itself, which exact predicates
    /// exclude.
    pub(crate) fn new(all: &Arrangement, labels: &[u32], meshes: &Ranges) -> Option<Self> {
        let edges = Edges::new(all);
        let (find, crowded, open) = sets(all, labels, &edges, meshes)?;
        let of_part: Vec<(u32, bool)> = (0..all.end())
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(|part| if all.is_part(part) { find(part) } else { (NONE, false) })
            .collect();
        let of_patch: Vec<u32> = all.parts().filter(|&part| of_part[part as usize].0 == part).collect();
        let mut number = vec![0; of_part.len()];
        (0..).zip(&of_patch).for_each(|(patch, &part)| number[part as usize] = patch);
        let patch =
            |(root, turned): (u32, bool)| (number.get(root as usize).copied().unwrap_or(NONE), turned);
        let patch_of = of_part.into_par_iter().with_min_len(GRAIN).map(patch).collect();
        Some(Self { edges, patch_of, of_patch, crowded, open })
    }
    /// Two points for each patch, near the middle of its largest part: in front of it and behind it. `others`
    /// are parts that the arrangement does not have, each with a face like it.
    pub(crate) fn beside(&self, all: &Arrangement, others: &[(u32, [Vec3; 3])]) -> Vec<Vec3> {
        /// The distance from the part, by the root of its area.
        const AWAY: f64 = 1e-3;
        let points = all.points();
        let cut =
            all.parts().map(|part| (part, all.corners(part).map(|p| all.grid.place(points.place(p).at))));
        let others = others.par_iter().map(|&(like, corners)| (like, corners.map(Vec3::as_dvec3)));
        let all_parts: Vec<(u32, [DVec3; 3])> = cut.chain(others).collect();
        let mut largest = vec![(-1.0, NONE, [DVec3::ZERO; 3]); self.of_patch.len()];
        for (part, [a, b, c]) in all_parts {
            let area = (b - a).cross(c - a).length() / 2.0;
            let largest = &mut largest[self.patch_of[part as usize].0 as usize];
            if area > largest.0 {
                *largest = (area, part, [a, b, c]);
            }
        }
        let two = |(area, part, [a, b, c]): (f64, u32, [DVec3; 3])| {
            let (middle, normal) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize_or_zero());
            let rounding = 4.0 * f64::from(f32::EPSILON) * middle.abs().max_element();
            let away = normal * (AWAY * area.sqrt()).max(rounding);
            let away = if self.patch_of[part as usize].1 { -away } else { away };
            [(middle + away).as_vec3(), (middle - away).as_vec3()]
        };
        largest.into_iter().flat_map(two).collect()
    }
}

/// The set of each part, and whether it is on the other side than the first part of it.
type Find = Box<dyn Fn(u32) -> (u32, bool) + Sync>;

/// Joins parts that meet in edges of two parts. Also returns the edges of more parts, and the first open edge
/// of each mesh.
fn sets(
    all: &Arrangement,
    labels: &[u32],
    edges: &Edges,
    meshes: &Ranges,
) -> Option<(Find, Vec<[u32; 2]>, Vec<Open>)> {
    let cut = labels.len() as u32..all.end();
    let roots: Vec<u32> = labels.iter().copied().chain(cut).collect();
    let sets = Sides::of_roots(&roots);
    let found = |first: usize| {
        let mut found = Found::default();
        for point in first..all.point_count().min(first + TOGETHER) {
            edges.from(point as u32).for_each(|(ends, spokes)| found.add(all, meshes, &sets, ends, spokes));
        }
        found
    };
    let of_points = (0..all.point_count().div_ceil(TOGETHER)).into_par_iter();
    let found: Vec<Found> = of_points.map(|i| found(i * TOGETHER)).collect();
    let (mut crowded, mut open): (_, Vec<Open>) = (vec![], vec![]);
    for of in &found {
        crowded.extend_from_slice(&of.crowded);
        of.open.iter().for_each(|&first| add(&mut open, first));
    }
    open.sort_by_key(|open| open.mesh);
    let contradicts = found.iter().any(|of| of.contradicts);
    // a surface with one side has no other edge to be open at than one of two faces
    match contradicts {
        false => Some((Box::new(move |part| sets.find(part)), crowded, open)),
        true if open.is_empty() => None,
        true => {
            let sets = in_order(&roots, edges, all.point_count());
            Some((Box::new(move |part| sets.find(part)), crowded, open))
        }
    }
}

/// Joins parts one after the other: where parts contradict each other, their sides depend on the order.
fn in_order(roots: &[u32], edges: &Edges, points: usize) -> SidedUnionFind {
    let mut sets = SidedUnionFind::of_roots(roots);
    for (_, mut spokes) in (0..points as u32).flat_map(|point| edges.from(point)) {
        if let (2, Some(a), Some(b)) = (spokes.len(), spokes.next(), spokes.next()) {
            // false only where they contradict each other
            _ = sets.join(a.part, b.part, a.forward == b.forward);
        }
    }
    sets
}

/// The edges of some points.
#[derive(Default)]
struct Found {
    /// Whether two parts of one set meet the other way.
    contradicts: bool,
    /// Edges of more than two parts.
    crowded: Vec<[u32; 2]>,
    /// The first open edge of each mesh that has one.
    open: Vec<Open>,
}

/// Adds an open edge if it is the first one of its mesh.
fn add(list: &mut Vec<Open>, open: Open) {
    if list.iter().all(|known| known.mesh != open.mesh) {
        list.push(open);
    }
}

impl Found {
    fn add(
        &mut self,
        all: &Arrangement,
        meshes: &Ranges,
        sets: &Sides,
        ends: [u32; 2],
        spokes: impl ExactSizeIterator<Item = Spoke> + Clone,
    ) {
        let mut first = spokes.clone();
        match (spokes.len(), first.next(), first.next()) {
            (2, Some(a), Some(b)) => {
                self.contradicts |= !sets.join(a.part, b.part, a.forward == b.forward);
                if cancels(all, meshes, a, b) {
                    return;
                }
            }
            (1, ..) => {}
            _ => self.crowded.push(ends),
        }
        if let Some(mesh) = unbalanced(all, spokes, meshes) {
            add(&mut self.open, Open { mesh, ends });
        }
    }
}

/// Whether two parts of one mesh each, the same one, cancel at an edge.
fn cancels(all: &Arrangement, meshes: &Ranges, a: Spoke, b: Spoke) -> bool {
    let single = [a, b].iter().all(|spoke| all.others(spoke.part).is_empty());
    let [of_a, of_b] = [a, b].map(|spoke| meshes.of(all.face(spoke.part)));
    single && a.forward != b.forward && of_a == of_b
}

/// A mesh whose faces do not cancel at an edge.
fn unbalanced(all: &Arrangement, spokes: impl Iterator<Item = Spoke>, meshes: &Ranges) -> Option<u32> {
    let mut sums: Vec<(u32, i32)> = vec![];
    for spoke in spokes {
        for (mesh, step) in steps(all, spoke.part, meshes) {
            let step = if spoke.forward { step } else { -step };
            match sums.iter_mut().find(|sum| sum.0 == mesh) {
                Some(sum) => sum.1 += step,
                None => sums.push((mesh, step)),
            }
        }
    }
    sums.iter().find(|sum| sum.1 != 0).map(|sum| sum.0)
}
