//! A run of an application: its phases, and what it says.
use crate::compared::Measuring;
use ribbonmesh::bvh::Distance;
use ribbonmesh::{Result, Surface};
use std::time::Instant;

/// A line that an application says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A result.
    Result(String),
    /// A result that is asked for, and printed even where others are not.
    Told(String),
    /// A detail of a phase.
    Detail(String),
    /// A change to the input that nobody has asked for, or something that is left out.
    Note(String),
    /// Something that deserves attention.
    Warning(String),
    /// A result that is not the one that was asked for.
    Short(String),
}

/// Where lines and phases of a run go. `()` drops them.
pub trait Log {
    /// Takes a line.
    fn line(&mut self, line: Line);
    /// Begins a phase.
    fn begin(&mut self, phase: &str);
    /// Ends the phase that has begun, after so many seconds.
    fn end(&mut self, phase: &str, seconds: f64);
}
impl Log for () {
    fn line(&mut self, _: Line) {}
    fn begin(&mut self, _: &str) {}
    fn end(&mut self, _: &str, _: f64) {}
}

/// A run of an application.
pub struct Run<'a> {
    /// Seed of random choices.
    pub seed: u64,
    /// The measuring of the distance between input and result; none unless somebody asks for it.
    pub measuring: Option<Measuring>,
    log: &'a mut dyn Log,
}
impl<'a> Run<'a> {
    /// A run whose lines go to `log`.
    pub fn new(seed: u64, log: &'a mut dyn Log) -> Self {
        Self { seed, measuring: None, log }
    }
    /// Samples the surface, if the result is to be compared with it, unless it was sampled before. An
    /// application calls this before it changes the surface, once nothing is left to be refused.
    /// # Errors
    /// As [`Surface::sampled`].
    pub fn sample(&mut self, surface: &Surface) -> Result<()> {
        let Some(mut measuring) = self.measuring.take_if(|measuring| measuring.is_unsampled()) else {
            return Ok(());
        };
        self.phase("measure input", || measuring.sample(surface))?;
        self.measuring = Some(measuring);
        Ok(())
    }
    /// Measures the distance of a result from the surface that was sampled; none without one, or without
    /// faces.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn measure(&mut self, result: &Surface) -> Result<Option<Distance>> {
        let Some(mut measuring) = self.measuring.take() else { return Ok(None) };
        let seed = self.seed;
        let distance = self.phase("measure", || measuring.measure(result, seed))?;
        self.measuring = Some(measuring);
        Ok(distance)
    }
    /// Does `work` as a phase.
    pub fn phase<T>(&mut self, name: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        self.log.begin(name);
        let done = work();
        self.log.end(name, start.elapsed().as_secs_f64());
        done
    }
    /// Where its lines go.
    pub fn log(&mut self) -> &mut dyn Log {
        self.log
    }
    /// Says a result.
    pub fn say(&mut self, line: impl Into<String>) {
        self.log.line(Line::Result(line.into()));
    }
    /// Says a result that is asked for.
    pub fn tell(&mut self, line: impl Into<String>) {
        self.log.line(Line::Told(line.into()));
    }
    /// Says a detail.
    pub fn detail(&mut self, line: impl Into<String>) {
        self.log.line(Line::Detail(line.into()));
    }
    /// Notes a change, or something that is left out.
    pub fn note(&mut self, line: impl Into<String>) {
        self.log.line(Line::Note(line.into()));
    }
    /// Warns.
    pub fn warn(&mut self, line: impl Into<String>) {
        self.log.line(Line::Warning(line.into()));
    }
    /// Says that a result is not the one that was asked for.
    pub fn fall_short(&mut self, line: impl Into<String>) {
        self.log.line(Line::Short(line.into()));
    }
}
