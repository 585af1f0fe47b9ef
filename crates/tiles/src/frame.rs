//! The units in which positions are kept on disk.
use glam::{DVec3, Vec3};
use ribbonmesh_mesh::{BoundingBox, Precision, TriangleMesh};
use serde::{Deserialize, Serialize};

/// Positions in single precision around a local origin, multiplied by a power of two: those of
/// [`Surface`](ribbonmesh::Surface), so that work in memory and by tiles begins with the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    origin: [f64; 3],
    scale: f64,
    /// Whether the input's coordinates are in single precision.
    pub single: bool,
    /// The box around all vertices, in the units of the frame.
    low: [f32; 3],
    high: [f32; 3],
}

/// Findings of a pass over all positions.
pub struct Measured {
    around: BoundingBox,
    /// A position that single precision does not hold.
    inexact: Option<DVec3>,
}
impl Measured {
    /// Before the first position.
    pub const NOTHING: Self = Self { around: BoundingBox::EMPTY, inexact: None };

    /// Adds a position.
    pub fn add(&mut self, p: DVec3) {
        self.around = self.around.with(p);
        if self.inexact.is_none() && p.as_vec3().as_dvec3() != p {
            self.inexact = Some(p);
        }
    }
    /// The frame; `single`: whether coordinates are of a type that single precision holds.
    pub fn frame(&self, single: bool) -> Frame {
        let BoundingBox { low, high } = self.around;
        let mut mesh = TriangleMesh::new([low, high].into_iter().chain(self.inexact).collect(), vec![]);
        mesh.precision = if single { Precision::Single } else { Precision::Double };
        // depends on the box, and on whether some coordinate is not exact
        let origin = if self.inexact.is_some() { mesh.local_origin() } else { DVec3::ZERO };
        let [near, far] = [low, high].map(|p| (p - origin).as_vec3());
        let whole = f64::from((far - near).length());
        let scale = if whole > 0.0 { (-whole.log2().floor()).clamp(-126.0, 126.0).exp2() } else { 1.0 };
        let frame = Frame { origin: origin.to_array(), scale, single, low: [0.0; 3], high: [0.0; 3] };
        let [low, high] = [low, high].map(|p| frame.inside(p).to_array());
        Frame { low, high, ..frame }
    }
}

impl Frame {
    /// That of the same mesh in the units of another one.
    pub fn in_units_of(&self, other: &Self) -> Self {
        let [low, high] =
            [self.low, self.high].map(|p| other.inside(self.outside(Vec3::from_array(p))).to_array());
        Self { low, high, single: self.single, ..*other }
    }
    /// A position of the input in the units of the frame.
    pub fn inside(&self, p: DVec3) -> Vec3 {
        (p - DVec3::from_array(self.origin)).as_vec3() * self.scale as f32
    }
    /// A position in the units of the input.
    pub fn outside(&self, p: Vec3) -> DVec3 {
        p.as_dvec3() / self.scale + DVec3::from_array(self.origin)
    }
    /// The power of two by which lengths are multiplied.
    pub fn scale(&self) -> f64 {
        self.scale
    }
    /// The local origin.
    pub fn origin(&self) -> DVec3 {
        DVec3::from_array(self.origin)
    }
    /// A length, or a coordinate around the local origin, in the units of the input.
    pub fn length(&self, x: f32) -> f32 {
        // a quotient by a power of two
        (f64::from(x) / self.scale) as f32
    }
    /// The middle of the box, in the units of the input.
    pub fn middle(&self) -> DVec3 {
        let [low, high] = [self.low, self.high].map(Vec3::from_array);
        self.outside(0.5 * (low + high))
    }
    /// The smallest coordinates, and the longest side of the box.
    pub fn cube(&self) -> (Vec3, f32) {
        let [low, high] = [self.low, self.high].map(Vec3::from_array);
        (low, (high - low).max_element())
    }
}
