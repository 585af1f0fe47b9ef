//! Tests of the server and of its page.
// the browser of the tests of pages in files, which are tests of another crate
#[path = "../../../render/tests/it/browser.rs"]
#[allow(dead_code, reason = "pages in files also use touches, and look for requests")]
mod browser;
mod client;
mod live;
mod mesh;
mod page;
mod server;
mod sphere;
