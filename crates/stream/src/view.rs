//! Cameras.

use crate::{Limits, Refusal};

/// Bits of the depth of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DepthBits {
    /// An integer of 16 bits: 65535 is the far plane.
    Bits16,
    /// A number of single precision.
    Bits32,
}

impl DepthBits {
    /// 16 or 32.
    pub fn bits(self) -> u8 {
        match self {
            Self::Bits16 => 16,
            Self::Bits32 => 32,
        }
    }
}

/// A camera: matrices as WebGL has them, column by column.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// Pixels across and down.
    pub size: [u32; 2],
    /// From the world to the camera, which looks along -z.
    pub view: [f64; 16],
    /// From the camera to clip space, with depths from -1 (near) to 1 (far).
    pub projection: [f64; 16],
    /// Bits of depths.
    pub depth: DepthBits,
    /// The plane that is seen instead of the surface, of sources that have slices.
    pub slice: Option<Slice>,
}

/// A plane: the points whose product with the normal is the offset.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slice {
    /// The normal, not 0.
    pub normal: [f64; 3],
    /// The offset.
    pub offset: f64,
}

impl View {
    /// Checks sizes, matrices and the slice.
    /// # Errors
    /// [`Refusal::View`]: no pixels, or more than the limit; numbers that are not finite; matrices that have
    /// no inverse, so that no place in the world could be found for a pixel; a slice without a direction.
    pub fn check(&self, limits: &Limits) -> Result<(), Refusal> {
        let refuse = |why: String| Err(Refusal::View(why));
        let [w, h] = self.size;
        if w == 0 || h == 0 || w > limits.side || h > limits.side {
            return refuse(format!("it has {w} x {h} pixels, and 1 to {} a side are allowed", limits.side));
        }
        for (name, matrix) in [("V", &self.view), ("P", &self.projection)] {
            if matrix.iter().any(|x| !x.is_finite()) {
                return refuse(format!("{name} has a number that is not finite"));
            }
            if !is_invertible(matrix) {
                return refuse(format!("{name} has no inverse"));
            }
        }
        if let Some(Slice { normal, offset }) = self.slice
            && (normal == [0.0; 3] || !normal.iter().chain([&offset]).all(|x| x.is_finite()))
        {
            return refuse("a slice has a normal that is not 0, and an offset, both finite".into());
        }
        Ok(())
    }
}

/// Whether elimination with pivots finds no column that depends on others, relative to the greatest number of
/// each column.
fn is_invertible(matrix: &[f64; 16]) -> bool {
    let mut columns = [[0.0_f64; 4]; 4];
    for (column, given) in columns.iter_mut().zip(matrix.as_chunks::<4>().0) {
        let scale = given.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if scale == 0.0 {
            return false;
        }
        *column = given.map(|x| x / scale);
    }
    for k in 0..4 {
        let pivot = (k..4).max_by(|&a, &b| columns[k][a].abs().total_cmp(&columns[k][b].abs()));
        let row = pivot.unwrap_or(k);
        if columns[k][row].abs() < 1e-9 {
            return false;
        }
        columns.iter_mut().for_each(|column| column.swap(k, row));
        let head = columns[k];
        for column in &mut columns[k + 1..] {
            let factor = column[k] / head[k];
            for i in k..4 {
                column[i] -= factor * head[i];
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: [f64; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

    #[test]
    fn matrices_with_and_without_an_inverse() {
        assert!(is_invertible(&IDENTITY));
        // a camera far away, in perspective with a near plane close to the eye
        let near = 1e-3;
        let far = 1e3;
        let (a, b) = ((far + near) / (near - far), 2.0 * far * near / (near - far));
        let perspective = [2., 0., 0., 0., 0., 3., 0., 0., 0., 0., a, -1., 0., 0., b, 0.];
        assert!(is_invertible(&perspective));
        let turned = [0., 1., 0., 0., -1., 0., 0., 0., 0., 0., 1e-6, 0., 5e5, -3e5, 1e6, 1.];
        assert!(is_invertible(&turned));
        let mut flat = IDENTITY;
        flat[10] = 0.0;
        assert!(!is_invertible(&flat));
        let mut twice = IDENTITY;
        twice[4..8].copy_from_slice(&IDENTITY[..4]);
        assert!(!is_invertible(&twice));
        assert!(!is_invertible(&[0.0; 16]));
    }

    #[test]
    fn sizes_and_numbers() {
        let limits = Limits::default();
        let view = View {
            size: [640, 480],
            view: IDENTITY,
            projection: IDENTITY,
            depth: DepthBits::Bits16,
            slice: None,
        };
        assert_eq!(view.check(&limits), Ok(()));
        for size in [[0, 1], [1, 0], [4097, 1], [1, u32::MAX]] {
            assert!(View { size, ..view.clone() }.check(&limits).is_err());
        }
        for (normal, offset, is_right) in [
            ([0.0, 0.0, 2.0], -1.0, true),
            ([0.0; 3], 0.0, false),
            ([f64::NAN, 0.0, 1.0], 0.0, false),
            ([1.0, 0.0, 0.0], f64::INFINITY, false),
        ] {
            let slice = Some(Slice { normal, offset });
            assert_eq!(View { slice, ..view.clone() }.check(&limits).is_ok(), is_right);
        }
        let mut wrong = view.clone();
        wrong.projection[3] = f64::INFINITY;
        assert_eq!(wrong.check(&limits), Err(Refusal::View("P has a number that is not finite".into())));
    }
}
