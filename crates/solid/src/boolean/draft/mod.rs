//! The part of a result that faces of the meshes are not.
mod parted;
mod parts;
mod pieces;

use crate::arrange::{Grid, Known, Patches, Ranges, arrange, pooled};
use crate::boolean::BooleanError;
use crate::boolean::kernels::{DROPPED, TURNED};
use crate::boolean::run::{BooleanReport, Opening, Operation};
use crate::boolean::scene::{Listed, Scene, Wanted, place};
use crate::boolean::snap::Round;
use glam::Vec3;
use rustc_hash::FxHashMap;

pub(crate) use pieces::{Beside, Fresh, Numbered, Piece, key};

/// The result of a combination: faces of a scene, and pieces.
pub(crate) struct Draft {
    pub(crate) scene: Scene,
    pub(crate) fresh: Vec<Fresh>,
    pub(crate) pieces: Vec<Piece>,
    /// Faces of the scene with a corner, in the result's orientation, that gets a new vertex.
    pub(crate) moved: Vec<(u32, u32, u32)>,
    /// Vertices of the scene whose faces are several fans there.
    several: Vec<u32>,
    /// How many pieces, the first ones, were there before the last round of mending.
    pub(crate) mended: usize,
    /// The volume that mending has added.
    pub(crate) changed: f64,
}

impl Draft {
    /// Cuts all faces that meet others, and selects parts of the meshes. In a round of mending that is not
    /// the first, 0, new points become points nearby.
    pub(crate) fn new(
        mut scene: Scene,
        operation: Operation,
        round: Round,
        report: &mut BooleanReport,
    ) -> Result<Self, BooleanError> {
        let Wanted { faces: of, vertices, points, corners: faces, joined, roots, pairs, all_pairs, several } =
            scene.find()?;
        report.intersecting_pairs = all_pairs;
        // the first face of each set stands for it
        let mut first: FxHashMap<u32, u32> = FxHashMap::default();
        let mut sets: Vec<[u32; 2]> = vec![];
        // faces that follow each other mostly are of one set
        let mut last: Option<[u32; 2]> = None;
        let label = |(face, root): (u32, Option<u32>)| match (root, last) {
            (None, _) => face,
            (Some(root), Some([same, label])) if root == same => label,
            (Some(root), _) => {
                let label = *first.entry(root).or_insert_with(|| {
                    sets.push([root, face]);
                    face
                });
                last = Some([root, label]);
                label
            }
        };
        let labels: Vec<u32> = (0..).zip(roots).map(label).collect();
        let meshes = Ranges(scene.starts.0.iter().map(|&start| place(&of, start)).collect());
        let (scale, pairs) = (scene.scale, &pairs);
        let found = pooled(|| {
            let arrangement = arrange(Grid::of_scale(scale, points), faces, joined, pairs)?;
            let patches = Patches::new(&arrangement, &labels, &meshes)?;
            Some((arrangement, patches))
        });
        let (arrangement, patches) = found.ok_or(BooleanError::Contradiction)?;
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
        let (fresh, pieces, moved) = (vec![], vec![], vec![]);
        let mut draft = Self { scene, fresh, pieces, moved, several, mended: 0, changed: 0.0 };
        let face = |face: u32| (of[face as usize], false);
        let reach = round.reach(draft.scene.largest);
        draft.add_parts(&arrangement, &vertices, face, |part| cells.of_part(part, &selected), reach);
        // megabytes in many parts: nobody waits until they are given back
        rayon::spawn(move || drop((arrangement, cells)));
        Ok(draft)
    }
    /// A vertex that is new.
    pub(crate) fn new_vertex(&self, vertex: u32) -> Option<Fresh> {
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
    pub(crate) fn first_fresh(&self) -> u32 {
        self.scene.vertices()
    }
}

/// Faces of the scene that are in the result, by their numbers and states, vertices and positions.
pub(crate) fn of_scene(list: &[[u32; 2]], (vertices, corners): Listed) -> Vec<Beside> {
    let beside = |((&[face, state], vertices), corners): ((&[u32; 2], _), _)| {
        let turned = state == TURNED;
        let of_input =
            Beside { face, piece: None, vertices, corners, turned: false, before: corners, is_part: false };
        of_input.as_piece(turned).of_scene()
    };
    list.iter().zip(vertices).zip(corners).map(beside).collect()
}
