//! The tests, as one program: their shared code is compiled and linked once.
#[path = "../common/any_bytes.rs"]
mod any_bytes;
#[path = "../common/mod.rs"]
mod common;

mod attributes;
mod compression;
mod glb;
mod inputs;
mod mutations;
mod obj;
mod off;
mod oracles;
mod others;
mod ply;
mod polygons;
mod round_trip;
mod stl;
mod write;
