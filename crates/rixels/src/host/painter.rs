//! Making pictures.
use super::error::Result;
use super::picture::{Picture, Seen};
use super::rixels::{Header, Options, Rixels};
use super::shown::Shown;
use super::view::View;
use crate::device::exact::number;
use crate::device::heights::MESH;
use crate::device::pack::{Measure, Pack, parts};
use crate::device::raster::{
    COUNT, Clear, DISTANCES, DrawHuge, DrawLarge, DrawSmall, NOTHING, PARTS, STATE, VALUES,
};
use rayon::prelude::*;
use ribbonmesh::device::{Pod, tiles};
use ribbonmesh::{Buffer, Device};

/// Faces that several blocks draw, at most; a single block draws each other one.
const HUGE_FACES: usize = 1 << 16;
/// Blocks for faces that are not small.
const BLOCKS: u32 = 4096;

/// Makes pictures of meshes on a device, with memory that it keeps: about 19 bytes for a pixel, and 4 for a
/// face; and, for rixels, about 6 bytes of the host for a pixel ([`ribbonmesh::HostBuffer`]).
pub struct Painter {
    device: Device,
    memory: Option<Memory>,
    rixels: Rixels,
}

/// Memory on the device.
struct Memory {
    pixels: Buffer<u64>,
    values: Buffer<f32>,
    counts: Buffer<u32>,
    packed: Buffer<u32>,
    large: Buffer<u32>,
    huge: Buffer<u32>,
    state: Buffer<u32>,
}

/// Makes a buffer longer if it is too short.
fn grow<T: Pod>(buffer: &mut Buffer<T>, len: usize) -> Result<()> {
    if buffer.len() < len {
        *buffer = buffer.device().unspecified(len)?;
    }
    Ok(())
}

impl Memory {
    fn new(device: &Device) -> Result<Self> {
        Ok(Self {
            pixels: device.unspecified(0)?,
            values: device.unspecified(0)?,
            counts: device.unspecified(0)?,
            packed: device.unspecified(0)?,
            large: device.unspecified(0)?,
            huge: device.unspecified(HUGE_FACES)?,
            state: device.unspecified(STATE)?,
        })
    }
    /// Room for the faces of pixels.
    fn grow(&mut self, pixels: u32, faces: u32) -> Result<()> {
        grow(&mut self.pixels, pixels as usize)?;
        grow(&mut self.large, faces as usize)
    }
    /// Room for their values and for rixels.
    fn grow_values(&mut self, pixels: u32) -> Result<()> {
        grow(&mut self.values, pixels as usize)?;
        grow(&mut self.counts, tiles(pixels) as usize)?;
        // all pixels are seen, or as many as are worth a list
        let most = [pixels, pixels / 32].map(|count| parts(pixels, count, 32).0[3]);
        grow(&mut self.packed, most[0].max(most[1]) as usize)
    }
    /// The face and the distance of each pixel, on the host.
    fn seen(&self, pixels: u32) -> ribbonmesh::Result<Seen> {
        let keys = self.pixels.read_range(0, pixels as usize)?;
        let distance = |&key: &u64| match key {
            NOTHING => f32::INFINITY,
            key => number((key >> 32) as u32),
        };
        Ok(Seen {
            // the lower half of no key is no face
            faces: keys.par_iter().map(|&key| key as u32).collect(),
            distances: keys.par_iter().map(distance).collect(),
        })
    }
}

/// Launches the kernel for grids, or the one for meshes.
macro_rules! launch {
    ($device:expr, $blocks:expr, $is_grid:expr, $kernel:expr) => {
        match $is_grid {
            true => $device.launch($blocks, $kernel.of::<1>()),
            false => $device.launch($blocks, $kernel.of::<0>()),
        }
    };
}

impl Painter {
    /// A painter without memory; the first picture takes what it needs.
    pub fn new(device: &Device) -> Self {
        Self { device: device.clone(), memory: None, rixels: Rixels::empty() }
    }
    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// The face, the distance and the value of each pixel. Three passes over faces and pixels, and a copy of
    /// all pixels to the host.
    /// # Errors
    /// As [`Painter::encode`].
    pub fn paint(&mut self, scene: &impl Shown, view: &View) -> Result<Picture> {
        self.draw(scene, view)?;
        let Some(memory) = &self.memory else { unreachable!("made by `draw`") };
        let Seen { faces, distances } = memory.seen(view.pixels()).map_err(|e| scene.named(e))?;
        let values = memory.values.read_range(0, view.pixels() as usize)?;
        Ok(Picture { width: view.width(), height: view.height(), faces, distances, values })
    }
    /// The face and the distance of each pixel, as in [`Painter::paint`], without values. A pass over faces
    /// and pixels, and a copy of 8 bytes for each pixel to the host.
    /// # Errors
    /// As [`Painter::encode`].
    pub fn seen(&mut self, scene: &impl Shown, view: &View) -> Result<Seen> {
        self.find(scene, view)?;
        let Some(memory) = &self.memory else { unreachable!("made by `find`") };
        memory.seen(view.pixels()).map_err(|e| scene.named(e))
    }
    /// The rixels of a picture, which stay until the next one. Three passes over faces and pixels, a copy of
    /// eight numbers to the host, and one of the rixels.
    /// # Errors
    /// [`Error::Length`](ribbonmesh::Error::Length) for arrays that do not fit the mesh or the grid,
    /// [`Error::IndexOutOfRange`](ribbonmesh::Error::IndexOutOfRange) for a vertex that does not exist,
    /// [`Error::TooMany`](ribbonmesh::Error::TooMany); out of memory; errors of earlier kernels or of
    /// the driver.
    pub fn encode(&mut self, scene: &impl Shown, view: &View, options: &Options) -> Result<&Rixels> {
        self.draw(scene, view)?;
        let Some(memory) = &mut self.memory else { unreachable!("made by `draw`") };
        let (camera, depth) = (view.camera(), options.depth);
        let pack = Pack {
            camera,
            depths: depth.into(),
            pixels: memory.pixels.view(),
            values: memory.values.view(),
            counts: memory.counts.view(),
            state: memory.state.view(),
            to: memory.packed.view_mut(),
        };
        self.device.launch(tiles(view.pixels()), pack)?;
        let mut state = [0; STATE];
        memory.state.read_into(0, &mut state).map_err(|e| scene.named(e))?;
        let count = state[COUNT as usize];
        let range = |at: u32| {
            let [low, high] = [state[at as usize], state[at as usize + 1]];
            if low <= high { [number(low), number(high)] } else { [0.0; 2] }
        };
        let ([_, _, _, end], sparse) = parts(view.pixels(), count, depth.bits());
        let ([minimum, maximum], [nearest, farthest]) = (range(VALUES), range(DISTANCES));
        let (width, height) = (view.width(), view.height());
        let header = Header { width, height, count, minimum, maximum, nearest, farthest, depth, sparse };
        self.rixels.replace(header, end as usize, &memory.packed)?;
        Ok(&self.rixels)
    }
    /// Finds the face and the value of each pixel, on the device: the first part of [`Painter::paint`] and
    /// [`Painter::encode`], for measurements. Does not wait.
    /// # Errors
    /// As [`Painter::encode`].
    pub fn draw(&mut self, scene: &impl Shown, view: &View) -> Result<()> {
        self.find(scene, view)?;
        let n = view.pixels();
        let Some(memory) = &mut self.memory else { unreachable!("made by `find`") };
        memory.grow_values(n)?;
        let Memory { pixels, values, counts, state, .. } = memory;
        let surface = scene.arguments();
        let is_grid = surface.grid.kind != MESH;
        let measure = Measure {
            camera: view.camera(),
            surface,
            pixels: pixels.view(),
            values: values.view_mut(),
            counts: counts.view_mut(),
            state: state.view_mut(),
        };
        launch!(&self.device, tiles(n), is_grid, measure).map_err(|e| scene.named(e))
    }
    /// Finds the face of each pixel, on the device. Does not wait.
    fn find(&mut self, scene: &impl Shown, view: &View) -> Result<()> {
        let (faces, n) = (scene.check(&self.device)?, view.pixels());
        let memory = match &mut self.memory {
            Some(memory) => memory,
            none => none.insert(Memory::new(&self.device)?),
        };
        memory.grow(n, faces)?;
        let (device, camera, surface) = (&self.device, view.camera(), scene.arguments());
        let is_grid = surface.grid.kind != MESH;
        let Memory { pixels, large, huge, state, .. } = memory;
        device.launch_each(n, Clear { pixels: pixels.view_mut(), state: state.view_mut() })?;
        if faces > 0 {
            let small = DrawSmall {
                camera,
                surface,
                pixels: pixels.view_mut(),
                large: large.view_mut(),
                state: state.view_mut(),
            };
            launch!(device, tiles(faces), is_grid, small).map_err(|e| scene.named(e))?;
            let (pixels, state) = (pixels.view_mut(), state.view_mut());
            let huge = huge.view_mut();
            let larger =
                DrawLarge { camera, surface: scene.arguments(), pixels, large: large.view(), huge, state };
            launch!(device, BLOCKS.min(faces), is_grid, larger)?;
        }
        if faces > 0 {
            let (pixels, state) = (pixels.view_mut(), state.view());
            let huge = DrawHuge { camera, surface: scene.arguments(), pixels, huge: huge.view(), state };
            launch!(device, BLOCKS.min(faces.saturating_mul(PARTS)), is_grid, huge)?;
        }
        Ok(())
    }
}

/// The rixels of one picture. Programs that make several keep a [`Painter`].
/// # Errors
/// As [`Painter::encode`].
pub fn encode(device: &Device, scene: &impl Shown, view: &View, options: &Options) -> Result<Rixels> {
    let mut painter = Painter::new(device);
    painter.encode(scene, view, options)?;
    Ok(painter.rixels)
}
