//! A motion is changed so that nothing collides.
use crate::error::CollideError;
use crate::find::{Collision, Moved, colliding_faces, of_pairs};
use crate::zones::{Zones, rigid};
use glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Error};
use ribbonmesh_intersections::{Triangles, self_intersections};

/// Rounds in which what collides is stopped; in the one after these nothing moves.
const STOPS: u32 = 64;

/// Options of [`keep_apart`].
#[derive(Clone, Debug, PartialEq)]
pub struct CollideOptions {
    /// How near impulses let elements come to each other: a length, at least 0. What is nearer comes no nearer. What does
    /// not collide may be nearer.
    pub separation: f32,
    /// Rounds of impulses.
    pub impulses: u32,
    /// Rounds after these in which what collides moves as one rigid body.
    pub zones: u32,
}
impl Default for CollideOptions {
    fn default() -> Self {
        Self { separation: 0.0, impulses: 6, zones: 6 }
    }
}

/// What [`keep_apart`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollideReport {
    /// Collisions of the motion that was given.
    pub collisions: u64,
    /// Impulses in all rounds.
    pub impulses: u64,
    /// Rigid zones at the end of their rounds.
    pub zones: u64,
    /// Vertices that do not move, as nothing else kept them from colliding.
    pub stopped: u64,
    /// Searches.
    pub rounds: u32,
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
        // too large for single precision
        self.after[vertex as usize] = if x.is_finite() { x } else { self.before[vertex as usize] };
    }
    fn way(&self, vertex: u32) -> DVec3 {
        self.after[vertex as usize].as_dvec3() - self.before[vertex as usize].as_dvec3()
    }
    /// Inelastic impulses, one collision after the other: along the normal the closest points come no nearer than
    /// `separation`, or than they were.
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
}

/// Changes where vertices go, so that nothing collides on the way, and no two faces intersect at the end. Waits.
///
/// In this order, until nothing collides: inelastic impulses (Bridson, Fedkiw and Anderson 2002), one after the other, in a few
/// rounds; rigid impact zones, which grow (the same; Harmon and others 2008); and vertices that still collide stay where they are. As what does
/// not move collides with nothing that does not move either, this ends. The collisions come from the device; the rest is the host's, in double
/// precision, in the order of the vertices: on one machine always the same. What was got is searched for intersections, exactly.
/// # Errors
/// As [`colliding_faces`]: then nothing has changed. [`CollideError::Intersects`] if faces intersect before they move: then `after` is
/// `before`. [`Error::Option`].
pub fn keep_apart(
    before: &Buffer<Vec3>,
    after: &mut Buffer<Vec3>,
    faces: &Buffer<u32>,
    options: &CollideOptions,
) -> Result<CollideReport, CollideError> {
    let separation = options.separation;
    if !(separation >= 0.0 && separation.is_finite()) {
        let expected = "a length, at least 0";
        return Err(Error::Option { option: "separation", value: separation.to_string(), expected }.into());
    }
    let mut pairs = colliding_faces(Moved { before, after, faces })?;
    if !pairs.is_empty() {
        let mut motion = Motion {
            stopped: vec![false; before.len()],
            before: before.read()?,
            after: after.read()?,
            faces: faces.read()?,
            report: CollideReport::default(),
        };
        let report = respond(&mut motion, &mut pairs, options, |given| {
            after.write(given)?;
            colliding_faces(Moved { before, after, faces })
        })?;
        return finish(before, after, faces, report);
    }
    finish(before, after, faces, CollideReport { rounds: 1, ..CollideReport::default() })
}

/// The rounds, with a search after each.
fn respond(
    motion: &mut Motion,
    pairs: &mut Vec<[u32; 2]>,
    options: &CollideOptions,
    mut search: impl FnMut(&[Vec3]) -> ribbonmesh::Result<Vec<[u32; 2]>>,
) -> Result<CollideReport, CollideError> {
    let (impulses, zones) = (options.impulses, options.impulses.saturating_add(options.zones));
    let mut joined = Zones::new(motion.before.len());
    let mut round = 0;
    while !pairs.is_empty() {
        let found = of_pairs(&motion.before, &motion.after, &motion.faces, pairs);
        if round == 0 {
            motion.report.collisions = found.len() as u64;
        }
        if found.is_empty() {
            // the device sees a collision where the host sees none: these faces stop
            for face in pairs.as_flattened() {
                (0..3).for_each(|corner| motion.stop(motion.faces[3 * *face as usize + corner]));
            }
        } else if round < impulses {
            motion.push(&found, f64::from(options.separation));
        } else if round < zones {
            found.iter().for_each(|collision| joined.join(collision.vertices));
            let all = joined.all();
            motion.report.zones = all.len() as u64;
            all.iter().for_each(|zone| motion.move_rigidly(zone));
        } else if round < zones.saturating_add(STOPS) {
            found.iter().flat_map(|collision| collision.vertices).for_each(|v| motion.stop(v));
        } else {
            (0..motion.before.len() as u32).for_each(|v| motion.stop(v));
        }
        round += 1;
        *pairs = search(&motion.after)?;
    }
    motion.report.stopped = motion.stopped.iter().filter(|stopped| **stopped).count() as u64;
    motion.report.rounds = round + 1;
    Ok(motion.report)
}

/// The exact search. Where it finds anything nothing moves.
fn finish(
    before: &Buffer<Vec3>,
    after: &mut Buffer<Vec3>,
    faces: &Buffer<u32>,
    mut report: CollideReport,
) -> Result<CollideReport, CollideError> {
    let search = |positions: &Buffer<Vec3>| self_intersections(Triangles { positions, faces })?.pairs.read();
    if !search(after)?.is_empty() {
        after.write(&before.read()?)?;
        report.stopped = before.len() as u64;
        let pairs = search(before)?;
        if let Some(first) = pairs.first() {
            return Err(CollideError::Intersects { faces: *first, pairs: pairs.len() as u64 });
        }
    }
    Ok(report)
}
