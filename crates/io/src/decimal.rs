//! Whether coordinates that are written as decimals need double precision.

use ribbonmesh_mesh::{Precision, TriangleMesh};

use crate::{Notes, fault::Outcome};

/// Half a unit of the last decimal, by number of decimals, and a little more for rounding.
const HALF: [f64; 23] = {
    let mut half = [0.500_000_1; 23];
    let mut i = 1;
    while i < 23 {
        half[i] = half[i - 1] / 10.0;
        i += 1;
    }
    half
};

/// The low bits of an `f64` that has no bit beyond those of an `f32` but the next one: it is in the middle
/// between two numbers in single precision.
const MIDDLE: (u64, u64) = (0x1fff_ffff, 0x1000_0000);

/// The precision in which the coordinates of a text are read.
///
/// A decimal is in single precision if the nearest `f32`, written with as many digits, is that decimal again:
/// then the writer may have had an `f32`. One decimal that is not in single precision makes the file one in
/// double precision, which is then read once more from the beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decimals {
    /// Rounded to single precision, as long as all are in it.
    Single,
    /// Read as single precision so far, and one was not.
    NotSingle,
    /// In double precision.
    Double,
}

impl Decimals {
    /// A coordinate by its text, rounded if that is how they are read.
    #[inline(always)]
    pub fn round(&mut self, value: f64, text: &[u8]) -> f64 {
        if *self == Self::Double {
            return value;
        }
        let rounded = f64::from(value as f32);
        let error = (value - rounded).abs();
        if error == 0.0 {
            return rounded;
        }
        let decimals = text.iter().position(|&byte| byte == b'.').map_or(0, |point| text.len() - point - 1);
        if error > HALF[decimals.min(22)] && !fits(value, error, text) {
            *self = Self::NotSingle;
        }
        if value.to_bits() & MIDDLE.0 == MIDDLE.1 { nearest(rounded, text) } else { rounded }
    }
}

/// The nearest number in single precision, where rounding twice may miss it.
#[cold]
fn nearest(rounded: f64, text: &[u8]) -> f64 {
    lexical_core::parse::<f32>(text).map_or(rounded, f64::from)
}

/// Reads a text with `read`, which says how it found the coordinates; in double precision if one is not in
/// single. `read` may end as soon as it finds that.
pub(crate) fn in_its_precision(
    notes: Notes,
    read: impl Fn(Decimals, Notes) -> Outcome<(TriangleMesh, Notes, Decimals)>,
) -> Outcome<(TriangleMesh, Notes)> {
    let (mut mesh, found_notes, found) = read(Decimals::Single, notes.clone())?;
    if found == Decimals::Single {
        mesh.precision = Precision::Single;
        return Ok((mesh, found_notes));
    }
    let (mut mesh, notes, _) = read(Decimals::Double, notes)?;
    mesh.precision = Precision::Double;
    Ok((mesh, notes))
}

/// Whether a decimal with an exponent, or with zeros at the end of a whole number, is in single precision.
#[cold]
fn fits(value: f64, error: f64, text: &[u8]) -> bool {
    // below the normal numbers, single precision has fewer digits than any decimal of it shows
    value.abs() < f64::from(f32::MIN_POSITIVE) || error <= half_of_last(text)
}

/// Half a unit of the last digit that counts, and a little more. Zeros at the end of a number without a point
/// do not count: the shortest decimals of large numbers have them.
fn half_of_last(text: &[u8]) -> f64 {
    let (digits, exponent) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(e) => (&text[..e], lexical_core::parse::<i32>(&text[e + 1..]).unwrap_or(0)),
        None => (text, 0),
    };
    let last = match digits.iter().position(|&byte| byte == b'.') {
        Some(point) => -((digits.len() - point - 1) as i32),
        None => digits.iter().rev().take_while(|&&byte| byte == b'0').count() as i32,
    };
    HALF[0] * 10_f64.powi(exponent.saturating_add(last))
}

/// The decimal of a number that is not in single precision, with zeros at its end where it would else be
/// taken for one that is. `None` if nothing has to be added, or if the number is in single precision.
pub(crate) fn unmistakable(value: f64, text: &str) -> Option<String> {
    let error = (value - f64::from(value as f32)).abs();
    if error == 0.0 || !error.is_finite() || error > half_of_last(text.as_bytes()) {
        return None;
    }
    let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    let mut padded = digits.to_owned();
    if !padded.contains('.') {
        padded.push('.');
    }
    loop {
        padded.push('0');
        let text = format!("{padded}{exponent}");
        if error > half_of_last(text.as_bytes()) {
            return Some(text);
        }
    }
}
