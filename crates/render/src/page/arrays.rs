//! Arrays for the graphics card, as text.
use super::net::pack;
use crate::{Colouring, Scene, vertex_normals};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::DVec3;
use ribbonmesh_mesh::BoundingBox;
use std::borrow::Cow;
use std::io::{self, Write};

/// Elements of a piece of an array; a multiple of 3, so that only the last piece's text is padded.
const PIECE: usize = 3 << 16;
/// Stands for no number among the numbers of vertices.
const NO_NUMBER: u16 = u16::MAX;

/// Bytes of all arrays of a scene.
pub(super) fn bytes(scene: &Scene<'_>) -> u64 {
    let (vertices, faces) = (scene.positions.len() as u64, scene.faces.len() as u64);
    let colours = match scene.colouring {
        Colouring::Vertices(_) => 3 * vertices,
        Colouring::Faces(_) => 3 * faces,
        Colouring::Scalar { .. } => 2 * vertices,
        Colouring::Plain(_) | Colouring::Normals => 0,
    };
    16 * vertices + 12 * faces + colours
}

/// The faces that are shown, and the sphere around them, which becomes that of radius 1 around the origin.
pub(super) struct Frame {
    /// Faces without a corner that is not finite.
    pub shown: Vec<u32>,
    /// Whether a vertex has such a face.
    used: Vec<bool>,
    middle: DVec3,
    radius: f64,
}

impl Frame {
    pub fn of(scene: &Scene<'_>) -> Self {
        let place = |v: u32| scene.positions[v as usize];
        let finite = |face: &[u32; 3]| face.iter().all(|&v| place(v).is_finite());
        let shown: Vec<u32> =
            (0..).zip(scene.faces).filter(|(_, face)| finite(face)).map(|(i, _)| i).collect();
        let corners = shown.iter().flat_map(|&face| scene.faces[face as usize]).map(place);
        let mut used = vec![false; scene.positions.len()];
        for v in shown.iter().flat_map(|&face| scene.faces[face as usize]) {
            used[v as usize] = true;
        }
        let around = BoundingBox::around(corners);
        let (middle, radius) = around.map_or((DVec3::ZERO, 0.0), |b| (b.middle(), b.diagonal() / 2.0));
        Self { shown, used, middle, radius: if radius > 0.0 { radius } else { 1.0 } }
    }
    /// The position of a vertex in that sphere; the origin for a vertex that no face shows.
    fn place(&self, v: usize, position: DVec3) -> [f32; 3] {
        let p = (position - self.middle) / self.radius;
        if self.used[v] { p.to_array().map(|x| x as f32) } else { [0.0; 3] }
    }
}

/// All arrays of a page.
pub(super) struct Arrays<'a> {
    pub scene: &'a Scene<'a>,
    pub frame: &'a Frame,
}

impl Arrays<'_> {
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (scene, frame) = (self.scene, self.frame);
        let vertices = scene.positions.len();
        let three = |[a, b, c]: [[u8; 4]; 3]| {
            let mut bytes = [0; 12];
            bytes.as_chunks_mut::<4>().0.copy_from_slice(&[a, b, c]);
            bytes
        };
        array(out, "positions", vertices, |v| {
            three(frame.place(v, scene.positions[v]).map(f32::to_le_bytes))
        })?;
        let face = |i: usize| frame.shown[i] as usize;
        array(out, "indices", frame.shown.len(), |i| three(scene.faces[face(i)].map(u32::to_le_bytes)))?;
        let normals = match scene.normals {
            Some(normals) => Cow::Borrowed(normals),
            None => Cow::Owned(vertex_normals(scene.positions, scene.faces)),
        };
        array(out, "normals", vertices, |v| pack(normals[v]).to_le_bytes())?;
        match scene.colouring {
            Colouring::Vertices(colours) => array(out, "colours", vertices, |v| colours[v]),
            Colouring::Faces(colours) => array(out, "colours", frame.shown.len(), |i| colours[face(i)]),
            Colouring::Scalar { values, range, .. } => array(out, "places", vertices, |v| {
                let place = range.place(values[v]).clamp(0.0, 1.0) * f32::from(NO_NUMBER - 1);
                let place = if values[v].is_finite() { place.round() as u16 } else { NO_NUMBER };
                place.to_le_bytes()
            }),
            Colouring::Plain(_) | Colouring::Normals => Ok(()),
        }
    }
}

/// An array in pieces, each a script element that is not a script.
fn array<const N: usize>(
    out: &mut dyn Write,
    name: &str,
    len: usize,
    item: impl Fn(usize) -> [u8; N],
) -> io::Result<()> {
    let (mut bytes, mut text) = (Vec::with_capacity(N * PIECE.min(len)), String::new());
    for first in (0..len).step_by(PIECE) {
        bytes.clear();
        text.clear();
        (first..len.min(first + PIECE)).for_each(|i| bytes.extend_from_slice(&item(i)));
        STANDARD.encode_string(&bytes, &mut text);
        writeln!(out, "<script type=\"text/plain\" data-array=\"{name}\">{text}</script>")?;
    }
    Ok(())
}
