//! Kernels of repair: what faces, sides and vertices are, and what becomes of them.
use crate::repair::area;
use glam::DVec3;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// No vertex, side or face.
pub const NONE: u32 = u32::MAX;

/// Notes about sides.
pub mod note {
    /// The edge has no other face.
    pub const OPEN: u32 = 1;
    /// The edge has more than two faces.
    pub const CROWDED: u32 = 2;
    /// The face across has the opposite orientation; noted at the lesser of the two sides.
    pub const DISAGREES: u32 = 4;
    /// Other faces may have the same three vertices. Noted at the side between the two lesser ones.
    pub const TWIN: u32 = 8;
}

/// Verdicts about faces.
pub mod verdict {
    /// The face stays.
    pub const WHOLE: u32 = 0;
    /// It has a vertex twice.
    pub const DEGENERATE: u32 = 1;
    /// It has no area.
    pub const FLAT: u32 = 2;
}

/// The side before another in its face. Side `3 f + i` of face `f` leads from corner `i` to the next.
#[inline(always)]
pub(crate) fn before(side: u32) -> u32 {
    if side.is_multiple_of(3) { side + 2 } else { side - 1 }
}
/// The side after another in its face.
#[inline(always)]
pub(crate) fn behind(side: u32) -> u32 {
    if side % 3 == 2 { side - 2 } else { side + 1 }
}
/// The vertices of a face.
#[inline(always)]
pub(crate) fn corners(faces: In<'_, u32>, f: u32) -> [u32; 3] {
    [faces.get(3 * f), faces.get(3 * f + 1), faces.get(3 * f + 2)]
}

/// Judges each face; `zero_area`: whether faces of no area go, too. The least face with a vertex that is not
/// below `vertices` is stored in `wrong[0]`, which begins as [`NONE`].
#[kernel(threads = 128)]
pub fn judge_faces<'a>(
    f: Each,
    vertices: u32,
    faces: In<'a, u32>,
    positions: In<'a, DVec3>,
    zero_area: u32,
    verdicts: Out<'a, u32>,
    whole: Out<'a, u32>,
    wrong: Out<'a, u32>,
) {
    let [a, b, c] = corners(faces, f);
    if a >= vertices || b >= vertices || c >= vertices {
        atomic::fetch_min(wrong, 0, f, Relaxed, Device);
        return;
    }
    let verdict = if a == b || b == c || c == a {
        verdict::DEGENERATE
    } else if zero_area != 0 && area::none([positions.get(a), positions.get(b), positions.get(c)]) {
        verdict::FLAT
    } else {
        verdict::WHOLE
    };
    verdicts.set(f, verdict);
    whole.set(f, (verdict == verdict::WHOLE) as u32);
}

/// Bits of a coordinate; 0 and −0 are the same.
#[inline(always)]
fn bits(x: f64) -> u64 {
    if x == 0.0 { 0 } else { x.to_bits() }
}
/// Mixes the bits of a hash.
#[inline(always)]
fn mix(hash: u64, bits: u64) -> u64 {
    let x = (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ x >> 29
}

/// Puts each finite position into a table of a power of two of slots, which begin as [`NONE`]. The slot of a
/// position ends with the first vertex that is there; `at` has the slot of each vertex.
#[kernel(threads = 128)]
pub fn insert_positions<'a>(v: Each, positions: In<'a, DVec3>, slots: Out<'a, u32>, at: Out<'a, u32>) {
    let p = positions.get(v);
    if !p.is_finite() {
        return at.set(v, NONE);
    }
    let hash = mix(mix(mix(0, bits(p.x)), bits(p.y)), bits(p.z));
    let mask = slots.len() as u32 - 1;
    let mut slot = (hash >> 32) as u32 & mask;
    loop {
        let mut other = atomic::load(slots, slot, Relaxed, Device);
        if other == NONE {
            other = atomic::compare_exchange(slots, slot, NONE, v, Relaxed, Device);
            if other == NONE {
                break;
            }
        }
        // a slot's vertices change, but they are all at one position
        if positions.get(other) == p {
            if v < other {
                atomic::fetch_min(slots, slot, v, Relaxed, Device);
            }
            break;
        }
        slot = (slot + 1) & mask;
    }
    at.set(v, slot);
}
/// The first vertex at the position of each, and 1 where that is another one.
#[kernel(threads = 256)]
pub fn first_vertices<'a>(
    v: Each,
    slots: In<'a, u32>,
    at: In<'a, u32>,
    becomes: Out<'a, u32>,
    welded: Out<'a, u32>,
) {
    let slot = at.get(v);
    let first = if slot == NONE { v } else { slots.get(slot) };
    becomes.set(v, first);
    welded.set(v, (first != v) as u32);
}

/// Number of cells beyond which cells are narrower than the rounding of the coordinates.
pub const CELLS: f64 = (1_u64 << 52) as f64;

/// A number for a coordinate's cell, or for the cell `beside` cells along. `None` beside a coordinate that is
/// a cell of its own, since cells are too narrow there.
#[inline(always)]
fn cell(x: f64, distance: f64, beside: i64) -> Option<u64> {
    let cell = libm::floor(x / distance);
    if cell.abs() < CELLS {
        Some((cell as i64 + beside) as u64)
    } else if beside == 0 {
        Some(!bits(x))
    } else {
        None
    }
}
/// The bucket of the cell of a point, or of one beside it.
#[inline(always)]
fn bucket(p: DVec3, distance: f64, beside: [i64; 3], mask: u32) -> Option<u32> {
    let x = cell(p.x, distance, beside[0])?;
    let y = cell(p.y, distance, beside[1])?;
    let z = cell(p.z, distance, beside[2])?;
    Some((mix(mix(mix(0, x), y), z) >> 32) as u32 & mask)
}

/// Marks vertices that are the first at a finite position.
#[kernel(threads = 256)]
pub fn mark_first<'a>(v: Each, at: In<'a, u32>, becomes: In<'a, u32>, first: Out<'a, u32>) {
    first.set(v, (at.get(v) != NONE && becomes.get(v) == v) as u32);
}
/// The bucket of each listed vertex: a hash of its cell, which is as wide as the distance.
#[kernel(threads = 128)]
pub fn hash_cells<'a>(
    i: Each,
    list: In<'a, u32>,
    positions: In<'a, DVec3>,
    distance: f64,
    mask: u32,
    buckets: Out<'a, u32>,
) {
    let p = positions.get(list.get(i));
    buckets.set(i, bucket(p, distance, [0; 3], mask).unwrap_or(0));
}
/// Marks listed vertices from which another one is at most `distance` away along each axis.
#[kernel(threads = 128)]
pub fn find_near<'a>(
    i: Each,
    list: In<'a, u32>,
    positions: In<'a, DVec3>,
    distance: f64,
    mask: u32,
    cells: GroupsView<'a>,
    near: Out<'a, u32>,
) {
    let v = list.get(i);
    let p = positions.get(v);
    // the own cell first: others there are near
    let mut k = 0;
    while k < 27 {
        let n = (k + 13) % 27;
        let beside = [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1];
        k += 1;
        let Some(bucket) = bucket(p, distance, beside, mask) else { continue };
        let (mut at, end) = cells.range(bucket);
        while at < end {
            let other = cells.places.get(at);
            at += 1;
            let away = (positions.get(list.get(other)) - p).abs();
            if other != i && away.x <= distance && away.y <= distance && away.z <= distance {
                return near.set(v, 1);
            }
        }
    }
}

/// For each side the one across its edge, if the edge has exactly two; and notes about the side, of which
/// those not in `wanted` are left out. `ring`: the next side of each side's edge.
#[kernel(threads = 256)]
pub fn note_sides<'a>(
    c: Each,
    faces: In<'a, u32>,
    ring: In<'a, u32>,
    wanted: u32,
    across: Out<'a, u32>,
    notes: Out<'a, u32>,
) {
    let next = ring.get(c);
    let two = next != c && ring.get(next) == c;
    across.set(c, if two { next } else { NONE });
    if next == c {
        return notes.set(c, wanted & note::OPEN);
    }
    let (from, to, apex) = (faces.get(c), faces.get(behind(c)), faces.get(before(c)));
    let mut found = if two { 0 } else { note::CROWDED };
    if two && next > c && faces.get(next) == from {
        found |= note::DISAGREES;
    }
    if apex > from && apex > to && (!two || faces.get(before(next)) == apex) {
        found |= note::TWIN;
    }
    notes.set(c, wanted & found);
}

/// The face of the input that a face is: one of `inputs`, if there are any.
#[inline(always)]
fn input(inputs: In<'_, u32>, face: u32) -> u32 {
    if inputs.is_empty() { face } else { inputs.get(face) }
}

/// A row for each listed side: the side, the one across, its notes, its two vertices, the third of its face,
/// and the two faces in the input.
#[kernel(threads = 128)]
pub fn gather_sides<'a>(
    i: Each,
    list: In<'a, u32>,
    faces: In<'a, u32>,
    inputs: In<'a, u32>,
    across: In<'a, u32>,
    notes: In<'a, u32>,
    rows: Out<'a, [u32; 8]>,
) {
    let side = list.get(i);
    let other = across.get(side);
    let (from, to, apex) = (faces.get(side), faces.get(behind(side)), faces.get(before(side)));
    let own = input(inputs, side / 3);
    let beyond = if other == NONE { NONE } else { input(inputs, other / 3) };
    rows.set(i, [side, other, notes.get(side), from, to, apex, own, beyond]);
}

/// Counts the corners of each vertex, and finds the first, which begins as [`NONE`].
#[kernel(threads = 256)]
pub fn count_corners<'a>(c: Each, faces: In<'a, u32>, counts: Out<'a, u32>, first: Out<'a, u32>) {
    let v = faces.get(c);
    atomic::fetch_add(counts, v, 1, Relaxed, Device);
    if c < atomic::load(first, v, Relaxed, Device) {
        atomic::fetch_min(first, v, c, Relaxed, Device);
    }
}

/// Number of corners of the fan at `v` to which `corner` belongs.
#[inline(always)]
fn length(v: u32, corner: u32, faces: In<'_, u32>, across: In<'_, u32>) -> u32 {
    let mut count = 1;
    for way in 0..2 {
        let mut side = if way == 0 { corner } else { before(corner) };
        loop {
            let other = across.get(side);
            if other == NONE {
                break;
            }
            // the corner at v of the face there, and that face's other side at v
            let starts = faces.get(other) == v;
            let next = if starts { other } else { behind(other) };
            if next == corner {
                return count;
            }
            count += 1;
            side = if starts { before(other) } else { next };
        }
    }
    count
}

/// Whether each vertex has several fans: whether the fan of its first corner has fewer corners than the
/// vertex. Adds the number of such vertices to `found[0]`, and that of vertices without a face to `found[1]`.
#[kernel(threads = 128)]
pub fn find_several<'a>(
    block: &Block,
    vertices: u32,
    faces: In<'a, u32>,
    across: In<'a, u32>,
    counts: In<'a, u32>,
    first: In<'a, u32>,
    several: Out<'a, u32>,
    found: Out<'a, u32>,
) {
    block.for_each_tile(vertices, |base, len| {
        block.for_each_nosync(len, |i| {
            let (v, count) = (base + i, counts.get(base + i));
            // one corner is one fan
            let more = count > 1 && length(v, first.get(v), faces, across) != count;
            several.set(v, more as u32);
        });
        // iteration i reads what iteration i has written
        let more = block.count_where(len, |i| several.get(base + i) != 0);
        let alone = block.count_where(len, |i| counts.get(base + i) == 0);
        block.single_nosync(|| {
            if more > 0 {
                atomic::fetch_add(found, 0, more, Relaxed, Device);
            }
            if alone > 0 {
                atomic::fetch_add(found, 1, alone, Relaxed, Device);
            }
        });
    });
}

/// Whether each face has a vertex that is marked.
#[kernel(threads = 256)]
pub fn flag_faces<'a>(f: Each, faces: In<'a, u32>, marked: In<'a, u32>, flags: Out<'a, u32>) {
    let [a, b, c] = corners(faces, f);
    flags.set(f, (marked.get(a) | marked.get(b) | marked.get(c) != 0) as u32);
}
/// A row for each listed face: the face, its vertices, the sides across, and the face in the input.
#[kernel(threads = 128)]
pub fn gather_faces<'a>(
    i: Each,
    list: In<'a, u32>,
    faces: In<'a, u32>,
    inputs: In<'a, u32>,
    across: In<'a, u32>,
    rows: Out<'a, [u32; 8]>,
) {
    let f = list.get(i);
    let ([a, b, c], [x, y, z]) = (corners(faces, f), corners(across, f));
    rows.set(i, [f, a, b, c, x, y, z, input(inputs, f)]);
}
/// A row for each listed element: the element, and its value.
#[kernel(threads = 256)]
pub fn gather_pairs<'a>(i: Each, list: In<'a, u32>, values: In<'a, u32>, pairs: Out<'a, [u32; 2]>) {
    let element = list.get(i);
    pairs.set(i, [element, values.get(element)]);
}
/// The sides across the sides of listed faces, by the places of faces in the list.
#[kernel(threads = 256)]
pub fn move_links<'a>(
    c: Each,
    list: In<'a, u32>,
    places: In<'a, u32>,
    across: In<'a, u32>,
    moved: Out<'a, u32>,
) {
    let other = across.get(3 * list.get(c / 3) + c % 3);
    moved.set(c, if other == NONE { NONE } else { 3 * places.get(other / 3) + other % 3 });
}

/// Exchanges the second and the third corner of each face that is marked.
#[kernel(threads = 256)]
pub fn turn_faces<'a>(f: Each, marked: In<'a, u32>, faces: Out<'a, u32>) {
    if marked.get(f) != 0 {
        let (b, c) = (faces.get(3 * f + 1), faces.get(3 * f + 2));
        faces.set(3 * f + 1, c);
        faces.set(3 * f + 2, b);
    }
}

/// Whether each side has none across. `across` is by the sides of faces before these were turned; `turned`
/// says which are, or is empty if none is.
#[kernel(threads = 256)]
pub fn flag_open<'a>(c: Each, across: In<'a, u32>, turned: In<'a, u32>, flags: Out<'a, u32>) {
    let (f, i) = (c / 3, c % 3);
    // the first side of a turned face was its last, and the other way around
    let was = if turned.is_empty() || turned.get(f) == 0 { i } else { 2 - i };
    flags.set(c, (across.get(3 * f + was) == NONE) as u32);
}

/// Marks the vertices at which listed sides begin.
#[kernel(threads = 128)]
pub fn mark_starts<'a>(i: Each, list: In<'a, u32>, faces: In<'a, u32>, marked: Out<'a, u32>) {
    atomic::store(marked, faces.get(list.get(i)), 1, Relaxed, Device);
}

/// Marks the vertices of corners.
#[kernel(threads = 256)]
pub fn mark_used<'a>(c: Each, faces: In<'a, u32>, used: Out<'a, u32>) {
    let v = faces.get(c);
    if atomic::load(used, v, Relaxed, Device) == 0 {
        atomic::store(used, v, 1, Relaxed, Device);
    }
}
/// Splits vertices into those that stay, and the others: vertices without a face that are removable, or any
/// if `all` is not 0.
#[kernel(threads = 256)]
pub fn part_vertices<'a>(
    v: Each,
    used: In<'a, u32>,
    removable: In<'a, u32>,
    all: u32,
    stays: Out<'a, u32>,
    goes: Out<'a, u32>,
) {
    let may = all != 0 || ((v as usize) < removable.len() && removable.get(v) != 0);
    let gone = used.get(v) == 0 && may;
    stays.set(v, !gone as u32);
    goes.set(v, gone as u32);
}

/// The corners of listed faces.
#[kernel(threads = 256)]
pub fn list_corners<'a>(i: Each, list: In<'a, u32>, faces: In<'a, u32>, to: Out<'a, u32>) {
    let [a, b, c] = corners(faces, list.get(i));
    to.set(3 * i, a);
    to.set(3 * i + 1, b);
    to.set(3 * i + 2, c);
}

/// Indices of the counts that [`look_at_vertices`] makes, and their number.
pub mod count {
    /// Vertices around which the mesh is not an oriented manifold, or that have too many corners to tell.
    pub const UNFIT: u32 = 0;
    /// Vertices of several fans that all have a boundary.
    pub const SEVERAL: u32 = 1;
    /// Vertices without a face.
    pub const ISOLATED: u32 = 2;
    /// Sides of the boundary.
    pub const OPEN: u32 = 3;
    /// Corners of vertices that are not there.
    pub const WRONG: u32 = 4;
    /// Number of counts.
    #[cfg(not(target_arch = "nvptx64"))]
    pub const ALL: usize = 5;
}
/// Most corners of a vertex that is looked at: time is proportional to their square.
const MOST: u32 = 128;

/// Counts the corners of each vertex, and in `found` those whose vertex is not there.
#[kernel(threads = 256)]
pub fn count_at_vertices<'a>(c: Each, faces: In<'a, u32>, counts: Out<'a, u32>, found: Out<'a, u32>) {
    let v = faces.get(c);
    if v as usize >= counts.len() {
        atomic::fetch_add(found, count::WRONG, 1, Relaxed, Device);
    } else {
        atomic::fetch_add(counts, v, 1, Relaxed, Device);
    }
}
/// Puts the corners of each vertex into its part of a list, in any order. `cursors` begin at the parts, and
/// end behind them.
#[kernel(threads = 256)]
pub fn list_at_vertices<'a>(c: Each, faces: In<'a, u32>, cursors: Out<'a, u32>, list: Out<'a, u32>) {
    let v = faces.get(c);
    if (v as usize) < cursors.len() {
        list.set(atomic::fetch_add(cursors, v, 1, Relaxed, Device), c);
    }
}

/// The corners of a vertex: their places in the list.
#[inline(always)]
pub(crate) fn corners_at(v: u32, ends: In<'_, u32>) -> (u32, u32) {
    (if v == 0 { 0 } else { ends.get(v - 1) }, ends.get(v))
}

/// The fans of a vertex.
#[derive(Clone, Copy)]
struct Judged {
    /// Whether they are fans of an oriented manifold; and all of them have a boundary, if there are several.
    fit: bool,
    /// The number of fans with a boundary.
    open: u32,
}

/// Judges a vertex `v` of `n` corners. `follows` gives the first corner of which the face's next vertex is a
/// given one, or a number from `n` on, and `leads` the same for the face's last vertex; `pair` gives both
/// vertices of a corner's face. `open` is called for each corner whose side is on the boundary.
///
/// Sides out of a vertex that lead to different neighbours belong to different edges. So if this holds at all
/// vertices, no edge has more than two faces, two faces run along their edge in opposite directions, and two
/// faces with the same vertices are a closed fan of two.
#[inline(always)]
fn judge(
    v: u32,
    n: u32,
    pair: impl Fn(u32) -> [u32; 2],
    follows: impl Fn(u32) -> u32,
    leads: impl Fn(u32) -> u32,
    open: impl Fn(u32),
) -> Judged {
    let (mut fit, mut fans, mut walked) = (true, 0, 0);
    let mut i = 0;
    while i < n {
        let [out, last] = pair(i);
        fit &= out != v && last != v && out != last && follows(out) == i;
        if leads(out) >= n {
            fans += 1;
            open(i);
            let mut at = i;
            while at < n && walked < n {
                walked += 1;
                at = follows(pair(at)[1]);
            }
        }
        i += 1;
    }
    if fans == 0 && n > 0 {
        let mut at = 0;
        loop {
            walked += 1;
            at = follows(pair(at)[1]);
            if at == 0 || at >= n || walked > n {
                break;
            }
        }
        fit &= n > 2;
    }
    Judged { fit: fit && walked == n, open: fans }
}
/// The first of some numbers that is `x`; `N` if none is. Does not branch.
#[inline(always)]
fn first<const N: usize>(of: &[u32; N], x: u32) -> u32 {
    let (mut mask, mut i) = (1_u32 << N, 0);
    while i < N {
        mask |= ((of[i] == x) as u32) << i;
        i += 1;
    }
    mask.trailing_zeros()
}
/// As [`judge`], for a vertex of at most `N` corners, with their neighbours in registers.
#[inline(always)]
fn judge_few<const N: usize>(v: u32, n: u32, pair: impl Fn(u32) -> [u32; 2], open: impl Fn(u32)) -> Judged {
    let mut pairs = [[NONE; N]; 2];
    let mut k = 0;
    while k < N {
        if (k as u32) < n {
            [pairs[0][k], pairs[1][k]] = pair(k as u32);
        }
        k += 1;
    }
    let [next, last] = &pairs;
    // N is a power of two
    let at = |k: u32| k as usize & (N - 1);
    judge(v, n, |k| [next[at(k)], last[at(k)]], |x| first(next, x), |x| first(last, x), open)
}

/// Looks at the corners of each vertex, which `list` has up to `ends`; lists the sides of the boundary and
/// the vertices of several fans in any order, and counts them and all others in `found`.
#[kernel(threads = 128)]
pub fn look_at_vertices<'a>(
    block: &Block,
    vertices: u32,
    faces: In<'a, u32>,
    ends: In<'a, u32>,
    list: In<'a, u32>,
    open: Out<'a, u32>,
    several: Out<'a, u32>,
    found: Out<'a, u32>,
) {
    block.for_each_tile(vertices, |base, len| {
        block.for_each_nosync(len, |i| {
            let v = base + i;
            let (begin, end) = corners_at(v, ends);
            let n = end - begin;
            let pair = |k: u32| {
                let c = list.get(begin + k);
                [faces.get(behind(c)), faces.get(before(c))]
            };
            let mark = |k: u32| {
                let at = atomic::fetch_add(found, count::OPEN, 1, Relaxed, Device);
                open.set(at, list.get(begin + k));
            };
            let search = |which: usize, x: u32| {
                let mut k = 0;
                while k < n && pair(k)[which] != x {
                    k += 1;
                }
                k
            };
            let judged = if n <= 8 {
                judge_few::<8>(v, n, pair, mark)
            } else if n <= 16 {
                judge_few::<16>(v, n, pair, mark)
            } else if n <= MOST {
                judge(v, n, pair, |x| search(0, x), |x| search(1, x), mark)
            } else {
                Judged { fit: false, open: 0 }
            };
            if !judged.fit {
                atomic::fetch_add(found, count::UNFIT, 1, Relaxed, Device);
            } else if judged.open > 1 {
                several.set(atomic::fetch_add(found, count::SEVERAL, 1, Relaxed, Device), v);
            }
        });
        let empty = |i: u32| {
            let (begin, end) = corners_at(base + i, ends);
            begin == end
        };
        let alone = block.count_where(len, empty);
        block.single_nosync(|| {
            if alone > 0 {
                atomic::fetch_add(found, count::ISOLATED, alone, Relaxed, Device);
            }
        });
    });
}

/// Marks the faces at the vertices where listed sides begin.
#[kernel(threads = 128)]
pub fn flag_around<'a>(
    i: Each,
    sides: In<'a, u32>,
    faces: In<'a, u32>,
    ends: In<'a, u32>,
    list: In<'a, u32>,
    flags: Out<'a, u32>,
) {
    let (mut at, end) = corners_at(faces.get(sides.get(i)), ends);
    while at < end {
        atomic::store(flags, list.get(at) / 3, 1, Relaxed, Device);
        at += 1;
    }
}
