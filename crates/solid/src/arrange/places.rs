//! Points at one place.
use crate::arrange::points::Points;
use crate::arrange::pool::GRAIN;
use glam::DVec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Where a point may be along the first axis, and its number.
#[derive(Clone, Copy)]
struct Span {
    low: f64,
    high: f64,
    point: u32,
}

/// Points in the order of their first coordinate.
#[derive(Default)]
pub(crate) struct Places {
    spans: Vec<Span>,
    /// The width of the widest span.
    widest: f64,
}

impl Places {
    /// Adds points. For each of all points at the place of another one, except the least there, the number of
    /// the least; pairs of points below `first` are known to be at two places, or to have been merged.
    pub(crate) fn add(&mut self, points: Points<'_>, list: &[u32], first: u32) -> FxHashMap<u32, u32> {
        let span = |&point: &u32| {
            let place = points.place(point);
            Span { low: place.at.x - place.error, high: place.at.x + place.error, point }
        };
        let order = |a: &Span, b: &Span| a.low.total_cmp(&b.low).then(a.point.cmp(&b.point));
        let mut added: Vec<Span> = list.par_iter().with_min_len(GRAIN).map(span).collect();
        added.par_sort_unstable_by(order);
        self.widest = added.iter().map(|of| of.high - of.low).fold(self.widest, f64::max);
        match self.spans.is_empty() {
            true => self.spans = added,
            false => {
                self.spans.append(&mut added);
                // two runs in order
                self.spans.sort_by(order);
            }
        }
        // twice, because of rounding
        let reach = 2.0 * self.widest;
        let near = |a: u32, b: u32| {
            let (p, q) = (points.place(a), points.place(b));
            (p.at - q.at).abs().cmple(DVec3::splat(p.error + q.error)).all()
        };
        let of_span = |(i, of): (usize, &Span)| {
            let Span { low, high, point } = *of;
            let after = self.spans[i + 1..].iter().take_while(move |other| other.low <= high);
            // pairs of two new points are found by the one that is before the other
            let before = self.spans[..i].iter().rev().take_while(move |other| other.low >= low - reach);
            let before = before.filter(move |other| other.point < first && other.high >= low);
            after.chain(before).map(move |other| [point, other.point])
        };
        let new = self.spans.par_iter().with_min_len(GRAIN).enumerate().filter(|of| of.1.point >= first);
        let same: Vec<[u32; 2]> =
            new.flat_map_iter(of_span).filter(|&[a, b]| near(a, b) && points.same(a, b)).collect();
        least(&same)
    }
}

/// For each number that is equal to others, except the least of them, the least one.
fn least(pairs: &[[u32; 2]]) -> FxHashMap<u32, u32> {
    let mut least: FxHashMap<u32, u32> = FxHashMap::default();
    let root = |least: &FxHashMap<u32, u32>, mut point: u32| {
        while let Some(&next) = least.get(&point) {
            point = next;
        }
        point
    };
    for &[a, b] in pairs {
        let (a, b) = (root(&least, a), root(&least, b));
        if a != b {
            least.insert(a.max(b), a.min(b));
        }
    }
    let all: Vec<u32> = least.keys().copied().collect();
    all.into_iter().map(|point| (point, root(&least, point))).collect()
}
