//! Everything that runs inside a RibbonMesh kernel, on the GPU and on the CPU.
