//! Bounding boxes.
use super::Attribute;
use crate::array::kernels::ordered::from_ordered;
use crate::kernels::attribute::bounds::{self, GREATEST, NOT_FINITE, SMALLEST};
use crate::{Buffer, Result};
use glam::Vec3;
use ribbonmesh_device::{Element, tiles};
use ribbonmesh_mesh::BoundingBox;

impl<E: Element> Attribute<E, Vec3> {
    /// The bounding box of all finite points (`None` without finite points), and the smallest id of an
    /// element whose point is not finite. One pass over memory, on the device; waits.
    /// # Errors
    /// Out of memory; errors of earlier kernels or of the driver.
    pub fn bounds(&self) -> Result<(Option<BoundingBox>, Option<u32>)> {
        bounds_of(self.buffer())
    }
}

/// As [`Attribute::bounds`], by places in a buffer.
pub(crate) fn bounds_of(points: &Buffer<Vec3>) -> Result<(Option<BoundingBox>, Option<u32>)> {
    let mut found = points.device().zeros::<u32>(bounds::WORDS)?;
    let n = points.len() as u32;
    let kernel = bounds::Bounds { n, points: points.view(), found: found.view_mut() };
    points.device().launch(tiles(n), kernel)?;
    let found = found.read()?;
    let at = |i: u32| found[i as usize];
    let corner = |first: u32, flip: u32| {
        Vec3::from_array([0, 1, 2].map(|axis| from_ordered(at(first + axis) ^ flip))).as_dvec3()
    };
    let around = (at(GREATEST) != 0)
        .then(|| BoundingBox { low: corner(SMALLEST, u32::MAX), high: corner(GREATEST, 0) });
    Ok((around, (at(NOT_FINITE) != 0).then_some(!at(NOT_FINITE))))
}
