//! Header and chunks.

use crate::{
    ReadErrorKind,
    fault::{Outcome, fault, quote},
};

/// The two chunks of a file.
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    /// The offset of the JSON in the file.
    pub json_at: usize,
    /// Empty where there is none.
    pub binary: &'a [u8],
    /// Bytes behind the length in the header.
    pub trailing: u64,
}

pub(super) const JSON: u32 = u32::from_le_bytes(*b"JSON");
pub(super) const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Takes a file apart.
pub(super) fn open(bytes: &[u8]) -> Outcome<Container<'_>> {
    if !bytes.starts_with(b"glTF") {
        let found = quote(&bytes[..bytes.len().min(4)]);
        return Err(fault(0, ReadErrorKind::Unexpected { expected: "the letters glTF", found }));
    }
    let version = word(bytes, 4, "the version")?;
    if version != 2 {
        let what = format!("glTF of version {version}");
        return Err(fault(4, ReadErrorKind::Unsupported { what }));
    }
    let length = word(bytes, 8, "the length")? as usize;
    if length > bytes.len() {
        return Err(too_large(8, "bytes", length as u64, bytes.len() as u64));
    }
    let trailing = (bytes.len() - length) as u64;
    let bytes = &bytes[..length];
    let (json, json_at, mut at) = chunk(bytes, 12, JSON, "JSON")?;
    let mut binary = &bytes[bytes.len()..];
    while at < bytes.len() {
        if word(bytes, at + 4, "the kind of a chunk")? == BIN {
            (binary, _, _) = chunk(bytes, at, BIN, "BIN")?;
            break;
        }
        at += 8 + word(bytes, at, "the length of a chunk")? as usize;
    }
    Ok(Container { json, json_at, binary, trailing })
}

fn word(bytes: &[u8], at: usize, what: &'static str) -> Outcome<u32> {
    match bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        Some(word) => Ok(u32::from_le_bytes(*word)),
        None => Err(fault(bytes.len(), ReadErrorKind::Truncated { what })),
    }
}

/// The content of a chunk, where it begins, and where the next chunk begins.
fn chunk<'a>(bytes: &'a [u8], at: usize, kind: u32, name: &'static str) -> Outcome<(&'a [u8], usize, usize)> {
    let length = word(bytes, at, "the length of a chunk")? as usize;
    if word(bytes, at + 4, "the kind of a chunk")? != kind {
        let found = quote(&bytes[at + 4..at + 8]);
        let expected = if name == "JSON" { "the chunk JSON" } else { "the chunk BIN" };
        return Err(fault(at + 4, ReadErrorKind::Unexpected { expected, found }));
    }
    let start = at + 8;
    match bytes.get(start..start + length) {
        Some(content) => Ok((content, start, start + length)),
        None => Err(too_large(at, "bytes of a chunk", length as u64, (bytes.len() - start) as u64)),
    }
}

fn too_large(at: usize, what: &str, count: u64, available: u64) -> Box<crate::fault::Fault> {
    let what = what.into();
    fault(at, ReadErrorKind::CountTooLarge { what, count, needed: count, available })
}
