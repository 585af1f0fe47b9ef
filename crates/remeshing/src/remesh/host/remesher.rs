//! Remeshing on a device, phase by phase.
use super::deviate::{Compared, Comparison, compare};
use super::later::Later;
use super::lengths::{hold_lengths, settle};
use super::options::{Boundary, RemeshOptions};
use super::phases;
use super::report::{Iteration, RemeshReport};
use super::valences::Valences;
use super::values::{Collapses, Flips, Splits, Values};
use crate::check::Search;
use crate::remesh::values::{NO_COLLAPSE, NO_FLIP, REASONS};
use glam::Vec3;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::dynamic::{DynamicMesh, Gaps, Limits, Operations, PassReport, Sizes};
use ribbonmesh::surface::{Changed, Surface, Vertices};
use ribbonmesh::{Buffer, Device, Error, Result};
use std::time::Instant;

/// Passes of splitting in one iteration. Each halves the longest edges.
pub const SPLITS: u32 = 40;
/// Passes of collapsing and of flipping in one iteration: an operation that is rejected in one may be
/// possible in the next.
const OTHERS: u32 = 10;
/// Passes of splitting after which the faces are counted, if their number is limited.
pub const LOOK_AFTER: u32 = 3;
/// Ids are made contiguous if more than one face in this many is deleted.
const MOST_LIVING: u64 = 3;

/// The input's surface and curves, for projection.
pub struct Input {
    pub surface: Bvh,
    pub curves: Bvh,
    /// The data with which the result is compared, if there is a tolerance.
    pub compared: Option<Compared>,
}

/// A mesh that is being remeshed on its device, with its attributes.
pub struct Remesher {
    pub(super) mesh: DynamicMesh,
    pub(super) values: Values,
    pub(super) options: RemeshOptions,
    pub(super) input: Option<Input>,
    pub(super) report: RemeshReport,
    /// The factor by which positions were multiplied: a power of two.
    pub(super) scale: f64,
    pub(super) gaps: Gaps,
    /// Vertices at which two features have become one, on either side.
    pub(super) merged: u64,
    /// Positions before the moves that are still to be checked, with the option `no_self_intersections`.
    pub(super) rest: Option<Buffer<Vec3>>,
    /// Whether faces are searched after each phase, with the option `no_self_intersections`.
    pub(super) careful: bool,
    /// Passes of splitting at a time.
    pub(super) look_after: u32,
    /// Whether the option `no_self_intersections` is set.
    pub(super) searches: bool,
    /// The search for such faces.
    pub(super) search: Search,
    /// Of a part: where vertices are smoothed later.
    pub(super) later: Later,
    /// Of a part: the valences of vertices that stay.
    pub(super) valences: Valences,
}

impl Remesher {
    /// Copies a surface, whose seams are features, to begin with; finds features and target lengths, and
    /// builds trees for projection. Waits.
    /// # Errors
    /// [`Error::NotManifold`] names an element in input order; [`Error::NotFinite`]; [`Error::Option`];
    /// [`Error::NoFaces`]; [`Error::TooMany`] if the target length gives more faces than a mesh can have, and
    /// [`Error::WouldNotFit`] if it gives more than fit into the free memory, estimated from the area of the
    /// input; out of memory; errors of the driver.
    pub fn new(surface: &mut Surface, options: &RemeshOptions) -> Result<Self> {
        Self::with_lengths(surface, options, None)
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.mesh.device()
    }
    /// The target length, in the units of the positions.
    pub fn target_length(&self) -> f32 {
        (self.values.length as f64 / self.scale) as f32
    }

    fn limits(&self, passes: u32) -> Limits {
        Limits { passes, mode: self.options.mode }
    }
    /// Splits edges longer than 4/3 of the target length.
    /// # Errors
    /// Out of memory; errors of the driver; with `validate`, [`Error::BrokenMesh`].
    pub fn split(&mut self) -> Result<Operations> {
        let start = Instant::now();
        let at_once = self.look_after;
        let (mut run, mut left) = (PassReport::default(), SPLITS);
        while left > 0 {
            let limits = self.limits(at_once.min(left));
            let more = self.mesh.run(&mut Splits(&mut self.values), limits)?;
            run.add(&more);
            left -= at_once.min(left);
            if more.finished || self.exceeds() {
                break;
            }
        }
        let report = Operations::new(&run, &REASONS, start.elapsed().as_secs_f64());
        self.report.grown += run.grown;
        self.gaps.add(&run, 0);
        self.check("splitting")?;
        Ok(report)
    }
    /// Whether there are more faces than [`Adaptive::most_faces`](crate::remesh::Adaptive::most_faces)
    /// allows.
    pub(super) fn exceeds(&self) -> bool {
        self.report.most_faces.is_some_and(|most| self.gaps.living_faces(&self.mesh) > most)
    }
    /// Collapses edges shorter than 4/5 of the target length.
    /// # Errors
    /// As [`Remesher::split`].
    pub fn collapse(&mut self) -> Result<Operations> {
        self.apart(NO_COLLAPSE, Self::collapse_freely)
    }
    pub(super) fn collapse_freely(&mut self) -> Result<Operations> {
        let limits = self.limits(OTHERS);
        let collapses = Collapses(&mut self.values);
        let (run, report) = Operations::run(&mut self.mesh, collapses, limits, &REASONS)?;
        self.gaps.add(&run, 2);
        if self.values.merge > 0.0 && run.executed > 0 {
            let [settled, joints] = settle(&mut self.mesh, &mut self.values, &self.options)?;
            self.merged += settled;
            self.report.merged = self.merged + joints;
        }
        self.check("collapsing")?;
        Ok(report)
    }
    /// Flips edges for better valences.
    /// # Errors
    /// As [`Remesher::split`].
    pub fn flip(&mut self) -> Result<Operations> {
        self.apart(NO_FLIP, Self::flip_freely)
    }
    fn flip_freely(&mut self) -> Result<Operations> {
        let start = Instant::now();
        phases::count_excess(&mut self.mesh, &mut self.values)?;
        self.valences.settle(&self.mesh, &mut self.values)?;
        let limits = self.limits(OTHERS);
        let flips = Flips(&mut self.values);
        let (_, mut report) = Operations::run(&mut self.mesh, flips, limits, &REASONS)?;
        report.seconds = start.elapsed().as_secs_f64();
        self.check("flipping")?;
        Ok(report)
    }
    /// Smooths the positions; does not wait, unless the option `no_self_intersections` is set.
    /// # Errors
    /// As [`Remesher::split`].
    pub fn smooth(&mut self) -> Result<()> {
        self.apart(0, Self::smooth_freely)
    }
    pub(super) fn smooth_freely(&mut self) -> Result<()> {
        self.rest()?;
        let kinds = self.later.hold(&self.mesh, &mut self.values)?;
        phases::smooth(&mut self.mesh, &mut self.values, &self.options)?;
        if let Some(kinds) = kinds {
            self.values.kind = kinds;
        }
        self.check("smoothing")
    }
    /// Moves vertices to the closest points of the input, unless that would turn faces; does not wait, unless
    /// the option `no_self_intersections` is set. Does nothing if neither [`RemeshOptions::project`] nor
    /// [`RemeshOptions::adaptive`] is set.
    /// # Errors
    /// As [`Remesher::split`].
    pub fn project(&mut self) -> Result<()> {
        self.apart(0, Self::project_freely)
    }
    pub(super) fn project_freely(&mut self) -> Result<()> {
        if self.input.is_some() {
            self.rest()?;
        }
        let Some(input) = &self.input else { return Ok(()) };
        let round = self.options.boundary == Boundary::Free;
        phases::project(&mut self.mesh, &mut self.values, input, round)?;
        self.check("projection")
    }
    /// Runs one iteration: all phases, each to its end. Waits.
    /// # Errors
    /// As [`Remesher::split`].
    pub fn iterate(&mut self) -> Result<&Iteration> {
        let start = Instant::now();
        if self.values.held && !self.report.iterations.is_empty() {
            hold_lengths(&mut self.mesh, &mut self.values)?;
        }
        // long thin triangles of CAD would otherwise be split into many slivers
        if self.values.moved.is_some() && self.report.iterations.is_empty() {
            self.flip()?;
        }
        let split = self.split()?;
        let mut done = self.improve_apart()?;
        done.split = split;
        // a state can be restored only before ids change
        if self.searches {
            done.compact_seconds = self.compact()?;
        }
        self.report.seconds += start.elapsed().as_secs_f64();
        self.report.iterations.push(done);
        Ok(&self.report.iterations[self.report.iterations.len() - 1])
    }
    /// Runs the phases of an iteration after splits.
    pub(super) fn improve(&mut self) -> Result<Iteration> {
        let mut done = Iteration { collapse: self.collapse_freely()?, ..Iteration::default() };
        if !self.searches {
            done.compact_seconds = self.compact()?;
        }
        done.flip = self.flip_freely()?;
        let at = Instant::now();
        self.smooth_freely()?;
        self.device().synchronize()?;
        done.smooth_seconds = at.elapsed().as_secs_f64();
        if self.input.is_some() {
            let at = Instant::now();
            self.project_freely()?;
            self.device().synchronize()?;
            done.project_seconds = at.elapsed().as_secs_f64();
        }
        Ok(done)
    }
    /// Makes ids contiguous if that is worth it; returns the seconds.
    fn compact(&mut self) -> Result<f64> {
        if !self.gaps.exceed(&self.mesh, MOST_LIVING) {
            return Ok(0.0);
        }
        let at = Instant::now();
        self.gaps.close(&mut self.mesh, &mut self.values)?;
        Ok(at.elapsed().as_secs_f64())
    }
    /// Measures the distance from the input if there is a tolerance, and stores it in the report. Waits.
    pub(super) fn compare(&mut self) -> Result<Option<Comparison>> {
        self.gaps.close(&mut self.mesh, &mut self.values)?;
        let Some(Input { surface, compared: Some(compared), .. }) = &self.input else { return Ok(None) };
        let found = compare(&mut self.mesh, &mut self.values, surface, compared)?;
        self.report.deviation = Some(found.distance as f64 / self.scale);
        Ok(Some(found))
    }
    /// Runs all iterations, or as many as it takes to have more faces than are allowed. Waits.
    /// # Errors
    /// As [`Remesher::split`].
    pub fn run(&mut self) -> Result<()> {
        for _ in 0..self.options.iterations {
            self.iterate()?;
            if self.exceeds() {
                break;
            }
        }
        Ok(())
    }
    /// Checks the mesh: its structure, positions, Euler characteristic.
    /// # Errors
    /// [`Error::BrokenMesh`] names the faults; out of memory; errors of the driver.
    pub fn validate(&mut self) -> Result<()> {
        self.mesh.validate_topology(&self.report.before)
    }
    fn check(&mut self, after: &'static str) -> Result<()> {
        if !self.options.validate {
            return Ok(());
        }
        self.validate().map_err(|error| match error {
            Error::BrokenMesh { faults, .. } => Error::BrokenMesh { faults, after: Some(after) },
            error => error,
        })
    }
    /// Replaces the surface from which the mesh was made by the mesh, and transfers its columns
    /// ([`Surface::replace`]). Waits.
    /// # Errors
    /// As [`Surface::replace`].
    pub fn finish_into(mut self, surface: &mut Surface) -> Result<RemeshReport> {
        let start = Instant::now();
        self.end()?;
        let Self { mesh, values, scale, mut report, .. } = self;
        let (positions, curves) = (values.x, values.marks);
        surface.replace(Changed {
            mesh,
            positions,
            scale,
            vertices: Vertices::Others,
            curves,
            seams_kept: true,
            sources: None,
        })?;
        surface.device().synchronize()?;
        report.finish_seconds = start.elapsed().as_secs_f64();
        Ok(report)
    }
    /// Makes ids contiguous, and stores the sizes in the report.
    pub(super) fn end(&mut self) -> Result<()> {
        self.mesh.free_working_memory()?;
        self.gaps.close(&mut self.mesh, &mut self.values)?;
        self.report.after = Sizes::of_ids(&self.mesh);
        Ok(())
    }
}
