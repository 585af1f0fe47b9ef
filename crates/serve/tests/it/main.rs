//! Tests of the server and of its page.
#[path = "../../../render/tests/it/browser.rs"]
#[allow(dead_code)]
mod browser;
mod client;
mod mesh;
mod page;
mod server;
mod sphere;
