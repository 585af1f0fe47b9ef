//! The blocks of the diagonal.
use super::blocks::Blocks;
use super::error::{MultigridError, Result};
use crate::device::diagonal::{FindDiagonal, InvertDiagonal};
use crate::device::rows::ROWS;
use ribbonmesh::Buffer;
use ribbonmesh::device::NONE;

/// The places of the blocks of the diagonal. Waits.
pub fn places(a: &Blocks<f64>) -> Result<Buffer<u32>> {
    let (device, rows) = (a.device(), a.pattern.rows());
    let (mut to, mut wrong) = (device.unspecified(rows)?, device.upload(&[NONE])?);
    let kernel = FindDiagonal { rows: a.pattern.view(), to: to.view_mut(), wrong: wrong.view_mut() };
    device.launch_each(rows as u32, kernel)?;
    found(&wrong)?;
    Ok(to)
}
/// An error for the node that a kernel has recorded. Waits.
pub fn found(wrong: &Buffer<u32>) -> Result<()> {
    match wrong.read()?[0] {
        NONE => Ok(()),
        node => Err(MultigridError::NotPositive { node: node as usize }),
    }
}
/// The inverted blocks of the diagonal, with zeros where unknowns are fixed. On coarser levels unknowns that
/// no function of the finer level has become fixed. Waits on the finest level.
pub fn inverse(
    a: &mut Blocks<f64>,
    diagonal: &Buffer<u32>,
    words: &mut Buffer<u32>,
    finest: bool,
) -> Result<Buffer<f32>> {
    let (device, n, size) = (words.device().clone(), words.len() as u32, a.height);
    let mut inverse = device.unspecified::<f32>(n as usize * (size * size) as usize)?;
    let mut wrong = device.upload(&[NONE])?;
    let kernel = InvertDiagonal {
        n,
        lenient: (!finest).into(),
        diagonal: diagonal.view(),
        values: a.values.view_mut(),
        words: words.view_mut(),
        inverse: inverse.view_mut(),
        wrong: wrong.view_mut(),
    };
    let blocks = n.div_ceil(ROWS);
    match size {
        1 => device.launch(blocks, kernel.of::<1>())?,
        3 => device.launch(blocks, kernel.of::<3>())?,
        6 => device.launch(blocks, kernel.of::<6>())?,
        _ => {
            let (height, width, expected) = (size as usize, size as usize, "1 x 1, 3 x 3 and 6 x 6");
            return Err(MultigridError::Size { what: "a matrix of blocks", height, width, expected });
        }
    }
    if finest {
        found(&wrong)?;
    }
    Ok(inverse)
}
