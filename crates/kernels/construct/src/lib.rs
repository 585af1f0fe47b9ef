//! Kernels that build the patches of a mesh.
