//! Isotropic remeshing (thesis 5.4.3).
use super::attribute::PatchAttribute;
use super::carried::Carried;
use super::changes::{StoreChange, StoreChanges};
use super::error::StoreError;
use super::store::PatchStore;
use crate::surface::{CountValences, SmoothPatches};
use ribbonmesh::device::{ElementKind, Vec3};
use ribbonmesh::{Buffer, Error, Vertex};

/// Options of remeshing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoreRemeshOptions {
    /// The length that edges are to have: above 0.
    pub length: f32,
    /// Iterations of splits, collapses, flips and smoothing: the thesis makes three.
    pub iterations: u32,
    /// Steps of smoothing in each.
    pub smoothing: u32,
}
impl Default for StoreRemeshOptions {
    fn default() -> Self {
        Self { length: 1.0, iterations: 3, smoothing: 3 }
    }
}

/// Report of one iteration of remeshing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreIteration {
    /// Splits of edges longer than 4/3 of the length.
    pub splits: StoreChanges,
    /// Collapses of edges shorter than 4/5 of the length.
    pub collapses: StoreChanges,
    /// Flips for valences.
    pub flips: StoreChanges,
}

impl PatchStore {
    /// Remeshes towards edges of one length: splits edges longer than 4/3 of it, collapses those shorter than
    /// 4/5, flips for valences, smoothes (Botsch and Kobbelt 2004). The boundary is split and stays
    /// otherwise.
    /// # Errors
    /// As [`PatchStore::change`], which says what is left then; an option out of range.
    pub fn remesh(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        options: &StoreRemeshOptions,
    ) -> Result<Vec<StoreIteration>, StoreError> {
        let StoreRemeshOptions { length, iterations, smoothing } = *options;
        if !(length > 0.0 && length.is_finite()) {
            let value = length.to_string();
            return Err(Error::Option { option: "length", value, expected: "a number above 0" }.into());
        }
        let (shortest, longest) = (0.8 * length, 4.0 / 3.0 * length);
        (0..iterations)
            .map(|_| {
                let splits = self.change_enlarging(StoreChange::Split { longest }, x, carried)?;
                let collapse = StoreChange::Collapse { shortest, longest };
                let collapses = self.change_enlarging(collapse, x, carried)?;
                let flips = self.change_enlarging(StoreChange::FlipValences, x, carried)?;
                self.smooth(x, smoothing)?;
                Ok(StoreIteration { splits, collapses, flips })
            })
            .collect()
    }
    /// Moves vertices towards the means of the triangles around them, in the plane of their normals, in
    /// steps; those at edges of other than two faces stay. A launch for each step, with a second buffer of
    /// positions.
    /// # Errors
    /// [`StoreError::OtherStore`]; a patch that is too large for the shared memory; out of memory; errors of
    /// the driver.
    pub fn smooth(&self, x: &mut PatchAttribute<Vertex, Vec3>, steps: u32) -> Result<(), StoreError> {
        x.require(self)?;
        let patches = self.patches() as u32;
        if steps == 0 || patches == 0 {
            return Ok(());
        }
        let mut other: Buffer<Vec3> = self.device().zeros(self.places(ElementKind::Vertex))?;
        for _ in 0..steps {
            let kernel =
                SmoothPatches { store: self.view(), x: x.buffer().view(), y: other.view_mut(), step: 1.0 };
            self.device().launch(patches, kernel)?;
            std::mem::swap(x.buffer_mut(), &mut other);
        }
        Ok(())
    }
    /// The valence of each vertex by place, 2 more on the boundary.
    pub(super) fn valences(&self) -> Result<Buffer<u32>, StoreError> {
        let mut valences = self.device().zeros(self.places(ElementKind::Vertex))?;
        let kernel = CountValences { store: self.view(), valences: valences.view_mut() };
        if self.patches() > 0 {
            self.device().launch(self.patches() as u32, kernel)?;
        }
        Ok(valences)
    }
}
