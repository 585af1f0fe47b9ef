//! Patches over a dynamic mesh.
use super::compact::{Compaction, OUTGROWN};
use super::mesh::DynamicMesh;
use crate::{Error, MeshFault, Refreshed, Result, StaticMesh};

/// When patches are cut anew: compared with what they were like when they were cut last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchOptions {
    /// Balance (faces of the largest patch, by the mean of all) may have become so many times greater. Infinity: any.
    pub balance: f32,
    /// Locality (ribbon faces by owned faces) may have become so many times greater. Infinity: any.
    pub locality: f32,
}
impl Default for PatchOptions {
    /// Twice, and one and a half times.
    fn default() -> Self {
        Self { balance: 2.0, locality: 1.5 }
    }
}
impl PatchOptions {
    /// Patches are not cut anew unless they have to.
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

/// How good patches are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchQuality {
    /// Faces of the largest patch, by the mean of all that have faces.
    pub balance: f32,
    /// Ribbon faces by owned faces.
    pub locality: f32,
    /// Faces of the largest patch.
    pub largest: u32,
}
impl PatchQuality {
    /// Of the patches of a mesh.
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

/// What a refresh did.
pub struct Refresh {
    /// Patches that were made anew.
    pub refreshed: u32,
    /// How good all patches are.
    pub quality: PatchQuality,
    /// Whether they were cut anew.
    pub cut: bool,
    /// Where elements went, if their ids have changed: attributes have to follow,
    /// [`crate::dynamic::Compaction::carry`].
    pub compaction: Option<Compaction>,
}

impl DynamicMesh {
    /// Brings the patches up to date, so that [`DynamicMesh::patches`] has them. Only those near a face that was made since
    /// the last refresh are made anew.
    ///
    /// Where elements were created or deleted, ids change ([`DynamicMesh::compact`]), and all patches are made anew. Where
    /// patches have degraded past `options`, or one has outgrown twice its size, they are cut anew
    /// ([`DynamicMesh::repatch`]), which changes ids, too; and so is a mesh that has never been cut. Linear, one wait; a renumbering has a few more.
    /// # Errors
    /// [`Error::Option`]; [`Error::BrokenMesh`] when a vertex has more faces than a patch's 16-bit indices hold; out of memory;
    /// errors of the driver.
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
            follow(self.repatch()?)?;
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
                    follow(self.repatch()?)?;
                    cut = true;
                    continue;
                }
            };
            let quality = PatchQuality::of(self.patches.mesh());
            let first = *self.quality.get_or_insert(quality);
            let outgrown = quality.largest > OUTGROWN * self.patches.options().patch_size;
            if !cut && (outgrown || quality.degraded(&first, options)) {
                follow(self.repatch()?)?;
                cut = true;
                continue;
            }
            self.refreshed = self.pass;
            return Ok(Refresh { refreshed, quality, cut, compaction });
        }
    }

    /// The patches, as a mesh that answers all queries and that applications take; none if the mesh has changed since
    /// the last [`DynamicMesh::refresh`], or there was none. Its ids are those of this mesh. In the order of its input
    /// ([`StaticMesh::vertex_inputs`]) are first the elements that are left of the input, as they were there, then those
    /// that were made since, as they were made; what got the id of a deleted element stands in its place.
    pub fn patches(&self) -> Option<&StaticMesh> {
        (self.refreshed == self.pass).then(|| self.patches.mesh())
    }

    /// Ends with a static mesh: refreshes, and leaves the rest. Attributes are to be made of dynamic ones before, see
    /// [`crate::dynamic::DynamicAttribute::to_static`].
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
