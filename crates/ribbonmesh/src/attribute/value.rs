//! Types of attribute values.
use crate::array::kernels::extreme::ExtremeTypes;
use crate::array::kernels::finish::FinishTypes;
use crate::array::kernels::number::Number;
use crate::array::kernels::runs::SumPiecesTypes;
use crate::array::kernels::sum::{DotTypes, SumTypes};
use crate::kernels::attribute::combine::CombineTypes;
use glam::{DVec2, DVec3, DVec4, I64Vec2, I64Vec3, IVec2, IVec3, U64Vec2, U64Vec3, UVec2, UVec3};
use ribbonmesh_device::{Pod, Vec2, Vec3, Vec4};
use std::fmt::Debug;

/// A type of attribute values with arithmetic and reductions: `f32`, `f64`, `u32`, `i32`, and glam's vectors
/// `Vec2`, `Vec3`, `Vec4`, `DVec2`, `DVec3`, `UVec2`, `UVec3`, `IVec2`, `IVec3`. Other crates cannot
/// implement this trait, since each type needs its kernels.
pub trait Value: Pod + Send + Sync + Debug + PartialEq + sealed::Sealed {
    /// Type of the components; the type itself for a scalar.
    type Scalar: Scalar;
    /// Type of sums: `f64`, `u64` or `i64` for each component.
    type Sum: Pod + Debug + PartialEq;
    /// Number of components.
    const WIDTH: usize;
}

/// A component of a value: `f32`, `f64`, `u32` or `i32`.
pub trait Scalar: Value<Scalar = Self, Sum = <Self as Number>::Total> + PartialOrd + sealed::Kernels {}

/// A floating-point component: `f32` or `f64`. Values of such components can be scaled by a
/// [`crate::DeviceScalar`].
pub trait Float: Scalar {
    #[doc(hidden)]
    const ONE: Self;
    #[doc(hidden)]
    const MINUS_ONE: Self;
}
macro_rules! floats { ($($t:ident)*) => { $(
    impl Float for $t {
        const ONE: Self = 1.0;
        const MINUS_ONE: Self = -1.0;
    }
)* } }
floats! { f32 f64 }

pub(crate) mod sealed {
    use super::*;
    pub trait Sealed {}
    /// A number that has the kernels of attributes.
    pub trait Kernels:
        Number<Bits: FinishTypes + SumPiecesTypes>
        + CombineTypes
        + SumTypes
        + DotTypes
        + ExtremeTypes
        + SumPiecesTypes
    {
    }
}

macro_rules! scalars { ($($t:ident $total:ident;)*) => { $(
    impl sealed::Sealed for $t {}
    impl Value for $t {
        type Scalar = Self;
        type Sum = $total;
        const WIDTH: usize = 1;
    }
    impl Scalar for $t {}
    impl sealed::Kernels for $t {}
)* } }
scalars! { f32 f64; f64 f64; u32 u64; i32 i64; }

macro_rules! vectors { ($($v:ident: $n:literal $s:ident $sum:ident;)*) => { $(
    impl sealed::Sealed for $v {}
    impl Value for $v {
        type Scalar = $s;
        type Sum = $sum;
        const WIDTH: usize = $n;
    }
)* } }
vectors! {
    Vec2: 2 f32 DVec2;
    Vec3: 3 f32 DVec3;
    Vec4: 4 f32 DVec4;
    DVec2: 2 f64 DVec2;
    DVec3: 3 f64 DVec3;
    UVec2: 2 u32 U64Vec2;
    UVec3: 3 u32 U64Vec3;
    IVec2: 2 i32 I64Vec2;
    IVec3: 3 i32 I64Vec3;
}

/// The value of which these are the components.
pub(crate) fn from_components<T: Pod, S: Pod>(components: &[S]) -> T {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(components))
}
