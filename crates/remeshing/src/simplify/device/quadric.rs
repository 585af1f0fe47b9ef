//! Quadrics: squared distances from planes, added up.
use glam::{DVec3, Vec3};
use ribbonmesh::device::{In, Out, Pod, Quad, ValuesMut, Vertex, VertexId};

/// The sum of weighted squared distances from planes, p·Ap + 2 b·p + c (Garland and Heckbert 1997, section
/// 5). Points are relative to the origin of the quadric: the vertex to which it belongs.
///
/// The local origin and double precision keep it exact: c is the error at the vertex itself, and p is no
/// longer than the edges there. So the error is known to about 10⁻⁸ of their length, wherever the mesh is and
/// however flat it is. In single precision it would be known to 10⁻⁴ of the length, which long edges of flat
/// regions exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadric {
    /// Coefficients of A: xx, xy, xz, yy, yz, zz.
    pub a: [f64; 6],
    /// Half the gradient at the origin.
    pub b: DVec3,
    /// The error at the origin.
    pub c: f64,
    /// The area of the faces whose planes were added; the planes weigh as much.
    pub area: f64,
    /// Greatest distance of the surface here from the input.
    pub drift: f64,
}

/// A quadric in memory.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Record([f64; 12]);
// SAFETY: 96 bytes of plain numbers, no padding.
unsafe impl ribbonmesh::device::bytemuck::Zeroable for Record {}
// SAFETY: as above.
unsafe impl Pod for Record {}
impl From<Quadric> for Record {
    fn from(q: Quadric) -> Self {
        let ([a0, a1, a2, a3, a4, a5], b) = (q.a, q.b);
        Self([a0, a1, a2, a3, a4, a5, b.x, b.y, b.z, q.c, q.area, q.drift])
    }
}
/// Loads and stores of 16 bytes for a record.
const PARTS: u32 = 6;

impl Quadric {
    /// The quadric without a plane.
    pub const ZERO: Self = Self { a: [0.0; 6], b: DVec3::ZERO, c: 0.0, area: 0.0, drift: 0.0 };

    /// Adds the plane through the origin with normal `n`, of any length, `weight` times.
    #[inline(always)]
    pub fn add_plane(&mut self, n: DVec3, weight: f64) {
        let square = n.dot(n);
        if square > 0.0 {
            let m = n * (weight / square);
            let [xx, xy, xz, yy, yz, zz] = self.a;
            self.a = [
                xx + m.x * n.x,
                xy + m.x * n.y,
                xz + m.x * n.z,
                yy + m.y * n.y,
                yz + m.y * n.z,
                zz + m.z * n.z,
            ];
        }
    }
    /// Adds a face with one corner at the origin, the others at `a` and `b`: its plane with a third of its
    /// area (Garland 1999, section 3.4.1), and for each side from the origin that lies on a curve the plane
    /// through it that is perpendicular to the face, with `curve_weight` times the squared length of the
    /// side.
    #[inline(always)]
    pub fn add_face(&mut self, [a, b]: [DVec3; 2], curves: [bool; 2], curve_weight: f32) {
        let normal = a.cross(b);
        let area = libm::sqrt(normal.dot(normal)) / 6.0;
        self.add_plane(normal, area);
        self.area += area;
        for (of_curve, along) in [(curves[0], a), (curves[1], b)] {
            if of_curve {
                self.add_plane(normal.cross(along), curve_weight as f64 * along.dot(along));
            }
        }
    }
    #[inline(always)]
    fn times(&self, p: DVec3) -> DVec3 {
        let [xx, xy, xz, yy, yz, zz] = self.a;
        DVec3::new(
            xx * p.x + xy * p.y + xz * p.z,
            xy * p.x + yy * p.y + yz * p.z,
            xz * p.x + yz * p.y + zz * p.z,
        )
    }
    /// The error at `p`.
    #[inline(always)]
    pub fn at(&self, p: DVec3) -> f64 {
        self.c + p.dot(self.times(p) + 2.0 * self.b)
    }
    /// The mean squared distance of the origin from the planes, 0 without planes.
    #[inline(always)]
    pub fn mean_error(&self) -> f32 {
        if self.area > 0.0 && self.c > 0.0 { (self.c / self.area) as f32 } else { 0.0 }
    }
    /// The same quadric for an origin that is moved by `by`.
    #[inline(always)]
    pub fn moved(&self, by: DVec3) -> Self {
        let b = self.b + self.times(by);
        Self { b, c: self.c + by.dot(b + self.b), ..*self }
    }
    /// The sum of two with one origin. The drift is the larger one.
    #[inline(always)]
    pub fn plus(&self, other: &Self) -> Self {
        let ([a0, a1, a2, a3, a4, a5], [b0, b1, b2, b3, b4, b5]) = (self.a, other.a);
        Self {
            a: [a0 + b0, a1 + b1, a2 + b2, a3 + b3, a4 + b4, a5 + b5],
            b: self.b + other.b,
            c: self.c + other.c,
            area: self.area + other.area,
            drift: if self.drift > other.drift { self.drift } else { other.drift },
        }
    }
    /// The point at which error + s |p|² is least, with s a share of the trace of A. It has the least error
    /// where planes of several directions determine it. Where they do not, it is as near to the origin as
    /// that allows, as the pseudoinverse gives (Lindstrom 2000, section 3.2), but without a threshold at
    /// which it jumps. Without a plane it is the origin.
    #[inline(always)]
    pub fn lowest(&self, share: f64) -> DVec3 {
        let [xx, xy, xz, yy, yz, zz] = self.a;
        let s = share * (xx + yy + zz);
        let (xx, yy, zz) = (xx + s, yy + s, zz + s);
        // by cofactors: the matrix is positive definite, its condition at most 1 / share
        let (c0, c1, c2) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
        let determinant = xx * c0 + xy * c1 + xz * c2;
        if determinant <= 0.0 {
            return DVec3::ZERO;
        }
        let (c3, c4, c5) = (xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy);
        let b = self.b;
        DVec3::new(
            c0 * b.x + c1 * b.y + c2 * b.z,
            c1 * b.x + c3 * b.y + c4 * b.z,
            c2 * b.x + c4 * b.y + c5 * b.z,
        ) * (-1.0 / determinant)
    }

    /// The quadric of vertex `v`.
    #[inline(always)]
    pub fn load(memory: ValuesMut<'_, Vertex, Record>, v: VertexId) -> Self {
        let quads = memory.memory().wide::<Quad>();
        Self::of_parts(|i| quads.get(PARTS * v.index() + i))
    }
    /// The quadric at index `i` of an array that no thread writes.
    #[inline(always)]
    pub fn read(memory: In<'_, Record>, i: u32) -> Self {
        let quads = memory.wide::<Quad>();
        Self::of_parts(|k| quads.get(PARTS * i + k))
    }
    #[inline(always)]
    fn of_parts(part: impl Fn(u32) -> Quad) -> Self {
        let two = |i: u32| {
            let Quad([a, b, c, d]) = part(i);
            [f64::from_bits(a as u64 | (b as u64) << 32), f64::from_bits(c as u64 | (d as u64) << 32)]
        };
        let [[a0, a1], [a2, a3], [a4, a5], [x, y], [z, c], [area, drift]] =
            [two(0), two(1), two(2), two(3), two(4), two(5)];
        Self { a: [a0, a1, a2, a3, a4, a5], b: DVec3::new(x, y, z), c, area, drift }
    }
    /// Writes the quadric of vertex `v`.
    #[inline(always)]
    pub fn store(&self, memory: ValuesMut<'_, Vertex, Record>, v: VertexId) {
        self.write(memory.memory(), v.index());
    }
    /// Writes it to index `i` of an array.
    #[inline(always)]
    pub fn write(&self, memory: Out<'_, Record>, i: u32) {
        let quads = memory.wide::<Quad>();
        let put = |k: u32, a: f64, b: f64| {
            let (a, b) = (a.to_bits(), b.to_bits());
            quads.set(PARTS * i + k, Quad([a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]));
        };
        let a = self.a;
        put(0, a[0], a[1]);
        put(1, a[2], a[3]);
        put(2, a[4], a[5]);
        put(3, self.b.x, self.b.y);
        put(4, self.b.z, self.c);
        put(5, self.area, self.drift);
    }
}

/// A vector in double precision.
#[inline(always)]
pub fn wide(p: Vec3) -> DVec3 {
    DVec3::new(p.x as f64, p.y as f64, p.z as f64)
}
/// A vector rounded to single precision.
#[inline(always)]
pub fn narrow(p: DVec3) -> Vec3 {
    Vec3::new(p.x as f32, p.y as f32, p.z as f32)
}
