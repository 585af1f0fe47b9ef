//! The face that each sample shows, drawn by the kernels of `ribbonmesh-rixels`.
use crate::camera::Frame;
use crate::{Camera, RenderError, Scene, Style};
use glam::{DMat4, DVec3, DVec4};
use rayon::prelude::*;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_rixels::{Painter, Picture, Scene as OnDevice, Seen, Values, View};
use std::ops::Range;

/// The face that each sample of a picture shows, row by row from the top, and its distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Visibility {
    /// Samples across: pixels times [`Style::samples`].
    pub width: usize,
    /// Rows of samples.
    pub height: usize,
    /// The face; [`Visibility::NOTHING`] where there is none. Of equally near faces the first is seen.
    pub faces: Vec<u32>,
    /// The distance along the direction of view, in the mesh's units: from the eye in perspective, else from
    /// the target, and negative in front of it. Infinite beside all faces.
    pub distances: Vec<f32>,
}

impl Visibility {
    /// No face.
    pub const NOTHING: u32 = Picture::NOTHING;

    /// Draws all faces of a scene on a device: the same samples, bit by bit, on all machines. Vertices are
    /// rounded to single precision as the eye sees them, and to a 256th of a sample on the picture. Memory on
    /// the device: 12 bytes for a vertex, 16 for a face, 8 for a sample.
    /// # Errors
    /// [`RenderError`]: the scene or the style is invalid; out of memory or errors of the device.
    pub fn new(
        device: &Device,
        scene: &Scene<'_>,
        camera: &Camera,
        style: &Style,
    ) -> Result<Self, RenderError> {
        scene.check()?;
        style.check()?;
        let frame = Frame::new(camera, style);
        Self::of(device, scene, &frame.corners(scene), &frame)
    }

    /// Refuses another number of samples than a style's, and in some rows of pixels a face of which there is
    /// none.
    pub(crate) fn check(&self, faces: usize, style: &Style, rows: &Range<u32>) -> Result<(), RenderError> {
        let of = |pixels: u32| pixels as usize * style.samples as usize;
        let expected = of(style.width) * of(style.height);
        let same = |what, found| match found == expected {
            true => Ok(()),
            false => Err(RenderError::Length { what, expected, found }),
        };
        same("faces of samples", self.faces.len())?;
        same("distances of samples", self.distances.len())?;
        if self.width != of(style.width) {
            let (what, expected, found) = ("samples across", of(style.width), self.width);
            return Err(RenderError::Length { what, expected, found });
        }
        if rows.end > style.height || rows.start > rows.end {
            let found = rows.end.max(rows.start) as usize;
            return Err(RenderError::Length { what: "rows", expected: style.height as usize, found });
        }
        let samples = |row: u32| self.width * of(row);
        let wrong = |face: &&u32| **face != Self::NOTHING && **face as usize >= faces;
        match self.faces[samples(rows.start)..samples(rows.end)].iter().find(wrong) {
            Some(&face) => Err(RenderError::NoFace { face, faces }),
            None => Ok(()),
        }
    }

    /// As [`Visibility::new`], with the vertices in view space.
    pub(crate) fn of(
        device: &Device,
        scene: &Scene<'_>,
        corners: &[DVec3],
        frame: &Frame,
    ) -> Result<Self, RenderError> {
        let (width, height) = (frame.size.x as usize, frame.size.y as usize);
        let Some(optics) = Optics::of(corners, frame) else { return Ok(Self::nothing([width, height])) };
        let (mut painter, drawn) = (Painter::new(device), Drawn::new(device, corners, scene.faces, &optics)?);
        let tiles = Tile::all([width, height]);
        if let [tile] = &tiles[..] {
            let seen = drawn.seen(&mut painter, &optics.view(tile, [width, height])?)?;
            let distances = seen.distances.par_iter().map(|&away| optics.world(away)).collect();
            return Ok(Self { width, height, faces: seen.faces, distances });
        }
        let mut all = Self::nothing([width, height]);
        for tile in &tiles {
            let seen = drawn.seen(&mut painter, &optics.view(tile, [width, height])?)?;
            for (at, faces, distances) in tile.rows(width, &seen) {
                all.faces[at..at + faces.len()].copy_from_slice(faces);
                let into = all.distances[at..at + faces.len()].iter_mut();
                into.zip(distances).for_each(|(into, &away)| *into = optics.world(away));
            }
        }
        Ok(all)
    }
    /// Samples that show nothing.
    fn nothing([width, height]: [usize; 2]) -> Self {
        let samples = width * height;
        Self { width, height, faces: vec![Self::NOTHING; samples], distances: vec![f32::INFINITY; samples] }
    }
}

/// Visibility in a mesh of which a part is in memory at one time. Parts in any sizes give the same samples,
/// bit by bit, as [`Visibility::new`] of the whole mesh.
pub struct Parts {
    device: Device,
    frame: Frame,
    /// None if nothing can be seen.
    optics: Option<Optics>,
    painter: Painter,
    /// The nearest faces up to now, with distances as the painter gives them.
    seen: Visibility,
    /// Faces up to now.
    faces: usize,
}

impl Parts {
    /// Before the first part. `vertices` gives all vertices of the mesh, those without a face too, in any
    /// order; it is called once at most. Memory: 8 bytes for a sample, and three times as many while a part
    /// is drawn.
    /// # Errors
    /// Those of `vertices`; [`RenderError`]: the style is invalid.
    pub fn new<E: From<RenderError>>(
        device: &Device,
        camera: &Camera,
        style: &Style,
        vertices: impl FnOnce(&mut dyn FnMut(DVec3)) -> Result<(), E>,
    ) -> Result<Self, E> {
        style.check()?;
        let frame = Frame::new(camera, style);
        let mut depths = Depths::NONE;
        if !frame.perspective {
            vertices(&mut |p| depths = depths.with(frame.view(p), frame.height))?;
        }
        let seen = Visibility::nothing([frame.size.x as usize, frame.size.y as usize]);
        let (optics, painter) = (Optics::new(&frame, depths), Painter::new(device));
        Ok(Self { device: device.clone(), frame, optics, painter, seen, faces: 0 })
    }
    /// Draws the next faces: their numbers follow those of the parts before.
    /// # Errors
    /// [`RenderError`]: the scene is invalid, or there are too many faces; out of memory or errors of the
    /// device.
    pub fn add(&mut self, scene: &Scene<'_>) -> Result<(), RenderError> {
        scene.check()?;
        let first = self.faces;
        self.faces += scene.faces.len();
        if self.faces >= u32::MAX as usize {
            return Err(RenderError::TooManyFaces(self.faces));
        }
        let Some(optics) = &self.optics else { return Ok(()) };
        let (width, height) = (self.seen.width, self.seen.height);
        let drawn = Drawn::new(&self.device, &self.frame.corners(scene), scene.faces, optics)?;
        for tile in &Tile::all([width, height]) {
            let seen = drawn.seen(&mut self.painter, &optics.view(tile, [width, height])?)?;
            for (at, faces, distances) in tile.rows(width, &seen) {
                let known = at..at + faces.len();
                let known = self.seen.faces[known.clone()].iter_mut().zip(&mut self.seen.distances[known]);
                for ((face, away), (&new, &nearer)) in known.zip(faces.iter().zip(distances)) {
                    // of equally near faces the first stays
                    if nearer < *away {
                        (*face, *away) = (first as u32 + new, nearer);
                    }
                }
            }
        }
        Ok(())
    }
    /// The face that each sample shows, numbered over all parts.
    pub fn visibility(mut self) -> Visibility {
        if let Some(optics) = &self.optics {
            self.seen.distances.par_iter_mut().for_each(|away| *away = optics.world(*away));
        }
        self.seen
    }
}

/// The mesh on the device.
struct Drawn {
    positions: Buffer<Vec3>,
    faces: Buffer<u32>,
}

impl Drawn {
    fn new(
        device: &Device,
        corners: &[DVec3],
        faces: &[[u32; 3]],
        optics: &Optics,
    ) -> Result<Self, RenderError> {
        let positions: Vec<Vec3> = corners.par_iter().map(|&p| (p / optics.unit).as_vec3()).collect();
        Ok(Self { positions: device.upload(&positions)?, faces: device.upload(faces.as_flattened())? })
    }
    fn seen(&self, painter: &mut Painter, view: &View) -> Result<Seen, RenderError> {
        let scene = OnDevice { positions: &self.positions, faces: &self.faces, values: Values::Plain };
        Ok(painter.seen(&scene, view)?)
    }
}

/// A part of the picture that a painter draws at once.
struct Tile {
    /// The first sample across and down.
    first: [usize; 2],
    size: [usize; 2],
}

impl Tile {
    fn all([width, height]: [usize; 2]) -> Vec<Self> {
        let most = View::LIMIT as usize;
        let starts = |n: usize| (0..n).step_by(most).map(move |first| (first, most.min(n - first)));
        let row =
            |(y, rows)| starts(width).map(move |(x, across)| Self { first: [x, y], size: [across, rows] });
        starts(height).flat_map(row).collect()
    }
    /// The rows of what is seen there: the place among the samples of the picture where each begins.
    fn rows<'s>(
        &self,
        width: usize,
        seen: &'s Seen,
    ) -> impl Iterator<Item = (usize, &'s [u32], &'s [f32])> + use<'s> {
        let ([left, top], [across, _]) = (self.first, self.size);
        let rows = seen.faces.chunks(across).zip(seen.distances.chunks(across));
        rows.enumerate().map(move |(y, (faces, distances))| ((top + y) * width + left, faces, distances))
    }
}

/// A projection in lengths near 1, so that single precision suffices for meshes of any size.
struct Optics {
    /// The height of the picture, in the mesh's units.
    unit: f64,
    projection: DMat4,
}

impl Optics {
    /// None if nothing can be seen: a camera that is nowhere, or no vertex at a finite place.
    fn of(corners: &[DVec3], frame: &Frame) -> Option<Self> {
        let (none, unit) = (|| Depths::NONE, frame.height);
        if frame.perspective {
            return Self::new(frame, Depths::NONE);
        }
        let with = |all: Depths, &p: &DVec3| all.with(p, unit);
        let each = corners.par_iter().with_min_len(1 << 12);
        Self::new(frame, each.fold(none, with).reduce(none, Depths::union))
    }
    /// With the depths of all vertices, which a perspective does not need.
    fn new(frame: &Frame, depths: Depths) -> Option<Self> {
        let unit = frame.height;
        // rows from the top: y is turned over
        let half = if frame.perspective { frame.half } else { frame.half / unit };
        let [x, y] = [DVec4::X / half.x, -DVec4::Y / half.y];
        let projection = if frame.perspective {
            let near = -frame.near / unit;
            DMat4::from_cols(x, y, DVec4::new(0.0, 0.0, -1.0, -1.0), DVec4::new(0.0, 0.0, -2.0 * near, 0.0))
        } else {
            let [near, far] = depths.ends()?;
            let deep = far - near;
            let z = DVec4::new(0.0, 0.0, -2.0 / deep, 0.0);
            DMat4::from_cols(x, y, z, DVec4::new(0.0, 0.0, -(far + near) / deep, 1.0))
        };
        (unit > 0.0 && unit.is_finite() && projection.is_finite()).then_some(Self { unit, projection })
    }
    /// The view of a part of the picture.
    fn view(&self, tile: &Tile, samples: [usize; 2]) -> Result<View, RenderError> {
        let (mut scale, mut shift) = (DVec4::ONE, DVec4::ZERO);
        for k in 0..2 {
            let (all, size) = (samples[k] as f64, tile.size[k] as f64);
            scale[k] = all / size;
            shift[k] = (all - 2.0 * tile.first[k] as f64) / size - 1.0;
        }
        let part =
            DMat4::from_diagonal(scale) + DMat4::from_cols(DVec4::ZERO, DVec4::ZERO, DVec4::ZERO, shift);
        let [width, height] = tile.size.map(|n| n as u32);
        Ok(View::new(width, height, DMat4::IDENTITY, part * self.projection)?)
    }
    /// A distance in the mesh's units.
    fn world(&self, away: f32) -> f32 {
        (f64::from(away) * self.unit) as f32
    }
}

/// The least and the greatest distance of vertices that single precision has.
#[derive(Clone, Copy)]
struct Depths {
    low: f64,
    high: f64,
}

impl Depths {
    const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// With a vertex in view space.
    fn with(self, p: DVec3, unit: f64) -> Self {
        let p = (p / unit).as_vec3();
        let away = -f64::from(p.z);
        let both = |this: Self| Self { low: this.low.min(away), high: this.high.max(away) };
        if p.is_finite() { both(self) } else { self }
    }
    fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
    /// Both with a margin; none without vertices.
    fn ends(self) -> Option<[f64; 2]> {
        let Self { low, high } = self;
        let margin = 1e-5 * (low.abs() + high.abs() + 1.0);
        (low <= high).then_some([low - margin, high + margin])
    }
}
