//! Repair, tile by tile.
use crate::defects::{Marks, NO_PATCH};
use crate::disk::{self, Reader};
use crate::halo::Halos;
use crate::kept::{Kept, VertexSet};
use crate::level::{Array, Level, NewLevel, Sizes};
use crate::look_up::{Table, look_up};
use crate::output::Output;
use crate::scatter::scatter;
use crate::streaming::{OnDisk, Streaming};
use crate::{Result, TilesError};
use glam::{DVec3, Vec3};
use ribbonmesh::Device;
use ribbonmesh_io::check_output;
use ribbonmesh_solid::repair::{Part, RepairOptions, RepairReport, Repaired, repair_part};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::path::Path;

/// Report of [`repair`]: how often each change was made. See
/// [`RepairReport`](ribbonmesh_solid::repair::RepairReport), which lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RepairTilesReport {
    /// Sizes before.
    pub before: Sizes,
    /// Sizes after.
    pub after: Sizes,
    /// Tiles.
    pub tiles: u64,
    /// Faces at vertices where the mesh was no oriented manifold, which were in memory.
    pub faces_at_defects: u64,
    /// Faces that were dropped because they have a vertex twice.
    pub degenerate_faces_dropped: u64,
    /// Other faces that were dropped because they have no area.
    pub zero_area_faces_dropped: u64,
    /// Faces that were dropped because another one stays.
    pub duplicate_faces_dropped: u64,
    /// Faces of folds, which were dropped.
    pub folded_faces_dropped: u64,
    /// Edges of more than two faces.
    pub edges_split: u64,
    /// Pairs of faces that are still neighbours there.
    pub pairs_joined: u64,
    /// Edges that were cut because faces cannot be oriented.
    pub edges_cut: u64,
    /// Sets of faces with such edges.
    pub nonorientable_components: u64,
    /// Faces whose second and third corners were exchanged.
    pub faces_turned: u64,
    /// Vertices that became several.
    pub vertices_split: u64,
    /// Components of few faces that were dropped.
    pub components_removed: u64,
    /// Vertices without a face that were removed.
    pub isolated_vertices_removed: u64,
    /// Contents of the file beside positions and faces, which were left out.
    pub left_out: Vec<String>,
}

impl RepairTilesReport {
    /// Numbers of changes of each kind, in words for one and for several; kinds that did not occur are left
    /// out.
    pub fn counts(&self) -> Vec<(u64, &'static str, &'static str)> {
        let all = [
            (self.degenerate_faces_dropped, "degenerate face dropped", "degenerate faces dropped"),
            (self.zero_area_faces_dropped, "face of no area dropped", "faces of no area dropped"),
            (self.duplicate_faces_dropped, "duplicate face dropped", "duplicate faces dropped"),
            (self.folded_faces_dropped, "face of a fold dropped", "faces of folds dropped"),
            (self.edges_split, "non-manifold edge split", "non-manifold edges split"),
            (self.pairs_joined, "pair of faces stitched there", "pairs of faces stitched there"),
            (self.edges_cut, "edge cut to orient", "edges cut to orient"),
            (self.faces_turned, "face turned", "faces turned"),
            (self.vertices_split, "vertex split", "vertices split"),
            (self.components_removed, "component removed", "components removed"),
            (self.isolated_vertices_removed, "isolated vertex removed", "isolated vertices removed"),
        ];
        all.into_iter().filter(|(count, ..)| *count > 0).collect()
    }
}

/// Makes an oriented manifold of the mesh of a file (binary PLY of triangles, OBJ, binary STL, GLB), and
/// writes it (binary PLY, OBJ, STL, GLB): the same mesh as [`ribbonmesh_solid::repair`] makes of it in
/// memory, with vertices and faces in the same order.
///
/// Tiles find the vertices at which the mesh is no oriented manifold. The faces there are in memory together,
/// and everything is decided about them there; for all others it is known in which sets they agree with their
/// neighbours.
/// # Errors
/// [`TilesError::Option`] for `weld`; [`TilesError::Defects`]; other [`TilesError`]s.
pub fn repair(
    from: &Path,
    to: &Path,
    how: &RepairOptions,
    options: &Streaming,
    say: &mut dyn FnMut(String),
) -> Result<RepairTilesReport> {
    if let Some(distance) = how.weld {
        let expected = "vertices near each other may be in any two tiles".into();
        return Err(TilesError::Option { option: "weld", value: distance.to_string(), expected });
    }
    check_output(to)?;
    Output::format(to)?;
    let mesh = OnDisk::read(from, options)?;
    let tiles = mesh.tiles()?;
    say(format!("{} faces in {} tiles", mesh.sizes.faces, tiles.len()));
    let mut marks = Marks::create(&mesh, how.remove_zero_area)?;
    Halos::new(&mesh.level, &tiles)?.each(&mesh.level, |tile| marks.add(&tile))?;
    let patches = marks.finish()?;
    let (labels, of_level) = (mesh.level.array(Array::Labels), mesh.level.labels());
    scatter(&mesh.level, mesh.sizes, &tiles, &mesh.room, [&labels, &of_level], (NO_PATCH, |_, label| label))?;
    let faces = Faces { mesh: &mesh, patches };
    let found = Found::new(&faces, how)?;
    say(format!("{} faces at defects", found.ids.len()));
    let decided = found.decide(&faces, how)?;
    let repaired = Level::new(&options.work.join("repaired"), 0);
    let mut report = RepairTilesReport {
        before: mesh.sizes,
        tiles: tiles.len() as u64,
        faces_at_defects: decided.ids.len() as u64,
        left_out: mesh.left_out.clone(),
        ..decided.counts()
    };
    let kept = decided.kept(&faces, how)?;
    report.isolated_vertices_removed = kept.removed();
    let mut out = NewLevel::create(&repaired)?;
    let mut v = 0;
    disk::each_piece(&mesh.level.vertices(), [0, mesh.sizes.vertices], |x: &[Vec3]| {
        for &p in x {
            if kept.has(v) {
                out.vertex(p, None)?;
            }
            v += 1;
        }
        Ok(())
    })?;
    for &p in &decided.copies {
        out.vertex(p, None)?;
    }
    decided.each_face(&faces, |corners, stays| match stays {
        Stays::Yes => out.face(corners.map(|v| kept.number(v))),
        Stays::Dropped | Stays::Removed => Ok(()),
    })?;
    report.after = out.finish()?;
    Output { level: &repaired, sizes: report.after, frame: &mesh.frame, normals: None, room: &mesh.room }
        .write(to)?;
    mesh.remove()?;
    Ok(report)
}

/// The faces of the mesh in its order, with the patches of their corners.
struct Faces<'m> {
    mesh: &'m OnDisk,
    /// The patch of each number of `labels`.
    patches: Vec<u32>,
}
impl Faces<'_> {
    /// Gives each face with the patches of its corners, or [`NO_PATCH`].
    fn each(&self, mut visit: impl FnMut(u64, [u32; 3], [u32; 3]) -> Result<()>) -> Result<()> {
        let OnDisk { level, sizes, room, .. } = self.mesh;
        let mut corners = Reader::<[u32; 3]>::open(&level.faces(), sizes.faces, disk::BUFFER)?;
        let mut face = 0;
        let table = Table {
            file: &level.labels(),
            rows: sizes.vertices,
            block: room.numbers(),
            between: level.looked_up(),
        };
        let all = |visit: &mut dyn FnMut([u32; 3]) -> Result<()>| {
            disk::each_piece(&level.faces(), [0, sizes.faces], |faces: &[[u32; 3]]| {
                faces.iter().try_for_each(|&face| visit(face))
            })
        };
        look_up::<u32>(&all, sizes.faces, &table, &mut |labels| {
            let patch = |label| if label == NO_PATCH { NO_PATCH } else { self.patches[label as usize] };
            visit(face, corners.next()?, labels.map(patch))?;
            face += 1;
            Ok(())
        })
    }
}

/// Findings of a pass over faces.
struct Found {
    /// The faces at defects, by their numbers in the mesh, with corners and patches.
    ids: Vec<u64>,
    corners: Vec<[u32; 3]>,
    patches: Vec<[u32; 3]>,
    /// The other faces of each patch: how many, and the first.
    weights: Vec<u32>,
    first: Vec<u64>,
}

/// Corners of the face that a patch is in the part; any triangle with an area.
const STAND_IN: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

/// A face of the part.
#[derive(Clone, Copy)]
enum Entry {
    /// One at a defect, by its place among these.
    Face(u32),
    /// A patch.
    Patch(u32),
}

impl Found {
    fn new(faces: &Faces<'_>, how: &RepairOptions) -> Result<Self> {
        let n = faces.patches.len();
        let most = faces.mesh.room.whole;
        let mut found = Self {
            ids: vec![],
            corners: vec![],
            patches: vec![],
            weights: vec![0; n],
            first: vec![u64::MAX; n],
        };
        faces.each(|face, corners, patches| {
            if !patches.contains(&NO_PATCH) {
                let patch = patches[0] as usize;
                found.weights[patch] += 1;
                found.first[patch] = found.first[patch].min(face);
                return Ok(());
            }
            if found.ids.len() as u64 == most {
                return Err(TilesError::Defects { faces: most, bound: faces.mesh.room.bound });
            }
            found.ids.push(face);
            found.corners.push(corners);
            found.patches.push(patches);
            Ok(())
        })?;
        let needed = how.remove_components > 1 || !found.ids.is_empty();
        if !needed {
            found.weights.clear();
        }
        Ok(found)
    }
    /// Repairs the part.
    fn decide(self, faces: &Faces<'_>, how: &RepairOptions) -> Result<Decided> {
        let mut fates = vec![Fate::Stays; self.weights.len()];
        let touched = self.touched();
        let mut alone = 0;
        for (patch, fate) in (0..).zip(&mut fates) {
            let weight = self.weights[patch as usize];
            if weight > 0 && weight < how.remove_components && !touched.contains(&patch) {
                // a component by itself
                *fate = Fate::Removed;
                alone += 1;
            }
        }
        // the part: faces in the order of the mesh
        let mut entries: Vec<(u64, Entry)> =
            self.ids.iter().zip(0..).map(|(&id, face)| (id, Entry::Face(face))).collect();
        let stand_ins = touched.iter().filter(|&&patch| self.weights[patch as usize] > 0);
        entries.extend(stand_ins.map(|&patch| (self.first[patch as usize], Entry::Patch(patch))));
        entries.sort_unstable_by_key(|entry| entry.0);
        let mut ids = self.corners.as_flattened().to_vec();
        ids.sort_unstable();
        ids.dedup();
        let own = picked(faces.mesh, &ids)?;
        let mut positions: Vec<DVec3> = own.iter().map(|&p| faces.mesh.frame.outside(p)).collect();
        let (mut of_part, mut weights) = (vec![], vec![]);
        let mut hubs: FxHashMap<u32, u32> = FxHashMap::default();
        for (place, &(_, entry)) in (0..).zip(&entries) {
            match entry {
                Entry::Face(face) => {
                    let corners = self.corners[face as usize];
                    of_part.push(corners.map(|v| ids.partition_point(|&id| id < v) as u32));
                    weights.push(1);
                }
                Entry::Patch(patch) => {
                    let first = positions.len() as u32;
                    positions.extend(STAND_IN);
                    of_part.push([first, first + 1, first + 2]);
                    weights.push(self.weights[patch as usize]);
                    hubs.insert(patch, place);
                }
            }
        }
        let mut agree = vec![];
        for (place, &(_, entry)) in (0..).zip(&entries) {
            let Entry::Face(face) = entry else { continue };
            for patch in self.patches[face as usize].into_iter().filter(|&patch| patch != NO_PATCH) {
                let hub = *hubs.entry(patch).or_insert(place);
                agree.push([place, hub]);
            }
        }
        let part = Part { weights: &weights, agree: &agree };
        let options = RepairOptions { remove_isolated: false, ..*how };
        let done = repair_part(&Device::cpu(), &positions, &of_part, &part, &options)?;
        // vertices of one fan stay as they are
        let mut usual = vec![false; ids.len()];
        for (corners, patches) in self.corners.iter().zip(&self.patches) {
            for (v, &patch) in corners.iter().zip(patches) {
                usual[ids.partition_point(|id| id < v)] = patch != NO_PATCH;
            }
        }
        let (news, copies, split) = self.copies(&done, &ids, &own, &usual, faces.mesh.sizes.vertices)?;
        let mut results: Vec<Option<[u32; 3]>> = vec![None; self.ids.len()];
        let mut stays = vec![false; entries.len()];
        for (&input, corners) in done.face_inputs.iter().zip(&done.faces) {
            stays[input as usize] = true;
            match entries[input as usize].1 {
                Entry::Face(face) => results[face as usize] = Some(corners.map(|v| news[v as usize])),
                Entry::Patch(patch) => {
                    // one that is turned has its second and third corners exchanged
                    let [_, b, c] = corners.map(|v| done.vertex_inputs[v as usize]);
                    fates[patch as usize] = if b < c { Fate::Stays } else { Fate::Turned };
                }
            }
        }
        for (stays, entry) in stays.iter().zip(&entries) {
            if let (false, Entry::Patch(patch)) = (stays, entry.1) {
                fates[patch as usize] = Fate::Removed;
            }
        }
        let removed = |face: &u32| match entries[*face as usize].1 {
            Entry::Face(face) => Some(self.ids[face as usize]),
            Entry::Patch(_) => None,
        };
        let mut removed: Vec<u64> =
            done.report.components_removed.iter().flatten().filter_map(removed).collect();
        removed.sort_unstable();
        let turned = done.report.faces_turned.iter().map(|&face| u64::from(weights[face as usize])).sum();
        Ok(Decided {
            ids: self.ids,
            results,
            removed,
            fates,
            copies,
            turned,
            split,
            alone,
            report: done.report,
        })
    }
    /// Patches with a vertex at which a face of the part is.
    fn touched(&self) -> FxHashSet<u32> {
        self.patches.as_flattened().iter().copied().filter(|&patch| patch != NO_PATCH).collect()
    }
    /// For each vertex of the result its number in the mesh, the positions of the copies, which come behind
    /// all vertices there, and the number of vertices that have some.
    fn copies(
        &self,
        done: &Repaired,
        ids: &[u32],
        own: &[Vec3],
        usual: &[bool],
        vertices: u64,
    ) -> Result<(Vec<u32>, Vec<Vec3>, u64)> {
        // those of patches are in no result that is used
        let id = |&input: &u32| ids.get(input as usize).copied().unwrap_or(0);
        let mut news: Vec<u32> = done.vertex_inputs.iter().map(id).collect();
        let mut of: Vec<(u32, u32)> = vec![];
        let mut split = 0;
        for vertex in &done.report.vertices_split {
            if !usual[vertex.vertex as usize] {
                split += 1;
                of.extend(vertex.copies.iter().map(|&copy| (copy, vertex.vertex)));
            }
        }
        of.sort_unstable();
        if vertices + of.len() as u64 > u64::from(u32::MAX) {
            return Err(TilesError::TooManyVertices);
        }
        let mut copies = vec![];
        for (copy, vertex) in of {
            news[copy as usize] = (vertices + copies.len() as u64) as u32;
            copies.push(own[vertex as usize]);
        }
        Ok((news, copies, split))
    }
}

/// The positions of vertices, which ascend.
fn picked(mesh: &OnDisk, ids: &[u32]) -> Result<Vec<Vec3>> {
    let mut found = vec![];
    let mut first = 0_u64;
    disk::each_piece(&mesh.level.vertices(), [0, mesh.sizes.vertices], |x: &[Vec3]| {
        let end = first + x.len() as u64;
        while let Some(&id) = ids.get(found.len()).filter(|&&id| u64::from(id) < end) {
            found.push(x[(u64::from(id) - first) as usize]);
        }
        first = end;
        Ok(())
    })?;
    Ok(found)
}

/// The fate of the faces of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    Turned,
    Removed,
}

/// The fate of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stays {
    Yes,
    /// It was dropped.
    Dropped,
    /// It was in a component of few faces.
    Removed,
}

/// Decisions about the mesh.
struct Decided {
    /// The faces at defects.
    ids: Vec<u64>,
    /// Their corners afterwards, by the numbers of the mesh and behind these of copies, if they stay.
    results: Vec<Option<[u32; 3]>>,
    /// Those in components that were removed; ascending.
    removed: Vec<u64>,
    /// The fate of each patch; none where nothing happens to any.
    fates: Vec<Fate>,
    /// Positions of copies of vertices.
    copies: Vec<Vec3>,
    /// Faces that were turned.
    turned: u64,
    /// Vertices that were split.
    split: u64,
    /// Components without a defect that were removed.
    alone: u64,
    report: RepairReport,
}

impl Decided {
    /// Gives each face of the mesh in its order, with the corners that it has afterwards, or had.
    fn each_face(
        &self,
        faces: &Faces<'_>,
        mut visit: impl FnMut([u32; 3], Stays) -> Result<()>,
    ) -> Result<()> {
        let mut next = 0;
        faces.each(|face, corners, patches| {
            if self.ids.get(next) == Some(&face) {
                next += 1;
                return match self.results[next - 1] {
                    Some(corners) => visit(corners, Stays::Yes),
                    None if self.removed.binary_search(&face).is_ok() => visit(corners, Stays::Removed),
                    None => visit(corners, Stays::Dropped),
                };
            }
            let [a, b, c] = corners;
            match self.fates.get(patches[0] as usize) {
                Some(Fate::Turned) => visit([a, c, b], Stays::Yes),
                Some(Fate::Removed) => visit(corners, Stays::Removed),
                Some(Fate::Stays) | None => visit(corners, Stays::Yes),
            }
        })
    }
    /// The vertices that stay.
    fn kept(&self, faces: &Faces<'_>, how: &RepairOptions) -> Result<Kept> {
        let vertices = faces.mesh.sizes.vertices;
        let removes = self.alone > 0 || !self.report.components_removed.is_empty();
        if !how.remove_isolated && !removes {
            return Ok(Kept::all(vertices));
        }
        let (mut used, mut lost) = (VertexSet::new(vertices), VertexSet::new(vertices));
        self.each_face(faces, |corners, stays| {
            for v in corners.into_iter().filter(|&v| u64::from(v) < vertices) {
                match stays {
                    Stays::Yes => used.add(v),
                    Stays::Removed => lost.add(v),
                    Stays::Dropped => {}
                }
            }
            Ok(())
        })?;
        Ok(Kept::new(vertices, |v| used.has(v) || !(how.remove_isolated || lost.has(v))))
    }
    fn counts(&self) -> RepairTilesReport {
        let report = &self.report;
        RepairTilesReport {
            degenerate_faces_dropped: report.degenerate_faces_dropped.len() as u64,
            zero_area_faces_dropped: report.zero_area_faces_dropped.len() as u64,
            duplicate_faces_dropped: report.duplicate_faces_dropped.len() as u64,
            folded_faces_dropped: report.folded_faces_dropped.len() as u64,
            edges_split: report.edges_split.len() as u64,
            pairs_joined: report.edges_split.iter().map(|split| split.joined.len() as u64).sum(),
            edges_cut: report.edges_cut.len() as u64,
            nonorientable_components: report.nonorientable_components,
            faces_turned: self.turned,
            vertices_split: self.split,
            components_removed: self.alone + report.components_removed.len() as u64,
            ..RepairTilesReport::default()
        }
    }
}
