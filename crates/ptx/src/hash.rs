//! Hashes of text and of a crate's own kernels.

use crate::error::SourceError;
use crate::files::device_sources;
use sha2::{Digest, Sha256};
use std::path::Path;

/// A SHA-256 of a list of texts: each with its length, so that none runs into the next.
#[derive(Default)]
pub(crate) struct TextsHash(Sha256);

impl TextsHash {
    pub fn add(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    pub fn finish(self) -> String {
        hexadecimal(self.0)
    }
}

/// A SHA-256, in hexadecimal, of PTX. Line endings do not count.
pub fn text_hash(text: &str) -> String {
    hexadecimal(Sha256::new_with_prefix(text.replace("\r\n", "\n")))
}

/// A SHA-256, in hexadecimal, of the Rust sources under `src` of the crate in this folder. It needs no cargo,
/// and is the same in a checkout and in a package from a registry.
///
/// Modules declared under `#[cfg(not(target_arch = "nvptx64"))]` or `#[cfg(test)]`, on a line of its own, are
/// left out. Line endings do not count.
///
/// # Errors
/// [`SourceError::Io`] where a source cannot be read.
pub fn own_source_hash(manifest_dir: impl AsRef<Path>) -> Result<String, SourceError> {
    let mut hash = TextsHash::default();
    for (name, text) in device_sources(manifest_dir.as_ref(), true)? {
        hash.add(name);
        hash.add(text);
    }
    Ok(hash.finish())
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_hashed_without_its_line_endings() {
        // As `printf 'a\nb\n' | sha256sum` has it.
        let expected = "911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2";
        assert_eq!(text_hash("a\nb\n"), expected);
        assert_eq!(text_hash("a\r\nb\r\n"), expected);
    }
}
