//! VTK legacy files with an unstructured grid.

mod names;
pub(crate) mod read;
pub(crate) mod write;

/// Whether the file has binary data, so that errors name bytes.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let third = bytes.split(|&byte| byte == b'\n').nth(2);
    third.is_some_and(|line| line.trim_ascii().eq_ignore_ascii_case(b"BINARY"))
}
