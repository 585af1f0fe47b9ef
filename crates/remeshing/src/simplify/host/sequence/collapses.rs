//! Collapses in the order of their costs.
use super::begin::FIXED;
use super::collapse::{Around, Limits, Vertices};
use super::queue::{BUCKETS, DOUBLE, Queue, end_for};
use crate::check::Apart;
use crate::simplify::price;
use crate::simplify::values::NEVER;
use crate::triangles::{Mesh, Spoke, Star};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::device::HalfEdge;
use ribbonmesh::dynamic::PassReport;
use ribbonmesh::{Error, Result, Watch};

/// A mesh whose edges are collapsed, the cheapest first.
///
/// Costs never decrease by collapses around an edge, since quadrics are sums: the cost with which an edge
/// stands in the queue is at most its present one. So edges are priced again when they come first, not when
/// something around them changes; if they cost more by then, they go back into the queue.
pub struct Collapses {
    pub mesh: Mesh,
    pub vertices: Vertices,
    limits: Limits,
    /// Number of faces that are not deleted.
    faces: u32,
    queue: Queue,
    around: Around,
    /// For requeuing.
    star: Star,
    /// Whether the collapse of an edge at each vertex was rejected, and has not been tried again.
    refused: Vec<bool>,
    /// Keeps faces apart that did not intersect.
    apart: Option<Apart>,
    /// Faces that collapses have removed, by the buckets of their costs.
    pub removed: Vec<u32>,
}

/// Flag of a side: it stands in the queue for its edge.
const QUEUED: u32 = 1 << 8;
/// Flag of a side: the collapse of its edge was rejected.
const REFUSED: u32 = 1 << 16;

/// Number of faces, in those of the target, from which on edges come in the order of their costs in all of
/// the mesh. Before, they come part by part, since all of them are cheaper than those at the end; what counts
/// then is the order among neighbours.
pub const ORDERED: f64 = 1.25;

/// Edges that are tried between two looks at the watch: about a millisecond.
const WATCHED: u32 = 1 << 10;

impl Collapses {
    /// Of a mesh with all of its faces. `apart`: whether collapses may make no faces that intersect others.
    pub fn new(mesh: Mesh, vertices: Vertices, limits: Limits, apart: bool) -> Self {
        let corners = |f: usize| mesh.corners(f).map(|corners| corners.map(|v| vertices.x[v as usize]));
        Self {
            apart: apart.then(|| Apart::new(mesh.len(), corners)),
            limits,
            faces: mesh.len() as u32,
            queue: Queue::new(mesh.len()),
            around: Around::default(),
            star: Star::default(),
            refused: vec![false; vertices.x.len()],
            removed: vec![0; BUCKETS],
            mesh,
            vertices,
        }
    }
    /// Number of faces.
    pub fn faces(&self) -> u32 {
        self.faces
    }
    /// Cosine of the angle by which faces may turn.
    pub fn turn(&self) -> f32 {
        self.limits.turn
    }
    /// The limits of collapses.
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }
    /// Whether collapses may make no faces that intersect others.
    pub(super) fn keeps_apart(&self) -> bool {
        self.apart.is_some()
    }
    /// Replaces the mesh by one of the same faces, so many of which are not deleted.
    pub(super) fn put_mesh(&mut self, mesh: Mesh, faces: u32) {
        (self.mesh, self.faces) = (mesh, faces);
    }
    /// Goes through all edges once, and through those again around which something has changed, until the
    /// number of faces is the target, or one less. Of the report's own words the first is the number of faces
    /// before, the second that of edges that were tried, the third that of collapses that would have made
    /// faces intersect.
    /// # Errors
    /// [`Error::Stopped`] by the watch.
    pub fn run(&mut self, target: u32, watch: Option<&Watch>) -> Result<PassReport> {
        self.enqueue();
        self.empty_queue(target, watch)
    }
    /// The cost of the edge of a half-edge, and the point to which it would collapse.
    #[inline(always)]
    fn price(&self, h: HalfEdge) -> (u32, Vec3) {
        let v = &self.vertices;
        let ends = [self.mesh.from(h), self.mesh.to(h)].map(|u| u as usize);
        let kinds = ends.map(|u| v.kinds[u]);
        if kinds.contains(&FIXED) {
            return (NEVER, v.x[ends[0]]);
        }
        let quadrics = || ends.map(|u| v.quadrics[u]);
        let bound = self.limits.bound.unwrap_or(f32::INFINITY);
        price::of_ends(ends.map(|u| v.x[u]), kinds, self.mesh.of_curve(h), bound, quadrics)
    }
    /// Puts all edges that have a cost into an empty queue.
    pub(super) fn enqueue(&mut self) {
        let of_edge = |h: HalfEdge| {
            let other = self.mesh.twin(h).is_some_and(|t| t.index() < h.index());
            if other { NEVER } else { self.price(h).0 }
        };
        let of_face = |f: usize| match self.mesh.corners(f) {
            Some(_) => Mesh::half_edges(f).map(of_edge),
            None => [NEVER; 3],
        };
        let costs: Vec<[u32; 3]> = (0..self.mesh.len()).into_par_iter().map(of_face).collect();
        self.queue = Queue::new(self.mesh.len());
        self.refused.fill(false);
        for (f, costs) in costs.into_iter().enumerate() {
            for (h, cost) in Mesh::half_edges(f).into_iter().zip(costs) {
                self.mesh.take(h, QUEUED | REFUSED);
                if cost < NEVER {
                    self.mesh.set(h, QUEUED);
                    self.queue.push(h, Queue::bucket_of(cost));
                }
            }
        }
    }
    /// Tries the edges of the queue until it is empty or the target is reached.
    fn empty_queue(&mut self, target: u32, watch: Option<&Watch>) -> Result<PassReport> {
        let mut run = PassReport::default();
        run.own[0] = self.faces;
        let ordered = (ORDERED * target as f64) as u32;
        loop {
            self.sweep(target, watch, &mut run)?;
            if self.faces <= target {
                break;
            }
            // about how many edges are given out, part by part, before costs of all parts are compared again
            let share = self.faces.saturating_sub(ordered) as usize;
            let Some(end) = end_for(self.queue.counts(), share) else { break };
            self.queue.open(end);
        }
        Ok(run)
    }
    /// Opens the buckets of the queue before this one, for [`Collapses::sweep`].
    pub(super) fn open(&mut self, end: usize) {
        self.queue.open(end);
    }
    /// Number of edges in each bucket of the queue.
    pub(super) fn counts(&self) -> &[usize] {
        self.queue.counts()
    }
    /// Tries the edges of the open buckets until there are only so many faces.
    pub(super) fn sweep(&mut self, faces: u32, watch: Option<&Watch>, run: &mut PassReport) -> Result<()> {
        let [_, selected, crossing, ..] = &mut run.own;
        while self.faces > faces
            && let Some(h) = self.queue.pop()
        {
            if !self.mesh.lives(h) || !self.mesh.take(h, QUEUED) {
                continue;
            }
            let (cost, place) = self.price(h);
            if cost >= NEVER {
                continue;
            }
            let bucket = Queue::bucket_of(cost);
            if bucket > self.queue.bucket() {
                self.mesh.set(h, QUEUED);
                self.queue.push(h, bucket);
                continue;
            }
            *selected += 1;
            if selected.is_multiple_of(WATCHED) && watch.is_some_and(Watch::is_stopped) {
                return Err(Error::Stopped);
            }
            match self.around.allow(&self.mesh, &self.vertices, &self.limits, h, place) {
                Ok(_) if self.crosses(h, place) => {
                    *crossing += 1;
                    self.refuse(h);
                }
                Ok(join) => {
                    run.executed += 1;
                    let removed = self.around.collapse(&mut self.mesh, &mut self.vertices, h, place, &join);
                    self.faces -= removed;
                    self.removed[bucket] += removed;
                    self.note_change();
                    self.look_again();
                }
                Err(reason) => {
                    run.rejected[reason.index() as usize] += 1;
                    self.refuse(h);
                }
            }
        }
        Ok(())
    }
    /// Whether the collapse of `h`, around which the faces are known, would make faces that intersect others,
    /// if that counts.
    fn crosses(&mut self, h: HalfEdge, p: Vec3) -> bool {
        let Some(apart) = &mut self.apart else { return false };
        let (mesh, x) = (&self.mesh, &self.vertices.x);
        let ends = [mesh.from(h), mesh.to(h)];
        let made = self.around.stars.iter().flat_map(Star::spokes).map(|spoke| spoke.others);
        let made = made.filter(|others| !others.iter().any(|u| ends.contains(u)));
        let stays = |f: u32| {
            let corners = mesh.corners(f as usize)?;
            let stays = !corners.iter().any(|v| ends.contains(v));
            stays.then(|| corners.map(|v| x[v as usize]))
        };
        apart.crosses(made.map(|[u, w]| [p, x[u as usize], x[w as usize]]), stays)
    }
    /// Tells the tree, if there is one, of the faces of a collapse.
    fn note_change(&mut self) {
        let Some(apart) = &mut self.apart else { return };
        let faces = self.around.stars.iter().flat_map(Star::spokes).map(|spoke| spoke.side.face().index());
        let (mesh, x) = (&self.mesh, &self.vertices.x);
        let corners = |f: u32| mesh.corners(f as usize).map(|corners| corners.map(|v| x[v as usize]));
        apart.change(faces.map(|f| (f, corners(f))));
    }
    /// Leaves an edge alone until something around it has changed.
    fn refuse(&mut self, h: HalfEdge) {
        self.mesh.set(h, REFUSED);
        for v in [self.mesh.from(h), self.mesh.to(h)] {
            self.refused[v as usize] = true;
        }
    }
    /// Puts the edges into the queue that a collapse has changed: those of its vertex that are not there, and
    /// those around that were refused. The latter come later, so that they are tried once for several
    /// collapses around them.
    fn look_again(&mut self) {
        let now = self.queue.bucket();
        let later = now + DOUBLE;
        for star in &self.around.stars {
            for &Spoke { side, others } in star.spokes() {
                if !self.mesh.lives(side) {
                    continue;
                }
                // the other side of each face is the first one of the next, but at the boundary
                let last = self.mesh.twin(side.prev()).is_none();
                for (spoke, outer, u) in
                    [(side, side.next(), others[0]), (side.prev(), side.prev(), others[1])]
                {
                    if spoke != side && !last {
                        break;
                    }
                    if !is_queued(&self.mesh, spoke) {
                        let refused = take_refused(&mut self.mesh, spoke);
                        self.mesh.set(spoke, QUEUED);
                        self.queue.push(spoke, if refused { later } else { now });
                    }
                    if self.refused[u as usize] {
                        let all = requeue(&mut self.mesh, &mut self.queue, &mut self.star, outer, later);
                        self.refused[u as usize] = !all;
                    }
                }
            }
        }
    }
}

/// Adds what one report counts to another.
pub fn add(sum: &mut PassReport, one: &PassReport) {
    sum.executed += one.executed;
    sum.rejected.iter_mut().zip(one.rejected).for_each(|(sum, n)| *sum += n);
    sum.own.iter_mut().zip(one.own).for_each(|(sum, n)| *sum += n);
}

fn is_queued(mesh: &Mesh, h: HalfEdge) -> bool {
    mesh.has(h, QUEUED) || mesh.twin(h).is_some_and(|t| mesh.has(t, QUEUED))
}
fn take_refused(mesh: &mut Mesh, h: HalfEdge) -> bool {
    let twin = mesh.twin(h).is_some_and(|t| mesh.take(t, REFUSED));
    mesh.take(h, REFUSED) | twin
}
/// Puts the edges at the start of `h` that were refused into a bucket of the queue; false if they are too
/// many for any of them to be collapsed.
fn requeue(mesh: &mut Mesh, queue: &mut Queue, star: &mut Star, h: HalfEdge, bucket: usize) -> bool {
    if !star.fill(mesh, h) {
        return false;
    }
    for &Spoke { side, .. } in star.spokes() {
        for spoke in [side, side.prev()] {
            if take_refused(mesh, spoke) && !is_queued(mesh, spoke) {
                mesh.set(spoke, QUEUED);
                queue.push(spoke, bucket);
            }
        }
    }
    true
}
