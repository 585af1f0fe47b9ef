//! The #[kernel] attribute of RibbonMesh.
