//! Random sequences of operations.
use super::choice::{Choice, Filling, Naming};
use super::oracle::{check_compaction, check_pass};
use super::random::Random;
use super::state::State;
use super::subject::Subject;
use ribbonmesh::Device;
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::templates::ThesisTemplate as Template;
use ribbonmesh_mesh::TriangleMesh;

/// Counts of the work that was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Passes.
    pub passes: u64,
    /// Cavities that were executed.
    pub operations: u64,
    /// Cavities that were rejected.
    pub rejected: u64,
    /// Checks on the device.
    pub validations: u64,
    /// Checks by the oracle.
    pub checks: u64,
    /// Compactions.
    pub compactions: u64,
    /// The number of times that a mesh got more room.
    pub grown: u64,
    /// The number of times that the mesh began anew, since almost nothing was left.
    pub restarts: u64,
}

impl Tally {
    /// Adds what was done elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.passes += other.passes;
        self.operations += other.operations;
        self.rejected += other.rejected;
        self.validations += other.validations;
        self.checks += other.checks;
        self.compactions += other.compactions;
        self.grown += other.grown;
        self.restarts += other.restarts;
    }
}

/// Choice of the operations of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Any, at random seeds with random priorities.
    Random,
    /// Flips, splits and collapses, each pass one of them at all edges, with the same priority.
    EveryEdge,
}

/// Operations on one mesh, one pass at a time, kept between a quarter and four times its size.
pub struct Sequence {
    subject: Subject,
    device: Device,
    shape: TriangleMesh,
    random: Random,
    manner: Manner,
    /// The oracle looks at one in this many passes.
    every: u32,
    /// Living vertices, edges and faces.
    living: [u32; 3],
    /// The mesh, if the oracle has looked at it since it changed.
    known: Option<State>,
    /// Whether a vertex has too many faces for cavities that take all of them along, except for few seeds:
    /// all are in conflict, and each is looked at in each round.
    crowded: bool,
    /// Counts of the work so far.
    pub tally: Tally,
    /// The last operation, in words.
    pub last: String,
}

/// The most faces of a vertex of a mesh that is not crowded.
const CROWD: usize = 64;
/// About how many seeds cavities with all faces of a vertex get in a crowded mesh.
const FEW: u32 = 8;

impl Sequence {
    /// Begins on a mesh without spare room. The oracle looks at one in `every` passes, the device at all of
    /// them.
    /// # Errors
    /// As [`Subject::new`], in words.
    pub fn new(
        device: &Device,
        shape: &TriangleMesh,
        manner: Manner,
        seed: u64,
        every: u32,
    ) -> Result<Self, String> {
        let mut faces = vec![0; shape.positions.len()];
        shape.faces.iter().flatten().for_each(|v| faces[*v as usize] += 1);
        let mut subject = begin(device, shape)?;
        Ok(Self {
            living: living(&mut subject)?,
            subject,
            device: device.clone(),
            shape: shape.clone(),
            random: Random(seed),
            manner,
            every: every.max(1),
            known: None,
            crowded: faces.into_iter().max() > Some(CROWD),
            tally: Tally::default(),
            last: String::new(),
        })
    }
    /// One pass of an operation, and checks.
    /// # Errors
    /// A description of the first mistake.
    pub fn step(&mut self) -> Result<(), String> {
        let choice = match self.manner {
            Manner::Random => self.choose(),
            Manner::EveryEdge => self.choose_every_edge(),
        };
        self.last = format!("{:?} filled with {:?}", choice.naming, choice.filling);
        let looked = self.random.below(self.every) == 0;
        let before = if looked { Some(self.state()?) } else { None };
        let report = self.subject.pass(&choice).map_err(|e| e.to_string())?;
        self.known = None;
        self.subject.mesh.validate().map_err(|e| e.to_string())?;
        self.tally.validations += 1;
        if let Some(before) = before {
            let after = self.state()?;
            check_pass(&before, &after, &choice, self.subject.serial(), &report)?;
            self.known = Some(after);
            self.tally.checks += 1;
        }
        self.tally.passes += 1;
        self.tally.operations += report.executed;
        self.tally.rejected += report.rejected.iter().map(|n| u64::from(*n)).sum::<u64>();
        self.tally.grown += u64::from(report.grown);
        self.living = living(&mut self.subject)?;
        self.tidy(looked)
    }
    /// Ids that are not used are given up now and then; a mesh with almost no faces left begins anew.
    fn tidy(&mut self, looked: bool) -> Result<(), String> {
        let living_now = self.living;
        if living_now[2] < 1.max(self.shape.faces.len() as u32 / 50) {
            self.subject = begin(&self.device, &self.shape)?;
            self.living = living(&mut self.subject)?;
            self.known = None;
            self.tally.restarts += 1;
            return Ok(());
        }
        let ids = self.subject.ids();
        if self.random.below(20) > 0 && ids[2] < 2 * living_now[2] + 64 && ids[0] < 2 * living_now[0] + 64 {
            return Ok(());
        }
        self.last = "compaction".into();
        let before = if looked { Some(self.state()?) } else { None };
        self.subject.compact().map_err(|e| e.to_string())?;
        self.known = None;
        self.subject.mesh.validate().map_err(|e| e.to_string())?;
        (self.tally.compactions, self.tally.validations) =
            (self.tally.compactions + 1, self.tally.validations + 1);
        if let Some(before) = before {
            let after = self.state()?;
            check_compaction(&before, &after)?;
            self.known = Some(after);
            self.tally.checks += 1;
        }
        Ok(())
    }
    /// The mesh as it is.
    fn state(&mut self) -> Result<State, String> {
        match self.known.take() {
            Some(state) => Ok(state),
            None => self.subject.state().map_err(|e| e.to_string()),
        }
    }
    /// Whether the mesh is to lose no more, and whether it is to get no more.
    fn bounds(&self) -> (bool, bool) {
        let (first, faces) = (self.shape.faces.len() as u32, self.living[2]);
        (faces < first / 2 + 8, faces > 2 * first + 32)
    }
    fn choose(&mut self) -> Choice {
        let (small, large) = self.bounds();
        let (faces, ids, random) = (self.living[2], self.subject.ids(), &mut self.random);
        let (naming, filling) = loop {
            let (naming, filling) = if random.below(2) == 0 {
                let (filling, template) = random.of(&Filling::CLASSIC);
                (Naming::Template(template), filling)
            } else {
                (random.of(&Naming::all()), random.of(&Filling::GENERAL))
            };
            let shrinks = matches!(filling, Filling::Nothing | Filling::Collapse | Filling::CollapseFace);
            let grows = matches!(filling, Filling::Fan | Filling::Split | Filling::SplitVertex);
            if !(small && shrinks || large && grows) {
                break (naming, filling);
            }
        };
        // holes are few, or nothing is left soon
        let mut of =
            if filling == Filling::Nothing { faces / 4 + 1 } else { random.of(&[1, 2, 8, 64, faces + 1]) };
        if self.crowded && whole_stars(naming) {
            of = of.max(ids[naming.seed() as usize] / FEW);
        }
        Choice::random(naming, filling, ids, of, random)
    }
    fn choose_every_edge(&mut self) -> Choice {
        let flip = (Filling::Flip, Template::EF);
        let (split, collapse) = ((Filling::Split, Template::EF), (Filling::Collapse, Template::EV));
        let (filling, template) = match self.bounds() {
            (true, _) => self.random.of(&[flip, split]),
            (_, true) => self.random.of(&[flip, collapse]),
            _ => self.random.of(&[flip, split, collapse]),
        };
        Choice::every(Naming::Template(template), filling, self.subject.ids())
    }
}

/// Whether cavities have all faces of a vertex.
fn whole_stars(naming: Naming) -> bool {
    match naming {
        Naming::Template(template) => {
            use Template::*;
            matches!(template, V | VV | VE | VF | EV | FV)
        }
        Naming::User(kind) => kind == ElementKind::Vertex,
    }
}

fn begin(device: &Device, shape: &TriangleMesh) -> Result<Subject, String> {
    Subject::new(device, shape.positions.len(), &shape.faces, 0.0).map_err(|e| e.to_string())
}
fn living(subject: &mut Subject) -> Result<[u32; 3], String> {
    subject.mesh.living().map_err(|e| e.to_string())
}
