//! libm for the GPU: a copy of the one that kernels depend on, in which functions that have an instruction
//! are that instruction.
//!
//! Kernels call libm, mostly by way of glam, since `core` has no float functions. libm uses integers for
//! operations for which a GPU has an instruction for. So the compiler is given an edited copy of its sources;
//! cargo, which starts the compiler through a small program of ours, knows nothing of it, so that neither
//! `Cargo.toml` nor `Cargo.lock` changes.

use crate::error::{BuildError, SourceError, io};
use crate::files::{read, rust_files};
use crate::hash::TextsHash;
use crate::package::KernelCrate;
use crate::program;
use crate::toolchain::Toolchain;
use cargo_metadata::Package;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The package that is replaced.
const PACKAGE: &str = "libm";

/// The environment variable that tells the program in cargo's stead where the copies are. `wrapper.rs` has
/// it, too.
const FOLDER: &str = "RIBBONMESH_LIBM";

/// The program that cargo starts instead of the compiler.
const WRAPPER: &str = include_str!("../libm/wrapper.rs");

/// The module `gpu` of the copy.
const MODULE: [(&str, &str); 6] = [
    ("mod.rs", include_str!("../libm/mod.rs")),
    ("instruction.rs", include_str!("../libm/instruction.rs")),
    ("exponential.rs", include_str!("../libm/exponential.rs")),
    ("power.rs", include_str!("../libm/power.rs")),
    ("trigonometric.rs", include_str!("../libm/trigonometric.rs")),
    ("arc.rs", include_str!("../libm/arc.rs")),
];

/// The first and the last lines of the copy.
const HEAD: &str = "#![allow(internal_features)]\n#![feature(link_llvm_intrinsics)]\n";
const TAIL: &str = "\nmod gpu;\n";

/// The packages among the crate's libraries for the GPU that are replaced.
pub(crate) fn packages(krate: &KernelCrate) -> Vec<&Package> {
    let parts = krate.parts().into_iter().filter(|part| part.on_device);
    parts.map(|part| part.package).filter(|package| is_replaced(package)).collect()
}

/// Whether kernels get another source of this package.
pub(crate) fn is_replaced(package: &Package) -> bool {
    package.name.as_str() == PACKAGE
}

/// A SHA-256, in hexadecimal, of the sources that replace libm's functions.
pub(crate) fn hash() -> String {
    let mut hash = TextsHash::default();
    hash.add(HEAD);
    hash.add(TAIL);
    for (name, text) in MODULE {
        hash.add(name);
        hash.add(text.replace("\r\n", "\n"));
    }
    hash.finish()
}

/// Makes the copies, and has a cargo that is about to build the crate compile them. Without libm it does
/// nothing.
///
/// What it returns is to be shown: functions that this libm has elsewhere than the builder knows.
pub(crate) fn replace(
    krate: &KernelCrate,
    toolchain: &Toolchain,
    target_dir: &Path,
    cargo: &mut std::process::Command,
) -> Result<String, BuildError> {
    let packages = packages(krate);
    if packages.is_empty() {
        return Ok(String::new());
    }
    let folder = std::path::absolute(target_dir.join("libm")).map_err(io(target_dir))?;
    let mut log = String::new();
    for package in packages {
        let missing = copy(package, &folder.join(package.version.to_string()))?;
        if !missing.is_empty() {
            let (version, missing) = (&package.version, missing.join(", "));
            log += &format!("warning: libm {version} is unknown: its functions stay software: {missing}\n");
        }
        // Cargo takes the sources of a registry for unchangeable: this tells it of another replacement.
        let spec = format!("profile.ptx.package.\"{PACKAGE}@{}\"", package.version);
        cargo.args(["--config", &format!("{spec}.rustflags=[\"--cfg=ribbonmesh_libm_{}\"]", &hash()[..16])]);
    }
    cargo.arg("-Zprofile-rustflags").env(FOLDER, &folder).env("RUSTC_WRAPPER", wrapper(toolchain, &folder)?);
    Ok(log)
}

/// Writes the edited copy of a libm; its functions that should have been replaced and were not.
fn copy(package: &Package, to: &Path) -> Result<Vec<&'static str>, SourceError> {
    let from = package.manifest_path.parent().map_or(Path::new(""), |dir| dir.as_std_path()).join("src");
    let (mut defined, mut replaced) = (BTreeSet::new(), BTreeSet::new());
    let mut files = Vec::new();
    rust_files(&from, &mut files)?;
    for file in files {
        let mut text = read(&file)?;
        defined.extend(functions().into_iter().filter(|name| text.contains(&format!("pub fn {name}("))));
        let name = file.strip_prefix(&from).unwrap_or(&file);
        if name == Path::new("lib.rs") {
            text = format!("{HEAD}{text}{TAIL}");
        } else if name == Path::new("math/mod.rs") {
            (text, replaced) = edit(&text);
        }
        write(&to.join("src").join(name), &text)?;
    }
    for (name, text) in MODULE {
        write(&to.join("src/gpu").join(name), text)?;
    }
    Ok(defined.difference(&replaced).copied().collect())
}

/// The functions of the module `gpu`.
fn functions() -> BTreeSet<&'static str> {
    let items =
        MODULE[0].1.split("pub use ").skip(1).filter_map(|item| item.split_once(';')?.0.split_once("::"));
    items.flat_map(|(_, names)| listed(names)).collect()
}

/// The names in `{a, b}`, or in `a`.
fn listed(names: &str) -> impl Iterator<Item = &str> {
    names.trim_matches(['{', '}']).split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// The text of libm's `math/mod.rs` with our functions in place of its own of the same name, for code that
/// calls libm and for libm itself; and which ones they are.
fn edit(text: &str) -> (String, BTreeSet<&'static str>) {
    const START: &str = "pub use self::";
    let ours = functions();
    let mut found = BTreeSet::new();
    let mut edited = String::new();
    let mut rest = text;
    while let Some((before, item)) = rest.split_once(START) {
        let Some((path, after)) = item.split_once(';') else { break };
        edited += before;
        let (module, names) = path.split_once("::").unwrap_or((path, ""));
        for name in listed(names) {
            match ours.get(name) {
                Some(name) => {
                    found.insert(*name);
                    edited += &format!("pub use crate::gpu::{name};");
                }
                None => edited += &format!("{START}{module}::{name};"),
            }
        }
        rest = after;
    }
    (edited + rest, found)
}

/// The program that cargo starts instead of the compiler, compiled where it is not yet. Cargo links it as it
/// links the crate's macros.
fn wrapper(toolchain: &Toolchain, folder: &Path) -> Result<PathBuf, BuildError> {
    let name = "ribbonmesh-libm-wrapper";
    let (package, target) = (folder.join("wrapper"), folder.join("wrapper/target"));
    let built =
        target.join(toolchain.host()).join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let manifest = format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n");
    let changed =
        write(&package.join("Cargo.toml"), &manifest)? | write(&package.join("src/main.rs"), WRAPPER)?;
    if changed || !built.is_file() {
        let mut cargo = toolchain.cargo();
        cargo
            .args(["build", "--quiet", "--offline", "--target", toolchain.host()])
            .arg("--target-dir")
            .arg(&target);
        let output = program::run(cargo.arg("--manifest-path").arg(package.join("Cargo.toml")))?;
        if !output.status.success() {
            let output = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(BuildError::Wrapper { output });
        }
    }
    Ok(built)
}

/// Writes a file unless it is as it should be; whether it was not.
fn write(path: &Path, text: &str) -> Result<bool, SourceError> {
    if std::fs::read_to_string(path).is_ok_and(|present| present == text) {
        return Ok(false);
    }
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(io(path))?;
    std::fs::write(path, text).map_err(io(path))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_libm_give_way() {
        let text = "mod sqrt;\npub use self::sqrt::{sqrt, sqrtf};\npub use self::erf::erf;\n\
                    \x20   pub use self::floor::{\n    floor,\n    floorf16,\n};\nfn f() {}\n";
        let (edited, found) = edit(text);
        assert_eq!(Vec::from_iter(found), ["floor", "sqrt", "sqrtf"]);
        assert_eq!(
            edited,
            "mod sqrt;\npub use crate::gpu::sqrt;pub use crate::gpu::sqrtf;\npub use self::erf::erf;\n\
             \x20   pub use crate::gpu::floor;pub use self::floor::floorf16;\nfn f() {}\n"
        );
    }

    #[test]
    fn the_module_says_what_it_has() {
        let functions = functions();
        assert!(
            ["sqrt", "sqrtf", "roundf", "sincosf", "log10f", "hypotf"].iter().all(|f| functions.contains(f))
        );
        assert_eq!(functions.len(), 35);
    }
}
