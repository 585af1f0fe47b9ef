//! The system of a mesh without patches, in flat arrays: for meshes with a vertex that has too many faces for
//! a patch.
use crate::smooth::cotangent::Corner;
use crate::smooth::multiply::{Directions, Start};
use crate::smooth::prepare::scale;
use glam::{DVec3, Vec3};
use ribbonmesh::corners::{Corners, FlatMesh, after, before};
use ribbonmesh::device::{Block, Each, In, Out, Parameter, kernel};
use ribbonmesh_linear::{Part, Read, Scalars, Turned, Value};

/// Settings from which the entries are computed.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Entries {
    /// Factor by which positions are multiplied.
    pub unit: f32,
    /// Stiffness of an edge whose cotangents add up to 1; with uniform weights, of every edge.
    pub stiffness: f32,
    /// Factor by which masses are multiplied.
    pub density: f32,
    /// 1 for uniform weights.
    pub uniform: u32,
    /// [`UNIT`], [`BARYCENTRIC`] or [`MIXED`].
    pub mass: u32,
    /// 1 for the preconditioner.
    pub jacobi: u32,
}
/// All masses are the same.
pub const UNIT: u32 = 0;
/// The mass of a vertex is a third of the area of its faces.
#[cfg(not(target_arch = "nvptx64"))]
pub const BARYCENTRIC: u32 = 1;
/// The mass of a vertex is its mixed area.
pub const MIXED: u32 = 2;

/// The corner at `v` between vertices `a` and `b`.
#[inline(always)]
fn corner(x: In<'_, Vec3>, unit: f32, v: u32, a: u32, b: u32) -> Corner {
    let (v, a, b) = (x.get(v) * unit, x.get(a) * unit, x.get(b) * unit);
    let (u, w) = (a - v, b - v);
    Corner::new(u, w, b - a, u.dot(u), w.dot(w))
}

/// A matrix by rows: the entries outside the diagonal, with their sign turned, and the masses.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct FlatMatrix<'a> {
    /// Start of each row, and the end.
    pub starts: In<'a, u32>,
    /// The neighbours.
    pub columns: In<'a, u32>,
    /// The stiffness of the edge to each.
    pub values: In<'a, f32>,
    /// Mass of each vertex.
    pub masses: In<'a, f32>,
    /// Factors on the left and the right of the matrix.
    pub scales: In<'a, f32>,
}

/// Computes the entries, masses and scales of all vertices. The two entries of an edge are added in the same
/// order, so that the matrix is symmetric. `fixed` is empty if no vertex is fixed. Blocks: tiles.
#[kernel(threads = 128)]
pub fn flat_assemble<'a>(
    block: &Block,
    n: u32,
    mesh: FlatMesh<'a>,
    starts: In<'a, u32>,
    sides: In<'a, u32>,
    x: In<'a, Vec3>,
    of: Entries,
    fixed: In<'a, u32>,
    values: Out<'a, f32>,
    masses: Out<'a, f32>,
    scales: Out<'a, f32>,
) {
    let faces = mesh.corners.faces;
    block.for_each_of_tile(n, |v| {
        let (mut k, end) = (starts.get(v), starts.get(v + 1));
        let mut all = 0.0_f64;
        while k < end {
            let mut value = of.stiffness;
            if of.uniform == 0 {
                let mut cotangents = 0.0;
                mesh.sides_of(sides.get(k), |side| {
                    let vertex = |corner: u32| faces.get(corner);
                    let (p, q, opposite) = (vertex(side), vertex(after(side)), vertex(before(side)));
                    cotangents += corner(x, of.unit, p, q, opposite).at_b;
                });
                value *= cotangents;
            }
            values.set(k, value);
            all += value as f64;
            k += 1;
        }
        let mut mass = of.density;
        if of.mass != UNIT {
            let mut area = 0.0_f64;
            for (a, b) in mesh.corners.of(v).all() {
                let corner = corner(x, of.unit, v, a, b);
                let part = if of.mass == MIXED { corner.mixed_area() } else { corner.barycentric_area() };
                area += part as f64;
            }
            mass *= area as f32;
        }
        masses.set(v, mass);
        scales.set(v, scale(fixed, of.jacobi, v, (mass as f64 + all) as f32));
    });
}

/// The first place of each row where rows have their diagonal, too, and the end. Elements: rows and the end.
#[kernel(threads = 256)]
pub fn starts_with_diagonal<'a>(v: Each, starts: In<'a, u32>, to: Out<'a, u32>) {
    to.set(v, starts.get(v) + v);
}
/// S (M + k L) S by rows whose columns ascend, with a row of the unit matrix where a scale is 0. `starts` has
/// the first place of each row. Elements: places.
#[kernel(threads = 256)]
pub fn scaled_rows<'a>(
    place: Each,
    n: u32,
    matrix: FlatMatrix<'a>,
    starts: In<'a, u32>,
    columns: Out<'a, u32>,
    values: Out<'a, f64>,
) {
    let (mut v, mut above) = (0, n);
    while v + 1 < above {
        let middle = v + (above - v) / 2;
        if starts.get(middle) <= place {
            v = middle;
        } else {
            above = middle;
        }
    }
    let (first, end) = (matrix.starts.get(v), matrix.starts.get(v + 1));
    let own = first + (place - starts.get(v));
    // the place after the neighbours is that of the diagonal
    let column = if own < end { matrix.columns.get(own) } else { v };
    let (mut k, mut rank, mut all) = (first, (v < column) as u32, 0.0_f64);
    while k < end {
        rank += (matrix.columns.get(k) < column) as u32;
        all += matrix.values.get(k) as f64;
        k += 1;
    }
    let scale = matrix.scales.get(v) as f64;
    let value = if own < end {
        -scale * matrix.scales.get(column) as f64 * matrix.values.get(own) as f64
    } else if scale == 0.0 {
        1.0
    } else {
        scale * scale * (matrix.masses.get(v) as f64 + all)
    };
    columns.set(starts.get(v) + rank, column);
    values.set(starts.get(v) + rank, value);
}

/// A vector in double precision, for sums: a row may have very many entries.
#[inline(always)]
pub(crate) fn wide(v: Vec3) -> DVec3 {
    DVec3::new(v.x as f64, v.y as f64, v.z as f64)
}

/// Computes r = -S k L x, the residual of the displacement 0. Blocks: tiles.
#[kernel(threads = 128)]
pub fn flat_start<'a>(
    block: &Block,
    n: u32,
    scalars: Scalars<'a>,
    mesh: FlatMesh<'a>,
    matrix: FlatMatrix<'a>,
    of: Entries,
    to: Start<'a>,
) {
    let x = to.x;
    let part = Part::of_tile(block, n).sum(block, |v| {
        let mut sum = DVec3::ZERO;
        if of.uniform != 0 {
            let (mut k, end) = (matrix.starts.get(v), matrix.starts.get(v + 1));
            while k < end {
                let way = x.get(v) * to.unit - x.get(matrix.columns.get(k)) * to.unit;
                sum += wide(way * matrix.values.get(k));
                k += 1;
            }
        } else {
            // the gradient of the area, face by face: nothing cancels, however flat a face is
            for (a, b) in mesh.corners.of(v).all() {
                let side = x.get(b) * to.unit - x.get(a) * to.unit;
                sum += wide(corner(x, to.unit, v, a, b).normal.cross(side));
            }
            sum *= of.stiffness as f64;
        }
        let r = sum.as_vec3() * -matrix.scales.get(v);
        to.r.set(v, r);
        to.d.set(v, Vec3::ZERO);
        to.last.set(v, Vec3::ZERO);
        Value::dot(r, r)
    });
    scalars.begin(block, part);
}

/// Rows of a block of a product.
pub const ROWS: u32 = 256;

/// Computes p = r + β p; q = S (M + k L) S p; α from p · q. Blocks: one for [`ROWS`] rows.
#[kernel(threads = 256)]
pub fn flat_multiply<'a>(
    block: &Block,
    n: u32,
    scalars: Scalars<'a>,
    matrix: FlatMatrix<'a>,
    to: Directions<'a>,
) {
    if scalars.done() {
        return;
    }
    let direction = Turned { z: to.r, last: to.last, beta: scalars.beta::<f32>() };
    let part = Part::of(block, n, ROWS).sum(block, |v| {
        let (p, scale) = (direction.get(v), matrix.scales.get(v));
        let z = p * scale;
        let mut sum = wide(z * matrix.masses.get(v));
        let (mut k, end) = (matrix.starts.get(v), matrix.starts.get(v + 1));
        while k < end {
            let u = matrix.columns.get(k);
            sum += wide((z - direction.get(u) * matrix.scales.get(u)) * matrix.values.get(k));
            k += 1;
        }
        let q = sum.as_vec3() * scale;
        to.p.set(v, p);
        to.q.set(v, q);
        Value::dot(p, q)
    });
    scalars.step::<f32>(block, part);
}

/// Sums, for each tile of `n` faces, six times the volume between them and `origin`. Blocks: tiles.
#[kernel(threads = 128)]
pub fn flat_volumes<'a>(
    block: &Block,
    n: u32,
    faces: In<'a, u32>,
    x: In<'a, Vec3>,
    origin: Vec3,
    sums: Out<'a, f64>,
) {
    let at = |corner: u32| {
        let x = x.get(faces.get(corner));
        [x.x as f64 - origin.x as f64, x.y as f64 - origin.y as f64, x.z as f64 - origin.z as f64]
    };
    let volume = |face: u32| {
        let c = 3 * face;
        let (a, b, c) = (at(c), at(c + 1), at(c + 2));
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    let sum: f64 = Part::of_tile(block, n).sum(block, volume);
    block.single_nosync(|| sums.set(block.index(), sum));
}
