//! Tests of the protocol.
mod any_messages;
mod frames;
mod links;
mod model;
mod sessions;
mod support;
mod triangles;
