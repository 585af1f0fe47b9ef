//! Any bytes as a file of this format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ribbonmesh_io::Format;

#[path = "../../crates/io/tests/common/any_bytes.rs"]
mod any_bytes;

fuzz_target!(|bytes: &[u8]| any_bytes::check(bytes, Format::Glb));
