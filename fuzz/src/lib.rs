//! Property that every target checks.

// A file of the tests of `ribbonmesh-io`, which check the corpus, and changes of it, without a fuzzer.
#[path = "../../crates/io/tests/it/any_bytes.rs"]
pub mod any_bytes;
