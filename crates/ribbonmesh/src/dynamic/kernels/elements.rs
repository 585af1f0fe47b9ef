//! Kernels of the dynamic mesh itself: from a static mesh, half-edges of vertices, checks, compaction.
use crate::device::atomic::{self, Order, Scope};
use crate::device::{
    Arena, Block, Dart, Each, EdgeId, FaceId, HalfEdge, In, MeshView, NONE, Out, Quad, ResolveRibbon, Shared,
    TILE, VertexId, hi, kernel, lo, tail, tiles,
};
use crate::dynamic::rounds::Rounds;
use crate::dynamic::{MeshRef, Tables};

/// Faces of a static mesh, one block per patch: FV with the patch, FE as darts, and the half-edge of each
/// dart. `eh` is filled with `NONE` before. A dart that two faces have is one of an edge with more than two
/// faces, or of two faces with opposite orientation: `wrong[0]` gets the least such edge, and `wrong[1]` the
/// least degenerate face; both begin as `NONE`.
#[kernel(threads = 256)]
pub fn load_faces<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    fv: Out<'a, u32>,
    fe: Out<'a, u32>,
    eh: Out<'a, u32>,
    wrong: Out<'a, u32>,
) {
    let p = mesh.patch(block.index());
    block.for_each_nosync(p.f.owned, |l| {
        let f = p.f.first + l;
        let entry = |i: u32| p.fe.get(3 * l + i) as u32;
        let entries = [entry(0), entry(1), entry(2)];
        let from = entries.map(|w| p.v.global(tail(w, p.ev.get(w >> 2))));
        let darts = entries.map(|w| 2 * p.e.global(w >> 2) + (w & 1));
        load_face(f, block.index(), from, darts, [fv, fe, eh, wrong]);
    });
}

/// The same of a flat topology: three vertices and the dart of each corner. Every `per_patch` faces are one
/// patch.
#[kernel(threads = 256)]
pub fn load_corners<'a>(
    f: Each,
    per_patch: u32,
    vertices: In<'a, u32>,
    darts: In<'a, u32>,
    fv: Out<'a, u32>,
    fe: Out<'a, u32>,
    eh: Out<'a, u32>,
    wrong: Out<'a, u32>,
) {
    let of = |values: In<'a, u32>| [0, 1, 2].map(|i| values.get(3 * f + i));
    load_face(f, f / per_patch, of(vertices), of(darts), [fv, fe, eh, wrong]);
}

#[inline(always)]
fn load_face(f: u32, patch: u32, from: [u32; 3], darts: [u32; 3], [fv, fe, eh, wrong]: [Out<'_, u32>; 4]) {
    fv.wide::<Quad>().set(f, Quad([from[0], from[1], from[2], patch]));
    fe.wide::<Quad>().set(f, Quad([darts[0], darts[1], darts[2], 0]));
    let claim = |dart: u32, h: u32| {
        if atomic::exchange(eh, dart, h, Order::Relaxed, Scope::Device) != NONE {
            atomic::fetch_min(wrong, 0, dart >> 1, Order::Relaxed, Scope::Device);
        }
    };
    claim(darts[0], 4 * f);
    claim(darts[1], 4 * f + 1);
    claim(darts[2], 4 * f + 2);
    if from[0] == from[1] || from[1] == from[2] || from[2] == from[0] {
        atomic::fetch_min(wrong, 1, f, Order::Relaxed, Scope::Device);
    }
}

/// Ends of the edges of a static mesh, for messages: two vertices each.
#[kernel(threads = 256)]
pub fn load_ends<'a>(block: &Block, mesh: MeshView<'a>, ends: Out<'a, [u32; 2]>) {
    let p = mesh.patch(block.index());
    block.for_each_nosync(p.e.owned, |l| {
        let ev = p.ev.get(l);
        ends.set(p.e.first + l, [p.v.global(lo(ev)), p.v.global(hi(ev))]);
    });
}

/// The vertices of a face, and its patch.
#[inline(always)]
fn face_words(mesh: Tables<'_>, f: u32) -> [u32; 4] {
    mesh.fv.wide::<Quad>().get(f).0
}
/// The half-edges of an edge, or `NONE`.
#[inline(always)]
fn half_edges(mesh: Tables<'_>, e: u32) -> [u32; 2] {
    mesh.eh.wide::<[u32; 2]>().get(e)
}

/// The least half-edge that begins at each vertex; `vh` is filled with `NONE` before.
#[kernel(threads = 256)]
pub fn least_half_edges<'a>(block: &Block, rounds: Rounds<'a>) {
    block.for_each_of_tile(rounds.control.get(2), |f| {
        let [a, b, c, _] = face_words(rounds.mesh, f);
        if a != NONE {
            let least = |v: u32, h: u32| {
                atomic::fetch_min(rounds.mesh.vh, v, h, Order::Relaxed, Scope::Device);
            };
            least(a, 4 * f);
            least(b, 4 * f + 1);
            least(c, 4 * f + 2);
        }
    });
}

/// Counts the corners at each vertex into `corners`, which begins as zeros.
#[kernel(threads = 256)]
pub fn count_corners<'a>(block: &Block, rounds: Rounds<'a>, corners: Out<'a, u32>) {
    block.for_each_of_tile(rounds.control.get(2), |f| {
        let [a, b, c, _] = face_words(rounds.mesh, f);
        if a != NONE {
            for v in [a, b, c] {
                atomic::fetch_add(corners, v, 1, Order::Relaxed, Scope::Device);
            }
        }
    });
}

/// Stores in `wrong[2]` the least vertex whose faces are not one fan, given the corners at each vertex.
#[kernel(threads = 256)]
pub fn find_split_vertices<'a>(block: &Block, rounds: Rounds<'a>, corners: In<'a, u32>, wrong: Out<'a, u32>) {
    block.for_each_of_tile(rounds.control.get(0), |v| {
        let h = rounds.mesh.half_edge_at(VertexId::new(v));
        let expected = corners.get(v);
        let mut n = 0;
        if let Some(h) = h {
            rounds.mesh.star(h, |_| {
                n += 1;
                n <= expected
            });
        }
        if n != expected {
            atomic::fetch_min(wrong, 2, v, Order::Relaxed, Scope::Device);
        }
    });
}

/// Whether element `i` of a kind (0 vertices, 1 edges, 2 faces) lives.
#[inline(always)]
fn lives(mesh: Tables<'_>, kind: u32, i: u32) -> bool {
    match kind {
        0 => mesh.dead.get(i) == 0,
        1 => mesh.sides(EdgeId::new(i)) != [None; 2],
        _ => mesh.fv.get(4 * i) != NONE,
    }
}

/// The number of living elements of each tile. One block per tile.
#[kernel(threads = 256)]
pub fn count_living<'a>(block: &Block, rounds: Rounds<'a>, kind: u32, sums: Out<'a, u32>) {
    block.for_each_tile(rounds.control.get(kind), |base, len| {
        let n = block.count_where(len, |i| lives(rounds.mesh, kind, base + i));
        block.single_nosync(|| sums.set(base / TILE, n));
    });
}

fn one_tile(arena: &Arena) -> Shared<'_, u32> {
    arena.take(TILE)
}

/// Exclusive prefix sums of `sums`, one per tile of the mesh's elements of a kind; the total is stored in
/// `total[kind]`. One block.
#[kernel(threads = 1024, shared = one_tile(arena))]
pub fn scan_living<'a>(
    block: &Block,
    rounds: Rounds<'a>,
    kind: u32,
    sums: Out<'a, u32>,
    total: Out<'a, u32>,
) {
    let part = one_tile(block.arena());
    let n = tiles(rounds.control.get(kind));
    let (mut base, mut carry) = (0, 0);
    while base < n {
        let len = if n - base < TILE { n - base } else { TILE };
        block.for_each(len, |i| part.set(i, sums.get(base + i)));
        let sum = block.exclusive_scan(part, len);
        block.for_each(len, |i| sums.set(base + i, carry + part.get(i)));
        carry += sum;
        base += TILE;
    }
    block.single_nosync(|| total.set(kind, carry));
}

/// `ids[old] = new` for living elements, `NONE` for others, and `new_to_old[new] = old`.
#[kernel(threads = 256, shared = one_tile(arena))]
pub fn number_living<'a>(
    block: &Block,
    rounds: Rounds<'a>,
    kind: u32,
    sums: In<'a, u32>,
    ids: Out<'a, u32>,
    new_to_old: Out<'a, u32>,
) {
    let part = one_tile(block.arena());
    block.for_each_tile(rounds.control.get(kind), |base, len| {
        block.for_each(len, |i| part.set(i, lives(rounds.mesh, kind, base + i) as u32));
        block.exclusive_scan(part, len);
        let first = sums.get(base / TILE);
        block.for_each(len, |i| {
            let alive = lives(rounds.mesh, kind, base + i);
            let id = first + part.get(i);
            ids.set(base + i, if alive { id } else { NONE });
            if alive {
                new_to_old.set(id, base + i);
            }
        });
    });
}

/// The old ids of new edges: at the side of each that gave it its direction in `sides`, three entries
/// `edge << 2 | slot << 1 | reversed` per new face. `old_faces`: the old id of each new face.
#[kernel(threads = 256)]
pub fn old_edges<'a>(
    block: &Block,
    rounds: Rounds<'a>,
    faces: u32,
    sides: In<'a, u64>,
    old_faces: In<'a, u32>,
    new_to_old: Out<'a, u32>,
) {
    block.for_each_of_tile(3 * faces, |c| {
        let side = sides.get(c);
        if side & 2 == 0 {
            new_to_old.set((side >> 2) as u32, rounds.mesh.fe.get(4 * old_faces.get(c / 3) + c % 3) >> 1);
        }
    });
}

/// `old_to_new[new_to_old[i]] = i`; `old_to_new` is filled with `NONE` before.
#[kernel(threads = 256)]
pub fn invert<'a>(i: Each, new_to_old: In<'a, u32>, old_to_new: Out<'a, u32>) {
    old_to_new.set(new_to_old.get(i), i);
}

/// `maps[i] = then[maps[i]]`, except for `NONE`.
#[kernel(threads = 256)]
pub fn follow<'a>(i: Each, maps: Out<'a, u32>, then: In<'a, u32>) {
    let at = maps.get(i);
    if at != NONE {
        maps.set(i, then.get(at));
    }
}

/// Faces, and half-edges of darts, in new ids; `patches`: of the new faces.
#[kernel(threads = 256)]
pub fn move_topology<'a>(
    block: &Block,
    rounds: Rounds<'a>,
    v: In<'a, u32>,
    e: In<'a, u32>,
    f: In<'a, u32>,
    patches: In<'a, u32>,
    fv: Out<'a, u32>,
    fe: Out<'a, u32>,
    eh: Out<'a, u32>,
) {
    block.for_each_of_tile(rounds.control.get(2), |old| {
        let id = f.get(old);
        if id == NONE {
            return;
        }
        let [a, b, c, _] = face_words(rounds.mesh, old);
        let Quad([x, y, z, pass]) = rounds.mesh.fe.wide::<Quad>().get(old);
        let dart = |d: u32| (2 * e.get(d >> 1)) | (d & 1);
        fv.wide::<Quad>().set(id, Quad([v.get(a), v.get(b), v.get(c), patches.get(id)]));
        fe.wide::<Quad>().set(id, Quad([dart(x), dart(y), dart(z), pass]));
    });
    block.for_each_of_tile(rounds.control.get(1), |old| {
        let id = e.get(old);
        if id != NONE {
            let half = |h: u32| if h == NONE { NONE } else { (4 * f.get(h >> 2)) | (h & 3) };
            let [h0, h1] = half_edges(rounds.mesh, old);
            eh.wide::<[u32; 2]>().set(id, [half(h0), half(h1)]);
        }
    });
}

/// The vertices of each face, three words.
#[kernel(threads = 256)]
pub fn plain_faces<'a>(f: Each, fv: In<'a, u32>, faces: Out<'a, u32>) {
    let Quad([a, b, c, _]) = fv.wide::<Quad>().get(f);
    faces.set(3 * f, a);
    faces.set(3 * f + 1, b);
    faces.set(3 * f + 2, c);
}

/// Results of [`validate_elements`]: the least element of each kind of fault, begun as `NONE`.
pub mod fault {
    /// A face whose half-edges and darts do not agree.
    pub const FACE: u32 = 0;
    /// An edge whose half-edge is not one of it.
    pub const EDGE: u32 = 1;
    /// An edge whose two sides have different ends.
    pub const ENDS: u32 = 2;
    /// A face with a dead vertex, or a vertex twice.
    pub const VERTEX: u32 = 3;
    /// A vertex whose faces are not one fan.
    pub const FAN: u32 = 4;
    /// A vertex with an edge to another one twice.
    pub const DOUBLE: u32 = 5;
    /// A seed with a place.
    pub const PLACE: u32 = 6;
    /// Number of kinds.
    pub const COUNT: u32 = 7;
}

/// Checks faces and edges by themselves.
#[kernel(threads = 256)]
pub fn validate_elements<'a>(block: &Block, rounds: Rounds<'a>, faults: Out<'a, u32>) {
    let fault = |kind: u32, i: u32| {
        atomic::fetch_min(faults, kind, i, Order::Relaxed, Scope::Device);
    };
    let mesh = rounds.mesh;
    let count = |kind: u32| rounds.control.get(kind);
    block.for_each_of_tile(count(2), |f| {
        let [a, b, c, _] = face_words(mesh, f);
        if a == NONE {
            return;
        }
        if a == b || b == c || c == a {
            fault(fault::VERTEX, f);
        }
        for v in [a, b, c] {
            if v >= count(0) || mesh.dead.get(v) != 0 {
                fault(fault::VERTEX, f);
            }
        }
        let mut h = FaceId::new(f).half_edge(0);
        loop {
            let dart = mesh.dart(h);
            if dart.index() >= 2 * count(1) || mesh.half_edge(dart) != Some(h) {
                fault(fault::FACE, f);
            }
            h = h.next();
            if h == FaceId::new(f).half_edge(0) {
                break;
            }
        }
    });
    block.for_each_of_tile(count(1), |e| {
        let edge = EdgeId::new(e);
        let [g, h] = mesh.sides(edge);
        let good = |h: Option<HalfEdge>, dart: Dart| {
            h.is_none_or(|h| {
                let exists = h.face().index() < count(2) && h.corner() < 3;
                exists && mesh.from(h.face().half_edge(0)) != VertexId::NONE && mesh.dart(h) == dart
            })
        };
        if !good(g, edge.dart(0)) || !good(h, edge.dart(1)) {
            fault(fault::EDGE, e);
        } else if let (Some(g), Some(h)) = (g, h)
            && (mesh.from(g) != mesh.to(h) || mesh.to(g) != mesh.from(h))
        {
            fault(fault::ENDS, e);
        }
    });
}

/// Checks vertices, once faces and edges are right: one fan of faces each, no neighbour twice, no place left.
/// `vh` is fresh; `corners` from [`count_corners`]. Quadratic in the valence.
#[kernel(threads = 256)]
pub fn validate_vertices<'a>(block: &Block, rounds: Rounds<'a>, corners: In<'a, u32>, faults: Out<'a, u32>) {
    let fault = |kind: u32, i: u32| {
        atomic::fetch_min(faults, kind, i, Order::Relaxed, Scope::Device);
    };
    let mesh = rounds.mesh;
    block.for_each_of_tile(rounds.control.get(0), |v| {
        let (h, expected) = (mesh.half_edge_at(VertexId::new(v)), corners.get(v));
        let mut n = 0;
        if let Some(h) = h {
            mesh.star(h, |_| {
                n += 1;
                n <= expected
            });
        }
        if n != expected {
            fault(fault::FAN, v);
            return;
        }
        let Some(h) = h else { return };
        let mut i = 0;
        mesh.neighbours(h, |u, _| {
            let mut j = 0;
            mesh.neighbours(h, |w, _| {
                if j < i && u == w {
                    fault(fault::DOUBLE, v);
                }
                j += 1;
                j < i
            });
            i += 1;
            true
        });
    });
    // seeds that came after the last run have no place yet
    let (edges, places) = (rounds.control.get(1), rounds.place.len() as u32);
    block.for_each_of_tile(if edges < places { edges } else { places }, |i| {
        if rounds.place.get(i) != 0 {
            fault(fault::PLACE, i);
        }
    });
}
