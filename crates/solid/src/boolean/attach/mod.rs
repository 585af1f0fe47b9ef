//! Faces that get vertices nearby as corners, so that sheets that nearly coincide do.
mod nearby;
mod parts;

use crate::arrange::GRAIN;
use crate::boolean::draft::{Beside, key};
use crate::boolean::on_grid;
use crate::boolean::snap::snapped;
use glam::{DVec3, Vec3};
use nearby::{Edge, Nearby, crossings};
use parts::Parts;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Faces with their new vertices.
pub(crate) struct Attached {
    pub(crate) faces: Vec<Beside>,
    /// Positions of vertices that are new: points where edges pass each other.
    pub(crate) points: Vec<Vec3>,
    /// Vertices that are not around, and at which edges pass each other.
    pub(crate) beyond: FxHashSet<u32>,
}

/// Divides faces so that what is within `reach` of them is on them: vertices `around` become corners of
/// edges and faces near them, edges that pass each other get a common vertex, and faces have the edges whose
/// ends they have. So sheets that nearly coincide have equal faces, or stay apart. If they are only cut where
/// they cross, at small angles, each rounded point makes them cross elsewhere.
///
/// New vertices have numbers from `first` on, and positions on the grid of a `scale`. All faces at an edge
/// with an end `around` must be there. A face of which nothing is left gets one corner three times. `None`
/// if nothing is near. O(n log n) if few faces overlap along the first axis.
pub(crate) fn attached(
    [reach, scale]: [f64; 2],
    first: u32,
    near: &[Beside],
    around: &FxHashSet<[u32; 3]>,
) -> Option<Attached> {
    let corners = near.iter().flat_map(|face| face.vertices.into_iter().zip(face.corners));
    let mut at: FxHashMap<u32, DVec3> = corners.map(|(vertex, point)| (vertex, point.as_dvec3())).collect();
    let mut known: Vec<u32> =
        at.iter().filter(|of| around.contains(&key(of.1.as_vec3()))).map(|of| *of.0).collect();
    known.par_sort_unstable();
    let edges = edges(near, &at, &known);
    // vertices where edges pass each other
    let passed: Vec<DVec3> = crossings(&edges, reach)
        .into_iter()
        .map(|point| on_grid(point.as_vec3(), scale).as_dvec3())
        .collect();
    let (mut points, mut beyond) = (vec![], FxHashSet::default());
    if !passed.is_empty() {
        let place = |v: u32| v.checked_sub(first).map_or_else(|| at[&v], |i| passed[i as usize]).as_vec3();
        let all: Vec<u32> = at.keys().copied().chain((first..).take(passed.len())).collect();
        let one = snapped(&all, first, reach as f32, place);
        beyond.extend(one.values().filter(|&&v| v < first && known.binary_search(&v).is_err()));
        points =
            (first..).zip(&passed).filter(|of| !one.contains_key(&of.0)).map(|of| of.1.as_vec3()).collect();
        at.extend((first..).zip(points.iter().map(|point: &Vec3| point.as_dvec3())));
        known.extend((first..).take(points.len()));
    }
    let nearby = Nearby::new(known.iter().map(|&vertex| (at[&vertex], vertex)).collect(), reach);
    let chain = |edge: &Edge| Some((edge.ends, nearby.on_edge(edge)?));
    let chains: FxHashMap<[u32; 2], Vec<u32>> =
        edges.par_iter().with_min_len(GRAIN / 8).filter_map(chain).collect();
    let mut beside: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for Edge { ends, .. } in &edges {
        let chain = chains.get(ends).map_or(&[][..], Vec::as_slice);
        let way: Vec<u32> = [ends[0]].iter().chain(chain).chain(&ends[1..]).copied().collect();
        for two in way.windows(2) {
            beside.entry(two[0]).or_default().push(two[1]);
            beside.entry(two[1]).or_default().push(two[0]);
        }
    }
    let of = Of { nearby, chains, beside, at, around };
    let divided: Vec<Option<Vec<[u32; 3]>>> =
        near.par_iter().with_min_len(GRAIN / 32).map(|face| of.divided(face)).collect();
    if divided.iter().all(Option::is_none) && beyond.is_empty() {
        return None;
    }
    let mut faces = Vec::with_capacity(near.len());
    for (face, parts) in near.iter().zip(divided) {
        let part = |vertices: [u32; 3]| {
            let corners = vertices.map(|v| of.at[&v].as_vec3());
            Beside { vertices, corners, is_part: true, ..*face }
        };
        match parts {
            None => faces.push(*face),
            Some(parts) if parts.is_empty() => faces.push(part([face.vertices[0]; 3])),
            Some(parts) => faces.extend(parts.into_iter().map(part)),
        }
    }
    Some(Attached { faces, points, beyond })
}

fn sides([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// The edges of faces with an end that is `known`, in the order of their ends.
fn edges(near: &[Beside], at: &FxHashMap<u32, DVec3>, known: &[u32]) -> Vec<Edge> {
    let is_known = |vertex: &u32| known.binary_search(vertex).is_ok();
    let mut edges: Vec<[u32; 2]> = near.iter().flat_map(|face| sides(face.vertices)).map(ascending).collect();
    edges.retain(|ends| ends[0] != ends[1] && ends.iter().any(is_known));
    edges.par_sort_unstable();
    edges.dedup();
    edges.into_iter().map(|ends| Edge { ends, at: ends.map(|v| at[&v]) }).collect()
}

/// Elements near faces.
struct Of<'a> {
    nearby: Nearby,
    /// Vertices on edges, from the lesser end on.
    chains: FxHashMap<[u32; 2], Vec<u32>>,
    /// The next vertices along edges.
    beside: FxHashMap<u32, Vec<u32>>,
    at: FxHashMap<u32, DVec3>,
    around: &'a FxHashSet<[u32; 3]>,
}

impl Of<'_> {
    /// The parts of a face, if there are several or none.
    fn divided(&self, face: &Beside) -> Option<Vec<[u32; 3]>> {
        let [a, b, c] = face.vertices;
        if a == b || b == c || c == a {
            return None;
        }
        let mut cycle = vec![];
        for side in sides(face.vertices) {
            cycle.push(side[0]);
            match self.chains.get(&ascending(side)) {
                Some(chain) if side[0] < side[1] => cycle.extend(chain),
                Some(chain) => cycle.extend(chain.iter().rev()),
                None => {}
            }
        }
        let corners = face.vertices.map(|v| self.at[&v]);
        let within = match face.is_within(self.around) {
            true => self.nearby.in_face(corners, &cycle),
            false => vec![],
        };
        if cycle.len() == 3 && within.is_empty() {
            return None;
        }
        let mut all: Vec<u32> = cycle.iter().chain(&within).copied().collect();
        all.sort_unstable();
        all.dedup();
        let next = |&v: &u32| self.beside.get(&v).into_iter().flatten().map(move |&w| [v, w]);
        let mut across: Vec<[u32; 2]> = all.iter().flat_map(next).collect();
        across.retain(|&[v, w]| v < w && all.binary_search(&w).is_ok());
        across.sort_unstable();
        across.dedup();
        let mut parts = Parts::new(corners, &self.at);
        parts.fill(cycle);
        within.into_iter().for_each(|vertex| parts.insert(vertex));
        across.into_iter().for_each(|ends| parts.hold(ends));
        Some(parts.end())
    }
}
