//! Values of attributes: numbers and short vectors of them.

use crate::{Number, Scalar, Scalars};

mod sealed {
    pub trait Sealed {}
}

/// A type of values that a column can be read as: a number, an array of 2 to 4 numbers, or a vector of glam.
///
/// `glam::Vec4` needs an alignment of 16 bytes, which columns do not have; use `[f32; 4]`.
pub trait Value: bytemuck::Pod + sealed::Sealed {
    /// The type of the numbers.
    const SCALAR: Scalar;
    /// Number of numbers in a value, 1 to 4.
    const WIDTH: usize;
    #[doc(hidden)]
    fn slice(scalars: &Scalars) -> Option<&[Self]>;
    #[doc(hidden)]
    fn slice_mut(scalars: &mut Scalars) -> Option<&mut [Self]>;
    #[doc(hidden)]
    fn wrap(values: Vec<Self>) -> Scalars;
}

macro_rules! values {
    ($($type:ty, $number:ty, $width:literal;)*) => {$(
        impl sealed::Sealed for $type {}
        impl Value for $type {
            const SCALAR: Scalar = <$number as Number>::SCALAR;
            const WIDTH: usize = $width;
            fn slice(scalars: &Scalars) -> Option<&[Self]> {
                bytemuck::try_cast_slice(<$number as Number>::of(scalars)?).ok()
            }
            fn slice_mut(scalars: &mut Scalars) -> Option<&mut [Self]> {
                bytemuck::try_cast_slice_mut(<$number as Number>::of_mut(scalars)?).ok()
            }
            fn wrap(values: Vec<Self>) -> Scalars {
                <$number as Number>::wrap(bytemuck::allocation::cast_vec(values))
            }
        }
    )*};
}

macro_rules! plain {
    ($($number:ty)*) => {
        values! { $(
            $number, $number, 1;
            [$number; 2], $number, 2;
            [$number; 3], $number, 3;
            [$number; 4], $number, 4;
        )* }
    };
}

plain! { u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 }

values! {
    glam::Vec2, f32, 2;
    glam::Vec3, f32, 3;
    glam::DVec2, f64, 2;
    glam::DVec3, f64, 3;
    glam::DVec4, f64, 4;
    glam::UVec2, u32, 2;
    glam::UVec3, u32, 3;
    glam::IVec2, i32, 2;
    glam::IVec3, i32, 3;
}
