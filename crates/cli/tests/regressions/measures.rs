//! Lengths, volumes and smoothing.
