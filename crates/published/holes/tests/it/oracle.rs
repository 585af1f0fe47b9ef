//! The algorithms as the paper has them, in plain code on lists.
use ribbonmesh::glam::Vec3;
use ribbonmesh_holes::HoleOptions;
use ribbonmesh_holes::kernels::fill::LARGE_PRIME;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Result of [`fill`].
#[derive(Debug, PartialEq)]
pub struct Plain {
    pub faces: Vec<[u32; 3]>,
    pub kept: u32,
    pub holes: u32,
    pub joined: u32,
    pub open: u32,
}

fn squared(p: Vec3, q: Vec3) -> f64 {
    (p - q).to_array().iter().map(|&c| f64::from(c) * f64::from(c)).sum()
}
fn edge(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
/// The sides of faces, in order, that are at the boundary.
fn boundary(faces: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides: Vec<[u32; 2]> = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    let all: HashSet<[u32; 2]> = sides.iter().copied().collect();
    sides.into_iter().filter(|&[a, b]| !all.contains(&[b, a])).collect()
}
/// 3.5: deletes faces at vertices with more than two sides of the boundary.
fn without_crowded(mut faces: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
    loop {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        boundary(&faces).iter().flatten().for_each(|&v| *counts.entry(v).or_default() += 1);
        let n = faces.len();
        faces.retain(|face| face.iter().all(|v| counts.get(v).is_none_or(|&count| count <= 2)));
        if faces.len() == n {
            return faces;
        }
    }
}

/// The quad between two holes: the vertices at which its edges begin, its faces, its diagonal.
type Quad = (usize, usize, [[u32; 3]; 2], [u32; 2]);

/// A mesh whose holes are to be filled.
struct Open<'a> {
    x: &'a [Vec3],
    faces: Vec<[u32; 3]>,
    edges: HashSet<[u32; 2]>,
    /// Faces that close loops of three edges.
    closing: Vec<[u32; 3]>,
    holes: Vec<Vec<u32>>,
}
impl<'a> Open<'a> {
    /// 3.6: the loops, each from its least vertex on, in the order of the sides that begin there.
    fn of(x: &'a [Vec3], faces: &[[u32; 3]]) -> Self {
        let mut faces = without_crowded(faces.to_vec());
        let sides = boundary(&faces);
        let back: HashMap<u32, u32> = sides.iter().map(|&[a, b]| (b, a)).collect();
        let (mut closing, mut holes, mut alone) = (vec![], vec![], HashSet::new());
        for [seed, _] in sides {
            let mut hole = vec![seed];
            while back[&hole[hole.len() - 1]] != seed {
                hole.push(back[&hole[hole.len() - 1]]);
            }
            if hole.iter().min() != Some(&seed) {
                continue;
            }
            let Ok(three) = <[u32; 3]>::try_from(hole.as_slice()) else {
                holes.push(hole);
                continue;
            };
            // the outside of a face runs the other way around it
            let [a, b, c] = three;
            if faces.iter().any(|face| [[a, c, b], [c, b, a], [b, a, c]].contains(face)) {
                alone.insert([a, b, c]);
            } else {
                closing.push(three);
            }
        }
        faces.retain(|&[a, b, c]| ![[a, c, b], [c, b, a], [b, a, c]].iter().any(|face| alone.contains(face)));
        let edges = faces.iter().flat_map(|&[a, b, c]| [edge(a, b), edge(b, c), edge(c, a)]).collect();
        Self { x, faces, edges, closing, holes }
    }
    fn point(&self, v: u32) -> Vec3 {
        self.x[v as usize]
    }
    fn squared(&self, v: u32, w: u32) -> f64 {
        squared(self.point(v), self.point(w))
    }
    /// Algorithm 2, one pair after the other: the highest that can be taken.
    fn pairs(&self, options: &HoleOptions) -> Vec<[usize; 2]> {
        let (reach, mut scores) = (f64::from(options.pair_distance).powi(2), BTreeMap::new());
        for (a, hole) in self.holes.iter().enumerate() {
            for (b, other) in self.holes.iter().enumerate().skip(a + 1) {
                let near = |&v: &u32| other.iter().filter(|&&w| self.squared(v, w) <= reach).count();
                let score: usize = hole.iter().map(near).sum();
                if score > 0 {
                    scores.insert([a, b], score);
                }
            }
        }
        let mut order: Vec<([usize; 2], usize)> = scores.into_iter().collect();
        order.sort_by_key(|&(_, score)| score);
        let (mut pairs, mut taken) = (vec![], HashSet::new());
        for (pair, score) in order.into_iter().rev() {
            let longer = pair.map(|hole| self.holes[hole].len()).into_iter().max().unwrap_or(0);
            let enough = score as f64 >= f64::from(options.pair_share) * longer as f64;
            if enough && pair.iter().all(|hole| !taken.contains(hole)) {
                taken.extend(pair);
                pairs.push(pair);
            }
        }
        pairs
    }
    /// The closest legal edges of two holes, with the faces of the quad between them.
    fn bridge(&self, [a, b]: [usize; 2]) -> Option<Quad> {
        let (a, b) = (&self.holes[a], &self.holes[b]);
        let mut found: Option<(f64, _)> = None;
        for (i, &v) in a.iter().enumerate() {
            let after_v = a[(i + 1) % a.len()];
            for (j, &w) in b.iter().enumerate() {
                let after_w = b[(j + 1) % b.len()];
                let cost = self.squared(after_v, w) + self.squared(after_w, v);
                if found.as_ref().is_some_and(|&(least, _)| cost >= least) {
                    continue;
                }
                let free = |v: u32, w: u32| !self.edges.contains(&edge(v, w));
                if !free(after_v, w) || !free(after_w, v) {
                    continue;
                }
                let first = ([[v, after_v, w], [v, w, after_w]], [v, w]);
                let second = ([[after_v, w, after_w], [v, after_v, after_w]], [after_v, after_w]);
                let length = |of: &([[u32; 3]; 2], [u32; 2])| self.squared(of.1[0], of.1[1]);
                let mut legal = vec![first, second];
                legal.retain(|&(_, [v, w])| free(v, w));
                let shortest = legal.into_iter().reduce(|a, b| if length(&b) < length(&a) { b } else { a });
                if let Some((faces, diagonal)) = shortest {
                    found = Some((cost, (i, j, faces, diagonal)));
                }
            }
        }
        found.map(|(_, bridge)| bridge)
    }
    /// Algorithms 3 and 4. Vertices are counted from 0, edges of the hole have no weight.
    fn triangulate(
        &self,
        hole: &[u32],
        extra: Option<[u32; 2]>,
        options: &HoleOptions,
    ) -> Option<Vec<[u32; 3]>> {
        let n = hole.len();
        let is_legal = |i: usize, j: usize| {
            let between = edge(hole[i], hole[j]);
            j == i + 1
                || (i == 0 && j == n - 1)
                || !(self.edges.contains(&between) || extra.is_some_and(|[a, b]| between == edge(a, b)))
        };
        let length = |i: usize, j: usize| self.squared(hole[i], hole[j]);
        let reach = f64::from(options.near_distance).powi(2);
        let (mut w, mut apex) = (vec![vec![f64::INFINITY; n]; n], vec![vec![None; n]; n]);
        let legal: Vec<Vec<bool>> =
            (0..n).map(|i| (0..n).map(|j| j > i && is_legal(i, j)).collect()).collect();
        (0..n - 1).for_each(|i| w[i][i + 1] = 0.0);
        for m in 2..n {
            for i in 0..n - m {
                let (j, mut count, mut all) = (i + m, 0, n <= options.exact as usize);
                let mut consider = |k: usize| {
                    let cost = w[i][k] + w[k][j] + (length(i, k) + length(k, j) + length(i, j));
                    if legal[i][k] && legal[k][j] && cost < w[i][j] {
                        (w[i][j], apex[i][j]) = (cost, Some(k));
                    }
                    apex[i][j].is_some()
                };
                let mut found = false;
                if all {
                    (i + 1..j).for_each(|k| found = consider(k));
                    continue;
                }
                if length(i, j) < reach {
                    all = m <= options.candidates as usize;
                    for k in (i + 1..j).filter(|&k| !all && length(i, k) < reach) {
                        if count == options.candidates {
                            break;
                        }
                        found = consider(k);
                        count += 1;
                    }
                }
                let (l, mut q) = (m as u32 - 1, LARGE_PRIME % (m as u32 - 1));
                for _ in 0..if found { 0 } else { l } {
                    let k = i + 1 + q as usize;
                    q = (q + LARGE_PRIME % l) % l;
                    if consider(k) && !all {
                        break;
                    }
                }
            }
        }
        let mut faces = vec![[0; 3]; n - 2];
        let mut waiting = vec![[0, n - 1]];
        while let Some([i, j]) = waiting.pop() {
            if j > i + 1 {
                let k = apex[i][j]?;
                faces[k - 1] = [i, k, j].map(|v| hole[v]);
                waiting.extend([[i, k], [k, j]]);
            }
        }
        Some(faces)
    }
}

/// Fills the holes of a mesh.
pub fn fill(x: &[Vec3], faces: &[[u32; 3]], options: &HoleOptions) -> Plain {
    let open = Open::of(x, faces);
    let mut holes: Vec<_> = open.holes.iter().map(|hole| Some((hole.clone(), None))).collect();
    let mut joined = 0;
    for pair in open.pairs(options) {
        if let Some((i, j, faces, diagonal)) = open.bridge(pair) {
            let turned = |hole: usize, by: usize| {
                let mut hole = open.holes[hole].clone();
                let n = hole.len();
                hole.rotate_left((by + 1) % n);
                hole
            };
            let both = [turned(pair[0], i), turned(pair[1], j)].concat();
            holes[pair[0]] = Some((both, Some((faces, diagonal))));
            holes[pair[1]] = None;
            joined += 1;
        }
    }
    let (mut new, mut left_open) = (open.closing.clone(), 0);
    for (hole, bridge) in holes.into_iter().flatten() {
        match open.triangulate(&hole, bridge.map(|(_, diagonal)| diagonal), options) {
            Some(faces) => new.extend(faces),
            None => left_open += 1,
        }
        new.extend(bridge.into_iter().flat_map(|(faces, _)| faces));
    }
    Plain {
        kept: open.faces.len() as u32,
        faces: [open.faces.as_slice(), &new].concat(),
        holes: open.holes.len() as u32,
        joined,
        open: left_open,
    }
}
