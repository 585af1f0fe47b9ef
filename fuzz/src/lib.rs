//! Properties that the targets check.

// A file of the tests of `ribbonmesh-io`, which check the corpus, and changes of it, without a fuzzer.
#[path = "../../crates/io/tests/it/any_bytes.rs"]
pub mod any_bytes;

// A file of the tests of `ribbonmesh-expression`.
#[path = "../../crates/expression/tests/it/any_text/check.rs"]
pub mod any_text;

// A file of the tests of `ribbonmesh-stream`.
#[path = "../../crates/stream/tests/it/any_messages/check.rs"]
pub mod any_messages;
