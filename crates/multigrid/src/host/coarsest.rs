//! The coarsest level: an inverse matrix, or the inverted diagonal.
use super::blocks::Blocks;
use super::error::Result;
use super::numbers::Numbers;
use crate::device::dense::{DenseDiagonal, Eliminate, MultiplyDense, SpreadBlocks};
use ribbonmesh::Buffer;
use ribbonmesh::device::{BufferView, BufferViewMut};

/// The inverse of a dense matrix.
pub struct Coarsest {
    unknowns: u32,
    inverse: Buffer<f64>,
}
impl Coarsest {
    /// Of a matrix of few rows, by Gauss and Jordan's method: a launch for each unknown.
    pub fn new(a: &Blocks<f64>, words: &Buffer<u32>) -> Result<Self> {
        let (device, size) = (a.device(), a.height);
        let unknowns = a.pattern.rows() as u32 * size;
        let all = unknowns * unknowns;
        let (mut from, mut to) = (device.zeros::<f64>(all as usize)?, device.unspecified(all as usize)?);
        let spread = SpreadBlocks {
            size,
            unknowns,
            rows: a.pattern.rows.view(),
            columns: a.pattern.indices.view(),
            values: a.values.view(),
            to: from.view_mut(),
        };
        device.launch_each(a.values.len() as u32, spread)?;
        let mut diagonal = device.unspecified::<f64>(unknowns as usize)?;
        device
            .launch_each(unknowns, DenseDiagonal { unknowns, from: from.view(), to: diagonal.view_mut() })?;
        for pivot in 0..unknowns {
            let eliminate = Eliminate {
                size,
                unknowns,
                pivot,
                words: words.view(),
                diagonal: diagonal.view(),
                from: from.view(),
                to: to.view_mut(),
            };
            device.launch_each(all, eliminate)?;
            std::mem::swap(&mut from, &mut to);
        }
        Ok(Self { unknowns, inverse: from })
    }
    /// y = A⁻¹ x.
    pub fn solve<V: Numbers>(
        &self,
        lanes: u32,
        state: BufferView<'_, f64>,
        x: BufferView<'_, V>,
        y: BufferViewMut<'_, V>,
    ) -> Result<()> {
        let (unknowns, a) = (self.unknowns, self.inverse.view());
        Ok(self.inverse.device().launch(unknowns, MultiplyDense { unknowns, lanes, state, a, x, y })?)
    }
    pub fn bytes(&self) -> usize {
        self.inverse.bytes()
    }
}
