//! Change of a motion so that nothing collides.
use crate::collide::error::CollideError;
use crate::collide::find::{Collision, Moved, colliding, of_pairs};
use crate::collide::zones::{Zones, rigid};
use glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Error};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};

/// Rounds in which colliding vertices are stopped. In later rounds more and more vertices around them are
/// stopped, too.
const STOPS: u32 = 16;
/// Rounds after these, in each of which twice as many rings of faces are stopped; at last no vertex moves.
const RINGS: u32 = 12;
/// Most parts of a step.
const PARTS: f32 = 1024.0;

/// Options of [`keep_apart`].
#[derive(Clone, Debug, PartialEq)]
pub struct CollideOptions {
    /// Distance to which impulses let elements come to each other: a length, at least 0. Elements that are
    /// nearer come no nearer. Elements that do not collide may be nearer.
    pub separation: f32,
    /// Rounds of impulses.
    pub impulses: u32,
    /// Rounds after these in which colliding vertices move as one rigid body.
    pub zones: u32,
    /// The longest movement of a vertex in one part of the step: a length above 0. If vertices move farther,
    /// the step is made in parts, at most 1,024, each with its own search and response. Boxes around long
    /// movements meet many others, so that a search takes long.
    pub part: f32,
}
impl Default for CollideOptions {
    fn default() -> Self {
        Self { separation: 0.0, impulses: 6, zones: 6, part: f32::INFINITY }
    }
}

/// Report of [`keep_apart`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollideReport {
    /// Collisions of the given motion.
    pub collisions: u64,
    /// Impulses in all rounds.
    pub impulses: u64,
    /// Rigid zones at the end of their rounds.
    pub zones: u64,
    /// Vertices that were stopped because nothing else prevented their collisions; in parts of a step, the
    /// sum over these.
    pub stopped: u64,
    /// Searches for collisions.
    pub rounds: u32,
    /// Parts of the step.
    pub parts: u32,
}
impl CollideReport {
    /// Whether the motion is the given one.
    pub fn is_unchanged(&self) -> bool {
        self.rounds == self.parts
    }
    fn add(&mut self, part: &Self) {
        self.collisions += part.collisions;
        self.impulses += part.impulses;
        self.zones += part.zones;
        self.stopped += part.stopped;
        self.rounds += part.rounds;
        self.parts += part.parts;
    }
}

/// A motion on the host.
struct Motion {
    before: Vec<Vec3>,
    after: Vec<Vec3>,
    faces: Vec<u32>,
    stopped: Vec<bool>,
    report: CollideReport,
}

impl Motion {
    fn place(&mut self, vertex: u32, x: DVec3) {
        let x = x.as_vec3();
        // a result too large for single precision is not used
        self.after[vertex as usize] = if x.is_finite() { x } else { self.before[vertex as usize] };
    }
    fn way(&self, vertex: u32) -> DVec3 {
        self.after[vertex as usize].as_dvec3() - self.before[vertex as usize].as_dvec3()
    }
    /// Applies inelastic impulses, one collision after the other: along the normal the closest points then
    /// come no nearer than `separation`, or than they were before.
    fn push(&mut self, found: &[Collision], separation: f64) {
        for Collision { vertices, contact, .. } in found {
            let length = contact.normal.length();
            let square: f64 = contact.weights.iter().map(|w| w * w).sum();
            if !(length > 0.0 && square > 0.0) {
                continue;
            }
            let n = contact.normal / length;
            let (mut gap, mut change) = (0.0, 0.0);
            for (v, w) in vertices.iter().zip(contact.weights) {
                gap += w * n.dot(self.before[*v as usize].as_dvec3());
                change += w * n.dot(self.way(*v));
            }
            let wanted = (separation - gap).min(0.0);
            if change < wanted {
                let impulse = (wanted - change) / square;
                for (v, w) in vertices.iter().zip(contact.weights) {
                    let x = self.after[*v as usize].as_dvec3();
                    self.place(*v, x + n * (impulse * w));
                }
                self.report.impulses += 1;
            }
        }
    }
    fn move_rigidly(&mut self, zone: &[u32]) {
        let x: Vec<DVec3> = zone.iter().map(|v| self.before[*v as usize].as_dvec3()).collect();
        let ways: Vec<DVec3> = zone.iter().map(|v| self.way(*v)).collect();
        for (v, x) in zone.iter().zip(rigid(&x, &ways)) {
            self.place(*v, x);
        }
    }
    fn stop(&mut self, vertex: u32) {
        let v = vertex as usize;
        self.stopped[v] |= self.after[v] != self.before[v];
        self.after[v] = self.before[v];
    }
    /// Stops vertices and those in this many rings of faces around them.
    fn stop_around(&mut self, vertices: impl IntoIterator<Item = u32>, rings: u32) {
        let mut near = vec![false; self.before.len()];
        vertices.into_iter().for_each(|v| near[v as usize] = true);
        for _ in 0..rings {
            let mut next = near.clone();
            let mut grows = false;
            for face in self.faces.as_chunks::<3>().0 {
                if face.iter().any(|v| near[*v as usize]) {
                    for v in face {
                        grows |= !std::mem::replace(&mut next[*v as usize], true);
                    }
                }
            }
            near = next;
            if !grows {
                break;
            }
        }
        for (v, _) in near.iter().enumerate().filter(|(_, near)| **near) {
            self.stop(v as u32);
        }
    }
    /// Number of rings that are stopped around vertices that still collide; `None` to stop all vertices.
    fn rings(round: u32) -> Option<u32> {
        match round.checked_sub(STOPS) {
            None => Some(0),
            Some(more) if more < RINGS => Some(1 << more),
            Some(_) => None,
        }
    }
    fn corners(&self, pairs: &[[u32; 2]]) -> Vec<u32> {
        let faces = pairs.as_flattened().iter();
        faces.flat_map(|face| self.faces[3 * *face as usize..][..3].iter().copied()).collect()
    }
}

/// Changes the new positions of vertices, so that nothing collides on the way, and no two faces intersect at
/// the end. Waits.
///
/// In this order, until nothing collides: inelastic impulses (Bridson, Fedkiw and Anderson 2002), one after
/// the other, in a few rounds; rigid impact zones, which grow (the same; Harmon and others 2008); and at
/// last, vertices that still collide are stopped, with more and more vertices around them. This ends, since
/// two elements that do not move do not collide. The device finds the collisions; the rest is computed on the
/// host, in double precision, in the order of the vertices, so that one machine always gives the same result.
///
/// Faces must not intersect at the beginning; then faces that do not collide on the way do not intersect at
/// the end. A changed motion is nevertheless searched exactly for intersections. This search reports faces
/// that intersected at the beginning; without a change they are not detected.
/// # Errors
/// As [`colliding_faces`](crate::collide::colliding_faces); [`CollideError::Intersects`] if faces are found
/// to intersect before they move; [`Error::Option`]. After an error `after` has neither the motion that was
/// given nor one without collisions.
pub fn keep_apart(
    before: &Buffer<Vec3>,
    after: &mut Buffer<Vec3>,
    faces: &Buffer<u32>,
    options: &CollideOptions,
) -> Result<CollideReport, CollideError> {
    let wrong = |option, value: f32, expected| Error::Option { option, value: value.to_string(), expected };
    let CollideOptions { separation, part, .. } = *options;
    if !(separation >= 0.0 && separation.is_finite()) {
        return Err(wrong("separation", separation, "a length, at least 0").into());
    }
    if part.is_nan() || part <= 0.0 {
        return Err(wrong("part", part, "a length above 0").into());
    }
    let way = Moved { before, after, faces }.check()?;
    let parts = (way / part).ceil().clamp(1.0, PARTS);
    if parts == 1.0 {
        return in_one_part(before, after, faces, options);
    }
    let (from, to) = (before.read()?, after.read()?);
    let mut report = CollideReport::default();
    let (mut begin, mut now) = (before.try_clone()?, from.clone());
    for part in 1..=parts as u32 {
        // as far along its movement as it would be, plus the displacement that the parts before have made
        let place = |v: usize, part: u32| match part as f32 / parts {
            1.0 => to[v],
            t => from[v] + (to[v] - from[v]) * t,
        };
        let given: Vec<Vec3> =
            (0..from.len()).map(|v| place(v, part) + (now[v] - place(v, part - 1))).collect();
        after.write(&given)?;
        let done = in_one_part(&begin, after, faces, options)?;
        now = if done.is_unchanged() { given } else { after.read()? };
        begin.write(&now)?;
        report.add(&done);
    }
    Ok(report)
}

/// Runs one part of the step.
fn in_one_part(
    before: &Buffer<Vec3>,
    after: &mut Buffer<Vec3>,
    faces: &Buffer<u32>,
    options: &CollideOptions,
) -> Result<CollideReport, CollideError> {
    let mut pairs = colliding(Moved { before, after, faces })?;
    if pairs.is_empty() {
        return Ok(CollideReport { rounds: 1, parts: 1, ..CollideReport::default() });
    }
    let mut motion = Motion {
        stopped: vec![false; before.len()],
        before: before.read()?,
        after: after.read()?,
        faces: faces.read()?,
        report: CollideReport { parts: 1, rounds: 1, ..CollideReport::default() },
    };
    let mut limits = [options.impulses, options.zones];
    let mut round = 0;
    loop {
        respond(&mut motion, &mut pairs, limits, options.separation, |given| {
            after.write(given)?;
            colliding(Moved { before, after, faces })
        })?;
        // the exact search decides
        let crossing = self_intersections(Triangles { positions: after, faces })?.pairs.read()?;
        if crossing.is_empty() {
            break;
        }
        let first = self_intersections(Triangles { positions: before, faces })?.pairs;
        if !first.is_empty() {
            let faces = first.read_range(0, 1)?.first().copied().unwrap_or_default();
            return Err(CollideError::Intersects { faces, pairs: first.len() as u64 });
        }
        let corners = motion.corners(&crossing);
        match Motion::rings(round) {
            Some(rings) => motion.stop_around(corners, rings),
            None => (0..motion.before.len() as u32).for_each(|v| motion.stop(v)),
        }
        round += 1;
        limits = [0; 2];
        after.write(&motion.after)?;
        pairs = colliding(Moved { before, after, faces })?;
        motion.report.rounds += 1;
    }
    motion.report.stopped = motion.stopped.iter().filter(|stopped| **stopped).count() as u64;
    Ok(motion.report)
}

/// Runs the rounds, with a search after each, until nothing collides.
fn respond(
    motion: &mut Motion,
    pairs: &mut Vec<[u32; 2]>,
    [impulses, zones]: [u32; 2],
    separation: f32,
    mut search: impl FnMut(&[Vec3]) -> ribbonmesh::Result<Vec<[u32; 2]>>,
) -> Result<(), CollideError> {
    let zones = impulses.saturating_add(zones);
    let mut joined = Zones::new(motion.before.len());
    let mut round = 0;
    while !pairs.is_empty() {
        let found = of_pairs(&motion.before, &motion.after, &motion.faces, pairs);
        if motion.report.rounds == 1 {
            motion.report.collisions = found.len() as u64;
        }
        if round < impulses && !found.is_empty() {
            motion.push(&found, f64::from(separation));
        } else if round < zones && !found.is_empty() {
            found.iter().for_each(|collision| joined.join(collision.vertices));
            let all = joined.all();
            motion.report.zones = all.len() as u64;
            all.iter().for_each(|zone| motion.move_rigidly(zone));
        } else {
            // if the device finds a collision and the host does not, the faces are stopped
            let stopped: Vec<u32> = match found.is_empty() {
                true => motion.corners(pairs),
                false => found.iter().flat_map(|collision| collision.vertices).collect(),
            };
            match Motion::rings(round.saturating_sub(zones)) {
                Some(rings) => motion.stop_around(stopped, rings),
                None => (0..motion.before.len() as u32).for_each(|v| motion.stop(v)),
            }
        }
        round += 1;
        *pairs = search(&motion.after)?;
        motion.report.rounds += 1;
    }
    Ok(())
}
