//! Stages of which only the end is searched for faces that intersect others.
use super::check::Before;
use super::simplifier::Simplifier;
use ribbonmesh::Result;

/// Most stages of a trial.
const MOST: u32 = 8;

/// Trials: several stages that are searched once, at their end. Where faces intersect then, all of them are
/// taken back and repeated one by one, each searched, and the next trial waits.
pub struct Trials {
    /// Whether one is under way.
    pub running: bool,
    /// Stages of the next one.
    stages: u32,
    /// Stages without intersections that come before it, and after the next one that fails.
    wait: [u32; 2],
}
impl Default for Trials {
    fn default() -> Self {
        Self { running: false, stages: 2, wait: [1, 4] }
    }
}
impl Trials {
    /// Counts a stage: whether it was searched itself, and whether it was repeated.
    pub fn count(&mut self, searched: bool, repeated: bool) {
        if repeated {
            self.wait[0] = self.wait[1];
        } else if searched {
            self.wait[0] = self.wait[0].saturating_sub(1);
        }
    }
}

impl Simplifier {
    /// Makes a trial if one is due. Waits.
    pub(super) fn try_unchecked(&mut self) -> Result<()> {
        let stages = self.trials.stages;
        let due = self.options.no_self_intersections && self.trials.wait[0] == 0;
        if !due || !self.holds.are_closed_for(stages) {
            return Ok(());
        }
        let before = Before::new(&self.mesh, &self.values)?;
        let (report, gaps, screened, holds) =
            (self.report.clone(), self.gaps, self.screened, self.holds.clone());
        let pass = self.mesh.pass();
        self.trials.running = true;
        let mut ran = Ok(());
        for _ in 0..stages {
            match self.stage() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    ran = Err(error);
                    break;
                }
            }
        }
        self.trials.running = false;
        ran?;
        if self.search.crossing(&self.mesh, pass, &self.values.x)?.is_none() {
            self.trials.stages = (2 * stages).min(MOST);
            return Ok(());
        }
        before.restore(&mut self.mesh, &mut self.values)?;
        let seconds = self.report.seconds;
        (self.report, self.gaps, self.screened, self.holds) = (report, gaps, screened, holds);
        self.report.seconds = seconds;
        // costs belong to the edges of the stages that were taken back
        self.since = 0;
        let after = self.trials.wait[1];
        self.trials = Trials { running: false, stages: 2, wait: [after, 2 * after] };
        Ok(())
    }
}
