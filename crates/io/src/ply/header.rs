//! Headers of PLY files.

use ribbonmesh_mesh::{Remark, Scalar};

use super::scalar::scalar_of;
use crate::{
    ReadErrorKind,
    fault::{Fault, Outcome, fault, quote},
};

/// The encoding of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    Little,
    Big,
}

/// One number or many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Debug)]
pub(super) struct Property {
    pub name: String,
    pub kind: Kind,
}

#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
    /// Offset of the element's line.
    pub offset: usize,
}

#[derive(Debug)]
pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// Comments and `obj_info` lines.
    pub remarks: Vec<Remark>,
    /// Lines that the format does not have: their offsets and first words.
    pub unknown: Vec<(usize, String)>,
    /// Offset of the first byte after the header.
    pub body: usize,
}

/// Words with which lines of a header begin.
const KEYWORDS: [&[u8]; 6] = [b"comment", b"obj_info", b"format", b"element", b"property", b"end_header"];

/// The lines of a header. What ends its first line ends them all, since the body may begin with any byte.
struct Lines<'a> {
    bytes: &'a [u8],
    pos: usize,
    end: &'static [u8],
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Outcome<(usize, &'a [u8])> {
        let rest = &self.bytes[self.pos..];
        let what = "the next line of the header";
        let length = memchr::memmem::find(rest, self.end)
            .ok_or_else(|| fault(self.bytes.len(), ReadErrorKind::Truncated { what }))?;
        let start = self.pos;
        self.pos += length + self.end.len();
        Ok((start, rest[..length].trim_ascii()))
    }
}

fn bad(offset: usize, reason: String) -> Box<Fault> {
    fault(offset, ReadErrorKind::Malformed { reason })
}

impl Header {
    pub fn parse(bytes: &[u8]) -> Outcome<Self> {
        let end: &[u8] = match bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            Some(end) if bytes[end..].starts_with(b"\r\n") => b"\r\n",
            Some(end) if bytes[end] == b'\r' => b"\r",
            _ => b"\n",
        };
        if bytes.split(u8::is_ascii_whitespace).next() != Some(b"ply") {
            let found = quote(bytes.split(u8::is_ascii_whitespace).next().unwrap_or_default());
            return Err(fault(0, ReadErrorKind::Unexpected { expected: "the keyword ply", found }));
        }
        let mut lines = Lines { bytes, pos: 0, end };
        lines.next()?;
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut remarks = Vec::new();
        let mut unknown = Vec::new();
        loop {
            let (offset, line) = lines.next()?;
            let words: Vec<&[u8]> =
                line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
            match words[..] {
                [] => {}
                [b"comment", ..] => remarks.push(remark("comment", line)),
                [b"obj_info", ..] => remarks.push(remark("obj_info", line)),
                [b"format", name, b"1.0"] => encoding = Some(encoding_of(offset, name)?),
                [b"element", name, count] => elements.push(element(offset, name, count)?),
                [b"property", ref rest @ ..] => match elements.last_mut() {
                    Some(element) => element.add(offset, rest)?,
                    None => return Err(bad(offset, "a property comes before any element".into())),
                },
                [b"end_header"] => break,
                // a comment without the word
                [word, ..] if !KEYWORDS.contains(&word) => unknown.push((offset, quote(word))),
                _ => {
                    let expected = "a line of a PLY header";
                    return Err(fault(offset, ReadErrorKind::Unexpected { expected, found: quote(line) }));
                }
            }
        }
        let encoding = encoding.ok_or_else(|| bad(0, "the header names no format".into()))?;
        Ok(Self { encoding, elements, remarks, unknown, body: lines.pos })
    }
}

fn remark(key: &str, line: &[u8]) -> Remark {
    Remark { key: key.into(), text: line[key.len()..].trim_ascii_start().to_vec() }
}

fn encoding_of(offset: usize, name: &[u8]) -> Outcome<Encoding> {
    match name {
        b"ascii" => Ok(Encoding::Ascii),
        b"binary_little_endian" => Ok(Encoding::Little),
        b"binary_big_endian" => Ok(Encoding::Big),
        _ => Err(fault(offset, ReadErrorKind::Unexpected { expected: "a PLY encoding", found: quote(name) })),
    }
}

fn element(offset: usize, name: &[u8], count: &[u8]) -> Outcome<Element> {
    let count = lexical_core::parse(count).map_err(|_| {
        let what = "the number of elements";
        fault(offset, ReadErrorKind::NotANumber { what, text: quote(count) })
    })?;
    Ok(Element { name: quote(name), count, properties: Vec::new(), offset })
}

impl Element {
    fn add(&mut self, offset: usize, words: &[&[u8]]) -> Outcome<()> {
        let scalar = |name: &[u8]| {
            let expected = "a PLY number type";
            let unexpected = || fault(offset, ReadErrorKind::Unexpected { expected, found: quote(name) });
            scalar_of(name).ok_or_else(unexpected)
        };
        let (kind, name) = match *words {
            [b"list", count, item, name] => {
                let count = scalar(count)?;
                if !count.is_integer() {
                    return Err(bad(offset, "the length of a list is not of an integer type".into()));
                }
                (Kind::List { count, item: scalar(item)? }, name)
            }
            [kind, name] => (Kind::Scalar(scalar(kind)?), name),
            _ => return Err(bad(offset, "a property needs a type and a name".into())),
        };
        self.properties.push(Property { name: String::from_utf8_lossy(name).into_owned(), kind });
        Ok(())
    }
}
