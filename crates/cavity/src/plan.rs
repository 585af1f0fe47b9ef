//! Planning: what a filling would make, and whether it may.
use crate::cavity::{Cavity, SLOTS, Side};
use crate::control::{Refusal, refusals};
use crate::fill::Fill;
use crate::operator::Operator;
use crate::probe::Probe;
use crate::view::{DynamicView, next, prev};
use ribbonmesh::device::NONE;
use ribbonmesh::device::atomic::{self, Order, Scope};

/// Ids from here on are of elements to be: of vertices, darts and faces.
pub const NEW: u32 = 1 << 31;

/// Where the claim of an edge to be stands, by its ends.
#[inline(always)]
pub fn slot(mesh: DynamicView<'_>, u: u32, w: u32) -> u32 {
    let (low, high) = if u < w { (u, w) } else { (w, u) };
    (low * 2 + (high.wrapping_mul(0x9E37_79B1) >> 31)) & (mesh.slots.len() as u32 - 1)
}
/// As [`slot`], for a vertex of the loop that gets a hole, loses the faces it has here, or shall be nobody else's.
#[inline(always)]
fn vertex_slot(mesh: DynamicView<'_>, v: u32) -> u32 {
    (v * 2) & (mesh.slots.len() as u32 - 1)
}
/// As [`slot`], for a face to be.
#[inline(always)]
fn face_slot(mesh: DynamicView<'_>, [a, b, c]: [u32; 3]) -> u32 {
    let sum = a.wrapping_add(b).wrapping_add(c);
    sum.wrapping_mul(0x9E37_79B1) & (mesh.slots.len() as u32 - 1)
}

/// Counts, checks, and does something with the slot of each edge to be between vertices of the loop.
pub struct Plan<'a, 'c, S: FnMut(u32)> {
    mesh: DynamicView<'a>,
    cavity: &'c Cavity<'a>,
    /// Whether there may be claims.
    claims: bool,
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
    refused: Refusal,
}

/// A number that sums of few darts do not mix up.
#[inline(always)]
pub fn mix(dart: u32) -> u32 {
    let x = dart.wrapping_mul(0x9E37_79B1);
    (x ^ x >> 15).wrapping_mul(0x85EB_CA6B)
}

/// None of the reasons.
pub const ACCEPTED: Refusal = NONE;

impl<'a, 'c, S: FnMut(u32)> Plan<'a, 'c, S> {
    #[inline(always)]
    fn new(mesh: DynamicView<'a>, cavity: &'c Cavity<'a>, claims: bool, again: bool, slot: S) -> Self {
        Self {
            mesh,
            cavity,
            claims,
            again,
            slot,
            vertices: 0,
            edges: 0,
            faces: 0,
            of_loop: 0,
            of_new: 0,
            sum: [0; 2],
            refused: ACCEPTED,
        }
    }
    #[inline(always)]
    fn no(&mut self, reason: Refusal) {
        if self.refused == ACCEPTED {
            self.refused = reason;
        }
    }
    /// Whether there is an edge between vertices `u` and `w` of the loop that is not deleted.
    #[inline(always)]
    fn edge_exists(&self, u: u32, w: u32) -> bool {
        let (m, c) = (self.mesh, self.cavity);
        let i = c.find(u);
        if i == NONE || c.vertex(c.before(i)) == w || c.vertex(c.after(i)) == w {
            return true;
        }
        // outside of the cavity around u from both of its sides at once, until a face is met or the boundary: each
        // step waits for the one before
        let mut leaving = m.eh.get(c.dart(c.before(i)) ^ 1);
        let mut arriving = m.eh.get(c.dart(i) ^ 1);
        while leaving != NONE || arriving != NONE {
            if leaving != NONE && arriving != NONE && leaving >> 2 == arriving >> 2 {
                return false;
            }
            let left = leaving;
            if left != NONE {
                leaving = m.twin(prev(left));
                if (if leaving == NONE { m.from(prev(left)) } else { m.to(leaving) }) == w {
                    return true;
                }
                if arriving != NONE && leaving >> 2 == arriving >> 2 {
                    return false;
                }
            }
            if arriving != NONE {
                let last = next(arriving);
                arriving = m.twin(last);
                if (if arriving == NONE { m.to(last) } else { m.from(arriving) }) == w {
                    return true;
                }
            }
        }
        false
    }
    /// Whether the face outside of side `i` and those of the others are the same: a face on it would be the same again.
    #[inline(always)]
    fn one_face_outside(&self) -> bool {
        let outside = |i: u32| self.mesh.eh.get(self.cavity.dart(i) ^ 1);
        let (a, b, c) = (outside(0), outside(1), outside(2));
        a != NONE && b != NONE && c != NONE && a >> 2 == b >> 2 && b >> 2 == c >> 2
    }
}
impl<S: FnMut(u32)> Fill for Plan<'_, '_, S> {
    #[inline(always)]
    fn vertex(&mut self) -> u32 {
        self.vertices += 1;
        NEW | (self.vertices - 1)
    }
    #[inline(always)]
    fn edge(&mut self, from: u32, to: u32) -> Side {
        if from == to {
            self.no(refusals::DEGENERATE);
        } else if (from | to) & NEW == 0 && self.refused == ACCEPTED {
            if !self.claims {
                self.no(refusals::BROKEN_FILL);
            } else if !self.again && self.edge_exists(from, to) {
                self.no(refusals::EDGE_EXISTS);
            } else {
                (self.slot)(slot(self.mesh, from, to));
            }
        }
        self.edges += 1;
        Side { dart: NEW | (2 * (self.edges - 1)), from, to }
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> u32 {
        let [a, b, c] = sides;
        if a.to != b.from || b.to != c.from || c.to != a.from {
            self.no(refusals::BROKEN_FILL);
        }
        if a.from == b.from || b.from == c.from || c.from == a.from {
            self.no(refusals::DEGENERATE);
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
        if new == 0 && self.refused == ACCEPTED {
            if self.cavity.len() != 3 || !self.claims {
                self.no(refusals::BROKEN_FILL);
            } else if !self.again && self.one_face_outside() {
                self.no(refusals::FACE_EXISTS);
            } else {
                (self.slot)(face_slot(self.mesh, [a.from, b.from, c.from]));
            }
        }
        NEW | (self.faces - 1)
    }
    #[inline(always)]
    fn refuse(&mut self, reason: Refusal) {
        self.no(reason);
    }
    #[inline(always)]
    fn consider(&mut self, f: impl FnOnce() -> Option<Refusal>) {
        if !self.again
            && self.refused == ACCEPTED
            && let Some(reason) = f()
        {
            self.no(reason);
        }
    }
    #[inline(always)]
    fn exclusive(&mut self, vertex: u32) {
        if !self.claims {
            self.no(refusals::BROKEN_FILL);
        } else if self.refused == ACCEPTED {
            (self.slot)(vertex_slot(self.mesh, vertex));
        }
    }
    #[inline(always)]
    fn write(&mut self, _: impl FnOnce()) {}
}

/// Plans the filling of a cavity whose faces have the claim `word`, and claims what no other may make or change in
/// this round. Returns what it makes, vertices, edges and faces, or why it is refused.
#[inline(always)]
pub fn plan<O: Operator>(
    mesh: DynamicView<'_>,
    operator: O,
    cavity: &Cavity<'_>,
    word: u64,
) -> Result<[u32; 3], Refusal> {
    let mut n = 0;
    let planned = plan_with(mesh, operator, cavity, false, |at| {
        atomic::fetch_max(mesh.slots, at, word, Order::Relaxed, Scope::Device);
        cavity.put_slot(n, at);
        n += 1;
    });
    cavity.put_slot_count(n);
    // ids of its own are all that an operator has which announces no growth
    let own = [cavity.deleted_vertices(), cavity.deleted_edges(), cavity.deleted_faces()];
    match planned {
        Ok([v, e, f]) if !O::GROWS && (v > own[0] || e > own[1] || f > own[2]) => Err(refusals::BROKEN_FILL),
        planned => planned,
    }
}
/// Whether a cavity that was planned has all that it claimed.
#[inline(always)]
pub fn has_slots<O: Operator>(mesh: DynamicView<'_>, operator: O, cavity: &Cavity<'_>, word: u64) -> bool {
    let n = cavity.slot_count();
    let mut all = true;
    if n > SLOTS {
        let planned = plan_with(mesh, operator, cavity, true, |at| all &= mesh.slots.get(at) == word);
        return planned.is_ok() && all;
    }
    let mut i = 0;
    while i < n {
        all &= mesh.slots.get(cavity.slot(i)) == word;
        i += 1;
    }
    all
}

#[inline(always)]
fn plan_with<O: Operator>(
    mesh: DynamicView<'_>,
    operator: O,
    cavity: &Cavity<'_>,
    again: bool,
    slot: impl FnMut(u32),
) -> Result<[u32; 3], Refusal> {
    let mut plan = Plan::new(mesh, cavity, O::CLAIMS, again, slot);
    operator.fill(cavity, &mut plan);
    let Plan { vertices, edges, faces, of_loop, of_new, sum, refused, mut slot, .. } = plan;
    if refused != ACCEPTED {
        return Err(refused);
    }
    // a disc on the whole loop leaves the fans of its vertices whole
    let disc = of_loop == cavity.len() && of_new == 2 * edges && faces + 2 == cavity.len() + 2 * vertices;
    if disc {
        let (mut expected, mut i) = ([0u32; 2], 0);
        while i < cavity.len() {
            expected[0] = expected[0].wrapping_add(mix(cavity.dart(i)));
            i += 1;
        }
        let mut j = 0;
        while j < 2 * edges {
            expected[1] = expected[1].wrapping_add(mix(NEW | j));
            j += 1;
        }
        if sum != expected {
            return Err(refusals::BROKEN_FILL);
        }
        return Ok([vertices, edges, faces]);
    }
    let mut i = 0;
    while i < cavity.len() {
        let probe = probed(operator, cavity, Probe::of_loop(cavity, i))?;
        let outside = ends_outside(mesh, cavity, i, again);
        let ends = probe.ends(cavity) + outside;
        if ends > 2 {
            return Err(refusals::NON_MANIFOLD_VERTEX);
        }
        let before = outside + cavity.open(i) as u32 + cavity.open(cavity.before(i)) as u32;
        if before == 0 && ends > 0 || before > 0 && probe.faces == 0 {
            if !O::CLAIMS {
                return Err(refusals::BROKEN_FILL);
            }
            slot(vertex_slot(mesh, cavity.vertex(i)));
        }
        i += 1;
    }
    let mut j = 0;
    while j < vertices {
        if probed(operator, cavity, Probe::of_new(NEW | j))?.ends(cavity) > 2 {
            return Err(refusals::NON_MANIFOLD_VERTEX);
        }
        j += 1;
    }
    Ok([vertices, edges, faces])
}

/// What the filling does to one vertex.
#[inline(always)]
fn probed<O: Operator>(operator: O, cavity: &Cavity<'_>, mut probe: Probe) -> Result<Probe, Refusal> {
    operator.fill(cavity, &mut probe);
    if probe.broken() { Err(refusals::BROKEN_FILL) } else { Ok(probe) }
}

/// The number of boundary edges outside of the cavity at the loop's vertex `i`. The answer of the mesh is kept in the
/// record: of a plan that is made `again`, others may be writing outside.
#[inline(always)]
fn ends_outside(mesh: DynamicView<'_>, cavity: &Cavity<'_>, i: u32, again: bool) -> u32 {
    match (cavity.open(cavity.before(i)), cavity.open(i)) {
        (true, true) => 0,
        (true, false) | (false, true) => 1,
        (false, false) if again => 2 * cavity.apart(i) as u32,
        (false, false) => {
            let apart = is_apart(mesh, cavity, i);
            if apart {
                cavity.put_apart(i);
            }
            2 * apart as u32
        }
    }
}
/// Whether the faces outside at the loop's vertex `i`, with sides there that are not open, do not join these.
#[inline(always)]
fn is_apart(mesh: DynamicView<'_>, cavity: &Cavity<'_>, i: u32) -> bool {
    // turn outside from the side that arrives, until its other side or the boundary
    let mut h = mesh.eh.get(cavity.dart(cavity.before(i)) ^ 1);
    let end = mesh.eh.get(cavity.dart(i) ^ 1);
    loop {
        // h begins here
        let back = prev(h);
        if back == end {
            return false;
        }
        let t = mesh.twin(back);
        if t == NONE {
            return true;
        }
        h = t;
    }
}
