//! Unique edges (thesis 4.3.1 needs them; the input has none): the sides of all faces, bucketed by their
//! smaller vertex and sorted within the bucket, so that the sides of an edge are adjacent. O(n), and O(d log
//! d) for a vertex with d sides.
use crate::device::{Arena, Block, Each, In, Out, Shared, kernel};
use crate::kernels::construct::{add, next};

/// Buckets longer than this are sorted by a block.
pub const SMALL: u32 = 48;
/// Buckets longer than this are sorted by the host.
pub const LARGE: u32 = 16384;

/// Counters of [`link_sides`].
pub mod counter {
    /// Edges.
    pub const EDGES: u32 = 0;
    /// Edges of one face side.
    pub const BOUNDARY: u32 = 1;
    /// Edges of more than two face sides.
    pub const NONMANIFOLD: u32 = 2;
    /// Sides whose two ends are the same vertex.
    pub const LOOPS: u32 = 3;
    /// Most sides of an edge.
    pub const MOST_SIDES: u32 = 4;
    /// Edges of two sides that run in the same direction.
    pub const INCONSISTENT: u32 = 5;
    /// Buckets for a block.
    pub const LARGE_BUCKETS: u32 = 6;
    /// Their number.
    pub const COUNT: usize = 7;
}

#[inline(always)]
fn ends(fv: In<'_, u32>, c: u32) -> (u32, u32) {
    let (a, b) = (fv.get(c), fv.get(next(c)));
    if a < b { (a, b) } else { (b, a) }
}

/// Counts the sides at their smaller vertex.
#[kernel(threads = 256)]
pub fn count_sides<'a>(c: Each, fv: In<'a, u32>, counts: Out<'a, u32>) {
    add(counts, ends(fv, c).0, 1);
}

/// Puts every side into its bucket, as `larger vertex << 32 | corner`. `cursors` begins as the buckets'
/// offsets.
#[kernel(threads = 256)]
pub fn scatter_sides<'a>(c: Each, fv: In<'a, u32>, cursors: Out<'a, u32>, sides: Out<'a, u64>) {
    let (a, b) = ends(fv, c);
    sides.set(add(cursors, a, 1), (b as u64) << 32 | c as u64);
}

/// Sorts each small bucket, one iteration a bucket, and lists the others in `large`. `ends[v]` is the end of
/// v's bucket.
#[kernel(threads = 256)]
pub fn sort_small_buckets<'a>(
    block: &Block,
    vertices: u32,
    ends: In<'a, u32>,
    sides: Out<'a, u64>,
    large: Out<'a, u32>,
    counters: Out<'a, u32>,
) {
    block.for_each_tile(vertices, |base, len| {
        block.append(len, large, counters, counter::LARGE_BUCKETS, |i| {
            let v = base + i;
            let (first, end) = (if v == 0 { 0 } else { ends.get(v - 1) }, ends.get(v));
            if end - first > SMALL {
                return Some(v);
            }
            let mut k = first + 1;
            while k < end {
                let x = sides.get(k);
                let mut j = k;
                while j > first && sides.get(j - 1) > x {
                    sides.set(j, sides.get(j - 1));
                    j -= 1;
                }
                sides.set(j, x);
                k += 1;
            }
            None
        });
    });
}

fn bucket(arena: &Arena, n: u32) -> Shared<'_, u64> {
    arena.take(n.next_power_of_two())
}

/// Sorts the bucket of vertex `large[block]`, if it has at most [`LARGE`] sides. `most`: the longest such.
#[kernel(threads = 512, shared = bucket(arena, most))]
pub fn sort_large_buckets<'a>(
    block: &Block,
    most: u32,
    large: In<'a, u32>,
    ends: In<'a, u32>,
    sides: Out<'a, u64>,
) {
    let v = large.get(block.index());
    let (first, end) = (if v == 0 { 0 } else { ends.get(v - 1) }, ends.get(v));
    if end - first > most {
        return;
    }
    let s = bucket(block.arena(), most);
    block.for_each(end - first, |i| s.set(i, sides.get(first + i)));
    block.sort_u64(s, end - first);
    block.for_each_nosync(end - first, |i| sides.set(first + i, s.get(i)));
}

/// For every corner: `leader[c]`, the first corner of its edge, and `ring[c]`, the next corner of the edge,
/// the first again after the last.
#[kernel(threads = 256)]
pub fn link_sides<'a>(
    block: &Block,
    vertices: u32,
    fv: In<'a, u32>,
    ends: In<'a, u32>,
    sides: In<'a, u64>,
    leader: Out<'a, u32>,
    ring: Out<'a, u32>,
    counters: Out<'a, u32>,
) {
    block.for_each_tile(vertices, |base, len| {
        // edges, boundary edges, inconsistent edges of this iteration's bucket
        let link = |i: u32| {
            let v = base + i;
            let (mut k, end) = (if v == 0 { 0 } else { ends.get(v - 1) }, ends.get(v));
            let (mut edges, mut boundary, mut inconsistent) = (0, 0, 0);
            while k < end {
                let side = sides.get(k);
                let (other, first) = ((side >> 32) as u32, side as u32);
                let (mut at, mut n) = (first, 1);
                leader.set(first, first);
                while k + n < end && (sides.get(k + n) >> 32) as u32 == other {
                    let c = sides.get(k + n) as u32;
                    leader.set(c, first);
                    ring.set(at, c);
                    at = c;
                    n += 1;
                }
                ring.set(at, first);
                edges += 1;
                boundary += (n == 1) as u32;
                if n == 2 && v != other && fv.get(first) == fv.get(at) {
                    inconsistent += 1;
                }
                if n > 2 {
                    add(counters, counter::NONMANIFOLD, 1);
                    crate::device::atomic::fetch_max(
                        counters,
                        counter::MOST_SIDES,
                        n,
                        crate::device::atomic::Order::Relaxed,
                        crate::device::atomic::Scope::Device,
                    );
                }
                if v == other {
                    add(counters, counter::LOOPS, n);
                }
                k += n;
            }
            [edges, boundary, inconsistent]
        };
        let [edges, boundary, inconsistent] =
            block.reduce(len, [0u32; 3], link, |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
        block.single_nosync(|| {
            add(counters, counter::EDGES, edges);
            add(counters, counter::BOUNDARY, boundary);
            add(counters, counter::INCONSISTENT, inconsistent);
        });
    });
}
