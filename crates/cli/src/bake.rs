//! `ribbonmesh bake`.
use crate::failure::Failure;
use crate::npy::write_npy;
use crate::numbers::number;
use crate::session::Session;
use crate::streams::is_standard;
use clap::{Args, ValueEnum};
use ribbonmesh_application::counted;
use ribbonmesh_io::Format;
use ribbonmesh_unwrap::{BakeOptions, Quantity, Texture, bake};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Make a texture for a mesh from the colours, normals or values of another one
///
/// TARGET has texture coordinates, as `ribbonmesh unwrap` gives them. Each texel gets the values of the point
/// of SOURCE that is nearest to the point of TARGET there. Texels around charts get those of the chart's
/// border.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh unwrap dragon.ply -o low.obj
  ribbonmesh bake dragon.ply low.obj -o normal.png --of tangent-normal
  ribbonmesh bake dragon.ply low.obj -o normal-16.png --of normal --bits 16 --max-distance 1")]
pub struct Bake {
    /// Mesh with colours or values: OBJ, PLY, OFF, STL, GLB or glTF
    source: PathBuf,
    /// Mesh with texture coordinates: OBJ, PLY, OFF, GLB or glTF
    target: PathBuf,
    /// Image: PNG for colours and normals, NPY for numbers as they are
    #[arg(long, short, value_name = "FILE.png|FILE.npy")]
    output: PathBuf,
    /// Values of the texture: color, normal (in the space of the meshes), tangent-normal (in the tangent
    /// space of TARGET), or the name of a column of SOURCE
    #[arg(long, value_name = "WHAT", default_value = "color")]
    of: String,
    /// Side of the square texture in texels
    #[arg(long, value_name = "N", default_value_t = BakeOptions::default().resolution,
          value_parser = clap::value_parser!(u32).range(1..=32_768))]
    resolution: u32,
    /// Texels around charts that get values as well
    #[arg(long, value_name = "N", default_value_t = BakeOptions::default().dilate,
          value_parser = clap::value_parser!(u32).range(0..=256))]
    dilate: u32,
    /// Leave texels that are farther from SOURCE, in the units of the positions
    #[arg(long, value_name = "LENGTH", value_parser = distance)]
    max_distance: Option<f64>,
    /// Bits of a channel of PNG
    #[arg(long, value_name = "8|16", default_value = "8", value_parser = bits)]
    bits: u32,
    /// Corner of the image at which texture coordinates are 0 0 [default: upper-left for GLB, else
    /// lower-left]
    #[arg(long)]
    origin: Option<Origin>,
}

/// The corner at texture coordinates 0 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum Origin {
    /// As in OBJ and PLY.
    LowerLeft,
    /// As in GLB and glTF.
    UpperLeft,
}

fn distance(text: &str) -> Result<f64, String> {
    number(text).filter(|distance| *distance >= 0.0).ok_or_else(|| "not a number from 0 on".to_owned())
}
fn bits(text: &str) -> Result<u32, String> {
    match text {
        "8" => Ok(8),
        "16" => Ok(16),
        _ => Err("8 or 16 is wanted".to_owned()),
    }
}

#[derive(Serialize)]
struct Results<'a> {
    source: &'a Path,
    target: &'a Path,
    of: &'a str,
    resolution: u32,
    channels: u32,
    origin: Origin,
    /// Texels whose centre is in a chart and that got values.
    texels: usize,
    /// Texels around charts that got values.
    dilated: usize,
}

impl Bake {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let is_png = match self.output.extension().and_then(|end| end.to_str()) {
            Some(end) if end.eq_ignore_ascii_case("png") => true,
            Some(end) if end.eq_ignore_ascii_case("npy") => false,
            _ => {
                let file = self.output.display();
                return Err(Failure::Usage(format!("{file}: a file that ends in .png or .npy is wanted")));
            }
        };
        if is_standard(&self.source) && is_standard(&self.target) {
            return Err(Failure::Usage("standard input is one of the two meshes".into()));
        }
        let quantity = Quantity::of_name(&self.of);
        if is_png && matches!(quantity, Quantity::Column(_)) {
            let name = &self.of;
            return Err(Failure::Usage(format!("{name}: numbers of any range are written as .npy")));
        }
        session.keep(Some(&self.output), &[&self.source, &self.target])?;
        let source = session.read(&self.source)?.mesh;
        let target = session.read(&self.target)?.mesh;
        for (mesh, file) in [(&source, &self.source), (&target, &self.target)] {
            if mesh.faces.is_empty() {
                return Err(Failure::NoFaces(file.clone()));
            }
        }
        let device = session.device()?;
        let options = BakeOptions {
            quantity: quantity.clone(),
            resolution: self.resolution,
            dilate: self.dilate,
            distance: self.max_distance,
        };
        let texture = session.phase("bake", || bake(&device, &source, &target, &options))?;
        let [texels, all] = texture.counts();
        let origin = self.origin();
        session.results(&Results {
            source: &self.source,
            target: &self.target,
            of: &self.of,
            resolution: texture.side,
            channels: texture.width,
            origin,
            texels,
            dilated: all - texels,
        });
        if texels == 0 {
            session.warn("no texel got a value".to_owned());
        }
        let texture = match origin {
            Origin::LowerLeft => texture,
            Origin::UpperLeft => turned(texture),
        };
        let normals = matches!(quantity, Quantity::Normal | Quantity::TangentNormal);
        session.emit(Some(&self.output), |out| match is_png {
            true => write_png(out, &texture, normals, self.bits),
            false => write_numbers(out, &texture),
        })?;
        let (side, texels) = (texture.side, counted(texels as u64, "texel"));
        session.say(format_args!("{side} × {side} texels, {texels} in charts"));
        Ok(())
    }
    fn origin(&self) -> Origin {
        let usual = match Format::from_path(&self.target) {
            Ok(Format::Glb | Format::Gltf) => Origin::UpperLeft,
            _ => Origin::LowerLeft,
        };
        self.origin.unwrap_or(usual)
    }
}

/// The texture with its rows in the other order.
fn turned(texture: Texture) -> Texture {
    fn rows<T: Copy>(values: &[T], row: usize) -> Vec<T> {
        values.chunks_exact(row).rev().flatten().copied().collect()
    }
    let (side, width) = (texture.side as usize, texture.width as usize);
    let (values, covered) = (rows(&texture.values, side * width), rows(&texture.covered, side));
    Texture { values, covered, ..texture }
}

/// Writes colours, or normals as colours; the last row of the texture is the image's first.
fn write_png(out: &mut dyn Write, texture: &Texture, normals: bool, bits: u32) -> io::Result<()> {
    let (side, width) = (texture.side, texture.width as usize);
    let kind = match width {
        1 => png::ColorType::Grayscale,
        2 => png::ColorType::GrayscaleAlpha,
        3 => png::ColorType::Rgb,
        4 => png::ColorType::Rgba,
        _ => return Err(io::Error::other(format!("{width} channels, where PNG has at most 4"))),
    };
    let mut encoder = png::Encoder::new(out, side, side);
    encoder.set_color(kind);
    encoder.set_depth(if bits == 16 { png::BitDepth::Sixteen } else { png::BitDepth::Eight });
    let linear = texture.linear && !normals;
    let channel = |(k, value): (usize, &f32)| {
        let value = if normals { 0.5 + 0.5 * value } else { *value };
        let is_colour = width > 2 && k % width < 3 || width <= 2 && k % width == 0;
        let value = if linear && is_colour { to_srgb(value) } else { value };
        let value = f64::from(value.clamp(0.0, 1.0));
        match bits {
            16 => ((value * 65535.0).round() as u16).to_be_bytes().to_vec(),
            _ => vec![(value * 255.0).round() as u8],
        }
    };
    let rows = texture.values.chunks_exact(side as usize * width).rev();
    let bytes: Vec<u8> = rows.flat_map(|row| row.iter().enumerate().flat_map(channel)).collect();
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&bytes).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}
/// Light as sRGB.
fn to_srgb(light: f32) -> f32 {
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}
/// Writes numbers; the last row of the texture is the first of the array.
fn write_numbers(out: &mut dyn Write, texture: &Texture) -> io::Result<()> {
    write_npy(out, texture.side as usize, texture.width as usize, &texture.values)
}
