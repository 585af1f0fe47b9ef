//! Formats by content, for files whose extension lies.

use crate::Format;

/// Bytes of a binary STL file before its triangles.
pub(crate) const STL_HEAD: usize = 84;
/// Bytes of a triangle in a binary STL file.
pub(crate) const STL_FACET: usize = 50;

/// Whether the file is exactly as long as the count in a binary STL header says.
pub(crate) fn is_exact_binary_stl(bytes: &[u8]) -> bool {
    let Some(&count) = bytes.get(80..STL_HEAD).and_then(|count| count.first_chunk::<4>()) else {
        return false;
    };
    STL_HEAD as u64 + STL_FACET as u64 * u64::from(u32::from_le_bytes(count)) == bytes.len() as u64
}

/// The bytes of a text without the mark of UTF-8 before it. It stands on the first line, so lines stay as
/// they are.
pub(crate) fn without_mark(bytes: &[u8], named: Format) -> &[u8] {
    match bytes.strip_prefix("\u{feff}".as_bytes()) {
        Some(text) if matches!(named, Format::Obj | Format::Off) || is_marked_ascii_stl(text, named) => text,
        _ => bytes,
    }
}

fn is_marked_ascii_stl(text: &[u8], named: Format) -> bool {
    named == Format::Stl && starts_like_ascii_stl(text)
}

/// The format of a file: what its first bytes say beyond doubt, or else what its extension says.
pub(crate) fn format_of(bytes: &[u8], named: Format) -> Format {
    if named == Format::Stl && is_exact_binary_stl(bytes) {
        return Format::Stl;
    }
    match bytes {
        [b'p', b'l', b'y', b'\n' | b'\r', ..] => Format::Ply,
        [b'g', b'l', b'T', b'F', 2, 0, 0, 0, ..] => Format::Glb,
        _ if starts_like_off(bytes) => Format::Off,
        _ if starts_like_ascii_stl(bytes) => Format::Stl,
        _ => named,
    }
}

/// The format of bytes that nobody has named, by what they begin with.
pub(crate) fn of_unnamed(bytes: &[u8]) -> Option<Format> {
    if is_exact_binary_stl(bytes) {
        return Some(Format::Stl);
    }
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    // OBJ has no beginning of its own, and so is what is no other
    match format_of(text, Format::Obj) {
        Format::Obj => starts_like_obj(text).then_some(Format::Obj),
        format => Some(format),
    }
}

/// Whether the first line that is no comment is a statement of OBJ.
fn starts_like_obj(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default();
    let word = first.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    matches!(
        word,
        b"v" | b"vt" | b"vn" | b"vp" | b"f" | b"l" | b"p" | b"o" | b"g" | b"s" | b"mtllib" | b"usemtl"
    )
}

fn starts_like_off(bytes: &[u8]) -> bool {
    let Some(line) = bytes.split(|byte| byte.is_ascii_whitespace()).next() else { return false };
    line.len() < bytes.len() && matches!(line, b"OFF" | b"COFF" | b"NOFF" | b"CNOFF" | b"STOFF")
}

/// A first line `solid …` and a second `facet …`: neither is an OBJ statement.
fn starts_like_ascii_stl(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(512)];
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
    let solid = lines.next().is_some_and(|line| line.starts_with(b"solid"));
    solid && lines.find(|line| !line.is_empty()).is_some_and(|line| line.starts_with(b"facet"))
}
