//! Running an operator until it has nothing more to do.
use super::mesh::{Capacity, DynamicMesh, RECORDS};
use super::set::AttributeSet;
use crate::device::{ElementKind, Parameter, tiles};
use crate::dynamic::control;
use crate::dynamic::phases::CHUNK;
use crate::dynamic::rounds::ReportWords;
use crate::dynamic::{Launched, Operator, Phase, Rejection, Until};
use crate::{Device, DeviceKind, Element, Error, OperatorFault, Result};

/// An operator with its attributes, on the host. The attributes grow with the mesh.
/// `docs/programming-model.md` explains a complete example, `examples/thinning` in the repository.
pub trait Operation: AttributeSet {
    /// The operator.
    type Operator<'a>: Launched<'a>
    where
        Self: 'a;
    /// The operator as an argument of kernels, with views of its attributes.
    fn operator(&mut self) -> <Self::Operator<'_> as Parameter>::Host;
    /// Whether the operator calls [`crate::dynamic::MeshRef::half_edge_at`]. Then each pass first finds a
    /// half-edge of each vertex. For operators with vertex seeds, passes always do.
    const OF_VERTICES: bool = false;
    /// Words of the records of cavities for which there is room at the beginning, per face of a large mesh. A
    /// round that needs more gets it and is run again, so this has more where a large part of the mesh
    /// changes at once: flips of one edge in six take 7.
    const RECORDS: usize = RECORDS;
}

/// Types that implement [`Operation`] for operators of one set of attributes, whose only argument is
/// `values`, the set's view. A line names the type, the operator, and the operator as an argument on the
/// host: `operations! { Values, Values::view; Splits Split SplitArguments; }`.
#[macro_export]
macro_rules! operations {
    ($set:ty, $view:expr; $($(#[$doc:meta])* $name:ident $operator:ident $arguments:ident;)*) => { $(
        $(#[$doc])*
        #[derive($crate::dynamic::AttributeSet)]
        pub struct $name<'m>(#[attributes] pub &'m mut $set);
        impl $crate::dynamic::Operation for $name<'_> {
            type Operator<'a> = $operator<'a> where Self: 'a;
            fn operator(&mut self) -> $arguments<'_> {
                $arguments { values: $view(self.0) }
            }
        }
    )* }
}

/// The ways of launching the phases of a round. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExecutionMode {
    /// Persistent blocks on a GPU, one launch per phase on the CPU.
    #[default]
    Automatic,
    /// One launch per phase.
    PerPhase,
    /// One resident launch runs all phases and rounds; its blocks wait for each other between phases. The
    /// host reads the counters at the end of the run, or of a pass. On the CPU this uses one thread.
    Persistent,
}

impl ExecutionMode {
    /// Whether blocks are persistent on this device.
    pub fn is_persistent(self, device: &Device) -> bool {
        match self {
            Self::Automatic => device.kind() == DeviceKind::Cuda,
            Self::PerPhase => false,
            Self::Persistent => true,
        }
    }
}

/// Limits and mode of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximal number of passes.
    pub passes: u32,
    /// The way of launching phases.
    pub mode: ExecutionMode,
}
impl Limits {
    /// A limit of `passes` passes.
    pub fn passes(passes: u32) -> Self {
        Self { passes, ..Self::default() }
    }
}
impl Default for Limits {
    /// 10,000 passes.
    fn default() -> Self {
        Self { passes: 10_000, mode: ExecutionMode::Automatic }
    }
}

/// Report of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassReport {
    /// Number of executed cavities.
    pub executed: u64,
    /// Number of passes, including the last one, which found nothing to do.
    pub passes: u32,
    /// Number of rounds.
    pub rounds: u32,
    /// Number of times that the mesh's memory was enlarged.
    pub grown: u32,
    /// Whether the last pass found nothing more to do; otherwise see [`PassReport::warning`].
    pub finished: bool,
    /// Rejections in all passes, indexed by reason.
    pub rejected: [u32; Rejection::COUNT as usize],
    /// Rejections in the last pass, indexed by reason: if the run is finished, the cavities still wanted at
    /// its end.
    pub blocked: [u32; Rejection::COUNT as usize],
    /// Words written by the application's kernels, see [`DynamicMesh::report_words`].
    pub own: [u32; ReportWords::LEN as usize],
}
impl PassReport {
    /// A sentence for the user, if the run ended at its limit of passes with work left.
    pub fn warning(&self) -> Option<String> {
        (!self.finished).then(|| {
            format!(
                "not finished: the limit ended the run after {} passes and {} executed cavities, with work left; it needs more \
                 passes, or the operator undoes what it did, as it may if it relies on elements outside of its cavities without \
                 `fill.exclusive`",
                self.passes, self.executed
            )
        })
    }
    /// Adds the report of another run.
    pub fn add(&mut self, other: &Self) {
        self.executed += other.executed;
        self.passes += other.passes;
        self.rounds += other.rounds;
        self.grown += other.grown;
        self.finished = other.finished;
        self.blocked = other.blocked;
        self.own = other.own;
        for (sum, n) in self.rejected.iter_mut().zip(other.rejected) {
            *sum += n;
        }
    }
}

/// The need of a round, and an eighth: a later one may need a little more.
fn with_reserve(needed: u32) -> usize {
    needed as usize + needed as usize / 8
}

/// Number of rounds (persistent mode: passes) that run before the host reads the counters.
const AHEAD: [u32; 2] = [8, 6];
/// Blocks of a launch at most: of the phase that looks at all seeds, and, for each card, of the phases that
/// look at candidates. They stride; a block that finds nothing to do costs time, too.
const BLOCKS: [u32; 2] = [2048, 528];
/// Seeds from which on each pass begins with a launch of the claiming kernel: it has more blocks than are
/// persistent.
const MANY: u32 = 200_000;

impl DynamicMesh {
    /// Runs passes of an operator until a pass changes nothing or the limit is reached. If the mesh's memory
    /// is too small for a round, it is enlarged and the round is repeated.
    /// # Errors
    /// [`Error::OtherMesh`] and [`Error::OtherNumbering`] for attributes of the operation that belong to
    /// another mesh, or have missed a compaction: nothing has changed then. Out of memory;
    /// [`Error::Operator`] if the operator breaks its contract: then the mesh may be invalid; errors of the
    /// driver.
    pub fn run<O: Operation>(&mut self, operation: &mut O, limits: Limits) -> Result<PassReport> {
        let numbering = self.numbering;
        operation.for_each_attribute(&mut |attribute| attribute.check(numbering))?;
        let mut report = PassReport::default();
        self.begin(limits.passes.max(1))?;
        self.make_working_memory(O::RECORDS)?;
        self.parts = self.parts_of(limits.mode);
        // a single pass looks at all edges
        if <O::Operator<'_> as Operator>::LOCAL && limits.passes > 1 {
            self.look_even.clear()?;
            self.look_odd.clear()?;
        }
        self.grow_attributes(operation)?;
        let look = O::OF_VERTICES || <O::Operator<'_> as Operator>::Seed::KIND == ElementKind::Vertex;
        let mut fresh = false;
        loop {
            if look && !fresh {
                self.refresh_vertices()?;
                fresh = true;
            }
            if self.stamp >= control::MOST_STAMPS {
                self.working.claims.clear()?;
                self.working.slots.clear()?;
                self.stamp = 1;
                self.control.write_range(control::STAMP as usize, &[1])?;
            }
            // half-edges of vertices are those of the beginning of a pass: one, then look
            let cuda = self.device.kind() == DeviceKind::Cuda;
            if limits.mode.is_persistent(&self.device) {
                let few = self.ids.iter().all(|n| *n < MANY);
                let to_the_end = few && !look;
                let until = if to_the_end { Until::Run } else { Until::Pass };
                let left = limits.passes.max(1) - report.passes;
                for _ in 0..if to_the_end || look { 1 } else { AHEAD[1].min(left) } {
                    self.persistent(operation, until)?;
                }
            } else {
                for _ in 0..if cuda && !look { AHEAD[0] } else { 1 } {
                    self.round(operation)?;
                }
            }
            let words = self.control.read_range(0, control::WORDS as usize)?;
            let at = |i: u32| words[i as usize];
            self.ids = [at(0), at(1), at(2)];
            let passes = at(control::PASSES);
            if passes != report.passes {
                fresh = false;
            }
            let state = at(control::STATE);
            if state == control::RUNNING && at(control::ROUNDS) == report.rounds {
                return Err(Error::Operator(OperatorFault::PassWithoutEnd { rounds: report.rounds }));
            }
            (self.stamp, self.pass) = (at(control::STAMP), at(control::PASS));
            report.passes = passes;
            report.rounds = at(control::ROUNDS);
            report.executed = at(control::EXECUTED) as u64;
            match state {
                control::RUNNING => continue,
                control::FULL => {
                    let need = |k: u32| at(k) + at(control::NEEDED + k);
                    self.make_room([need(0), need(1), need(2)])?;
                    self.working.hold_tables(&self.device, self.ids, self.capacity)?;
                    self.grow_attributes(operation)?;
                    report.grown += 1;
                }
                control::NO_ROOM => {
                    self.working.hold_records(&self.device, with_reserve(at(control::RECORDED)))?;
                    self.control.write_range(control::RECORDED as usize, &[0])?;
                }
                // the first round of a pass, since others have fewer candidates: nothing is in the lists
                control::NO_LIST => {
                    self.working.hold_candidates(&self.device, with_reserve(at(control::CANDIDATES)))?;
                    self.control.write_range(control::CANDIDATES as usize, &[0])?;
                }
                control::STALLED => {
                    let rounds = at(control::ROUND);
                    return Err(Error::Operator(OperatorFault::PassWithoutEnd { rounds }));
                }
                control::BROKEN => {
                    let seed = at(control::DIFFERED) - 1;
                    return Err(Error::Operator(OperatorFault::OtherFilling { seed }));
                }
                control::STALE => {
                    let seed = at(control::STALE_SEED) - 1;
                    return Err(Error::Operator(OperatorFault::NotLocal { seed }));
                }
                state => {
                    debug_assert!(state == control::DONE || state == control::STOPPED);
                    report.finished = state == control::DONE;
                    let reasons = |first: u32| std::array::from_fn(|i| at(first + i as u32));
                    report.own = std::array::from_fn(|i| at(control::OWN + i as u32));
                    report.blocked = reasons(control::REJECTED);
                    report.rejected = reasons(control::REJECTED_BEFORE);
                    for (sum, n) in report.rejected.iter_mut().zip(report.blocked) {
                        *sum += n;
                    }
                    return Ok(report);
                }
            }
            self.control.write_range(control::STATE as usize, &[control::RUNNING])?;
        }
    }

    /// Gives the attributes of an operation the room that the mesh has.
    pub(super) fn grow_attributes<O: Operation>(&self, operation: &mut O) -> Result<()> {
        let capacity = self.capacity;
        operation.for_each_attribute(&mut |attribute| attribute.grow(capacity))
    }

    fn round<O: Operation>(&mut self, operation: &mut O) -> Result<()> {
        let device = self.device.clone();
        let most = self.ids.iter().copied().max().unwrap_or(0);
        for &phase in Phase::of::<O::Operator<'_>>() {
            let blocks = match phase {
                Phase::Claim => self.claiming_blocks(most),
                _ => self.blocks(most),
            };
            O::Operator::launch(operation.operator(), &device, blocks, self.rounds(), phase)?;
        }
        Ok(())
    }

    /// The first claims by as many blocks as it takes, all else by persistent ones.
    fn persistent<O: Operation>(&mut self, operation: &mut O, until: Until) -> Result<()> {
        let device = self.device.clone();
        let most = self.ids.iter().copied().max().unwrap_or(0);
        O::Operator::launch(
            operation.operator(),
            &device,
            self.claiming_blocks(most),
            self.rounds(),
            Phase::Claim,
        )?;
        let blocks = self.blocks(most);
        O::Operator::launch_persistent(
            operation.operator(),
            &device,
            blocks,
            self.rounds(),
            Phase::Plan,
            until,
        )
    }
    fn claiming_blocks(&self, most: u32) -> u32 {
        let blocks = if self.device.kind() == DeviceKind::Cuda { most.div_ceil(CHUNK) } else { tiles(most) };
        blocks.clamp(self.parts, BLOCKS[0].max(self.parts))
    }
    /// Blocks of a launch of the other phases: one at least for each card.
    fn blocks(&self, most: u32) -> u32 {
        most.div_ceil(CHUNK).clamp(self.parts, self.parts * BLOCKS[1])
    }
    /// The cards that share the rounds of a run.
    fn parts_of(&self, mode: ExecutionMode) -> u32 {
        if mode == ExecutionMode::Persistent && self.device.kind() == DeviceKind::Cpu {
            // one block
            return 1;
        }
        self.device.cards_of((self.capacity.seeds() as u32).div_ceil(CHUNK))
    }

    /// At least this many ids, and half as many again as there are.
    pub(super) fn make_room(&mut self, needed: [u32; 3]) -> Result<()> {
        let more = |need: u32, have: u32| if need > have { need.max(have + have / 2) } else { have };
        let [v, e, f] = needed;
        let c = self.capacity;
        self.grow(Capacity {
            vertices: more(v, c.vertices),
            edges: more(e, c.edges),
            faces: more(f, c.faces),
        })
    }
}
