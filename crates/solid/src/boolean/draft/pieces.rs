//! Faces and vertices of a draft.
use crate::arrange::{GRAIN, widest};
use crate::boolean::scene::place;
use glam::Vec3;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// A position as a key.
pub(crate) fn key(point: Vec3) -> [u32; 3] {
    // adding 0 turns −0 into 0
    point.to_array().map(|x| (x + 0.0).to_bits())
}

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
    /// The positions before vertices were merged.
    pub(crate) before: [Vec3; 3],
    /// Whether it is a part of that face.
    pub(crate) is_part: bool,
}

impl Piece {
    /// The piece with its place among the pieces.
    pub(crate) fn beside(&self, place: u32) -> Beside {
        let Self { face, vertices, corners, turned } = *self;
        Beside { face, piece: Some(place), vertices, corners, turned, before: corners, is_part: false }
    }
    /// The face of the input, in the orientation of the piece.
    pub(crate) fn of_scene(&self) -> Beside {
        Beside { piece: None, ..self.beside(0) }
    }
}
impl Beside {
    /// Whether it is the face that it was.
    pub(crate) fn is_as_before(&self) -> bool {
        !self.is_part && self.before == self.corners
    }
    /// Whether all corners are among some positions.
    pub(crate) fn is_within(&self, positions: &FxHashSet<[u32; 3]>) -> bool {
        self.before.iter().all(|&p| positions.contains(&key(p)))
    }
    /// Whether it has three vertices, but no area.
    pub(crate) fn is_flat(&self) -> bool {
        let [a, b, c] = self.vertices;
        a != b && b != c && c != a && widest(self.corners).is_none()
    }
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
        let number = |face: &&[u32; 3]| face.map(|v| place(&vertices, v));
        let faces = faces.par_iter().with_min_len(GRAIN / 4).map(number).collect();
        Self { vertices, points, faces }
    }
}
