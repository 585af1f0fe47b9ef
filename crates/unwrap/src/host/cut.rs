//! Cut graphs: seams along which a surface becomes a disk.
use super::disk::{Disk, Glued};
use glam::DVec3;
use ribbonmesh::device::NONE;
use ribbonmesh::mesh::UnionFind;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Roots that are tried: the cut depends on where its loops meet.
const ROOTS: usize = 12;

/// Edges along which a surface is cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cut {
    /// The sides of faces that are no longer glued, one of each edge.
    pub sides: Vec<u32>,
    /// Their length.
    pub length: f64,
}

impl Cut {
    /// The corner on the other side of each corner's side, where there still is one.
    pub fn opened(&self, twins: &[u32]) -> Vec<u32> {
        let mut opened = twins.to_vec();
        for &side in &self.sides {
            opened[side as usize] = NONE;
            opened[twins[side as usize] as usize] = NONE;
        }
        opened
    }
}

struct Edge {
    ends: [u32; 2],
    /// A corner of each of its faces; the second is [`NONE`] on the boundary.
    sides: [u32; 2],
    length: f64,
}
impl Edge {
    fn is_boundary(&self) -> bool {
        self.sides[1] == NONE
    }
}

/// Edges of a surface by vertices.
struct Graph {
    edges: Vec<Edge>,
    starts: Vec<usize>,
    at: Vec<u32>,
    faces: usize,
}

/// Shortest ways from a vertex, where ways along the boundary cost nothing.
struct Ways {
    distance: Vec<f64>,
    /// The last edge on the way to each vertex; [`NONE`] at the root.
    last: Vec<u32>,
}

/// Edges that make a disk of a connected oriented surface, as short as they are found: the shortest loops at
/// a vertex that make a basis, and shortest ways between boundary loops (a tree of shortest ways and a tree
/// of faces that crosses edges of long loops first; Erickson and Whittlesey 2005), for the best of several
/// vertices. A sphere is cut along a way between vertices that are far from each other. None for a disk.
pub fn cut_graph(mesh: &Glued<'_>, whole: &Disk) -> Cut {
    if whole.is_disk() {
        return Cut::default();
    }
    let graph = Graph::new(mesh, whole);
    let is_sphere = whole.loops.is_empty() && whole.euler_characteristic() == 2;
    let start = whole.loops.first().map_or(whole.corners[0][0], |boundary| boundary[0]);
    let mut nearest = vec![f64::INFINITY; whole.vertices];
    let (mut root, mut best) = (start, Cut { sides: vec![], length: f64::INFINITY });
    for k in 0..ROOTS {
        let ways = graph.ways(root);
        let far = (0..whole.vertices as u32).max_by(|&a, &b| {
            let of = |v: u32| nearest[v as usize].min(ways.distance[v as usize]);
            of(a).total_cmp(&of(b)).then(b.cmp(&a))
        });
        let Some(far) = far else { break };
        if is_sphere {
            // twice to the farthest vertex, and the way between
            if k == 2 {
                best = graph.cut(graph.between(&ways, far));
                break;
            }
        } else {
            let found = graph.cut(graph.loops(&ways));
            if found.length < best.length {
                best = found;
            }
            nearest.iter_mut().zip(&ways.distance).for_each(|(near, way)| *near = near.min(*way));
        }
        root = far;
    }
    best
}

impl Graph {
    fn new(mesh: &Glued<'_>, whole: &Disk) -> Self {
        let at: Vec<DVec3> = whole.in_space(mesh);
        let corner_at = |corner: u32| whole.corners[corner as usize / 3][corner as usize % 3];
        let mut edges = vec![];
        for corner in 0..3 * whole.faces.len() as u32 {
            let twin = mesh.across(corner).unwrap_or(NONE);
            if corner < twin {
                let ends = [corner_at(corner), corner_at(super::disk::after(corner))];
                let length = at[ends[0] as usize].distance(at[ends[1] as usize]);
                edges.push(Edge { ends, sides: [corner, twin], length });
            }
        }
        let mut starts = vec![0; whole.vertices + 1];
        edges.iter().flat_map(|edge| edge.ends).for_each(|v| starts[v as usize + 1] += 1);
        for v in 0..whole.vertices {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut places = vec![0; 2 * edges.len()];
        for (e, edge) in (0..).zip(&edges) {
            for v in edge.ends {
                places[next[v as usize]] = e;
                next[v as usize] += 1;
            }
        }
        Self { edges, starts, at: places, faces: whole.faces.len() }
    }
    fn edges_at(&self, v: u32) -> &[u32] {
        &self.at[self.starts[v as usize]..self.starts[v as usize + 1]]
    }
    fn other(&self, edge: u32, v: u32) -> u32 {
        let [a, b] = self.edges[edge as usize].ends;
        if a == v { b } else { a }
    }
    fn ways(&self, root: u32) -> Ways {
        let n = self.starts.len() - 1;
        let mut ways = Ways { distance: vec![f64::INFINITY; n], last: vec![NONE; n] };
        ways.distance[root as usize] = 0.0;
        // bits of positive numbers have their order
        let mut waiting = BinaryHeap::from([Reverse((0_u64, root))]);
        while let Some(Reverse((bits, v))) = waiting.pop() {
            let distance = f64::from_bits(bits);
            if distance > ways.distance[v as usize] {
                continue;
            }
            for &e in self.edges_at(v) {
                let edge = &self.edges[e as usize];
                let (to, step) = (self.other(e, v), if edge.is_boundary() { 0.0 } else { edge.length });
                if distance + step < ways.distance[to as usize] {
                    ways.distance[to as usize] = distance + step;
                    ways.last[to as usize] = e;
                    waiting.push(Reverse(((distance + step).to_bits(), to)));
                }
            }
        }
        ways
    }
    /// Inner edges that a tree of all faces does not cross, without ends that lead nowhere. The tree crosses
    /// edges of the ways only if there is nothing else, and of the others those of the longest loops first.
    fn loops(&self, ways: &Ways) -> Vec<u32> {
        let mut on_way = vec![false; self.edges.len()];
        ways.last.iter().filter(|&&e| e != NONE).for_each(|&e| on_way[e as usize] = true);
        let inner = |&e: &u32| !self.edges[e as usize].is_boundary();
        let mut order: Vec<u32> = (0..self.edges.len() as u32).filter(inner).collect();
        let around = |e: u32| {
            let Edge { ends: [a, b], length, .. } = self.edges[e as usize];
            ways.distance[a as usize] + ways.distance[b as usize] + length
        };
        order.sort_by(|&a, &b| {
            let ways = on_way[a as usize].cmp(&on_way[b as usize]);
            ways.then(around(b).total_cmp(&around(a))).then(a.cmp(&b))
        });
        let mut joined = UnionFind::new(self.faces);
        let mut stays = vec![true; self.edges.len()];
        for e in order {
            let [a, b] = self.edges[e as usize].sides.map(|corner| corner / 3);
            if joined.join(a, b) {
                stays[e as usize] = false;
            }
        }
        self.prune(&mut stays);
        (0..self.edges.len() as u32).filter(|e| inner(e) && stays[*e as usize]).collect()
    }
    /// Leaves out edges of which one end has no other edge.
    fn prune(&self, stays: &mut [bool]) {
        let n = self.starts.len() as u32 - 1;
        let mut degree = vec![0_u32; n as usize];
        for (edge, _) in self.edges.iter().zip(&*stays).filter(|(_, stays)| **stays) {
            edge.ends.iter().for_each(|&v| degree[v as usize] += 1);
        }
        let mut ends: Vec<u32> = (0..n).filter(|&v| degree[v as usize] == 1).collect();
        while let Some(v) = ends.pop() {
            let Some(&e) = self.edges_at(v).iter().find(|&&e| stays[e as usize]) else { continue };
            stays[e as usize] = false;
            let other = self.other(e, v);
            degree[v as usize] -= 1;
            degree[other as usize] -= 1;
            if degree[other as usize] == 1 {
                ends.push(other);
            }
        }
    }
    /// The way to a vertex, of two edges at least: along one alone, a cut would have no inside.
    fn between(&self, ways: &Ways, to: u32) -> Vec<u32> {
        let (mut way, mut v) = (vec![], to);
        while ways.last[v as usize] != NONE {
            way.push(ways.last[v as usize]);
            v = self.other(ways.last[v as usize], v);
        }
        if let &[only] = &way[..] {
            let more = |&&e: &&u32| self.other(e, to) != self.other(only, to) && self.other(e, to) != to;
            way.extend(
                self.edges_at(to).iter().filter(more).min_by(|a, b| {
                    self.edges[**a as usize].length.total_cmp(&self.edges[**b as usize].length)
                }),
            );
        }
        way
    }
    fn cut(&self, edges: Vec<u32>) -> Cut {
        Cut {
            length: edges.iter().map(|&e| self.edges[e as usize].length).sum(),
            sides: edges.into_iter().map(|e| self.edges[e as usize].sides[0]).collect(),
        }
    }
}
