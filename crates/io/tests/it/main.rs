//! The tests, as one program: their shared code is compiled and linked once.
mod any_bytes;
mod attributes;
mod common;
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
