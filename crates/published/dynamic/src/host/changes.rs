//! Changes.
use super::attribute::PatchAttribute;
use super::carried::{Carried, Values};
use super::error::StoreError;
use super::schedule::{QueueOrder, scheduled, what_is_full};
use super::store::PatchStore;
use crate::change::{
    ChangeArguments, ChangePatches, ChangePatchesTypes, CollapseShort, Criteria, FlipDelaunay, FlipValences,
    SplitLong, StoreOperator, count, phase,
};
use crate::draft::reason;
use crate::slice::{CutArguments, CutPatches};
use ribbonmesh::Vertex;
use ribbonmesh::device::{ElementKind, Vec3};
use std::ops::AddAssign;

/// A change of a store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StoreChange {
    /// Flips to a Delaunay mesh: see [`FlipDelaunay`].
    FlipDelaunay,
    /// Flips for valences: see [`FlipValences`].
    FlipValences,
    /// Splits of edges longer than this: see [`SplitLong`].
    Split {
        /// The length.
        longest: f32,
    },
    /// Collapses: see [`CollapseShort`].
    Collapse {
        /// Edges shorter than this are collapsed, ...
        shortest: f32,
        /// ... unless one longer than this would come of it.
        longest: f32,
    },
}

/// Report of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreChanges {
    /// Cavities filled: edges flipped, split or collapsed.
    pub filled: u32,
    /// Vertices, edges and faces made, less those deleted.
    pub grown: [i64; 3],
    /// Patches taken from the queue.
    pub scheduled: u32,
    /// ... of which the copy was dropped: a lock was missing, or another block was changing what was read.
    pub discarded: u32,
    /// ... that were processed alone, after too many refusals.
    pub alone: u32,
    /// ... that had to wait for a cleanup.
    pub stuck: u32,
    /// Locks of other patches that were taken for patches with cavities.
    pub locked: u32,
    /// Patches cut in two.
    pub cuts: u32,
    /// Elements whose owner changed.
    pub moved: u32,
    /// Most steps of a chain of owners that a patch followed.
    pub longest_chain: u32,
    /// Launches of the kernel.
    pub launches: u32,
    /// Times that the store was laid out again with more room.
    pub enlarged: u32,
    /// Times that its patches were made anew instead.
    pub remade: u32,
    /// Time of all blocks in each [`phase`](crate::change::phase): ticks of the multiprocessors' clock on a
    /// GPU, nanoseconds on a CPU (thesis 5.4.5).
    pub ticks: [u64; phase::NUMBER],
}
impl StoreChanges {
    /// Adds the words of a launch.
    fn add(&mut self, words: &[u32]) {
        let of = |which: u32| words[which as usize];
        self.filled += of(count::FILLED);
        for kind in [0, 1, 2] {
            self.grown[kind] += i64::from(of(count::GROWN + kind as u32) as i32);
        }
        self.scheduled += of(count::SCHEDULED);
        self.discarded += of(count::DISCARDED);
        self.alone += of(count::ALONE);
        self.stuck += of(count::STUCK);
        self.locked += of(count::LOCKED);
        self.moved += of(count::MOVED);
        self.longest_chain = self.longest_chain.max(of(count::LONGEST));
        for (ticks, &of) in self.ticks.iter_mut().zip(&words[count::TICKS as usize..]) {
            *ticks += u64::from(of) << 8;
        }
        self.launches += 1;
    }
    /// Whether a change that ended with this error goes on after [`PatchStore::make_room`]: for lack of room,
    /// or since patches have become too large for a block of the device.
    pub(super) fn makes_room_after(&self, error: &StoreError) -> bool {
        let helps = match error {
            StoreError::Full { .. } => true,
            error => error.is_of_a_block() && self.remade < self.enlarged,
        };
        helps && self.enlarged + self.remade < MOST_ENLARGED
    }
}

/// The work of two changes.
impl AddAssign for StoreChanges {
    fn add_assign(&mut self, other: Self) {
        let sums = [
            (&mut self.filled, other.filled),
            (&mut self.scheduled, other.scheduled),
            (&mut self.discarded, other.discarded),
            (&mut self.alone, other.alone),
            (&mut self.stuck, other.stuck),
            (&mut self.locked, other.locked),
            (&mut self.cuts, other.cuts),
            (&mut self.moved, other.moved),
            (&mut self.launches, other.launches),
            (&mut self.enlarged, other.enlarged),
            (&mut self.remade, other.remade),
        ];
        sums.into_iter().for_each(|(sum, n)| *sum += n);
        self.longest_chain = self.longest_chain.max(other.longest_chain);
        self.grown.iter_mut().zip(other.grown).for_each(|(sum, n)| *sum += n);
        self.ticks.iter_mut().zip(other.ticks).for_each(|(sum, n)| *sum += n);
    }
}

/// Times that a store is laid out again for one change, or its patches are made anew.
const MOST_ENLARGED: u32 = 16;
/// Steps of a chain after which a cleanup comes before the next launch: a launch adds some, and a chain of
/// more than [`MOST_STEPS`](crate::view::MOST_STEPS) is not followed.
const LONG: u32 = 8;

impl PatchStore {
    /// Flips edges that are not Delaunay, as long as a flip is allowed, patch by patch as the thesis has it
    /// (5.2.3). An edge is not flipped if its new edge exists, if it or an edge around it has other than two
    /// faces, or if a smaller angle would come of it.
    /// # Errors
    /// As [`PatchStore::change`].
    pub fn flip_delaunay(
        &mut self,
        x: &mut PatchAttribute<Vertex, Vec3>,
    ) -> Result<StoreChanges, StoreError> {
        self.change(StoreChange::FlipDelaunay, x, &mut Carried::none())
    }
    /// Fills cavities of an operator until none is left, patch by patch as the thesis has it (5.2.3): see the
    /// module [`change`](crate::change). At the end the store is clean: every entry of a table names the
    /// owner. The result depends on the order of blocks.
    /// # Errors
    /// [`StoreError::OtherStore`] for attributes of another store; [`StoreError::Full`] if a patch has no
    /// room for what it has to own, also after a cleanup, and cannot be cut in two, or has too many patches
    /// around, and always for a store without room to grow: the changes until then are done, and the store is
    /// whole; a patch that is too large for the shared memory; out of memory; errors of the driver.
    pub fn change(
        &mut self,
        change: StoreChange,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
    ) -> Result<StoreChanges, StoreError> {
        let mut all = StoreChanges::default();
        self.change_into(change, x, carried, &mut all)?;
        Ok(all)
    }
    fn change_into(
        &mut self,
        change: StoreChange,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
        all: &mut StoreChanges,
    ) -> Result<(), StoreError> {
        x.require(self)?;
        carried.require(self)?;
        let values = Values { x, valences: None, quadrics: None, budget: None, carried };
        match change {
            StoreChange::FlipDelaunay => self.run::<FlipDelaunay>(values, Criteria::default(), all),
            StoreChange::FlipValences => {
                let valences = Some(self.valences()?);
                self.run::<FlipValences>(Values { valences, ..values }, Criteria::default(), all)
            }
            StoreChange::Split { longest } => {
                self.run::<SplitLong>(values, Criteria { longest, ..Criteria::default() }, all)
            }
            StoreChange::Collapse { shortest, longest } => {
                self.run::<CollapseShort>(values, Criteria { shortest, longest, ..Criteria::default() }, all)
            }
        }
    }
    /// As [`PatchStore::change`], and where there is no room the store is laid out again with more, and twice
    /// as many patches; or its patches are made anew, through the host, if they have become few large ones or
    /// many small ones, if a cleanup finds more patches around one than a stash has, or if one has become too
    /// large for a block. Attributes that are not carried belong to the store no longer then.
    /// # Errors
    /// As [`PatchStore::change`], but [`StoreError::Full`] only if all this does not help.
    pub fn change_enlarging(
        &mut self,
        change: StoreChange,
        x: &mut PatchAttribute<Vertex, Vec3>,
        carried: &mut Carried<'_>,
    ) -> Result<StoreChanges, StoreError> {
        let mut all = StoreChanges::default();
        loop {
            match self.change_into(change, x, carried, &mut all) {
                Err(error) if all.makes_room_after(&error) => {
                    self.make_room(&error, x, carried, &mut all)?;
                }
                done => return done.map(|()| all),
            }
        }
    }
    pub(super) fn run<O: StoreOperator + ChangePatchesTypes>(
        &mut self,
        mut values: Values<'_, '_>,
        criteria: Criteria,
        all: &mut StoreChanges,
    ) -> Result<(), StoreError> {
        let n = self.patches() as u32;
        if n == 0 {
            return Ok(());
        }
        if self.still {
            return Err(StoreError::Full { patch: 0, what: what_is_full(reason::STASH) });
        }
        let mut patches: Vec<u32> = (0..n).collect();
        // patches that had no room before the last cleanup
        let mut waited = vec![false; n as usize];
        loop {
            let (filled, stuck) = self.launch_changes::<O>(&mut values, criteria, &patches, all)?;
            self.clean()?;
            patches = (0..n).filter(|&p| stuck[p as usize] != 0).collect();
            if patches.is_empty() {
                return Ok(());
            }
            // where a cleanup has not helped, nothing does but to make smaller those that have no room
            // themselves
            let full: Vec<u32> = (patches.iter().copied())
                .filter(|&p| stuck[p as usize] != reason::AROUND && (filled == 0 || waited[p as usize]))
                .collect();
            let made = self.cut(&mut values, &full)?;
            if made.is_empty() && filled == 0 {
                let patch = full.first().copied().unwrap_or(patches[0]);
                return Err(StoreError::Full { patch, what: what_is_full(stuck[patch as usize]) });
            }
            waited.fill(false);
            if made.is_empty() {
                patches.iter().for_each(|&p| waited[p as usize] = true);
            }
            all.cuts += made.len() as u32;
            patches.extend(made);
        }
    }
    /// Cuts patches in two, as far as there are free ones (thesis 5.3.1), and cleans up; the patches that
    /// were made, of which there are none if nothing was cut.
    fn cut(&mut self, values: &mut Values<'_, '_>, patches: &[u32]) -> Result<Vec<u32>, StoreError> {
        let device = self.device().clone();
        let pairs: Vec<[u32; 2]> = patches.iter().zip(&self.free).map(|(&p, &free)| [p, free]).collect();
        if pairs.is_empty() {
            return Ok(vec![]);
        }
        let none = |kind| device.zeros(self.places(kind));
        self.gone = Some([none(ElementKind::Vertex)?, none(ElementKind::Edge)?, none(ElementKind::Face)?]);
        let mut failed = device.zeros(pairs.len())?;
        let on_device = device.upload(pairs.as_flattened())?;
        let (store, inputs) = self.view_mut();
        let cut = CutArguments {
            store,
            pairs: on_device.view(),
            failed: failed.view_mut(),
            attributes: values.arguments(inputs),
        };
        device.launch(pairs.len() as u32, CutPatches { cut })?;
        let failed = failed.read()?;
        // the first free patches are those of the pairs
        let (mut made, mut free) = (vec![], vec![]);
        for (&[_, patch], failed) in pairs.iter().zip(failed) {
            if failed == 0 { made.push(patch) } else { free.push(patch) }
        }
        self.free.splice(..pairs.len(), free);
        self.clean()?;
        Ok(made)
    }
    /// Processes these patches until none of them has a cavity; how many were filled, and the reasons for
    /// which each patch waits.
    fn launch_changes<O: StoreOperator + ChangePatchesTypes>(
        &mut self,
        values: &mut Values<'_, '_>,
        criteria: Criteria,
        patches: &[u32],
        all: &mut StoreChanges,
    ) -> Result<(u32, Vec<u32>), StoreError> {
        let (device, n) = (self.device().clone(), self.patches() as u32);
        self.unsettle();
        let [locks, queue] = scheduled(n, patches, QueueOrder::FarApart);
        let (mut locks, mut queue) = (device.upload(&locks)?, device.upload(&queue)?);
        let mut gate = device.zeros(1 + n as usize)?;
        let mut stuck = device.zeros(n as usize)?;
        let mut report = device.zeros(count::WORDS as usize)?;
        let (mut done, mut filled, mut longest) = (0, 0, 0);
        while done < patches.len() as u32 {
            let (store, inputs) = self.view_mut();
            let change = ChangeArguments {
                store,
                locks: locks.view_mut(),
                queue: queue.view_mut(),
                gate: gate.view_mut(),
                stuck: stuck.view_mut(),
                report: report.view_mut(),
                attributes: values.arguments(inputs),
                criteria,
            };
            let blocks = patches.len() as u32 - done;
            device.launch(blocks, ChangePatches { change }.of::<O>())?;
            let words = report.read()?;
            report.clear()?;
            let of = |which: u32| words[which as usize];
            done += of(count::DONE);
            filled += of(count::FILLED);
            longest = longest.max(of(count::LONGEST));
            all.add(&words);
            self.grow([0, 1, 2].map(|kind| of(count::GROWN + kind)));
            if of(count::BROKEN) != 0 {
                return Err(StoreError::TableFull { load: self.load() });
            }
            if longest >= LONG && done < patches.len() as u32 {
                self.clean()?;
                longest = 0;
            }
        }
        Ok((filled, stuck.read()?))
    }
}
