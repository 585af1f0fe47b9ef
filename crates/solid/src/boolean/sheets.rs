//! Vertices at which a result touches itself.
use crate::arrange::{Arrangement, Axle, Edges, Grid, Spoke};
use crate::boolean::on_grid;
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh_mesh::UnionFind;
use rustc_hash::FxHashMap;

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

/// A corner of a face: its vertex and the next one, and the one after these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    /// Two vertices, in one number since it is compared faster.
    of_and_from: u64,
    to: u32,
}

impl Link {
    pub(crate) fn new(of: u32, from: u32, to: u32) -> Self {
        Self { of_and_from: u64::from(of) << 32 | u64::from(from), to }
    }
    fn of(&self) -> u32 {
        (self.of_and_from >> 32) as u32
    }
    fn from(&self) -> u32 {
        self.of_and_from as u32
    }
}

/// Vertices of which the faces with some corners are not one closed fan.
pub(crate) fn forks(mut links: Vec<Link>) -> Vec<u32> {
    links.par_sort_unstable();
    let of_vertex = |links: &[Link]| {
        let first = links[0].from();
        let (mut at, mut seen) = (first, 0);
        // around the vertex, until the way ends, comes back, or goes on for too long
        while let Ok(place) = links.binary_search_by_key(&at, Link::from) {
            at = links[place].to;
            seen += 1;
            if at == first || seen > links.len() {
                break;
            }
        }
        let is_fan =
            at == first && seen == links.len() && links.windows(2).all(|two| two[0].from() != two[1].from());
        (!is_fan).then_some(links[0].of())
    };
    links.par_chunk_by(|a, b| a.of() == b.of()).filter_map(of_vertex).collect()
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
