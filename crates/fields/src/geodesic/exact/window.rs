//! Windows: parts of a side that straight lines from one point pass.

/// Relative difference up to which two distances count as equal.
pub const EQUAL: f64 = 1e-12;

/// An interval of a side, through which straight lines come into the side's face from a *virtual source*: a
/// vertex of known distance, unfolded into the plane of the face along the faces that the lines have passed.
/// Coordinates are in the frame of the side (see [`Sides`](super::sides::Sides)); lengths are those of the
/// mesh.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The interval, from the side's tail.
    pub from: f64,
    pub to: f64,
    /// The virtual source, `y` at most 0.
    pub x: f64,
    pub y: f64,
    /// The distance of the virtual source.
    pub offset: f64,
    /// The vertex from which it comes.
    pub root: u32,
}

impl Window {
    /// The distance of the place `x` of the side, in the plane.
    pub fn at(&self, x: f64) -> f64 {
        let along = x - self.x;
        self.offset + (along * along + self.y * self.y).sqrt()
    }
    /// The least distance within the interval.
    pub fn nearest(&self) -> f64 {
        self.at(self.x.clamp(self.from, self.to))
    }
    /// The place at which the line to the point `(x, y)` above the side crosses it.
    pub fn crossing(&self, [x, y]: [f64; 2]) -> f64 {
        let height = y - self.y;
        if height > 0.0 { self.x + (x - self.x) * (-self.y / height) } else { self.x }
    }
    /// The differences of the distances of two windows at both ends of an interval; `None` if they may be
    /// equal at places between the ends although the signs are the same.
    fn compare(&self, other: &Self, [l, r]: [f64; 2]) -> Option<[f64; 2]> {
        let ends = [l, r].map(|x| self.at(x) - other.at(x));
        if ends[0] * ends[1] < 0.0 {
            return Some(ends);
        }
        // certain if the differences exceed what can change over the interval: twice its length
        let sure = ends[0].abs() + ends[1].abs() > 2.0 * (r - l);
        (sure || self.crossings(other).into_iter().flatten().all(|x| x <= l || x >= r)).then_some(ends)
    }
    /// Places where both distances may be equal: the solutions of a quadratic equation, some of which solve
    /// the equation with the difference of the roots instead of the sum (Surazhsky et al. 2005, 3.4).
    fn crossings(&self, other: &Self) -> [Option<f64>; 2] {
        // |x - other| + delta = |x - self|, squared twice
        let delta = other.offset - self.offset;
        let shift = other.x - self.x;
        let rest = self.x * self.x + self.y * self.y - other.x * other.x - other.y * other.y - delta * delta;
        let a = shift * shift - delta * delta;
        let b = shift * rest + 2.0 * delta * delta * other.x;
        let c = 0.25 * rest * rest - delta * delta * (other.x * other.x + other.y * other.y);
        let square = b * b - 4.0 * a * c;
        if square < 0.0 || square.is_nan() {
            return [None, None];
        }
        // the form of the solution without cancellation
        let q = -0.5 * (b + square.sqrt().copysign(b));
        let root = |above: f64, below: f64| (below != 0.0).then(|| above / below);
        [root(q, a), root(c, q)]
    }
    /// The place at which the difference, whose signs at both ends of the interval differ, is 0.
    fn meet(&self, other: &Self, [mut l, mut r]: [f64; 2], [first, _]: [f64; 2]) -> f64 {
        let difference = |x: f64| self.at(x) - other.at(x);
        let roots = self.crossings(other).into_iter().flatten().filter(|x| (l..=r).contains(x));
        let best = roots.map(|x| (difference(x).abs(), x)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((rest, x)) = best
            && rest <= EQUAL * self.at(x)
        {
            return x;
        }
        for _ in 0..60 {
            let middle = 0.5 * (l + r);
            if (difference(middle) > 0.0) == (first > 0.0) {
                l = middle;
            } else {
                r = middle;
            }
        }
        0.5 * (l + r)
    }
    /// Cuts from both windows of a side the part that the other reaches sooner, as long as one interval
    /// remains and no path is lost.
    pub fn trim(&mut self, other: &mut Self) {
        let (l, r) = (self.from.max(other.from), self.to.min(other.to));
        if l >= r {
            return;
        }
        let Some(ends) = self.compare(other, [l, r]) else { return };
        let near = EQUAL * self.at(l);
        if ends.iter().all(|d| *d >= -near) {
            self.cut(l, r);
        } else if ends.iter().all(|d| *d <= near) {
            other.cut(l, r);
        } else {
            let x = self.meet(other, [l, r], ends);
            let (left, right) = if ends[0] < 0.0 { (self, other) } else { (other, self) };
            left.cut(x, r);
            right.cut(l, x);
        }
    }
    /// Cuts off a part, unless the window would fall into two.
    fn cut(&mut self, from: f64, to: f64) {
        if self.from >= from {
            self.from = self.from.max(to.min(self.to));
        } else if self.to <= to {
            self.to = self.to.min(from);
        }
    }
    pub fn is_empty(&self) -> bool {
        self.to.partial_cmp(&self.from) != Some(std::cmp::Ordering::Greater)
    }
}
