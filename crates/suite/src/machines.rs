//! Machines that tests run on, and how much they do there.
use ribbonmesh::{Cards, Device};

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

/// Writes each test once and runs it on each machine: `suite! { fn vv(device) { … } }` gives `cpu::vv` and
/// `cuda::vv`, which is ignored where there is no GPU. `RIBBONMESH_CARDS` has machines of several cards:
/// [`cpu`], [`cuda`].
#[macro_export]
macro_rules! suite {
    ($($(#[$attribute:meta])* fn $name:ident($device:ident) $body:block)*) => {
        mod cpu {
            $($(#[$attribute])* #[test] fn $name() { super::$name(&$crate::cpu()) })*
        }
        mod cuda {
            $crate::gpu_tests! {
                $($(#[$attribute])* fn $name() {
                    if let Some(device) = $crate::cuda() {
                        super::$name(&device)
                    }
                })*
            }
        }
        $(fn $name($device: &$crate::Device) $body)*
    };
}

/// The GPUs that `RIBBONMESH_CARDS` names: `all`, `0-1`. They are one device, which shares every launch and
/// all but the smallest buffers, so that small meshes test it, too.
fn cards() -> Option<Cards> {
    let text = std::env::var("RIBBONMESH_CARDS").ok()?;
    let cards: Cards = text.parse().unwrap_or_else(|error| panic!("RIBBONMESH_CARDS: {error}"));
    Some(cards.sharing_blocks(1).sharing_bytes(4096))
}

/// The CPU. If `RIBBONMESH_CARDS` names cards, it plays as many; two for `all`.
///
/// # Panics
/// If `RIBBONMESH_CARDS` names none.
pub fn cpu() -> Device {
    cards().map_or_else(Device::cpu, |cards| Device::cpu_as_cards(cards.number().unwrap_or(2)))
}

/// First GPU of this machine, or the device of the cards that `RIBBONMESH_CARDS` names; `None` skips the
/// test. With a number in `RIBBONMESH_PLAYED_CARDS`, the first GPU plays so many cards.
///
/// # Panics
/// If there is no GPU and `RIBBONMESH_REQUIRE_CUDA` is 1. If `RIBBONMESH_CARDS` names none, or
/// `RIBBONMESH_PLAYED_CARDS` does not hold a number.
pub fn cuda() -> Option<Device> {
    let played = std::env::var("RIBBONMESH_PLAYED_CARDS").ok();
    let played =
        played.map(|text| text.parse().unwrap_or_else(|error| panic!("RIBBONMESH_PLAYED_CARDS: {error}")));
    let opened = match (cards(), played) {
        (Some(cards), _) => Device::cards(&cards),
        (None, Some(played)) => Device::cuda_as_cards(0, played),
        (None, None) => Device::cuda(0),
    };
    match opened {
        Ok(device) => Some(device),
        Err(e) => {
            assert!(std::env::var_os("RIBBONMESH_REQUIRE_CUDA").is_none_or(|v| v != "1"), "no GPU: {e}");
            println!("skipped: {e}");
            None
        }
    }
}

/// Whether `RIBBONMESH_SANITIZED` is 1: the suites run under a sanitizer, where a program takes ten to fifty
/// times as long, and do a tenth of the work, or less.
pub fn sanitized() -> bool {
    std::env::var_os("RIBBONMESH_SANITIZED").is_some_and(|v| v == "1")
}
/// All of some cases; under a sanitizer one in ten.
pub fn cases<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if sanitized() { 10 } else { 1 })
}
/// The first of two sizes; under a sanitizer the second.
pub fn size<T>(usual: T, less: T) -> T {
    if sanitized() { less } else { usual }
}
