//! Edges by cost, in buckets, part by part of the mesh.
use ribbonmesh::device::HalfEdge;

/// Bits of a cost that do not tell its bucket: eight buckets for each doubling.
const SHIFT: u32 = 20;
/// Buckets to the one of twice the cost.
pub const DOUBLE: usize = 8;
/// Costs below 2⁻⁹⁶ are in the first bucket, those from 2³² on in the last one.
const LEAST: usize = (127 - 96) * DOUBLE;
/// Number of buckets.
pub const BUCKETS: usize = (96 + 32) * DOUBLE;
/// Faces of a part: with their vertices they fit the cache of a core.
const FACES: usize = 4096;

/// Edges to be looked at, the cheapest first. Costs are told apart by an eighth at most; edges of a bucket
/// come in the order in which they were put there.
///
/// The cheapest edges of a mesh are far from each other, and each needs a few dozen lines of memory around
/// it. So the queue is one for each part of the mesh, of faces with ids next to each other, and gives out the
/// edges of one part after the other up to a common cost, which grows step by step.
pub struct Queue {
    parts: Vec<Part>,
    /// The part whose edges are given out.
    at: usize,
    /// The bucket whose edges are given out, those edges, and the place of the next one.
    bucket: usize,
    current: Vec<HalfEdge>,
    next: usize,
    /// The bucket before which all parts end.
    end: usize,
    /// Number of edges in each bucket of all parts.
    counts: Vec<usize>,
}
/// The edges of a part by their buckets.
struct Part {
    buckets: Vec<Vec<HalfEdge>>,
    /// No bucket before this one has edges.
    first: usize,
}
impl Part {
    fn lowest(&mut self) -> Option<usize> {
        let ahead = self.buckets[self.first..].iter().position(|edges| !edges.is_empty());
        self.first = ahead.map_or(BUCKETS, |ahead| self.first + ahead);
        ahead.map(|_| self.first)
    }
}
impl Queue {
    /// A queue for a mesh of this number of faces.
    pub fn new(faces: usize) -> Self {
        let parts =
            (0..faces.div_ceil(FACES)).map(|_| Part { buckets: vec![vec![]; BUCKETS], first: BUCKETS });
        Self {
            parts: parts.collect(),
            at: 0,
            bucket: 0,
            current: vec![],
            next: 0,
            end: 0,
            counts: vec![0; BUCKETS],
        }
    }
    /// The bucket of a cost, given by its bits.
    #[inline(always)]
    pub fn bucket_of(cost: u32) -> usize {
        ((cost >> SHIFT) as usize).saturating_sub(LEAST).min(BUCKETS - 1)
    }
    /// The bucket whose edges are given out.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        self.bucket
    }
    /// Puts an edge into a bucket.
    #[inline(always)]
    pub fn push(&mut self, h: HalfEdge, bucket: usize) {
        let part = &mut self.parts[h.face().index() as usize / FACES];
        let bucket = bucket.min(BUCKETS - 1);
        part.first = part.first.min(bucket);
        part.buckets[bucket].push(h);
        self.counts[bucket] += 1;
    }
    /// Takes the next edge. `share`: about how many edges are given out, part by part, before costs of all
    /// parts are compared again.
    #[inline(always)]
    pub fn pop(&mut self, share: usize) -> Option<HalfEdge> {
        loop {
            if let Some(&h) = self.current.get(self.next) {
                self.next += 1;
                return Some(h);
            }
            self.turn_over(share)?;
        }
    }
    /// Takes the edges of the next bucket.
    fn turn_over(&mut self, share: usize) -> Option<()> {
        self.next = 0;
        self.current.clear();
        loop {
            if let Some(part) = self.parts.get_mut(self.at) {
                if let Some(bucket) = part.lowest().filter(|&bucket| bucket < self.end) {
                    self.bucket = bucket;
                    std::mem::swap(&mut self.current, &mut part.buckets[bucket]);
                    self.counts[bucket] -= self.current.len();
                    return Some(());
                }
                self.at += 1;
            } else {
                self.end = self.end_for(share)?;
                self.at = 0;
            }
        }
    }
    /// The bucket behind those of so many edges, and behind one that has some.
    fn end_for(&self, share: usize) -> Option<usize> {
        let last = self.counts.iter().rposition(|&n| n > 0)?;
        let mut sum = 0;
        let enough = |n: &usize| {
            sum += n;
            sum >= share.max(1)
        };
        Some(1 + self.counts.iter().position(enough).unwrap_or(last))
    }
}
