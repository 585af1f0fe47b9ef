//! Rixels in memory of the host: their layout, and how they are read.
use super::error::{Result, RixelError};
use super::view::View;
use crate::device::pack::{self, Depths, NO_VALUE};
use ribbonmesh::glam::{DVec3, DVec4};
use ribbonmesh::{Buffer, HostBuffer};

/// How depths are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Depth {
    /// 16 bits: the distance along the direction of view, from the nearest to the farthest pixel of the
    /// picture. A step is the same everywhere.
    #[default]
    Linear16,
    /// 32 bits: this distance as a number of single precision.
    Linear32,
    /// 16 bits: the depth in OpenGL's window, from 0 at the near plane to 1 at the far plane.
    Window16,
    /// 32 bits: this depth as a number of single precision.
    Window32,
}
impl Depth {
    /// 16 or 32.
    pub fn bits(self) -> u32 {
        match self {
            Self::Linear16 | Self::Window16 => 16,
            Self::Linear32 | Self::Window32 => 32,
        }
    }
    /// Whether it is the depth of OpenGL's window.
    pub fn is_window(self) -> bool {
        matches!(self, Self::Window16 | Self::Window32)
    }
}
impl From<Depth> for Depths {
    fn from(depth: Depth) -> Self {
        Self { window: u32::from(depth.is_window()), bits: depth.bits() }
    }
}

/// How rixels are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How depths are written.
    pub depth: Depth,
}

/// The numbers that all rixels of a picture share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Header {
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Pixels that show a face.
    pub count: u32,
    /// The least finite value; 0 if there is none.
    pub minimum: f32,
    /// The greatest finite value; 0 if there is none.
    pub maximum: f32,
    /// The least distance along the direction of view; 0 without pixels that show a face.
    pub nearest: f32,
    /// The greatest distance; 0 without pixels that show a face.
    pub farthest: f32,
    /// How depths are written.
    pub depth: Depth,
    /// Whether the first part is a list of places instead of a bit for each pixel.
    pub sparse: bool,
}

/// A pixel that shows a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// From the left.
    pub x: u32,
    /// From below.
    pub y: u32,
    /// The value; none where it is not finite.
    pub value: Option<f32>,
    /// The depth, as [`Header::depth`] says.
    pub depth: f32,
}

/// A point of the mesh that a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The place.
    pub place: DVec3,
    /// The value; none where it is not finite.
    pub value: Option<f32>,
}

/// The pixels of a picture that show a face: where they are, their values and their depths, in three parts as
/// they are sent. `docs/rixels.md` describes each byte.
#[derive(Debug)]
pub struct Rixels {
    header: Header,
    memory: HostBuffer<u32>,
    /// The words of the memory that they have.
    used: usize,
}

/// In ordinary memory.
impl Clone for Rixels {
    fn clone(&self) -> Self {
        Self { header: self.header, memory: self.words().to_vec().into(), used: self.used }
    }
}
impl PartialEq for Rixels {
    fn eq(&self, other: &Self) -> bool {
        self.header == other.header && self.words() == other.words()
    }
}

/// Numbers of 16 bits in words.
fn halves(words: &[u32]) -> impl Iterator<Item = u16> {
    words.iter().flat_map(|word| [*word as u16, (*word >> 16) as u16])
}

impl Rixels {
    /// Of a picture without pixels.
    pub(crate) fn empty() -> Self {
        let header = Header {
            width: 0,
            height: 0,
            count: 0,
            minimum: 0.0,
            maximum: 0.0,
            nearest: 0.0,
            farthest: 0.0,
            depth: Depth::default(),
            sparse: false,
        };
        Self { header, memory: vec![].into(), used: 0 }
    }
    /// Replaces everything by the first words of a buffer, in the same memory if all of the buffer fits.
    pub(crate) fn replace(&mut self, header: Header, words: usize, from: &Buffer<u32>) -> Result<()> {
        if self.memory.len() < from.len() {
            self.memory = from.device().host_buffer(from.len())?;
        }
        // until they are all there, there are none
        self.used = 0;
        from.read_into(0, &mut self.memory[..words])?;
        (self.header, self.used) = (header, words);
        Ok(())
    }
    fn words(&self) -> &[u32] {
        &self.memory[..self.used]
    }
    /// The numbers that they share.
    pub fn header(&self) -> &Header {
        &self.header
    }
    /// Pixels that show a face.
    pub fn count(&self) -> u32 {
        self.header.count
    }
    /// Where the parts begin, and where the last one ends, in words.
    fn places(header: &Header) -> [usize; 4] {
        let pixels = header.width * header.height;
        pack::parts(pixels, header.count, header.depth.bits()).0.map(|word| word as usize)
    }
    fn part(&self, part: usize) -> &[u32] {
        let places = Self::places(&self.header);
        self.words().get(places[part]..places[part + 1]).unwrap_or_default()
    }
    /// The three parts as they are sent, each a multiple of 8 bytes: places, values, depths. No copy; on a
    /// machine whose numbers begin with their lowest byte.
    pub fn parts(&self) -> [&[u8]; 3] {
        [0, 1, 2].map(|part| bytemuck::cast_slice(self.part(part)))
    }
    /// All three parts, one after the other.
    pub fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self.words())
    }
    /// Rixels that were received. `nearest`, `farthest` and `sparse` of the header are taken from the parts.
    /// # Errors
    /// [`RixelError::Size`]; [`RixelError::Part`] for a part of another length than the header says, or whose
    /// places are not as many as there must be.
    pub fn from_parts(header: Header, parts: [&[u8]; 3]) -> Result<Self> {
        let sizes = 1..=View::LIMIT;
        if !(sizes.contains(&header.width) && sizes.contains(&header.height)) {
            let (width, height, limit) = (header.width, header.height, View::LIMIT);
            return Err(RixelError::Size { width, height, limit });
        }
        let pixels = header.width * header.height;
        if header.count > pixels {
            let problem = format!("has {} places, and there are {pixels} pixels", header.count);
            return Err(RixelError::Part { part: 1, problem });
        }
        let places = Self::places(&header);
        let mut words = Vec::with_capacity(places[3]);
        for (part, bytes) in parts.iter().enumerate() {
            let expected = 4 * (places[part + 1] - places[part]);
            if bytes.len() != expected {
                let problem = format!("has {} bytes, and {expected} are expected", bytes.len());
                return Err(RixelError::Part { part: part + 1, problem });
            }
            words.extend(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)));
        }
        let sparse = pack::is_sparse(pixels, header.count);
        let [nearest, farthest] = [0, 1].map(|i| f32::from_bits(words[places[2] + i]));
        let used = words.len();
        let header = Header { nearest, farthest, sparse, ..header };
        let all = Self { header, memory: words.into(), used };
        all.check_places(pixels)?;
        Ok(all)
    }
    fn check_places(&self, pixels: u32) -> Result<()> {
        let wrong = |problem| Err(RixelError::Part { part: 1, problem });
        let places: Vec<u32> = self.places_of_pixels().collect();
        if places.len() != self.header.count as usize {
            return wrong(format!("has {} places, and there must be {}", places.len(), self.header.count));
        }
        if places.last().is_some_and(|last| *last >= pixels) || !places.is_sorted_by(|a, b| a < b) {
            return wrong(format!("has places that do not ascend, or reach {pixels}, the number of pixels"));
        }
        Ok(())
    }
    /// The numbers of the pixels, ascending.
    fn places_of_pixels(&self) -> impl Iterator<Item = u32> {
        let part = self.part(0);
        let (list, bits) = if self.header.sparse {
            (part.get(..self.header.count as usize).unwrap_or_default(), &[][..])
        } else {
            (&[][..], part)
        };
        let of_word = |(k, word): (usize, &u32)| {
            let word = *word;
            (0..32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 32 * k as u32 + bit)
        };
        list.iter().copied().chain(bits.iter().enumerate().flat_map(of_word))
    }
    /// The value of 16 bits.
    fn value(&self, bits: u16) -> Option<f32> {
        let Header { minimum, maximum, .. } = self.header;
        let share = f64::from(bits) / f64::from(NO_VALUE - 1);
        let (low, high) = (f64::from(minimum), f64::from(maximum));
        (u32::from(bits) != NO_VALUE).then_some((low + share * (high - low)) as f32)
    }
    /// The depths.
    fn depths(&self) -> Vec<f32> {
        let Header { nearest, farthest, depth, count, .. } = self.header;
        let part = self.part(2).get(2..).unwrap_or_default();
        let (low, high) =
            if depth.is_window() { (0.0, 1.0) } else { (f64::from(nearest), f64::from(farthest)) };
        let of_bits = |bits: u16| (low + f64::from(bits) / 65_535.0 * (high - low)) as f32;
        match depth.bits() {
            16 => halves(part).map(of_bits).take(count as usize).collect(),
            _ => part.iter().map(|bits| f32::from_bits(*bits)).take(count as usize).collect(),
        }
    }
    /// The pixels that show a face, row by row from below.
    pub fn pixels(&self) -> impl Iterator<Item = Pixel> {
        let width = self.header.width.max(1);
        self.places_of_pixels().zip(halves(self.part(1))).zip(self.depths()).map(
            move |((place, value), depth)| Pixel {
                x: place % width,
                y: place / width,
                value: self.value(value),
                depth,
            },
        )
    }
    /// The points of the mesh that the pixels show (equations 6.5 and 6.6), given the view of the picture.
    /// # Errors
    /// [`Error::Length`](ribbonmesh::Error::Length) for a view of another size.
    pub fn points(&self, view: &View) -> Result<impl Iterator<Item = Point>> {
        super::error::length("pixels of the view", self.header.width as usize, view.width() as usize)?;
        super::error::length("rows of the view", self.header.height as usize, view.height() as usize)?;
        let (back, window) = ((view.projection() * view.view()).inverse(), self.header.depth.is_window());
        let [z, w] = [view.projection().row(2), view.projection().row(3)];
        let (width, height) = (f64::from(view.width()), f64::from(view.height()));
        Ok(self.pixels().map(move |Pixel { x, y, value, depth }| {
            let depth = f64::from(depth);
            let z = if window { 2.0 * depth - 1.0 } else { (z.w - z.z * depth) / (w.w - w.z * depth) };
            let middle = |i: u32, n: f64| (2.0 * f64::from(i) + 1.0) / n - 1.0;
            let place = back * DVec4::new(middle(x, width), middle(y, height), z, 1.0);
            Point { place: place.truncate() / place.w, value }
        }))
    }
}
