//! The distances that the triangles around a vertex offer it.
use core::f32::consts::{PI, TAU};
use ribbonmesh::device::math::{fast_recip, sqrt};
use ribbonmesh::device::{Quad, Vec2, Vec3};

/// The sign bit of a distance in a state, which marks it.
const SIGN: u32 = 1 << 31;

/// Above this sum of angles, in radians, a vertex hides a good part of what is behind it.
const BENT: f32 = TAU + 0.1;

/// By more than this part, its distance differs from that from the source that another vertex has.
const AGREE: f32 = 5e-4;
/// What it differs by beyond that counts so many times against that source.
const DOUBT: f32 = 40.0;

/// A line along edges that bends less than this at a vertex, in radians, may be straight.
const STRAIGHT: f32 = 0.05;

/// What is known of a vertex: how far it is, and where from. Its *virtual source* is the end of a straight line through
/// unfolded faces: a vertex where the shortest path bends, or the source itself.
///
/// Two quads. The first: coordinates, distance. The second: the distance of the virtual source, the direction to it (as
/// [`Bearings`](crate::kernels::bearings::Bearings)), the sum of the angles around the vertex, nothing.
pub type State = [Quad; 2];

/// A vertex of a triangle, seen from the vertex that asks.
#[derive(Clone, Copy)]
pub struct Corner {
    /// Where it is, from there.
    pub place: Vec3,
    /// Its distance.
    pub distance: f32,
    /// The distance of its virtual source.
    offset: f32,
    /// The angle from the vertex that asks to the virtual source, in the direction of that vertex's walk reversed:
    /// −π to π, or more where no straight line leads past; NaN where there is no walk.
    angle: f32,
    /// Whether a part of what is behind it is hidden.
    bent: bool,
    /// Whether it lies in a plane with its neighbours, or these could be laid there.
    flat: bool,
}
impl Corner {
    /// None: infinitely far.
    pub const NONE: Self = Self {
        place: Vec3::ZERO,
        distance: f32::INFINITY,
        offset: 0.0,
        angle: f32::NAN,
        bent: true,
        flat: false,
    };
    /// Of a state, seen from `here`; `back` is the direction from it to the vertex that asks.
    #[inline(always)]
    pub fn new([first, second]: State, here: Vec3, back: f32) -> Self {
        let [offset, direction, turn, _] = second.0.map(f32::from_bits);
        let mut angle = direction - back.abs();
        // the shorter way around; turns that are infinite or no number have none
        if angle > 0.5 * turn {
            angle -= turn;
        } else if angle < -0.5 * turn {
            angle += turn;
        }
        let angle = if back.is_sign_negative() { -angle } else { angle };
        let distance = f32::from_bits(first.0[3] & !SIGN);
        let bent = turn > BENT || turn.is_nan();
        let flat = (turn - TAU).abs() < 1e-3;
        Self { place: place(first) - here, distance, offset, angle, bent, flat }
    }
}

/// The coordinates in a state.
#[inline(always)]
pub fn place(first: Quad) -> Vec3 {
    let [x, y, z, _] = first.0;
    Vec3::new(f32::from_bits(x), f32::from_bits(y), f32::from_bits(z))
}

/// The best offer so far.
#[derive(Clone, Copy)]
pub struct Offer {
    /// The distance.
    pub distance: f32,
    /// The distance of the virtual source.
    pub offset: f32,
    /// The entry of the ring that it came with.
    pub entry: u32,
    /// The direction of the virtual source, seen from there in the direction of the walk: the angle's cosine and sine,
    /// times something.
    x: f32,
    y: f32,
}
impl Offer {
    /// What is known: nothing is offered yet.
    #[inline(always)]
    pub fn known(distance: f32) -> Self {
        Self { distance, offset: 0.0, entry: 0, x: 1.0, y: 0.0 }
    }
    /// The direction of the virtual source, given that of the entry.
    #[inline(always)]
    pub fn direction(&self, there: f32) -> f32 {
        there + Vec2::new(self.x, self.y).to_angle()
    }
    /// The way along the edge to `a`, which is `entry` of the ring; `a` is the virtual source from there on. Where it lies in
    /// a plane with its neighbours and the line goes on almost straight, the edge would be no shorter by more than
    /// rounding, and its virtual source the wrong one: so the line from that of `a`.
    #[inline(always)]
    pub fn along(&mut self, a: Corner, entry: u32) {
        let edge = sqrt(a.place.dot(a.place));
        let distance = a.distance + edge;
        if distance < self.distance {
            *self = Self { distance, offset: a.distance, entry, x: 1.0, y: 0.0 };
            let radius = a.distance - a.offset;
            if a.flat && a.angle.abs() > PI - STRAIGHT && radius > 0.0 {
                let [cos, sin] = Vec2::from_angle(a.angle).to_array();
                let more = edge * edge - 2.0 * radius * edge * cos;
                self.distance = a.distance + more * fast_recip(sqrt(radius * radius + more) + radius);
                self.offset = a.offset;
                (self.x, self.y) = (edge - radius * cos, -radius * sin);
            }
        }
    }
    /// Straight lines through the side between `a` and `b`, which are `entry` and the next of the ring, from the virtual
    /// source of each.
    #[inline(always)]
    pub fn across(&mut self, a: Corner, b: Corner, entry: u32) {
        self.through(a, b, -a.angle, entry, 1.0);
        self.through(b, a, b.angle, entry + 1, -1.0);
    }
    /// A straight line from the virtual source of `a` through the side to `b`.
    ///
    /// The source lies in the plane of the triangle, beyond the side, at the angle that it has at `a` through the faces
    /// there, and the line to it has to cross the side. If `b` is farther than it would be from that source, which does
    /// not see it, or on a surface that bulges, so are the places between, by less than a linear part of the
    /// difference; the line gets that part. Where `b` hides what is behind it, nothing is known of the places between,
    /// and the line is of use only if `b` has the distance from that source: any other difference counts [`DOUBT`]
    /// times. A limit in its place would let rounding decide.
    ///
    /// With the edge to `a` along the x-axis and `b` above: the source is at (`x`, `y`). What is added to the distance of
    /// `a` is computed by itself, so that far from the source it keeps its digits.
    #[inline(always)]
    fn through(&mut self, a: Corner, b: Corner, angle: f32, entry: u32, ahead: f32) {
        let radius = a.distance - a.offset;
        // not so where it is no number
        let behind = angle > 0.0 && angle <= PI && radius > 0.0;
        if !behind {
            return;
        }
        let (aa, bb, ab) = (a.place.dot(a.place), b.place.dot(b.place), a.place.dot(b.place));
        let normal = a.place.cross(b.place);
        // the edge's length; that times the height of b above it
        let (edge, area) = (sqrt(aa), sqrt(normal.dot(normal)));
        let [cos, sin] = Vec2::from_angle(angle).to_array();
        let (x, y) = (edge - radius * cos, radius * sin);
        // twice the areas on both sides of where the line crosses the side, times the edge
        let (from_a, from_b) = (y * aa, x * area - y * ab);
        let crosses = from_b >= 0.0 && (ab - aa) * sin + area * cos <= 0.0;
        if !crosses {
            return;
        }
        let from =
            |more: f32| a.distance + more * fast_recip(sqrt((radius * radius + more).max(0.0)) + radius);
        let straight = from(aa - 2.0 * radius * edge * cos);
        if straight >= self.distance {
            return;
        }
        let to_b = ((ab - aa) * cos - area * sin) * fast_recip(edge);
        let seen = from(aa + bb - 2.0 * ab + 2.0 * radius * to_b);
        let lack = b.distance - seen;
        let mut extra = if lack > 0.0 { lack * from_a * fast_recip(from_a + from_b) } else { 0.0 };
        if b.bent {
            extra += DOUBT * (lack.abs() - AGREE * seen).max(0.0);
        }
        let distance = straight + extra;
        if distance < self.distance {
            *self = Self { distance, offset: a.offset + extra, entry, x, y: ahead * y };
        }
    }
}

/// Whether [`Offer::across`] may be less than `best`, at a glance. The points beyond the side that are nearer to the vertex than to
/// both its ends begin at the centre of the circumscribed circle, which is there where the angle at the vertex is
/// obtuse; else no line is shorter than the distance of the nearer end.
#[inline(always)]
pub fn may_shorten(a: Corner, b: Corner, best: f32) -> bool {
    a.distance.min(b.distance) < best || a.place.dot(b.place) < 0.0
}
