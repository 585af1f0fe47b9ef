//! Drives the nightly compiler to turn a kernel crate into PTX.
