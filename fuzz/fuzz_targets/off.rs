//! Any bytes as a file of this format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ribbonmesh_fuzz::any_bytes;
use ribbonmesh_io::Format;

fuzz_target!(|bytes: &[u8]| any_bytes::check(bytes, Format::Off));
