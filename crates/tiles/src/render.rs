//! Pictures of meshes larger than memory.
use crate::disk::{self, Reader};
use crate::kept::{Kept, VertexSet};
use crate::look_up::{Table, look_up};
use crate::plan::LEAST_MEMORY;
use crate::streaming::{OnDisk, Streaming};
use crate::{Result, TilesError};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::Device;
use ribbonmesh_mesh::NormalSums;
use ribbonmesh_render::{Camera, Colouring, Image, Lens, Parts, Scene, Style, Up, View, Visibility};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::path::Path;

/// Bytes for a sample of the picture: its face and distance, up to now and of a part.
const PER_SAMPLE: u64 = 40;

/// A picture to be made of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// Where it is seen from.
    pub view: View,
    /// The axis that points up.
    pub up: Up,
    /// The projection.
    pub lens: Lens,
    /// Its size and style.
    pub style: Style,
    /// Whether colours are directions of normals, instead of one colour.
    pub normals: bool,
}

impl Shot {
    /// Samples of the picture.
    pub fn samples(&self) -> u64 {
        let Style { width, height, samples, .. } = self.style;
        u64::from(width) * u64::from(height) * u64::from(samples).pow(2)
    }
    /// Bytes of memory that they take while the picture is drawn by parts.
    pub fn bytes(&self) -> u64 {
        PER_SAMPLE * self.samples()
    }
}

/// Draws the mesh of a file (binary PLY of triangles, OBJ, binary STL, GLB) as
/// [`Scene::render`](ribbonmesh_render::Scene::render) does it in memory. Where single precision holds all
/// coordinates, the picture has the same bits; others are rounded around a local origin first.
///
/// Faces are drawn in their order, some at a time. Then the faces that samples show are read again and
/// shaded, for as many rows of the picture as they fit into memory. In memory are the samples, 40 bytes each,
/// and two bits for each vertex.
/// # Errors
/// [`TilesError::Option`] where the samples leave too little memory; other [`TilesError`]s.
pub fn render(from: &Path, shot: &Shot, options: &Streaming, say: &mut dyn FnMut(String)) -> Result<Image> {
    shot.style.check().map_err(TilesError::Render)?;
    let memory = options.memory.saturating_sub(shot.bytes());
    if memory < LEAST_MEMORY {
        let expected = format!("{} or more for a picture of so many pixels", shot.bytes() + LEAST_MEMORY);
        return Err(TilesError::Option { option: "memory", value: options.memory.to_string(), expected });
    }
    let mesh = OnDisk::read(from, &Streaming { memory, ..options.clone() })?;
    let most = options.tile_faces.map_or(mesh.room.whole / 2, |_| mesh.room.tile) as usize;
    let faces = Faces { mesh: &mesh };
    let camera = faces.camera(shot)?;
    let device = Device::cpu();
    let mut parts =
        Parts::new(&device, &camera, &shot.style, |visit| faces.each_vertex(&mut |_, p| visit(p)))?;
    let mut drawn = 0;
    faces.each_part(most, |positions, corners| {
        drawn += 1;
        parts.add(&Scene::new(positions, corners).standing(shot.up)).map_err(TilesError::Render)
    })?;
    let mut seen = parts.visibility();
    let mut image = Image::new(shot.style.width, shot.style.height, [0; 4]);
    let (mut row, mut bands) = (0, 0);
    while row < shot.style.height {
        let (rows, numbers) = band(&seen, shot, row, most);
        let samples = samples(&seen, shot, &rows);
        let place = |face: u32| numbers.binary_search(&face).map_or(Visibility::NOTHING, |i| i as u32);
        seen.faces[samples].par_iter_mut().for_each(|face| *face = place(*face));
        let shown = faces.shown(&numbers, shot.style.smooth)?;
        image.paste(&shown.shade(shot, &camera, &seen, rows.clone())?, [0, rows.start]);
        (row, bands) = (rows.end, bands + 1);
    }
    say(format!("{} faces in {drawn} parts, shaded in {bands}", mesh.sizes.faces));
    mesh.remove()?;
    Ok(image)
}

/// The samples of some rows of pixels.
fn samples(seen: &Visibility, shot: &Shot, rows: &Range<u32>) -> Range<usize> {
    let first = |row: u32| seen.width * (row * shot.style.samples) as usize;
    first(rows.start)..first(rows.end)
}

/// As many rows of pixels from one on as show `most` faces, at least one row; and the faces, which ascend.
fn band(seen: &Visibility, shot: &Shot, first: u32, most: usize) -> (Range<u32>, Vec<u32>) {
    let mut all: FxHashSet<u32> = FxHashSet::default();
    let mut end = first;
    while end < shot.style.height {
        let mut new: Vec<u32> = seen.faces[samples(seen, shot, &(end..end + 1))].to_vec();
        new.retain(|face| *face != Visibility::NOTHING && !all.contains(face));
        new.sort_unstable();
        new.dedup();
        if end > first && all.len() + new.len() > most {
            break;
        }
        all.extend(new);
        end += 1;
    }
    let mut numbers: Vec<u32> = all.into_iter().collect();
    numbers.sort_unstable();
    (first..end, numbers)
}

/// The faces of the mesh in its order.
struct Faces<'m> {
    mesh: &'m OnDisk,
}

impl Faces<'_> {
    fn each(&self, visit: &mut dyn FnMut([u32; 3]) -> Result<()>) -> Result<()> {
        let OnDisk { level, sizes, .. } = self.mesh;
        disk::each_piece(&level.faces(), [0, sizes.faces], |faces: &[[u32; 3]]| {
            faces.iter().try_for_each(|&face| visit(face))
        })
    }
    /// Gives each face with the positions of its corners.
    fn each_placed(&self, visit: &mut dyn FnMut([u32; 3], [DVec3; 3]) -> Result<()>) -> Result<()> {
        let OnDisk { level, sizes, room, frame, .. } = self.mesh;
        let mut corners = Reader::<[u32; 3]>::open(&level.faces(), sizes.faces, disk::BUFFER)?;
        let table = Table {
            file: &level.vertices(),
            rows: sizes.vertices,
            block: room.positions(),
            between: level.looked_up(),
        };
        look_up::<Vec3>(&|visit| self.each(visit), sizes.faces, &table, &mut |x| {
            visit(corners.next()?, x.map(|p| frame.outside(p)))
        })
    }
    /// Gives the faces in parts of at most so many, with corners of their own.
    fn each_part(
        &self,
        most: usize,
        mut visit: impl FnMut(&[DVec3], &[[u32; 3]]) -> Result<()>,
    ) -> Result<()> {
        let most = most.min(self.mesh.sizes.faces as usize);
        let corners: Vec<[u32; 3]> = (0..most as u32).map(corners).collect();
        let mut positions: Vec<DVec3> = Vec::with_capacity(3 * most);
        self.each_placed(&mut |_, x| {
            positions.extend(x);
            if positions.len() == 3 * most {
                visit(&positions, &corners)?;
                positions.clear();
            }
            Ok(())
        })?;
        if positions.is_empty() { Ok(()) } else { visit(&positions, &corners[..positions.len() / 3]) }
    }
    /// Gives all vertices.
    fn each_vertex(&self, visit: &mut dyn FnMut(u32, DVec3)) -> Result<()> {
        let OnDisk { level, sizes, frame, .. } = self.mesh;
        let mut v = 0;
        disk::each_piece(&level.vertices(), [0, sizes.vertices], |x: &[Vec3]| {
            for &p in x {
                visit(v, frame.outside(p));
                v += 1;
            }
            Ok(())
        })
    }
    /// The camera that shows all faces.
    fn camera(&self, shot: &Shot) -> Result<Camera> {
        let mut used = VertexSet::new(self.mesh.sizes.vertices);
        self.each(&mut |face| {
            face.into_iter().for_each(|v| used.add(v));
            Ok(())
        })?;
        Camera::fit_points(shot.up, shot.view, shot.lens, &shot.style, |visit| {
            self.each_vertex(&mut |v, p| {
                if used.has(v) {
                    visit(p);
                }
            })
        })
    }
    /// The faces of ascending numbers, with normals at their corners if they are `smooth`: sums over all
    /// faces there, in their order.
    fn shown(&self, numbers: &[u32], smooth: bool) -> Result<Shown> {
        let mut own: Vec<[u32; 3]> = Vec::with_capacity(numbers.len());
        let mut face = 0;
        self.each(&mut |corners| {
            if numbers.get(own.len()) == Some(&face) {
                own.push(corners);
            }
            face += 1;
            Ok(())
        })?;
        let mut near = VertexSet::new(if smooth { self.mesh.sizes.vertices } else { 0 });
        if smooth {
            own.as_flattened().iter().for_each(|&v| near.add(v));
        }
        let near = Kept::new(if smooth { self.mesh.sizes.vertices } else { 0 }, |v| near.has(v));
        let mut sums = NormalSums::new(near.kept() as usize);
        let mut positions: Vec<DVec3> = Vec::with_capacity(3 * numbers.len());
        let mut face = 0;
        self.each_placed(&mut |corners, x| {
            if numbers.get(positions.len() / 3) == Some(&face) {
                positions.extend(x);
            }
            face += 1;
            if smooth && corners.iter().any(|&v| near.has(v)) {
                sums.add(corners.map(|v| near.has(v).then(|| near.number(v) as usize)), x);
            }
            Ok(())
        })?;
        let normals = sums.normals();
        let at = |&v: &u32| normals[near.number(v) as usize];
        let normals = if smooth { own.as_flattened().iter().map(at).collect() } else { vec![] };
        Ok(Shown { positions, normals })
    }
}

/// The corners of a face that has three vertices of its own.
fn corners(face: u32) -> [u32; 3] {
    [3 * face, 3 * face + 1, 3 * face + 2]
}

/// Faces with corners of their own.
struct Shown {
    positions: Vec<DVec3>,
    /// Normals at corners; none where faces are flat.
    normals: Vec<[f32; 3]>,
}

impl Shown {
    fn shade(&self, shot: &Shot, camera: &Camera, seen: &Visibility, rows: Range<u32>) -> Result<Image> {
        let faces: Vec<[u32; 3]> = (0..self.positions.len() as u32 / 3).map(corners).collect();
        let colouring = if shot.normals { Colouring::Normals } else { Colouring::default() };
        let scene = Scene::new(&self.positions, &faces).standing(shot.up).coloured(colouring);
        let scene = if shot.style.smooth { scene.with_normals(&self.normals) } else { scene };
        Ok(scene.shade_rows(camera, &shot.style, seen, rows)?)
    }
}
