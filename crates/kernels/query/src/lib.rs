//! Kernels that write query results to memory.
