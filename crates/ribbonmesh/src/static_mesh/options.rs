//! Options of construction.

/// Options of the partition of a mesh into patches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshOptions {
    /// Maximal number of faces that a patch owns, 16 to 4096. Queries on an H100 are fastest at 768, see
    /// `docs/decisions/0005-patch-size.md`.
    pub patch_size: u32,
    /// Seed of all random choices: the same seed gives the same patches, on every machine.
    pub seed: u64,
}
impl Default for MeshOptions {
    fn default() -> Self {
        Self { patch_size: 768, seed: 1 }
    }
}
