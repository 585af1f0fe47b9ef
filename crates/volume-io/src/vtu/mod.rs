//! VTK XML files with an unstructured grid.

mod base64;
mod document;
mod numbers;
pub(crate) mod read;
pub(crate) mod write;
mod xml;

pub(crate) use xml::escaped;

/// Whether a byte belongs to the text of a file, where errors name lines.
pub(crate) fn is_text(bytes: &[u8], offset: usize) -> bool {
    memchr::memmem::find(bytes, b"<AppendedData").is_none_or(|start| offset <= start)
}
