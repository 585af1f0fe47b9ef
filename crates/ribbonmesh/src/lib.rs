//! Triangle mesh processing on the GPU and on every core of the CPU, from one kernel source.
