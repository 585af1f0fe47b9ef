//! Frames: what is sent to clients in binary form.

use crate::{DepthBits, View};
use std::sync::Arc;
use thiserror::Error;

/// Bytes of a frame's header.
pub const HEADER: usize = 64;
const MAGIC: [u8; 4] = *b"RMF1";
const KEYFRAME: u8 = 1;
const SPARSE: u8 = 2;
const LINEAR: u8 = 8;
const OF_FACES: u8 = 16;

/// The kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// All values of a field of a grid.
    Field,
    /// The visible points with values and depths.
    Rixel,
    /// Triangles with values.
    Geometry,
}

impl Mode {
    /// The number in messages.
    pub fn number(self) -> u8 {
        match self {
            Self::Field => 1,
            Self::Rixel => 2,
            Self::Geometry => 3,
        }
    }

    fn of(number: u8) -> Option<Self> {
        [Self::Field, Self::Rixel, Self::Geometry].into_iter().find(|mode| mode.number() == number)
    }
}

/// A frame before it has numbers: mostly the visible points of a view (Mueller-Roemer 2020, 6.3.5), which
/// pixels have one, and their values and depths in the order of the pixels, row by row from below; or
/// [`Triangles`](crate::Triangles).
#[derive(Clone, PartialEq, Debug)]
pub struct Encoded {
    /// The kind of frame.
    pub mode: Mode,
    /// Pixels across; 0 of triangles.
    pub width: u16,
    /// Pixels down; 0 of triangles.
    pub height: u16,
    /// Pixels with a point, or values of triangles.
    pub count: u32,
    /// The number that the value 0 stands for.
    pub minimum: f32,
    /// The number that the value 65534 stands for.
    pub maximum: f32,
    /// Bits of a depth.
    pub depth: DepthBits,
    /// Whether depths are distances along the direction of view; else they are window depths.
    pub linear: bool,
    /// Whether the first part has the number of each pixel as 32 bits; else it has a bit for each pixel of
    /// the view, bit `i` of word `k` for pixel `32 k + i`.
    pub sparse: bool,
    /// Whether values are of triangles; else they are of vertices or points.
    pub of_faces: bool,
    /// Whether the frame can be shown without those before.
    pub complete: bool,
    /// Bytes of each part, multiples of eight.
    pub parts: [u32; 3],
    /// The parts one after the other: the pixels; values as 16 bits, 65535 for no number; the least and the
    /// greatest distance as numbers of single precision, then the depths. Depths of 16 bits are parts of the
    /// way from the least to the greatest distance, or window depths, each times 65535; those of 32 bits are
    /// numbers of single precision.
    pub body: Vec<u8>,
}

impl Encoded {
    /// A frame without points.
    pub fn empty(view: &View) -> Self {
        Self {
            mode: Mode::Rixel,
            width: view.size[0].try_into().unwrap_or(u16::MAX),
            height: view.size[1].try_into().unwrap_or(u16::MAX),
            count: 0,
            minimum: 0.0,
            maximum: 0.0,
            depth: view.depth,
            linear: true,
            sparse: true,
            of_faces: false,
            complete: true,
            parts: [0, 0, 8],
            body: vec![0; 8],
        }
    }

    /// The header of the frame, and the parts.
    pub(crate) fn framed(self, step: u64, time: f64) -> Frame {
        let header = Header {
            mode: self.mode,
            value_bits: 16,
            depth_bits: self.depth.bits(),
            linear: self.linear,
            sparse: self.sparse,
            of_faces: self.of_faces,
            complete: self.complete,
            query: 0,
            view: 0,
            step,
            time,
            minimum: self.minimum,
            maximum: self.maximum,
            width: self.width,
            height: self.height,
            count: self.count,
            parts: self.parts,
            age: 0,
        };
        Frame { header, body: Arc::new(self.body) }
    }
}

/// The first 64 bytes of a frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Header {
    /// The kind of frame.
    pub mode: Mode,
    /// Bits of a value.
    pub value_bits: u8,
    /// Bits of a depth, or of a coordinate.
    pub depth_bits: u8,
    /// Whether depths are distances along the direction of view; else they are window depths.
    pub linear: bool,
    /// Whether pixels are numbers instead of a bitmap.
    pub sparse: bool,
    /// Whether values are of triangles; else they are of vertices or points.
    pub of_faces: bool,
    /// Whether the frame can be shown without those before.
    pub complete: bool,
    /// The client's number of the query.
    pub query: u32,
    /// The client's number of the view.
    pub view: u32,
    /// The step.
    pub step: u64,
    /// Its time.
    pub time: f64,
    /// The number that the value 0 stands for.
    pub minimum: f32,
    /// The number that the value 65534 stands for.
    pub maximum: f32,
    /// Pixels across.
    pub width: u16,
    /// Pixels down.
    pub height: u16,
    /// Pixels with a point, or values of triangles.
    pub count: u32,
    /// Bytes of each part, multiples of eight.
    pub parts: [u32; 3],
    /// Microseconds from the moment when both the step and the client's request were there until the frame
    /// was handed on.
    pub age: u32,
}

/// Bytes that are no frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum HeaderError {
    /// Fewer bytes than a header or than the header says.
    #[error("a frame of {found} bytes should have {expected}")]
    Length {
        /// The bytes.
        found: usize,
        /// The length that the header asks for.
        expected: usize,
    },
    /// Other first bytes, a mode that does not exist, or parts that are no multiples of eight bytes.
    #[error("the bytes are no frame")]
    NotAFrame,
}

impl Header {
    /// The bytes of the header.
    pub fn to_bytes(&self) -> [u8; HEADER] {
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let flags = flag(self.complete, KEYFRAME)
            | flag(self.sparse, SPARSE)
            | flag(self.linear, LINEAR)
            | flag(self.of_faces, OF_FACES);
        let mut bytes = [0; HEADER];
        let mut at = 0;
        let mut put = |part: &[u8]| {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        };
        put(&MAGIC);
        put(&[self.mode.number(), self.value_bits, self.depth_bits, flags]);
        put(&self.query.to_le_bytes());
        put(&self.view.to_le_bytes());
        put(&self.step.to_le_bytes());
        put(&self.time.to_le_bytes());
        put(&self.minimum.to_le_bytes());
        put(&self.maximum.to_le_bytes());
        put(&self.width.to_le_bytes());
        put(&self.height.to_le_bytes());
        put(&self.count.to_le_bytes());
        self.parts.iter().for_each(|part| put(&part.to_le_bytes()));
        put(&self.age.to_le_bytes());
        bytes
    }

    /// Reads the header of a frame, and checks that all parts are there.
    /// # Errors
    /// [`HeaderError`].
    pub fn read(frame: &[u8]) -> Result<Self, HeaderError> {
        let Some(bytes) = frame.first_chunk::<HEADER>() else {
            return Err(HeaderError::Length { found: frame.len(), expected: HEADER });
        };
        fn word<const N: usize>(bytes: &[u8; HEADER], at: usize) -> [u8; N] {
            std::array::from_fn(|i| bytes[at + i])
        }
        let number = |at| u32::from_le_bytes(word(bytes, at));
        let mode = Mode::of(bytes[4]).filter(|_| bytes[..4] == MAGIC).ok_or(HeaderError::NotAFrame)?;
        let header = Self {
            mode,
            value_bits: bytes[5],
            depth_bits: bytes[6],
            linear: bytes[7] & LINEAR != 0,
            sparse: bytes[7] & SPARSE != 0,
            of_faces: bytes[7] & OF_FACES != 0,
            complete: bytes[7] & KEYFRAME != 0,
            query: number(8),
            view: number(12),
            step: u64::from_le_bytes(word(bytes, 16)),
            time: f64::from_le_bytes(word(bytes, 24)),
            minimum: f32::from_le_bytes(word(bytes, 32)),
            maximum: f32::from_le_bytes(word(bytes, 36)),
            width: u16::from_le_bytes(word(bytes, 40)),
            height: u16::from_le_bytes(word(bytes, 42)),
            count: number(44),
            parts: [number(48), number(52), number(56)],
            age: number(60),
        };
        if header.parts.iter().any(|part| part % 8 != 0) {
            return Err(HeaderError::NotAFrame);
        }
        let expected = HEADER + header.parts.iter().map(|&part| part as usize).sum::<usize>();
        if frame.len() != expected {
            return Err(HeaderError::Length { found: frame.len(), expected });
        }
        Ok(header)
    }
}

/// A frame for a client: the header with the client's own numbers, and the parts, which clients share.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The header.
    pub header: Header,
    /// The parts, one after the other.
    pub body: Arc<Vec<u8>>,
}

impl Frame {
    /// Bytes on the wire, without those of the transport.
    pub fn len(&self) -> usize {
        HEADER + self.body.len()
    }

    /// Never: a frame has a header.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Header and parts in one piece.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        bytes.extend_from_slice(&self.header.to_bytes());
        bytes.extend_from_slice(&self.body);
        bytes
    }
}
