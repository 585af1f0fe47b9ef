//! Bytes that a document refers to: its binary chunk, data inside of URIs, files beside it, and views that
//! are compressed.

use std::{
    borrow::Cow,
    fs,
    path::{Component, Path, PathBuf},
};

use base64::{Engine, alphabet, engine};
use serde_json::Value;

use super::{
    document::{Document, part},
    meshopt::{self, Filter, Mode},
};
use crate::{
    ReadErrorKind,
    fault::{Fault, Outcome, fault_of_file},
};

/// Names that a compressed view may have.
const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// Bytes to which a byte of the files may decode, all views together.
const PER_VIEW: u64 = 64;

/// The buffers of a document.
pub(super) struct Resources<'a> {
    buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// The contents of compressed views.
    views: Vec<Option<Vec<u8>>>,
    /// Bytes of all files together.
    pub size: u64,
}

/// A file beside another, by a URI of a document: its name with no folder above.
pub(super) fn beside(file: Option<&Path>, uri: &str) -> Option<PathBuf> {
    let name = percent_decoded(uri);
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let plain = !name.is_empty() && !name.contains(':') && Path::new(&name).components().all(inside);
    Some(file?.parent().unwrap_or(Path::new("")).join(plain.then_some(name)?))
}

/// A URI's text without its escapes.
fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| bytes[at] == b'%').and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => {
                text.push(byte);
                at += 3;
            }
            None => {
                text.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The bytes inside of a `data:` URI; `None` for another URI or bytes that are not well formed.
pub(super) fn data_of(uri: &str) -> Option<Vec<u8>> {
    let (head, data) = uri.strip_prefix("data:")?.split_once(',')?;
    if !head.ends_with(";base64") {
        return Some(percent_decoded(data).into_bytes());
    }
    let padding = engine::DecodePaddingMode::Indifferent;
    let config = engine::GeneralPurposeConfig::new().with_decode_padding_mode(padding);
    let decoder =
        engine::GeneralPurpose::new(&alphabet::STANDARD, config.with_decode_allow_trailing_bits(true));
    decoder.decode(data.trim()).ok()
}

fn unsupported(what: String) -> Box<Fault> {
    fault_of_file(ReadErrorKind::Unsupported { what })
}

impl<'a> Resources<'a> {
    /// Reads all buffers, and decompresses views. `size` is that of the file.
    pub fn of(document: &Document, binary: &'a [u8], size: u64, file: Option<&Path>) -> Outcome<Self> {
        let mut resources = Self { buffers: vec![], views: vec![], size };
        for (number, buffer) in document.buffers.iter().enumerate() {
            let fallback = MESHOPT.iter().any(|name| buffer.extensions.contains_key(*name));
            let bytes: Option<Cow<'a, [u8]>> = match &buffer.uri {
                None if number == 0 && !binary.is_empty() => Some(binary.into()),
                // of a view that is compressed elsewhere
                _ if fallback => None,
                None => Some(binary.into()).filter(|_| number == 0),
                Some(uri) if uri.starts_with("data:") => {
                    let decoded = data_of(uri).ok_or_else(|| {
                        let reason = "has a data URI that is not well formed";
                        let index = number as u64;
                        fault_of_file(ReadErrorKind::BadReference { what: "buffer", index, reason })
                    })?;
                    Some(decoded.into())
                }
                Some(uri) => {
                    let read = beside(file, uri).and_then(|path| fs::read(path).ok());
                    let bytes = read.ok_or_else(|| {
                        let missing = "which is not next to it (or the file is not read by its path),";
                        unsupported(format!("a buffer outside of the file, {uri:?}, {missing}"))
                    })?;
                    resources.size += bytes.len() as u64;
                    Some(bytes.into())
                }
            };
            resources.buffers.push(bytes);
        }
        let mut total = 0;
        for number in 0..document.buffer_views.len() {
            let compressed = resources.decompressed(document, number)?;
            total += compressed.as_ref().map_or(0, Vec::len) as u64;
            // views may share their source, which must not be many times the compressed size
            if total > (PER_VIEW * resources.size).max(1 << 26) {
                return Err(unsupported(format!(
                    "compressed data of more than {total} bytes in a file of {size}"
                )));
            }
            resources.views.push(compressed);
        }
        Ok(resources)
    }

    /// The bytes of a view.
    pub fn view(&self, document: &Document, index: usize) -> Outcome<&[u8]> {
        if let Some(Some(bytes)) = self.views.get(index) {
            return Ok(bytes);
        }
        let view = part(&document.buffer_views, "bufferView", index)?;
        self.range(document, view.buffer, view.byte_offset, view.byte_length, index)
    }

    fn range(
        &self,
        document: &Document,
        buffer: usize,
        offset: u64,
        length: u64,
        view: usize,
    ) -> Outcome<&[u8]> {
        part(&document.buffers, "buffer", buffer)?;
        let Some(Some(bytes)) = self.buffers.get(buffer) else {
            let reason = "refers to a buffer without content";
            let index = view as u64;
            return Err(fault_of_file(ReadErrorKind::BadReference { what: "bufferView", index, reason }));
        };
        let end = offset.saturating_add(length);
        if end > bytes.len() as u64 {
            let (index, available) = (view as u64, bytes.len() as u64);
            let what = "bufferView";
            return Err(fault_of_file(ReadErrorKind::OutOfBounds { what, index, needed: end, available }));
        }
        Ok(&bytes[offset as usize..end as usize])
    }

    /// The content of a compressed view.
    fn decompressed(&self, document: &Document, index: usize) -> Outcome<Option<Vec<u8>>> {
        let view = part(&document.buffer_views, "bufferView", index)?;
        let Some(how) = MESHOPT.iter().find_map(|name| view.extensions.get(*name)) else { return Ok(None) };
        let bad = |reason| {
            let index = index as u64;
            fault_of_file(ReadErrorKind::BadReference { what: "bufferView", index, reason })
        };
        let number = |name: &str| how[name].as_u64();
        let (Some(buffer), Some(length), Some(stride), Some(count)) =
            (number("buffer"), number("byteLength"), number("byteStride"), number("count"))
        else {
            return Err(bad("is compressed and lacks a number"));
        };
        let mode = match how["mode"].as_str() {
            Some("ATTRIBUTES") => Mode::Attributes,
            Some("TRIANGLES") => Mode::Triangles,
            Some("INDICES") => Mode::Indices,
            _ => return Err(bad("is compressed in an unknown mode")),
        };
        let filter = match how.get("filter").and_then(Value::as_str) {
            None | Some("NONE") => Filter::None,
            Some("OCTAHEDRAL") => Filter::Octahedral,
            Some("QUATERNION") => Filter::Quaternion,
            Some("EXPONENTIAL") => Filter::Exponential,
            Some("COLOR") => Filter::Colour,
            Some(_) => return Err(bad("is compressed with an unknown filter")),
        };
        let offset = number("byteOffset").unwrap_or(0);
        let source = self.range(document, buffer as usize, offset, length, index)?;
        let decoded = meshopt::decode(source, mode, filter, count as usize, stride as usize);
        decoded.map(Some).ok_or_else(|| bad("has damaged compressed data"))
    }
}
