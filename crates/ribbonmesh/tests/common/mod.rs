//! Shared parts of the suites: a suite on each machine, meshes of every class, a brute-force adjacency.
#![allow(dead_code)]
pub mod check;
pub mod ids;
pub mod meshes;
pub mod oracle;

use ribbonmesh::Device;

/// Writes each test once and runs it on each machine: `suite! { fn vv(device) { … } }` gives `cpu::vv` and
/// `cuda::vv`, which is ignored where there is no GPU.
#[macro_export]
macro_rules! suite {
    ($($(#[$attribute:meta])* fn $name:ident($device:ident) $body:block)*) => {
        mod cpu {
            $($(#[$attribute])* #[test] fn $name() { super::$name(&ribbonmesh::Device::cpu()) })*
        }
        mod cuda {
            ribbonmesh_testing::gpu_tests! {
                $($(#[$attribute])* fn $name() {
                    if let Some(device) = super::common::cuda() {
                        super::$name(&device)
                    }
                })*
            }
        }
        $(fn $name($device: &ribbonmesh::Device) $body)*
    };
}

/// The GPU, or none: then the test counts as skipped, and fails where `RIBBONMESH_REQUIRE_CUDA` is 1.
pub fn cuda() -> Option<Device> {
    match Device::cuda(0) {
        Ok(device) => Some(device),
        Err(e) => {
            assert!(std::env::var_os("RIBBONMESH_REQUIRE_CUDA").is_none_or(|v| v != "1"), "no GPU: {e}");
            println!("skipped: {e}");
            None
        }
    }
}

/// Whether these suites run under a sanitizer, where a program takes ten to fifty times as long:
/// `RIBBONMESH_SANITIZED` is
/// 1. Then they do a tenth of the work, or less.
pub fn sanitized() -> bool {
    std::env::var_os("RIBBONMESH_SANITIZED").is_some_and(|v| v == "1")
}
/// All of some cases; under a sanitizer one in ten.
pub fn cases<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if sanitized() { 10 } else { 1 })
}
/// A size or a number; under a sanitizer another one.
pub fn size<T>(usual: T, less: T) -> T {
    if sanitized() { less } else { usual }
}

/// Pseudo-random numbers.
pub struct Random(pub u64);
impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }
    pub fn below(&mut self, n: u32) -> u32 {
        self.next() % n
    }
}
