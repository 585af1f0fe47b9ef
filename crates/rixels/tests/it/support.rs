//! Meshes, views, and a slow picture.
use ribbonmesh::glam::{DMat4, DVec3, DVec4, Vec3};
use ribbonmesh::mesh::TriangleMesh;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_rixels::{Scene, Values, View};

/// A mesh on a device.
pub struct Shape {
    pub points: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    pub positions: Buffer<Vec3>,
    pub triangles: Buffer<u32>,
}

impl Shape {
    pub fn new(device: &Device, points: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Self {
        let positions = device.upload(&points).expect("memory");
        let triangles = device.upload(faces.as_flattened()).expect("memory");
        Self { points, faces, positions, triangles }
    }
    pub fn of(device: &Device, mesh: &TriangleMesh) -> Self {
        let points = mesh.positions.iter().map(|p| p.as_vec3()).collect();
        Self::new(device, points, mesh.faces.to_vec())
    }
    /// The mesh of whatever machine on another one.
    pub fn on(&self, device: &Device) -> Self {
        Self::new(device, self.points.clone(), self.faces.clone())
    }
    pub fn scene<'a>(&'a self, values: Values<'a>) -> Scene<'a> {
        Scene { positions: &self.positions, faces: &self.triangles, values }
    }
}

/// A view from `eye` to the origin.
pub fn looking(eye: DVec3, up: DVec3, projection: DMat4, [width, height]: [u32; 2]) -> View {
    let back = eye.normalize();
    let right = up.cross(back).normalize();
    let up = back.cross(right);
    let turn = DMat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), DVec4::W).transpose();
    View::new(width, height, turn * DMat4::from_translation(-eye), projection).expect("a view")
}

/// Random numbers (SplitMix64).
pub struct Random(pub u64);
impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// From -1 to 1.
    pub fn number(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
    pub fn point(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

/// The point at which a ray through a pixel meets a face: the distance along the direction of view, the
/// value, and how far within the face it is, in pixels; negative outside.
pub struct Hit {
    pub away: f64,
    pub value: f64,
    pub within: f64,
}

/// The ray through the middle of a pixel against a face, in double precision.
pub fn hit(view: &View, corners: [Vec3; 3], values: [f32; 3], x: u32, y: u32) -> Option<Hit> {
    let back = (view.projection() * view.view()).inverse();
    let ndc = |i: f64, n: u32| 2.0 * i / f64::from(n) - 1.0;
    let at = |x: f64, y: f64, z: f64| {
        let p = back * DVec4::new(ndc(x, view.width()), ndc(y, view.height()), z, 1.0);
        p.truncate() / p.w
    };
    let [a, b, c] = corners.map(|p| p.as_dvec3());
    let normal = (b - a).cross(c - a);
    let shares = |x: f64, y: f64| {
        let (from, to) = (at(x, y, -1.0), at(x, y, 0.5));
        let t = normal.dot(a - from) / normal.dot(to - from);
        let p = from + (to - from) * t;
        let area = |p: DVec3, q: DVec3, r: DVec3| normal.dot((q - p).cross(r - p)) / normal.dot(normal);
        (p, [area(p, b, c), area(p, c, a), area(p, a, b)])
    };
    let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
    let (p, of) = shares(x, y);
    // how the least share changes from pixel to pixel
    let least = (0..3).min_by(|i, j| of[*i].total_cmp(&of[*j]))?;
    let slope =
        (shares(x + 0.01, y).1[least] - of[least]).hypot(shares(x, y + 0.01).1[least] - of[least]) * 100.0;
    let away = -(view.view() * p.extend(1.0)).z;
    let value = (0..3).map(|i| of[i] * f64::from(values[i])).sum();
    let seen = away.is_finite() && away >= view.near() && away <= view.far();
    seen.then_some(Hit { away, value, within: of[least] / slope })
}
