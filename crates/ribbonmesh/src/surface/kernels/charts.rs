//! Charts: parts of a surface on which texture coordinates are continuous, and the way to a place within one.
//!
//! A *wall* is a side across which texture coordinates jump. At a *pole* those of its corners differ from
//! face to face, as at the poles of a sphere whose texture is a map of the world: the edges there are no
//! walls.
use super::locate::{Before, ELEMENTS, part};
use super::seams::Curves;
use crate::bvh::BvhView;
use crate::corners::after;
use crate::device::atomic::{self, Order::Relaxed, Scope::Device};
use crate::device::{
    Block, Each, Edge, EdgeId, FaceId, HalfEdge, In, NONE, Out, Parameter, Quad, Values, ValuesMut, Vertex,
    kernel,
};
use crate::dynamic::{DynamicView, MeshRef};
use crate::sets;
use crate::surface::location::Location;
use glam::Vec3;

/// The texture coordinates at the start of a side differ from those across, ...
const AT_START: u32 = 1;
/// ... or those at its end.
const AT_END: u32 = 2;
/// Edges at a vertex across which its texture coordinates alone differ make it a pole from this number on;
/// fewer are the end of a cut.
const POLE: u32 = 3;

/// Notes for the side of each of `corners` corners at which of its ends the rows of `words` words differ from
/// those across, beside what is noted already.
#[kernel(threads = 256)]
pub fn compare_sides<'a>(
    block: &Block,
    corners: u32,
    faces: In<'a, u32>,
    ring: In<'a, u32>,
    words: u32,
    rows: In<'a, u32>,
    differ: Out<'a, u32>,
) {
    let same = |a: u32, b: u32| {
        let (mut k, mut same) = (0, true);
        while k < words {
            same &= rows.get(words * a + k) == rows.get(words * b + k);
            k += 1;
        }
        same
    };
    block.for_each_of_tile(corners, |c| {
        let d = ring.get(c);
        if d == c {
            return;
        }
        // faces that agree in their orientation have the edge in opposite directions
        let [start, end] = if faces.get(d) == faces.get(c) { [d, after(d)] } else { [after(d), d] };
        let bits = if same(c, start) { 0 } else { AT_START } | if same(after(c), end) { 0 } else { AT_END };
        if bits != 0 {
            differ.set(c, differ.get(c) | bits);
        }
    });
}

/// Counts at each vertex the edges across which its texture coordinates differ, and not those at the other
/// end.
#[kernel(threads = 256)]
pub fn count_breaks<'a>(
    c: Each,
    faces: In<'a, u32>,
    ring: In<'a, u32>,
    differ: In<'a, u32>,
    breaks: Out<'a, u32>,
) {
    let bits = differ.get(c);
    // each edge once
    if ring.get(c) > c && (bits == AT_START || bits == AT_END) {
        let v = faces.get(if bits == AT_START { c } else { after(c) });
        atomic::fetch_add(breaks, v, 1, Relaxed, Device);
    }
}

/// For each of `corners` corners that across its side, or the corner itself where there is a wall, the
/// boundary, or an edge of more than two faces. `walls[0]` becomes 1 if there is a wall or a pole.
#[kernel(threads = 256)]
pub fn open_sides<'a>(
    c: Each,
    faces: In<'a, u32>,
    ring: In<'a, u32>,
    differ: In<'a, u32>,
    breaks: In<'a, u32>,
    open: Out<'a, u32>,
    walls: Out<'a, u32>,
) {
    let (d, bits) = (ring.get(c), differ.get(c));
    let end_of_cut = |c: u32| breaks.get(faces.get(c)) < POLE;
    let wall = match bits {
        0 => false,
        AT_START => end_of_cut(c),
        AT_END => end_of_cut(after(c)),
        _ => true,
    };
    if bits != 0 {
        atomic::store(walls, 0, 1, Relaxed, Device);
    }
    open.set(c, if wall || ring.get(d) != c { c } else { d });
}

/// Notes for each chart, by its label, whether it has a wall or a pole within: then the nearest place of the
/// chart need not be on the right side.
#[kernel(threads = 256)]
pub fn mark_cut_charts<'a>(
    c: Each,
    faces: In<'a, u32>,
    ring: In<'a, u32>,
    breaks: In<'a, u32>,
    open: In<'a, u32>,
    labels: In<'a, u32>,
    cut: Out<'a, u32>,
) {
    let (d, label) = (ring.get(c), labels.get(c / 3));
    let within = d != c && open.get(c) == c && labels.get(d / 3) == label;
    if within || breaks.get(faces.get(c)) >= POLE {
        atomic::store(cut, label, 1, Relaxed, Device);
    }
}

/// Marks those of `n` edges of a mesh without changes that are walls, and counts them in `count[0]`. Others
/// keep their marks.
#[kernel(threads = 256)]
pub fn mark_walls<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    open: In<'a, u32>,
    marks: ValuesMut<'a, Edge, u32>,
    count: Out<'a, u32>,
) {
    block.for_each_of_tile(n, |e| {
        let e = EdgeId::new(e);
        let [Some(g), Some(_)] = mesh.sides(e) else { return };
        let c = corner(g);
        if open.get(c) == c {
            marks.set(e, 1);
            atomic::fetch_add(count, 0, 1, Relaxed, Device);
        }
    });
}
#[inline(always)]
fn corner(h: HalfEdge) -> u32 {
    3 * h.face().index() + h.corner()
}

/// [`POLE`] for each of `n` vertices that is a pole, else 0.
#[kernel(threads = 256)]
pub fn keep_poles<'a>(v: Each, breaks: Out<'a, u32>) {
    breaks.set(v, if breaks.get(v) < POLE { 0 } else { POLE });
}

/// Unites the faces on both sides of each of `n` edges that is not a curve.
#[kernel(threads = 256)]
pub fn unite_regions<'a>(e: Each, mesh: DynamicView<'a>, curves: Curves<'a>, parent: Out<'a, u32>) {
    let e = EdgeId::new(e);
    if let [Some(g), Some(h)] = mesh.sides(e)
        && !(curves.some() && curves.has(e))
    {
        sets::unite(parent, g.face().index(), h.face().index());
    }
}

/// The charts of the surface before.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Charts<'a> {
    /// For each corner that across its side; the corner itself at a wall.
    pub open: In<'a, u32>,
    /// The chart of each face.
    pub labels: In<'a, u32>,
    /// Not 0 for each chart, by its label, that has walls or poles within.
    pub cut: In<'a, u32>,
}

/// For each of `n` faces one of the surface before near its middle, of the chart `wanted`; `nearest` has the
/// nearest ones of all. One block per [`ELEMENTS`].
#[kernel(threads = 128)]
pub fn start_in_charts<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    x: Values<'a, Vertex, Vec3>,
    tree: BvhView<'a>,
    charts: Charts<'a>,
    wanted: In<'a, u32>,
    nearest: Out<'a, u32>,
) {
    let base = ELEMENTS * block.index();
    block.for_each_nosync(part(n, base), |i| {
        let (f, chart) = (base + i, wanted.get(base + i));
        if charts.labels.get(nearest.get(f)) != chart {
            let [a, b, c] = mesh.corners(FaceId::new(f)).map(|v| x.get(v));
            let found = tree.closest_where((a + b + c) / 3.0, |g| charts.labels.get(g) == chart).face;
            // the label of a chart is one of its faces
            nearest.set(f, if found == NONE { chart } else { found });
        }
    });
}

/// The place of each of `n` corners on the surface before, within the chart `wanted` of its face: the nearest
/// one; or, where the chart has walls or poles within, the one to which a straight way leads from the middle
/// of a face of `starts`. If `kept` is 1, no region within the curves of the mesh has more than one chart,
/// and faces on the same side of them begin at the same place. One block per [`ELEMENTS`].
#[kernel(threads = 128)]
pub fn locate_in_charts<'a>(
    block: &Block,
    mesh: DynamicView<'a>,
    n: u32,
    x: Values<'a, Vertex, Vec3>,
    before: Before<'a>,
    curves: Curves<'a>,
    kept: u32,
    charts: Charts<'a>,
    poles: In<'a, u32>,
    wanted: In<'a, u32>,
    starts: In<'a, u32>,
    of_vertices: In<'a, Quad>,
    at: Out<'a, Quad>,
) {
    let base = ELEMENTS * block.index();
    block.for_each_nosync(part(n, base), |i| {
        let c = base + i;
        let h = FaceId::new(c / 3).half_edge(c % 3);
        let (v, chart) = (mesh.from(h), wanted.get(c / 3));
        let p = x.get(v);
        let corners_of = |face: u32| [0, 1, 2].map(|k| before.x.get(before.faces.get(3 * face + k)));
        let location = if charts.cut.get(chart) == 0 {
            let usual = of_vertices.get(v.index());
            let Quad([face, ..]) = usual;
            if face != NONE && charts.labels.get(face) == chart {
                at.set(c, usual);
                return;
            }
            let face = before.tree.closest_where(p, |g| charts.labels.get(g) == chart).face;
            let face = if face == NONE { chart } else { face };
            Location::in_face(face, corners_of(face), p)
        } else {
            let own = kept == 0 || is_pole(before, poles, of_vertices.get(v.index()));
            let from = if own { h.face() } else { largest_aside(mesh, curves, x, h) };
            let face = walk(before, charts, starts.get(from.index()), p);
            Location::in_face(face, corners_of(face), p)
        };
        at.set(c, location.to_words());
    });
}

/// Whether a vertex of the new mesh stands at a pole of the surface before.
#[inline(always)]
fn is_pole(before: Before<'_>, poles: In<'_, u32>, at: Quad) -> bool {
    let location = Location::from_words(at);
    let corner = location.heaviest();
    let weight = location.weights[corner as usize];
    location.vertex().is_none()
        && weight == 1.0
        && poles.get(before.faces.get(3 * location.face + corner)) >= POLE
}

/// Faces at a vertex that are looked at in either direction.
const MOST_ASIDE: u32 = 64;

/// The largest face at the start of `h` on the same side of all curves there as that of `h`.
#[inline(always)]
fn largest_aside(
    mesh: DynamicView<'_>,
    curves: Curves<'_>,
    x: Values<'_, Vertex, Vec3>,
    h: HalfEdge,
) -> FaceId {
    let of_curve = |g: HalfEdge| curves.some() && curves.has(mesh.edge(g));
    // clockwise to where this side begins
    let (mut first, mut steps) = (h, 0);
    while !of_curve(first) && steps < MOST_ASIDE {
        let Some(twin) = mesh.twin(first) else { break };
        first = twin.next();
        steps += 1;
        if first == h {
            break;
        }
    }
    // counter-clockwise to where it ends
    let p = x.get(mesh.from(h));
    let (mut g, mut best, mut most, mut steps) = (first, h.face(), -1.0, 0);
    loop {
        let n = (x.get(mesh.to(g)) - p).cross(x.get(mesh.opposite(g)) - p);
        let square = n.length_squared();
        if square > most || square == most && g.face().index() < best.index() {
            (best, most) = (g.face(), square);
        }
        steps += 1;
        if of_curve(g.prev()) || steps > 2 * MOST_ASIDE {
            break;
        }
        let Some(twin) = mesh.twin(g.prev()) else { break };
        g = twin;
        if g == first {
            break;
        }
    }
    best
}

/// Faces that a way crosses at most.
const MOST_STEPS: u32 = 4096;
/// Weights of corners above minus this are those of a point within.
const WITHIN: f32 = 1e-4;

/// The face of the surface before that a straight way from the middle of face `start` to `p` leads to,
/// without crossing a wall: that into which `p` projects, or the last one before a wall.
#[inline(always)]
fn walk(before: Before<'_>, charts: Charts<'_>, start: u32, p: Vec3) -> u32 {
    let corners_of = |face: u32| [0, 1, 2].map(|k| before.x.get(before.faces.get(3 * face + k)));
    let (mut face, mut came, mut steps) = (start, NONE, 0);
    let mut corners = corners_of(face);
    let mut q = (corners[0] + corners[1] + corners[2]) / 3.0;
    while steps < MOST_STEPS {
        let (Some(to), Some(from)) = (barycentric(corners, p), barycentric(corners, q)) else { break };
        // the side by which the way leaves the face first, and the one by which it would leave it next
        let (mut out, mut at, mut other) = (NONE, 2.0, NONE);
        let mut k = 0;
        while k < 3 {
            let (of_p, of_q) = (to[k as usize], from[k as usize].max(0.0));
            let side = 3 * face + (k + 1) % 3;
            if of_p < -WITHIN && side != came {
                let t = of_q / (of_q - of_p);
                if t < at {
                    (out, at, other) = (side, t, out);
                } else {
                    other = side;
                }
            }
            k += 1;
        }
        if out == NONE {
            break;
        }
        if charts.open.get(out) == out {
            if other == NONE || charts.open.get(other) == other {
                break;
            }
            out = other;
        }
        // where the way leaves the face
        let on = [0, 1, 2].map(|k| (from[k] + at * (to[k] - from[k])).max(0.0));
        let sum = on[0] + on[1] + on[2];
        if sum > 0.0 {
            q = (corners[0] * on[0] + corners[1] * on[1] + corners[2] * on[2]) / sum;
        }
        came = charts.open.get(out);
        face = came / 3;
        corners = corners_of(face);
        steps += 1;
    }
    face
}

/// The weights of a triangle's corners at the projection of `p`, of which those on the other side of a side
/// are below 0; none of a triangle without area. Coordinates are divided by the longest side, so that
/// products neither overflow nor vanish.
#[inline(always)]
fn barycentric([a, b, c]: [Vec3; 3], p: Vec3) -> Option<[f32; 3]> {
    let (u, v, w) = (b - a, c - a, p - a);
    let longest = u.abs().max_element().max(v.abs().max_element());
    let s = if longest > 0.0 { 1.0 / longest } else { 0.0 };
    let (u, v, w) = (u * s, v * s, w * s);
    let n = u.cross(v);
    let square = n.dot(n);
    let has_area = square > 1e-14 && s.is_finite();
    if !has_area {
        return None;
    }
    let (of_b, of_c) = (w.cross(v).dot(n) / square, u.cross(w).dot(n) / square);
    Some([1.0 - of_b - of_c, of_b, of_c])
}
