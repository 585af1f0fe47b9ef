//! Tells of PTX that is older than the kernels.

fn main() {
    ribbonmesh_ptx::verify();
}
