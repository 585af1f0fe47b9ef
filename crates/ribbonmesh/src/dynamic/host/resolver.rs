//! The resolvers, and the patches of the speculative one.
use super::mesh::DynamicMesh;
use super::numbering::Numbering;
use crate::dynamic::control;
use crate::dynamic::kernels::division::{LinkCorners, ListFaces};
use crate::dynamic::speculate::{DivisionArguments, STASH, parts, row, state, statistics};
use crate::dynamic::{Launched, Limits, Operation, Operator, PassReport};
use crate::static_mesh::build::patching::partition;
use crate::{Buffer, Device, DeviceKind, Element, Error, OperatorFault, Result, array};
use ribbonmesh_concurrent::{Locks, Queue};
use ribbonmesh_device::{ElementKind, NONE, tiles};
use serde::Serialize;

/// How conflicts between cavities are resolved. Both ways execute the same operators, and leave meshes that keep the same promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Resolver {
    /// By claims on flat arrays, in phases of all blocks: the same result in every run. Faster.
    #[default]
    Claims,
    /// By locks on patches, which blocks take from a queue (Mahmoud, thesis 5.2 and 5.3). Which cavities are executed, and which ids
    /// new elements get, depends on the order in which blocks come. A cavity is named when its patch is worked on: if it has lost faces
    /// in the same pass before, and has none that the pass has made, it is executed without these.
    Speculative,
}

/// Parameters of [`Resolver::Speculative`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeculationOptions {
    /// Most faces of a patch when the mesh is divided, 16 to 4096. None: 256, and less for meshes with few patches.
    pub patch_size: Option<u32>,
    /// How many times as many faces a patch has room for; more than three quarters of that are sliced in two. 1.5 to 16.
    pub capacity_factor: f32,
    /// Most blocks that work at the same time; on the CPU it has as many as threads. None: an eighth of the patches, 528 at most.
    pub blocks: Option<u32>,
}
impl Default for SpeculationOptions {
    fn default() -> Self {
        Self { patch_size: None, capacity_factor: 2.0, blocks: None }
    }
}

/// What the blocks of the last run by [`Resolver::Speculative`] did: by pass, and by step.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SpeculationStatistics {
    /// Patches at the end.
    pub patches: u32,
    /// Blocks that worked at the same time, at most.
    pub blocks: u32,
    /// Passes, the first 64; those after that are in the last one.
    pub passes: Vec<SpeculationPass>,
    /// The part of the blocks' time that each step took, by name.
    pub steps: Vec<(&'static str, f64)>,
    /// Bytes of the patches, beside those of the flat arrays.
    pub bytes: u64,
}
/// What was done in one pass of [`Resolver::Speculative`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SpeculationPass {
    /// Patches that were worked on to the end.
    pub processed: u32,
    /// Patches that were pushed to the queue again, since a lock was refused before they were loaded.
    pub refused: u32,
    /// Patches that were pushed again later: what had been found out about their seeds was dropped.
    pub dropped: u32,
    /// Times that more patches were locked than had been at first.
    pub extended: u32,
    /// Candidates, in all rounds.
    pub candidates: u32,
    /// Cavities that were filled.
    pub executed: u32,
    /// Locks that were acquired.
    pub locks: u32,
    /// Patches that were sliced in two.
    pub sliced: u32,
    /// Patches that were worked on while no other block worked, since they had come back to the queue too often.
    pub alone: u32,
    /// Patches that were pushed again with seeds left, since a seed of another patch comes first.
    pub waited: u32,
}

/// The patches of the speculative resolver.
pub(super) struct Patches {
    owner: Buffer<u32>,
    local: Buffer<u32>,
    faces: Buffer<u32>,
    wanted: Buffer<u64>,
    rows: Buffer<u32>,
    stash: Buffer<u32>,
    locks: Buffer<u32>,
    queue: Buffer<u32>,
    state: Buffer<u32>,
    statistics: Buffer<u32>,
    capacity: u32,
    most_patches: u32,
    most_held: u32,
    records: u32,
    scattered: u32,
    stride: u32,
    blocks: u32,
    /// Faces when the mesh was divided.
    divided: u32,
    /// The pass that came next when they were left, and the numbering: true as long as the mesh's are the same.
    pass: u32,
    numbering: Option<Numbering>,
}

/// Most blocks that work at the same time.
const BLOCKS: u32 = 528;
/// Patches for each block, at least: with fewer most locks are refused (decision 46).
const PATCHES_PER_BLOCK: u32 = 8;
/// A mesh that has grown by more than this factor is divided anew before its next run: the size of patches and the number of blocks were chosen
/// for the smaller one, and slices know all neighbours of what they were sliced from.
const OUTGROWN: u32 = 4;
/// Faces of a patch.
const PATCH_SIZE: u32 = 256;
const LEAST_PATCH_SIZE: u32 = 64;
/// As many patches as keep a GPU busy.
const PATCHES: u32 = 2048;
/// Patches that a block holds at most, and words of its records, at first.
const HELD: u32 = 96;
const RECORDS: u32 = 6144;

impl SpeculationOptions {
    fn check(&self) -> Result<()> {
        if let Some(n) = self.patch_size
            && !(16..=4096).contains(&n)
        {
            let (option, expected) = ("patch size", "16 to 4096 faces");
            return Err(Error::Option { option, value: n.to_string(), expected });
        }
        if !(1.5..=16.0).contains(&self.capacity_factor) {
            let (option, expected) = ("capacity factor", "1.5 to 16");
            return Err(Error::Option { option, value: self.capacity_factor.to_string(), expected });
        }
        if self.blocks == Some(0) {
            return Err(Error::Option { option: "blocks", value: "0".into(), expected: "at least 1" });
        }
        Ok(())
    }
    fn size(&self, faces: u32) -> u32 {
        self.patch_size.unwrap_or((faces / PATCHES).next_power_of_two().clamp(LEAST_PATCH_SIZE, PATCH_SIZE))
    }
}

impl DynamicMesh {
    /// Sets parameters of [`Resolver::Speculative`]; the mesh is divided anew when it runs next.
    /// # Errors
    /// [`Error::Option`].
    pub fn set_speculation(&mut self, options: SpeculationOptions) -> Result<()> {
        options.check()?;
        self.speculation = options;
        self.division = None;
        Ok(())
    }
    /// What the last run by [`Resolver::Speculative`] did; none if there was none since the mesh was changed otherwise. Waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn speculation_statistics(&self) -> Result<Option<SpeculationStatistics>> {
        let Some(p) = &self.division else { return Ok(None) };
        let (words, used) = (p.statistics.read()?, p.state.read()?[state::PATCHES as usize]);
        let pass = |k: usize| {
            let at = |column: u32| words[k * statistics::COLUMNS as usize + column as usize];
            SpeculationPass {
                processed: at(statistics::PROCESSED),
                refused: at(statistics::REFUSED),
                dropped: at(statistics::DROPPED),
                extended: at(statistics::EXTENDED),
                candidates: at(statistics::CANDIDATES),
                executed: at(statistics::EXECUTED),
                locks: at(statistics::LOCKS),
                sliced: at(statistics::SLICED),
                alone: at(statistics::ALONE),
                waited: at(statistics::WAITED),
            }
        };
        let mut passes: Vec<_> = (0..statistics::PASSES as usize).map(pass).collect();
        while passes.last() == Some(&SpeculationPass::default()) {
            passes.pop();
        }
        let names = ["wait", "lock", "load", "ask", "plan", "fill", "store"];
        let times = &words[statistics::STEPS as usize..][..names.len()];
        let all: f64 = times.iter().map(|&t| f64::from(t)).sum();
        let steps = names.into_iter().zip(times.iter().map(|&t| f64::from(t) / all.max(1.0))).collect();
        Ok(Some(SpeculationStatistics { patches: used, blocks: p.blocks, passes, steps, bytes: p.bytes() }))
    }

    /// Runs passes by locks; see [`DynamicMesh::run`].
    pub(super) fn run_speculative<O: Operation>(
        &mut self,
        operation: &mut O,
        limits: Limits,
    ) -> Result<PassReport> {
        let mut patches = match self.division.take() {
            Some(p)
                if p.pass == self.pass
                    && p.numbering == Some(self.numbering)
                    && self.ids[2] / OUTGROWN <= p.divided =>
            {
                p
            }
            _ => self.divide()?,
        };
        let report = self.run_patches(operation, limits, &mut patches)?;
        (patches.pass, patches.numbering) = (self.pass, Some(self.numbering));
        self.division = Some(patches);
        Ok(report)
    }

    fn run_patches<O: Operation>(
        &mut self,
        operation: &mut O,
        limits: Limits,
        p: &mut Patches,
    ) -> Result<PassReport> {
        let device = self.device.clone();
        let mut report = PassReport::default();
        let most = limits.passes.max(1);
        self.begin(most)?;
        if <O::Operator<'_> as Operator>::LOCAL {
            self.look_even.clear()?;
            self.look_odd.clear()?;
        }
        self.grow_attributes(operation)?;
        // claims of blocks are other words than those of phases
        self.claims.clear()?;
        p.begin()?;
        self.reserve_records(p)?;
        let look = O::OF_VERTICES || <O::Operator<'_> as Operator>::Seed::KIND == ElementKind::Vertex;
        let cuda = device.kind() == DeviceKind::Cuda;
        let (mut resumes, mut fresh) = (false, false);
        let (done, words) = loop {
            if look && !fresh {
                self.refresh_vertices()?;
            }
            fresh = true;
            let begin = if resumes { 0 } else { parts::POST | parts::PUSH };
            if cuda && !look {
                let what = begin | parts::WORK | parts::END | parts::LOOP;
                self.launch_parts(operation, p, p.blocks, what)?;
            } else {
                if begin != 0 {
                    let blocks = tiles(self.ids.into_iter().max().unwrap_or(0).max(1));
                    self.launch_parts(operation, p, blocks, parts::POST)?;
                    self.launch_parts(operation, p, blocks, parts::PUSH)?;
                }
                self.launch_parts(operation, p, p.blocks, parts::WORK)?;
                self.launch_parts(operation, p, 1, parts::END)?;
            }
            let words = self.control.read()?;
            let at = |i: u32| words[i as usize];
            self.ids = [at(0), at(1), at(2)];
            if at(control::PASSES) != report.passes {
                fresh = false;
            }
            self.pass = at(control::PASS);
            report.passes = at(control::PASSES);
            report.rounds = at(control::ROUNDS);
            report.executed = at(control::EXECUTED) as u64;
            resumes = true;
            match at(control::STATE) {
                control::RUNNING => {
                    resumes = false;
                    continue;
                }
                control::FULL => {
                    let need = |k: u32| at(k) + at(control::NEEDED + k);
                    self.make_room([need(0), need(1), need(2)])?;
                    self.grow_attributes(operation)?;
                    self.control.write_range(control::NEEDED as usize, &[0; 3])?;
                    p.grow_labels(&device, self.capacity.faces)?;
                    self.claims.clear()?;
                    report.grown += 1;
                }
                control::NO_ROOM => {
                    p.records = 2 * p.state.read()?[state::WANTED_RECORDS as usize].max(p.records);
                }
                wanted @ (control::NO_LOCKS | control::NO_FACES | control::NO_PATCHES) => {
                    p.enlarge(&device, wanted)?;
                }
                control::STALLED => {
                    let rounds = at(control::ROUNDS);
                    return Err(Error::Operator(OperatorFault::PassWithoutEnd { rounds }));
                }
                control::BROKEN => {
                    let seed = at(control::DIFFERED) - 1;
                    return Err(Error::Operator(OperatorFault::OtherFilling { seed }));
                }
                state => break (state, words),
            }
            self.reserve_records(p)?;
            p.free_locks()?;
            self.control.write_range(control::STATE as usize, &[control::RUNNING])?;
        };
        // the next run by claims begins its numbers again
        self.claims.clear()?;
        self.stamp = 1;
        let reasons = |first: u32| std::array::from_fn(|i| words[first as usize + i]);
        report.finished = done == control::DONE;
        report.own = std::array::from_fn(|i| words[control::OWN as usize + i]);
        report.blocked = reasons(control::REJECTED);
        report.rejected = reasons(control::REJECTED_BEFORE);
        for (sum, n) in report.rejected.iter_mut().zip(report.blocked) {
            *sum += n;
        }
        Ok(report)
    }

    fn launch_parts<O: Operation>(
        &mut self,
        operation: &mut O,
        p: &mut Patches,
        blocks: u32,
        parts: u32,
    ) -> Result<()> {
        let device = self.device.clone();
        O::Operator::launch_speculation(operation.operator(), &device, blocks, self.rounds(), p.view(), parts)
    }

    /// Room for the records of all blocks.
    fn reserve_records(&mut self, p: &Patches) -> Result<()> {
        let words = p.records as usize * p.blocks as usize;
        if self.records.len() < words {
            self.records = self.device.zeros(words)?;
        }
        Ok(())
    }

    /// Divides the mesh into patches, by construction's kernels (thesis 4.3.3). Ids stay.
    fn divide(&mut self) -> Result<Patches> {
        self.write_control()?;
        let (device, faces) = (self.device.clone(), self.ids[2]);
        let size = self.speculation.size(faces);
        let corners = 3 * faces as usize;
        let (mut ring, mut leader) = (device.unspecified(corners)?, device.unspecified(corners)?);
        let link = LinkCorners { rounds: self.rounds(), ring: ring.view_mut(), leader: leader.view_mut() };
        device.launch(tiles(3 * faces), link)?;
        let (labels, sizes) = partition(&device, [leader, ring], size)?;
        let n = sizes.len().max(1) as u32;
        let largest = sizes.iter().copied().max().unwrap_or(0).max(size);
        let capacity = (f64::from(largest) * f64::from(self.speculation.capacity_factor)).ceil() as u32;
        let most_patches = n + n / 2 + 64;
        let mut owner = device.unspecified(self.capacity.faces as usize)?;
        array::fill_words(&mut owner, self.capacity.faces, NONE)?;
        super::attribute::copy_words(&labels, &mut owner, faces as usize)?;
        let blocks = match device.kind() {
            DeviceKind::Cpu => device.multiprocessors(),
            DeviceKind::Cuda => (n / PATCHES_PER_BLOCK).clamp(1, BLOCKS),
        };
        let mut p = Patches {
            owner,
            local: device.zeros(self.capacity.faces as usize)?,
            faces: device.zeros(capacity as usize * most_patches as usize)?,
            wanted: device.zeros(self.capacity.faces as usize)?,
            rows: device.zeros((row::WORDS * most_patches) as usize)?,
            stash: device.zeros((STASH * most_patches) as usize)?,
            locks: device.zeros(0)?,
            queue: device.zeros(Queue::<ribbonmesh_device::Out<'_, u32>>::words_for(most_patches) as usize)?,
            state: device.zeros(state::WORDS as usize)?,
            statistics: device.zeros(statistics::WORDS as usize)?,
            capacity,
            most_patches,
            most_held: HELD,
            records: RECORDS,
            scattered: n,
            stride: stride(n),
            blocks: self.speculation.blocks.map_or(blocks, |most| blocks.min(most)).max(1),
            divided: faces,
            pass: 0,
            numbering: None,
        };
        let mut state = vec![0; state::WORDS as usize];
        state[state::PATCHES as usize] = n;
        p.state.write(&state)?;
        let list = ListFaces {
            rounds: self.rounds(),
            owner: p.owner.view(),
            capacity,
            faces: p.faces.view_mut(),
            rows: p.rows.view_mut(),
        };
        device.launch(tiles(faces), list)?;
        Ok(p)
    }
}

/// A number coprime with `n` near its golden section.
fn stride(n: u32) -> u32 {
    let gcd = |mut a: u32, mut b: u32| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let first = (f64::from(n) * 0.618_034) as u32;
    (first.max(1)..).find(|&k| gcd(k, n) == 1).unwrap_or(1)
}

impl Patches {
    fn view(&mut self) -> DivisionArguments<'_> {
        DivisionArguments {
            owner: self.owner.view_mut(),
            local: self.local.view_mut(),
            faces: self.faces.view_mut(),
            wanted: self.wanted.view_mut(),
            rows: self.rows.view_mut(),
            stash: self.stash.view_mut(),
            locks: self.locks.view_mut(),
            queue: self.queue.view_mut(),
            state: self.state.view_mut(),
            statistics: self.statistics.view_mut(),
            capacity: self.capacity,
            most_patches: self.most_patches,
            most_held: self.most_held,
            records: self.records,
            scattered: self.scattered,
            stride: self.stride,
        }
    }
    fn bytes(&self) -> u64 {
        let all = [
            &self.owner,
            &self.local,
            &self.faces,
            &self.rows,
            &self.stash,
            &self.locks,
            &self.queue,
            &self.state,
            &self.statistics,
        ];
        all.iter().map(|b| b.bytes() as u64).sum::<u64>() + self.wanted.bytes() as u64
    }
    /// Before a run.
    fn begin(&mut self) -> Result<()> {
        self.free_locks()?;
        self.queue.clear()?;
        self.wanted.clear()?;
        self.statistics.clear()?;
        self.state.write_range(state::TICKET as usize, &[0])
    }
    /// All locks are free, and nobody works.
    fn free_locks(&mut self) -> Result<()> {
        self.state.write_range(state::GATE as usize, &[0])?;
        let n = Locks::<ribbonmesh_device::Out<'_, u32>>::words_for(self.most_patches);
        let words: Vec<u32> = (0..n).map(|i| if i % 2 == 0 { 0 } else { NONE }).collect();
        if self.locks.len() != words.len() {
            self.locks = self.rows.device().upload(&words)?;
            return Ok(());
        }
        self.locks.write(&words)
    }
    /// Labels for as many faces as there is room for.
    fn grow_labels(&mut self, device: &Device, faces: u32) -> Result<()> {
        let mut owner = device.unspecified(faces as usize)?;
        array::fill_words(&mut owner, faces, NONE)?;
        super::attribute::copy_words(&self.owner, &mut owner, self.owner.len())?;
        self.owner = owner;
        let mut wanted = device.zeros(faces as usize)?;
        super::attribute::copy_words(&self.wanted, &mut wanted, self.wanted.len())?;
        self.wanted = wanted;
        self.local = device.zeros(faces as usize)?;
        Ok(())
    }
    /// Makes room for more of what was wanting. All blocks have stopped.
    fn enlarge(&mut self, device: &Device, why: u32) -> Result<()> {
        let wanted = self.state.read()?;
        let at = |k: u32| wanted[k as usize];
        if why == control::NO_LOCKS {
            self.most_held = (2 * self.most_held).max(at(state::WANTED_HELD));
            return Ok(());
        }
        let (capacity, patches) = (self.capacity, self.most_patches);
        if why == control::NO_FACES {
            self.capacity = (2 * capacity).max(at(state::WANTED_FACES));
        } else {
            self.most_patches = (patches + patches / 2).max(at(state::WANTED_PATCHES));
        }
        // candidates are numbered with 16 bits
        if self.capacity > 1 << 14 {
            let (count, limit) = (u64::from(self.capacity), 1 << 14);
            return Err(Error::TooMany { what: "faces of a patch", count, limit });
        }
        let old = self.faces.read()?;
        let mut faces = vec![0; self.capacity as usize * self.most_patches as usize];
        for (to, from) in faces.chunks_mut(self.capacity as usize).zip(old.chunks(capacity as usize)) {
            to[..from.len()].copy_from_slice(from);
        }
        self.faces = device.upload(&faces)?;
        let longer = |b: &Buffer<u32>, n: usize| -> Result<Buffer<u32>> {
            let mut words = b.read()?;
            words.resize(n, 0);
            device.upload(&words)
        };
        self.rows = longer(&self.rows, (row::WORDS * self.most_patches) as usize)?;
        self.stash = longer(&self.stash, (STASH * self.most_patches) as usize)?;
        if why == control::NO_PATCHES {
            self.requeue(device)?;
        }
        Ok(())
    }
    /// A longer queue with the same patches.
    fn requeue(&mut self, device: &Device) -> Result<()> {
        use std::sync::atomic::AtomicU32;
        let words: Vec<AtomicU32> = self.queue.read()?.into_iter().map(AtomicU32::new).collect();
        let room = Queue::<&[AtomicU32]>::words_for(self.most_patches) as usize;
        let more: Vec<AtomicU32> = (0..room).map(|_| AtomicU32::new(0)).collect();
        let (old, new) = (Queue::new(words.as_slice()), Queue::new(more.as_slice()));
        while let Some(patch) = old.pop() {
            // room for more patches than there are
            if new.begin(patch).is_err() {
                break;
            }
        }
        let words: Vec<u32> = more.into_iter().map(AtomicU32::into_inner).collect();
        self.queue = device.upload(&words)?;
        Ok(())
    }
}
