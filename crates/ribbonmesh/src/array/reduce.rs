//! Reductions to one value.
use super::kernels::extreme::Extreme;
use super::kernels::finish::Finish;
use super::kernels::number::Number;
use super::kernels::sum::{Dot, Sum};
use super::{DeviceScalar, checks};
use crate::attribute::from_components;
use crate::device::{NONE, tiles};
use crate::{Buffer, Device, Error, Extremum, Result, Scalar, Value};
use ribbonmesh_device::BufferView;

/// The sum of all values: in `f64` for floats, in wrapping `u64` or `i64` for integers. 0 without values; NaN
/// if any value is NaN. One pass over memory; waits. The order of additions depends only on the number of
/// values, so the result has the same bits in every run and on every machine.
/// # Errors
/// [`Error::TooMany`] beyond 2³² components; out of memory; errors of earlier kernels or of the driver.
pub fn sum<T: Value>(values: &Buffer<T>) -> Result<T::Sum> {
    let mut total = DeviceScalar::unspecified(values.device())?;
    sum_into(values, &mut total)?;
    total.read()
}
/// As [`sum`], with the same bits, into device memory. Does not wait.
/// # Errors
/// [`Error::OtherDevice`]; as [`sum`].
pub fn sum_into<T: Value>(values: &Buffer<T>, to: &mut DeviceScalar<T::Sum>) -> Result<()> {
    scalars(values)?;
    let (device, n, width) = (values.device(), values.len() as u32, T::WIDTH as u32);
    checks::same_device(device, "the scalar", to.buffer())?;
    let parts = tiles(n) as usize * T::WIDTH;
    let mut sums = device.unspecified::<<T::Scalar as Number>::Total>(parts)?;
    let x = values.view().wide::<T::Scalar>();
    device.launch(tiles(n), Sum { n, width, x, sums: sums.view_mut() })?;
    // two's complement: sums of signed numbers have the same bits
    let x = sums.view().wide::<<T::Scalar as Number>::Bits>();
    device.launch(1, Finish { n: tiles(n), width, x, to: to.view_mut().wide() })
}
/// The scalar product of two arrays with this many components on the same device.
pub(crate) fn dot_rows<S: Scalar>(
    device: &Device,
    n: u32,
    x: BufferView<'_, S>,
    y: BufferView<'_, S>,
    to: &mut DeviceScalar<f64>,
) -> Result<()> {
    checks::same_device(device, "the scalar", to.buffer())?;
    let mut sums = device.unspecified::<f64>(tiles(n) as usize)?;
    device.launch(tiles(n), Dot { n, x, y, sums: sums.view_mut() })?;
    device.launch(1, Finish { n: tiles(n), width: 1, x: sums.view(), to: to.view_mut() })
}
/// The smallest value of each component, ignoring NaN; `None` if some component has no value other than NaN,
/// or if there are no values. One pass over memory; waits.
/// # Errors
/// As [`sum`].
pub fn min<T: Value>(values: &Buffer<T>) -> Result<Option<T>> {
    Ok(value(extreme(values, false)?))
}
/// The largest value of each component, as [`min`].
/// # Errors
/// As [`sum`].
pub fn max<T: Value>(values: &Buffer<T>) -> Result<Option<T>> {
    Ok(value(extreme(values, true)?))
}
fn value<T: Value>(found: Vec<Option<Extremum<T::Scalar>>>) -> Option<T> {
    let components: Option<Vec<T::Scalar>> = found.into_iter().map(|found| Some(found?.value)).collect();
    components.map(|components| from_components(&components))
}
/// For each component the extreme value and the smallest place that has it.
pub(crate) fn extreme<T: Value>(
    values: &Buffer<T>,
    greatest: bool,
) -> Result<Vec<Option<Extremum<T::Scalar>>>> {
    scalars(values)?;
    let (device, n, width) = (values.device(), values.len() as u32, T::WIDTH);
    let parts = tiles(n) as usize * width;
    let (mut best_values, mut places) =
        (device.unspecified::<T::Scalar>(parts)?, device.unspecified::<u32>(parts)?);
    let x = values.view().wide::<T::Scalar>();
    let (values, elements) = (best_values.view_mut(), places.view_mut());
    let kernel = Extreme { greatest: greatest as u32, n, width: width as u32, x, values, elements };
    device.launch(tiles(n), kernel)?;
    let (best_values, places) = (best_values.read()?, places.read()?);
    let mut best: Vec<Option<Extremum<T::Scalar>>> = vec![None; width];
    for (part, (value, id)) in best_values.into_iter().zip(places).enumerate() {
        // places ascend with the tiles: of equal values the first stays
        let best = &mut best[part % width];
        let better = best.is_none_or(|b| if greatest { value > b.value } else { value < b.value });
        if id != NONE && better {
            *best = Some(Extremum { id, value });
        }
    }
    Ok(best)
}
/// The number of components, if 32 bits can count them.
pub(crate) fn scalars<T: Value>(values: &Buffer<T>) -> Result<u32> {
    let (count, limit) = (values.len() as u64 * T::WIDTH as u64, u64::from(u32::MAX));
    u32::try_from(count).map_err(|_| Error::TooMany { what: "components of an array", count, limit })
}
