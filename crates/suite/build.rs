//! Whether this machine has an NVIDIA GPU: then, or where `RIBBONMESH_REQUIRE_CUDA` is 1, its tests are run.

use std::path::Path;

/// Files by which a driver is recognized.
const SIGNS: [&str; 3] =
    ["/proc/driver/nvidia/version", "/dev/nvidiactl", "C:\\Windows\\System32\\nvcuda.dll"];

fn main() {
    println!("cargo::rustc-check-cfg=cfg(gpu)");
    println!("cargo::rerun-if-env-changed=RIBBONMESH_REQUIRE_CUDA");
    println!("cargo::rerun-if-changed=build.rs");
    let required = std::env::var("RIBBONMESH_REQUIRE_CUDA").is_ok_and(|value| value == "1");
    if required || SIGNS.iter().any(|sign| Path::new(sign).exists()) {
        println!("cargo::rustc-cfg=gpu");
    }
}
