//! Kernels for values of cells other than matrices: quality, loads, and gradients of a field.
use super::bernstein::{at_centroid, lowered, powers};
use super::hexahedra::Trilinear;
use super::matrix::for_each_row;
use super::real::{cross, difference, dot};
use super::space::{Hexahedron, Shape, SpaceView, Tetrahedron, Triangle};
use super::tetrahedra::Metric;
use super::triangles::{length, normal};
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// Records in `wrong[0]` the smallest cell whose map from the unit element turns it inside out or flattens
/// it: a tetrahedron whose volume is not positive, a hexahedron whose derivative is not positive at a corner
/// or a Gauss point, a triangle without area. Blocks: tiles.
#[kernel(threads = 128)]
pub fn check_cells<'a>(cell: Each, corners: u32, space: SpaceView<'a>, x: In<'a, Vec3>, wrong: Out<'a, u32>) {
    let at = |k: u32| x.get(space.corners.get(corners * cell + k) as u32);
    let fine = if corners == 4 {
        Metric::<f64>::new(at).volume > 0.0
    } else if corners == 3 {
        length(normal::<f64>(at)) > 0.0
    } else {
        let map = Trilinear::<f64>::new(at);
        let (mut fine, mut k) = (true, 0);
        while k < 8 {
            let [a, b, c] = [k & 1, k >> 1 & 1, k >> 2].map(|bit| bit as f64);
            fine &= map.at_gauss(k).determinant > 0.0 && map.jacobian([a, b, c]).determinant > 0.0;
            k += 1;
        }
        fine
    };
    if !fine {
        atomic::fetch_min(wrong, 0, cell, Relaxed, Device);
    }
}

/// The integral of each node's function by a number for each cell, row by row: the factor of a force per
/// volume. Without numbers, the number is 1. Blocks: rows.
#[inline(always)]
pub fn integrals<S: Shape>(
    block: &Block,
    space: &SpaceView<'_>,
    x: In<'_, Vec3>,
    weights: In<'_, f64>,
    to: Out<'_, f64>,
) {
    for_each_row(block, space.nodes, |row| {
        let mut sum = 0.0;
        S::cells(space, row, |cell, i| {
            let at = |k: u32| x.get(space.corners.get(S::CORNERS * cell + k) as u32);
            let weight = weights.try_get(cell).unwrap_or(1.0);
            sum += weight
                * if S::CORNERS == 4 {
                    // all Bernstein polynomials of an order have the same integral
                    Metric::<f64>::new(at).volume / S::NODES as f64
                } else if S::CORNERS == 3 {
                    length(normal::<f64>(at)) / 6.0
                } else {
                    Trilinear::<f64>::new(at).integral(i)
                };
        });
        to.set(row, sum);
    });
}
/// The gradient of a field with `size` numbers a node in the middle of each cell: three numbers for each.
/// `of_cell` returns a function that adds the part of node `k` with a value to a gradient. Blocks: rows of
/// cells.
#[inline(always)]
fn gradients<S: Shape, F: Fn(&mut [f64; 3], u32, f64)>(
    block: &Block,
    cells: u32,
    size: u32,
    space: &SpaceView<'_>,
    field: In<'_, f64>,
    to: Out<'_, f64>,
    of_cell: impl Fn(u32) -> F,
) {
    for_each_row(block, cells, |cell| {
        let add = of_cell(cell);
        let mut component = 0;
        while component < size {
            let (mut sum, mut k) = ([0.0; 3], 0);
            while k < S::NODES {
                add(&mut sum, k, field.get(size * S::node(space, cell, k) + component));
                k += 1;
            }
            let first = 3 * (size * cell + component);
            to.set(first, sum[0]);
            to.set(first + 1, sum[1]);
            to.set(first + 2, sum[2]);
            component += 1;
        }
    });
}
#[inline(always)]
fn add_scaled(sum: &mut [f64; 3], w: f64, g: [f64; 3]) {
    *sum = [sum[0] + w * g[0], sum[1] + w * g[1], sum[2] + w * g[2]];
}
#[inline(always)]
fn tet_gradients<const P: u32>(
    block: &Block,
    cells: u32,
    size: u32,
    space: &SpaceView<'_>,
    x: In<'_, Vec3>,
    field: In<'_, f64>,
    to: Out<'_, f64>,
) {
    gradients::<Tetrahedron<P>, _>(block, cells, size, space, field, to, |cell| {
        let metric = Metric::<f64>::new(|k| x.get(space.corners.get(4 * cell + k) as u32));
        move |sum: &mut [f64; 3], k: u32, value: f64| {
            let mut vertex = 0;
            while vertex < 4 {
                if let Some(gamma) = lowered(powers::<P>(k), vertex) {
                    add_scaled(sum, P as f64 * at_centroid(P - 1, gamma) * value, metric.gradient(vertex));
                }
                vertex += 1;
            }
        }
    });
}
#[inline(always)]
fn hex_gradients(
    block: &Block,
    cells: u32,
    size: u32,
    space: &SpaceView<'_>,
    x: In<'_, Vec3>,
    field: In<'_, f64>,
    to: Out<'_, f64>,
) {
    gradients::<Hexahedron, _>(block, cells, size, space, field, to, |cell| {
        let map = Trilinear::<f64>::new(|k| x.get(space.corners.get(8 * cell + k) as u32));
        let jacobian = map.jacobian([0.5; 3]);
        move |sum: &mut [f64; 3], k: u32, value: f64| {
            add_scaled(sum, value / jacobian.determinant, jacobian.gradient(k));
        }
    });
}
/// Gradients in the planes of triangles: a function's is its value times the normal by the edge that it
/// faces, by twice the area.
#[inline(always)]
fn tri_gradients(
    block: &Block,
    cells: u32,
    size: u32,
    space: &SpaceView<'_>,
    x: In<'_, Vec3>,
    field: In<'_, f64>,
    to: Out<'_, f64>,
) {
    gradients::<Triangle, _>(block, cells, size, space, field, to, |cell| {
        let at = move |k: u32| x.get(space.corners.get(3 * cell + k) as u32);
        let n = normal::<f64>(at);
        let by = 1.0 / dot(n, n);
        move |sum: &mut [f64; 3], k: u32, value: f64| {
            let edge = difference::<f64>(at((k + 2) % 3), at((k + 1) % 3));
            add_scaled(sum, by * value, cross(n, edge));
        }
    });
}

macro_rules! field_kernels { ($($name:ident: $shape:ty, $gradients:expr;)*) => { $(
    /// Integrals and gradients of a kind of cells.
    pub mod $name {
        use super::*;
        /// Integrals of functions. Blocks: rows.
        #[kernel(threads = 128, prefix = $name)]
        pub fn node_integrals<'a>(
            block: &Block,
            space: SpaceView<'a>,
            x: In<'a, Vec3>,
            weights: In<'a, f64>,
            to: Out<'a, f64>,
        ) {
            integrals::<$shape>(block, &space, x, weights, to);
        }
        /// Gradients at centroids. Blocks: rows of cells.
        #[kernel(threads = 128, prefix = $name)]
        pub fn gradients<'a>(
            block: &Block,
            cells: u32,
            size: u32,
            space: SpaceView<'a>,
            x: In<'a, Vec3>,
            field: In<'a, f64>,
            to: Out<'a, f64>,
        ) {
            $gradients(block, cells, size, &space, x, field, to);
        }
    }
)* } }
field_kernels! {
    tet1_field: Tetrahedron<1>, tet_gradients::<1>;
    tet2_field: Tetrahedron<2>, tet_gradients::<2>;
    tet3_field: Tetrahedron<3>, tet_gradients::<3>;
    hex_field: Hexahedron, hex_gradients;
    tri_field: Triangle, tri_gradients;
}
