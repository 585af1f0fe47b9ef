//! Kernels over attributes: fill, map, reductions.
