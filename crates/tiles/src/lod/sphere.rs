//! Spheres that contain others, and the errors that go with them.
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

/// A sphere in single precision, around the origin of the file.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Zeroable, Pod, Serialize, Deserialize)]
pub struct Sphere {
    /// Its centre.
    pub centre: [f32; 3],
    /// Its radius.
    pub radius: f32,
}

impl Sphere {
    fn middle(&self) -> DVec3 {
        Vec3::from_array(self.centre).as_dvec3()
    }
    /// A sphere that contains points and spheres; one of radius 0 where there are none.
    pub fn around(points: &[Vec3], spheres: &[Self]) -> Self {
        let ends = spheres.iter().map(|s| (s.middle(), f64::from(s.radius)));
        let all = || points.iter().map(|p| (p.as_dvec3(), 0.0)).chain(ends.clone());
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for (p, radius) in all() {
            (low, high) = (low.min(p - radius), high.max(p + radius));
        }
        if low.x > high.x {
            return Self::default();
        }
        let centre = (0.5 * (low + high)).as_vec3();
        let far = all().map(|(p, radius)| p.distance(centre.as_dvec3()) + radius).fold(0.0, f64::max);
        Self { centre: centre.to_array(), radius: up(far) }
    }
    /// Whether another one is inside.
    pub fn contains(&self, other: &Self) -> bool {
        let apart = self.middle().distance(other.middle());
        apart + f64::from(other.radius) <= f64::from(self.radius) * (1.0 + 1e-12)
    }
}

/// A number in single precision that is not less.
pub fn up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}

/// The error of a simplification, and where it is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Zeroable, Pod)]
pub struct Bound {
    /// Contains the faces, and the spheres of all that they were made from.
    pub sphere: Sphere,
    /// Distance from the input, estimated from above; infinite above the last meshlets.
    pub error: f32,
}

impl Bound {
    /// That above the last meshlets: no cut is that coarse.
    pub const NEVER: Self = Self { sphere: Sphere { centre: [0.0; 3], radius: 0.0 }, error: f32::INFINITY };

    /// Whether another one, of which this was made, is inside and not greater.
    pub fn is_above(&self, other: &Self) -> bool {
        self.error == f32::INFINITY || self.error >= other.error && self.sphere.contains(&other.sphere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contains_what_it_was_made_of() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        for _ in 0..1000 {
            let points = [(); 3].map(|()| Vec3::new(random(), 1e3 * random(), 1e-3 * random()));
            let one = Sphere::around(&points, &[]);
            assert!(points.iter().all(|p| one.contains(&Sphere { centre: p.to_array(), radius: 0.0 })));
            let two = Sphere { centre: [random(), random(), 5.0], radius: random() };
            let both = Sphere::around(&points[..1], &[one, two]);
            assert!(both.contains(&one) && both.contains(&two), "{one:?} {two:?} {both:?}");
        }
        assert_eq!(Sphere::around(&[], &[]), Sphere::default());
    }
    #[test]
    fn rounds_up() {
        assert!(f64::from(up(0.1)) >= 0.1 && up(0.5) == 0.5);
    }
}
