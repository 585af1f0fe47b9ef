//! Colours in sRGB and in linear light, as fractions and bytes.

use std::borrow::Cow;

use ribbonmesh_mesh::{ColourSpace, Column, Element, Role, Scalar, Scalars};

use crate::losses::Losses;

/// Whether channels that ought to be fractions are numbers from 0 to 255: one is above 1, all are in that
/// range, and they are whole or well above 1.
pub(crate) fn are_bytes(channels: &[f32]) -> bool {
    let (mut largest, mut whole) = (0.0_f32, true);
    for &value in channels {
        if !(0.0..=255.0).contains(&value) {
            return false;
        }
        largest = largest.max(value);
        whole &= value == value.trunc();
    }
    largest > 1.0 && (whole || largest > 2.0)
}

/// A channel of a colour in sRGB as one that is proportional to light.
pub(crate) fn to_linear(value: f64) -> f64 {
    match value {
        ..=0.04045 => value / 12.92,
        _ => ((value + 0.055) / 1.055).powf(2.4),
    }
}

/// A channel that is proportional to light, in sRGB.
pub(crate) fn to_srgb(value: f64) -> f64 {
    match value {
        ..=0.003_130_8 => value * 12.92,
        _ => 1.055 * value.powf(1.0 / 2.4) - 0.055,
    }
}

/// A number of a colour as a fraction.
pub(crate) fn fraction(scalars: &Scalars, index: usize) -> f64 {
    let value = scalars.as_f64(index).unwrap_or(0.0);
    match scalars.scalar() {
        Scalar::U8 => value / 255.0,
        Scalar::U16 => value / 65535.0,
        _ => value,
    }
}

/// The column as formats without linear colours hold it: linear colours as bytes in sRGB, which is a loss
/// unless they were such before, up to the rounding of single precision. Marks the column as kept.
pub(crate) fn in_srgb<'m>(column: &'m Column, element: Element, losses: &mut Losses<'_>) -> Cow<'m, Column> {
    let (width, mut exact) = (column.width(), true);
    if column.role() != Role::Colour(ColourSpace::Linear) || width < 3 {
        losses.keep(element, column.name());
        return Cow::Borrowed(column);
    }
    let bytes = (0..column.scalars().len()).map(|index| {
        let value = fraction(column.scalars(), index);
        let value = if index % width == 3 { value } else { to_srgb(value) };
        let scaled = if value.is_finite() { 255.0 * value.clamp(0.0, 1.0) } else { 255.0 };
        exact &= (scaled - scaled.round()).abs() < 1e-3 && (0.0..=1.0 + 1e-6).contains(&value);
        scaled.round() as u8
    });
    let bytes = Scalars::U8(bytes.collect());
    let role = Role::Colour(ColourSpace::Srgb);
    match Column::from_scalars(column.name(), role, width, bytes) {
        Some(bytes) => {
            if exact {
                losses.keep(element, column.name())
            } else {
                losses.round(element, column.name())
            }
            Cow::Owned(bytes)
        }
        None => Cow::Borrowed(column),
    }
}
