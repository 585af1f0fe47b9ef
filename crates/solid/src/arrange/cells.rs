//! The volumes that an arrangement parts space into, and how often each mesh is wound around them.
//!
//! Parts that meet in edges of two parts are a patch; it has one volume in front and one behind. Where more
//! parts meet in an edge, they are sorted around it, and neighbours have the volume between them in common.
//! One ray for each connected set of patches gives the numbers of the volume outside of it, unless numbers
//! beside some faces are known; across a patch they change by the faces of which it is a part.
use crate::arrange::arrangement::Arrangement;
use crate::arrange::edges::{Axle, Edges, Spoke};
use crate::arrange::witness::Witness;
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh_mesh::{BoundingBox, SidedUnionFind, UnionFind};
use std::cmp::Ordering;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// No number.
const NONE: u32 = u32::MAX;

/// An edge at which the faces of a mesh do not cancel: it has an open side there, or faces of opposite
/// orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) mesh: u32,
    pub(crate) ends: [u32; 2],
}

/// Sets of parts that meet in edges of two parts.
pub(crate) struct Patches {
    edges: Edges,
    /// For each part its patch, and whether it is turned relative to it.
    patch_of: Vec<(u32, bool)>,
    /// The first part of each patch.
    of_patch: Vec<u32>,
    /// Edges of more than two parts.
    crowded: Vec<[u32; 2]>,
    /// The first open edge of each mesh that is not closed.
    pub(crate) open: Vec<Open>,
}

/// Numbers of volumes.
#[derive(Debug)]
pub(crate) struct Cells {
    meshes: usize,
    /// For each part its patch, and whether it is turned relative to it.
    patch_of: Vec<(u32, bool)>,
    /// For each patch the volumes in front and behind.
    cells: Vec<[u32; 2]>,
    /// For each volume how often each mesh is wound around it.
    windings: Vec<i32>,
}

impl Cells {
    /// Selects parts between volumes of which a function of how often each mesh is wound around them holds
    /// for one. `Some(true)` if it is the one in front; by patches.
    pub(crate) fn select(&self, holds: impl Fn(&[i32]) -> bool) -> Vec<Option<bool>> {
        let held: Vec<bool> = match self.meshes {
            0 => vec![],
            n => self.windings.chunks_exact(n).map(holds).collect(),
        };
        let of_patch = |cells: &[u32; 2]| {
            let [front, back] = cells.map(|cell| held[cell as usize]);
            (front != back).then_some(front)
        };
        self.cells.iter().map(of_patch).collect()
    }
    /// The same for a part, from that for patches.
    pub(crate) fn of_part(&self, part: u32, selected: &[Option<bool>]) -> Option<bool> {
        let (patch, turned) = self.patch_of[part as usize];
        selected[patch as usize].map(|front| front != turned)
    }
}

/// Meshes whose faces follow each other: the first face of each, and the number of all.
pub(crate) struct Ranges(pub(crate) Vec<u32>);
impl Ranges {
    /// The mesh of a face.
    pub(crate) fn of(&self, face: u32) -> u32 {
        self.0.partition_point(|&first| first <= face) as u32 - 1
    }
    /// The number of meshes.
    pub(crate) fn count(&self) -> usize {
        self.0.len() - 1
    }
}

/// By how much each mesh is wound more around the volume behind a part than around the one in front.
fn steps<'a>(all: &'a Arrangement, part: u32, meshes: &'a Ranges) -> impl Iterator<Item = (u32, i32)> + 'a {
    let others = all.others(part).iter().map(|&(face, same)| (meshes.of(face), if same { 1 } else { -1 }));
    std::iter::once((meshes.of(all.face(part)), 1)).chain(others)
}

/// A face that a ray may cross.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) mesh: u32,
    /// A face of the arrangement in the same connected set.
    pub(crate) like: u32,
    pub(crate) corners: [Vec3; 3],
}

/// The volumes whose numbers are known before those of others.
pub(crate) enum Known<'a, Find> {
    /// Those outside of connected sets, by rays: for a box around the beginning of each ray along +x, the
    /// faces that it may cross.
    Outside(Find),
    /// Of one mesh: outside of some whole faces, and within them. A connected set without such a face has
    /// nothing around it.
    Beside(&'a [u32]),
}

impl Patches {
    /// The patches of an arrangement. Whole faces with the same number in `labels`, the number of one of
    /// them, are one patch in any case. `None` if the arrangement contradicts itself, which exact predicates
    /// exclude.
    pub(crate) fn new(all: &Arrangement, labels: &[u32], meshes: &Ranges) -> Option<Self> {
        let edges = Edges::new(all);
        let (sets, crowded, open) = sets(all, labels, &edges, meshes)?;
        let of_part: Vec<(u32, bool)> = (0..all.end())
            .into_par_iter()
            .map(|part| if all.is_part(part) { sets.find(part) } else { (NONE, false) })
            .collect();
        let of_patch: Vec<u32> = all.parts().filter(|&part| of_part[part as usize].0 == part).collect();
        let mut number = vec![0; of_part.len()];
        (0..).zip(&of_patch).for_each(|(patch, &part)| number[part as usize] = patch);
        let patch =
            |(root, turned): (u32, bool)| (number.get(root as usize).copied().unwrap_or(NONE), turned);
        let patch_of = of_part.into_par_iter().map(patch).collect();
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
    /// Numbers of volumes that are given for each mesh: at the points [beside](Self::beside) the patches,
    /// each of which stands for a volume of its own.
    pub(crate) fn with_numbers(self, meshes: &Ranges, windings: Vec<i32>) -> Cells {
        let patches = self.of_patch.len() as u32;
        let cells = (0..patches).map(|patch| [2 * patch, 2 * patch + 1]).collect();
        Cells { meshes: meshes.count(), patch_of: self.patch_of, cells, windings }
    }
    /// The numbers of the volumes that closed meshes part space into, and how many these are. Numbers that
    /// contradict each other are `None`: exact predicates exclude them. Errors are those of the search.
    pub(crate) fn cells<Error>(
        self,
        all: &Arrangement,
        meshes: &Ranges,
        known: Known<'_, impl FnOnce(&[BoundingBox]) -> Result<Vec<Vec<Hit>>, Error>>,
    ) -> Result<Option<(Cells, usize)>, Error> {
        let Self { edges, patch_of, of_patch, crowded, .. } = self;
        let patches = of_patch.len() as u32;
        // volumes in front are 2 patch, behind 2 patch + 1
        let side = |spoke: Spoke, ahead: bool| {
            let (patch, turned) = patch_of[spoke.part as usize];
            // the side to which a part's normal points is ahead if it is forward
            2 * patch + u32::from((spoke.forward == ahead) == turned)
        };
        let neighbours: Vec<Vec<[u32; 2]>> = crowded
            .par_iter()
            .map(|&ends| {
                let mut spokes = edges.spokes(ends);
                Axle::new(all, ends).sort(&mut spokes);
                (0..spokes.len())
                    .map(|i| [side(spokes[i], true), side(spokes[(i + 1) % spokes.len()], false)])
                    .collect()
            })
            .collect();
        let mut volumes = UnionFind::new(2 * patches as usize);
        let mut connected = UnionFind::new(patches as usize);
        for [a, b] in neighbours.into_iter().flatten() {
            volumes.join(a, b);
            connected.join(a / 2, b / 2);
        }
        let components = connected.roots();
        let outer = outer(all, &patch_of, &components);
        let roots = volumes.roots();
        let (mut cell, mut count) = (vec![0; roots.len()], 0);
        for (i, &root) in roots.iter().enumerate() {
            if root as usize == i {
                cell[i] = count;
                count += 1;
            }
        }
        let cells: Vec<[u32; 2]> =
            (0..patches as usize).map(|p| [0, 1].map(|s| cell[roots[2 * p + s] as usize])).collect();
        // the connected set of a part
        let set = |part: u32| components.get(patch_of[part as usize].0 as usize).copied().unwrap_or(NONE);
        // the volume outside of a set is one of another set, too, or outside of all
        let volumes_in_all = count as usize + 1 - outer.len();
        let outside = outer.iter().map(|&(spoke, ahead)| cell[roots[side(spoke, ahead) as usize] as usize]);
        let seeds: Vec<(u32, Vec<i32>)> = match known {
            Known::Outside(find) => {
                let sets_of_faces = sets_of_faces(all, set);
                let several = outer.len() > 1;
                let rays: Vec<Witness<'_>> = (outer.iter().filter(|_| several))
                    .map(|(spoke, _)| Witness::new(all.points(), all.corners(spoke.part)))
                    .collect();
                let boxes: Vec<BoundingBox> = rays.iter().map(Witness::around).collect();
                let hits = if several { find(&boxes)? } else { vec![] };
                let sums = |i: usize| {
                    let mut sums = vec![0; meshes.count()];
                    let own = set(outer[i].0.part);
                    for hit in hits.get(i).into_iter().flatten() {
                        let other = sets_of_faces[hit.like as usize];
                        if other != own && other != NONE {
                            sums[hit.mesh as usize] += rays[i].crossing(hit.corners);
                        }
                    }
                    sums
                };
                outside.zip((0..outer.len()).into_par_iter().map(sums).collect::<Vec<_>>()).collect()
            }
            Known::Beside(faces) => {
                let mut known = vec![false; components.len()];
                let mut seeds = vec![];
                for &face in faces.iter().filter(|&&face| all.is_whole(face)) {
                    let (patch, turned) = patch_of[face as usize];
                    let [front, back] = cells[patch as usize];
                    known[set(face) as usize] = true;
                    seeds.extend([(if turned { back } else { front }, vec![0])]);
                    seeds.extend([(if turned { front } else { back }, vec![1])]);
                }
                let unknown = outer.iter().map(|(spoke, _)| !known[set(spoke.part) as usize]);
                seeds.extend(outside.zip(unknown).filter(|seed| seed.1).map(|seed| (seed.0, vec![0])));
                seeds
            }
        };
        let windings = wind(all, meshes, &cells, &of_patch, count as usize, &seeds);
        let numbered =
            |windings| (Cells { meshes: meshes.count(), patch_of, cells, windings }, volumes_in_all);
        Ok(windings.map(numbered))
    }
}

/// The connected set of each face; a face has its parts in one.
fn sets_of_faces(all: &Arrangement, set: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut set_of: Vec<u32> = (0..all.faces.len() as u32).map(&set).collect();
    for part in all.faces.len() as u32..all.end() {
        set_of[all.face(part) as usize] = set(part);
        all.others(part).iter().for_each(|(face, _)| set_of[*face as usize] = set(part));
    }
    set_of
}

/// Joins parts that meet in edges of two parts. Also returns the edges of more parts, and the first open edge
/// of each mesh.
fn sets(
    all: &Arrangement,
    labels: &[u32],
    edges: &Edges,
    meshes: &Ranges,
) -> Option<(SidedUnionFind, Vec<[u32; 2]>, Vec<Open>)> {
    let cut = labels.len() as u32..all.end();
    let roots: Vec<u32> = labels.iter().copied().chain(cut).collect();
    let mut sets = SidedUnionFind::of_roots(&roots);
    let of_point = |point| edges.from(point).map(|(ends, spokes)| At::new(all, meshes, ends, spokes));
    let found: Vec<At> = (0..all.point_count() as u32).into_par_iter().flat_map_iter(of_point).collect();
    let (mut crowded, mut open): (_, Vec<Open>) = (vec![], vec![]);
    let mut contradicts = false;
    for At { ends, two, unbalanced } in found {
        match two {
            Two::Joined([a, b]) => contradicts |= !sets.join(a.part, b.part, a.forward == b.forward),
            Two::More => crowded.push(ends),
            Two::Less => {}
        }
        if let Some(mesh) = unbalanced
            && open.iter().all(|known| known.mesh != mesh)
        {
            open.push(Open { mesh, ends });
        }
    }
    open.sort_by_key(|open| open.mesh);
    // a surface with one side has no other edge to be open at than one of two faces
    (!contradicts || !open.is_empty()).then_some((sets, crowded, open))
}

/// The number of parts at an edge.
enum Two {
    Less,
    Joined([Spoke; 2]),
    More,
}

/// The faces at an edge.
struct At {
    ends: [u32; 2],
    two: Two,
    /// A mesh whose faces do not cancel.
    unbalanced: Option<u32>,
}

impl At {
    fn new(
        all: &Arrangement,
        meshes: &Ranges,
        ends: [u32; 2],
        spokes: impl ExactSizeIterator<Item = Spoke> + Clone,
    ) -> Self {
        let mut first = spokes.clone();
        let two = match (spokes.len(), first.next(), first.next()) {
            (2, Some(a), Some(b)) => Two::Joined([a, b]),
            (1, ..) => Two::Less,
            _ => Two::More,
        };
        let unbalanced = match two {
            Two::Joined([a, b]) if cancels(all, meshes, a, b) => None,
            _ => unbalanced(all, spokes, meshes),
        };
        Self { ends, two, unbalanced }
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

/// For each connected set of patches a part at its last vertex in the order of coordinates, and whether the
/// side of this part that is ahead is outside of the set.
fn outer(all: &Arrangement, patch_of: &[(u32, bool)], components: &[u32]) -> Vec<(Spoke, bool)> {
    let vertices = all.grid.points.len() as u32;
    let at = |v: u32| all.grid.points[v as usize].to_array();
    let component = |part: u32| components[patch_of[part as usize].0 as usize] as usize;
    let is_after =
        |v: u32, last: u32| last == NONE || at(v).partial_cmp(&at(last)) == Some(Ordering::Greater);
    let last: Vec<AtomicU32> = (0..components.len()).into_par_iter().map(|_| AtomicU32::new(NONE)).collect();
    all.parts().for_each(|part| {
        let last = &last[component(part)];
        for v in all.corners(part).into_iter().filter(|&v| v < vertices) {
            let raise = |last| is_after(v, last).then_some(v);
            // an error says that it is not after the last one
            _ = last.fetch_update(Relaxed, Relaxed, raise);
        }
    });
    let last: Vec<u32> = last.into_iter().map(AtomicU32::into_inner).collect();
    let is_there = |&part: &u32| all.corners(part).contains(&last[component(part)]);
    let mut there: Vec<Vec<u32>> = vec![vec![]; components.len()];
    for part in all.parts().filter(is_there).collect::<Vec<u32>>() {
        there[component(part)].push(part);
    }
    let sets = (0..components.len()).filter(|&set| last[set] != NONE);
    sets.filter_map(|set| outer_side(all, last[set], &there[set])).collect()
}

/// A part at the last vertex of a set, and whether its side ahead is outside.
///
/// All points of the set are before the vertex in the order of coordinates. So a half-plane that ends in the
/// line through the vertex along z, and begins in the direction of x, meets nothing until it has turned to
/// the first edge; and about this edge, nothing is met between the half-plane's way and the first part.
fn outer_side(all: &Arrangement, vertex: u32, parts: &[u32]) -> Option<(Spoke, bool)> {
    let points = all.points();
    let others = parts.iter().flat_map(|&p| all.corners(p)).filter(|&p| p != vertex);
    let equal = |axis: usize, p: u32| points.compare(axis, p, vertex) == Ordering::Equal;
    let mut first: Option<u32> = None;
    let mut upright = false;
    for p in others {
        if equal(0, p) && equal(1, p) {
            (first, upright) = (Some(p), true);
            break;
        }
        if first.is_none_or(|first| points.turn(2, vertex, first, p) < 0) {
            first = Some(p);
        }
    }
    let edge = [vertex, first?];
    // a direction that is free, as an axis and a sign
    let (axis, sign) = if upright {
        (0, 1)
    } else if equal(0, edge[1]) {
        (0, -1)
    } else {
        (1, 1)
    };
    let axle = Axle::new(all, edge);
    let mut spokes: Vec<Spoke> =
        parts.iter().filter_map(|&part| Spoke::at(edge, part, all.corners(part))).collect();
    axle.sort_by(&mut spokes, |spoke| match -sign * axle.ahead_along(spoke, axis) {
        1 => 1,
        0 => 2,
        _ => 3,
    });
    // what is behind the first part is free
    spokes.first().map(|&spoke| (spoke, false))
}

/// The numbers of all volumes, from those of some: volumes with a point at whose side they are.
fn wind(
    all: &Arrangement,
    meshes: &Ranges,
    cells: &[[u32; 2]],
    of_patch: &[u32],
    count: usize,
    seeds: &[(u32, Vec<i32>)],
) -> Option<Vec<i32>> {
    let n = meshes.count();
    let mut windings = vec![0; count * n];
    let mut known = vec![false; count];
    let mut at: Vec<Vec<(u32, bool)>> = vec![vec![]; count];
    for (patch, &[front, back]) in (0..).zip(cells) {
        at[front as usize].push((patch, true));
        at[back as usize].push((patch, false));
    }
    let mut todo = vec![];
    for (cell, found) in seeds {
        let row = &mut windings[*cell as usize * n..][..n];
        if !known[*cell as usize] {
            row.copy_from_slice(found);
            known[*cell as usize] = true;
            todo.push(*cell);
        } else if row != found.as_slice() {
            return None;
        }
    }
    while let Some(cell) = todo.pop() {
        for &(patch, in_front) in &at[cell as usize] {
            let other = cells[patch as usize][usize::from(in_front)];
            let mut row = windings[cell as usize * n..][..n].to_vec();
            for (mesh, step) in steps(all, of_patch[patch as usize], meshes) {
                row[mesh as usize] += if in_front { step } else { -step };
            }
            let there = &mut windings[other as usize * n..][..n];
            if !known[other as usize] {
                there.copy_from_slice(&row);
                known[other as usize] = true;
                todo.push(other);
            } else if *there != *row {
                return None;
            }
        }
    }
    (!known.contains(&false)).then_some(windings)
}
