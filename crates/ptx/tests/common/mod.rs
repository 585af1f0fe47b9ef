//! A tiny kernel crate, written to a temporary folder.

use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A workspace of a kernel crate, a path dependency of it, and one of its tests only.
pub struct Crates {
    folder: TempDir,
}

impl Crates {
    /// Writes the crates.
    pub fn new() -> Self {
        let crates = Self { folder: TempDir::new().expect("a temporary folder") };
        crates.write(
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\nmembers = [\"kernels\", \"helper\", \"oracle\"]\n",
        );
        crates.write(
            "kernels/Cargo.toml",
            &(manifest("tiny-kernels")
                + "[dependencies]\nhelper = { path = \"../helper\" }\n\
                   [dev-dependencies]\noracle = { path = \"../oracle\" }\n"),
        );
        crates.write("kernels/src/lib.rs", KERNELS);
        crates.write("kernels/src/more.rs", MORE);
        crates.write("kernels/src/host.rs", "pub fn launch() {}\n");
        crates.write("helper/Cargo.toml", &manifest("helper"));
        crates.write("helper/src/lib.rs", "#![no_std]\npub fn twice(x: f32) -> f32 {\n    x + x\n}\n");
        crates.write("oracle/Cargo.toml", &manifest("oracle"));
        crates.write("oracle/src/lib.rs", "");
        crates
    }

    /// The folder of the kernel crate.
    pub fn kernels(&self) -> PathBuf {
        self.folder.path().join("kernels")
    }

    /// Writes a file of the workspace.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// The path of a file of the workspace.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The manifest of a package without dependencies.
pub fn manifest(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
}

/// A kernel whose bounds check can fail, so that the code of a panic is compiled too.
pub const KERNELS: &str = r#"#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, stdarch_nvptx))]

#[cfg(not(target_arch = "nvptx64"))]
pub mod host;
mod more;

#[cfg(target_arch = "nvptx64")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: a trap has no precondition; it ends the launch.
    unsafe { core::arch::nvptx::trap() }
}

// SAFETY: no other symbol has this name. A caller has `n` numbers at `x`, and room for `n` at `y`.
#[cfg(target_arch = "nvptx64")]
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn double(n: u32, x: *const f32, y: *mut f32) {
    use core::arch::nvptx::{_block_dim_x, _block_idx_x, _thread_idx_x};
    // SAFETY: every thread can read its registers.
    let i = unsafe { _block_idx_x() * _block_dim_x() + _thread_idx_x() } as usize;
    // SAFETY: the caller has `n` numbers at `x`, which no thread writes.
    let x = unsafe { core::slice::from_raw_parts(x, n as usize) };
    // SAFETY: `y` has room for `n` numbers. The slice is indexed first, so `i` is below `n`, and each thread
    // has another `i`.
    unsafe { *y.add(i) = helper::twice(x[i]) };
}
"#;

/// A kernel in a file of its own, with the constants that `#[kernel]` writes.
pub const MORE: &str = r#"
#[cfg(target_arch = "nvptx64")]
mod inner {
    // SAFETY: no other symbol has this name. A caller has a number at `x`, and launches one thread.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn half(x: *mut f32) {
        // SAFETY: the caller has a number at `x`, and no other thread uses it.
        unsafe { *x = 0.5 * *x };
    }
    // SAFETY: no other symbol has this name.
    #[unsafe(export_name = "ribbonmesh_layout_half")]
    static LAYOUT: u64 = 7;
    // SAFETY: no other symbol has this name.
    #[unsafe(export_name = "ribbonmesh_module_half")]
    static MODULE: [u8; module_path!().len()] = *module_path!().as_bytes().first_chunk().unwrap();
}
"#;
