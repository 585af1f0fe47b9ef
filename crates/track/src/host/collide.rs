//! Steps in which collisions are prevented.
use super::error::TrackError;
use super::grid_free::Before;
use super::phases;
use super::report::StepReport;
use super::tracker::Tracker;
use crate::collide::{CollideOptions, keep_apart};
use crate::values::{BUTTERFLY, HELD};
use glam::Vec3;
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::{DynamicAttribute, Operations, PassReport};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use std::time::Instant;

/// Distance to which impulses let surfaces come, as a part of the length.
const SEPARATION: f32 = 0.01;
/// The longest movement in one part of a step, in lengths.
const PART: f32 = 2.0;
/// Number of times that a phase is repeated, each time with more vertices held.
const TIMES: u32 = 6;

/// Phases of operations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Split,
    Flip,
    Collapse,
}

/// Refuses a surface that intersects itself.
pub fn refuse_crossing(device: &Device, points: &[Vec3], faces: &[[u32; 3]]) -> Result<(), TrackError> {
    let (positions, faces) = (device.upload(points)?, device.upload(faces.as_flattened())?);
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces })?.pairs;
    match pairs.is_empty() {
        true => Ok(()),
        false => {
            let first = pairs.read_range(0, 1)?;
            let faces = first.first().copied().unwrap_or_default();
            Err(TrackError::Crossing { faces, pairs: pairs.len() as u64 })
        }
    }
}

impl Tracker {
    /// Copies the positions before vertices move; `None` unless collisions are prevented.
    pub(super) fn places(&self) -> Result<Option<Buffer<Vec3>>, TrackError> {
        let copy = || self.values.x.to_buffer(&self.mesh);
        Ok(self.options.collisions.then(copy).transpose()?)
    }
    /// Prevents collisions on the movement from `places`. Waits.
    pub(super) fn keep_apart(
        &mut self,
        places: Option<Buffer<Vec3>>,
        report: &mut StepReport,
    ) -> Result<(), TrackError> {
        let Some(before) = places else { return Ok(()) };
        let start = Instant::now();
        let mut after = self.values.x.to_buffer(&self.mesh)?;
        let faces = phases::living_faces(&self.mesh)?;
        let options = CollideOptions {
            separation: SEPARATION * self.length,
            part: PART * self.length,
            ..CollideOptions::default()
        };
        let done = match keep_apart(&before, &mut after, &faces, &options) {
            Ok(done) => done,
            Err(error) => {
                self.values.x = DynamicAttribute::from_buffer(&self.mesh, &before)?;
                return Err(error.into());
            }
        };
        if !done.is_unchanged() {
            self.values.x = DynamicAttribute::from_buffer(&self.mesh, &after)?;
        }
        let found = report.collisions.get_or_insert_default();
        found.add(&done);
        found.seconds += start.elapsed().as_secs_f64();
        Ok(())
    }
    /// Runs a phase of operations. If collisions are prevented and faces intersect after it, it is undone,
    /// and repeated with the vertices of these faces held, until no faces intersect; at last it is left out.
    pub(super) fn phase(
        &mut self,
        phase: Phase,
        report: &mut StepReport,
    ) -> Result<(PassReport, Operations), TrackError> {
        if !self.options.collisions {
            return self.operate_in(phase);
        }
        let start = Instant::now();
        let before = Before::new(self)?;
        let vertices = self.mesh.ids(ElementKind::Vertex);
        let mut held: Vec<u32> = vec![];
        let (mut undone, mut outcome) = (0, None);
        for _ in 0..TIMES {
            if !held.is_empty() {
                self.mark_held(&held)?;
            }
            let done = self.operate_in(phase)?;
            let changed = done.0.executed > 0;
            let blamed = if changed { self.corners_of_intersecting(vertices)? } else { None };
            let Some(blamed) = blamed else {
                outcome = Some(done);
                break;
            };
            before.restore(self)?;
            undone += 1;
            let known = held.len();
            held.extend(blamed);
            held.sort_unstable();
            held.dedup();
            if held.len() == known {
                break;
            }
        }
        if outcome.is_none() && phase == Phase::Split {
            let flags = self.values.criteria.flags;
            self.values.criteria.flags &= !BUTTERFLY;
            let done = self.operate_in(phase);
            self.values.criteria.flags = flags;
            let done = done?;
            match self.corners_of_intersecting(vertices)? {
                None => outcome = Some(done),
                Some(_) => before.restore(self)?,
            }
        }
        let found = report.collisions.get_or_insert_default();
        found.undone += undone;
        let done = match outcome {
            Some(done) => {
                if !held.is_empty() {
                    self.mark_held(&[])?;
                }
                done
            }
            None => {
                found.left_out += 1;
                Default::default()
            }
        };
        found.seconds += start.elapsed().as_secs_f64();
        Ok(done)
    }
    /// Holds these vertices, and no others.
    fn mark_held(&mut self, held: &[u32]) -> Result<(), TrackError> {
        let mut ranks = self.values.rank.read(&self.mesh)?;
        ranks.iter_mut().for_each(|rank| *rank &= !HELD);
        held.iter().for_each(|v| ranks[*v as usize] |= HELD);
        self.values.rank = DynamicAttribute::from_ids(&self.mesh, &ranks)?;
        Ok(())
    }
    /// The corners of faces that intersect others, those with ids below a bound; `None` if no faces do.
    /// Waits.
    fn corners_of_intersecting(&self, vertices: u32) -> Result<Option<Vec<u32>>, TrackError> {
        let faces = phases::living_faces(&self.mesh)?;
        let pairs = self.pairs_among(&faces)?;
        if pairs.is_empty() {
            return Ok(None);
        }
        let faces = faces.read()?;
        let corners = pairs.as_flattened().iter().flat_map(|face| &faces[3 * *face as usize..][..3]);
        Ok(Some(corners.copied().filter(|v| *v < vertices).collect()))
    }
}
