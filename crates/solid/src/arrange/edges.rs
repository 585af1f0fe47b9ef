//! The edges of the parts of an arrangement, and the order of parts around an edge.
use crate::arrange::arrangement::Arrangement;
use crate::arrange::integer::{self, Integer};
use crate::arrange::near;
use crate::arrange::pool::GRAIN;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

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
    /// The greater end; from bit 1 on the part, and in bit 0 whether it goes from the lesser end to it.
    sides: Vec<u64>,
}

impl Edges {
    /// The edges of all parts, but for settled sides.
    pub(crate) fn new(of: &Arrangement) -> Self {
        /// Points whose rows one task sorts.
        const TOGETHER: usize = 1 << 12;
        let points = of.point_count();
        let sides_of = |part: u32| {
            let [a, b, c] = of.corners(part);
            let sides = [[a, b], [b, c], [c, a]].into_iter().enumerate();
            sides.filter(move |side| !of.is_settled(part, side.0)).map(|side| side.1)
        };
        let mut starts: Vec<AtomicU32> =
            (0..points + 1).into_par_iter().with_min_len(GRAIN).map(|_| AtomicU32::new(0)).collect();
        of.parts().for_each(|part| {
            for [a, b] in sides_of(part) {
                starts[a.min(b) as usize].fetch_add(1, Relaxed);
            }
        });
        let mut sum = 0;
        for start in &mut starts {
            sum += *start.get_mut();
            *start.get_mut() = sum;
        }
        let sides: Vec<AtomicU64> =
            (0..sum).into_par_iter().with_min_len(GRAIN).map(|_| AtomicU64::new(0)).collect();
        of.parts().for_each(|part| {
            for [a, b] in sides_of(part) {
                let at = starts[a.min(b) as usize].fetch_sub(1, Relaxed) - 1;
                let side = u64::from(a.max(b)) << 32 | u64::from(part << 1 | u32::from(a < b));
                sides[at as usize].store(side, Relaxed);
            }
        });
        let starts: Vec<u32> = starts.into_iter().map(AtomicU32::into_inner).collect();
        let mut sides: Vec<u64> = sides.into_iter().map(AtomicU64::into_inner).collect();
        let mut rest = sides.as_mut_slice();
        let mut rows = vec![];
        for first in (0..points).step_by(TOGETHER) {
            let last = points.min(first + TOGETHER);
            let (some, others) = rest.split_at_mut((starts[last] - starts[first]) as usize);
            rows.push((&starts[first..=last], some));
            rest = others;
        }
        rows.into_par_iter().for_each(|(starts, some)| {
            for row in starts.windows(2) {
                some[(row[0] - starts[0]) as usize..(row[1] - starts[0]) as usize].sort_unstable();
            }
        });
        Self { starts, sides }
    }
    fn at(&self, point: u32) -> &[u64] {
        &self.sides[self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize]
    }
    /// The edges whose lesser end is a point, with the parts there.
    pub(crate) fn from(
        &self,
        point: u32,
    ) -> impl Iterator<Item = ([u32; 2], impl ExactSizeIterator<Item = Spoke> + Clone + '_)> + '_ {
        self.at(point)
            .chunk_by(|a, b| a >> 32 == b >> 32)
            .map(move |sides| ([point, (sides[0] >> 32) as u32], sides.iter().map(|&side| Spoke::of(side))))
    }
    /// The parts at an edge.
    pub(crate) fn spokes(&self, [a, b]: [u32; 2]) -> Vec<Spoke> {
        let (low, high) = (a.min(b), a.max(b));
        let at = self.at(low).iter().filter(|&side| side >> 32 == u64::from(high));
        let turned = |spoke: Spoke| Spoke { forward: spoke.forward == (a < b), ..spoke };
        at.map(|&side| turned(Spoke::of(side))).collect()
    }
}

impl Spoke {
    /// The part at an edge, if it has it.
    pub(crate) fn at([a, b]: [u32; 2], part: u32, [p, q, r]: [u32; 3]) -> Option<Self> {
        let has = |edge: [u32; 2]| [[p, q], [q, r], [r, p]].contains(&edge);
        (has([a, b]) || has([b, a])).then(|| Self { part, forward: has([a, b]) })
    }
    fn of(side: u64) -> Self {
        Self { part: side as u32 >> 1, forward: side & 1 == 1 }
    }
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
        self.of.face(spoke.part)
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
        if self.face(a) == self.face(b) {
            return 0;
        }
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
        if self.face(a) == self.face(b) {
            return a.forward == b.forward;
        }
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
