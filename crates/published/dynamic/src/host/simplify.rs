//! Simplification to a number of faces.
use super::attribute::PatchAttribute;
use super::carried::{Carried, Quadrics, Values};
use super::changes::StoreChanges;
use super::error::StoreError;
use super::store::PatchStore;
use crate::change::{CollapseCheap, Criteria};
use crate::quadrics::{BINS, CountCosts, MakeQuadrics, SHIFT};
use ribbonmesh::device::{ElementKind, Vec3};
use ribbonmesh::{DeviceKind, Vertex};

/// Part of the edges that a stage looks at, the cheapest ones, as of simplification by claims.
const SHARE: f64 = 0.125;
/// Patches that own less than this part of the faces that they owned at first are merged on a CPU. On a GPU
/// that takes longer than it saves, since triangles go through the host.
const SMALL: f64 = 0.5;
/// Edges that a stage looks at for each collapse that is left to be made.
const AHEAD: f64 = 2.0;

/// Report of a simplification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreSimplification {
    /// All collapses.
    pub collapses: StoreChanges,
    /// Stages: costs were counted, and edges below a limit collapsed.
    pub stages: u32,
    /// Times that patches with few faces left were made anew, as large as at first: on a CPU.
    pub merged: u32,
}

impl PatchStore {
    /// Collapses vertices onto neighbours until there are `faces` faces, or one less: in stages, each of
    /// which takes the cheapest edges by their quadric errors, patch by patch (Garland and Heckbert 1997).
    /// There are more faces at the end if no other vertex may be collapsed: see [`CollapseCheap`]. Vertices
    /// keep the positions that they have, and quadrics take 88 bytes for each place of a vertex meanwhile.
    /// # Errors
    /// As [`PatchStore::change_enlarging`].
    pub fn simplify(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        faces: usize,
    ) -> Result<StoreSimplification, StoreError> {
        x.require(self)?;
        carried.require(self)?;
        let mut report = StoreSimplification::default();
        let mut quadrics = self.quadrics(x)?;
        let mut share = SHARE;
        let mut full = self.faces_of_a_patch();
        let merges = self.device().kind() == DeviceKind::Cpu;
        loop {
            let left = self.count(ElementKind::Face).saturating_sub(faces).div_ceil(2);
            if left == 0 {
                return Ok(report);
            }
            if merges && self.used() > 1 && self.faces_of_a_patch() < SMALL * full {
                // small patches work as well where none can be made, and are more work
                if let Some(relaid) = self.merge(x, carried)? {
                    quadrics.relay(&relaid)?;
                    report.merged += 1;
                }
                full = self.faces_of_a_patch();
            }
            let edges = self.count(ElementKind::Edge) as f64;
            let wanted = (share * edges).min(share / SHARE * AHEAD * left as f64).max(1.0);
            let costliest = self.cost_limit(x, &quadrics, wanted)?;
            let before = report.collapses.filled;
            self.stage(x, carried, &mut quadrics, costliest, left, &mut report.collapses)?;
            report.stages += 1;
            let filled = report.collapses.filled - before;
            // where many of the cheapest edges may not be collapsed, more are looked at
            if f64::from(filled) < wanted / 16.0 {
                if costliest == f32::INFINITY && filled == 0 {
                    return Ok(report);
                }
                share *= 2.0;
            }
        }
    }
    /// Collapses what costs less than a limit, `left` vertices at most.
    fn stage(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        quadrics: &mut Quadrics,
        costliest: f32,
        left: usize,
        all: &mut StoreChanges,
    ) -> Result<(), StoreError> {
        let criteria = Criteria { costliest, ..Criteria::default() };
        let end = all.filled + left as u32;
        loop {
            let budget = Some(self.device().upload(&[end - all.filled])?);
            let values = Values { x, valences: None, quadrics: Some(quadrics), budget, carried };
            match self.run::<CollapseCheap>(values, criteria, all) {
                Err(error) if all.makes_room_after(&error) => {
                    if let Some(relaid) = self.make_room(&error, x, carried, all)? {
                        quadrics.relay(&relaid)?;
                    }
                }
                done => return done,
            }
        }
    }
    /// The quadrics of all vertices.
    fn quadrics(&self, x: &PatchAttribute<Vertex, Vec3>) -> Result<Quadrics, StoreError> {
        let mut quadrics = Quadrics::zeros(self)?;
        if self.patches() > 0 {
            let to = quadrics.buffer_mut().view_mut().wide();
            let kernel = MakeQuadrics { store: self.view(), x: x.buffer().view(), quadrics: to };
            self.device().launch(self.patches() as u32, kernel)?;
        }
        Ok(quadrics)
    }
    /// A cost that so many edges are below, or some more; infinity if there are not as many.
    fn cost_limit(
        &self,
        x: &PatchAttribute<Vertex, Vec3>,
        quadrics: &Quadrics,
        wanted: f64,
    ) -> Result<f32, StoreError> {
        let mut bins = self.device().zeros(BINS as usize)?;
        let kernel = CountCosts {
            store: self.view(),
            x: x.buffer().view(),
            quadrics: quadrics.buffer().view().wide(),
            bins: bins.view_mut(),
        };
        self.device().launch(self.patches() as u32, kernel)?;
        let mut below = 0.0;
        for (bin, count) in bins.read()?.into_iter().enumerate() {
            below += f64::from(count);
            if below >= wanted {
                return Ok(f32::from_bits((bin as u32 + 1) << SHIFT));
            }
        }
        Ok(f32::INFINITY)
    }
}
