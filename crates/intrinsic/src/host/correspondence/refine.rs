//! Refinement until angles are large.
use super::Correspondence;
use glam::DVec2;
use ribbonmesh::{Error, Result};
use serde::Serialize;
use std::collections::BinaryHeap;
use std::f64::consts::FRAC_PI_3;

/// Triangles between that of a circumcentre and its own, at most; in a Delaunay triangulation the way is
/// short.
const STEPS: usize = 10_000;

/// Options of [`Correspondence::refine`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RefineOptions {
    /// The least angle of triangles, in degrees, 0 to 30; default 25.
    pub min_angle: f64,
    /// New vertices at most; default 10 million.
    pub max_insertions: usize,
}
impl Default for RefineOptions {
    fn default() -> Self {
        Self { min_angle: 25.0, max_insertions: 10_000_000 }
    }
}
impl RefineOptions {
    /// # Errors
    /// [`Error::Option`] for an angle out of range.
    pub(crate) fn check(&self) -> Result<()> {
        if (0.0..=30.0).contains(&self.min_angle) {
            return Ok(());
        }
        let value = self.min_angle.to_string();
        Err(Error::Option { option: "min_angle", value, expected: "degrees from 0 to 30" })
    }
}

/// Report of [`Correspondence::refine`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RefineReport {
    /// New vertices.
    pub inserted: usize,
    /// The least angle in the end, in degrees, but for triangles that cannot be mended; `None` without
    /// others.
    pub least_angle: Option<f64>,
    /// Triangles that cannot be mended and still have smaller angles: those with a corner at a sharp cone, of
    /// less than 60°, and those around a vertex of a single triangle.
    pub left: usize,
    /// Whether all other angles are large enough.
    pub refined: bool,
}

/// The judgement of refinement on a triangle.
enum Verdict {
    /// Its angles are large enough.
    Good,
    /// It has a smaller angle, and its circumcentre becomes a vertex.
    Bad { radius: f64 },
    /// It has a smaller angle, which a vertex at its circumcentre would not mend.
    Left,
}

/// A triangle that waits: the greatest circle first, then the least number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    radius: u64,
    before: std::cmp::Reverse<u32>,
}

impl Correspondence {
    /// Makes the intrinsic triangulation Delaunay, and then puts vertices at circumcentres of triangles with
    /// small angles, the greatest circle first, and flips edges, until there are none (Gillespie, Sharp and
    /// Crane 2021). Triangles at a sharp cone, where angles add up to less than 60°, are left. It
    /// ends for all angles up to 30°; the result depends on the input alone.
    /// # Errors
    /// [`Error::Option`] for a `min_angle` out of range; [`Error::TooMany`] beyond 2³² half-edges.
    pub fn refine(&mut self, options: &RefineOptions) -> Result<RefineReport> {
        options.check()?;
        self.flip_to_delaunay();
        let (least, mut inserted) = (options.min_angle.to_radians(), 0);
        let mut waiting = BinaryHeap::new();
        for h in self.links.triangles().collect::<Vec<_>>() {
            waiting.extend(self.waiting(h, least));
        }
        while let Some(next) = waiting.pop() {
            let h = next.before.0;
            // what has changed since waits by its own
            if self.waiting(h, least) != Some(next) {
                continue;
            }
            if inserted == options.max_insertions {
                break;
            }
            let Some((h, weights)) = self.circumcentre(h) else { continue };
            let around = self.links.around(h);
            self.insert(h, weights)?;
            let mut changed: Vec<u32> = around.to_vec();
            self.flip_around(around.to_vec(), |h| changed.push(h));
            self.delaunay = true;
            for h in changed {
                for h in [h, self.links.twin(h)] {
                    waiting.extend(self.waiting(h, least));
                }
            }
            inserted += 1;
        }
        let mut report = RefineReport { inserted, refined: true, ..RefineReport::default() };
        let mut smallest = f64::INFINITY;
        for h in self.links.triangles() {
            match self.verdict(h, least) {
                Verdict::Left => report.left += 1,
                verdict => {
                    report.refined &= matches!(verdict, Verdict::Good);
                    smallest = self.links.angles(h).into_iter().fold(smallest, f64::min);
                }
            }
        }
        report.least_angle = smallest.is_finite().then(|| smallest.to_degrees());
        Ok(report)
    }
    fn waiting(&self, h: u32, least: f64) -> Option<Waiting> {
        match self.verdict(h, least) {
            Verdict::Bad { radius } => {
                let before = std::cmp::Reverse(self.links.triangle(h));
                // bits of positive numbers have their order
                Some(Waiting { radius: radius.to_bits(), before })
            }
            Verdict::Good | Verdict::Left => None,
        }
    }
    fn verdict(&self, h: u32, least: f64) -> Verdict {
        // the same bits from whichever half-edge
        let h = self.links.triangle(h);
        let (around, angles) = (self.links.around(h), self.links.angles(h));
        if angles.iter().all(|&angle| angle >= least) {
            return Verdict::Good;
        }
        if around.iter().any(|&h| self.angle_around(h) < FRAC_PI_3) {
            return Verdict::Left;
        }
        // the only angle of its vertex stays
        let fixed = |c: usize| self.links.twin(around[c]) == around[(c + 2) % 3];
        if (0..3).all(|c| angles[c] >= least || fixed(c)) {
            return Verdict::Left;
        }
        let sides = self.links.lengths(h);
        let radius = 0.5 * sides[1] / angles[0].sin();
        if radius.is_finite() { Verdict::Bad { radius } } else { Verdict::Left }
    }
    /// The circumcentre of a triangle: the triangle in which it lies, by a half-edge, and its weights there.
    /// The way goes straight from the middle of the triangle.
    fn circumcentre(&self, h: u32) -> Option<(u32, [f64; 3])> {
        let mut corners = self.links.laid_out(h);
        let [_, b, c] = corners;
        let double = 2.0 * b.perp_dot(c);
        let centre = DVec2::new(
            c.y * b.length_squared() - b.y * c.length_squared(),
            b.x * c.length_squared() - c.x * b.length_squared(),
        ) / double;
        let middle = (corners[0] + b + c) / 3.0;
        let way = centre - middle;
        let (mut h, mut entered) = (h, false);
        for _ in 0..STEPS {
            let weights = weights_of(corners, centre)?;
            // a side is left with its origin on the right
            let right = corners.map(|corner| way.perp_dot(corner - middle) <= 0.0);
            let side = match entered {
                true if right[2] => 2,
                true => 1,
                false => (0..3).find(|&c| right[c] && !right[(c + 1) % 3])?,
            };
            if weights[(side + 2) % 3] >= 0.0 {
                return Some((h, weights.map(|w| w.max(0.0))));
            }
            let out = self.links.around(h)[side];
            let ends = [corners[side], corners[(side + 1) % 3]];
            corners = [ends[1], ends[0], self.beyond(out, ends)];
            (h, entered) = (self.links.twin(out), true);
        }
        None
    }
}
/// The weights of the corners of a triangle at a point of its plane; none without area.
fn weights_of([a, b, c]: [DVec2; 3], point: DVec2) -> Option<[f64; 3]> {
    let area = (b - a).perp_dot(c - a);
    let parts = [[b, c], [c, a], [a, b]].map(|[from, to]| (from - point).perp_dot(to - point) / area);
    parts.iter().all(|w| w.is_finite()).then_some(parts)
}
