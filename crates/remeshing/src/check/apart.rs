//! Faces of a mesh that one thread changes, kept apart from each other.
use glam::{Vec3, Vec4};
use rayon::prelude::*;
use ribbonmesh_solid::intersections::{Triangle, intersect};

/// Children of a node.
const WIDTH: usize = 8;

/// A box; the one of nothing is empty.
#[derive(Clone, Copy, PartialEq)]
struct Span {
    low: Vec3,
    high: Vec3,
}
impl Span {
    const EMPTY: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
    fn of([a, b, c]: [Vec3; 3]) -> Self {
        Self { low: a.min(b).min(c), high: a.max(b).max(c) }
    }
    fn and(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
    #[inline(always)]
    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// The boxes of eight children, four at a time, coordinate by coordinate.
#[derive(Clone, Copy)]
struct Node {
    low: [[Vec4; 3]; 2],
    high: [[Vec4; 3]; 2],
}
impl Node {
    const EMPTY: Self = Self { low: [[Vec4::INFINITY; 3]; 2], high: [[Vec4::NEG_INFINITY; 3]; 2] };
    fn of(spans: &[Span]) -> Self {
        let mut node = Self::EMPTY;
        spans.iter().enumerate().for_each(|(child, span)| node.set(child, *span));
        node
    }
    fn set(&mut self, child: usize, span: Span) {
        for axis in 0..3 {
            self.low[child / 4][axis][child % 4] = span.low[axis];
            self.high[child / 4][axis][child % 4] = span.high[axis];
        }
    }
    fn child(&self, child: usize) -> Span {
        let [low, high] = [&self.low, &self.high].map(|all| all[child / 4].map(|four| four[child % 4]));
        Span { low: low.into(), high: high.into() }
    }
    fn span(&self) -> Span {
        let [first, second] = self.low;
        let low = [0, 1, 2].map(|axis| first[axis].min(second[axis]).min_element());
        let [first, second] = self.high;
        let high = [0, 1, 2].map(|axis| first[axis].max(second[axis]).max_element());
        Span { low: low.into(), high: high.into() }
    }
    /// The children whose boxes meet a box, as bits.
    #[inline(always)]
    fn meeting(&self, span: &Span) -> u32 {
        let four = |half: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| {
                let begins = self.low[half][axis].cmple(Vec4::splat(span.high[axis]));
                begins & Vec4::splat(span.low[axis]).cmple(self.high[half][axis])
            });
            (x & y & z).bitmask()
        };
        four(0) | four(1) << 4
    }
}

/// A tree of the faces of a mesh, which tells whether faces that an operation would make intersect others,
/// by the exact test of [`ribbonmesh_solid::intersections`].
///
/// A node has the boxes of eight faces with ids next to each other, or of eight nodes. So faces need an order
/// in which those next to each other in space have ids near each other. The tree is not made anew when faces
/// are deleted: their boxes are empty.
pub struct Apart {
    /// The nodes of faces, those of these nodes, and so on up to a single one.
    levels: Vec<Vec<Node>>,
    /// Nodes of a level whose boxes have changed.
    changed: Vec<usize>,
    /// Nodes still to be visited: levels and indices.
    open: Vec<(usize, usize)>,
    /// The triangles of a search.
    made: Vec<(Triangle, Span)>,
}

impl Apart {
    /// Of so many faces, by the positions of their corners.
    pub fn new(faces: usize, corners: impl Fn(usize) -> Option<[Vec3; 3]> + Sync) -> Self {
        let span = |f: usize| corners(f).map_or(Span::EMPTY, Span::of);
        let mut spans: Vec<Span> = (0..faces.max(1))
            .into_par_iter()
            .map(|f| if f < faces { span(f) } else { Span::EMPTY })
            .collect();
        let mut levels = vec![];
        loop {
            let nodes: Vec<Node> = spans.par_chunks(WIDTH).map(Node::of).collect();
            spans = nodes.par_iter().map(Node::span).collect();
            levels.push(nodes);
            if spans.len() == 1 {
                return Self { levels, changed: vec![], open: vec![], made: vec![] };
            }
        }
    }
    /// Whether triangles that are about to be made would intersect faces or each other. `stays` tells the
    /// corners of a face that stays as it is.
    pub fn crosses(
        &mut self,
        made: impl IntoIterator<Item = [Vec3; 3]>,
        stays: impl Fn(u32) -> Option<[Vec3; 3]>,
    ) -> bool {
        self.made.clear();
        self.made.extend(made.into_iter().map(|corners| (Triangle::new(corners), Span::of(corners))));
        let each_other = self.made.iter().enumerate().any(|(i, (a, of_a))| {
            self.made[..i].iter().any(|(b, of_b)| of_a.meets(of_b) && intersect(a, b.corners))
        });
        each_other || self.cross_others(stays)
    }
    fn cross_others(&mut self, stays: impl Fn(u32) -> Option<[Vec3; 3]>) -> bool {
        let Self { levels, open, made, .. } = self;
        let all = made.iter().fold(Span::EMPTY, |all, (_, span)| all.and(*span));
        open.clear();
        open.push((levels.len() - 1, 0));
        while let Some((level, node)) = open.pop() {
            let mut children = levels[level][node].meeting(&all);
            while children != 0 {
                let place = children.trailing_zeros() as usize;
                children &= children - 1;
                let child = node * WIDTH + place;
                if level > 0 {
                    open.push((level - 1, child));
                    continue;
                }
                let span = levels[0][node].child(place);
                let mut near = made.iter().filter(|(_, of_made)| of_made.meets(&span)).peekable();
                if near.peek().is_some()
                    && let Some(corners) = stays(child as u32)
                    && near.any(|(triangle, _)| intersect(triangle, corners))
                {
                    return true;
                }
            }
        }
        false
    }
    /// Takes faces that have changed: the positions of their corners, or none for those that were deleted.
    pub fn change(&mut self, faces: impl IntoIterator<Item = (u32, Option<[Vec3; 3]>)>) {
        let Self { levels, changed, .. } = self;
        changed.clear();
        for (f, corners) in faces {
            let f = f as usize;
            levels[0][f / WIDTH].set(f % WIDTH, corners.map_or(Span::EMPTY, Span::of));
            changed.push(f / WIDTH);
        }
        for level in 1..levels.len() {
            changed.sort_unstable();
            changed.dedup();
            for node in changed.iter_mut() {
                let span = levels[level - 1][*node].span();
                levels[level][*node / WIDTH].set(*node % WIDTH, span);
                *node /= WIDTH;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ribbonmesh_mesh::SplitMix64;
    use ribbonmesh_solid::intersections::intersections_of_few;

    /// Triangles that fill a cube, near those of the ids before and after.
    fn triangles(n: usize, random: &mut SplitMix64) -> Vec<[Vec3; 3]> {
        let mut within = |size: f32| Vec3::from([0; 3].map(|_| size * random.unit() as f32));
        (0..n)
            .map(|i| {
                let at = Vec3::new((i % 8) as f32, (i / 8 % 8) as f32, (i / 64) as f32);
                [0; 3].map(|_| at + within(0.6))
            })
            .collect()
    }

    /// Whether the last triangles intersect each other or the others that are there.
    fn oracle(faces: &[Option<[Vec3; 3]>], made: &[[Vec3; 3]]) -> bool {
        let all: Vec<_> = faces.iter().flatten().chain(made).flatten().copied().collect();
        let corners: Vec<_> = (0..all.len() as u32 / 3).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        !intersections_of_few(&all, &corners, corners.len() - made.len()).is_empty()
    }

    #[test]
    fn as_a_search_of_all_pairs() {
        let mut random = SplitMix64::new(1);
        for n in [0, 1, 8, 9, 600] {
            let mut faces: Vec<_> = triangles(n, &mut random).into_iter().map(Some).collect();
            let mut apart = Apart::new(n, |f| faces[f]);
            let (mut some, mut none) = (0, 0);
            for round in 0..200 {
                let new = triangles(512, &mut random);
                let made: Vec<_> = new.iter().copied().skip(97 * round % 500).take(1 + round % 4).collect();
                let found = apart.crosses(made.iter().copied(), |f| faces[f as usize]);
                assert_eq!(found, oracle(&faces, &made), "{n} {round}");
                (some, none) = (some + found as u32, none + !found as u32);
                // some vanish, others are elsewhere
                let changed: Vec<_> = (0..n).filter(|f| f % 7 == round % 7 && f % 5 == round % 5).collect();
                for &f in &changed {
                    faces[f] = (round % 3 > 0).then(|| new[(f + 3 * round) % 512]);
                }
                apart.change(changed.iter().map(|&f| (f as u32, faces[f])));
            }
            assert!(none > 20 && (some > 20 || n < 600), "{n}: {some}, {none}");
        }
    }
}
