//! Attempts to stay within a tolerance.
use super::deviate::Comparison;
use super::options::{Adaptive, RemeshOptions};
use super::remesher::Remesher;
use super::report::GaveUp;
use ribbonmesh::Result;
use ribbonmesh::surface::Surface;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Greatest ratio of an attempt's distance to that of the attempt before; with a greater one it is in vain.
/// ...
const NEARER: f32 = 0.95;
/// ... After this number of attempts in vain there are no more.
const MOST_IN_VAIN: u32 = 2;

/// The course of attempts to stay within a tolerance. Each begins with the input. The first ones have lengths
/// by curvature, and longer ones if these give too many faces; those that follow have shorter lengths where
/// the surfaces were too far from each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempts {
    /// Shortest and longest length by curvature of the first attempt ([`Adaptive::range`]).
    pub range: [f32; 2],
    /// The shortest length by the tolerance ([`Adaptive::finest`]).
    pub finest: f32,
    /// Attempts with lengths that were shortened.
    pub refinements: u32,
    /// The most of them.
    most: u32,
    /// Of these, the last ones that came no nearer.
    vain: u32,
    /// The smallest distance; [`None`] before the first one is measured.
    pub least: Option<f32>,
    /// Reason for which there are no more attempts, although the tolerance does not hold.
    pub gave_up: Option<GaveUp>,
}
impl Attempts {
    /// Before the first one.
    pub fn new(&Adaptive { range, finest, refinements, .. }: &Adaptive) -> Self {
        Self { range, finest, refinements: 0, most: refinements, vain: 0, least: None, gave_up: None }
    }
    /// After an attempt that has more faces than are allowed. True: lengths by curvature begin at twice the
    /// shortest one for another attempt. False: the first attempt counts as it is; a later one does not
    /// count, and is the last.
    pub fn coarser(&mut self) -> bool {
        let [shortest, longest] = self.range;
        if self.least.is_some() {
            self.refinements += 1;
            self.gave_up = Some(GaveUp::Faces);
            return false;
        }
        if shortest >= longest {
            return false;
        }
        // the lengths by curvature give too many faces
        self.gave_up = Some(GaveUp::Faces);
        self.range[0] = (2.0 * shortest).min(longest);
        self.finest = self.range[0];
        true
    }
    /// After an attempt whose distance is measured. `shorter`: whether any length may become shorter.
    /// Returns whether it is the nearest one up to now.
    pub fn measured(&mut self, distance: f32, wants_more: bool, shorter: bool) -> bool {
        let nearest = self.least.is_none_or(|least| distance < least);
        if let Some(least) = self.least {
            self.refinements += 1;
            self.vain = if distance < NEARER * least { 0 } else { self.vain + 1 };
        }
        if nearest {
            self.least = Some(distance);
        }
        if wants_more && self.gave_up.is_none() {
            let last = self.refinements == self.most || self.vain == MOST_IN_VAIN;
            self.gave_up = match (shorter, last) {
                (false, _) => Some(GaveUp::Lengths),
                (true, true) => Some(GaveUp::Attempts),
                (true, false) => None,
            };
        }
        nearest
    }
}

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
        let mut attempts = Attempts::new(&options.adaptive.unwrap_or_default());
        while best.exceeds()
            && let Some(adaptive) = &mut options.adaptive
            && attempts.coarser()
        {
            (adaptive.range, adaptive.finest) = (attempts.range, attempts.finest);
            best = Self::new(surface, &options)?;
            best.run()?;
        }
        let mut found = best.compare()?;
        if let Some(Comparison { distance, lengths, wants_more }) = &found {
            attempts.measured(*distance, *wants_more, lengths.is_some());
        }
        while attempts.gave_up.is_none()
            && let Some(Comparison { wants_more: true, lengths, .. }) = found
        {
            let mut next = Self::with_lengths(surface, &options, lengths)?;
            next.run()?;
            if next.exceeds() {
                attempts.coarser();
                break;
            }
            found = next.compare()?;
            if let Some(Comparison { distance, lengths, wants_more }) = &found
                && attempts.measured(*distance, *wants_more, lengths.is_some())
            {
                best = next;
            }
        }
        best.report.refinements = attempts.refinements;
        best.report.gave_up = attempts.gave_up;
        if attempts.refinements > 0 {
            best.report.seconds = start.elapsed().as_secs_f64() - best.report.prepare_seconds;
        }
        Ok(best)
    }
}
