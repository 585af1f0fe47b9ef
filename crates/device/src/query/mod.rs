//! Queries inside a kernel.
