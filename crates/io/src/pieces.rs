//! Files that are read a piece at a time.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use crate::{Place, ReadError, ReadErrorKind, fault::Fault};

/// Bytes that are read at once.
pub(crate) const PIECE: usize = 1 << 20;

/// The bytes of a file from a place on.
pub(crate) struct Pieces {
    file: File,
    buffer: Vec<u8>,
    /// Place of the next byte in the buffer.
    next: usize,
    /// Bytes of the file up to the end of the buffer.
    read: usize,
}

impl Pieces {
    /// Opens a file, from a place on.
    pub fn open(path: &Path, from: u64) -> Result<Self, Fault> {
        let mut file = File::open(path).map_err(of_system)?;
        file.seek(SeekFrom::Start(from)).map_err(of_system)?;
        Ok(Self { file, buffer: Vec::with_capacity(PIECE), next: 0, read: from as usize })
    }
    /// Offset of the next byte in the file.
    pub fn offset(&self) -> usize {
        self.read - (self.buffer.len() - self.next)
    }
    /// The next bytes.
    #[inline(always)]
    pub fn take(&mut self, count: usize) -> Result<&[u8], Fault> {
        if self.buffer.len() - self.next < count {
            self.fill(count)?;
        }
        let from = self.next;
        self.next += count;
        Ok(&self.buffer[from..from + count])
    }
    /// Reads until that many bytes are in the buffer, and more.
    #[cold]
    fn fill(&mut self, count: usize) -> Result<(), Fault> {
        self.buffer.drain(..self.next);
        self.next = 0;
        let wanted = (PIECE.max(count) - self.buffer.len()) as u64;
        let more =
            Read::by_ref(&mut self.file).take(wanted).read_to_end(&mut self.buffer).map_err(of_system)?;
        self.read += more;
        if self.buffer.len() < count {
            return Err(at(self.read, ReadErrorKind::Truncated { what: "the next element" }));
        }
        Ok(())
    }
}

/// An error at an offset.
pub(crate) fn at(offset: usize, kind: ReadErrorKind) -> Fault {
    Fault { offset: Some(offset), kind }
}
/// An error of the operating system.
pub(crate) fn of_system(error: std::io::Error) -> Fault {
    let kind = match error.kind() {
        std::io::ErrorKind::NotFound => ReadErrorKind::Missing,
        std::io::ErrorKind::IsADirectory => ReadErrorKind::Directory,
        _ => ReadErrorKind::Io(error),
    };
    Fault { offset: None, kind }
}
/// The error of a binary file.
pub(crate) fn error(file: &Path, Fault { offset, kind }: Fault) -> ReadError {
    let place = offset.map_or(Place::File, |byte| Place::Byte(byte as u64));
    ReadError { file: file.into(), place, kind }
}
