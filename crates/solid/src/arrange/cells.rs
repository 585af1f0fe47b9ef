//! The volumes that an arrangement parts space into, and how often each mesh is wound around them.
//!
//! Parts that meet in edges of two parts are a patch; it has one volume in front and one behind. Where more
//! parts meet in an edge, they are sorted around it, and neighbours have the volume between them in common.
//! One ray for each connected set of patches gives the numbers of the volume outside of it, unless numbers
//! beside some faces are known; across a patch they change by the faces of which it is a part.
use crate::arrange::arrangement::Arrangement;
use crate::arrange::edges::{Axle, Spoke};
use crate::arrange::outside::outer;
use crate::arrange::patches::{NONE, Patches};
use crate::arrange::pool::{GRAIN, pooled};
use crate::arrange::witness::Witness;
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh_mesh::{BoundingBox, UnionFind};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Edges at which one task sorts parts.
const TOGETHER: usize = 16;

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
pub(crate) fn steps<'a>(
    all: &'a Arrangement,
    part: u32,
    meshes: &'a Ranges,
) -> impl Iterator<Item = (u32, i32)> + 'a {
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
        let neighbours = |some: &[[u32; 2]]| {
            let mut pairs: Vec<[u32; 2]> = Vec::with_capacity(4 * some.len());
            for &ends in some {
                let mut spokes = edges.spokes(ends);
                Axle::new(all, ends).sort(&mut spokes);
                let next = spokes.iter().cycle().skip(1);
                pairs.extend(spokes.iter().zip(next).map(|(&a, &b)| [side(a, true), side(b, false)]));
            }
            // edges that follow each other have the same
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        };
        let (roots, components, outer) = pooled(|| {
            let neighbours: Vec<Vec<[u32; 2]>> = crowded.par_chunks(TOGETHER).map(neighbours).collect();
            let mut volumes = UnionFind::new(2 * patches as usize);
            let mut connected = UnionFind::new(patches as usize);
            for &[a, b] in neighbours.iter().flatten() {
                volumes.join(a, b);
                connected.join(a / 2, b / 2);
            }
            let components = connected.roots();
            let outer = outer(all, &patch_of, &components);
            (volumes.roots(), components, outer)
        });
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
                let several = outer.len() > 1;
                let sets_of_faces = if several { pooled(|| sets_of_faces(all, set)) } else { vec![] };
                let rays: Vec<Witness<'_>> = (outer.iter().filter(|_| several))
                    .map(|(spoke, _)| Witness::new(all.points(), all.corners(spoke.part)))
                    .collect();
                let boxes: Vec<BoundingBox> = rays.iter().map(Witness::around).collect();
                let hits = if several { find(&boxes)? } else { vec![] };
                let sums = |i: usize| {
                    let mut sums = vec![0; meshes.count()];
                    let own = set(outer[i].0.part);
                    for hit in hits.get(i).into_iter().flatten() {
                        let other = sets_of_faces[hit.like as usize].load(Relaxed);
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
fn sets_of_faces(all: &Arrangement, set: impl Fn(u32) -> u32 + Sync) -> Vec<AtomicU32> {
    let count = all.faces.len() as u32;
    let set_of: Vec<AtomicU32> =
        (0..count).into_par_iter().with_min_len(GRAIN).map(|face| AtomicU32::new(set(face))).collect();
    (count..all.end()).into_par_iter().with_min_len(GRAIN).for_each(|part| {
        let of_part = all.others(part).iter().map(|of| of.0).chain([all.face(part)]);
        of_part.for_each(|face| set_of[face as usize].store(set(part), Relaxed));
    });
    set_of
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
