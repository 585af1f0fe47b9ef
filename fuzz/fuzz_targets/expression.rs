//! Any text as an expression.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ribbonmesh_fuzz::any_text;

fuzz_target!(|text: &str| any_text::check(text));
