//! From coarser unknowns to finer ones.
use super::aggregates::Aggregates;
use super::blocks::Blocks;
use super::error::{MultigridError, Result};
use crate::device::prolong::{Orthonormalize, SmoothColumns};
use crate::device::rows::ROWS;
use ribbonmesh::{Buffer, array};

/// Estimates of the greatest eigenvalue are from below.
pub const SAFE: f64 = 1.1;

/// Each aggregate's unknowns are the modes on its nodes, made orthonormal; with the modes as the coarser
/// level has them. `modes` has `height` rows of `width` numbers for each node.
pub fn tentative(
    of: &Aggregates,
    [height, width]: [usize; 2],
    modes: &Buffer<f64>,
) -> Result<(Blocks<f64>, Buffer<f64>)> {
    let device = modes.device();
    let groups = array::group_by(&of.of, of.count as u32 + 1)?;
    let mut q = device.unspecified::<f64>(of.members.len() * height * width)?;
    let mut r = device.unspecified::<f64>(of.count * width * width)?;
    let n = of.count as u32;
    let kernel = Orthonormalize {
        n,
        groups: groups.view(),
        places: of.members.starts.view(),
        modes: modes.view(),
        q: q.view_mut(),
        r: r.view_mut(),
    };
    let blocks = n.div_ceil(ROWS);
    match [height, width] {
        [1, 1] => device.launch(blocks, kernel.of::<1, 1>())?,
        [3, 6] => device.launch(blocks, kernel.of::<3, 6>())?,
        [6, 6] => device.launch(blocks, kernel.of::<6, 6>())?,
        _ => return Err(size(height, width)),
    }
    Ok((Blocks::of_pattern(of.members.clone(), [height, width], q)?, r))
}
fn size(height: usize, width: usize) -> MultigridError {
    let expected = "1 x 1, 3 x 6 and 6 x 6";
    MultigridError::Size { what: "modes of a node", height, width, expected }
}

/// P = (1 - ω D⁻¹ A) P₀ with ω = 4/3 by the greatest eigenvalue, from A P₀: a step of damped Jacobi on the
/// columns, which makes neighbours overlap.
pub fn smooth(
    product: &mut Blocks<f64>,
    first: &Blocks<f64>,
    of: &Aggregates,
    inverse: &Buffer<f32>,
    greatest: f64,
) -> Result<()> {
    let n = product.pattern.len() as u32 * product.width;
    let kernel = SmoothColumns {
        n,
        omega: 4.0 / 3.0 / (SAFE * greatest),
        rows: product.pattern.rows.view(),
        columns: product.pattern.indices.view(),
        inverse: inverse.view(),
        of: of.of.view(),
        firsts: first.pattern.starts.view(),
        first: first.values.view(),
        values: product.values.view_mut(),
    };
    let (device, blocks, [height, width]) = (inverse.device(), n.div_ceil(ROWS), first.shape());
    match [height, width] {
        [1, 1] => device.launch(blocks, kernel.of::<1, 1>())?,
        [3, 6] => device.launch(blocks, kernel.of::<3, 6>())?,
        [6, 6] => device.launch(blocks, kernel.of::<6, 6>())?,
        _ => return Err(size(height, width)),
    }
    Ok(())
}
