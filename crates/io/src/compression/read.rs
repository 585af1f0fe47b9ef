//! Decompression while a file is read.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{
    FrameDecoder, StreamingDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};

use super::Compression;
use crate::{Place, ReadErrorKind};

/// The bytes of a file, decompressed if they begin like a compression; they have to where `named` is one.
/// Only the decompressed bytes are held in memory.
///
/// # Errors
/// The source fails; or its compressed data are damaged or end early, with the byte up to which they were
/// read.
pub(crate) fn contents(
    source: impl Read,
    named: Option<Compression>,
) -> Result<Vec<u8>, (Place, ReadErrorKind)> {
    let mut source =
        Counted { inner: BufReader::with_capacity(1 << 16, source), read: 0, ended: false, failed: false };
    let found = match source.fill_buf() {
        Ok(head) => Compression::of(head),
        Err(cause) => return Err((Place::File, ReadErrorKind::Io(cause))),
    };
    let mut bytes = Vec::new();
    let done = match (found, named) {
        (Some(Compression::Gzip), _) => {
            MultiGzDecoder::new(&mut source).read_to_end(&mut bytes).map(drop).map_err(Fault::from)
        }
        (Some(Compression::Zstd), _) => frames(&mut source, &mut bytes),
        (None, Some(compression)) if !source.ended => {
            let reason = "they do not begin like such".into();
            return Err((Place::Byte(0), ReadErrorKind::Damaged { compression, reason }));
        }
        (None, _) => source.inner.read_to_end(&mut bytes).map(drop).map_err(Fault::from),
    };
    let Err(fault) = done else { return Ok(bytes) };
    let place = Place::Byte(source.read);
    match (fault, found) {
        (Fault::Io(cause), None) => Err((Place::File, ReadErrorKind::Io(cause))),
        (Fault::Io(cause), Some(_)) if source.failed => Err((Place::File, ReadErrorKind::Io(cause))),
        (_, Some(compression)) if source.ended => Err((place, ReadErrorKind::CutOff { compression })),
        (Fault::Io(cause), Some(compression)) => {
            Err((place, ReadErrorKind::Damaged { compression, reason: cause.to_string() }))
        }
        (Fault::Data(reason), compression) => {
            let compression = compression.unwrap_or(Compression::Zstd);
            Err((place, ReadErrorKind::Damaged { compression, reason }))
        }
    }
}

/// Why decompression stopped.
enum Fault {
    Io(io::Error),
    /// The message of a decoder.
    Data(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Decompresses Zstandard frames one after another.
fn frames(source: &mut Counted<impl Read>, bytes: &mut Vec<u8>) -> Result<(), Fault> {
    let mut decoder = FrameDecoder::new();
    while !source.fill_buf()?.is_empty() {
        match StreamingDecoder::new_with_decoder(&mut *source, &mut decoder) {
            Ok(mut frame) => drop(frame.read_to_end(bytes)?),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let skipped = io::copy(&mut source.take(length.into()), &mut io::sink())?;
                if skipped < length.into() {
                    return Err(Fault::Data("a frame ends early".into()));
                }
                continue;
            }
            Err(error) => return Err(Fault::Data(error.to_string())),
        }
        let stored = decoder.get_checksum_from_data();
        if stored.is_some() && stored != decoder.get_calculated_checksum() {
            return Err(Fault::Data("the checksum does not match".into()));
        }
    }
    Ok(())
}

/// A source that knows how much of it was read.
struct Counted<R> {
    inner: BufReader<R>,
    /// Bytes that were taken.
    read: u64,
    /// Whether more was asked for at the end.
    ended: bool,
    /// Whether the source itself failed.
    failed: bool,
}

impl<R: Read> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.inner.fill_buf() {
            Ok(bytes) => {
                self.ended |= bytes.is_empty();
                Ok(bytes)
            }
            Err(error) => {
                self.failed |= error.kind() != io::ErrorKind::Interrupted;
                Err(error)
            }
        }
    }

    fn consume(&mut self, count: usize) {
        self.read += count as u64;
        self.inner.consume(count);
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        if target.is_empty() {
            return Ok(0);
        }
        let count = self.fill_buf()?.read(target)?;
        self.consume(count);
        Ok(count)
    }
}
