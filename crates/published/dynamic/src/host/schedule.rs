//! Locks and a queue for launches of patches; the cleanup after a change; contention.
use super::error::StoreError;
use super::store::PatchStore;
use crate::cleanup::{CleanPatches, RenewedArguments};
use crate::contention::LockNeighbours;
use crate::draft::reason;
use ribbonmesh::Buffer;
use ribbonmesh::device::Out;
use ribbonmesh_concurrent::{Locks, Queue};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// An order of patches in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueOrder {
    /// Patches that are next to each other in memory are far apart in the queue: the order of all changes.
    FarApart,
    /// As in memory, where patches that are next to each other often are neighbours.
    Memory,
    /// As if they were drawn one after another.
    Random,
}
impl QueueOrder {
    /// All orders, with their names.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::FarApart, "far apart"), (Self::Memory, "as in memory"), (Self::Random, "random")];
    /// The patches in this order.
    fn of(self, patches: &[u32]) -> Vec<u32> {
        let mut patches = patches.to_vec();
        match self {
            Self::FarApart => {
                let (stride, n) = (stride(patches.len()), patches.len());
                (0..n).map(|i| patches[i * stride % n]).collect()
            }
            Self::Memory => patches,
            Self::Random => {
                patches.sort_unstable_by_key(|&p| mixed(p));
                patches
            }
        }
    }
}

/// Times that a cleanup is tried.
const CLEANUPS: u32 = 8;

impl PatchStore {
    /// How many patches were taken from a queue, and how many of these were dropped since a lock was missing,
    /// if each patch is loaded into shared memory and then needs the locks of all patches around it (Figure
    /// 5.7). Launches with a block for each patch in the queue, until it is empty. `order` is that of the
    /// queue at the beginning: blocks that run at the same time have patches that follow each other there.
    /// # Errors
    /// A patch that is too large for the shared memory; out of memory; errors of the driver.
    pub fn contention(&self, order: QueueOrder) -> Result<[u32; 2], StoreError> {
        let (device, n) = (self.device(), self.patches() as u32);
        let patches: Vec<u32> = (0..n).collect();
        let [locks, queue] = scheduled(n, &patches, order);
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
    /// Makes tables and stashes again: every entry names the owner, and what no query needs is gone. One
    /// launch with a block for each patch, and memory for other tables meanwhile.
    /// # Errors
    /// [`StoreError::Full`]; a patch that is too large for the shared memory; out of memory; errors of the
    /// driver.
    pub fn clean(&mut self) -> Result<(), StoreError> {
        // a table in which some entry found no place may have one for each in another order of insertions
        let mut failed = reason::TABLE;
        let mut tries = 0;
        while failed & reason::TABLE != 0 && tries < CLEANUPS {
            failed = self.try_to_clean()?;
            tries += 1;
        }
        match failed {
            0 => Ok(()),
            failed => Err(StoreError::Full { patch: u32::MAX, what: what_is_full(failed) }),
        }
    }
    /// One cleanup; the reasons why tables and stashes are as before, or 0.
    fn try_to_clean(&mut self) -> Result<u32, StoreError> {
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
        if failed == 0 {
            self.renew(rows, tables, stashes);
        }
        Ok(failed)
    }
}

/// The kind of elements that have no room, by [`reason`].
pub(super) fn what_is_full(reasons: u32) -> &'static str {
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
/// Free locks of `n` patches, and a queue of some of them, each once. Blocks that run at the same time should
/// not want the same locks, so changes have them [far apart](QueueOrder::FarApart).
pub(super) fn scheduled(n: u32, patches: &[u32], order: QueueOrder) -> [Vec<u32>; 2] {
    let locks = words(Locks::<Out<'_, u32>>::words_for(n), |words| {
        (0..n).for_each(|lock| Locks::new(words, 0).clear(lock));
    });
    let mut full = false;
    let queue = words(Queue::<Out<'_, u32>>::words_for(n), |words| {
        full = order.of(patches).into_iter().any(|p| Queue::new(words).begin(p).is_err());
    });
    debug_assert!(!full, "a queue has room for all patches");
    [locks, queue]
}
/// Another number for each, in an order that looks random (the last steps of MurmurHash3).
fn mixed(number: u32) -> u32 {
    let mix = |n: u32, factor: u32| (n ^ n >> 16).wrapping_mul(factor);
    let mixed = mix(mix(number, 0x85eb_ca6b), 0xc2b2_ae35);
    mixed ^ mixed >> 16
}
/// Words as the host leaves them that works on them.
fn words(n: u32, work: impl FnOnce(&[AtomicU32])) -> Vec<u32> {
    let words: Vec<AtomicU32> = (0..n).map(|_| AtomicU32::new(0)).collect();
    work(&words);
    words.iter().map(|word| word.load(Relaxed)).collect()
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
