//! `ribbonmesh-ptx [--check] [FOLDER]`: compiles the kernels of the crate in a folder (the current one) to
//! PTX, or only checks that they compile for the GPU. Neither compiles anything for the host but this program
//! and build scripts.

use ribbonmesh_ptx::{BuildError, CoreSource, TARGET, Toolchain};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: ribbonmesh-ptx [--check] [FOLDER]

Compiles the kernels of the crate in FOLDER, by default the current one, to FOLDER/ptx.

  --check   compile no PTX, and say what the kernels use that the GPU lacks: `std`, `vec!`, float functions that are
            methods of `std` (`x.sin()`: use libm's or glam's), unfitting types";

fn main() -> ExitCode {
    let (mut check, mut folder) = (false, None);
    for argument in std::env::args_os().skip(1) {
        match argument.to_str() {
            Some("--check") => check = true,
            Some("--help" | "-h") => {
                println!("{USAGE}");
                return ExitCode::SUCCESS;
            }
            Some(option) if option.starts_with('-') => return refuse(&format!("unknown option {option}")),
            _ if folder.is_some() => return refuse("more than one folder"),
            _ => folder = Some(argument),
        }
    }
    let folder = folder.unwrap_or_else(|| OsString::from("."));
    let folder = Path::new(&folder);
    if !folder.join("Cargo.toml").is_file() {
        return refuse(&format!("{} has no Cargo.toml", folder.display()));
    }
    if !check {
        return ribbonmesh_ptx::renew(folder);
    }
    match compiles(folder) {
        Ok(true) => {
            eprintln!("the kernels compile for the GPU");
            ExitCode::SUCCESS
        }
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn refuse(why: &str) -> ExitCode {
    eprintln!("error: {why}\n\n{USAGE}");
    ExitCode::from(2)
}

/// Has the nightly check the crate for the GPU: types and names, without optimization and code.
fn compiles(folder: &Path) -> Result<bool, BuildError> {
    let toolchain = Toolchain::find()?;
    let mut cargo = Command::new("rustup");
    cargo.args(["run", toolchain.name(), "cargo", "check", "--quiet", "--lib", "--target", TARGET]);
    cargo.args(["--color", if std::io::stderr().is_terminal() { "always" } else { "never" }]);
    cargo.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    match toolchain.core_source(None)? {
        CoreSource::Installed => {}
        CoreSource::RustSrc => _ = cargo.arg("-Zbuild-std=core"),
        CoreSource::Folder(library) => {
            cargo.arg("-Zbuild-std=core").env("__CARGO_TESTS_ONLY_SRC_ROOT", library);
        }
    }
    // variables that the outer cargo has put into the environment belong to another compiler
    for name in
        ["CARGO", "RUSTC", "RUSTDOC", "RUSTC_WRAPPER", "RUSTFLAGS", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"]
    {
        cargo.env_remove(name);
    }
    let flags = ["-Ctarget-cpu=sm_80", "--cfg=ribbonmesh_own"];
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    let program = "rustup".to_owned();
    Ok(cargo.status().map_err(|source| BuildError::Spawn { program, source })?.success())
}
