//! The part of a result that faces of the meshes are not.
use crate::arrange::{Arrangement, Cells, Grid, Known, Patches, Ranges, arrange};
use crate::boolean::BooleanError;
use crate::boolean::kernels::{DROPPED, TURNED};
use crate::boolean::on_grid::on_grid;
use crate::boolean::run::{BooleanReport, Opening, Operation};
use crate::boolean::scene::{Scene, Wanted, place};
use crate::boolean::sheets::Sheets;
use crate::boolean::snap::{reach, snapped};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh_mesh::MeshError;
use rustc_hash::{FxHashMap, FxHashSet};

/// A vertex of the result that no mesh has, relative to the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fresh {
    /// A point where faces cross.
    Made(Vec3),
    /// A copy of another vertex.
    Copy(u32),
    /// A point in the middle of an edge, with the attributes of an end.
    Middle(u32, Vec3),
}

/// A face of the result that is a part of a face, or has other vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// The face of the input of which it is a part.
    pub(crate) face: u32,
    /// Its vertices: those of the input, and then new ones.
    pub(crate) vertices: [u32; 3],
    /// Their positions on the grid.
    pub(crate) corners: [Vec3; 3],
    /// Whether it is turned relative to the input.
    pub(crate) turned: bool,
}

/// A face beside others, in the result's orientation.
#[derive(Clone, Copy)]
struct Beside {
    /// The face of the input, and its place among the pieces, if it is one.
    face: u32,
    piece: Option<u32>,
    vertices: [u32; 3],
    corners: [Vec3; 3],
    turned: bool,
}

impl Beside {
    /// The same as a piece; turned around, or not.
    fn piece(&self, around: bool) -> Piece {
        let Self { face, mut vertices, mut corners, turned, .. } = *self;
        if around {
            vertices.swap(1, 2);
            corners.swap(1, 2);
        }
        Piece { face, vertices, corners, turned: turned != around }
    }
}

/// Some faces with vertices that are numbered among themselves, in their order.
struct Numbered {
    /// The vertices, ascending.
    vertices: Vec<u32>,
    points: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}

impl Numbered {
    fn new<'a>(faces: impl Iterator<Item = (&'a [u32; 3], &'a [Vec3; 3])> + Clone) -> Self {
        let corners = faces.clone().flat_map(|(vertices, corners)| vertices.iter().zip(corners));
        let mut known: Vec<(u32, Vec3)> = corners.map(|(&vertex, &point)| (vertex, point)).collect();
        known.par_sort_unstable_by_key(|of| of.0);
        known.dedup_by_key(|of| of.0);
        let (vertices, points): (Vec<u32>, Vec<Vec3>) = known.into_iter().unzip();
        let faces: Vec<&[u32; 3]> = faces.map(|of| of.0).collect();
        let faces = faces.par_iter().map(|face| face.map(|v| place(&vertices, v))).collect();
        Self { vertices, points, faces }
    }
}

/// A position as a key.
fn key(point: Vec3) -> [u32; 3] {
    // adding 0 turns −0 into 0
    point.to_array().map(|x| (x + 0.0).to_bits())
}

/// The result of a combination: faces of a scene, and pieces.
pub(crate) struct Draft {
    pub(crate) scene: Scene,
    pub(crate) fresh: Vec<Fresh>,
    pub(crate) pieces: Vec<Piece>,
    /// Faces of the scene with a corner, in the result's orientation, that gets a new vertex.
    pub(crate) moved: Vec<(u32, u32, u32)>,
    /// Vertices that stand for others at the same place.
    merged: Vec<u32>,
}

/// Pairs of pieces that intersect, and pairs of a piece and a face of the scene.
pub(crate) struct Left([Vec<[u32; 2]>; 2]);

impl Left {
    /// Their number.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

impl Draft {
    /// Cuts all faces that meet others, and selects parts of the meshes. In a round of mending that is not
    /// the first, 0, new points become points nearby.
    pub(crate) fn new(
        mut scene: Scene,
        operation: Operation,
        round: u32,
        report: &mut BooleanReport,
    ) -> Result<Self, BooleanError> {
        let Wanted { faces: of, vertices, corners, joined, roots, pairs, all_pairs, merged } =
            scene.find()?;
        report.intersecting_pairs = all_pairs;
        let Numbered { vertices, points, faces } = Numbered::new(vertices.iter().zip(&corners));
        // the first face of each set stands for it
        let mut first: FxHashMap<u32, u32> = FxHashMap::default();
        let mut sets: Vec<[u32; 2]> = vec![];
        let label = |(face, root): (u32, Option<u32>)| match root {
            None => face,
            Some(root) => *first.entry(root).or_insert_with(|| {
                sets.push([root, face]);
                face
            }),
        };
        let labels: Vec<u32> = (0..).zip(roots).map(label).collect();
        let meshes = Ranges(scene.starts.0.iter().map(|&start| place(&of, start)).collect());
        let grid = Grid::of_scale(scene.scale, points);
        let arrangement = arrange(grid, faces, joined, &pairs).ok_or(BooleanError::Contradiction)?;
        let patches = Patches::new(&arrangement, &labels, &meshes).ok_or(BooleanError::Contradiction)?;
        let [of_sets, first_of_sets] = [0, 1].map(|i| sets.iter().map(|set| set[i]).collect::<Vec<u32>>());
        let cells = if patches.open.is_empty() {
            let like = |face: u32| first.get(&face).copied().unwrap_or_else(|| place(&of, face));
            let search = |boxes: &[_]| scene.hits(boxes, like);
            let found = patches.cells(&arrangement, &meshes, Known::Outside(search))?;
            let (cells, count) = found.ok_or(BooleanError::Contradiction)?;
            report.volumes = Some(count);
            cells
        } else {
            report.open.extend(patches.open.iter().map(|open| {
                let at = arrangement.grid.place(arrangement.points().place(open.ends[0]).at);
                Opening { mesh: open.mesh as usize, at: (scene.origin + at).to_array() }
            }));
            let largest: Vec<_> = first_of_sets.iter().copied().zip(scene.largest(&of_sets)?).collect();
            let numbers = scene.windings(&patches.beside(&arrangement, &largest))?;
            patches.with_numbers(&meshes, numbers)
        };
        report.vertices_added = arrangement.made.len();
        report.faces_cut = arrangement.faces_cut;
        let selected = cells.select(|windings| operation.holds(windings));
        let state = |&face: &u32| cells.of_part(face, &selected).map_or(DROPPED, |turn| 1 + u32::from(turn));
        scene.choose(&of_sets, &first_of_sets.iter().map(state).collect::<Vec<u32>>())?;
        let mut draft = Self { scene, fresh: vec![], pieces: vec![], moved: vec![], merged };
        let face = |face: u32| (of[face as usize], false);
        let reach = if round == 0 { 0.0 } else { reach(draft.scene.largest, round) };
        draft.add_parts(&arrangement, &vertices, face, |part| cells.of_part(part, &selected), reach);
        Ok(draft)
    }
    /// A vertex that is new.
    fn new_vertex(&self, vertex: u32) -> Option<Fresh> {
        self.fresh.get(vertex.checked_sub(self.scene.vertices())? as usize).copied()
    }
    /// The vertex of the input that has the attributes of a vertex; for a point where faces cross, itself.
    pub(crate) fn origin(&self, mut vertex: u32) -> u32 {
        while let Some(Fresh::Copy(of) | Fresh::Middle(of, _)) = self.new_vertex(vertex) {
            vertex = of;
        }
        vertex
    }
    /// The position of a new vertex, or else the vertex of the input that has it.
    pub(crate) fn position(&self, mut vertex: u32) -> Result<Vec3, u32> {
        loop {
            match self.new_vertex(vertex) {
                Some(Fresh::Copy(of)) => vertex = of,
                Some(Fresh::Made(point) | Fresh::Middle(_, point)) => return Ok(point),
                None => return Err(vertex),
            }
        }
    }
    /// The number of the first new vertex.
    fn first_fresh(&self) -> u32 {
        self.scene.vertices()
    }
    /// Adds selected parts of faces that meet others. `face` gives the face of the input for a face of the
    /// arrangement, and whether it is turned; `turn` whether a part is, if it is selected. New points within
    /// `reach` of others become these.
    fn add_parts(
        &mut self,
        all: &Arrangement,
        vertices: &[u32],
        face: impl Fn(u32) -> (u32, bool),
        turn: impl Fn(u32) -> Option<bool>,
        reach: f32,
    ) {
        let count = vertices.len() as u32;
        let points = all.points();
        let at = |point: u32| match all.grid.points.get(point as usize) {
            Some(&at) => at,
            None => all.grid.place(points.place(point).at).as_vec3(),
        };
        let cut: Vec<(u32, bool)> =
            (all.faces.len() as u32..all.end()).filter_map(|part| Some((part, turn(part)?))).collect();
        let of_cut = cut.iter().map(|&(part, _)| all.corners(part));
        let mut candidates: Vec<u32> =
            of_cut.filter(|corners| corners.iter().any(|&p| p >= count)).flatten().collect();
        candidates.sort_unstable();
        candidates.dedup();
        let one = snapped(&candidates, count, reach, at);
        let moved = cut.into_iter().map(|(part, turn)| {
            (part, turn, all.corners(part).map(|point| one.get(&point).copied().unwrap_or(point)))
        });
        let moved: Vec<(u32, bool, [u32; 3])> =
            moved.filter(|&(.., [a, b, c])| a != b && b != c && c != a).collect();
        // numbers of the new points that are left, in their order
        let mut numbers = vec![u32::MAX; all.made.len()];
        for point in moved.iter().flat_map(|of| of.2).filter(|&p| p >= count) {
            numbers[(point - count) as usize] = 0;
        }
        let first = self.first_fresh() + self.fresh.len() as u32;
        let left = (0..).zip(&mut numbers).filter(|of| *of.1 == 0);
        let made: Vec<u32> = (first..)
            .zip(left)
            .map(|(number, (i, place))| {
                *place = number;
                count + i
            })
            .collect();
        let number = |p: u32| match p.checked_sub(count) {
            Some(made) => numbers[made as usize],
            None => vertices[p as usize],
        };
        let scale = self.scene.scale;
        for (part, turn, corners) in moved {
            let (face, turned) = face(all.face(part));
            let (vertices, corners) = (corners.map(number), corners.map(|p| on_grid(at(p), scale)));
            let part = Beside { face, piece: None, vertices, corners, turned };
            self.pieces.push(part.piece(turn));
        }
        self.fresh.extend(made.iter().map(|&p| Fresh::Made(at(p))));
    }
    /// The pairs of faces that intersect, of which one has a new vertex.
    pub(crate) fn left(&self) -> ribbonmesh::Result<Left> {
        if self.fresh.is_empty() {
            return Ok(Left([vec![], vec![]]));
        }
        let corners: Vec<[Vec3; 3]> = self.pieces.iter().map(|piece| piece.corners).collect();
        Ok(Left(self.scene.pairs_of(&corners)?))
    }
    /// Faces of the scene that are in the result, by their numbers and states.
    fn of_scene(&self, list: &[[u32; 2]]) -> ribbonmesh::Result<Vec<Beside>> {
        let faces: Vec<u32> = list.iter().map(|of| of[0]).collect();
        let (vertices, corners) = self.scene.faces(&faces)?;
        let beside = |((&[face, state], vertices), corners): ((&[u32; 2], _), _)| {
            let Piece { vertices, corners, .. } =
                Beside { face, piece: None, vertices, corners, turned: false }.piece(state == TURNED);
            Beside { face, piece: None, vertices, corners, turned: state == TURNED }
        };
        Ok(list.iter().zip(vertices).zip(corners).map(beside).collect())
    }
    /// All pieces.
    fn of_pieces(&self) -> impl Iterator<Item = Beside> + '_ {
        (0..).zip(&self.pieces).map(|(i, &Piece { face, vertices, corners, turned })| Beside {
            face,
            piece: Some(i),
            vertices,
            corners,
            turned,
        })
    }
    /// Gives new vertices of pieces the number of the first one at their place, of pieces and of faces
    /// nearby. Returns the pieces that have a vertex twice then.
    fn weld(&mut self, near: &[Beside]) -> FxHashSet<u32> {
        let mut first: FxHashMap<[u32; 3], u32> = FxHashMap::default();
        let of_near = near.iter().flat_map(|face| face.vertices.into_iter().zip(face.corners));
        let of_pieces = self.pieces.iter().flat_map(|piece| piece.vertices.into_iter().zip(piece.corners));
        for (vertex, point) in of_near.chain(of_pieces) {
            first.entry(key(point)).and_modify(|least| *least = vertex.min(*least)).or_insert(vertex);
        }
        let mut gone = FxHashSet::default();
        for (piece, i) in self.pieces.iter_mut().zip(0..) {
            let corners = piece.corners;
            for (vertex, point) in piece.vertices.iter_mut().zip(corners) {
                *vertex = first.get(&key(point)).copied().unwrap_or(*vertex);
            }
            let [a, b, c] = piece.vertices;
            if a == b || b == c || c == a {
                gone.insert(i);
            }
        }
        gone
    }
    /// Cuts the faces that intersect, with their surroundings only: farther away, what is in front of a face
    /// is outside of the result, and what is behind it is within.
    pub(crate) fn mend(&mut self, left: &Left, round: u32) -> Result<(), BooleanError> {
        let Left([own, between]) = left;
        let mut of_scene: Vec<u32> = between.iter().map(|pair| pair[1]).collect();
        of_scene.sort_unstable();
        of_scene.dedup();
        let mut corners = self.scene.faces(&of_scene)?.1;
        let hit = own.as_flattened().iter().chain(between.iter().map(|pair| &pair[0]));
        let hit: FxHashSet<u32> = hit.copied().collect();
        let mut listed: Vec<u32> = hit.into_iter().collect();
        listed.sort_unstable();
        corners.extend(listed.iter().map(|&piece| self.pieces[piece as usize].corners));
        let around: FxHashSet<[u32; 3]> = corners.as_flattened().iter().map(|&p| key(p)).collect();
        let is_around = |p: Vec3| around.contains(&key(p));

        let mut near = self.of_scene(&self.scene.near(&corners)?)?;
        let mut gone = self.weld(&near);
        near.extend(self.of_pieces().filter(|face| face.piece.is_none_or(|piece| !gone.contains(&piece))));
        near.retain(|face| face.corners.iter().any(|&p| is_around(p)));
        // all faces at a corner of a face that intersects are here, but not all at other sides
        let settled: Vec<u8> = near
            .iter()
            .map(|face| {
                let known = face.corners.map(is_around);
                (0..3).filter(|&i| !known[i] && !known[(i + 1) % 3]).fold(0, |sides, i| sides | 1 << i)
            })
            .collect();
        let rim: Vec<u32> = (0..).zip(&settled).filter(|(_, sides)| **sides != 0).map(|of| of.0).collect();
        let places: FxHashMap<(bool, u32), u32> =
            near.iter().map(|of| (of.piece.is_some(), of.piece.unwrap_or(of.face))).zip(0..).collect();
        let at = |is_piece: bool, number: u32| places.get(&(is_piece, number)).copied();
        let pairs = own.iter().map(|pair| pair.map(|piece| at(true, piece)));
        let pairs = pairs.chain(between.iter().map(|&[piece, face]| [at(true, piece), at(false, face)]));
        let mut pairs: Vec<[u32; 2]> = pairs.filter_map(|[a, b]| Some([a?, b?])).collect();
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        pairs.sort_unstable();

        let Numbered { vertices, points, faces } =
            Numbered::new(near.iter().map(|face| (&face.vertices, &face.corners)));
        let count = faces.len() as u32;
        let (labels, meshes) = ((0..count).collect::<Vec<u32>>(), Ranges(vec![0, count]));
        let grid = Grid::of_scale(self.scene.scale, points);
        let arrangement = arrange(grid, faces, settled, &pairs).ok_or(BooleanError::Contradiction)?;
        let patches = Patches::new(&arrangement, &labels, &meshes).ok_or(BooleanError::Contradiction)?;
        let known: Known<'_, fn(&[_]) -> Result<_, BooleanError>> = Known::Beside(&rim);
        let (cells, _): (Cells, _) =
            patches.cells(&arrangement, &meshes, known)?.ok_or(BooleanError::Contradiction)?;
        let selected = cells.select(|windings| Operation::Union.holds(windings));

        let (mut dropped, mut replaced) = (vec![], vec![]);
        for (face, i) in near.iter().zip(0..) {
            let is_whole = arrangement.is_whole(i);
            let turn = if is_whole { cells.of_part(i, &selected) } else { None };
            // a face without area stays as long as not all is known around it
            let stays = !is_whole && !face.corners.iter().all(|&p| is_around(p));
            if turn == Some(false) || stays {
                continue;
            }
            match face.piece {
                Some(piece) => _ = gone.insert(piece),
                None => dropped.push(face.face),
            }
            replaced.extend(turn.map(|_| face.piece(true)));
        }
        self.scene.drop_faces(&dropped)?;
        let mut i = 0;
        self.pieces.retain(|_| {
            i += 1;
            !gone.contains(&(i - 1))
        });
        self.pieces.extend(replaced);
        let source = |i: u32| (near[i as usize].face, near[i as usize].turned);
        let reach = reach(self.scene.largest, round);
        self.add_parts(&arrangement, &vertices, source, |part| cells.of_part(part, &selected), reach);
        Ok(())
    }
    /// Doubles vertices where the result touches itself, so that it is a manifold. Returns how many are
    /// added.
    pub(crate) fn part_sheets(&mut self) -> Result<usize, BooleanError> {
        if self.pieces.is_empty() && self.merged.is_empty() {
            return Ok(0);
        }
        let mut touched: Vec<u32> = self.pieces.iter().flat_map(|piece| piece.vertices).collect();
        touched.extend(&self.merged);
        touched.sort_unstable();
        touched.dedup();
        let mut around: Vec<[Vec3; 3]> = self.pieces.iter().map(|piece| piece.corners).collect();
        around.extend(self.scene.positions(&self.merged)?.into_iter().map(|p| [p; 3]));
        let mut near = self.of_scene(&self.scene.near(&around)?)?;
        near.retain(|face| face.vertices.iter().any(|v| touched.binary_search(v).is_ok()));
        near.extend(self.of_pieces());
        let Numbered { vertices, points, faces } =
            Numbered::new(near.iter().map(|face| (&face.vertices, &face.corners)));
        let marked = vertices.iter().map(|v| touched.binary_search(v).is_ok()).collect();
        let before = vertices.len();
        let mut sheets = Sheets::new(self.scene.scale, points, faces, marked);
        sheets.part();
        let Sheets { points, faces, copies, sources, .. } = sheets;
        MeshError::at_most(
            "vertices",
            self.scene.vertices() as usize + self.fresh.len() + copies.len(),
            u64::from(u32::MAX),
        )?;
        let first = self.first_fresh() + self.fresh.len() as u32;
        let number = |v: u32| vertices.get(v as usize).copied().unwrap_or_else(|| first + v - before as u32);
        for (copy, point) in copies.iter().zip(&points[before..]) {
            let of = number(copy.of);
            self.fresh.push(if copy.is_middle { Fresh::Middle(of, *point) } else { Fresh::Copy(of) });
        }
        for (face, new) in near.iter().zip(&faces) {
            let new = new.map(number);
            match face.piece {
                Some(piece) => self.pieces[piece as usize].vertices = new,
                None => {
                    let changed = (0..3).filter(|&k| new[k] != face.vertices[k]);
                    self.moved.extend(changed.map(|k| (face.face, k as u32, new[k])));
                }
            }
        }
        for (&source, new) in sources.iter().zip(&faces[near.len()..]) {
            let Beside { face, turned, .. } = near[source as usize];
            let corners = new.map(|v| points[v as usize]);
            self.pieces.push(Piece { face, vertices: new.map(number), corners, turned });
        }
        Ok(copies.len())
    }
}
