//! The edges of the parts of an arrangement, and the order of parts around an edge.
use crate::arrange::arrangement::Arrangement;
use crate::arrange::cut::Part;
use crate::arrange::integer::{self, Integer};
use crate::arrange::near;
use std::cmp::Ordering;

/// A part at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoke {
    pub(crate) part: u32,
    /// Whether the edge goes from its first end to its second one in the part's orientation.
    pub(crate) forward: bool,
}

/// For each point the sides of parts to points with a greater number, sorted by these.
pub(crate) struct Edges {
    starts: Vec<u32>,
    /// The greater end, and three times the part plus the corner at which the side begins.
    sides: Vec<[u32; 2]>,
}

impl Edges {
    /// The edges of parts, among a number of points.
    pub(crate) fn new(points: usize, parts: &[Part]) -> Self {
        let sides_of = |part: &Part| {
            let [a, b, c] = part.corners;
            [[a, b], [b, c], [c, a]]
        };
        let mut starts = vec![0_u32; points + 1];
        for [a, b] in parts.iter().flat_map(sides_of) {
            starts[a.min(b) as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut sides = vec![[0; 2]; 3 * parts.len()];
        // from the last to the first, so that the sides of a point end up in their order
        for (i, part) in parts.iter().enumerate().rev() {
            for (k, [a, b]) in sides_of(part).into_iter().enumerate().rev() {
                let start = &mut starts[a.min(b) as usize];
                *start -= 1;
                sides[*start as usize] = [a.max(b), (3 * i + k) as u32];
            }
        }
        for point in 0..points {
            sides[starts[point] as usize..starts[point + 1] as usize].sort_unstable();
        }
        Self { starts, sides }
    }
    fn at(&self, point: u32) -> &[[u32; 2]] {
        &self.sides[self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize]
    }
    /// The edges whose lesser end is a point, with the parts there.
    pub(crate) fn from<'a>(
        &'a self,
        point: u32,
        parts: &'a [Part],
    ) -> impl Iterator<Item = ([u32; 2], impl ExactSizeIterator<Item = Spoke> + Clone + 'a)> + 'a {
        self.at(point).chunk_by(|a, b| a[0] == b[0]).map(move |sides| {
            let spokes = sides.iter().map(move |&[_, side]| spoke(side, point, parts));
            ([point, sides[0][0]], spokes)
        })
    }
    /// The parts at an edge.
    pub(crate) fn spokes(&self, [a, b]: [u32; 2], parts: &[Part]) -> Vec<Spoke> {
        let (low, high) = (a.min(b), a.max(b));
        let at = self.at(low).iter().filter(|side| side[0] == high);
        at.map(|&[_, side]| spoke(side, a, parts)).collect()
    }
}

fn spoke(side: u32, from: u32, parts: &[Part]) -> Spoke {
    let (part, corner) = (side / 3, side % 3);
    Spoke { part, forward: parts[part as usize].corners[corner as usize] == from }
}

/// An edge of an arrangement, about which parts are sorted.
pub(crate) struct Axle<'a> {
    of: &'a Arrangement,
    /// An axis along which the ends of the edge differ most, and whether the coordinate grows.
    axis: usize,
    grows: bool,
}

impl<'a> Axle<'a> {
    pub(crate) fn new(of: &'a Arrangement, [from, to]: [u32; 2]) -> Self {
        let points = of.points();
        let way = (points.place(to).at - points.place(from).at).abs();
        let first = way.max_position();
        let found = [0, 1, 2].map(|k| (first + k) % 3).into_iter().find_map(|axis| {
            let order = points.compare(axis, from, to);
            (order != Ordering::Equal).then_some((axis, order == Ordering::Less))
        });
        let (axis, grows) = found.unwrap_or((first, true));
        Self { of, axis, grows }
    }
    fn face(&self, spoke: Spoke) -> u32 {
        self.of.parts[spoke.part as usize].face
    }
    /// The normal of a part, so that it points counterclockwise about the edge: with the sign, in integers.
    fn ahead(&self, spoke: Spoke) -> [Integer; 3] {
        let normal = self.of.points().soup.normal(self.face(spoke));
        if spoke.forward { normal } else { normal.map(Integer::negated) }
    }
    /// The sign of a coordinate of that normal.
    pub(crate) fn ahead_along(&self, spoke: Spoke, axis: usize) -> i32 {
        let near = self.of.points().soup.near_normal(self.face(spoke))[axis].sign();
        let sign = near.unwrap_or_else(|| self.of.points().soup.normal(self.face(spoke))[axis].sign());
        if spoke.forward { sign } else { -sign }
    }
    /// 1 if the second part is less than half a turn after the first, counterclockwise; −1 if it is less than
    /// that before it; 0 if they are in one plane.
    pub(crate) fn turn(&self, a: Spoke, b: Spoke) -> i32 {
        let soup = self.of.points().soup;
        let (j, k) = ((self.axis + 1) % 3, (self.axis + 2) % 3);
        let [p, q] = [a, b].map(|spoke| soup.near_normal(self.face(spoke)));
        let sign = match (p[j] * q[k] - p[k] * q[j]).sign() {
            Some(sign) if a.forward == b.forward => sign,
            Some(sign) => -sign,
            None => integer::cross(&self.ahead(a), &self.ahead(b))[self.axis].sign(),
        };
        if self.grows { sign } else { -sign }
    }
    /// Whether two parts in one plane are on one side of the edge.
    fn is_same_way(&self, a: Spoke, b: Spoke) -> bool {
        let soup = self.of.points().soup;
        let [p, q] = [a, b].map(|spoke| soup.near_normal(self.face(spoke)));
        match near::dot(&p, &q).sign() {
            Some(sign) => (sign > 0) == (a.forward == b.forward),
            None => integer::dot(&self.ahead(a), &self.ahead(b)).sign() > 0,
        }
    }
    /// Sorts parts counterclockwise, from the first one on.
    pub(crate) fn sort(&self, spokes: &mut [Spoke]) {
        let Some((&mut first, others)) = spokes.split_first_mut() else { return };
        let quarter = |spoke: Spoke| match self.turn(first, spoke) {
            1 => 1,
            0 if self.is_same_way(first, spoke) => 0,
            0 => 2,
            _ => 3,
        };
        self.sort_by(others, quarter);
    }
    /// Sorts parts by a number first; those with an equal number are less than half a turn apart.
    pub(crate) fn sort_by(&self, spokes: &mut [Spoke], part_of_turn: impl Fn(Spoke) -> u8) {
        spokes.sort_by(|&a, &b| part_of_turn(a).cmp(&part_of_turn(b)).then_with(|| 0.cmp(&self.turn(a, b))));
    }
}
