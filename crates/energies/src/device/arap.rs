//! Deformation as rigid as possible: the energy of triangles with given rotations of their vertices, and the
//! rotations that fit best.
use super::energy::Energy;
use super::project::diagonalize;
use super::scalar::{Number, Scalar, cross, dot};
use super::shape::Triangle;
use super::unroll::unroll;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, Parameter, kernel};

/// As-rigid-as-possible energy of a surface (Sorkine and Alexa, *As-Rigid-As-Possible Surface Modeling*,
/// 2007) over spokes and rims (Chao, Pinkall, Sanan and Schröder, *A Simple Geometric Model for Elastic
/// Deformation*, 2010), with the rotation of each vertex given: for each corner of a triangle half of the
/// integral of |F - R|² over a third of the triangle, where R is the rotation of the corner's vertex.
///
/// The rotations are those that fit best where the gradient is wanted; then it is also the gradient of the
/// energy in which they follow the positions.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Arap<'a> {
    /// Three vertices of each triangle.
    pub corners: In<'a, u32>,
    /// Nine numbers for each triangle: its vectors from the first vertex to the others at rest, and the
    /// cotangents of the angles at its vertices.
    pub rest: In<'a, f64>,
    /// Nine numbers for each vertex: a rotation, row by row.
    pub rotations: In<'a, f64>,
}
/// A triangle at rest: its sides, each after the vertex that it faces, with the cotangents of the angles
/// there.
#[inline(always)]
fn sides(rest: In<'_, f64>, triangle: u32) -> ([[f64; 3]; 3], [f64; 3]) {
    let at = |k: u32| rest.get(9 * triangle + k);
    let (u, v) = ([at(0), at(1), at(2)], [at(3), at(4), at(5)]);
    ([[v[0] - u[0], v[1] - u[1], v[2] - u[2]], v, u], [at(6), at(7), at(8)])
}
impl Energy for Arap<'_> {
    type Shape = Triangle;
    type Real = f64;
    #[inline(always)]
    fn energy<S: Scalar<Real = f64>>(&self, element: u32, [u, v]: [[S; 3]; 2]) -> S {
        let (rest, cotangents) = sides(self.rest, element);
        // |R s| is |s|, so that the mean of the rotations is all that counts
        let [a, b, c] = [0, 1, 2].map(|k| 9 * self.corners.get(3 * element + k));
        let mean = |k: u32| {
            (self.rotations.get(a + k) + self.rotations.get(b + k) + self.rotations.get(c + k)) * (1.0 / 3.0)
        };
        let turned = |s: [f64; 3]| {
            let row = |k: u32| mean(3 * k) * s[0] + mean(3 * k + 1) * s[1] + mean(3 * k + 2) * s[2];
            [row(0), row(1), row(2)]
        };
        let part = |side: [S; 3], k: usize| {
            let goal = turned(rest[k]);
            let along = side[0].times(goal[0]) + side[1].times(goal[1]) + side[2].times(goal[2]);
            let square = dot(side, side) - along.times(2.0);
            square.plus(dot(rest[k], rest[k])).times(0.25 * cotangents[k])
        };
        part([v[0] - u[0], v[1] - u[1], v[2] - u[2]], 0) + part(v, 1) + part(u, 2)
    }
}
crate::energy_kernels! {
    /// Kernels of [`Arap`].
    pub mod arap: Arap<'a>, ArapArguments<'a>;
}

/// Numbers of triangles at rest, which [`Arap`] keeps. Records in `wrong[0]` the smallest one without area.
/// Elements: triangles.
#[kernel(threads = 256)]
pub fn rest_of_triangles<'a>(
    triangle: Each,
    corners: In<'a, u32>,
    x: In<'a, f64>,
    rest: Out<'a, f64>,
    wrong: Out<'a, u32>,
) {
    let at = |k: u32, c: u32| x.get(3 * corners.get(3 * triangle + k) + c);
    let side = |k: u32| [at(k, 0) - at(0, 0), at(k, 1) - at(0, 1), at(k, 2) - at(0, 2)];
    let (u, v) = (side(1), side(2));
    let w = [v[0] - u[0], v[1] - u[1], v[2] - u[2]];
    let normal = cross(u, v);
    let by = 1.0 / Number::root(dot(normal, normal));
    let cotangents = [dot(u, v) * by, -(dot(u, w) * by), dot(v, w) * by];
    unroll!(k < 3 => {
        rest.set(9 * triangle + k as u32, u[k]);
        rest.set(9 * triangle + 3 + k as u32, v[k]);
        rest.set(9 * triangle + 6 + k as u32, cotangents[k]);
    });
    if !cotangents.iter().all(|c| c.is_finite()) {
        atomic::fetch_min(wrong, 0, triangle, Relaxed, Device);
    }
}

/// The rotation of each vertex that fits best to the sides of its triangles: the one that maximizes the sum
/// of w s' · R s, by the quaternion of the greatest eigenvalue (Horn, *Closed-form solution of absolute
/// orientation using unit quaternions*, 1987). Never a reflection. Elements: vertices.
#[kernel(threads = 128)]
pub fn fit_rotations<'a>(
    vertex: Each,
    groups: GroupsView<'a>,
    corners: In<'a, u32>,
    rest: In<'a, f64>,
    x: In<'a, f64>,
    to: Out<'a, f64>,
) {
    let mut m = [[0.0; 3]; 3];
    groups.of(vertex, |corner| {
        let triangle = corner / 3;
        let (before, cotangents) = sides(rest, triangle);
        let at = |k: u32, c: u32| x.get(3 * corners.get(3 * triangle + k) + c);
        let side = |a: u32, b: u32| [at(b, 0) - at(a, 0), at(b, 1) - at(a, 1), at(b, 2) - at(a, 2)];
        let after = [side(1, 2), side(0, 2), side(0, 1)];
        unroll!(k < 3 => {
            unroll!(i < 3 => {
                unroll!(j < 3 => { m[i][j] += cotangents[k] * before[k][i] * after[k][j]; });
            });
        });
    });
    let rotation = rotation_of(m);
    unroll!(i < 3 => {
        unroll!(j < 3 => { to.set(9 * vertex + 3 * i as u32 + j as u32, rotation[i][j]); });
    });
}
/// The rotation R with the greatest trace of R M.
#[inline(always)]
fn rotation_of(m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = m;
    let mut a = [
        xx + yy + zz,
        yz - zy,
        xx - yy - zz,
        zx - xz,
        xy + yx,
        yy - xx - zz,
        xy - yx,
        zx + xz,
        yz + zy,
        zz - xx - yy,
    ];
    let vectors = diagonalize::<f64, 4, 10>(&mut a);
    let values = [a[0], a[2], a[5], a[9]];
    let column = |k: usize| (values[k], [vectors[0][k], vectors[1][k], vectors[2][k], vectors[3][k]]);
    let greater = |a: (f64, [f64; 4]), b: (f64, [f64; 4])| if b.0 > a.0 { b } else { a };
    let (_, best) = greater(greater(column(0), column(1)), greater(column(2), column(3)));
    let [w, x, y, z] = best;
    let by = 2.0 / dot(best, best);
    [
        [1.0 - by * (y * y + z * z), by * (x * y - w * z), by * (x * z + w * y)],
        [by * (x * y + w * z), 1.0 - by * (x * x + z * z), by * (y * z - w * x)],
        [by * (x * z - w * y), by * (y * z + w * x), 1.0 - by * (x * x + y * y)],
    ]
}
