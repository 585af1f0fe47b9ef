//! Vertices at which a result touches itself.
use crate::arrange::{Arrangement, Axle, Edges, GRAIN, Grid, Spoke};
use crate::boolean::on_grid;
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh_mesh::UnionFind;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// Where edges are split, by rounds, as parts of their lengths.
const PARTS: [f64; 9] = [0.5, 0.375, 0.625, 0.4375, 0.5625, 0.3125, 0.6875, 0.25, 0.75];

/// A vertex like another one.
pub(crate) struct Copied {
    pub(crate) of: u32,
    /// Whether it is in the middle of an edge of the other one.
    pub(crate) is_middle: bool,
}

/// Faces of a closed surface that touches itself in edges or at vertices: all that have a marked vertex.
pub(crate) struct Sheets {
    scale: f64,
    /// Where edges are split, as a part of their length.
    at: f64,
    pub(crate) points: Vec<Vec3>,
    pub(crate) faces: Vec<[u32; 3]>,
    marked: Vec<bool>,
    /// The vertices that were added.
    pub(crate) copies: Vec<Copied>,
    /// For each face that was added the one of which it is a part.
    pub(crate) sources: Vec<u32>,
}

impl Sheets {
    /// In another round edges are split elsewhere, since a rounded vertex may have made faces intersect.
    pub(crate) fn new(
        scale: f64,
        points: Vec<Vec3>,
        faces: Vec<[u32; 3]>,
        marked: Vec<bool>,
        round: u32,
    ) -> Self {
        let at = PARTS[round as usize % PARTS.len()];
        Self { scale, at, points, faces, marked, copies: vec![], sources: vec![] }
    }
    /// Doubles marked vertices so that the surface is a manifold there: at an edge of more than two faces
    /// those are neighbours that have a volume of the result between them. Where two sheets are connected
    /// around both ends of such an edge, each gets a vertex of its own in the middle of it.
    pub(crate) fn part(&mut self) {
        let mut crowded = self.double_vertices();
        // a face has several such edges, of which each turn splits one
        while crowded {
            crowded = self.split_edges();
        }
    }
    fn arrangement(&self) -> Arrangement {
        Arrangement {
            grid: Grid::of_scale(self.scale, self.points.clone()),
            faces: self.faces.clone(),
            settled: vec![],
            made: vec![],
            whole: vec![true; self.faces.len()],
            cut: vec![],
            others: vec![],
            faces_cut: 0,
        }
    }
    fn copy(&mut self, of: u32, is_middle: bool, point: Vec3) -> u32 {
        self.copies.push(Copied { of, is_middle });
        self.points.push(point);
        self.marked.push(true);
        self.points.len() as u32 - 1
    }
    fn is_marked(&self, ends: [u32; 2]) -> bool {
        ends.iter().any(|&v| self.marked[v as usize])
    }
    /// Splits edges of more than two faces, none of which share a face. Returns whether there was one.
    fn split_edges(&mut self) -> bool {
        let local = self.arrangement();
        let edges = Edges::new(&local);
        // for each face to be split the edge and the new vertex on it
        let mut split: FxHashMap<u32, ([u32; 2], u32)> = FxHashMap::default();
        for point in 0..local.grid.points.len() as u32 {
            for (ends, spokes) in edges.from(point) {
                if spokes.len() <= 2 || !self.is_marked(ends) {
                    continue;
                }
                let sheets = sheets(&local, ends, spokes);
                if sheets.as_flattened().iter().any(|face| split.contains_key(face)) {
                    continue;
                }
                let [a, b] = ends.map(|v| self.points[v as usize].as_dvec3());
                for sheet in sheets {
                    let middle = self.copy(ends[0], true, on_grid(a.lerp(b, self.at).as_vec3(), self.scale));
                    sheet.iter().for_each(|&face| _ = split.insert(face, (ends, middle)));
                }
            }
        }
        let mut new: Vec<(u32, [u32; 3])> = vec![];
        for (&face, &(ends, middle)) in &split {
            let corners = self.faces[face as usize];
            let with = |end: u32| corners.map(|v| if v == end { middle } else { v });
            self.faces[face as usize] = with(ends[0]);
            new.push((face, with(ends[1])));
        }
        // the order of a hash table is no order
        new.sort_unstable();
        self.faces.extend(new.iter().map(|of| of.1));
        let before = self.faces.len() - new.len() - self.sources.len();
        let source = |face: u32| match (face as usize).checked_sub(before) {
            Some(added) => self.sources[added],
            None => face,
        };
        let sources: Vec<u32> = new.iter().map(|of| source(of.0)).collect();
        self.sources.extend(sources);
        !split.is_empty()
    }
    /// Doubles vertices at which several fans of faces meet. Returns whether an edge had more than two faces.
    fn double_vertices(&mut self) -> bool {
        let local = self.arrangement();
        let edges = Edges::new(&local);
        let mut fans = UnionFind::new(3 * local.faces.len());
        let corner = |part: u32, point: u32| {
            let place = local.faces[part as usize].iter().position(|&v| v == point);
            3 * part + place.unwrap_or(0) as u32
        };
        let mut crowded = false;
        for point in 0..local.grid.points.len() as u32 {
            for (ends, spokes) in edges.from(point) {
                if !self.is_marked(ends) {
                    continue;
                }
                crowded |= spokes.len() > 2;
                for [a, b] in sheets(&local, ends, spokes) {
                    ends.iter().for_each(|&end| _ = fans.join(corner(a, end), corner(b, end)));
                }
            }
        }
        // the first fan of a vertex keeps it
        let mut of_fan = vec![u32::MAX; 3 * local.faces.len()];
        let mut taken = vec![false; self.points.len()];
        for (i, corners) in local.faces.iter().enumerate() {
            for (k, &vertex) in corners.iter().enumerate() {
                if !self.marked[vertex as usize] {
                    continue;
                }
                let fan = fans.root((3 * i + k) as u32) as usize;
                if of_fan[fan] == u32::MAX {
                    of_fan[fan] = match taken[vertex as usize] {
                        true => self.copy(vertex, false, self.points[vertex as usize]),
                        false => vertex,
                    };
                    taken[vertex as usize] = true;
                }
                self.faces[i][k] = of_fan[fan];
            }
        }
        crowded
    }
}

/// Vertices, of some that ascend, of which the faces are not one closed fan; `faces` has all of theirs. All
/// numbers are below `count`.
pub(crate) fn forks(vertices: &[u32], faces: &[[u32; 3]], count: usize) -> Vec<u32> {
    // for each vertex one more than its place in the list
    let mut places = vec![0_u32; count];
    (1..).zip(vertices).for_each(|(place, &v)| places[v as usize] = place);
    let place = |v: u32| places[v as usize].checked_sub(1);
    let rows: Vec<AtomicU32> = vertices.par_iter().with_min_len(GRAIN).map(|_| AtomicU32::new(0)).collect();
    faces.par_iter().with_min_len(GRAIN).flatten_iter().filter_map(|&v| place(v)).for_each(|at| {
        rows[at as usize].fetch_add(1, Relaxed);
    });
    let mut end = 0;
    let mut ends = Vec::with_capacity(rows.len());
    for row in rows {
        end += row.into_inner();
        ends.push(AtomicU32::new(end));
    }
    // the next vertex and the one after it, for each corner at a vertex
    let links: Vec<AtomicU64> =
        (0..end).into_par_iter().with_min_len(GRAIN).map(|_| AtomicU64::new(0)).collect();
    faces.par_iter().with_min_len(GRAIN).for_each(|&[a, b, c]| {
        for [of, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
            let Some(row) = place(of) else { continue };
            let at = ends[row as usize].fetch_sub(1, Relaxed) - 1;
            links[at as usize].store(u64::from(from) << 32 | u64::from(to), Relaxed);
        }
    });
    // each row begins there now
    let start = |row: usize| ends.get(row).map_or(end, |start| start.load(Relaxed)) as usize;
    let fork = |row: &mut Vec<u64>, i: usize| {
        row.clear();
        row.extend(links[start(i)..start(i + 1)].iter().map(|link| link.load(Relaxed)));
        row.sort_unstable();
        (!is_fan(row)).then_some(vertices[i])
    };
    (0..vertices.len())
        .into_par_iter()
        .with_min_len(GRAIN / 4)
        .map_init(Vec::new, fork)
        .flatten_iter()
        .collect()
}

/// Whether the corners at a vertex, ascending, are none or one closed fan.
fn is_fan(links: &[u64]) -> bool {
    let from = |link: &u64| (link >> 32) as u32;
    let Some(first) = links.first().map(from) else { return true };
    let (mut at, mut seen) = (first, 0);
    // around the vertex, until the way ends, comes back, or goes on for too long
    while let Ok(place) = links.binary_search_by_key(&at, from) {
        at = links[place] as u32;
        seen += 1;
        if at == first || seen > links.len() {
            break;
        }
    }
    at == first && seen == links.len() && links.windows(2).all(|two| from(&two[0]) != from(&two[1]))
}

/// The pairs of faces at an edge that have a volume of the result between them.
fn sheets(of: &Arrangement, ends: [u32; 2], spokes: impl Iterator<Item = Spoke>) -> Vec<[u32; 2]> {
    let mut spokes: Vec<Spoke> = spokes.collect();
    if spokes.len() > 2 {
        Axle::new(of, ends).sort(&mut spokes);
    }
    // the volume behind a face that runs backward is ahead of it, up to the next one that runs forward; where
    // rounding put several on one another, the next that is free
    let (mut open, mut pairs) = (vec![], vec![]);
    let mut taken = vec![false; spokes.len()];
    for i in (0..spokes.len()).chain(0..spokes.len()) {
        match (spokes[i].forward, taken[i]) {
            (_, true) => {}
            (false, _) => {
                open.push(i);
                taken[i] = true;
            }
            (true, _) => {
                if let Some(first) = open.pop() {
                    pairs.push([spokes[first].part, spokes[i].part]);
                    taken[i] = true;
                }
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::{SplitMix64 as Random, shapes};

    /// Whether the faces with a vertex are one closed fan, by following them one after the other.
    fn is_one_fan(faces: &[[u32; 3]], v: u32) -> bool {
        let turned =
            |&[a, b, c]: &[u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().find(|t| t[0] == v);
        let mut left: Vec<[u32; 3]> = faces.iter().filter_map(turned).collect();
        let mut others: Vec<u32> = left.iter().map(|t| t[1]).collect();
        others.sort_unstable();
        if others.windows(2).any(|two| two[0] == two[1]) {
            return false;
        }
        let Some([_, first, mut at]) = left.pop() else { return true };
        while at != first {
            let Some(next) = left.iter().position(|t| t[1] == at) else { return false };
            at = left.swap_remove(next)[2];
        }
        left.is_empty()
    }

    #[test]
    fn forks_are_vertices_without_one_closed_fan() {
        let mut random = Random::new(11);
        let mut found = 0;
        for round in 0..60_u32 {
            let mut faces = shapes::icosphere(2).expect("small").faces;
            let n = 162;
            let mut number = |n: usize| (random.unit() * n as f64) as u32;
            for _ in 0..round % 6 {
                // two vertices become one, a face goes, a face turns around
                let [to, from] = [number(n), number(n)];
                faces.iter_mut().flatten().filter(|v| **v == from).for_each(|v| *v = to);
                faces.retain(|&[a, b, c]| a != b && b != c && c != a);
                if round % 3 == 1 {
                    faces.swap_remove(number(faces.len()) as usize);
                }
                if round % 4 == 2 {
                    let at = number(faces.len()) as usize;
                    faces[at].reverse();
                }
            }
            let vertices: Vec<u32> = (0..n as u32).filter(|v| v % 5 != round % 5).collect();
            let expected: Vec<u32> = vertices.iter().copied().filter(|&v| !is_one_fan(&faces, v)).collect();
            assert_eq!(forks(&vertices, &faces, n), expected, "{round}");
            found += expected.len();
        }
        assert!(found > 100, "{found}");
        assert!(forks(&[], &[], 0).is_empty());
    }
}
