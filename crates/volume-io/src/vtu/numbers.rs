//! The numbers of arrays: from text, base64 or bytes, compressed or not.

use std::io::Read;

use flate2::read::ZlibDecoder;
use lzma_rust2::XzReader;
use ribbonmesh_io::{
    ReadErrorKind as Kind,
    core::{Cursor, Order, Outcome, fault, from_bytes},
};
use ribbonmesh_mesh::{Scalar, Scalars};

use super::base64::Digits;
use super::document::{Array, Compressor, Document, Storage};

/// Memory for a dictionary of LZMA, in KiB: twice that of the highest level.
const DICTIONARY: u32 = 128 << 10;

impl Compressor {
    fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Lz4 => "LZ4",
            Self::Lzma => "LZMA",
        }
    }
    /// More than it can compress bytes, to one: 1032 and 255; of LZMA, zeros give about 7000.
    fn densest(self) -> u64 {
        match self {
            Self::Zlib => 1033,
            Self::Lz4 => 256,
            Self::Lzma => 8192,
        }
    }
    /// Appends a block of this many bytes, or of more or less if it has them.
    fn unpack(self, packed: &[u8], expected: u64, data: &mut Vec<u8>) -> Result<(), String> {
        let read = |from: &mut dyn Read, data: &mut Vec<u8>| {
            from.take(expected + 1).read_to_end(data).map(|_| ()).map_err(|error| error.to_string())
        };
        match self {
            Self::Zlib => read(&mut ZlibDecoder::new(packed), data),
            Self::Lzma => read(&mut XzReader::new_mem_limit(packed, false, DICTIONARY), data),
            Self::Lz4 => {
                let before = data.len();
                data.resize(before + expected as usize, 0);
                let done = lz4_flex::block::decompress_into(packed, &mut data[before..]);
                data.truncate(before + *done.as_ref().unwrap_or(&0));
                done.map(|_| ()).map_err(|error| error.to_string())
            }
        }
    }
}

/// Bytes of an array, encoded.
enum Source<'a> {
    Raw(Cursor<'a>),
    Base64(Digits<'a>),
}

impl Source<'_> {
    fn pos(&self) -> usize {
        match self {
            Self::Raw(bytes) => bytes.pos,
            Self::Base64(digits) => digits.pos,
        }
    }
    /// The most bytes that can follow.
    fn most(&self) -> u64 {
        match self {
            Self::Raw(bytes) => bytes.rest().len() as u64,
            Self::Base64(digits) => digits.most(),
        }
    }
    fn take(&mut self, count: u64) -> Outcome<Vec<u8>> {
        let available = self.most();
        if count > available {
            let (what, needed) = ("bytes of an array".into(), count);
            return Err(fault(self.pos(), Kind::CountTooLarge { what, count, needed, available }));
        }
        match self {
            Self::Raw(bytes) => bytes.bytes(count as usize, "the data of an array").map(<[u8]>::to_vec),
            Self::Base64(digits) => digits.take(count as usize),
        }
    }
    fn number(&mut self, size: usize, order: Order) -> Outcome<u64> {
        let mut bytes = self.take(size as u64)?;
        if order == Order::Big {
            bytes.reverse();
        }
        Ok(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    }
}

impl Document {
    /// The numbers of an array.
    pub fn numbers(&self, bytes: &[u8], array: &Array) -> Outcome<Scalars> {
        let mut source = match array.storage {
            Storage::Ascii(start, end) => return text(&bytes[..end], start, array.scalar),
            Storage::Inline(start, end) if start == end => {
                return Ok(Scalars::with_capacity(array.scalar, 0));
            }
            Storage::Inline(start, end) => Source::Base64(Digits::new(&bytes[..end], start)),
            Storage::Appended(offset) => {
                let Some((start, base64)) = self.appended else {
                    return Err(fault(array.at, Kind::Absent { what: "the element AppendedData".into() }));
                };
                let at = usize::try_from(offset).ok().and_then(|offset| start.checked_add(offset));
                let Some(at) = at.filter(|&at| at < bytes.len()) else {
                    let (element, what) = (format!("array {:?}", array.name), "the offset");
                    let (index, count) = (offset.min(i64::MAX as u64) as i64, (bytes.len() - start) as u64);
                    return Err(fault(array.at, Kind::OutOfRange { element, what, index, count }));
                };
                if base64 {
                    Source::Base64(Digits::new(bytes, at))
                } else {
                    Source::Raw(Cursor::words(bytes, at, false))
                }
            }
        };
        let start = source.pos();
        let data = match self.compressor {
            Some(compressor) => self.decompressed(compressor, &mut source)?,
            None => {
                let length = source.number(self.header, self.order)?;
                source.take(length)?
            }
        };
        if !data.len().is_multiple_of(array.scalar.size()) {
            let (bytes, size) = (data.len(), array.scalar.size());
            let reason = format!("array {:?} has {bytes} bytes, no multiple of {size}", array.name);
            return Err(fault(start, Kind::Malformed { reason }));
        }
        Ok(from_bytes(array.scalar, &data, self.order))
    }

    /// Compressed blocks, behind a header with their number, their size, that of the last one if it is
    /// another, and the compressed size of each.
    fn decompressed(&self, compressor: Compressor, source: &mut Source<'_>) -> Outcome<Vec<u8>> {
        let start = source.pos();
        let mut number = || source.number(self.header, self.order);
        let (blocks, size, last) = (number()?, number()?, number()?);
        let needed = blocks.saturating_mul(self.header as u64);
        let available = source.most();
        if needed > available {
            let (what, count) = ("compressed blocks".into(), blocks);
            return Err(fault(start, Kind::CountTooLarge { what, count, needed, available }));
        }
        let sizes: Vec<u64> =
            (0..blocks).map(|_| source.number(self.header, self.order)).collect::<Outcome<_>>()?;
        let mut data = Vec::new();
        for (i, &packed) in sizes.iter().enumerate() {
            let expected = if i + 1 == sizes.len() && last > 0 { last } else { size };
            let at = source.pos();
            let damaged = |reason: String| Err(fault(at, Kind::Malformed { reason }));
            let name = compressor.name();
            if expected > packed.saturating_mul(compressor.densest()) {
                return damaged(format!("{packed} bytes cannot be {expected} bytes compressed by {name}"));
            }
            let packed = source.take(packed)?;
            let before = data.len() as u64;
            if let Err(error) = compressor.unpack(&packed, expected, &mut data) {
                return damaged(format!("the {name} data are damaged: {error}"));
            }
            let found = data.len() as u64 - before;
            if found != expected {
                return damaged(format!(
                    "a {name} block has not the {expected} bytes that its header announces"
                ));
            }
        }
        Ok(data)
    }
}

/// All numbers of a text.
fn text(bytes: &[u8], start: usize, scalar: Scalar) -> Outcome<Scalars> {
    let words = bytes[start..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count();
    Cursor::words(bytes, start, false).numbers(scalar, words, "a number of an array")
}
