//! The CPU: a block is one task of a work-stealing pool.
use crate::{Error, Result};
use rayon::prelude::*;
use ribbonmesh_device::{AnyKernel, Block, Fault, Faults, Status};
use std::sync::atomic::AtomicU32;

/// Blocks have up to this much shared memory, as much as the largest GPUs give and more.
pub(super) const SHARED_LIMIT: u64 = 64 << 20;

pub(super) struct Cpu {
    /// None: rayon's global pool.
    pool: Option<rayon::ThreadPool>,
    /// The number of cards that it plays.
    cards: usize,
}

impl Cpu {
    pub fn shared() -> Self {
        Self::as_cards(1)
    }
    /// The same as if it were several cards.
    pub fn as_cards(cards: usize) -> Self {
        Self { pool: None, cards }
    }
    pub fn with_threads(threads: usize) -> Result<Self> {
        if threads == 0 {
            return Err(Error::Option { option: "threads", value: "0".into(), expected: "at least 1" });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| Error::Threads { threads, message: e.to_string() })?;
        Ok(Self { pool: Some(pool), cards: 1 })
    }
    /// The number of cards that it plays.
    pub fn cards(&self) -> usize {
        self.cards
    }
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, |p| p.current_num_threads())
    }
    pub fn name(&self) -> String {
        let threads = self.threads();
        format!("CPU, {threads} thread{}", if threads == 1 { "" } else { "s" })
    }
    pub fn install(&self, f: &mut (dyn FnMut() + Send)) {
        match &self.pool {
            Some(pool) => pool.install(f),
            None => f(),
        }
    }
    /// Runs all blocks; returns the first fault of one, and the launch's own status record.
    /// # Safety
    /// The views of `kernel` lead to memory of the host that lives, and that nothing else uses meanwhile.
    pub unsafe fn launch(
        &self,
        blocks: u32,
        threads: u32,
        shared: u32,
        number: u32,
        kernel: &dyn AnyKernel,
    ) -> (Option<Fault>, [u32; Status::WORDS]) {
        // of this launch alone: others that run at the same time, or after a panic, have theirs
        let record = <[AtomicU32; Status::WORDS]>::default();
        // SAFETY: the record outlives the blocks, which have all ended when `install` returns.
        let status = unsafe { Status::new(record.as_ptr().cast(), number) };
        let faults = Faults::default();
        let one = |i| {
            // SAFETY: by this function's contract.
            Block::run_on_cpu((i, blocks), threads, shared, (status, &faults), |block| unsafe {
                kernel.run(block)
            })
        };
        let part = |card| super::cards::part(blocks, self.cards, card).into_par_iter().for_each(one);
        self.install(&mut || match self.cards {
            _ if blocks == 1 => one(0),
            1 => part(0),
            cards => (0..cards).rev().for_each(part),
        });
        (faults.take(), record.map(AtomicU32::into_inner))
    }
}
