//! Random sequences of operations.
use super::choice::{Choice, Filling, Naming};
use super::oracle::{check_compaction, check_pass};
use super::random::Random;
use super::subject::Subject;
use ribbonmesh::Device;
use ribbonmesh_shapes::Shape;

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Passes.
    pub passes: u64,
    /// Cavities that were executed.
    pub operations: u64,
    /// Cavities that were refused.
    pub refused: u64,
    /// Checks on the device.
    pub validations: u64,
    /// Checks by the oracle.
    pub checks: u64,
    /// Compactions.
    pub compactions: u64,
    /// How often a mesh got more room.
    pub grown: u64,
    /// How often the mesh began anew, since almost nothing was left.
    pub restarts: u64,
}

impl Tally {
    /// Adds what was done elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.passes += other.passes;
        self.operations += other.operations;
        self.refused += other.refused;
        self.validations += other.validations;
        self.checks += other.checks;
        self.compactions += other.compactions;
        self.grown += other.grown;
        self.restarts += other.restarts;
    }
}

/// Random operations on one mesh, one pass at a time, kept between a quarter and four times its size.
pub struct Sequence {
    subject: Subject,
    device: Device,
    shape: Shape,
    random: Random,
    /// The oracle looks at one in so many passes.
    every: u32,
    /// What was done so far.
    pub tally: Tally,
    /// The last operation, in words.
    pub last: String,
}
impl Sequence {
    /// Begins on a mesh without spare room. The oracle looks at one in `every` passes, the device at all of them.
    /// # Errors
    /// As [`Subject::new`], in words.
    pub fn new(device: &Device, shape: &Shape, seed: u64, every: u32) -> Result<Self, String> {
        Ok(Self {
            subject: begin(device, shape)?,
            device: device.clone(),
            shape: shape.clone(),
            random: Random(seed),
            every: every.max(1),
            tally: Tally::default(),
            last: String::new(),
        })
    }
    /// One pass of a random operation, and checks.
    /// # Errors
    /// What is wrong, in words.
    pub fn step(&mut self) -> Result<(), String> {
        let living = self.subject.mesh.living().map_err(|e| e.to_string())?;
        let choice = self.choose(living[2]);
        self.last = format!("{:?} filled with {:?}", choice.naming, choice.filling);
        let looked = self.random.below(self.every) == 0;
        let before = if looked { Some(self.subject.state().map_err(|e| e.to_string())?) } else { None };
        let report = self.subject.pass(&choice).map_err(|e| e.to_string())?;
        self.subject.mesh.validate().map_err(|e| e.to_string())?;
        self.tally.validations += 1;
        if let Some(before) = before {
            let after = self.subject.state().map_err(|e| e.to_string())?;
            check_pass(&before, &after, &choice, self.subject.serial(), &report)?;
            self.tally.checks += 1;
        }
        self.tally.passes += 1;
        self.tally.operations += report.executed;
        self.tally.refused += report.refused.iter().map(|n| u64::from(*n)).sum::<u64>();
        self.tally.grown += u64::from(report.grown);
        self.tidy(looked)
    }
    /// Ids that are not used are given up now and then; a mesh that is almost gone begins anew.
    fn tidy(&mut self, looked: bool) -> Result<(), String> {
        let living = self.subject.mesh.living().map_err(|e| e.to_string())?;
        if living[2] < 1.max(self.shape.faces.len() as u32 / 50) {
            self.subject = begin(&self.device, &self.shape)?;
            self.tally.restarts += 1;
            return Ok(());
        }
        let ids = self.subject.ids();
        if self.random.below(20) > 0 && ids[2] < 2 * living[2] + 64 && ids[0] < 2 * living[0] + 64 {
            return Ok(());
        }
        self.last = "compaction".into();
        let before = if looked { Some(self.subject.state().map_err(|e| e.to_string())?) } else { None };
        self.subject.compact().map_err(|e| e.to_string())?;
        self.subject.mesh.validate().map_err(|e| e.to_string())?;
        (self.tally.compactions, self.tally.validations) =
            (self.tally.compactions + 1, self.tally.validations + 1);
        if let Some(before) = before {
            check_compaction(&before, &self.subject.state().map_err(|e| e.to_string())?)?;
            self.tally.checks += 1;
        }
        Ok(())
    }
    fn choose(&mut self, faces: u32) -> Choice {
        let first = self.shape.faces.len() as u32;
        let (small, large) = (faces < first / 2 + 8, faces > 2 * first + 32);
        let random = &mut self.random;
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
        let of =
            if filling == Filling::Nothing { faces / 4 + 1 } else { random.of(&[1, 2, 8, 64, faces + 1]) };
        Choice::random(naming, filling, self.subject.ids(), of, random)
    }
}

fn begin(device: &Device, shape: &Shape) -> Result<Subject, String> {
    Subject::new(device, shape.positions.len(), &shape.faces, 0.0).map_err(|e| e.to_string())
}
