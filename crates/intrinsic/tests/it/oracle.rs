//! The Laplacian by plain code in the manner of geometry-central: faces around each edge are sorted, edges
//! are flipped one after the other, lengths come from layouts in the plane.
use ribbonmesh::glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// A closed triangulation: half-edges.
pub struct Cover {
    twin: Vec<usize>,
    next: Vec<usize>,
    origin: Vec<usize>,
    length: Vec<f64>,
    pub flips: usize,
    pub longer: f64,
}

/// The matrix by row and column, and masses: thirds, and cells.
pub struct Found {
    pub entries: BTreeMap<(u32, u32), f64>,
    pub lumped: Vec<f64>,
    pub voronoi: Vec<f64>,
}

fn whole(f: &[u32; 3]) -> bool {
    f[0] != f[1] && f[1] != f[2] && f[2] != f[0]
}

impl Cover {
    /// The tufted cover of any mesh.
    pub fn new(x: &[DVec3], faces: &[[u32; 3]], mollify: f64) -> Self {
        let faces: Vec<[u32; 3]> = faces.iter().copied().filter(whole).collect();
        let n = 3 * faces.len();
        let at = |side: usize| faces[side / 3][side % 3] as usize;
        let after = |side: usize| side - side % 3 + (side + 1) % 3;
        let mut edges: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        for side in 0..n {
            let (a, b) = (at(side), at(after(side)));
            edges.entry([a.min(b), a.max(b)]).or_default().push(side);
        }
        let measured = |side: usize| x[at(side)].distance(x[at(after(side))]);
        let mean = edges.values().map(|sides| measured(sides[0])).sum::<f64>() / edges.len().max(1) as f64;
        let missing = (0..n).map(|side| {
            let (b, c) = (after(side), after(after(side)));
            measured(side) - measured(b) - measured(c) + mollify * mean
        });
        let longer = if mollify > 0.0 { missing.fold(0.0, f64::max) } else { 0.0 };
        let mut cover = Self {
            twin: vec![usize::MAX; 2 * n],
            next: vec![0; 2 * n],
            origin: vec![0; 2 * n],
            length: vec![0.0; 2 * n],
            flips: 0,
            longer,
        };
        for side in 0..n {
            (cover.next[side], cover.origin[side]) = (after(side), at(side));
            (cover.next[n + side], cover.origin[n + side]) = (n + after(after(side)), at(after(side)));
            cover.length[side] = measured(side) + longer;
            cover.length[n + side] = cover.length[side];
        }
        for mut sides in edges.into_values() {
            let tail = at(sides[0]);
            let axis = (x[at(after(sides[0]))] - x[tail]).normalize();
            let right = axis.any_orthonormal_vector();
            let up = axis.cross(right);
            let angle = |side: usize| {
                let out = x[at(after(after(side)))] - x[tail];
                out.dot(up).atan2(out.dot(right))
            };
            // from the first face on, so that equal angles have their order whatever the axes are
            let first = angle(sides[0]);
            let turn = |side: usize| {
                let turn = (angle(side) - first).rem_euclid(TAU);
                if turn.is_finite() && turn < TAU - 1e-9 { turn } else { 0.0 }
            };
            sides.sort_by(|a, b| turn(*a).total_cmp(&turn(*b)).then(a.cmp(b)));
            for (i, &side) in sides.iter().enumerate() {
                let next = sides[(i + 1) % sides.len()];
                let along = |side: usize| at(side) == tail;
                let a = if along(side) { side } else { n + side };
                let b = if along(next) { n + next } else { next };
                (cover.twin[a], cover.twin[b]) = (b, a);
            }
        }
        cover
    }
    fn around(&self, h: usize) -> [usize; 3] {
        [h, self.next[h], self.next[self.next[h]]]
    }
    fn lengths(&self, h: usize) -> [f64; 3] {
        self.around(h).map(|h| self.length[h])
    }
    /// By Heron's formula.
    fn area(&self, h: usize) -> f64 {
        let [a, b, c] = self.lengths(h);
        let s = 0.5 * (a + b + c);
        (s * (s - a) * (s - b) * (s - c)).max(0.0).sqrt()
    }
    fn cotangent(&self, h: usize) -> f64 {
        let [a, b, c] = self.lengths(h);
        (b * b + c * c - a * a) / (4.0 * self.area(h))
    }
    /// The place of the vertex opposite to a half-edge along the x axis.
    fn opposite(&self, h: usize) -> DVec2 {
        let [a, b, c] = self.lengths(h);
        let x = (a * a + c * c - b * b) / (2.0 * a);
        DVec2::new(x, 2.0 * self.area(h) / a)
    }
    /// Flips one edge after the other.
    pub fn flip(&mut self) {
        let mut waiting: Vec<usize> = (0..self.twin.len()).collect();
        while let Some(h) = waiting.pop() {
            let t = self.twin[h];
            let ([_, h1, h2], [_, t1, t2]) = (self.around(h), self.around(t));
            let sum = self.cotangent(h) + self.cotangent(t);
            if h1 == t || h2 == t || sum.is_nan() || sum >= -2e-6 {
                continue;
            }
            // the twin is turned around
            let (k, l) = (self.opposite(h), self.opposite(t));
            let l = DVec2::new(self.length[h] - l.x, -l.y);
            (self.length[h], self.length[t]) = (k.distance(l), k.distance(l));
            (self.origin[h], self.origin[t]) = (self.origin[t2], self.origin[h2]);
            for [a, b, c] in [[h, h2, t1], [t, t2, h1]] {
                (self.next[a], self.next[b], self.next[c]) = (b, c, a);
            }
            self.flips += 1;
            waiting.extend([h1, h2, t1, t2]);
        }
    }
    /// The Laplacian of the mesh of which this is the cover.
    pub fn laplacian(&self, vertices: usize) -> Found {
        let zeros = vec![0.0; vertices];
        let mut found = Found { entries: BTreeMap::new(), lumped: zeros.clone(), voronoi: zeros };
        for h in 0..self.twin.len() {
            let (i, j) = (self.origin[h], self.origin[self.twin[h]]);
            let cotangent = if self.area(h) > 0.0 { self.cotangent(h) } else { 0.0 };
            found.lumped[i] += 0.5 * self.area(h) / 3.0;
            for v in [i, j] {
                found.voronoi[v] += 0.5 * 0.125 * self.length[h].powi(2) * cotangent;
            }
            let w = 0.5 * 0.5 * cotangent;
            if i != j {
                for (row, column, value) in [(i, j, -w), (j, i, -w), (i, i, w), (j, j, w)] {
                    *found.entries.entry((row as u32, column as u32)).or_default() += value;
                }
            }
        }
        found
    }
}
