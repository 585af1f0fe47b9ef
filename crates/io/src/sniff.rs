//! Formats by content, for files with a wrong extension.

use crate::Format;

/// Bytes of a binary STL file before its triangles.
pub(crate) const STL_HEAD: usize = 84;
/// Bytes of a triangle in a binary STL file.
pub(crate) const STL_FACET: usize = 50;

/// Whether the file is exactly as long as the count in a binary STL header says.
pub(crate) fn is_exact_binary_stl(bytes: &[u8]) -> bool {
    is_binary_stl_of_length(bytes, bytes.len() as u64)
}

/// The same by the beginning of a file and its length.
pub(crate) fn is_binary_stl_of_length(bytes: &[u8], length: u64) -> bool {
    let Some(&count) = bytes.get(80..STL_HEAD).and_then(|count| count.first_chunk::<4>()) else {
        return false;
    };
    STL_HEAD as u64 + STL_FACET as u64 * u64::from(u32::from_le_bytes(count)) == length
}

/// Recognizes bytes that are certainly not a mesh, by their beginning.
pub(crate) fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let begins = |word: &[u8]| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    match bytes {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some("a ZIP archive, to be unpacked first"),
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Some("a RAR archive, to be unpacked first"),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some("a 7z archive, to be unpacked first"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some("xz data, to be decompressed first"),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => {
            Some("bzip2 data, to be decompressed first")
        }
        [0x89, b'P', b'N', b'G', ..] => Some("a picture (PNG)"),
        [0xff, 0xd8, 0xff, ..] => Some("a picture (JPEG)"),
        [b'%', b'P', b'D', b'F', b'-', ..] => Some("a PDF document"),
        _ if begins(b"<!doctype html") || begins(b"<html") || begins(b"<head") || begins(b"<body") => {
            Some("a page of HTML, as a server gives it instead of a file")
        }
        _ if begins(b"version https://git-lfs") => {
            Some("a pointer of Git LFS; git lfs pull fetches the file")
        }
        _ if begins(b"<?xml") || begins(b"<collada") || begins(b"<x3d") => Some("XML"),
        _ => None,
    }
}

/// A text in UTF-16 with its mark, as UTF-8; `None` for other bytes.
pub(crate) fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
    let (order, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        _ => return None,
    };
    // one of the two halves of characters of a text of numbers is zero
    let zeros = rest.iter().take(64).filter(|byte| **byte == 0).count();
    if zeros < rest.len().min(64) / 4 {
        return None;
    }
    let units = rest.as_chunks::<2>().0.iter().map(|unit| order(*unit));
    let text = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(text.collect::<String>().into_bytes())
}

/// The bytes of a text without the mark of UTF-8 before it. It is on the first line, so lines stay as they
/// are.
pub(crate) fn without_mark(bytes: &[u8], named: Format) -> &[u8] {
    match bytes.strip_prefix("\u{feff}".as_bytes()) {
        Some(text)
            if matches!(named, Format::Obj | Format::Off | Format::Gltf)
                || is_marked_ascii_stl(text, named) =>
        {
            text
        }
        _ => bytes,
    }
}

fn is_marked_ascii_stl(text: &[u8], named: Format) -> bool {
    named == Format::Stl && starts_like_ascii_stl(text)
}

/// The format of a file: from its first bytes if they are unambiguous, or else from its extension.
pub(crate) fn format_of(bytes: &[u8], named: Format) -> Format {
    if named == Format::Stl && is_exact_binary_stl(bytes) {
        return Format::Stl;
    }
    match bytes {
        [b'p', b'l', b'y', b'\n' | b'\r', ..] => Format::Ply,
        [b'g', b'l', b'T', b'F', 2, 0, 0, 0, ..] => Format::Glb,
        _ if starts_like_gltf(bytes) => Format::Gltf,
        _ if starts_like_off(bytes) => Format::Off,
        _ if starts_like_ascii_stl(bytes) => Format::Stl,
        _ => named,
    }
}

/// The format of bytes whose format was not given, from their beginning.
pub(crate) fn of_unnamed(bytes: &[u8]) -> Option<Format> {
    if is_exact_binary_stl(bytes) {
        return Some(Format::Stl);
    }
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    // OBJ has no beginning of its own, so a file that is nothing else is OBJ
    match format_of(text, Format::Obj) {
        Format::Obj => starts_like_obj(text).then_some(Format::Obj),
        format => Some(format),
    }
}

/// Whether the first line that is not a comment is a statement of OBJ.
fn starts_like_obj(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default();
    let word = first.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    matches!(
        word,
        b"v" | b"vt" | b"vn" | b"vp" | b"f" | b"l" | b"p" | b"o" | b"g" | b"s" | b"mtllib" | b"usemtl"
    )
}

/// An object of JSON, which no other format begins with.
fn starts_like_gltf(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    let next = text.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    next.is_some_and(|rest| matches!(rest.first(), Some(b'"' | b'}')))
}

fn starts_like_off(bytes: &[u8]) -> bool {
    let Some(line) = bytes.split(|byte| byte.is_ascii_whitespace()).next() else { return false };
    line.len() < bytes.len()
        && matches!(
            line,
            b"OFF" | b"COFF" | b"NOFF" | b"CNOFF" | b"STOFF" | b"STCOFF" | b"STNOFF" | b"STCNOFF"
        )
}

/// A first line `solid …` and a later `facet …`: neither is an OBJ statement.
fn starts_like_ascii_stl(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    let solid = lines.next().is_some_and(|line| line.starts_with(b"solid"));
    solid && lines.any(|line| line.starts_with(b"facet"))
}
