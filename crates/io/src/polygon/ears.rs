//! Ears of polygons.

use glam::DVec2;

use super::plane::Polygon;
use super::reflex::Reflex;

/// Steps that each corner may cost on average.
const STEPS: u64 = 1024;
/// The same from where no ear is left that a simple polygon would have.
const STEPS_OF_OTHERS: u64 = 64;

/// Quality of an ear, from the best to the one that is taken if there is no other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ear {
    /// No other corner lies in it or, up to rounding, on its sides.
    Clear,
    /// No other corner lies in it.
    Touched,
    /// It has no area.
    Flat,
    /// It has a convex corner.
    Convex,
    /// Any.
    Any,
}

impl Ear {
    const ALL: [Self; 5] = [Self::Clear, Self::Touched, Self::Flat, Self::Convex, Self::Any];
}

/// Triangles, each of three corners by their places in the polygon, that cover a polygon better than the fan
/// around its first corner does: with less area turned over, or with fewer triangles without area. They are
/// as many, n - 2. `None` if there are none, as for convex polygons.
pub(super) fn better_than_fan(polygon: &Polygon) -> Option<Vec<[u32; 3]>> {
    let n = polygon.points.len() as u32;
    let fan = measure(polygon, (1..n - 1).map(|corner| [0, corner, corner + 1]));
    if fan == (0.0, 0) {
        return None;
    }
    let found = Clipper::new(polygon).triangles();
    let better = measure(polygon, found.iter().copied());
    (better.0 < fan.0 || better.0 == fan.0 && better.1 < fan.1).then_some(found)
}

/// Twice the area of the triangles that are turned over, and how many are or have no area.
fn measure(polygon: &Polygon, triangles: impl Iterator<Item = [u32; 3]>) -> (f64, usize) {
    let wrong = triangles.map(|corners| polygon.turn(corners)).filter(|turn| turn.is_nan() || *turn <= 0.0);
    wrong.fold((0.0, 0), |(area, count), turn| (area - turn, count + 1))
}

/// A polygon that loses one ear after the other (Meisters, *Polygons have ears*, 1975).
struct Clipper<'a> {
    polygon: &'a Polygon,
    previous: Vec<u32>,
    next: Vec<u32>,
    left: usize,
    /// A corner that is left.
    some: u32,
    /// Corners that are left and not convex. A corner that is convex stays so.
    reflex: Reflex,
    work: u64,
    triangles: Vec<[u32; 3]>,
}

impl<'a> Clipper<'a> {
    fn new(polygon: &'a Polygon) -> Self {
        let n = polygon.points.len() as u32;
        let previous: Vec<u32> = (0..n).map(|corner| (corner + n - 1) % n).collect();
        let next: Vec<u32> = (0..n).map(|corner| (corner + 1) % n).collect();
        let convex =
            |corner: u32| polygon.turn([previous[corner as usize], corner, next[corner as usize]]) > 0.0;
        let reflex = Reflex::of(&polygon.points, (0..n).filter(|&corner| !convex(corner)));
        let work = u64::from(n) * STEPS;
        let triangles = Vec::with_capacity(n as usize - 2);
        Self { polygon, previous, next, left: n as usize, some: 0, reflex, work, triangles }
    }

    /// The triangles. Takes O(n log n) where ears are small, and never more than `STEPS` for each corner.
    fn triangles(mut self) -> Vec<[u32; 3]> {
        let n = self.polygon.points.len();
        // corners to examine now and in the next pass; a corner whose neighbour was cut off in this pass
        // waits, so that ears are cut all around and not one after the other from the same corner
        let (mut now, mut later): (Vec<u32>, Vec<u32>) = ((0..n as u32).collect(), vec![]);
        let (mut changed, mut waits, mut gone) = (vec![0; n], vec![0; n], vec![false; n]);
        let (mut pass, mut kind) = (1_u32, 0);
        while self.left > 3 && self.work > 0 {
            for &corner in &now {
                let at = corner as usize;
                if gone[at] || self.left == 3 || self.work == 0 {
                    continue;
                }
                let ends = [self.previous[at], self.next[at]];
                let wait = changed[at] == pass;
                if !wait {
                    self.work = self.work.saturating_sub(1);
                    if !self.is_ear(corner, Ear::ALL[kind]) {
                        continue;
                    }
                    self.clip(corner);
                    gone[at] = true;
                }
                let again = if wait { [corner, corner] } else { ends };
                for corner in again {
                    changed[corner as usize] = pass;
                    if waits[corner as usize] != pass {
                        waits[corner as usize] = pass;
                        later.push(corner);
                    }
                }
                // a forced cut may have made better ears everywhere
                if !wait && kind > 0 {
                    break;
                }
            }
            if later.is_empty() {
                // no ear of this kind anywhere: of another
                kind = (kind + 1).min(Ear::ALL.len() - 1);
                if Ear::ALL[kind] > Ear::Touched {
                    self.work = self.work.min(n as u64 * STEPS_OF_OTHERS);
                }
                later.extend(self.ring());
            } else if kind > 0 {
                kind = 0;
                later.clear();
                later.extend(self.ring());
            }
            now.clear();
            std::mem::swap(&mut now, &mut later);
            pass += 1;
        }
        // three corners, or the rest of a polygon that costs too much
        let rest: Vec<u32> = self.ring().collect();
        self.triangles.extend(rest[1..].windows(2).map(|two| [rest[0], two[0], two[1]]));
        self.triangles
    }

    /// The corners that are left.
    fn ring(&self) -> impl Iterator<Item = u32> {
        let mut corner = self.some;
        (0..self.left).map(move |_| {
            corner = self.next[corner as usize];
            corner
        })
    }

    /// Takes an ear away.
    fn clip(&mut self, corner: u32) {
        let [before, after] = [self.previous[corner as usize], self.next[corner as usize]];
        self.triangles.push([before, corner, after]);
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        self.left -= 1;
        self.some = before;
        self.reflex.take(corner);
        for end in [before, after] {
            let [a, b] = [self.previous[end as usize], self.next[end as usize]];
            if self.polygon.turn([a, end, b]) > 0.0 {
                self.reflex.take(end);
            }
        }
    }

    fn is_ear(&mut self, corner: u32, kind: Ear) -> bool {
        let triangle = [self.previous[corner as usize], corner, self.next[corner as usize]];
        let turn = self.polygon.turn(triangle);
        match kind {
            Ear::Any => true,
            Ear::Convex => turn > 0.0,
            Ear::Flat => turn == 0.0,
            Ear::Clear | Ear::Touched => turn > 0.0 && !self.is_met(triangle, kind == Ear::Clear),
        }
    }

    /// Whether a corner lies in a triangle of three others, or, with `sides`, on its sides up to rounding. A
    /// corner at the place of one of these, as where a polygon is led to a hole and back, counts if the
    /// polygon continues from there into the triangle.
    fn is_met(&mut self, triangle: [u32; 3], sides: bool) -> bool {
        let points = &self.polygon.points;
        let [a, b, c] = triangle.map(|corner| points[corner as usize]);
        let rounding = if sides { self.polygon.rounding } else { 0.0 };
        let edges =
            [[a, b], [b, c], [c, a]].map(|[from, to]| (from, to - from, rounding * from.distance(to)));
        let inside = |p: DVec2| {
            edges.iter().all(|&(from, along, slack)| {
                let turn = along.perp_dot(p - from);
                if sides { turn >= -slack } else { turn > 0.0 }
            })
        };
        let into = |at: DVec2, p: DVec2, [left, right]: [DVec2; 2]| {
            (right - at).perp_dot(p - at) > 0.0 && (p - at).perp_dot(left - at) > 0.0
        };
        let margin = DVec2::splat(self.polygon.rounding);
        let [low, high] = [a.min(b).min(c) - margin, a.max(b).max(c) + margin];
        // beside the triangle's box, or outside of one of its sides by more than rounding
        let far = |[least, greatest]: [DVec2; 2]| {
            let beside = !(least.cmple(high).all() && greatest.cmpge(low).all());
            beside
                || edges.iter().any(|&(from, along, _)| {
                    // the corner of the box that is farthest to the left of the side
                    let leftmost = DVec2::new(
                        if along.y > 0.0 { least.x } else { greatest.x },
                        if along.x > 0.0 { greatest.y } else { least.y },
                    );
                    along.perp_dot(leftmost - from) < -2.0 * self.polygon.rounding * along.length()
                })
        };
        let (previous, next, near) = (&self.previous, &self.next, self.polygon.rounding);
        self.reflex.any(&mut self.work, far, |corner| {
            if triangle.contains(&corner) {
                return false;
            }
            let p = points[corner as usize];
            for (at, [right, left]) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                if p.distance(at) <= near {
                    let ends = [previous[corner as usize], next[corner as usize]];
                    return ends.iter().any(|&end| into(at, points[end as usize], [left, right]));
                }
            }
            inside(p)
        })
    }
}
