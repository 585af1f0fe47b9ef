//! Delaunay flips, and the cleanup after a change.
use super::attribute::PatchAttribute;
use super::error::StoreError;
use super::store::PatchStore;
use crate::cleanup::{CleanPatches, RenewedArguments};
use crate::contention::LockNeighbours;
use crate::draft::reason;
use crate::flip::{ChangeArguments, FlipPatches, count};
use crate::slice::{CutArguments, CutPatches};
use ribbonmesh::device::{ElementKind, Out, Vec3};
use ribbonmesh::{Buffer, Vertex};
use ribbonmesh_concurrent::{Locks, Queue};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Report of flips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreFlips {
    /// Edges flipped.
    pub flips: u32,
    /// Patches taken from the queue.
    pub scheduled: u32,
    /// ... of which the copy was dropped: a lock was missing, or another block was changing what was read.
    pub discarded: u32,
    /// ... that were processed alone, after too many refusals.
    pub alone: u32,
    /// ... that had to wait for a cleanup.
    pub stuck: u32,
    /// Locks of other patches that were taken for patches with flips.
    pub locked: u32,
    /// Patches cut in two.
    pub cuts: u32,
    /// Elements whose owner changed.
    pub moved: u32,
    /// Most steps of a chain of owners that a patch followed.
    pub longest_chain: u32,
    /// Launches of the kernel.
    pub launches: u32,
}
impl StoreFlips {
    /// Adds the words of a launch.
    fn add(&mut self, words: &[u32]) {
        let of = |which: u32| words[which as usize];
        self.flips += of(count::FLIPS);
        self.scheduled += of(count::SCHEDULED);
        self.discarded += of(count::DISCARDED);
        self.alone += of(count::ALONE);
        self.stuck += of(count::STUCK);
        self.locked += of(count::LOCKED);
        self.moved += of(count::MOVED);
        self.longest_chain = self.longest_chain.max(of(count::LONGEST));
        self.launches += 1;
    }
}

/// Steps of a chain after which a cleanup comes before the next launch: a launch adds some, and a chain of
/// more than [`MOST_STEPS`](crate::view::MOST_STEPS) is not followed.
const LONG: u32 = 8;

impl PatchStore {
    /// Flips edges that are not Delaunay, as long as a flip is allowed, patch by patch as the thesis has it
    /// (5.2.3): see the module [`flip`](crate::flip). An edge is not flipped if its new edge exists, if it or
    /// an edge around it has other than two faces, or if a smaller angle would come of it. At the end the
    /// store is clean: every entry of a table names the owner. The result depends on the order of blocks.
    /// # Errors
    /// [`StoreError::OtherStore`] for positions of another store; [`StoreError::Full`] if a patch has no room
    /// for what it has to own, also after a cleanup, and cannot be cut in two, or has too many patches
    /// around: the flips until then are done; a patch that is too large for the shared memory; out of memory;
    /// errors of the driver.
    pub fn flip_delaunay(&mut self, x: &mut PatchAttribute<Vertex, Vec3>) -> Result<StoreFlips, StoreError> {
        x.require(self)?;
        let mut all = StoreFlips::default();
        let n = self.patches() as u32;
        if n == 0 {
            return Ok(all);
        }
        let mut patches: Vec<u32> = (0..n).collect();
        loop {
            let (flips, stuck) = self.launch_flips(x, &patches, &mut all)?;
            self.clean()?;
            patches = (0..n).filter(|&p| stuck[p as usize] != 0).collect();
            let Some(&patch) = patches.first() else { return Ok(all) };
            if flips == 0 {
                // nothing has helped but to make them smaller
                let what = what_is_full(stuck[patch as usize]);
                let made = self.cut(x, &patches)?;
                if made.is_empty() {
                    return Err(StoreError::Full { patch, what });
                }
                all.cuts += made.len() as u32;
                patches.extend(made);
            }
        }
    }
    /// Cuts patches in two, as far as there are free ones (thesis 5.3.1), and cleans up; the patches that
    /// were made, of which there are none if nothing was cut.
    fn cut(&mut self, x: &mut PatchAttribute<Vertex, Vec3>, patches: &[u32]) -> Result<Vec<u32>, StoreError> {
        let device = self.device().clone();
        let pairs: Vec<[u32; 2]> = patches.iter().zip(&self.free).map(|(&p, &free)| [p, free]).collect();
        if pairs.is_empty() {
            return Ok(vec![]);
        }
        let none = |kind| device.upload(&vec![u64::MAX; self.places(kind)]);
        self.gone = Some([none(ElementKind::Vertex)?, none(ElementKind::Edge)?, none(ElementKind::Face)?]);
        let mut failed = device.zeros(pairs.len())?;
        let on_device = device.upload(pairs.as_flattened())?;
        let (store, vertex_inputs, face_inputs) = self.view_mut();
        let cut = CutArguments {
            store,
            pairs: on_device.view(),
            failed: failed.view_mut(),
            vertex_inputs,
            face_inputs,
        };
        device.launch(pairs.len() as u32, CutPatches { cut, x: x.buffer_mut().view_mut() })?;
        let failed = failed.read()?;
        let made: Vec<u32> =
            pairs.iter().zip(failed).filter(|(_, failed)| *failed == 0).map(|(pair, _)| pair[1]).collect();
        self.free.retain(|free| !made.contains(free));
        self.clean()?;
        Ok(made)
    }
    /// How many patches were taken from a queue, and how many of these were dropped since a lock was missing,
    /// if each patch is loaded into shared memory and then needs the locks of all patches around it (Figure
    /// 5.7). Launches with a block for each patch in the queue, until it is empty.
    /// # Errors
    /// A patch that is too large for the shared memory; out of memory; errors of the driver.
    pub fn contention(&self) -> Result<[u32; 2], StoreError> {
        let (device, n) = (self.device(), self.patches() as u32);
        let patches: Vec<u32> = (0..n).collect();
        let [locks, queue] = scheduled(n, &patches);
        let (mut locks, mut queue) = (device.upload(&locks)?, device.upload(&queue)?);
        let mut report = device.zeros(3)?;
        let mut open = n;
        while open > 0 {
            let kernel = LockNeighbours {
                store: self.view(),
                locks: locks.view_mut(),
                queue: queue.view_mut(),
                report: report.view_mut(),
            };
            device.launch(open, kernel)?;
            open = n - report.read()?[2];
        }
        let report = report.read()?;
        Ok([report[0], report[1]])
    }
    /// Processes these patches until none of them has anything to flip; the report, and the reasons for which
    /// each patch waits.
    fn launch_flips(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
        patches: &[u32],
        all: &mut StoreFlips,
    ) -> Result<(u32, Vec<u32>), StoreError> {
        let (device, n) = (self.device().clone(), self.patches() as u32);
        let [locks, queue] = scheduled(n, patches);
        let (mut locks, mut queue) = (device.upload(&locks)?, device.upload(&queue)?);
        let mut gate = device.zeros(1 + n as usize)?;
        let mut stuck = device.zeros(n as usize)?;
        let mut report = device.zeros(count::WORDS as usize)?;
        let (mut done, mut flips, mut longest) = (0, 0, 0);
        while done < patches.len() as u32 {
            let (store, vertex_inputs, face_inputs) = self.view_mut();
            let change = ChangeArguments {
                store,
                locks: locks.view_mut(),
                queue: queue.view_mut(),
                gate: gate.view_mut(),
                stuck: stuck.view_mut(),
                report: report.view_mut(),
                vertex_inputs,
                face_inputs,
            };
            let blocks = patches.len() as u32 - done;
            device.launch(blocks, FlipPatches { change, x: x.buffer_mut().view_mut() })?;
            let words = report.read()?;
            report.clear()?;
            let of = |which: u32| words[which as usize];
            done += of(count::DONE);
            flips += of(count::FLIPS);
            longest = longest.max(of(count::LONGEST));
            all.add(&words);
            if of(count::BROKEN) != 0 {
                return Err(StoreError::TableFull { load: self.load() });
            }
            if longest >= LONG && done < patches.len() as u32 {
                self.clean()?;
                longest = 0;
            }
        }
        Ok((flips, stuck.read()?))
    }
    /// Makes tables and stashes again: every entry names the owner, and what no query needs is gone. One
    /// launch with a block for each patch, and memory for other tables meanwhile.
    /// # Errors
    /// [`StoreError::Full`]; a patch that is too large for the shared memory; out of memory; errors of the
    /// driver.
    pub fn clean(&mut self) -> Result<(), StoreError> {
        let (device, patches) = (self.device().clone(), self.patches() as u32);
        let again = |buffer: &Buffer<u32>| device.zeros(buffer.len());
        let [mut rows, mut tables, mut stashes] =
            [again(&self.rows)?, again(&self.tables)?, again(&self.stashes)?];
        let mut failed = device.zeros(1)?;
        let to = RenewedArguments {
            rows: rows.view_mut(),
            tables: tables.view_mut(),
            stashes: stashes.view_mut(),
            failed: failed.view_mut(),
        };
        device.launch(patches, CleanPatches { store: self.view_mut().0, to })?;
        let failed = failed.read()?[0];
        if failed != 0 {
            return Err(StoreError::Full { patch: u32::MAX, what: what_is_full(failed) });
        }
        self.renew(rows, tables, stashes);
        Ok(())
    }
}

/// A number near the golden section of `n` without a common divisor.
fn stride(n: usize) -> usize {
    let divides = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    let first = (n as f64 * 0.618) as usize;
    (first..).find(|&stride| divides(stride.max(1), n.max(1))).map_or(1, |stride| stride.max(1))
}

/// The kind of elements that have no room, by [`reason`].
fn what_is_full(reasons: u32) -> &'static str {
    if reasons & reason::STASH != 0 {
        "patches around"
    } else if reasons & reason::STAR != 0 {
        "faces around a vertex"
    } else if reasons & reason::TABLE != 0 {
        "entries of tables"
    } else {
        "elements"
    }
}
/// Free locks of `n` patches, and a queue of some of them, each once, in an order in which those next to each
/// other, which often are next to each other in the mesh, are far apart: blocks that run at the same time
/// should not want the same locks.
fn scheduled(n: u32, patches: &[u32]) -> [Vec<u32>; 2] {
    let locks = words(Locks::<Out<'_, u32>>::words_for(n), |words| {
        (0..n).for_each(|lock| Locks::new(words, 0).clear(lock));
    });
    let mut full = false;
    let queue = words(Queue::<Out<'_, u32>>::words_for(n), |words| {
        let stride = stride(patches.len());
        let mut order = (0..patches.len()).map(|i| patches[i * stride % patches.len()]);
        full = order.any(|p| Queue::new(words).begin(p).is_err());
    });
    debug_assert!(!full, "a queue has room for all patches");
    [locks, queue]
}
/// Words as the host leaves them that works on them.
fn words(n: u32, work: impl FnOnce(&[AtomicU32])) -> Vec<u32> {
    let words: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
    work(&words);
    words.iter().map(|word| word.load(Relaxed)).collect()
}
