//! The files of a kernel crate that are compiled for the GPU.

use crate::error::{SourceError, io};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The Rust sources under `src` of the package in this folder by their name inside it, with Unix line
/// endings. Modules for the host or for tests only are left out, and also the modules in [`OWN`] if the
/// package is a library of another one.
pub(crate) fn device_sources(root: &Path, own: bool) -> Result<BTreeMap<String, String>, SourceError> {
    let mut paths = Vec::new();
    let source = root.join("src");
    if source.is_dir() {
        rust_files(&source, &mut paths)?;
    }
    let texts: BTreeMap<PathBuf, String> =
        paths.into_iter().map(|path| Ok((path.clone(), read(&path)?))).collect::<Result<_, SourceError>>()?;
    let left_out: BTreeSet<PathBuf> =
        texts.iter().flat_map(|(path, text)| modules_off_device(path, text, own)).collect();
    let kept = texts.into_iter().filter(|(path, _)| !path.ancestors().any(|a| left_out.contains(a)));
    Ok(kept
        .map(|(path, text)| {
            let inside = path.strip_prefix(root).unwrap_or(&path);
            let name: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            (name.join("/"), text)
        })
        .collect())
}

/// The text of a file, with Unix line endings.
pub(crate) fn read(path: &Path) -> Result<String, SourceError> {
    Ok(std::fs::read_to_string(path).map_err(io(path))?.replace("\r\n", "\n"))
}

/// Adds the Rust sources of a folder and its folders.
pub(crate) fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    list(dir, "rs", found)
}

/// Adds the files with this ending of a folder and its folders.
pub(crate) fn list(dir: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    for entry in std::fs::read_dir(dir).map_err(io(dir))? {
        let path = entry.map_err(io(dir))?.path();
        if path.is_dir() {
            list(&path, ending, found)?;
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    Ok(())
}

/// The source file below `src` that has a module of the package in this folder, without its ending: that of
/// the innermost module around it that is a file. `lib` where it is the crate's root.
#[cfg(feature = "build")]
pub(crate) fn source_of(root: &Path, module: &str) -> String {
    let mut names: Vec<_> = module.split("::").skip(1).collect();
    while !names.is_empty() {
        let source = names.join("/");
        let path = root.join("src").join(&source);
        if path.with_extension("rs").is_file() || path.join("mod.rs").is_file() {
            return source;
        }
        names.pop();
    }
    "lib".to_owned()
}

/// The condition of modules that only their own crate's PTX has: kernels that nothing else refers to. The
/// builder passes `--cfg ribbonmesh_own` to the crate that it compiles, and not to its libraries.
const OWN: &str = r#"#[cfg(any(not(target_arch = "nvptx64"), ribbonmesh_own))]"#;

/// The files and folders of the modules that this file declares for the host or for tests only, or, where the
/// crate is a library of the one that is compiled (`own` is false), for its own PTX.
fn modules_off_device(path: &Path, text: &str, own: bool) -> Vec<PathBuf> {
    let dir = path.parent().unwrap_or(Path::new(""));
    let owner = path.file_stem().unwrap_or_default();
    let dir =
        if ["lib", "mod", "main"].iter().any(|s| owner == *s) { dir.to_owned() } else { dir.join(owner) };
    let mut off_device = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if is_off_device(line) || !own && line == OWN {
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

/// Whether a line is a condition that surely does not hold for the GPU: `not(target_arch = "nvptx64")` or
/// `test`, alone or as one of several conditions that must all hold.
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

/// Whether a line may be between an attribute and the module it belongs to without changing where that is.
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
    #[cfg(feature = "build")]
    fn modules_belong_to_files() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["src/lib.rs", "src/a.rs", "src/a/deep.rs", "src/b/mod.rs"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        for (module, source) in [
            ("krate", "lib"),
            ("krate::inline", "lib"),
            ("krate::a", "a"),
            ("krate::a::f32", "a"),
            ("krate::a::deep", "a/deep"),
            ("krate::b::f32::more", "b"),
            ("", "lib"),
        ] {
            assert_eq!(source_of(folder.path(), module), source, "{module}");
        }
    }

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
        let found = modules_off_device(Path::new("src/lib.rs"), text, true);
        assert_eq!(found, ["src/host", "src/host.rs", "src/tests", "src/tests.rs"].map(PathBuf::from));
        assert_eq!(
            modules_off_device(Path::new("src/a.rs"), "#[cfg(test)]\nmod t;", true),
            ["src/a/t", "src/a/t.rs"].map(PathBuf::from)
        );
    }

    #[test]
    fn kernels_of_their_own_crate_are_left_out_of_others() {
        let text = format!("mod both;\n{OWN}\nmod kernels;\n");
        assert!(modules_off_device(Path::new("src/lib.rs"), &text, true).is_empty());
        let found = modules_off_device(Path::new("src/lib.rs"), &text, false);
        assert_eq!(found, ["src/kernels", "src/kernels.rs"].map(PathBuf::from));
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
            modules_off_device(Path::new("src/lib.rs"), "#[cfg(test)]\n#[path = \"x.rs\"]\nmod t;", true)
                .is_empty()
        );
    }
}
