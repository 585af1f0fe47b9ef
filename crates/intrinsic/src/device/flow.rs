//! Kernels of fields of unit vectors.
use super::half_edges::HalfEdges;
use super::number::{greater, times};
use super::rows::Stars;
use super::triangle::area;
use ribbonmesh::device::{Each, In, Out, kernel};

/// The flow along each half-edge of the field of unit vectors against the slope of a positive function, whose
/// logarithms are given; 0 where it has no slope.
#[kernel(threads = 256, requires(
    mesh.twin.len() >= count as usize && mesh.length.len() == mesh.twin.len(),
    cotangents.len() == mesh.twin.len(),
    flows.len() >= count as usize,
))]
pub fn flow_of_directions<'a>(
    h: Each,
    mesh: HalfEdges<'a>,
    cotangents: In<'a, f64>,
    logarithms: In<'a, f64>,
    flows: Out<'a, f64>,
) {
    let around = mesh.around(h);
    let [a, b, c] = mesh.lengths(around);
    let values = around.map(|h| logarithms.get(mesh.origin.get(h)));
    let most = greater(values[0], greater(values[1], values[2]));
    // as parts of the greatest one
    let [u, v, w] = values.map(|value| libm::exp(value - most));
    // the first vertex at the origin, the second at `a` on the x axis, the third at x and y
    let x = (times(a - b, a + b) + times(c, c)) / (2.0 * a);
    let y = 2.0 * area(a, b, c) / a;
    // twice the area times the slope: along x, and along y
    let (along, up) = (times(y, v - u), times(a, w - u) - times(x, v - u));
    let size = libm::sqrt(times(along, along) + times(up, up));
    let flow = 0.5 * times(cotangents.get(h), times(a, along / size));
    flows.set(h, if flow.is_finite() { flow } else { 0.0 });
}

/// The integral of the divergence of a field at each vertex, weighted by the function that is 1 there: what
/// flows along the half-edges that begin there.
#[kernel(threads = 256, requires(
    stars.starts.len() > count as usize,
    flows.len() == stars.twin.len() && next.len() == stars.twin.len(),
    out.len() >= count as usize,
))]
pub fn diverge<'a>(
    v: Each,
    share: f64,
    stars: Stars<'a>,
    next: In<'a, u32>,
    flows: In<'a, f64>,
    out: Out<'a, f64>,
) {
    let mut sum = 0.0;
    stars.of(v, |h, _| {
        let before = next.get(next.get(h));
        sum += flows.get(h) - flows.get(before);
    });
    out.set(v, share * sum);
}
