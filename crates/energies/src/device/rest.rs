//! Elements at rest, as the library's energies keep them.
use super::scalar::{Number, cross, dot};
use super::unroll::unroll;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Each, In, Out, kernel};

/// Coordinate `c` of the vector from an element's first vertex to vertex `k`, of `of`.
#[inline(always)]
fn side(corners: In<'_, u32>, x: In<'_, f64>, of: u32, element: u32, k: u32, c: u32) -> f64 {
    x.get(3 * corners.get(of * element + k) + c) - x.get(3 * corners.get(of * element) + c)
}
/// Records the smallest element without a measure.
#[inline(always)]
fn check(element: u32, measure: f64, wrong: Out<'_, u32>) {
    if !(measure > 0.0 && measure.is_finite()) {
        atomic::fetch_min(wrong, 0, element, Relaxed, Device);
    }
}

/// The lengths of edges, as [`Springs`](super::springs::Springs) keeps them. Records in `wrong[0]` the
/// smallest one without length. Elements: edges.
#[kernel(threads = 256)]
pub fn rest_of_springs<'a>(
    edge: Each,
    corners: In<'a, u32>,
    x: In<'a, f64>,
    rest: Out<'a, f64>,
    wrong: Out<'a, u32>,
) {
    let at = |c: u32| side(corners, x, 2, edge, 1, c);
    let own = [at(0), at(1), at(2)];
    let length = Number::root(dot(own, own));
    rest.set(edge, length);
    check(edge, length, wrong);
}

/// Triangles laid into the plane, as [`SymmetricDirichlet`](super::dirichlet::SymmetricDirichlet) keeps them:
/// the first side along the first axis. Records in `wrong[0]` the smallest one without area. Elements:
/// triangles.
#[kernel(threads = 256)]
pub fn rest_of_flat_triangles<'a>(
    triangle: Each,
    corners: In<'a, u32>,
    x: In<'a, f64>,
    rest: Out<'a, f64>,
    wrong: Out<'a, u32>,
) {
    let at = |k: u32| {
        let of = |c: u32| side(corners, x, 3, triangle, k, c);
        [of(0), of(1), of(2)]
    };
    let (u, v) = (at(1), at(2));
    let normal = cross(u, v);
    let (length, double) = (Number::root(dot(u, u)), Number::root(dot(normal, normal)));
    // columns (length, 0) and (along, double / length)
    let along = dot(u, v) / length;
    let numbers = [1.0 / length, -(along / double), 0.0, length / double, 0.5 * double];
    unroll!(k < 5 => { rest.set(5 * triangle + k as u32, numbers[k]); });
    check(triangle, double, wrong);
}

/// Inverse matrices and volumes of tetrahedra, as [`NeoHookean`](super::neo_hooke::NeoHookean) keeps them.
/// Records in `wrong[0]` the smallest one without volume, or with a negative one. Elements: tetrahedra.
#[kernel(threads = 256)]
pub fn rest_of_tetrahedra<'a>(
    cell: Each,
    corners: In<'a, u32>,
    x: In<'a, f64>,
    rest: Out<'a, f64>,
    wrong: Out<'a, u32>,
) {
    let at = |k: u32| {
        let of = |c: u32| side(corners, x, 4, cell, k, c);
        [of(0), of(1), of(2)]
    };
    let (u, v, w) = (at(1), at(2), at(3));
    let rows = [cross(v, w), cross(w, u), cross(u, v)];
    let six = dot(u, rows[0]);
    let by = 1.0 / six;
    unroll!(i < 3 => {
        unroll!(j < 3 => { rest.set(10 * cell + 3 * i as u32 + j as u32, rows[i][j] * by); });
    });
    rest.set(10 * cell + 9, six * (1.0 / 6.0));
    check(cell, six, wrong);
}
