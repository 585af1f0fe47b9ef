//! Correction of the volume of each component to that which the motion alone has made.
use super::error::TrackError;
use super::flow::Flow;
use super::phases;
use super::report::{Correction, StepReport};
use super::tracker::Tracker;
use std::time::Instant;

/// Number of corrections in a step: each leaves an error of second order.
const TIMES: u32 = 2;
/// Greatest movement of a vertex, in lengths.
const MOST: f64 = 0.1;

impl Tracker {
    /// Moves the vertices, and records how that changes the volumes that components should enclose.
    pub(super) fn move_by(
        &mut self,
        dt: f64,
        flow: &mut dyn Flow,
        report: &mut StepReport,
    ) -> Result<(), TrackError> {
        let start = Instant::now();
        let before = if self.options.correct_volume { self.measure_components()? } else { vec![] };
        let places = self.places()?;
        self.advance(dt, flow)?;
        self.keep_apart(places, report)?;
        if self.options.correct_volume {
            let after = self.measure_components()?;
            for (component, (before, after)) in self.components.all.iter_mut().zip(before.iter().zip(&after))
            {
                component.expected += after.volume - before.volume;
            }
        }
        report.move_seconds += start.elapsed().as_secs_f64();
        Ok(())
    }
    /// Moves each component along its normals so that it encloses its expected volume.
    pub(super) fn correct(&mut self, report: &mut StepReport) -> Result<(), TrackError> {
        if !self.options.correct_volume || self.empty {
            return Ok(());
        }
        let start = Instant::now();
        let mut done = Correction::default();
        let most = MOST * f64::from(self.length);
        for time in 0..=TIMES {
            let measured = self.measure_components()?;
            let mut by = Vec::with_capacity(measured.len());
            let (mut missing, mut all) = (0.0, 0.0);
            for (component, now) in self.components.all.iter().zip(&measured) {
                let less = component.expected - now.volume;
                missing += less.abs();
                all += component.expected.abs();
                let way = if now.area > 0.0 { (less / now.area).clamp(-most, most) } else { 0.0 };
                by.push(way as f32);
            }
            let drift = if all > 0.0 { missing / all } else { 0.0 };
            if time == 0 {
                done.before = drift;
            }
            done.after = drift;
            if time < TIMES {
                done.farthest = by.iter().fold(done.farthest, |most, by| most.max(f64::from(by.abs())));
                let places = self.places()?;
                phases::inflate(&mut self.mesh, &mut self.values, &by)?;
                self.keep_apart(places, report)?;
            }
        }
        done.seconds = start.elapsed().as_secs_f64();
        report.correction = Some(done);
        Ok(())
    }
}
