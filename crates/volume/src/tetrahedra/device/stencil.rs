//! Part of a tetrahedron of the lattice that is inside, as up to three tetrahedra (Labelle and Shewchuk 2007,
//! section 3.4).

/// Number of tetrahedra for a tetrahedron of the lattice with these numbers of vertices inside and outside;
/// the others are on the surface.
pub fn tetrahedra_of(inside: u32, outside: u32) -> u32 {
    match (inside, outside) {
        (0, _) => 0,
        (_, 0) | (1, _) => 1,
        (2, 1) => 2,
        _ => 3,
    }
}

/// Questions of the stencils about the four vertices of a tetrahedron, by their indices 0 to 3.
pub trait Corners {
    /// Whether the diagonal of a quad begins at `p`. The quad is between the vertices inside, `p` and `q`,
    /// and the cuts of their edges to `n`. Both tetrahedra of the face give the same answer.
    fn begins_at(&self, p: u32, q: u32, n: u32) -> bool;
    /// Whether the cuts of the first pair are at most as far apart as those of the second.
    fn nearer(&self, first: [Point; 2], second: [Point; 2]) -> bool;
}

/// A vertex of a stencil: a vertex of the tetrahedron, or the cut between two of its vertices, the first of
/// which is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point(u32, u32);

impl Point {
    #[inline(always)]
    fn code(self) -> u64 {
        (self.0 | self.1 << 2) as u64
    }
    /// The vertex, or both ends of the edge.
    #[inline(always)]
    pub fn ends(self) -> (u32, Option<u32>) {
        (self.0, if self.0 == self.1 { None } else { Some(self.1) })
    }
}
/// The point at a vertex.
#[inline(always)]
fn at(v: u32) -> Point {
    Point(v, v)
}

/// The tetrahedra of a stencil, in 16 bits each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stencil {
    codes: u64,
    len: u32,
}
impl Stencil {
    /// Their number, at most three.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.len
    }
    /// The vertices of one of them.
    #[inline(always)]
    pub fn tetrahedron(&self, i: u32) -> [Point; 4] {
        let code = (self.codes >> (16 * i)) as u32;
        [0, 4, 8, 12].map(|shift| Point(code >> shift & 3, code >> (shift + 2) & 3))
    }
    /// Adds a tetrahedron; with `odd`, turned over.
    #[inline(always)]
    fn push(&mut self, odd: bool, [a, b, c, d]: [Point; 4]) {
        let (c, d) = if odd { (d, c) } else { (c, d) };
        let code = a.code() | b.code() << 4 | c.code() << 8 | d.code() << 12;
        self.codes |= code << (16 * self.len);
        self.len += 1;
    }
}

/// The tetrahedra of a stencil, each positively oriented if the vertices 0 to 3 are. `sides` has for each
/// vertex 1 inside, 0 on the surface, −1 outside.
#[inline(always)]
pub fn stencil(sides: [i32; 4], corners: &impl Corners) -> Stencil {
    let mut to = Stencil::default();
    // vertices by side, inside first; an odd permutation is turned over
    let (mut odd, mut v) = (false, [0, 1, 2, 3].map(|i| (sides[i as usize], i)));
    for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
        if v[a].0 < v[b].0 {
            (v[a], v[b]) = (v[b], v[a]);
            odd = !odd;
        }
    }
    let (mut inside, mut outside) = (0, 0);
    for side in sides {
        inside += (side > 0) as u32;
        outside += (side < 0) as u32;
    }
    let [mut p, mut q, r, s] = v.map(|v| v.1);
    match (inside, outside) {
        (0, _) => {}
        (_, 0) => to.push(odd, [at(p), at(q), at(r), at(s)]),
        (1, _) => {
            let end = |(side, n): (i32, u32)| if side < 0 { Point(p, n) } else { at(n) };
            to.push(odd, [at(p), end(v[1]), end(v[2]), end(v[3])]);
        }
        (2, 1) => {
            // r is on the surface, s outside
            let (cp, cq) = (Point(p, s), Point(q, s));
            if corners.begins_at(p, q, s) {
                to.push(odd, [at(p), at(q), at(r), cq]);
                to.push(odd, [at(p), cq, at(r), cp]);
            } else {
                to.push(odd, [at(p), at(q), at(r), cp]);
                to.push(odd, [at(q), cq, at(r), cp]);
            }
        }
        (2, _) => {
            // the diagonal of the quad at r begins at p
            if !corners.begins_at(p, q, r) {
                (p, q) = (q, p);
                odd = !odd;
            }
            let (pr, ps, qr, qs) = (Point(p, r), Point(p, s), Point(q, r), Point(q, s));
            if !corners.begins_at(p, q, s) {
                to.push(odd, [at(p), pr, ps, qr]);
                to.push(odd, [at(p), at(q), qr, ps]);
                to.push(odd, [at(q), qr, ps, qs]);
            } else {
                to.push(odd, [at(p), at(q), qr, qs]);
                if corners.nearer([pr, qs], [ps, qr]) {
                    to.push(odd, [at(p), pr, ps, qs]);
                    to.push(odd, [at(p), pr, qs, qr]);
                } else {
                    to.push(odd, [at(p), pr, ps, qr]);
                    to.push(odd, [at(p), ps, qs, qr]);
                }
            }
        }
        // three inside: a prism between them and their cuts
        _ => prism([p, q, r], s, corners, |tetrahedron| to.push(odd, tetrahedron)),
    }
    to
}

/// The part of a tetrahedron (a, b, c, n) of which `n` alone is outside.
#[inline(always)]
fn prism([p, q, r]: [u32; 3], n: u32, corners: &impl Corners, mut give: impl FnMut([Point; 4])) {
    // turned so that both diagonals at the first vertex begin there, or both at its cut: since the three
    // diagonals do not form a cycle, one vertex has this property
    let (pq, qr, rp) = (corners.begins_at(p, q, n), corners.begins_at(q, r, n), corners.begins_at(r, p, n));
    // (first, whether its diagonals begin at it, whether the diagonal between the others begins at the
    // second)
    let ([a, b, c], from, second) = if pq != rp {
        ([p, q, r], pq, qr)
    } else if qr != pq {
        ([q, r, p], qr, rp)
    } else {
        ([r, p, q], rp, pq)
    };
    let (ca, cb, cc) = (Point(a, n), Point(b, n), Point(c, n));
    // the apex of the pyramid over the quad between the others, and the rest
    let apex = if from { at(a) } else { ca };
    if from {
        give([at(a), cb, cc, ca]);
    } else {
        give([at(a), at(b), at(c), ca]);
    }
    if second {
        give([apex, at(b), at(c), cc]);
        give([apex, at(b), cc, cb]);
    } else {
        give([apex, at(b), at(c), cb]);
        give([apex, at(c), cc, cb]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of every kind: a bit for each outside vertex and pair.
    struct Any {
        bits: u32,
        near: bool,
    }
    impl Corners for Any {
        fn begins_at(&self, p: u32, q: u32, n: u32) -> bool {
            let (low, high) = (p.min(q), p.max(q));
            let first = self.bits >> ((3 * n + low + high) % 8) & 1 == 1;
            if p == low { first } else { !first }
        }
        fn nearer(&self, _: [Point; 2], _: [Point; 2]) -> bool {
            self.near
        }
    }
    fn determinant(rows: [[f64; 4]; 4]) -> f64 {
        let minor = |skip: usize| {
            let m: Vec<Vec<f64>> =
                rows[1..].iter().map(|r| (0..4).filter(|&c| c != skip).map(|c| r[c]).collect()).collect();
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        };
        (0..4).map(|c| rows[0][c] * minor(c) * if c % 2 == 0 { 1.0 } else { -1.0 }).sum()
    }

    /// All stencils with all diagonals have the announced number of tetrahedra, all positive, with the
    /// volumes of the parts inside, and with the requested diagonals.
    #[test]
    fn all_stencils() {
        let at = 0.25_f64;
        for code in 0..81 {
            let sides = [code % 3 - 1, code / 3 % 3 - 1, code / 9 % 3 - 1, code / 27 - 1];
            let inside: Vec<u32> = (0..4).filter(|&v| sides[v as usize] > 0).collect();
            let outside: Vec<u32> = (0..4).filter(|&v| sides[v as usize] < 0).collect();
            // cuts at a quarter of each edge from inside
            let share = match (inside.len(), outside.len()) {
                (0, _) => 0.0,
                (1, m) => at.powi(m as i32),
                (_, 0) => 1.0,
                (2, 1) => 1.0 - (1.0 - at).powi(2),
                (3, _) => 1.0 - (1.0 - at).powi(3),
                // a prism of two corners each: by integrating over its cross section
                _ => 3.0 * at * at - 2.0 * at * at * at,
            };
            for bits in 0..1 << 9 {
                let any = Any { bits, near: bits >> 8 == 1 };
                if inside.len() == 3 && outside.len() == 1 {
                    let n = outside[0];
                    let cycle = |[p, q, r]: [u32; 3]| {
                        let turns = [any.begins_at(p, q, n), any.begins_at(q, r, n), any.begins_at(r, p, n)];
                        turns == [true; 3] || turns == [false; 3]
                    };
                    if cycle([inside[0], inside[1], inside[2]]) {
                        continue;
                    }
                }
                let (mut sum, mut count, mut edges) = (0.0, 0, Vec::new());
                let all = stencil(sides, &any);
                for points in (0..all.len()).map(|i| all.tetrahedron(i)) {
                    let rows = points.map(|point| {
                        let mut row = [0.0; 4];
                        match point.ends() {
                            (v, None) => row[v as usize] = 1.0,
                            (v, Some(n)) => (row[v as usize], row[n as usize]) = (1.0 - at, at),
                        }
                        row
                    });
                    let volume = determinant(rows);
                    assert!(volume > 0.0, "{sides:?} {bits:x} {points:?} {volume}");
                    sum += volume;
                    count += 1;
                    for (i, j) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                        edges.push([points[i], points[j]]);
                    }
                }
                assert_eq!(count, tetrahedra_of(inside.len() as u32, outside.len() as u32));
                assert!((sum - share).abs() < 1e-12, "{sides:?} {bits:x}: {sum} {share}");
                for &n in &outside {
                    for (i, &p) in inside.iter().enumerate() {
                        for &q in &inside[i + 1..] {
                            let (from, to) = if any.begins_at(p, q, n) { (p, q) } else { (q, p) };
                            let (from, to) = (Point(from, from), Point(to, n));
                            assert!(edges.contains(&[from, to]) || edges.contains(&[to, from]));
                        }
                    }
                }
            }
        }
    }
}
