//! Attempts to stay within a tolerance.
use super::deviate::Comparison;
use super::options::RemeshOptions;
use super::remesher::Remesher;
use super::report::GaveUp;
use ribbonmesh::Result;
use ribbonmesh::surface::Surface;
use std::time::Instant;

/// Greatest ratio of an attempt's distance to that of the attempt before; with a greater one it is in vain.
/// ...
const NEARER: f32 = 0.95;
/// ... After this number of attempts in vain there are no more.
const MOST_IN_VAIN: u32 = 2;

impl Remesher {
    /// Makes a remesher, as [`Remesher::new`], and runs it, as [`Remesher::run`]. With
    /// [`RemeshOptions::adaptive`] it makes as many attempts as are needed for the measured distance from the
    /// input to be within the tolerance, or as are allowed. Each attempt begins with the surface, and with
    /// shorter target lengths where the one before deviated too much. Returns the first attempt that keeps
    /// the tolerance, or the one with the smallest distance. Waits.
    /// # Errors
    /// As [`Remesher::new`] and [`Remesher::split`].
    pub fn finished(surface: &mut Surface, options: &RemeshOptions) -> Result<Self> {
        let start = Instant::now();
        let mut options = options.clone();
        let mut best = Self::new(surface, &options)?;
        best.run()?;
        let mut gave_up = None;
        while best.exceeds()
            && let Some(adaptive) = &mut options.adaptive
            && adaptive.range[0] < adaptive.range[1]
        {
            // the lengths by curvature give too many faces
            gave_up = Some(GaveUp::Faces);
            let shortest = (2.0 * adaptive.range[0]).min(adaptive.range[1]);
            (adaptive.range[0], adaptive.finest) = (shortest, shortest);
            best = Self::new(surface, &options)?;
            best.run()?;
        }
        let most = options.adaptive.map_or(0, |adaptive| adaptive.refinements);
        let mut found = best.compare()?;
        let mut least = found.as_ref().map_or(0.0, |found| found.distance);
        let (mut refinements, mut vain) = (0, 0);
        while gave_up.is_none()
            && let Some(Comparison { wants_more: true, lengths, .. }) = found
        {
            let Some(lengths) = lengths else {
                gave_up = Some(GaveUp::Lengths);
                break;
            };
            if refinements == most || vain == MOST_IN_VAIN {
                gave_up = Some(GaveUp::Attempts);
                break;
            }
            let mut next = Self::with_lengths(surface, &options, Some(lengths))?;
            next.run()?;
            refinements += 1;
            if next.exceeds() {
                gave_up = Some(GaveUp::Faces);
                break;
            }
            found = next.compare()?;
            if let Some(found) = &found {
                vain = if found.distance < NEARER * least { 0 } else { vain + 1 };
                if found.distance < least {
                    (least, best) = (found.distance, next);
                }
            }
        }
        best.report.refinements = refinements;
        best.report.gave_up = gave_up;
        if refinements > 0 {
            best.report.seconds = start.elapsed().as_secs_f64() - best.report.prepare_seconds;
        }
        Ok(best)
    }
}
