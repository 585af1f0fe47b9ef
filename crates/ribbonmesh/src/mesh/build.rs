//! Construction.
