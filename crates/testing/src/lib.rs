//! Shared parts of the suites: tests of the GPU that are ignored where there is none, kernels of every
//! primitive of a block, the classic operators and trials of the dynamic mesh. For tests and `benches` only.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod classic;
pub mod concurrent;
pub mod primitives;
pub mod trial;

ribbonmesh::device::ptx!();

/// Makes a test of each function: `gpu_tests! { fn vv() { … } }`.
///
/// Where the machine that compiles them has no NVIDIA GPU, and `RIBBONMESH_REQUIRE_CUDA` is not 1, they are
/// marked as ignored, as test runners understand it.
#[cfg(gpu)]
#[macro_export]
macro_rules! gpu_tests {
    ($($(#[$attribute:meta])* fn $name:ident() $body:block)*) => {
        $($(#[$attribute])* #[test] fn $name() $body)*
    };
}

/// Makes a test of each function: `gpu_tests! { fn vv() { … } }`.
///
/// Where the machine that compiles them has no NVIDIA GPU, and `RIBBONMESH_REQUIRE_CUDA` is not 1, they are
/// marked as ignored, as test runners understand it.
#[cfg(not(gpu))]
#[macro_export]
macro_rules! gpu_tests {
    ($($(#[$attribute:meta])* fn $name:ident() $body:block)*) => {
        $($(#[$attribute])* #[test] #[ignore = "no GPU"] fn $name() $body)*
    };
}
