//! Planning: what a filling would make, and whether it may.
use crate::device::{Element, HalfEdge, NONE, VertexId};
use crate::dynamic::cavity::{Cavity, SLOTS};
use crate::dynamic::fill::{Corner, Fill, NewFace, Side};
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::operator::Operator;
use crate::dynamic::probe::Probe;
use crate::dynamic::rejection::{Rejection, rejections};
use crate::dynamic::site::Site;

/// Ids from here on are of elements to be: of vertices, darts and faces.
pub const NEW: u32 = 1 << 31;

/// The index of the claim of an edge to be, from its ends.
#[inline(always)]
pub fn slot(m: impl Site, u: u32, w: u32) -> u32 {
    let (low, high) = if u < w { (u, w) } else { (w, u) };
    (low * 2 + (high.wrapping_mul(0x9E37_79B1) >> 31)) & (m.slots() - 1)
}
/// As [`slot`], for a vertex of the loop that gets a hole, loses the faces it has here, or must belong to no
/// other cavity.
#[inline(always)]
fn vertex_slot(m: impl Site, v: u32) -> u32 {
    (v * 2) & (m.slots() - 1)
}
/// As [`slot`], for a face to be.
#[inline(always)]
fn face_slot(m: impl Site, [a, b, c]: [u32; 3]) -> u32 {
    let sum = a.wrapping_add(b).wrapping_add(c);
    sum.wrapping_mul(0x9E37_79B1) & (m.slots() - 1)
}

/// The declared abilities of an operator's filling.
#[derive(Clone, Copy)]
struct May {
    /// Claim edges, faces and vertices.
    chords: bool,
    /// Ask for vertices.
    exclusive: bool,
}

/// Counts, checks, and does something with the slot of each edge to be between vertices of the loop.
pub struct Plan<'a, 'c, E, M: Site, S: FnMut(u32)> {
    m: M,
    cavity: &'c Cavity<'a, E>,
    may: May,
    /// Whether all was found good already, and claims are looked at again.
    again: bool,
    slot: S,
    vertices: u32,
    edges: u32,
    faces: u32,
    of_loop: u32,
    of_new: u32,
    /// Sums over the sides of loop and new edges that were used, by which one that is used twice shows.
    sum: [u32; 2],
    /// The number of the first reason why it is rejected, or `NONE`.
    rejected: u32,
}

/// Faces around a vertex that are visited to find out whether it has an edge, before the other end is tried.
const FEW_OUTSIDE: u32 = 512;

/// A number that sums of few darts do not mix up.
#[inline(always)]
pub fn mix(dart: u32) -> u32 {
    let x = dart.wrapping_mul(0x9E37_79B1);
    (x ^ x >> 15).wrapping_mul(0x85EB_CA6B)
}

impl<'a, 'c, E: Element, M: Site, S: FnMut(u32)> Plan<'a, 'c, E, M, S> {
    #[inline(always)]
    fn new(m: M, cavity: &'c Cavity<'a, E>, may: May, again: bool, slot: S) -> Self {
        Self {
            m,
            cavity,
            may,
            again,
            slot,
            vertices: 0,
            edges: 0,
            faces: 0,
            of_loop: 0,
            of_new: 0,
            sum: [0; 2],
            rejected: NONE,
        }
    }
    #[inline(always)]
    fn reject(&mut self, reason: Rejection) {
        if self.rejected == NONE {
            self.rejected = reason.index();
        }
    }
    /// Whether there is an edge between vertices `u` and `w` of the loop that is not deleted. Costs the faces
    /// of the end with fewer, or both ends' where both have more than [`FEW_OUTSIDE`].
    #[inline(always)]
    fn edge_exists(&self, u: u32, w: u32) -> bool {
        let c = self.cavity;
        let (mut i, mut other) = (c.index_of(u), VertexId::new(w));
        if i == NONE || c.vertex(c.before(i)) == other || c.vertex(c.after(i)) == other {
            return true;
        }
        let mut most = FEW_OUTSIDE / 2;
        loop {
            if let Some(exists) = self.joined_outside(i, other, most) {
                return exists;
            }
            // each edge of a vertex with many faces would walk around it, so walk around the other end
            i = c.index_of(w);
            if i == NONE {
                return true;
            }
            (other, most) = (VertexId::new(u), u32::MAX);
        }
    }
    /// Whether the loop's vertex `i` has an edge to `w` outside of the cavity; `None` if that takes more than
    /// `most` steps.
    #[inline(always)]
    fn joined_outside(&self, i: u32, w: VertexId, most: u32) -> Option<bool> {
        let (m, c) = (self.m.mesh(), self.cavity);
        // outside of the cavity around the vertex from both of its sides at once, until a face is met or the
        // boundary: each step waits for the one before
        let mut leaving = m.half_edge(c.dart(c.before(i)).reversed());
        let mut arriving = m.half_edge(c.dart(i).reversed());
        let met = |leaving: Option<HalfEdge>, arriving: Option<HalfEdge>| match (leaving, arriving) {
            (Some(g), Some(h)) => g.face() == h.face(),
            _ => false,
        };
        let mut steps = 0;
        while leaving.is_some() || arriving.is_some() {
            if met(leaving, arriving) {
                return Some(false);
            }
            if steps == most {
                return None;
            }
            steps += 1;
            if let Some(left) = leaving {
                leaving = m.twin(left.prev());
                let end = match leaving {
                    None => m.from(left.prev()),
                    Some(h) => m.to(h),
                };
                if end == w {
                    return Some(true);
                }
                if met(leaving, arriving) {
                    return Some(false);
                }
            }
            if let Some(arrived) = arriving {
                let last = arrived.next();
                arriving = m.twin(last);
                let end = match arriving {
                    None => m.to(last),
                    Some(h) => m.from(h),
                };
                if end == w {
                    return Some(true);
                }
            }
        }
        Some(false)
    }
    /// Whether the face outside of side `i` is also the face outside of the other sides: a face on it would
    /// be the same again.
    #[inline(always)]
    fn one_face_outside(&self) -> bool {
        let outside = |i: u32| self.m.mesh().half_edge(self.cavity.dart(i).reversed());
        let (Some(a), Some(b), Some(c)) = (outside(0), outside(1), outside(2)) else { return false };
        a.face() == b.face() && b.face() == c.face()
    }
}
impl<E: Element, M: Site, S: FnMut(u32)> Fill for Plan<'_, '_, E, M, S> {
    #[inline(always)]
    fn vertex(&mut self) -> Corner {
        self.vertices += 1;
        Corner(NEW | (self.vertices - 1))
    }
    #[inline(always)]
    fn edge(&mut self, from: impl Into<Corner>, to: impl Into<Corner>) -> Side {
        let (from, to) = (from.into(), to.into());
        if from.0 == to.0 {
            self.reject(rejections::DEGENERATE);
        } else if (from.0 | to.0) & NEW == 0 && self.rejected == NONE {
            if !self.may.chords {
                self.reject(rejections::BROKEN_FILL);
            } else if !self.again && self.edge_exists(from.0, to.0) {
                self.reject(rejections::EDGE_EXISTS);
            } else {
                (self.slot)(slot(self.m, from.0, to.0));
            }
        }
        self.edges += 1;
        Side { dart: NEW | (2 * (self.edges - 1)), from, to }
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> NewFace {
        let [a, b, c] = sides;
        if a.to.0 != b.from.0 || b.to.0 != c.from.0 || c.to.0 != a.from.0 {
            self.reject(rejections::BROKEN_FILL);
        }
        if a.from.0 == b.from.0 || b.from.0 == c.from.0 || c.from.0 == a.from.0 {
            self.reject(rejections::DEGENERATE);
        }
        for side in sides {
            if side.dart < NEW {
                self.sum[0] = self.sum[0].wrapping_add(mix(side.dart));
            } else {
                self.sum[1] = self.sum[1].wrapping_add(mix(side.dart));
            }
        }
        let new = (a.dart >> 31) + (b.dart >> 31) + (c.dart >> 31);
        self.of_new += new;
        self.of_loop += 3 - new;
        self.faces += 1;
        if new == 0 && self.rejected == NONE {
            if self.cavity.len() != 3 || !self.may.chords {
                self.reject(rejections::BROKEN_FILL);
            } else if !self.again && self.one_face_outside() {
                self.reject(rejections::FACE_EXISTS);
            } else {
                (self.slot)(face_slot(self.m, [a.from.0, b.from.0, c.from.0]));
            }
        }
        NewFace(NEW | (self.faces - 1))
    }
    #[inline(always)]
    fn exclusive(&mut self, vertex: VertexId) {
        if !self.may.exclusive {
            self.reject(rejections::BROKEN_FILL);
        } else if self.rejected == NONE {
            (self.slot)(vertex_slot(self.m, vertex.index()));
        }
    }
    #[inline(always)]
    fn made(&self) -> [u32; 3] {
        [self.vertices, self.edges, self.faces]
    }
}

/// Plans the filling of a cavity whose faces have the claim `word`, and claims what no other may make or
/// change in this round. Returns what it makes, vertices, edges and faces, or why it is rejected.
#[inline(always)]
pub fn plan<O: Operator>(
    m: impl Site,
    cavity: &Cavity<'_, O::Seed>,
    decision: &O::Decision,
    word: u64,
) -> Result<[u32; 3], Rejection> {
    let mut n = 0;
    let planned = plan_with::<O>(m, cavity, decision, false, |at| {
        m.claim_slot(at, word);
        cavity.put_slot(n, at);
        n += 1;
    });
    cavity.put_slot_count(n);
    // an operator whose fillings are to be in place has only the ids that it deletes
    let own = [cavity.deleted_vertices(), cavity.deleted_edges(), cavity.deleted_faces()];
    match planned {
        Ok([v, e, f]) if !O::GROWS && (v > own[0] || e > own[1] || f > own[2]) => {
            Err(rejections::BROKEN_FILL)
        }
        planned => planned,
    }
}
/// Whether a cavity that was planned has all that it claimed.
#[inline(always)]
pub fn has_slots<O: Operator>(m: impl Site, cavity: &Cavity<'_, O::Seed>, word: u64) -> bool {
    let n = cavity.slot_count();
    let mut all = true;
    if n > SLOTS {
        let decision = cavity.decision::<O::Decision>();
        let planned = plan_with::<O>(m, cavity, &decision, true, |at| all &= m.has_slot(at, word));
        return planned.is_ok() && all;
    }
    let mut i = 0;
    while i < n {
        all &= m.has_slot(cavity.slot(i), word);
        i += 1;
    }
    all
}

#[inline(always)]
fn plan_with<O: Operator>(
    m: impl Site,
    cavity: &Cavity<'_, O::Seed>,
    decision: &O::Decision,
    again: bool,
    slot: impl FnMut(u32),
) -> Result<[u32; 3], Rejection> {
    let may = May { chords: O::CHORDS, exclusive: O::CHORDS && !O::LOCAL };
    let mut plan = Plan::new(m, cavity, may, again, slot);
    let filled = O::fill(cavity, decision, &mut plan);
    let Plan { vertices, edges, faces, of_loop, of_new, sum, rejected, mut slot, .. } = plan;
    if rejected != NONE {
        return Err(Rejection::of(rejected));
    }
    filled?;
    // a disc on the whole loop leaves the fans of its vertices whole
    let disc = of_loop == cavity.len() && of_new == 2 * edges && faces + 2 == cavity.len() + 2 * vertices;
    if disc {
        let (mut expected, mut i) = ([0u32; 2], 0);
        while i < cavity.len() {
            expected[0] = expected[0].wrapping_add(mix(cavity.dart(i).index()));
            i += 1;
        }
        let mut j = 0;
        while j < 2 * edges {
            expected[1] = expected[1].wrapping_add(mix(NEW | j));
            j += 1;
        }
        if sum != expected {
            return Err(rejections::BROKEN_FILL);
        }
        return Ok([vertices, edges, faces]);
    }
    let mut i = 0;
    while i < cavity.len() {
        let probe = probed::<O>(cavity, decision, Probe::of_loop(cavity, i))?;
        let outside = ends_outside(m, cavity, i, again);
        let ends = probe.ends(cavity) + outside;
        if ends > 2 {
            return Err(rejections::NON_MANIFOLD_VERTEX);
        }
        let before = outside + cavity.open(i) as u32 + cavity.open(cavity.before(i)) as u32;
        if before == 0 && ends > 0 || before > 0 && probe.faces == 0 {
            if !O::CHORDS {
                return Err(rejections::BROKEN_FILL);
            }
            slot(vertex_slot(m, cavity.vertex(i).index()));
        }
        i += 1;
    }
    let mut j = 0;
    while j < vertices {
        if probed::<O>(cavity, decision, Probe::of_new(NEW | j))?.ends(cavity) > 2 {
            return Err(rejections::NON_MANIFOLD_VERTEX);
        }
        j += 1;
    }
    Ok([vertices, edges, faces])
}

/// Counts the new edges and faces of the filling at one vertex.
#[inline(always)]
fn probed<O: Operator>(
    cavity: &Cavity<'_, O::Seed>,
    decision: &O::Decision,
    mut probe: Probe,
) -> Result<Probe, Rejection> {
    O::fill(cavity, decision, &mut probe)?;
    if probe.broken() { Err(rejections::BROKEN_FILL) } else { Ok(probe) }
}

/// The number of boundary edges outside of the cavity at the loop's vertex `i`. The answer of the mesh is
/// kept in the record: of a plan that is made `again`, others may be writing outside.
#[inline(always)]
fn ends_outside<E: Element>(m: impl Site, cavity: &Cavity<'_, E>, i: u32, again: bool) -> u32 {
    match (cavity.open(cavity.before(i)), cavity.open(i)) {
        (true, true) => 0,
        (true, false) | (false, true) => 1,
        (false, false) if again => 2 * cavity.apart(i) as u32,
        (false, false) => {
            let apart = is_apart(m, cavity, i);
            if apart {
                cavity.put_apart(i);
            }
            2 * apart as u32
        }
    }
}
/// Whether the faces outside at the loop's vertex `i`, with sides there that are not open, do not join these.
#[inline(always)]
fn is_apart<E: Element>(m: impl Site, cavity: &Cavity<'_, E>, i: u32) -> bool {
    // turn outside from the side that arrives, until its other side or the boundary
    let mesh = m.mesh();
    let start = mesh.half_edge(cavity.dart(cavity.before(i)).reversed());
    let end = mesh.half_edge(cavity.dart(i).reversed());
    // neither side is open
    let (Some(mut h), Some(end)) = (start, end) else { return true };
    loop {
        // h begins here
        let back = h.prev();
        if back == end {
            return false;
        }
        let Some(t) = mesh.twin(back) else { return true };
        h = t;
    }
}
