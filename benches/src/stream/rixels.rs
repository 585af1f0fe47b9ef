//! Figure 6.10: bytes of frames by the part of the picture that is seen, and times by the faces of the mesh.
use super::{served, time_on};
use crate::options::Options;
use anyhow::Result;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Device, DeviceKind};
use ribbonmesh_mesh::shapes::icosphere;
use ribbonmesh_rixels::{Depth, Options as Encoding, Painter, Scene, Values, View};
use serde::Serialize;
use std::time::Instant;

/// Parts of the picture. Those of 1/72 and 1/88 are where the thesis's layout takes as many bytes as the one
/// before.
const COVERED: [f64; 9] = [1.0, 0.75, 0.5, 0.25, 0.1, 0.03, 1.0 / 72.0, 1.0 / 88.0, 0.002];
/// Subdivisions of the sphere: 0.3, 1.3 and 5.2 million faces.
const LEVELS: [u32; 3] = [7, 8, 9];

/// Frames of one mesh from one place.
#[derive(Serialize)]
pub struct Rixels {
    /// Faces of the mesh.
    pub faces: usize,
    /// Pixels of the picture.
    pub pixels: u32,
    /// Pixels that are seen.
    pub count: u32,
    /// Bits of a depth.
    pub depth_bits: u32,
    /// Bytes of the parts.
    pub bytes: usize,
    /// Milliseconds on the device until each pixel has its face and its value.
    pub draw_ms: f64,
    /// Milliseconds by the host's clock until the frame is in its memory, the mean and the least.
    pub encode_ms: [f64; 2],
    /// Milliseconds from bytes to pixels, without a browser.
    pub decode_ms: f64,
}

impl Rixels {
    /// Bytes of the layout before the thesis's: a position and a colour for each pixel that is seen.
    pub fn old(&self) -> u64 {
        15 * u64::from(self.count)
    }
    /// Bytes of the thesis's layout.
    pub fn thesis(&self) -> u64 {
        u64::from(self.pixels / 8) + u64::from(self.count) * (2 + u64::from(self.depth_bits / 8))
    }
}

/// Measures all.
pub fn measure(device: &Device, options: &Options) -> Result<Vec<Rixels>> {
    let most = options.faces.iter().max().copied().unwrap_or(u64::MAX);
    let mut all = vec![];
    for level in LEVELS.into_iter().filter(|level| 20 << (2 * level) <= most) {
        let mesh = icosphere(level)?;
        let points: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
        let values: Vec<f32> = points.iter().map(|p| (5.0 * p.x).sin() * p.y).collect();
        let (positions, values) = (device.upload(&points)?, device.upload(&values)?);
        let faces = device.upload(mesh.faces.as_flattened())?;
        let scene = Scene { positions: &positions, faces: &faces, values: Values::OfVertices(&values) };
        // the sizes are the same for all meshes
        let covered = if all.is_empty() { &COVERED[..] } else { &[1.0, 0.5, 0.1] };
        for &covered in covered {
            for depth in [Depth::Linear16, Depth::Linear32] {
                all.push(frame(device, &scene, &view(covered, 1024)?, depth)?);
            }
        }
        if level == LEVELS[LEVELS.len() - 1] && device.kind() == DeviceKind::Cuda {
            all.push(frame(device, &scene, &view(0.5, 4096)?, Depth::Linear16)?);
        }
        eprintln!("rixels of {} faces are measured", mesh.faces.len());
    }
    Ok(all)
}

/// A view of a sphere of radius 1 in parallel projection. It covers this part of the picture; of the whole
/// one a part from within.
fn view(covered: f64, side: u32) -> Result<View> {
    let width = if covered < 1.0 { (std::f64::consts::PI / covered).sqrt() } else { 1.3 };
    let looking = served::looking(side, DVec3::ZERO, width, 0.0);
    Ok(View::from_columns(side, side, &looking.view, &looking.projection)?)
}

fn frame(device: &Device, scene: &Scene<'_>, view: &View, depth: Depth) -> Result<Rixels> {
    let repetitions = if device.kind() == DeviceKind::Cuda { 30 } else { 3 };
    let (mut painter, encoding) = (Painter::new(device), Encoding { depth });
    let drawn = time_on(device, repetitions, || painter.draw(scene, view))?;
    painter.encode(scene, view, &encoding)?;
    let (mut sum, mut least) = (0.0, f64::INFINITY);
    for _ in 0..repetitions {
        let begin = Instant::now();
        painter.encode(scene, view, &encoding)?;
        let ms = 1e3 * begin.elapsed().as_secs_f64();
        (sum, least) = (sum + ms, least.min(ms));
    }
    let encode_ms = [sum / repetitions as f64, least];
    let rixels = painter.encode(scene, view, &encoding)?;
    let (begin, reads) = (Instant::now(), repetitions.min(5));
    for _ in 0..reads {
        let read = ribbonmesh_rixels::Rixels::from_parts(*rixels.header(), rixels.parts())?;
        std::hint::black_box(read.pixels().collect::<Vec<_>>());
    }
    Ok(Rixels {
        faces: scene.faces.len() / 3,
        pixels: view.pixels(),
        count: rixels.count(),
        depth_bits: depth.bits(),
        bytes: rixels.bytes().len(),
        draw_ms: 1e3 * drawn.median,
        encode_ms,
        decode_ms: 1e3 * begin.elapsed().as_secs_f64() / reads as f64,
    })
}
