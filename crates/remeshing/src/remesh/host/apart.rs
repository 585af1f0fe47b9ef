//! Phases that are searched for faces that intersect others, and taken back.
use super::remesher::Remesher;
use super::report::Iteration;
use super::undo::{self, Before};
use ribbonmesh::Result;
use std::time::Instant;

impl Remesher {
    /// Keeps the positions before moves that are to be checked.
    pub(super) fn rest(&mut self) -> Result<()> {
        if self.searches && self.rest.is_none() {
            self.rest = Some(self.values.x.to_buffer(&self.mesh)?);
        }
        Ok(())
    }
    /// Runs a phase. With the option `no_self_intersections` its faces are searched: moves of vertices are
    /// held back so that faces that move intersect no others; if the phase has made faces that intersect
    /// others, the vertices of these are barred, and the phase is taken back and repeated. That ends, since
    /// no face of barred vertices is made again.
    pub(super) fn apart<T>(&mut self, bar: u32, run: impl Fn(&mut Self) -> Result<T>) -> Result<T> {
        if !self.searches {
            return run(self);
        }
        let before = Before::new(&self.mesh, &self.values, self.gaps, self.merged)?;
        loop {
            let pass = self.mesh.pass();
            let done = run(self)?;
            let (held, crossing) = self.crossing(pass, bar)?;
            if !crossing {
                self.report.held += held;
                return Ok(done);
            }
            self.restore(&before)?;
        }
    }
    /// Runs the phases of an iteration after splits. With the option `no_self_intersections` only their
    /// result is searched. If faces that they have made intersect others, they are taken back and repeated
    /// with a search after each phase. If a phase has to be taken back then, the phases of the next iteration
    /// are searched one by one, too.
    pub(super) fn improve_apart(&mut self) -> Result<Iteration> {
        if !self.searches {
            return self.improve();
        }
        if !self.careful {
            let before = Before::new(&self.mesh, &self.values, self.gaps, self.merged)?;
            let pass = self.mesh.pass();
            let done = self.improve()?;
            let (held, crossing) = self.crossing(pass, 0)?;
            if !crossing {
                self.report.held += held;
                return Ok(done);
            }
            self.restore(&before)?;
        }
        let repeats = self.report.repeats;
        let (collapse, flip) = (self.collapse()?, self.flip()?);
        let at = Instant::now();
        self.apart(0, |remesher| {
            remesher.smooth_freely()?;
            remesher.project_freely()
        })?;
        self.careful = self.report.repeats > repeats;
        Ok(Iteration { collapse, flip, smooth_seconds: at.elapsed().as_secs_f64(), ..Iteration::default() })
    }
    /// Goes back to the state before a phase.
    fn restore(&mut self, before: &Before) -> Result<()> {
        before.restore(&mut self.mesh, &mut self.values)?;
        (self.gaps, self.merged) = (before.gaps, before.merged);
        self.report.repeats += 1;
        Ok(())
    }
    /// As [`undo::crossing`], for the moves since the positions were kept.
    fn crossing(&mut self, pass: u32, bar: u32) -> Result<(u64, bool)> {
        undo::crossing(&mut self.search, &self.mesh, &mut self.values, self.rest.take(), pass, bar)
    }
}
