//! The faces around each vertex.

/// For each vertex, the two other vertices of each of its faces.
pub struct Fans {
    starts: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}
impl Fans {
    /// Of these triangles, any; linear. In a face that has a vertex twice, the other one counts for both, so
    /// that it is an edge.
    pub fn new(vertices: usize, triangles: &[[u32; 3]]) -> Self {
        let mut starts = vec![0u32; vertices + 2];
        for &v in triangles.as_flattened() {
            starts[v as usize + 2] += 1;
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut pairs = vec![[0; 2]; 3 * triangles.len()];
        for &[a, b, c] in triangles {
            for (v, pair) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                let place = &mut starts[v as usize + 1];
                pairs[*place as usize] = match pair {
                    [x, y] if x == v => [y, y],
                    [x, y] if y == v => [x, x],
                    pair => pair,
                };
                *place += 1;
            }
        }
        starts.pop();
        Self { starts, pairs }
    }
    /// The faces of a vertex.
    pub fn of(&self, v: u32) -> &[[u32; 2]] {
        &self.pairs[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }
    /// The most faces that a vertex has.
    pub fn most(&self) -> u32 {
        self.starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0)
    }
    /// The number of topological levels from different `sources`, and of the vertices in them: a
    /// breadth-first search.
    pub fn levels(&self, sources: &[u32]) -> (usize, usize) {
        let mut seen = vec![false; self.starts.len() - 1];
        sources.iter().for_each(|&source| seen[source as usize] = true);
        let (mut list, mut begin, mut levels) = (sources.to_vec(), 0, 0);
        while begin < list.len() {
            let end = list.len();
            for i in begin..end {
                for &w in self.of(list[i]).as_flattened() {
                    if !std::mem::replace(&mut seen[w as usize], true) {
                        list.push(w);
                    }
                }
            }
            (begin, levels) = (end, levels + 1);
        }
        (levels, list.len())
    }
}
