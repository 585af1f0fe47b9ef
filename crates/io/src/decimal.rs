//! Whether coordinates that are written as decimals need double precision.

use ribbonmesh_mesh::{Precision, TriangleMesh};

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

/// The low bits of an `f64` that has no bit beyond those of an `f32` but the next one: it lies in the middle between two
/// numbers in single precision.
const MIDDLE: (u64, u64) = (0x1fff_ffff, 0x1000_0000);

/// What the decimals so far say about the precision of a file.
///
/// A decimal is in single precision if the nearest `f32`, written with as many digits, is that decimal again: then
/// whoever wrote it may have had an `f32`. One decimal that is not makes the file one in double precision.
#[derive(Debug, Default)]
pub(crate) struct Decimal {
    double: bool,
    /// Numbers, by their bits, that would not be rounded to the `f32` that is nearest to their decimal.
    middles: Vec<(u64, f32)>,
}

impl Decimal {
    /// Takes note of a coordinate and its text.
    #[inline(always)]
    pub fn see(&mut self, value: f64, text: &[u8]) {
        if self.double {
            return;
        }
        let error = (value - f64::from(value as f32)).abs();
        if error == 0.0 {
            return;
        }
        let decimals = text.iter().position(|&byte| byte == b'.').map_or(0, |point| text.len() - point - 1);
        if error > HALF[decimals.min(22)] {
            self.double = !fits(value, error, text);
        }
        if value.to_bits() & MIDDLE.0 == MIDDLE.1 {
            self.see_middle(value, text);
        }
    }

    #[cold]
    fn see_middle(&mut self, value: f64, text: &[u8]) {
        if let Ok(nearest) = lexical_core::parse::<f32>(text)
            && nearest != value as f32
        {
            self.middles.push((value.to_bits(), nearest));
        }
    }

    /// The precision of the file.
    pub fn precision(&self) -> Precision {
        if self.double { Precision::Double } else { Precision::Single }
    }

    /// Sets the precision of a mesh with coordinates of these decimals, and rounds them if it is single.
    pub fn settle(&self, mesh: &mut TriangleMesh) {
        mesh.precision = self.precision();
        if self.double {
            return;
        }
        if self.middles.is_empty() {
            mesh.positions.iter_mut().for_each(|position| *position = position.as_vec3().as_dvec3());
            return;
        }
        for value in mesh.positions.iter_mut().flat_map(AsMut::<[f64; 3]>::as_mut) {
            let bits = value.to_bits();
            let middle = self.middles.iter().find(|middle| middle.0 == bits);
            *value = middle.map_or(*value as f32, |middle| middle.1).into();
        }
    }
}

/// Whether a decimal with an exponent, or with zeros at the end of a whole number, is in single precision.
#[cold]
fn fits(value: f64, error: f64, text: &[u8]) -> bool {
    // below the normal numbers, single precision has fewer digits than any decimal of it shows
    value.abs() < f64::from(f32::MIN_POSITIVE) || error <= half_of_last(text)
}

/// Half a unit of the last digit that counts, and a little more. Zeros at the end of a number without a point do not
/// count: the shortest decimals of large numbers have them.
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

/// The decimal of a number that is not in single precision, with zeros at its end where it would else be taken for one
/// that is. None where nothing has to be added, or the number is in single precision.
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
