//! The velocities of the scenes.
use super::advect::Velocity;
use super::noise::noise;
use glam::Vec3;
use ribbonmesh::device::Parameter;
use ribbonmesh::device::math::sqrt;

const PI: f32 = core::f32::consts::PI;

/// Rigid rotation in the plane of x and y, around a point.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Rotation {
    /// The point, its x and y.
    pub centre: [f32; 2],
    /// Radians for each unit of time.
    pub speed: f32,
}
impl Velocity for Rotation {
    #[inline(always)]
    fn at(&self, x: Vec3, _time: f32) -> Vec3 {
        self.speed * Vec3::new(self.centre[1] - x.y, x.x - self.centre[0], 0.0)
    }
}

/// The deformation of a sphere into a thin sheet and back (LeVeque 1996, equation 9.7; Enright, Fedkiw,
/// Ferziger and Mitchell 2002, section 4.6), without divergence, within the unit cube.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Enright {
    /// The time after which all points are back where they began.
    pub period: f32,
}
impl Velocity for Enright {
    #[inline(always)]
    fn at(&self, x: Vec3, time: f32) -> Vec3 {
        let s = Vec3::new(libm::sinf(PI * x.x), libm::sinf(PI * x.y), libm::sinf(PI * x.z));
        let c = Vec3::new(libm::cosf(PI * x.x), libm::cosf(PI * x.y), libm::cosf(PI * x.z));
        // sines of the doubled angles
        let d = 2.0 * s * c;
        let v = Vec3::new(2.0 * s.x * s.x * d.y * d.z, -d.x * s.y * s.y * d.z, -d.x * d.y * s.z * s.z);
        libm::cosf(PI * time / self.period) * v
    }
}

/// A vortex in the plane of x and y that turns back (LeVeque 1996, equation 9.5), without divergence, within
/// the unit square.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct Vortex {
    /// The time after which all points are back where they began.
    pub period: f32,
}
impl Velocity for Vortex {
    #[inline(always)]
    fn at(&self, x: Vec3, time: f32) -> Vec3 {
        let (sx, sy) = (libm::sinf(PI * x.x), libm::sinf(PI * x.y));
        let (dx, dy) = (2.0 * sx * libm::cosf(PI * x.x), 2.0 * sy * libm::cosf(PI * x.y));
        libm::cosf(PI * time / self.period) * Vec3::new(sx * sx * dy, -sy * sy * dx, 0.0)
    }
}

/// The curl of noise (Bridson, Hourihan and Nordenstam 2007), without divergence. As in El Topo's scenes, the
/// potential points along z and falls to 0 at a distance from a centre.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Parameter)]
pub struct CurlNoise {
    /// The centre.
    pub centre: [f32; 3],
    /// The distance from the centre from which on the velocity is 0.
    pub radius: f32,
    /// The length of a cell of the noise.
    pub scale: f32,
    /// Factor of the noise.
    pub gain: f32,
    /// The seed of the noise.
    pub seed: u32,
}
impl Velocity for CurlNoise {
    #[inline(always)]
    fn at(&self, x: Vec3, _time: f32) -> Vec3 {
        let to = x - Vec3::from_array(self.centre);
        let distance = sqrt(to.length_squared());
        if distance >= self.radius {
            return Vec3::ZERO;
        }
        let (value, slope) = noise(x / self.scale, self.seed);
        let fade = 1.0 - distance / self.radius;
        // the gradient of the potential, which is noise times fade
        let by_fade = if distance > 0.0 { to * (-value / (distance * self.radius)) } else { Vec3::ZERO };
        let slope = self.gain * (slope * (fade / self.scale) + by_fade);
        Vec3::new(slope.y, -slope.x, 0.0)
    }
}
