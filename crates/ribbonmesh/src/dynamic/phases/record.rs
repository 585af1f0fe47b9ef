//! Recording cavities.
use super::{darts_from, has};
use crate::device::{Dart, EdgeId, Element, ElementId, ElementKind, HalfEdge, NONE, VertexId};
use crate::dynamic::cavity::{Cavity, HEAD, OPEN};
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::operator::Operator;
use crate::dynamic::rejection::{Rejection, rejections};
use crate::dynamic::site::Site;
use crate::dynamic::walk::{KEPT, Walk};

/// The lengths of the cavity of a candidate that has all its faces: `None` if it has not, no disc if it
/// cannot be one.
#[inline(always)]
pub fn measure<O: Operator>(
    m: impl Site,
    operator: O,
    seed: u32,
    word: u64,
    walk: Walk,
) -> Option<(u32, u32)> {
    let id = <O::Seed as Element>::Id::new(seed);
    let mesh = m.mesh();
    let (mut all, mut faces) = (true, 0);
    operator.faces(mesh, id, |h| {
        walk.put(faces, h.index());
        faces += 1;
        all &= m.claim(h.face()) == word;
    });
    if !all {
        return None;
    }
    let (mut sides, mut bits, mut place) = (0, 0u64, 0);
    let mut look = |h: HalfEdge| {
        // loads at the same time, not after each other
        let [a, b, c] =
            darts_from(mesh, h).map(|dart| mesh.half_edge(dart.reversed())).map(|t| !has(m, t, word) as u32);
        sides += a + b + c;
        bits |= ((a | b << 1 | c << 2) as u64) << place;
        place = (place + 3) & 63;
    };
    if faces > KEPT {
        operator.faces(mesh, id, look);
    } else {
        let mut k = 0;
        while k < faces {
            look(HalfEdge::new(walk.get(k)));
            k += 1;
        }
        walk.put_loop(bits);
    }
    Some((faces, sides))
}
/// Writes the lists of a cavity; tells why it is none.
#[inline(always)]
pub fn record<O: Operator>(
    m: impl Site,
    operator: O,
    c: &Cavity<'_, O::Seed>,
    word: u64,
    walk: Walk,
) -> Result<(), Rejection> {
    let (r, mesh) = (c.records, m.mesh());
    let id = <O::Seed as Element>::Id::new(c.seed);
    let ends = if O::Seed::KIND == ElementKind::Edge { ends(m, c.seed) } else { [NONE; 2] };
    c.put_ends(ends);
    // faces, inner edges, and where the loop begins
    let kept = c.faces <= KEPT;
    if !kept {
        let mut k = 0;
        operator.faces(mesh, id, |h| {
            r.set(c.faces_at() + k, h.index());
            k += 1;
        });
    }
    let bits = if kept { walk.loop_bits() } else { 0 };
    let (mut edges, mut start, mut k) = (0, HalfEdge::NONE, 0);
    while k < c.faces {
        let h = HalfEdge::new(if kept { walk.get(k) } else { r.get(c.faces_at() + k) });
        r.set(c.faces_at() + k, h.face().index());
        let mut side = |g: HalfEdge, dart: Dart, j: u32| {
            let of_loop = if kept {
                bits >> (3 * k + j) & 1 != 0
            } else {
                !has(m, mesh.half_edge(dart.reversed()), word)
            };
            if of_loop {
                if start == HalfEdge::NONE {
                    start = g;
                }
            } else if dart.index() & 1 == 0 {
                // once, though two faces have it
                if edges < c.edges {
                    r.set(c.edges_at() + edges, dart.edge().index());
                }
                edges += 1;
            }
        };
        let [a, b, d] = darts_from(mesh, h);
        side(h, a, 0);
        side(h.next(), b, 1);
        side(h.next().next(), d, 2);
        k += 1;
    }
    if edges != c.edges {
        return Err(rejections::NOT_A_DISC);
    }
    // the loop
    let (mut h, mut i, mut seen) = (start, 0, Seen::default());
    loop {
        let dart = mesh.dart(h);
        let open = if mesh.half_edge(dart.reversed()).is_none() { OPEN } else { 0 };
        let v = mesh.from(h).index();
        seen.add(v);
        r.set(c.at + HEAD + 2 * i, v | open);
        r.set(c.at + HEAD + 2 * i + 1, dart.index());
        i += 1;
        h = h.next();
        loop {
            let t = mesh.twin(h);
            let Some(twin) = t else { break };
            if !has(m, t, word) {
                break;
            }
            h = twin.next();
        }
        if h == start {
            break;
        }
        if i == c.len() {
            return Err(rejections::NOT_ONE_LOOP);
        }
    }
    if i != c.len() || seen.maybe_twice && touches_itself(c) {
        return Err(rejections::NOT_ONE_LOOP);
    }
    // inner vertices: most often the ends of the seed
    let mut vertices = 0;
    let mut add = |v: u32| {
        if vertices < c.vertices && c.index_of(v) == NONE {
            let (mut known, mut j) = (false, 0);
            while j < vertices {
                known |= c.deleted_vertex(j).index() == v;
                j += 1;
            }
            if !known {
                r.set(c.vertices_at() + vertices, v);
                vertices += 1;
            }
        }
        vertices < c.vertices
    };
    if ends[0] != NONE && add(ends[0]) {
        add(ends[1]);
    }
    let corner = |k: u32, i: u32| mesh.from(HalfEdge::new(4 * c.deleted_face(k).index() + i)).index();
    let mut k = 0;
    while k < c.faces && add(corner(k, 0)) {
        add(corner(k, 1));
        add(corner(k, 2));
        k += 1;
    }
    if vertices == c.vertices { Ok(()) } else { Err(rejections::NOT_A_DISC) }
}

/// The ends of an edge that lives.
#[inline(always)]
fn ends(m: impl Site, edge: u32) -> [u32; 2] {
    m.mesh().ends(EdgeId::new(edge)).map_or([NONE; 2], |ends| ends.map(VertexId::index))
}

/// A set of vertices, in two hashes of 6 bits: distinguishes most loops that touch themselves from loops that
/// do not.
#[derive(Default)]
struct Seen {
    bits: [u64; 2],
    maybe_twice: bool,
}
impl Seen {
    #[inline(always)]
    fn add(&mut self, v: u32) {
        let hash = v.wrapping_mul(0x9E37_79B1);
        let [a, b] = [1 << (hash >> 26), 1 << (hash >> 20 & 63)];
        self.maybe_twice |= self.bits[0] & a != 0 && self.bits[1] & b != 0;
        self.bits[0] |= a;
        self.bits[1] |= b;
    }
}
/// Whether a vertex is on the loop twice; quadratic.
#[inline(always)]
fn touches_itself<E: Element>(c: &Cavity<'_, E>) -> bool {
    let mut i = 0;
    while i < c.len() {
        let (v, mut j) = (c.vertex(i), 0);
        while j < i {
            if c.vertex(j) == v {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}
