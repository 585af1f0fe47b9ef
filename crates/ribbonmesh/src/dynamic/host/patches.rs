//! Patches over a dynamic mesh.
use super::compact::{Compaction, OUTGROWN};
use super::mesh::DynamicMesh;
use crate::{Error, MeshFault, Refreshed, Result, StaticMesh};

/// Limits for the quality of patches, relative to their quality after the last partitioning. Beyond a limit,
/// the mesh is partitioned anew.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchOptions {
    /// Largest factor by which balance (faces of the largest patch divided by the mean) may grow; infinity:
    /// no limit.
    pub balance: f32,
    /// Largest factor by which locality (ribbon faces divided by owned faces) may grow; infinity: no limit.
    pub locality: f32,
}
impl Default for PatchOptions {
    /// Balance 2, locality 1.5.
    fn default() -> Self {
        Self { balance: 2.0, locality: 1.5 }
    }
}
impl PatchOptions {
    /// No limits: the mesh is partitioned anew only if it must be.
    pub const NEVER: Self = Self { balance: f32::INFINITY, locality: f32::INFINITY };

    fn check(&self) -> Result<()> {
        let at_least_1 = |option: &'static str, factor: f32| {
            if factor >= 1.0 {
                return Ok(());
            }
            Err(Error::Option { option, value: factor.to_string(), expected: "a factor of at least 1" })
        };
        at_least_1("balance of patches", self.balance)?;
        at_least_1("locality of patches", self.locality)
    }
}

/// Quality of patches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchQuality {
    /// Faces of the largest patch divided by the mean.
    pub balance: f32,
    /// Ribbon faces divided by owned faces.
    pub locality: f32,
    /// Faces of the largest patch.
    pub largest: u32,
}
impl PatchQuality {
    /// The quality of a mesh's patches.
    pub fn of(mesh: &StaticMesh) -> Self {
        let (max, total) = (mesh.max_counts(), mesh.totals());
        let faces = total.f_owned.max(1) as f32;
        Self {
            balance: max.f_owned as f32 * mesh.patches() as f32 / faces,
            locality: (total.f_all - total.f_owned) as f32 / faces,
            largest: max.f_owned,
        }
    }
    fn degraded(&self, since: &Self, options: &PatchOptions) -> bool {
        self.balance > options.balance * since.balance || self.locality > options.locality * since.locality
    }
}

/// Result of [`DynamicMesh::refresh`].
pub struct Refresh {
    /// Number of rebuilt patches.
    pub refreshed: u32,
    /// Quality of the patches.
    pub quality: PatchQuality,
    /// Whether the mesh was partitioned anew.
    pub cut: bool,
    /// The renumbering, if ids have changed. Apply it to attributes with
    /// [`crate::dynamic::Compaction::apply_to`].
    pub compaction: Option<Compaction>,
}

impl DynamicMesh {
    /// Updates the patches for [`DynamicMesh::patches`]. Only patches near a face made since the last refresh
    /// are rebuilt.
    ///
    /// If elements were created or deleted, ids change ([`DynamicMesh::compact`]), and all patches are
    /// rebuilt. The mesh is partitioned anew ([`DynamicMesh::repartition`]), which also changes ids, if the
    /// quality of patches exceeds the limits of `options`, if a patch has more than twice the patch size, or
    /// if the mesh has never been partitioned. Linear, with one wait; a renumbering has a few more.
    /// # Errors
    /// [`Error::Option`]; [`Error::BrokenMesh`] if a vertex has more faces than a patch's 16-bit indices
    /// hold; out of memory; errors of the driver.
    pub fn refresh(&mut self, options: &PatchOptions) -> Result<Refresh> {
        options.check()?;
        let (mut compaction, mut cut): (Option<Compaction>, bool) = (None, false);
        let mut follow = |next: Compaction| -> Result<()> {
            compaction = Some(match compaction.take() {
                Some(before) => before.then(next)?,
                None => next,
            });
            Ok(())
        };
        if !self.patches.is_cut() {
            follow(self.repartition()?)?;
            cut = true;
        } else if self.patches.elements() != self.ids {
            follow(self.compact()?)?;
        }
        loop {
            let since = std::mem::replace(&mut self.refreshed, 0);
            let (tables, cache) = self.tables_and_patches();
            let refreshed = match cache.refresh(&tables, since)? {
                Refreshed::Done(n) => n,
                Refreshed::Deleted => {
                    follow(self.compact()?)?;
                    continue;
                }
                Refreshed::TooLarge(patch) if cut => return Err(too_large(patch)),
                Refreshed::TooLarge(_) => {
                    follow(self.repartition()?)?;
                    cut = true;
                    continue;
                }
            };
            let quality = PatchQuality::of(self.patches.mesh());
            let first = *self.quality.get_or_insert(quality);
            let outgrown = quality.largest > OUTGROWN * self.patches.options().patch_size;
            if !cut && (outgrown || quality.degraded(&first, options)) {
                follow(self.repartition()?)?;
                cut = true;
                continue;
            }
            self.refreshed = self.pass;
            return Ok(Refresh { refreshed, quality, cut, compaction });
        }
    }

    /// The patches as a static mesh, for queries and applications; none before the first
    /// [`DynamicMesh::refresh`] and after changes since the last one. Its ids are those of this mesh. The
    /// order of its input ([`StaticMesh::vertex_inputs`]) has first the elements that remain of the input, in
    /// their order there, then new elements in the order of their creation; an element with the id of a
    /// deleted one takes its place.
    pub fn patches(&self) -> Option<&StaticMesh> {
        (self.refreshed == self.pass).then(|| self.patches.mesh())
    }

    /// Converts the mesh into the static mesh of its patches; call [`DynamicMesh::refresh`] first. Convert
    /// attributes before with [`crate::dynamic::DynamicAttribute::to_static`].
    /// # Errors
    /// [`Error::StalePatches`] if the mesh has changed since the last [`DynamicMesh::refresh`].
    pub fn into_static(self) -> Result<StaticMesh> {
        if self.patches().is_none() {
            return Err(Error::StalePatches);
        }
        Ok(self.patches.into_mesh())
    }
}

fn too_large(patch: u32) -> Error {
    Error::BrokenMesh { faults: vec![MeshFault::PatchTooLarge { patch }], after: None }
}
