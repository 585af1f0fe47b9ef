//! Kernels that look whether a mesh is an oriented manifold with a boundary.
use crate::repair::kernels::{NONE, before, behind, corners_at};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

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
