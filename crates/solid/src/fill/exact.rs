//! The triangulation of least weight.
use crate::fill::weight::{Weight, sharpness, triangle};
use glam::DVec3;
use rayon::prelude::*;

/// Least number of triangles that one task compares.
const TASK: usize = 1 << 12;

/// A polygon that is triangulated.
#[derive(Clone, Copy)]
pub(crate) struct Polygon<'a> {
    /// Its vertices.
    pub points: &'a [DVec3],
    /// The normals of the faces across the side from each vertex to the next.
    pub normals: &'a [DVec3],
}

/// The triangulations of least weight of all parts of a polygon, by dynamic programming (Barequet and Sharir
/// 1995; algorithm 3 of Chentanez, Müller, Macklin and Kim 2016). The sharpness of an edge takes the best
/// triangles on both sides into account (Liepa 2003). 48 n² bytes.
pub(crate) struct Least {
    n: usize,
    /// Cell (i, j) has the triangulation of the polygon from i to j; cell (j, i) has a copy, so that both are
    /// read in rows.
    cells: Vec<Cell>,
}

/// The triangulation of a part: its weight, the third vertex of the triangle at its chord, and that
/// triangle's normal.
#[derive(Clone, Copy, PartialEq)]
struct Cell {
    weight: Weight,
    apex: u32,
    normal: DVec3,
}
impl Cell {
    const NONE: Self = Self { weight: Weight::INFINITE, apex: 0, normal: DVec3::ZERO };

    /// Whether there is a triangulation.
    fn exists(&self) -> bool {
        self.weight.sharpest.is_finite()
    }
}

impl Least {
    /// Triangulates a polygon with edges that are `legal`. Takes O(n³), on rayon's pool.
    pub fn of(polygon: Polygon<'_>, legal: impl Fn(usize, usize) -> bool + Sync) -> Self {
        let n = polygon.points.len();
        let mut least = Self { n, cells: vec![Cell::NONE; n * n] };
        for (i, &normal) in polygon.normals.iter().enumerate().take(n.saturating_sub(1)) {
            least.set(i, i + 1, Cell { weight: Weight::ZERO, apex: 0, normal });
        }
        for width in 2..n {
            let best = |i: usize| {
                let j = i + width;
                if width + 1 == n || legal(i, j) { least.best(polygon, i, j) } else { Cell::NONE }
            };
            let chords = (0..n - width).into_par_iter().with_min_len(1 + TASK / width);
            let found: Vec<Cell> = chords.map(best).collect();
            found.into_iter().enumerate().for_each(|(i, cell)| least.set(i, i + width, cell));
        }
        least
    }
    /// Refuses chords, each given by its two vertices: the result is that of [`of`](Self::of) with fewer
    /// legal edges. Computes only parts of which a triangulation changes, and of these only triangles at
    /// changes, unless the best one is lost.
    pub fn refuse(&mut self, polygon: Polygon<'_>, chords: &[[usize; 2]]) {
        let n = self.n;
        let (mut refused, mut changed) = (vec![false; n * n], vec![false; n * n]);
        let mut least = n;
        for [i, j] in chords.iter().map(|&[a, b]| [a.min(b), a.max(b)]) {
            // sides of the polygon are always legal
            if (2..n - 1).contains(&(j - i)) {
                refused[i * n + j] = true;
                least = least.min(j - i);
            }
        }
        // for each vertex the ends of changed parts that begin, and that end there
        let (mut after, mut before) = (vec![vec![]; n], vec![vec![]; n]);
        for width in least..n {
            for i in 0..n - width {
                let j = i + width;
                let old = self.cells[i * n + j];
                // with fewer legal edges, there is none again
                if !old.exists() {
                    continue;
                }
                let apex = old.apex as usize;
                let new = if refused[i * n + j] {
                    Cell::NONE
                } else if changed[i * n + apex] || changed[apex * n + j] {
                    self.best(polygon, i, j)
                } else {
                    let ends = after[i].iter().chain(&before[j]);
                    ends.fold(old, |best, &k| self.better(polygon, [i, k, j], best))
                };
                if new == old {
                    continue;
                }
                self.set(i, j, new);
                changed[i * n + j] = true;
                if new.exists() {
                    after[i].push(j);
                    before[j].push(i);
                }
            }
        }
    }
    /// The triangles, as indices into the polygon; `None` if each triangulation has an edge that is not
    /// legal.
    pub fn triangles(&self) -> Option<Vec<[u32; 3]>> {
        let n = self.n;
        if n < 3 || !self.cells[n - 1].exists() {
            return None;
        }
        let mut triangles = Vec::with_capacity(n - 2);
        let mut open = vec![(0, n as u32 - 1)];
        while let Some((i, j)) = open.pop() {
            if j < i + 2 {
                continue;
            }
            let k = self.cells[i as usize * n + j as usize].apex;
            triangles.push([i, k, j]);
            open.extend([(i, k), (k, j)]);
        }
        Some(triangles)
    }
    fn set(&mut self, i: usize, j: usize, cell: Cell) {
        (self.cells[i * self.n + j], self.cells[j * self.n + i]) = (cell, cell);
    }
    /// The best triangulation of the polygon from i to j.
    fn best(&self, polygon: Polygon<'_>, i: usize, j: usize) -> Cell {
        let better = |best, k| self.better(polygon, [i, k, j], best);
        // next to the best triangles of neighbouring parts, most others are too sharp with what is beside
        // them
        let beside = [(i, j - 1), (i + 1, j)].map(|(i, j)| self.cells[i * self.n + j].apex as usize);
        let first = beside.into_iter().filter(|k| (i + 1..j).contains(k)).fold(Cell::NONE, better);
        (i + 1..j).fold(first, better)
    }
    /// The better one of a triangulation of the polygon from i to j and the one with the apex k; the lesser
    /// apex wins among equal weights.
    fn better(&self, polygon: Polygon<'_>, [i, k, j]: [usize; 3], best: Cell) -> Cell {
        let (n, points) = (self.n, polygon.points);
        let (from, to) = (&self.cells[i * n + k], &self.cells[j * n + k]);
        let parts = from.weight.and(to.weight);
        if parts.sharpest.is_infinite() || parts > best.weight {
            return best;
        }
        let (mut own, normal) = triangle([points[i], points[k], points[j]], [from.normal, to.normal]);
        if j - i + 1 == n {
            own.sharpest = own.sharpest.max(sharpness(normal, polygon.normals[n - 1]));
        }
        let (weight, apex) = (parts.and(own), k as u32);
        let wins = weight < best.weight || weight == best.weight && apex < best.apex;
        if wins { Cell { weight, apex, normal } } else { best }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1 that look random.
    fn random(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as f64 / (1_u64 << 31) as f64
    }

    #[test]
    fn refused_chords_give_the_tables_of_fewer_legal_edges() {
        let mut state = 1;
        for n in [3, 4, 5, 8, 17, 40] {
            for flat in [false, true] {
                let points: Vec<DVec3> = (0..n)
                    .map(|i| {
                        let angle = std::f64::consts::TAU * i as f64 / n as f64;
                        // on a circle many triangulations have equal weights
                        let by = if flat { 0.0 } else { random(&mut state) };
                        (1.0 + by) * DVec3::new(angle.cos(), angle.sin(), by * random(&mut state))
                    })
                    .collect();
                let normals = vec![DVec3::Z; n];
                let polygon = Polygon { points: &points, normals: &normals };
                let mut refused = vec![false; n * n];
                let mut least = Least::of(polygon, |_, _| true);
                for _ in 0..12 {
                    let Some(triangles) = least.triangles() else { break };
                    let sides = triangles.iter().flat_map(|&[i, k, j]| [[i, k], [k, j], [j, i]]);
                    let chords: Vec<[usize; 2]> = sides
                        .map(|side| side.map(|v| v as usize))
                        .filter(|_| random(&mut state) < 0.2)
                        .collect();
                    for &[a, b] in &chords {
                        refused[a * n + b] = true;
                        refused[b * n + a] = true;
                    }
                    least.refuse(polygon, &chords);
                    let new = Least::of(polygon, |i, j| !refused[i * n + j]);
                    assert!(least.cells == new.cells, "{n} {flat}");
                    assert_eq!(least.triangles(), new.triangles());
                }
            }
        }
    }
}
