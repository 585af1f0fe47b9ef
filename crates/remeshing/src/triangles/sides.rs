//! The sides of triangles by the vertices where they begin and end.
use ribbonmesh::device::NONE;

/// Sides that begin at a vertex from which on they are sorted, to be found by bisection.
const MANY: usize = 32;

/// The sides that begin at each vertex, by the vertices where they end.
pub struct Sides {
    /// Place of the first side of each vertex, and the end.
    starts: Vec<u32>,
    sides: Vec<[u32; 2]>,
}
impl Sides {
    /// Of these triangles; [`None`] if one has a vertex twice.
    pub fn new(vertices: usize, triangles: &[[u32; 3]]) -> Option<Self> {
        let mut starts = vec![0u32; vertices + 2];
        for &[a, b, c] in triangles {
            if a == b || b == c || c == a {
                return None;
            }
            for v in [a, b, c] {
                starts[v as usize + 2] += 1;
            }
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut sides = vec![[0; 2]; 3 * triangles.len()];
        for (f, &[a, b, c]) in triangles.iter().enumerate() {
            for (corner, [v, w]) in [[a, b], [b, c], [c, a]].into_iter().enumerate() {
                let place = &mut starts[v as usize + 1];
                sides[*place as usize] = [w, 4 * f as u32 + corner as u32];
                *place += 1;
            }
        }
        starts.pop();
        for v in 0..vertices {
            let span = starts[v] as usize..starts[v + 1] as usize;
            if span.len() > MANY {
                sides[span].sort_unstable();
            }
        }
        Some(Self { starts, sides })
    }
    /// The sides that begin at a vertex: where each ends, and its half-edge.
    pub fn of(&self, v: u32) -> &[[u32; 2]] {
        &self.sides[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }
    /// The half-edge from `v` to `w`, [`NONE`] without one; [`None`] if there are several.
    pub(super) fn find(&self, v: u32, w: u32) -> Option<u32> {
        let mut sides = self.of(v);
        if sides.len() > MANY {
            sides = &sides[sides.partition_point(|side| side[0] < w)..];
            sides = &sides[..sides.len().min(2)];
        }
        let mut found = NONE;
        for &[end, h] in sides {
            if end == w {
                if found != NONE {
                    return None;
                }
                found = h;
            }
        }
        Some(found)
    }
}
