//! Takes an archive of machine code into the library, if one is named.
use std::path::PathBuf;

/// Names the archive.
const NAME: &str = "RIBBONMESH_MACHINE_CODE";

fn main() {
    println!("cargo::rerun-if-env-changed={NAME}");
    println!("cargo::rerun-if-changed=build.rs");
    let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    let archive = match std::env::var_os(NAME).filter(|path| !path.is_empty()) {
        Some(path) => {
            let path = PathBuf::from(path);
            println!("cargo::rerun-if-changed={}", path.display());
            std::fs::read(&path).map_err(|e| format!("{NAME} is {}: {e}", path.display()))
        }
        None => Ok(Vec::new()),
    };
    let written = archive.and_then(|bytes| {
        std::fs::write(out.join("machine-code"), bytes).map_err(|e| format!("{}: {e}", out.display()))
    });
    if let Err(message) = written {
        println!("cargo::error={message}");
    }
}
