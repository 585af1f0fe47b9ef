//! Core of readers and writers, for crates with other formats of files.
//!
//! A reader goes through the bytes with a [`Cursor`] and gives an [`Outcome`]. The [`Fault`] in it has the
//! offset of the byte at fault, and [`Fault::in_file`] makes the [`ReadError`](crate::ReadError) of it, which
//! names the file and the line or byte. A writer puts text and numbers into a [`Sink`] within
//! [`write_whole`], which replaces the old file when the new one is complete, and compresses it if its name
//! says so. [`format_extension`] and [`format_named`] choose a format.

pub use crate::{
    cursor::{Cursor, Order, from_bytes, to_bytes},
    fault::{Fault, Outcome, fault, fault_of_file, quote},
    format::{format_extension, format_named},
    replace::write_whole,
    sink::Sink,
};
