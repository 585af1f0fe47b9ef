//! Any bytes as messages of a client.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ribbonmesh_fuzz::any_messages;

fuzz_target!(|bytes: &[u8]| any_messages::check(bytes));
