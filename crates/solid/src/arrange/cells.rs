//! The volumes that an arrangement parts space into, and how often each mesh is wound around them.
//!
//! Parts that meet in edges of two parts are a patch; it has one volume in front and one behind. Where more
//! parts meet in an edge, they are sorted around it, and neighbours have the volume between them in common.
//! One ray for each connected set of patches gives the numbers of the volume outside of it; across a patch
//! they change by the faces of which it is a part.
use crate::arrange::arrangement::Arrangement;
use crate::arrange::cut::Part;
use crate::arrange::edges::{Axle, Edges, Spoke};
use crate::arrange::witness::Witness;
use rayon::prelude::*;
use ribbonmesh_mesh::{SidedUnionFind, UnionFind};
use std::cmp::Ordering;

/// The reason for which volumes have no numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// The faces of a mesh at an edge do not cancel: it has an open side there, or faces of opposite
    /// orientation.
    Edge { mesh: u32, ends: [u32; 2] },
    /// The numbers contradict each other, which exact predicates exclude.
    Contradiction,
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
    /// Number of volumes.
    pub(crate) count: usize,
}

impl Cells {
    /// How often each mesh is wound around the volumes in front of a part and behind it.
    pub(crate) fn around(&self, part: usize) -> [&[i32]; 2] {
        let (patch, turned) = self.patch_of[part];
        let [front, back] = self.cells[patch as usize]
            .map(|cell| &self.windings[cell as usize * self.meshes..][..self.meshes]);
        if turned { [back, front] } else { [front, back] }
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
fn steps<'a>(part: &'a Part, meshes: &'a Ranges) -> impl Iterator<Item = (u32, i32)> + 'a {
    let others = part.others.iter().map(|&(face, same)| (meshes.of(face), if same { 1 } else { -1 }));
    std::iter::once((meshes.of(part.face), 1)).chain(others)
}

/// Numbers all volumes.
pub(crate) fn cells(all: &Arrangement, meshes: &Ranges) -> Result<Cells, Open> {
    let parts = &all.parts;
    let points = all.grid.points.len() + all.made.len();
    let edges = Edges::new(points, parts);
    if let Some(open) =
        (0..points as u32).into_par_iter().find_map_first(|p| unbalanced(&edges, p, parts, meshes))
    {
        return Err(open);
    }
    let mut sets = SidedUnionFind::new(parts.len());
    let mut crowded = vec![];
    for point in 0..points as u32 {
        for (ends, mut spokes) in edges.from(point, parts) {
            match (spokes.len(), spokes.next(), spokes.next()) {
                (2, Some(a), Some(b)) => {
                    if !sets.join(a.part, b.part, a.forward == b.forward) {
                        return Err(Open::Contradiction);
                    }
                }
                _ => crowded.push(ends),
            }
        }
    }
    let mut patches = 0;
    let mut number = vec![0; parts.len()];
    let mut patch_of = Vec::with_capacity(parts.len());
    let mut of_patch = vec![];
    for part in 0..parts.len() as u32 {
        let (root, turned) = sets.root(part);
        if root == part {
            number[part as usize] = patches;
            of_patch.push(part);
            patches += 1;
        }
        patch_of.push((number[root as usize], turned));
    }
    // volumes in front are 2 patch, behind 2 patch + 1
    let side = |spoke: Spoke, ahead: bool| {
        let (patch, turned) = patch_of[spoke.part as usize];
        // the side to which a part's normal points is ahead if it is forward
        2 * patch + u32::from((spoke.forward == ahead) == turned)
    };
    let neighbours: Vec<Vec<[u32; 2]>> = crowded
        .par_iter()
        .map(|&ends| {
            let mut spokes = edges.spokes(ends, parts);
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
    let outer = outer(all, &edges, &patch_of, &components);
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
    // the connected set of each face; a face has its parts in one
    let mut set_of = vec![u32::MAX; all.faces.len()];
    for (part, (patch, _)) in parts.iter().zip(&patch_of) {
        let set = components[*patch as usize];
        set_of[part.face as usize] = set;
        part.others.iter().for_each(|(face, _)| set_of[*face as usize] = set);
    }
    let seeds: Vec<(u32, Vec<i32>)> = outer
        .into_iter()
        .map(|(spoke, ahead)| {
            let corners = parts[spoke.part as usize].corners;
            let set = components[patch_of[spoke.part as usize].0 as usize];
            (cell[roots[side(spoke, ahead) as usize] as usize], cast(all, meshes, corners, set, &set_of))
        })
        .collect();
    let windings = wind(all, meshes, &cells, &of_patch, count as usize, &seeds)?;
    Ok(Cells { meshes: meshes.count(), patch_of, cells, windings, count: count as usize })
}

/// An edge from a point on at which the faces of a mesh do not cancel.
fn unbalanced(edges: &Edges, point: u32, parts: &[Part], meshes: &Ranges) -> Option<Open> {
    let mut sums: Vec<(u32, i32)> = vec![];
    edges.from(point, parts).find_map(|(ends, spokes)| {
        sums.clear();
        for spoke in spokes {
            for (mesh, step) in steps(&parts[spoke.part as usize], meshes) {
                let step = if spoke.forward { step } else { -step };
                match sums.iter_mut().find(|sum| sum.0 == mesh) {
                    Some(sum) => sum.1 += step,
                    None => sums.push((mesh, step)),
                }
            }
        }
        let open = sums.iter().find(|sum| sum.1 != 0)?;
        Some(Open::Edge { mesh: open.0, ends })
    })
}

/// For each connected set of patches a part at its last vertex in the order of coordinates, and whether the
/// side of this part that is ahead is outside of the set.
fn outer(
    all: &Arrangement,
    edges: &Edges,
    patch_of: &[(u32, bool)],
    components: &[u32],
) -> Vec<(Spoke, bool)> {
    const NONE: u32 = u32::MAX;
    let vertices = all.grid.points.len() as u32;
    let at = |v: u32| all.grid.points[v as usize].to_array();
    let component = |part: usize| components[patch_of[part].0 as usize] as usize;
    let mut last = vec![NONE; components.len()];
    for (i, part) in all.parts.iter().enumerate() {
        let last = &mut last[component(i)];
        for v in part.corners.into_iter().filter(|&v| v < vertices) {
            if *last == NONE || at(v).partial_cmp(&at(*last)) == Some(Ordering::Greater) {
                *last = v;
            }
        }
    }
    let mut there: Vec<Vec<u32>> = vec![vec![]; components.len()];
    for (i, part) in all.parts.iter().enumerate() {
        let set = component(i);
        if part.corners.contains(&last[set]) {
            there[set].push(i as u32);
        }
    }
    let sets = (0..components.len()).filter(|&set| last[set] != NONE);
    sets.filter_map(|set| outer_side(all, edges, last[set], &there[set])).collect()
}

/// A part at the last vertex of a set, and whether its side ahead is outside.
///
/// All points of the set are before the vertex in the order of coordinates. So a half-plane that ends in the
/// line through the vertex along z, and begins in the direction of x, meets nothing until it has turned to
/// the first edge; and about this edge, nothing is met between the half-plane's way and the first part.
fn outer_side(all: &Arrangement, edges: &Edges, vertex: u32, parts: &[u32]) -> Option<(Spoke, bool)> {
    let points = all.points();
    let others = parts.iter().flat_map(|&p| all.parts[p as usize].corners).filter(|&p| p != vertex);
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
    let mut spokes = edges.spokes(edge, &all.parts);
    spokes.retain(|spoke| parts.contains(&spoke.part));
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
) -> Result<Vec<i32>, Open> {
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
            return Err(Open::Contradiction);
        }
    }
    while let Some(cell) = todo.pop() {
        for &(patch, in_front) in &at[cell as usize] {
            let other = cells[patch as usize][usize::from(in_front)];
            let mut row = windings[cell as usize * n..][..n].to_vec();
            for (mesh, step) in steps(&all.parts[of_patch[patch as usize] as usize], meshes) {
                row[mesh as usize] += if in_front { step } else { -step };
            }
            let there = &mut windings[other as usize * n..][..n];
            if !known[other as usize] {
                there.copy_from_slice(&row);
                known[other as usize] = true;
                todo.push(other);
            } else if *there != *row {
                return Err(Open::Contradiction);
            }
        }
    }
    if known.contains(&false) { Err(Open::Contradiction) } else { Ok(windings) }
}

/// How often each mesh is wound around the volume at the outer side of a part: by the crossings of a ray from
/// its middle with faces that are not connected to it. Nothing else meets the middle of a part.
fn cast(all: &Arrangement, meshes: &Ranges, corners: [u32; 3], set: u32, set_of: &[u32]) -> Vec<i32> {
    let witness = Witness::new(all.points(), corners);
    let of_face = |face: u32| match set_of[face as usize] {
        u32::MAX => 0,
        of_face if of_face == set => 0,
        _ => witness.crossing(face),
    };
    let range = |mesh: &[u32]| (mesh[0]..mesh[1]).into_par_iter().map(of_face).sum();
    meshes.0.windows(2).map(range).collect()
}
