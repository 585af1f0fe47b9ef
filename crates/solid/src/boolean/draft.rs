//! The part of a result that faces of the meshes are not.
use crate::arrange::{Arrangement, Grid, Known, Patches, Ranges, arrange};
use crate::boolean::BooleanError;
use crate::boolean::kernels::{DROPPED, TURNED};
use crate::boolean::on_grid::on_grid;
use crate::boolean::run::{BooleanReport, Opening, Operation};
use crate::boolean::scene::{Scene, Wanted, place};
use crate::boolean::sheets::{Sheets, forks};
use crate::boolean::snap::{reach, snapped};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh_mesh::MeshError;
use rustc_hash::FxHashMap;

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
pub(crate) struct Beside {
    /// The face of the input, and its place among the pieces, if it is one.
    pub(crate) face: u32,
    pub(crate) piece: Option<u32>,
    pub(crate) vertices: [u32; 3],
    pub(crate) corners: [Vec3; 3],
    pub(crate) turned: bool,
}

impl Piece {
    /// The piece with its place among the pieces.
    pub(crate) fn beside(&self, place: u32) -> Beside {
        let Self { face, vertices, corners, turned } = *self;
        Beside { face, piece: Some(place), vertices, corners, turned }
    }
}
impl Beside {
    /// The same as a piece; turned around, or not.
    pub(crate) fn as_piece(&self, around: bool) -> Piece {
        let Self { face, mut vertices, mut corners, turned, .. } = *self;
        if around {
            vertices.swap(1, 2);
            corners.swap(1, 2);
        }
        Piece { face, vertices, corners, turned: turned != around }
    }
}

/// Some faces with vertices that are numbered among themselves, in their order.
pub(crate) struct Numbered {
    /// The vertices, ascending.
    pub(crate) vertices: Vec<u32>,
    pub(crate) points: Vec<Vec3>,
    pub(crate) faces: Vec<[u32; 3]>,
}

impl Numbered {
    pub(crate) fn new<'a>(
        faces: impl ParallelIterator<Item = (&'a [u32; 3], &'a [Vec3; 3])> + Clone,
    ) -> Self {
        let corners = |(vertices, corners): (&'a [u32; 3], &'a [Vec3; 3])| {
            vertices.iter().copied().zip(corners.iter().copied())
        };
        let mut known: Vec<(u32, Vec3)> = faces.clone().flat_map_iter(corners).collect();
        known.par_sort_unstable_by_key(|of| of.0);
        known.dedup_by_key(|of| of.0);
        let (vertices, points): (Vec<u32>, Vec<Vec3>) = known.into_iter().unzip();
        let faces: Vec<&[u32; 3]> = faces.map(|of| of.0).collect();
        let faces = faces.par_iter().map(|face| face.map(|v| place(&vertices, v))).collect();
        Self { vertices, points, faces }
    }
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
    /// How many pieces, the first ones, were there before the last round of mending.
    pub(crate) mended: usize,
}

/// Vertices that were added where a result touches itself.
#[derive(Default)]
pub(crate) struct Parted {
    /// Their number.
    pub(crate) vertices: usize,
    /// Number of those in the middle of edges.
    pub(crate) middles: usize,
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
        let Numbered { vertices, points, faces } = Numbered::new(vertices.par_iter().zip(&corners));
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
        let mut draft = Self { scene, fresh: vec![], pieces: vec![], moved: vec![], merged, mended: 0 };
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
    pub(crate) fn add_parts(
        &mut self,
        all: &Arrangement,
        vertices: &[u32],
        face: impl Fn(u32) -> (u32, bool) + Sync,
        turn: impl Fn(u32) -> Option<bool> + Sync,
        reach: f32,
    ) {
        let count = vertices.len() as u32;
        let points = all.points();
        let at = |point: u32| match all.grid.points.get(point as usize) {
            Some(&at) => at,
            None => all.grid.place(points.place(point).at).as_vec3(),
        };
        let of_cut = (all.faces.len() as u32..all.end()).into_par_iter();
        let cut: Vec<(u32, bool)> = of_cut.filter_map(|part| Some((part, turn(part)?))).collect();
        let of_cut = cut.par_iter().map(|&(part, _)| all.corners(part));
        let mut candidates: Vec<u32> =
            of_cut.filter(|corners| corners.iter().any(|&p| p >= count)).flatten_iter().collect();
        candidates.par_sort_unstable();
        candidates.dedup();
        let one = snapped(&candidates, count, reach, at);
        let moved = cut.into_par_iter().map(|(part, turn)| {
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
        let piece = |(part, turn, corners): (u32, bool, [u32; 3])| {
            let (face, turned) = face(all.face(part));
            let (vertices, corners) = (corners.map(number), corners.map(|p| on_grid(at(p), scale)));
            Beside { face, piece: None, vertices, corners, turned }.as_piece(turn)
        };
        self.pieces.par_extend(moved.into_par_iter().map(piece));
        self.fresh.par_extend(made.par_iter().map(|&p| Fresh::Made(on_grid(at(p), scale))));
    }
    /// Faces of the scene that are in the result, by their numbers and states.
    pub(crate) fn of_scene(&self, list: &[[u32; 2]]) -> ribbonmesh::Result<Vec<Beside>> {
        let faces: Vec<u32> = list.iter().map(|of| of[0]).collect();
        let (vertices, corners) = self.scene.faces(&faces)?;
        let beside = |((&[face, state], vertices), corners): ((&[u32; 2], _), _)| {
            let Piece { vertices, corners, .. } =
                Beside { face, piece: None, vertices, corners, turned: false }.as_piece(state == TURNED);
            Beside { face, piece: None, vertices, corners, turned: state == TURNED }
        };
        Ok(list.iter().zip(vertices).zip(corners).map(beside).collect())
    }
    /// The vertices of pieces, and those that stand for others, at which the result may touch itself,
    /// ascending: their faces are not one fan.
    fn forks(&self) -> Result<Vec<u32>, BooleanError> {
        let count = self.scene.vertices();
        let mut touched = vec![false; count as usize + self.fresh.len()];
        for &v in self.pieces.iter().flat_map(|piece| &piece.vertices).chain(&self.merged) {
            touched[v as usize] = true;
        }
        let of_scene: Vec<u32> = (0..count).filter(|&v| touched[v as usize]).collect();
        let near = self.scene.touching(&of_scene)?;
        let list: Vec<u32> = near.iter().map(|of| of[0]).collect();
        let turned = |([a, b, c], &[_, state]): ([u32; 3], &[u32; 2])| {
            if state == TURNED { [a, c, b] } else { [a, b, c] }
        };
        let of_scene = self.scene.vertices_of(&list)?.into_par_iter().zip(&near).map(turned);
        let faces = of_scene.chain(self.pieces.par_iter().map(|piece| piece.vertices));
        let links = faces.flat_map_iter(|[a, b, c]| [[a, b, c], [b, c, a], [c, a, b]]);
        Ok(forks(links.filter(|link| touched[link[0] as usize]).collect()))
    }
    /// Doubles vertices where the result touches itself, so that it is a manifold. Says how many are added;
    /// those in the middle of edges are rounded, at a place that depends on the round.
    pub(crate) fn part_sheets(&mut self, round: u32) -> Result<Parted, BooleanError> {
        if self.pieces.is_empty() && self.merged.is_empty() {
            return Ok(Parted::default());
        }
        let forks = self.forks()?;
        if forks.is_empty() {
            return Ok(Parted::default());
        }
        let is_fork = |v: &u32| forks.binary_search(v).is_ok();
        let of_scene: Vec<u32> = forks.iter().copied().filter(|&v| v < self.scene.vertices()).collect();
        let mut near = self.of_scene(&self.scene.touching(&of_scene)?)?;
        let pieces = self.pieces.par_iter().enumerate().filter(|of| of.1.vertices.iter().any(is_fork));
        near.extend(pieces.map(|(i, piece)| piece.beside(i as u32)).collect::<Vec<_>>());
        let Numbered { vertices, points, faces } =
            Numbered::new(near.par_iter().map(|face| (&face.vertices, &face.corners)));
        let marked = vertices.iter().map(is_fork).collect();
        let before = vertices.len();
        let mut sheets = Sheets::new(self.scene.scale, points, faces, marked, round);
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
        let middles = copies.iter().filter(|copy| copy.is_middle).count();
        Ok(Parted { vertices: copies.len(), middles })
    }
}
