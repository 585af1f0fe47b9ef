//! An independent decision whether triangles intersect, in rational numbers.
use glam::Vec3;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;

type Point<T> = [Ratio<T>; 3];

fn minus<T: Integer + Clone>(a: &Point<T>, b: &Point<T>) -> Point<T> {
    [0, 1, 2].map(|i| a[i].clone() - b[i].clone())
}
fn dot<T: Integer + Clone>(a: &Point<T>, b: &Point<T>) -> Ratio<T> {
    (0..3).fold(Ratio::from_integer(T::zero()), |sum, i| sum + a[i].clone() * b[i].clone())
}
fn cross<T: Integer + Clone>(a: &Point<T>, b: &Point<T>) -> Point<T> {
    [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a[j].clone() * b[k].clone() - a[k].clone() * b[j].clone()
    })
}
fn is_zero<T: Integer + Clone>(a: &Point<T>) -> bool {
    a.iter().all(|x| x.numer().is_zero())
}

/// Points whose hull is the part of the hull of `points` where `height` is not negative.
fn clip<T: Integer + Clone>(points: Vec<Point<T>>, height: impl Fn(&Point<T>) -> Ratio<T>) -> Vec<Point<T>> {
    let zero = Ratio::from_integer(T::zero());
    let heights: Vec<_> = points.iter().map(&height).collect();
    let mut kept = vec![];
    for (p, h) in points.iter().zip(&heights) {
        if *h >= zero {
            kept.push(p.clone());
        }
        for (q, g) in points.iter().zip(&heights) {
            if *h < zero && *g > zero {
                let t = h.clone() / (h.clone() - g.clone());
                let way = minus(q, p);
                kept.push([0, 1, 2].map(|i| p[i].clone() + t.clone() * way[i].clone()));
            }
        }
    }
    kept.sort();
    kept.dedup();
    kept
}

/// Points whose hull is the intersection of two triangles: one of them, clipped by the planes around the
/// other.
fn common<T: Integer + Clone>(a: &[Point<T>; 3], b: &[Point<T>; 3]) -> Vec<Point<T>> {
    let mut points = a.to_vec();
    let beyond = |n: Point<T>, from: Point<T>| move |p: &Point<T>| dot(&n, &minus(p, &from));
    let zero = || Ratio::from_integer(T::zero());
    let negative = |n: &Point<T>| n.clone().map(|x| zero() - x);
    let n = cross(&minus(&b[1], &b[0]), &minus(&b[2], &b[0]));
    if !is_zero(&n) {
        points = clip(points, beyond(n.clone(), b[0].clone()));
        points = clip(points, beyond(negative(&n), b[0].clone()));
        for i in 0..3 {
            let inward = cross(&n, &minus(&b[(i + 1) % 3], &b[i]));
            points = clip(points, beyond(inward, b[i].clone()));
        }
        return points;
    }
    // a segment: the sorted ends
    let mut ends = b.clone();
    ends.sort();
    let [low, _, high] = ends;
    let way = minus(&high, &low);
    for i in 0..3 {
        // on a line in each projection; the coordinate, between the ends
        let mut across = [(); 3].map(|()| zero());
        (across[(i + 1) % 3], across[(i + 2) % 3]) =
            (way[(i + 2) % 3].clone(), zero() - way[(i + 1) % 3].clone());
        let mut unit = [(); 3].map(|()| zero());
        unit[i] = Ratio::from_integer(T::one());
        let (less, more) = match low[i] < high[i] {
            true => (low.clone(), high.clone()),
            false => (high.clone(), low.clone()),
        };
        points = clip(points, beyond(across.clone(), low.clone()));
        points = clip(points, beyond(negative(&across), low.clone()));
        points = clip(points, beyond(unit.clone(), less));
        points = clip(points, beyond(negative(&unit), more));
    }
    points
}

/// Whether two triangles have a common point outside of the hull of their shared corners, or the same three
/// corners.
fn reference<T: Integer + Clone>(a: &[Point<T>; 3], b: &[Point<T>; 3]) -> bool {
    let mut shared: Vec<_> = a.iter().filter(|p| b.contains(p)).cloned().collect();
    shared.sort();
    shared.dedup();
    let outside = |p: &Point<T>| match &shared[..] {
        [] => true,
        [k] => p != k,
        [k, l] => {
            let (way, to) = (minus(l, k), minus(p, k));
            let along = dot(&way, &to);
            !is_zero(&cross(&way, &to)) || along < Ratio::from_integer(T::zero()) || along > dot(&way, &way)
        }
        _ => true,
    };
    shared.len() == 3 || common(a, b).iter().any(outside)
}

/// As [`reference`], for single precision, with integers of any size.
pub fn intersect(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let all = || a.into_iter().chain(b).flat_map(|p| p.to_array());
    // every coordinate is an integer times the lowest bit of the smallest one
    let power = all().filter(|x| *x != 0.0).map(lowest).min().unwrap_or(0);
    let integer = |x: f32| {
        if x == 0.0 {
            return BigInt::ZERO;
        }
        let own = lowest(x);
        let mantissa = (f64::from(x) * (-f64::from(own)).exp2()) as i64;
        BigInt::from(mantissa) << (own - power)
    };
    let point = |p: Vec3| p.to_array().map(|x| Ratio::from_integer(integer(x)));
    reference(&a.map(point), &b.map(point))
}
/// A power of two of which `x` is an integral multiple.
fn lowest(x: f32) -> i32 {
    let exponent = (x.to_bits() >> 23 & 0xff) as i32;
    exponent.max(1) - 150
}

/// As [`reference`], for small integers.
pub fn intersect_small(a: [Vec3; 3], b: [Vec3; 3]) -> bool {
    let point = |p: Vec3| p.to_array().map(|x| Ratio::from_integer(x as i128));
    reference(&a.map(point), &b.map(point))
}
