//! Remeshing on a device, phase by phase.
use super::deviate::{Compared, Comparison, Tolerance, compare};
use super::lengths::{
    Held, Measures, SHARP_ANGLE, curve_tree, find_curves, find_sizes, grade, hold_lengths, settle, survey,
};
use super::options::{Boundary, RemeshOptions};
use super::phases;
use super::report::{GaveUp, Iteration, RemeshReport};
use super::room::{check_room, covering};
use super::undo::{self, Before};
use super::values::{Collapses, Flips, Splits, Values};
use crate::check::Search;
use crate::remesh::values::{NO_COLLAPSE, NO_FLIP, REASONS};
use glam::Vec3;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Gaps, Limits, Operations, PassReport, Sizes};
use ribbonmesh::surface::{Changed, Extent, Surface, Vertices};
use ribbonmesh::{Buffer, Device, Error, Result};
use std::time::Instant;

/// Passes of splitting in one iteration. Each halves the longest edges.
const SPLITS: u32 = 40;
/// Passes of collapsing and of flipping in one iteration: an operation that is rejected in one may be
/// possible in the next.
const OTHERS: u32 = 10;
/// Passes of splitting after which the faces are counted, if their number is limited.
const LOOK_AFTER: u32 = 3;
/// A number of faces that is always allowed, whatever the input has.
const FEW: u64 = 2_000;
/// Greatest ratio of an attempt's distance to that of the attempt before; with a greater one it is in vain.
/// ...
const NEARER: f32 = 0.95;
/// ... After this number of attempts in vain there are no more.
const MOST_IN_VAIN: u32 = 2;
/// Ids are made contiguous if more than one face in this many is deleted.
const MOST_LIVING: u64 = 3;
/// Room at the beginning, beyond what equilateral triangles of the target length need.
const SPARE: f64 = 1.6;
/// Most room at the beginning, in sizes of the input.
const MOST_SPARE: f64 = 16.0;

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
    report: RemeshReport,
    /// The factor by which positions were multiplied: a power of two.
    scale: f64,
    gaps: Gaps,
    /// Vertices at which two features have become one, on either side.
    merged: u64,
    /// Positions before the moves that are still to be checked, with the option `no_self_intersections`.
    rest: Option<Buffer<Vec3>>,
    /// Whether faces are searched after each phase, with the option `no_self_intersections`.
    careful: bool,
    /// The search for such faces.
    search: Search,
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
    /// As [`Remesher::new`], with the given target lengths of the surface's vertices, or with those by
    /// curvature.
    fn with_lengths(
        surface: &mut Surface,
        options: &RemeshOptions,
        lengths: Option<Buffer<f32>>,
    ) -> Result<Self> {
        options.check()?;
        let start = Instant::now();
        let Extent { diagonal, scale, .. } = surface.extent("the mesh to remesh")?;
        let measures = Measures { mean: surface.mean_edge_length(scale)?, diagonal: diagonal * scale };
        let [vertices, edges, faces] = surface.sizes()?.map(|n| n as u64);
        let length = measures.resolve("target length", options.length, scale)?;
        let finer = (measures.mean / length as f64).powi(2);
        let spare = (SPARE * finer - 1.0).clamp(SPARE - 1.0, MOST_SPARE);
        let (mut dynamic, x) = surface.to_dynamic(spare as f32, scale)?;
        let mut values = Values::new(&dynamic, x)?;
        values.length = length;
        if options.no_self_intersections {
            values.barred = Some(DynamicAttribute::zeros(&dynamic)?);
        }
        let seams = surface.seams(&mut dynamic)?;
        let mut options = options.clone();
        let mut thin = false;
        if options.keep_sharp && options.feature_angle.is_none() {
            let found = survey(&mut dynamic, &mut values)?;
            options.feature_angle = found.sharp.then_some(SHARP_ANGLE);
            thin = found.thin;
        }
        if options.feature_angle.is_some() || thin {
            values.moved = Some(DynamicAttribute::zeros(&dynamic)?);
        }
        if options.feature_angle.is_some() && seams.is_none() {
            // the strip between two seams has a texture of its own, so features are merged only without seams
            values.merge = options.merge;
        }
        let options = &options;
        let features = find_curves(&mut dynamic, &mut values, seams, options)?;
        let (mut tolerance, mut most_faces) = (None, None);
        if let Some(adaptive) = options.adaptive {
            most_faces = Some(match adaptive.most_faces {
                Some(faces) => faces,
                None => 4 * faces.max(covering(&mut dynamic, &mut values)? as u64).max(FEW),
            });
            let distance = measures.resolve("tolerance", adaptive.tolerance, scale)?;
            match &lengths {
                Some(lengths) => {
                    values.size = Some(DynamicAttribute::from_buffer(&dynamic, lengths)?);
                    grade(&mut dynamic, &mut values)?;
                }
                None => {
                    find_sizes(&mut dynamic, &mut values, distance, adaptive.range.map(|l| l * length))?;
                }
            }
            tolerance = Some(Tolerance::new(distance, &adaptive, length));
        }
        let held = match options.boundary {
            Boundary::Fixed => hold_lengths(&mut dynamic, &mut values)?,
            _ => Held::default(),
        };
        if options.iterations > 0 {
            check_room(&mut dynamic, &mut values)?;
        }
        let mut input = None;
        if options.project || options.adaptive.is_some() {
            let positions = values.x.to_buffer(&dynamic)?;
            let curves = curve_tree(&mut dynamic, &mut values, &positions)?;
            values.near = Some(DynamicAttribute::zeros(&dynamic)?);
            let surface = match surface.tree()?.scaled(scale as f32) {
                Some(tree) => tree,
                None => Bvh::from_buffers(&positions, &dynamic.faces()?)?,
            };
            let compared = match (tolerance, &values.size) {
                (Some(tolerance), Some(size)) => {
                    let (faces, lengths) = (dynamic.faces()?, size.to_buffer(&dynamic)?);
                    Some(Compared { tolerance, x: positions, faces, lengths })
                }
                _ => None,
            };
            input = Some(Input { surface, curves, compared });
        }
        dynamic.device().synchronize()?;
        let before = Sizes { vertices, edges, faces };
        let report = RemeshReport {
            target_length: length as f64 / scale,
            features,
            kept_from: options.feature_angle,
            most_faces,
            held_back_by: held.edges,
            longest_fixed: held.longest as f64 / scale,
            tolerance: tolerance.map(|tolerance| tolerance.distance as f64 / scale),
            before,
            prepare_seconds: start.elapsed().as_secs_f64(),
            ..RemeshReport::default()
        };
        let options = options.clone();
        let (gaps, merged, rest, careful) = (Gaps::default(), 0, None, false);
        let (mesh, search) = (dynamic, Search::default());
        Ok(Self { mesh, values, options, input, report, scale, gaps, merged, rest, careful, search })
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
        let at_once = if self.report.most_faces.is_some() { LOOK_AFTER } else { SPLITS };
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
    fn exceeds(&self) -> bool {
        self.report.most_faces.is_some_and(|most| self.gaps.living_faces(&self.mesh) > most)
    }
    /// Collapses edges shorter than 4/5 of the target length.
    /// # Errors
    /// As [`Remesher::split`].
    pub fn collapse(&mut self) -> Result<Operations> {
        self.apart(NO_COLLAPSE, Self::collapse_freely)
    }
    fn collapse_freely(&mut self) -> Result<Operations> {
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
    fn smooth_freely(&mut self) -> Result<()> {
        self.rest()?;
        phases::smooth(&mut self.mesh, &mut self.values, &self.options)?;
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
    fn project_freely(&mut self) -> Result<()> {
        if self.input.is_some() {
            self.rest()?;
        }
        let Some(input) = &self.input else { return Ok(()) };
        let round = self.options.boundary == Boundary::Free;
        phases::project(&mut self.mesh, &mut self.values, input, round)?;
        self.check("projection")
    }
    /// Keeps the positions before moves that are to be checked.
    fn rest(&mut self) -> Result<()> {
        if self.values.barred.is_some() && self.rest.is_none() {
            self.rest = Some(self.values.x.to_buffer(&self.mesh)?);
        }
        Ok(())
    }
    /// Runs a phase. With the option `no_self_intersections` its faces are searched: moves of vertices are
    /// held back so that faces that move intersect no others; if the phase has made faces that intersect
    /// others, the vertices of these are barred, and the phase is taken back and repeated. That ends, since
    /// no face of barred vertices is made again.
    fn apart<T>(&mut self, bar: u32, run: impl Fn(&mut Self) -> Result<T>) -> Result<T> {
        if self.values.barred.is_none() {
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
    fn improve_apart(&mut self) -> Result<Iteration> {
        if self.values.barred.is_none() {
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
        if self.values.barred.is_some() {
            done.compact_seconds = self.compact()?;
        }
        self.report.seconds += start.elapsed().as_secs_f64();
        self.report.iterations.push(done);
        Ok(&self.report.iterations[self.report.iterations.len() - 1])
    }
    /// Runs the phases of an iteration after splits.
    fn improve(&mut self) -> Result<Iteration> {
        let mut done = Iteration { collapse: self.collapse_freely()?, ..Iteration::default() };
        if self.values.barred.is_none() {
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
    fn compare(&mut self) -> Result<Option<Comparison>> {
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
    fn end(&mut self) -> Result<()> {
        self.gaps.close(&mut self.mesh, &mut self.values)?;
        self.report.after = Sizes::of_ids(&self.mesh);
        Ok(())
    }
}
