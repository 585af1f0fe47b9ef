//! Kernels that find the face that each pixel shows.
//!
//! A pixel is a key of 64 bits: the distance, ordered, and the number of the face. The least key wins, so
//! that the picture does not depend on the order of faces and blocks.
use super::camera::Camera;
use super::clip::Polygon;
use super::drawn::Drawn;
use super::exact::ordered;
use super::scene::Surface;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// The key of a pixel without a face.
pub const NOTHING: u64 = u64::MAX;

/// Words of the state of a picture.
#[cfg(not(target_arch = "nvptx64"))]
pub const STATE: usize = 8;
/// Faces for a block each.
pub const LARGE: u32 = 0;
/// Faces for several blocks each.
pub const HUGE: u32 = 1;
/// Blocks that have arrived.
pub const ARRIVED: u32 = 2;
/// Pixels with a face.
pub const COUNT: u32 = 3;
/// The least value, ordered; and the greatest.
pub const VALUES: u32 = 4;
/// The least distance, ordered; and the greatest.
pub const DISTANCES: u32 = 6;

/// Pixels of the box around a face that one thread draws.
const SMALL: u32 = 16;
/// Pixels of the boxes of a face that one block draws.
const BLOCK: u32 = 4096;
/// Parts of a face that several blocks draw.
pub const PARTS: u32 = 32;

/// Removes all faces.
#[kernel(threads = 256, requires(pixels.len() >= count as usize, state.len() >= 8))]
pub fn clear<'a>(i: Each, pixels: Out<'a, u64>, state: Out<'a, u32>) {
    pixels.set(i, NOTHING);
    if i == 0 {
        state.set(LARGE, 0);
        state.set(HUGE, 0);
        state.set(ARRIVED, 0);
        state.set(COUNT, 0);
        state.set(VALUES, u32::MAX);
        state.set(VALUES + 1, 0);
        state.set(DISTANCES, u32::MAX);
        state.set(DISTANCES + 1, 0);
    }
}

#[inline(always)]
fn mark(pixels: Out<'_, u64>, camera: &Camera, drawn: &Drawn, face: u32, x: u32, y: u32) {
    if let Some(away) = drawn.away(x, y) {
        let key = (ordered(away) as u64) << 32 | face as u64;
        let at = y * camera.width + x;
        // most faces that are hidden need no exchange
        if key < atomic::load(pixels, at, Relaxed, Device) {
            atomic::fetch_min(pixels, at, key, Relaxed, Device);
        }
    }
}

/// Draws a face if it is small; whether it is not.
#[inline(always)]
fn is_left<const GRID: u32>(
    block: &Block,
    camera: &Camera,
    surface: &Surface<'_>,
    face: u32,
    pixels: Out<'_, u64>,
) -> bool {
    let Some([a, b, c]) = surface.corners::<GRID>(block, camera, face) else { return false };
    if !(camera.can_place(a) && camera.can_place(b) && camera.can_place(c)) {
        return true;
    }
    let drawn = Drawn::new(camera, camera.place(a), camera.place(b), camera.place(c));
    let Some(drawn) = drawn else { return false };
    if drawn.pixels() > SMALL {
        return true;
    }
    let mut i = 0;
    while i < drawn.pixels() {
        let (x, y) = (drawn.x + i % drawn.across, drawn.y + i / drawn.across);
        mark(pixels, camera, &drawn, face, x, y);
        i += 1;
    }
    false
}

/// Draws small faces, a thread each, and lists the others. Blocks: tiles of faces.
#[kernel(for GRID in [0, 1], threads = 256, requires(
    pixels.len() >= camera.width as usize * camera.height as usize,
    large.len() >= surface.count as usize,
    state.len() >= 8,
))]
pub fn draw_small<'a, const GRID: u32>(
    block: &Block,
    camera: Camera,
    surface: Surface<'a>,
    pixels: Out<'a, u64>,
    large: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    block.for_each_tile(surface.count, |base, len| {
        block.append(len, large, state, LARGE, |i| {
            if is_left::<GRID>(block, &camera, &surface, base + i, pixels) { Some(base + i) } else { None }
        });
    });
}

/// Pixels of the boxes of a polygon's triangles.
#[inline(always)]
fn pixels_of(camera: &Camera, polygon: &Polygon) -> u32 {
    let (mut k, mut all) = (0, 0);
    while k < polygon.triangles() {
        all += if let Some(drawn) = polygon.triangle(camera, k) { drawn.pixels() } else { 0 };
        k += 1;
    }
    all
}
/// Draws a part of the rows of a polygon. Uniform code.
#[inline(always)]
fn draw(
    block: &Block,
    camera: &Camera,
    polygon: &Polygon,
    face: u32,
    (part, parts): (u32, u32),
    pixels: Out<'_, u64>,
) {
    let mut k = 0;
    while k < polygon.triangles() {
        if let Some(drawn) = polygon.triangle(camera, k) {
            let first = drawn.rows * part / parts;
            let rows = drawn.rows * (part + 1) / parts - first;
            block.for_each_nosync(rows * drawn.across, |i| {
                let (x, y) = (drawn.x + i % drawn.across, drawn.y + first + i / drawn.across);
                mark(pixels, camera, &drawn, face, x, y);
            });
        }
        k += 1;
    }
}

/// Draws the listed faces, a block each, and lists those that are too large. Blocks: any number.
#[kernel(for GRID in [0, 1], threads = 64, requires(
    pixels.len() >= camera.width as usize * camera.height as usize,
    state.len() >= 8,
))]
pub fn draw_large<'a, const GRID: u32>(
    block: &Block,
    camera: Camera,
    surface: Surface<'a>,
    pixels: Out<'a, u64>,
    large: In<'a, u32>,
    huge: Out<'a, u32>,
    state: Out<'a, u32>,
) {
    let mut i = block.index();
    while i < state.get(LARGE) {
        let face = large.get(i);
        if let Some(corners) = surface.corners::<GRID>(block, &camera, face) {
            let polygon = Polygon::new(&camera, corners);
            let listed = pixels_of(&camera, &polygon) > BLOCK
                && block.single(|| {
                    let at = atomic::fetch_add(state, HUGE, 1, Relaxed, Device);
                    huge.try_set(at, face) as u32
                }) == 1;
            if !listed {
                draw(block, &camera, &polygon, face, (0, 1), pixels);
            }
        }
        i += block.count();
    }
}

/// Draws the faces that are left, [`PARTS`] blocks each. Blocks: any number.
#[kernel(for GRID in [0, 1], threads = 256, requires(
    pixels.len() >= camera.width as usize * camera.height as usize,
    state.len() >= 8,
))]
pub fn draw_huge<'a, const GRID: u32>(
    block: &Block,
    camera: Camera,
    surface: Surface<'a>,
    pixels: Out<'a, u64>,
    huge: In<'a, u32>,
    state: In<'a, u32>,
) {
    let (found, room) = (state.get(HUGE), huge.len() as u32);
    let faces = if found < room { found } else { room };
    let mut i = block.index();
    while i < faces * PARTS {
        let face = huge.get(i / PARTS);
        if let Some(corners) = surface.corners::<GRID>(block, &camera, face) {
            draw(block, &camera, &Polygon::new(&camera, corners), face, (i % PARTS, PARTS), pixels);
        }
        i += block.count();
    }
}
