//! Laplacian smoothing.
use super::tcsr::TcsrView;
use glam::Vec3;
use ribbonmesh::device::{Each, In, Out, kernel};

/// One step: each vertex that is not fixed moves to the mean of its neighbours. Blocks: tiles.
#[kernel(threads = 128)]
pub fn smooth_step<'a>(
    vertex: Each,
    ve: TcsrView<'a>,
    ev: TcsrView<'a>,
    fixed: In<'a, u32>,
    x: In<'a, Vec3>,
    to: Out<'a, Vec3>,
) {
    let neighbours = ve.row_len(vertex);
    if fixed.get(vertex) != 0 || neighbours == 0 {
        return to.set(vertex, x.get(vertex));
    }
    let mut sum = Vec3::ZERO;
    ve.of(vertex, |edge, sign| sum += x.get(ev.column(2 * edge + (sign < 0) as u32)));
    to.set(vertex, sum / neighbours as f32);
}
