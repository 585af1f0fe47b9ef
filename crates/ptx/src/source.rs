//! A hash of all sources of a kernel crate's PTX.

use crate::error::{SourceError, io};
use crate::files::{device_sources, read, rust_files};
use crate::hash::TextsHash;
use crate::libm;
use crate::package::KernelCrate;
use cargo_metadata::Package;
use std::path::Path;

/// A SHA-256, in hexadecimal, of all sources of the PTX of the crate in this folder:
///
/// - name, version, edition, features, `build.rs` and the sources under `src` of the crate and of each path
///   dependency that is compiled for the GPU or is a macro or build dependency of one that is;
/// - name, version and features of each dependency from a registry that is compiled for the GPU;
/// - if libm is one of them, the builder's replacements of its functions.
///
/// Modules declared under `#[cfg(not(target_arch = "nvptx64"))]` or `#[cfg(test)]`, on a line of its own, are
/// left out, so that work on a crate's host code or tests leaves its PTX current. So are modules of a
/// dependency under `#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]`: its kernels, which are in
/// its own PTX alone. The path of the checkout, line endings and other content of `Cargo.toml` do not count.
///
/// # Errors
/// [`SourceError`] if cargo reports an error or a source cannot be read.
pub fn source_hash(manifest_dir: impl AsRef<Path>) -> Result<String, SourceError> {
    let krate = KernelCrate::read(manifest_dir.as_ref())?;
    let mut hash = TextsHash::default();
    for part in krate.parts() {
        let local = part.package.source.is_none();
        if !local && !part.on_device {
            continue;
        }
        hash.add(part.package.name.as_str());
        hash.add(part.package.version.to_string());
        krate.features(part.package).iter().for_each(|feature| hash.add(feature));
        if part.on_device && libm::is_replaced(part.package) {
            hash.add(libm::hash());
        }
        if local {
            hash.add(part.package.edition.to_string());
            add_files(part.package, part.package.id == krate.package().id, &mut hash)?;
        }
    }
    Ok(hash.finish())
}

fn add_files(package: &Package, own: bool, hash: &mut TextsHash) -> Result<(), SourceError> {
    let root = package.manifest_path.parent().map_or(Path::new(""), |path| path.as_std_path());
    let script = root.join("build.rs");
    if script.is_file() {
        hash.add("build.rs");
        hash.add(read(&script)?);
    }
    for (name, text) in device_sources(root, own)? {
        hash.add(name);
        hash.add(text);
    }
    Ok(())
}

/// A SHA-256, in hexadecimal, of the Rust sources in some parts of a folder, by their names inside it; a part
/// that is missing has none.
pub(crate) fn folder_hash(dir: &Path, parts: &[&str]) -> Result<String, SourceError> {
    let mut files = Vec::new();
    for part in parts.iter().map(|part| dir.join(part)).filter(|part| part.is_dir()) {
        rust_files(&part, &mut files)?;
    }
    files.sort();
    let mut hash = TextsHash::default();
    for file in files {
        hash.add(file.strip_prefix(dir).unwrap_or(&file).to_string_lossy().as_bytes());
        hash.add(std::fs::read(&file).map_err(io(&file))?);
    }
    Ok(hash.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_known_by_its_sources_and_not_by_its_place() {
        let folders: Vec<_> = (0..2).map(|_| tempfile::TempDir::new().expect("a folder")).collect();
        let write = |i: usize, name: &str, text: &str| {
            let path = folders[i].path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        let hash = |i: usize| folder_hash(folders[i].path(), &["core/src", "missing"]).expect("a hash");
        (0..2).for_each(|i| write(i, "core/src/deep/lib.rs", "mod a;"));
        write(1, "core/README.md", "elsewhere");
        assert_eq!(hash(0), hash(1));
        write(1, "core/src/deep/lib.rs", "mod b;");
        assert_ne!(hash(0), hash(1));
    }
}
