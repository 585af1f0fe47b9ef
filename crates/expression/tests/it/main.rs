//! Tests of the language and of all ways to evaluate it.

mod agree;
mod any_text;
mod errors;
mod functions;
mod language;
mod programs;
mod ptx;
mod support;
