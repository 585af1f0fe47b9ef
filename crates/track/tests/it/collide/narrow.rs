//! Tests of two elements: collisions by construction are never missed, and elements that stay apart are not
//! reported.
use glam::DVec3;
use ribbonmesh_suite::Random;
use ribbonmesh_track::collide::closest::{point_triangle, segments};
use ribbonmesh_track::collide::narrow::{Elements, first_contact};

/// Pseudo-random integers.
struct Integers(Random);
impl Integers {
    fn below(&mut self, n: u32) -> i64 {
        i64::from(self.0.below(n))
    }
    fn point(&mut self, most: i64) -> DVec3 {
        let mut next = || (self.below(2 * most as u32 + 1) - most) as f64;
        DVec3::new(next(), next(), next())
    }
}

/// The vector between the closest points at a time.
fn way(elements: &Elements, t: f64) -> DVec3 {
    let x: [DVec3; 4] = std::array::from_fn(|i| elements.before[i] * (1.0 - t) + elements.after[i] * t);
    let weights = if elements.edges { segments(x) } else { point_triangle(x) };
    x.iter().zip(weights).map(|(x, w)| *x * w).sum()
}

/// Elements that have a common point at a time that is a multiple of an eighth. All numbers are small
/// integers, so that nothing is rounded, also in single precision.
fn colliding(random: &mut Integers, most: i64) -> (Elements, f64) {
    let (edges, eighths) = (random.below(2) == 1, random.below(9) as f64);
    // positions at that time: both have a common point whose weights are quarters
    let mut at: [DVec3; 4] = std::array::from_fn(|_| 4.0 * random.point(most));
    let quarters = |random: &mut Integers| random.below(5) as f64 / 4.0;
    if edges {
        let (u, v) = (quarters(random), quarters(random));
        let on_first = at[0] * (1.0 - u) + at[1] * u;
        let shift = on_first - (at[2] * (1.0 - v) + at[3] * v);
        at[2] += shift;
        at[3] += shift;
    } else {
        let u = quarters(random);
        let v = random.below(5 - (4.0 * u) as u32) as f64 / 4.0;
        at[0] = at[1] * (1.0 - u - v) + at[2] * u + at[3] * v;
    }
    let common = if random.below(4) == 0 { random.point(most) } else { DVec3::ZERO };
    let ways: [DVec3; 4] = std::array::from_fn(|_| 8.0 * (random.point(most) + common));
    let t = eighths / 8.0;
    let elements = Elements {
        edges,
        before: std::array::from_fn(|i| at[i] - ways[i] * t),
        after: std::array::from_fn(|i| at[i] + ways[i] * (1.0 - t)),
    };
    (elements, t)
}

#[test]
fn no_collision_is_missed() {
    let mut random = Integers(Random(1));
    for most in [1, 2, 10, 1000, 100_000] {
        for i in 0..100_000 {
            let (elements, t) = colliding(&mut random, most);
            assert!(elements.before.iter().chain(&elements.after).all(|x| x.as_vec3().as_dvec3() == *x));
            let found =
                first_contact(&elements).unwrap_or_else(|| panic!("{most}, {i}: {elements:?} at {t}"));
            assert!(found.time <= t, "{most}, {i}: {elements:?} at {t}: {found:?}");
        }
    }
}
#[test]
fn what_stays_apart_is_not_reported() {
    const PARTS: u32 = 64;
    let (mut random, mut apart) = (Integers(Random(2)), 0);
    for i in 0..50_000 {
        let edges = random.below(2) == 1;
        let mut point = |_| random.point(1000) / 100.0;
        let elements = Elements {
            edges,
            before: std::array::from_fn(&mut point),
            after: std::array::from_fn(&mut point),
        };
        let ways = elements.before.iter().zip(&elements.after).map(|(x, y)| x.distance(*y));
        let speed = 2.0 * ways.fold(0.0, f64::max);
        // between two of these times the distance cannot fall to zero
        let nearest = (0..=PARTS)
            .map(|k| way(&elements, f64::from(k) / f64::from(PARTS)).length())
            .fold(f64::MAX, f64::min);
        if nearest > speed / f64::from(PARTS) {
            apart += 1;
            assert_eq!(first_contact(&elements), None, "{i}: {elements:?}");
        }
    }
    assert!(apart > 10_000, "{apart}");
}
#[test]
fn a_near_miss_is_none() {
    // a vertex passes a triangle at a distance of a millionth of its size
    let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let [a, b, c] = triangle;
    for gap in [1e-2, 1e-4, 1e-6] {
        let at = |z: f64| [DVec3::new(-gap, 0.2, z), a, b, c];
        let passing = Elements { edges: false, before: at(1.0), after: at(-1.0) };
        assert_eq!(first_contact(&passing), None, "{gap}");
    }
    let at = |z: f64| [DVec3::new(0.25, 0.25, z), a, b, c];
    let through = Elements { edges: false, before: at(1.0), after: at(-1.0) };
    let found = first_contact(&through).expect("in the middle");
    assert!((found.time - 0.5).abs() < 1e-6, "{found:?}");
    let n = found.normal.normalize();
    assert!(n.distance(DVec3::Z) < 1e-6, "{found:?}");
}
#[test]
fn what_is_not_a_number_counts_as_a_collision() {
    let at = [DVec3::Z, DVec3::ZERO, DVec3::X, DVec3::Y];
    let mut after = at;
    after[0].x = f64::NAN;
    for edges in [false, true] {
        assert!(first_contact(&Elements { edges, before: at, after }).is_some());
    }
}
