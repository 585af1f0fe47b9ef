//! Tests of pairs of triangles by classes, against the oracle.
use crate::intersections::exact;
use crate::intersections::oracle::{intersect, intersect_small};
use crate::intersections::pair;
use crate::intersections::plane::{Triangle, orientation};
use glam::Vec3;
use num_bigint::{BigInt, Sign};
use ribbonmesh_mesh::SplitMix64;

/// Numbers of many kinds.
struct Random(SplitMix64);
impl Random {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }
    fn below(&mut self, n: u64) -> u64 {
        self.0.bits() % n
    }
    /// A point with integers from 0 to `n` in all coordinates.
    fn on_grid(&mut self, n: u64) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.below(n + 1) as f32))
    }
    /// A number in [-1, 1).
    fn unit(&mut self) -> f32 {
        (self.0.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
    fn inside(&mut self) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.unit()))
    }
    /// Any finite number, of any size.
    fn any(&mut self) -> f32 {
        loop {
            let x = f32::from_bits(self.0.bits() as u32);
            if x.is_finite() {
                return x;
            }
        }
    }
}

type Pair = [[Vec3; 3]; 2];

/// Compares with the oracle, for both orders of the triangles and for turned ones; returns how many
/// intersect.
fn compare(pairs: impl Iterator<Item = Pair>, oracle: impl Fn([Vec3; 3], [Vec3; 3]) -> bool) -> [usize; 2] {
    let (mut all, mut intersecting) = (0, 0);
    for [a, b] in pairs {
        let expected = oracle(a, b);
        let turned = [[b[1], b[2], b[0]], [b[0], b[2], b[1]]];
        for b in [b, turned[0], turned[1]] {
            assert_eq!(pair::intersect(&Triangle::new(a), b), expected, "{a:?} {b:?}");
            assert_eq!(pair::intersect(&Triangle::new(b), a), expected, "{b:?} {a:?}");
        }
        all += 1;
        intersecting += usize::from(expected);
    }
    [all, intersecting]
}
/// Checks that both answers occur at least `least` times.
fn check(found: [usize; 2], least: usize) {
    let [all, intersecting] = found;
    assert!(intersecting >= least && all - intersecting >= least, "{intersecting} of {all}");
}

/// Pairs with this many shared corners.
fn sharing(corners: usize, n: usize, mut point: impl FnMut() -> Vec3) -> impl Iterator<Item = Pair> {
    (0..n).map(move |_| {
        let a = [(); 3].map(|()| point());
        let mut b = [(); 3].map(|()| point());
        b[..corners].copy_from_slice(&a[..corners]);
        [a, b]
    })
}

#[test]
fn grids() {
    // small grids have all degeneracies: touching, in a plane, on a line, in a point, twice the same triangle
    for (size, n) in [(1, 20_000), (2, 50_000), (3, 50_000), (6, 30_000)] {
        for corners in 0..3 {
            let mut random = Random::new(100 * size + corners as u64);
            let found = compare(sharing(corners, n, || random.on_grid(size)), intersect_small);
            check(found, n / 60);
        }
    }
}

#[test]
fn flat_grids() {
    // all in one plane, whose normal is along an axis or oblique
    for axis in 0..4 {
        for corners in 0..3 {
            let mut random = Random::new(10 + 3 * axis + corners as u64);
            let point = || {
                let mut p = random.on_grid(4);
                match axis {
                    3 => p.z = p.x + p.y,
                    _ => p[axis as usize] = 1.0,
                }
                p
            };
            let found = compare(sharing(corners, 15_000, point), intersect_small);
            check(found, 200);
        }
    }
}

#[test]
fn lines() {
    // one triangle or both on a line, and points
    let mut random = Random::new(5);
    let pairs = (0..100_000).map(|i| {
        let [from, way] = [random.on_grid(3), random.on_grid(2) - Vec3::ONE];
        let mut on_line = || from + random.below(4) as f32 * way;
        let a = [(); 3].map(|()| on_line());
        let mut b = match i % 3 {
            0 => [(); 3].map(|()| on_line()),
            _ => [(); 3].map(|()| random.on_grid(3)),
        };
        let corners = i / 3 % 4;
        b[..corners].copy_from_slice(&a[..corners]);
        [a, b]
    });
    let found = compare(pairs.filter(|_| true), intersect_small);
    check(found, 5_000);
}

#[test]
fn random_positions() {
    for corners in 0..3 {
        let mut random = Random::new(40 + corners as u64);
        check(compare(sharing(corners, 8_000, || random.inside()), intersect), [400, 400, 0][corners]);
    }
}

#[test]
fn positions_that_are_nearly_in_a_plane() {
    // combinations of corners that are rounded: double precision leaves their signs open
    for (seed, far) in [(1, 0.0), (2, 1.0), (3, 4096.0)] {
        let mut random = Random::new(seed);
        let pairs = (0..8_000).map(|i| {
            let a = [(); 3].map(|()| random.inside() + far);
            let mut b = [(); 3].map(|()| {
                let (u, v) = (random.unit(), random.unit());
                a[0] + u * (a[1] - a[0]) + v * (a[2] - a[0])
            });
            let corners = i % 3;
            b[..corners].copy_from_slice(&a[..corners]);
            [a, b]
        });
        check(compare(pairs, intersect), 500);
    }
}

#[test]
fn grids_of_any_size_and_place() {
    // degenerate pairs of coordinates that span many bits
    for (seed, step, far) in [(1, 1e-38_f32, 0.0_f32), (2, 1e30, 0.0), (3, 0.25, 1e6), (4, 1e-3, 1.0)] {
        let mut random = Random::new(seed);
        for corners in 0..3 {
            let point = || random.on_grid(3) * step + far;
            check(compare(sharing(corners, 4_000, point), intersect), 100);
        }
    }
}

#[test]
fn numbers_of_all_sizes() {
    for corners in 0..3 {
        // few numbers, so that equal ones occur
        let mut random = Random::new(corners as u64);
        let few: Vec<f32> = (0..4).map(|_| random.any()).chain([0.0, 1.0, f32::MAX, 1e-45]).collect();
        let point = || Vec3::from_array([(); 3].map(|()| few[random.below(8) as usize]));
        check(compare(sharing(corners, 3_000, point), intersect), 10);
        let point = || Vec3::from_array([(); 3].map(|()| random.any()));
        compare(sharing(corners, 300, point), intersect);
    }
}

/// The sign of the determinant in integers of any size, coordinates as multiples of 2⁻¹⁴⁹.
fn sign([a, b, c, d]: [Vec3; 4]) -> i32 {
    let integer = |x: f32| {
        let exponent = (x.to_bits() >> 23 & 0xff).max(1);
        let mantissa = f64::from(x) * 2f64.powi(150 - exponent as i32);
        BigInt::from(mantissa as i64) << (exponent - 1)
    };
    let difference = |p: Vec3| [0, 1, 2].map(|i| integer(p[i]) - integer(a[i]));
    let [u, v, w] = [b, c, d].map(difference);
    let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    let det = minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2];
    match det.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    }
}

#[test]
fn orientations() {
    let mut random = Random::new(9);
    let mut zeros = 0;
    let mut compare = |points: [Vec3; 4]| {
        let expected = sign(points);
        let [a, b, c, d] = points;
        assert_eq!(exact::orientation(points), expected, "{points:?}");
        assert_eq!(orientation(a, b, c, d), expected, "{points:?}");
        zeros += i32::from(expected == 0);
    };
    for _ in 0..100_000 {
        compare([(); 4].map(|()| random.inside()));
        compare([(); 4].map(|()| random.on_grid(2)));
        compare([(); 4].map(|()| Vec3::from_array([(); 3].map(|()| random.any()))));
        // in a plane but for rounding, of numbers of two sizes
        let [a, b, c] = [(); 3].map(|()| random.inside());
        let d = a + random.unit() * (b - a) + random.unit() * (c - a);
        compare([a, b, c, d]);
        compare([a, b, c, d].map(|p| p * Vec3::new(1e-30, 1.0, 1e30)));
        let far = 1e12 * random.inside();
        compare([far, far + (b - a), far + (c - a), d]);
    }
    assert!(zeros > 1000);
}
