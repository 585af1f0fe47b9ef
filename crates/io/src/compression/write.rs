//! Compression while a file is written.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::Compression;
use crate::WriteErrorKind;

/// Bytes that a Zstandard frame compresses.
const FRAME: usize = 1 << 22;

/// Has `fill` write to `out` through a compression, if there is one.
pub(crate) fn compressed(
    out: &mut dyn Write,
    compression: Option<Compression>,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), WriteErrorKind>,
) -> Result<(), WriteErrorKind> {
    match compression {
        None => fill(out),
        Some(Compression::Gzip) => {
            let mut gzip = GzEncoder::new(out, flate2::Compression::default());
            fill(&mut gzip)?;
            gzip.finish()?;
            Ok(())
        }
        Some(Compression::Zstd) => {
            let mut frames = Frames { out, waiting: Vec::new() };
            fill(&mut frames)?;
            Ok(frames.frame(frames.waiting.len())?)
        }
    }
}

/// Zstandard frames one after another, each with its checksum.
struct Frames<'w> {
    out: &'w mut dyn Write,
    /// Bytes that have not been compressed yet.
    waiting: Vec<u8>,
}

impl Frames<'_> {
    /// Writes a frame of the first bytes that wait.
    fn frame(&mut self, length: usize) -> io::Result<()> {
        let frame = compress_to_vec(&self.waiting[..length], CompressionLevel::Fastest);
        self.waiting.drain(..length);
        self.out.write_all(&frame)
    }
}

impl Write for Frames<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        while self.waiting.len() >= FRAME {
            self.frame(FRAME)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
