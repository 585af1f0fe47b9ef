//! The edges of indexed triangles.
use rayon::prelude::*;

/// Edges, each once, and counts of them for each vertex.
pub(crate) struct Edges {
    /// The two vertices of each edge, the smaller first, ascending.
    pub ends: Vec<[u32; 2]>,
    /// Number of edges at each vertex.
    pub valence: Vec<u32>,
    /// Whether a vertex is an end of an edge that has not exactly two sides.
    pub irregular: Vec<bool>,
}

impl Edges {
    /// The edges of `faces` on `vertices` vertices. Sides from a vertex to itself, and faces with an index
    /// out of range, do not count. Sorts the sides.
    pub fn of(vertices: usize, faces: &[[u32; 3]]) -> Self {
        let inside = |f: &&[u32; 3]| f.iter().all(|&v| (v as usize) < vertices);
        let sides = |f: &[u32; 3]| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]];
        let mut sides: Vec<u64> = faces
            .par_iter()
            .filter(inside)
            .flat_map_iter(sides)
            .filter(|[a, b]| a != b)
            .map(|[a, b]| u64::from(a.min(b)) << 32 | u64::from(a.max(b)))
            .collect();
        sides.par_sort_unstable();
        let mut edges = Self { ends: vec![], valence: vec![0; vertices], irregular: vec![false; vertices] };
        for same in sides.chunk_by(|a, b| a == b) {
            let ends = [(same[0] >> 32) as u32, same[0] as u32];
            for v in ends.map(|v| v as usize) {
                edges.valence[v] += 1;
                edges.irregular[v] |= same.len() != 2;
            }
            edges.ends.push(ends);
        }
        edges
    }
}
