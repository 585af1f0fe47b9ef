//! Options of construction.

/// How a mesh is cut into patches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshOptions {
    /// Most faces that a patch owns, 16 to 4096.
    pub patch_size: u32,
    /// Seed of all random choices: the same seed gives the same patches, on every machine.
    pub seed: u64,
}
impl Default for MeshOptions {
    fn default() -> Self {
        Self { patch_size: 512, seed: 1 }
    }
}
