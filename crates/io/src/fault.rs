//! Errors of reading before the file's name and the line are known.

use std::path::Path;

use crate::{Place, ReadError, ReadErrorKind};

/// An error at a byte offset, before the file's name and line are known.
#[derive(Debug)]
pub struct Fault {
    /// Offset of the byte at fault; `None` if the file as a whole is at fault.
    pub offset: Option<usize>,
    /// The error there.
    pub kind: ReadErrorKind,
}

/// Result of a part of a reader.
pub type Outcome<T> = Result<T, Box<Fault>>;

impl Fault {
    /// The error in a file of these bytes; `is_text` says whether a byte belongs to text, where errors name
    /// lines.
    pub fn in_file(self, file: &Path, bytes: &[u8], is_text: impl Fn(usize) -> bool) -> ReadError {
        ReadError { file: file.into(), place: place(self.offset, bytes, is_text), kind: self.kind }
    }
}

/// An error at a byte offset.
#[cold]
pub fn fault(offset: usize, kind: ReadErrorKind) -> Box<Fault> {
    Box::new(Fault { offset: Some(offset), kind })
}

/// An error of the file as a whole.
#[cold]
pub fn fault_of_file(kind: ReadErrorKind) -> Box<Fault> {
    Box::new(Fault { offset: None, kind })
}

/// Longest piece of a file that an error message quotes, in bytes.
const QUOTE: usize = 40;

/// Part of the file that an error message quotes.
pub fn quote(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(QUOTE)]).into_owned()
}

/// Place of a byte in a file: its line in text, its offset elsewhere.
pub(crate) fn place(offset: Option<usize>, bytes: &[u8], is_text: impl Fn(usize) -> bool) -> Place {
    match offset {
        None => Place::File,
        Some(offset) if is_text(offset) => Place::Line(line_of(bytes, offset)),
        Some(offset) => Place::Byte(offset as u64),
    }
}

/// The line, counted from 1, that holds a byte. Files whose lines end in a lone carriage return are counted
/// too.
fn line_of(bytes: &[u8], offset: usize) -> u64 {
    let end = if memchr::memchr(b'\n', bytes).is_some() { b'\n' } else { b'\r' };
    1 + memchr::memchr_iter(end, &bytes[..offset.min(bytes.len())]).count() as u64
}
