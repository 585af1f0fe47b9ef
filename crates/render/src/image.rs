//! Pictures.
use crate::camera::Frame;
use crate::colour::{linear, srgb};
use crate::obscurance::Obscurance;
use crate::shade::Shader;
use crate::visibility::Visibility;
use crate::{Background, Camera, RenderError, Rgb, Scene, Style, vertex_normals};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::Device;
use ribbonmesh_io::{WriteError, write_file};
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

/// A picture: red, green, blue in sRGB, and straight (not premultiplied) alpha.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Scene<'_> {
    /// Draws a picture: a device finds the face of each sample, and the host shades the samples. The picture
    /// has the same bits on all machines. Memory: 24 bytes per vertex and 8 per sample on the host, and what
    /// [`Visibility::new`] says on the device.
    /// # Errors
    /// [`RenderError`]: the scene or the style is invalid; out of memory or errors of the device.
    pub fn render(&self, device: &Device, camera: &Camera, style: &Style) -> Result<Image, RenderError> {
        self.check()?;
        style.check()?;
        let frame = Frame::new(camera, style);
        let corners = frame.corners(self);
        let seen = Visibility::of(device, self, &corners, &frame)?;
        Ok(self.picture(style, &frame, &corners, &seen, 0..style.height))
    }
    /// Shades samples whose faces are known.
    /// # Errors
    /// [`RenderError`]: the scene or the style is invalid; another number of samples than the style's, or a
    /// face that does not exist.
    pub fn shade(&self, camera: &Camera, style: &Style, seen: &Visibility) -> Result<Image, RenderError> {
        self.shade_rows(camera, style, seen, 0..style.height)
    }
    /// As [`Scene::shade`], some rows of pixels alone. Samples of other rows cast shadows on these; it does
    /// not matter which face they show.
    /// # Errors
    /// As [`Scene::shade`]; rows that the picture does not have.
    pub fn shade_rows(
        &self,
        camera: &Camera,
        style: &Style,
        seen: &Visibility,
        rows: Range<u32>,
    ) -> Result<Image, RenderError> {
        self.check()?;
        style.check()?;
        seen.check(self.faces.len(), style, &rows)?;
        let frame = Frame::new(camera, style);
        Ok(self.picture(style, &frame, &frame.corners(self), seen, rows))
    }
    fn picture(
        &self,
        style: &Style,
        frame: &Frame,
        corners: &[DVec3],
        seen: &Visibility,
        rows: Range<u32>,
    ) -> Image {
        let normals = match self.normals {
            Some(normals) => Cow::Borrowed(normals),
            None if style.smooth => Cow::Owned(vertex_normals(self.positions, self.faces)),
            None => Cow::Borrowed(&[][..]),
        };
        let obscurance = Obscurance::new(frame, seen, style.samples, style.obscurance);
        let shader = Shader { scene: self, style, frame, corners, normals: &normals, seen, obscurance };
        let mut image = Image::new(style.width, rows.len() as u32, [0; 4]);
        let first = rows.start as usize;
        image.pixels.par_chunks_mut(style.width as usize).enumerate().for_each(|(y, row)| {
            row.iter_mut().enumerate().for_each(|(x, p)| *p = pixel(&shader, x, first + y));
        });
        image
    }
}

/// The mean of a pixel's samples.
fn pixel(shader: &Shader<'_>, x: usize, y: usize) -> [u8; 4] {
    let side = shader.style.samples as usize;
    let (mut light, mut covered) = (Vec3::ZERO, 0);
    for sample in 0..side * side {
        let at = [x * side + sample % side, y * side + sample / side];
        if let Some(sent) = shader.light(at, sample) {
            light += sent.min(Vec3::ONE);
            covered += 1;
        }
    }
    let share = covered as f32 / (side * side) as f32;
    match shader.style.background {
        Background::Colour(colour) => {
            let [r, g, b] = srgb(light / (side * side) as f32 + linear(colour) * (1.0 - share));
            [r, g, b, 255]
        }
        Background::Transparent if covered == 0 => [0; 4],
        Background::Transparent => {
            let [r, g, b] = srgb(light / covered as f32);
            [r, g, b, (255.0 * share).round() as u8]
        }
    }
}

impl Image {
    /// A picture of one colour.
    pub fn new(width: u32, height: u32, pixel: [u8; 4]) -> Self {
        Self { width, height, pixels: vec![pixel; width as usize * height as usize] }
    }
    /// Pixels across.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// Pixels down.
    pub fn height(&self) -> u32 {
        self.height
    }
    /// Red, green, blue and alpha of all pixels, row by row from the top.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }
    /// A pixel, counted from the left and from the top; none outside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let inside = x < self.width && y < self.height;
        inside.then(|| self.pixels[y as usize * self.width as usize + x as usize])
    }
    /// Sets a pixel. Does nothing outside the picture.
    pub fn set(&mut self, x: u32, y: u32, pixel: [u8; 4]) {
        if x < self.width && y < self.height {
            self.pixels[y as usize * self.width as usize + x as usize] = pixel;
        }
    }
    /// Fills a rectangle, clipped to the picture.
    pub fn fill(&mut self, [x, y]: [u32; 2], [width, height]: [u32; 2], colour: Rgb) {
        let [r, g, b] = colour;
        for y in y..y.saturating_add(height).min(self.height) {
            for x in x..x.saturating_add(width).min(self.width) {
                self.set(x, y, [r, g, b, 255]);
            }
        }
    }
    /// Copies a picture into this one, clipped, with its upper left corner at the given pixel.
    pub fn paste(&mut self, picture: &Self, [left, top]: [u32; 2]) {
        for y in 0..picture.height.min(self.height.saturating_sub(top)) {
            for x in 0..picture.width.min(self.width.saturating_sub(left)) {
                self.set(left + x, top + y, picture.pixels[y as usize * picture.width as usize + x as usize]);
            }
        }
    }
    /// Writes the picture as PNG, to a new file that replaces the target when it is complete. Opaque pictures
    /// have no alpha channel.
    /// # Errors
    /// [`WriteError`]: the file cannot be written, or the picture has no pixels.
    pub fn write_png(&self, path: &Path) -> Result<(), WriteError> {
        write_file(path, |out| self.encode_png(out))
    }
    /// The picture as PNG.
    /// # Errors
    /// Errors of `out`; a picture without pixels.
    pub fn encode_png(&self, out: &mut dyn Write) -> io::Result<()> {
        let opaque = self.pixels.iter().all(|p| p[3] == 255);
        let mut encoder = png::Encoder::new(io::BufWriter::new(out), self.width, self.height);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::High);
        encoder.set_deflate_compression(png::DeflateCompression::Level(9));
        let mut writer = encoder.write_header()?;
        if opaque {
            let bytes: Vec<u8> = self.pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
            writer.write_image_data(&bytes)?;
        } else {
            writer.write_image_data(self.pixels.as_flattened())?;
        }
        Ok(writer.finish()?)
    }
}
