//! A fingerprint of what goes into a kernel crate's PTX.

use crate::error::{SourceError, io};
use crate::package::KernelCrate;
use cargo_metadata::Package;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A SHA-256, in hexadecimal, of everything that goes into the PTX of the crate in this folder:
///
/// - `Cargo.toml`, `build.rs` and the sources under `src` of the crate and of each path dependency that is
///   compiled for the GPU or is a macro or build dependency of one that is;
/// - name, version and features of each dependency from a registry that is compiled for the GPU.
///
/// Modules declared under `#[cfg(not(target_arch = "nvptx64"))]` or `#[cfg(test)]`, on a line of its own, are left
/// out, so that work on a crate's host code or tests leaves its PTX current. Neither the checkout's place nor its line endings count.
pub fn source_hash(manifest_dir: impl AsRef<Path>) -> Result<String, SourceError> {
    let krate = KernelCrate::read(manifest_dir.as_ref())?;
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    for part in krate.parts() {
        if part.package.source.is_none() {
            add(&part.package.name);
            for (name, text) in package_files(part.package)? {
                add(&name);
                add(&text);
            }
        } else if part.on_device {
            add(&part.package.name);
            add(&part.package.version.to_string());
            krate.features(part.package).iter().for_each(|feature| add(feature));
        }
    }
    Ok(hexadecimal(hash))
}

/// A SHA-256, in hexadecimal, of PTX. Line endings do not count.
pub fn text_hash(text: &str) -> String {
    hexadecimal(Sha256::new_with_prefix(text.replace("\r\n", "\n")))
}

/// A SHA-256, in hexadecimal, of the Rust sources in some parts of a folder, by their names inside it; a part that is
/// missing has none.
pub(crate) fn folder_hash(dir: &Path, parts: &[&str]) -> Result<String, SourceError> {
    let mut files = Vec::new();
    for part in parts.iter().map(|part| dir.join(part)).filter(|part| part.is_dir()) {
        rust_files(&part, &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let text = std::fs::read(&file).map_err(io(&file))?;
        let name = file.strip_prefix(dir).unwrap_or(&file).to_string_lossy();
        for bytes in [name.as_bytes(), &text] {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        }
    }
    Ok(hexadecimal(hash))
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The files of a package by their name inside it, with Unix line endings.
fn package_files(package: &Package) -> Result<BTreeMap<String, String>, SourceError> {
    let root = package.manifest_path.parent().map_or(Path::new(""), |path| path.as_std_path());
    let mut paths = vec![root.join("Cargo.toml")];
    paths.extend(Some(root.join("build.rs")).filter(|path| path.is_file()));
    let source = root.join("src");
    if source.is_dir() {
        rust_files(&source, &mut paths)?;
    }
    let texts: BTreeMap<PathBuf, String> = paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).map_err(io(&path))?;
            Ok((path, text.replace("\r\n", "\n")))
        })
        .collect::<Result<_, SourceError>>()?;
    let left_out: BTreeSet<PathBuf> =
        texts.iter().flat_map(|(path, text)| modules_off_device(path, text)).collect();
    Ok(texts
        .into_iter()
        .filter(|(path, _)| !path.ancestors().any(|ancestor| left_out.contains(ancestor)))
        .map(|(path, text)| {
            let inside = path.strip_prefix(root).unwrap_or(&path);
            let name: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            (name.join("/"), text)
        })
        .collect())
}

fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    for entry in std::fs::read_dir(dir).map_err(io(dir))? {
        let path = entry.map_err(io(dir))?.path();
        if path.is_dir() {
            rust_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// The files and folders of the modules that this file declares for the host or for tests only.
fn modules_off_device(path: &Path, text: &str) -> Vec<PathBuf> {
    let dir = path.parent().unwrap_or(Path::new(""));
    let owner = path.file_stem().unwrap_or_default();
    let dir =
        if ["lib", "mod", "main"].iter().any(|s| owner == *s) { dir.to_owned() } else { dir.join(owner) };
    let mut off_device = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if is_off_device(line) {
            off_device = true;
        } else if let Some(name) = declared_module(line) {
            if std::mem::take(&mut off_device) {
                found.extend([dir.join(name), dir.join(format!("{name}.rs"))]);
            }
        } else if !passes_through(line) {
            off_device = false;
        }
    }
    found
}

/// Whether a line is a condition that surely does not hold for the GPU: `not(target_arch = "nvptx64")` or `test`,
/// alone or as one of those that must all hold.
fn is_off_device(line: &str) -> bool {
    let Some(condition) = line.strip_prefix("#[cfg(").and_then(|rest| rest.strip_suffix(")]")) else {
        return false;
    };
    let all = condition.strip_prefix("all(").and_then(|rest| rest.strip_suffix(')'));
    let not_here = r#"not(target_arch = "nvptx64")"#;
    let mut terms = all.unwrap_or(condition).split(", ");
    // Terms that are themselves lists fall apart here, so only plain ones are trusted.
    let plain = all.is_none_or(|list| !list.contains("all(") && !list.contains("any("));
    plain && terms.any(|term| term == "test" || term == not_here)
}

/// Whether a line may stand between an attribute and the module it belongs to without changing where that is.
fn passes_through(line: &str) -> bool {
    let attribute = line.starts_with("#[") && line.ends_with(']') && !line.starts_with("#[path");
    line.is_empty() || line.starts_with("//") || attribute
}

/// The name in a line such as `pub mod name;`.
fn declared_module(line: &str) -> Option<&str> {
    let declaration = line.strip_suffix(';')?;
    let (visibility, name) = declaration.split_once("mod ")?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && (visibility.is_empty() || visibility.starts_with("pub"))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_for_the_host_are_recognised() {
        let text = "pub mod kernels;\n\
                    #[cfg(not(target_arch = \"nvptx64\"))]\n\
                    /// Host.\n\
                    pub(crate) mod host;\n\
                    mod both;\n\
                    #[cfg(not(target_arch = \"nvptx64\"))]\n\
                    pub use host::run;\n\
                    mod after;\n\
                    #[cfg(test)]\nmod tests;\n";
        let found = modules_off_device(Path::new("src/lib.rs"), text);
        assert_eq!(found, ["src/host", "src/host.rs", "src/tests", "src/tests.rs"].map(PathBuf::from));
        assert_eq!(
            modules_off_device(Path::new("src/a.rs"), "#[cfg(test)]\nmod t;"),
            ["src/a/t", "src/a/t.rs"].map(PathBuf::from)
        );
    }

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

    #[test]
    fn text_is_hashed_without_its_line_endings() {
        // As `printf 'a\nb\n' | sha256sum` has it.
        let expected = "911169ddaaf146aff539f58c26c489af3b892dff0fe283c1c264c65ae5aa59a2";
        assert_eq!(text_hash("a\nb\n"), expected);
        assert_eq!(text_hash("a\r\nb\r\n"), expected);
    }

    #[test]
    fn conditions_are_trusted_only_when_plain() {
        let off = [
            r#"#[cfg(not(target_arch = "nvptx64"))]"#,
            "#[cfg(test)]",
            r#"#[cfg(all(feature = "race-check", not(target_arch = "nvptx64")))]"#,
        ];
        let on = [
            r#"#[cfg(target_arch = "nvptx64")]"#,
            r#"#[cfg(any(test, not(target_arch = "nvptx64")))]"#,
            r#"#[cfg(not(all(unix, not(target_arch = "nvptx64"))))]"#,
            r#"#[cfg(all(unix, any(a, not(target_arch = "nvptx64"), b)))]"#,
            "#[cfg(not(test))]",
            "#[inline]",
        ];
        assert!(off.iter().all(|line| is_off_device(line)));
        assert!(!on.iter().any(|line| is_off_device(line)));
    }

    #[test]
    fn a_module_with_a_path_of_its_own_is_kept() {
        assert!(
            modules_off_device(Path::new("src/lib.rs"), "#[cfg(test)]\n#[path = \"x.rs\"]\nmod t;")
                .is_empty()
        );
    }
}
