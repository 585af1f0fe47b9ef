//! Rebuilding changed patches.
use super::{HalfEdges, PatchCache, reserve, shell};
use crate::kernels::construct::refresh::{
    BeginRefresh, ExamineFaces, PlaceResults, PlacesArguments, RangesArguments, RefreshPatches, summary,
};
use crate::kernels::construct::ribbon::Bounds;
use crate::{Buffer, Device, DeviceKind, Error, Result};
use ribbonmesh_device::{Counts, PatchRow, tiles};
use std::sync::Arc;

/// Result of a refresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refreshed {
    /// All patches are up to date; the number of rebuilt patches.
    Done(u32),
    /// The mesh has deleted elements: renumber it first.
    Deleted,
    /// This patch has more local elements than 16-bit indices allow: partition the mesh anew first.
    TooLarge(u32),
}

impl PatchCache {
    /// Rebuilds all patches with a face (owned or in the ribbon) that was made in pass `since` or later; the
    /// first time and after renumbering, all patches. No element may have been created or deleted since the
    /// last renumbering.
    ///
    /// Four launches, linear in the mesh, and one wait for a summary of 168 bytes. If memory is too small, it
    /// is reallocated and the launches are repeated. If a patch needs more shared memory than a block of the
    /// GPU can have, all patches are rebuilt on the CPU.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn refresh(&mut self, mesh: &HalfEdges<'_>, since: u32) -> Result<Refreshed> {
        let device = self.mesh.device.clone();
        match self.refresh_here(mesh, since) {
            Err(Error::SharedMemory { .. }) if device.kind() == DeviceKind::Cuda => {
                self.refresh_on(&Device::cpu(), mesh)
            }
            done => done,
        }
    }

    fn refresh_on(&mut self, host: &Device, mesh: &HalfEdges<'_>) -> Result<Refreshed> {
        let [fv, fe, eh, dead] = [mesh.fv, mesh.fe, mesh.eh, mesh.dead].map(|b| b.to_device(host));
        let (fv, fe, eh, dead) = (fv?, fe?, eh?, dead?);
        let [v, e, f] = &self.firsts;
        let firsts = [v.to_device(host)?, e.to_device(host)?, f.to_device(host)?];
        let shell = shell(&self.mesh)?.to_device(host)?;
        let mut there = Self::with_mesh(shell, firsts, self.most)?;
        let done = there.refresh_here(&HalfEdges { fv: &fv, fe: &fe, eh: &eh, dead: &dead }, 0)?;
        let mut made = there.mesh.to_device(&self.mesh.device)?;
        made.vertex_inputs = Arc::clone(&self.mesh.vertex_inputs);
        made.face_inputs = Arc::clone(&self.mesh.face_inputs);
        self.mesh = made;
        self.all = true;
        Ok(done)
    }

    fn refresh_here(&mut self, mesh: &HalfEdges<'_>, since: u32) -> Result<Refreshed> {
        self.reserve_patches()?;
        loop {
            let all = self.all || since == 0;
            let words = self.launch(mesh, if all { 0 } else { since })?;
            let at = |k: u32| words[k as usize];
            if at(summary::DELETED_FACE) != 0 || at(summary::DELETED_OTHER) != 0 {
                self.all = true;
                return Ok(Refreshed::Deleted);
            }
            if at(summary::TOO_LARGE) != 0 {
                self.all = true;
                return Ok(Refreshed::TooLarge(at(summary::TOO_LARGE) - 1));
            }
            let short = at(summary::SHORT);
            let twice = |n: &mut u32, bit: u32| {
                if short & bit != 0 {
                    *n *= 2;
                }
            };
            twice(&mut self.most.f, 1);
            twice(&mut self.most.e, 2);
            twice(&mut self.most.v, 4);
            if at(summary::FULL) != 0 {
                self.all = true;
                self.make_room(std::array::from_fn(|k| at(summary::CURSORS + k as u32) as usize))?;
            }
            if short != 0 || at(summary::FULL) != 0 {
                continue;
            }
            if all {
                let more = |k: u32| at(summary::MOST + k) + at(summary::MOST + k) / 4 + 32;
                self.most = Bounds { f: more(0), e: more(1), v: more(2) };
            }
            self.mesh.max = counts(&words[summary::MAX as usize..]);
            self.mesh.total = counts(&words[summary::TOTAL as usize..]);
            self.all = false;
            return Ok(Refreshed::Done(at(summary::REFRESHED)));
        }
    }

    /// Memory for what depends on the numbers of patches and vertices alone, and a guess at that of patches.
    fn reserve_patches(&mut self) -> Result<()> {
        let (device, patches) = (self.mesh.device.clone(), self.mesh.patches as usize);
        reserve(&device, &mut self.rooms, 4 * patches)?;
        reserve(&device, &mut self.dirty, patches)?;
        reserve(&device, &mut self.half_edges, self.mesh.vertices as usize)?;
        let words = PatchRow::WORDS as usize * patches;
        if self.mesh.rows.len() != words {
            self.mesh.rows = device.zeros(words)?;
        }
        if self.mesh.ev.is_empty() {
            let t = self.mesh.total;
            let ribbon = |all: u32, own: u32| (all - own) as usize * 5 / 4 + 16 * patches;
            let (v, e, f) =
                (ribbon(t.v_all, t.v_owned), ribbon(t.e_all, t.e_owned), ribbon(t.f_all, t.f_owned));
            let (edges, faces) = (self.mesh.edges as usize, self.mesh.faces as usize);
            self.make_room([v, e, f, edges + e + 8 * patches, 3 * (faces + f) + 16 * patches])?;
        }
        Ok(())
    }
    /// Ribbon vertices, edges, faces, entries of EV and FE.
    fn make_room(&mut self, [v, e, f, ev, fe]: [usize; 5]) -> Result<()> {
        let (device, m) = (self.mesh.device.clone(), &mut self.mesh);
        reserve(&device, &mut m.ribbon_v, v)?;
        reserve(&device, &mut m.ribbon_e, e)?;
        reserve(&device, &mut m.ribbon_f, f)?;
        reserve(&device, &mut m.ev, ev.next_multiple_of(4))?;
        reserve(&device, &mut m.fe, fe.next_multiple_of(8))
    }

    /// Launches a refresh, of all patches if `since` is 0; returns its summary.
    fn launch(&mut self, mesh: &HalfEdges<'_>, since: u32) -> Result<Vec<u32>> {
        let (device, tables, most) = (self.mesh.device.clone(), mesh.view(), self.most);
        let (vertices, patches) = (self.mesh.vertices, self.mesh.patches);
        let begin = BeginRefresh {
            vertices,
            patches,
            all: (since == 0) as u32,
            vh: self.half_edges.view_mut(),
            dirty: self.dirty.view_mut(),
            rooms: self.rooms.view_mut(),
            summary: self.summary.view_mut(),
        };
        device.launch(tiles(vertices.max(patches).max(1)), begin)?;
        let [v, e, f]: [&Buffer<u32>; 3] = self.firsts.each_ref();
        let ranges = RangesArguments { v: v.view(), e: e.view(), f: f.view(), patches };
        let examine = ExamineFaces {
            mesh: tables,
            ranges,
            since,
            vh: self.half_edges.view_mut(),
            dirty: self.dirty.view_mut(),
            summary: self.summary.view_mut(),
        };
        device.launch(patches, examine)?;
        let m = &mut self.mesh;
        let refresh = RefreshPatches {
            mesh: tables,
            ranges,
            vh: self.half_edges.view(),
            dirty: self.dirty.view(),
            most,
            to: PlacesArguments {
                rows: m.rows.view_mut(),
                rooms: self.rooms.view_mut(),
                ribbon_v: m.ribbon_v.view_mut(),
                ribbon_e: m.ribbon_e.view_mut(),
                ribbon_f: m.ribbon_f.view_mut(),
                ev: m.ev.view_mut(),
                fe: m.fe.view_mut(),
                summary: self.summary.view_mut(),
            },
        };
        device.launch(patches, refresh)?;
        device.launch(1, PlaceResults { patches, rows: m.rows.view_mut() })?;
        self.summary.read()
    }
}

/// The numbers of a patch, or of all, from a summary.
fn counts(words: &[u32]) -> Counts {
    let mut all = [0; 17];
    all[..14].copy_from_slice(&words[..14]);
    bytemuck::cast(all)
}
