//! Types of attribute values.
use crate::array::kernels::{extreme, finish, runs, sum};
use crate::kernels::attribute::combine;
use crate::{Device, Result};
use glam::{DVec2, DVec3, DVec4, I64Vec2, I64Vec3, IVec2, IVec3, U64Vec2, U64Vec3, UVec2, UVec3};
use ribbonmesh_device::{BufferView, BufferViewMut, Pod, Vec2, Vec3, Vec4, tiles};
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
pub trait Scalar:
    Value<Scalar = Self, Sum = <Self as sealed::Kernels>::Total> + PartialOrd + sealed::Kernels
{
}

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
    /// The kernels of a scalar, launched.
    pub trait Kernels: Pod {
        type Total: Pod;
        fn combine(
            d: &Device,
            op: u32,
            n: u32,
            a: Self,
            by: BufferView<'_, f64>,
            x: BufferView<'_, Self>,
            y: BufferViewMut<'_, Self>,
        ) -> Result<()>;
        fn sum(
            d: &Device,
            n: u32,
            width: u32,
            x: BufferView<'_, Self>,
            sums: BufferViewMut<'_, Self::Total>,
        ) -> Result<()>;
        fn finish(
            d: &Device,
            n: u32,
            width: u32,
            x: BufferView<'_, Self::Total>,
            to: BufferViewMut<'_, Self::Total>,
        ) -> Result<()>;
        fn dot(
            d: &Device,
            n: u32,
            x: BufferView<'_, Self>,
            y: BufferView<'_, Self>,
            sums: BufferViewMut<'_, f64>,
        ) -> Result<()>;
        fn extreme(
            d: &Device,
            greatest: bool,
            size: (u32, u32),
            x: BufferView<'_, Self>,
            values: BufferViewMut<'_, Self>,
            elements: BufferViewMut<'_, u32>,
        ) -> Result<()>;
        fn sum_pieces(
            d: &Device,
            n: u32,
            keys: BufferView<'_, u64>,
            x: BufferView<'_, Self>,
            sums: BufferView<'_, u32>,
            piece_keys: BufferViewMut<'_, u64>,
            piece_sums: BufferViewMut<'_, Self::Total>,
        ) -> Result<()>;
        fn sum_pieces_again(
            d: &Device,
            n: u32,
            keys: BufferView<'_, u64>,
            x: BufferView<'_, Self::Total>,
            sums: BufferView<'_, u32>,
            piece_keys: BufferViewMut<'_, u64>,
            piece_sums: BufferViewMut<'_, Self::Total>,
        ) -> Result<()>;
    }
}

macro_rules! scalars { ($($t:ident $total:ident $combine:ident $sum:ident $finish:ident $dot:ident $extreme:ident $pieces:ident $again:ident;)*) => { $(
    impl sealed::Sealed for $t {}
    impl Value for $t {
        type Scalar = Self;
        type Sum = $total;
        const WIDTH: usize = 1;
    }
    impl Scalar for $t {}
    impl sealed::Kernels for $t {
        type Total = $total;
        fn combine(
            d: &Device,
            op: u32,
            n: u32,
            a: $t,
            by: BufferView<'_, f64>,
            x: BufferView<'_, $t>,
            y: BufferViewMut<'_, $t>,
        ) -> Result<()> {
            d.launch(tiles(n), combine::$combine { op, n, a, by, x, y })
        }
        fn finish(
            d: &Device,
            n: u32,
            width: u32,
            x: BufferView<'_, $total>,
            to: BufferViewMut<'_, $total>,
        ) -> Result<()> {
            // two's complement, as below
            d.launch(1, finish::$finish { n, width, x: x.wide(), to: to.wide() })
        }
        fn sum(d: &Device, n: u32, width: u32, x: BufferView<'_, $t>, sums: BufferViewMut<'_, $total>) -> Result<()> {
            d.launch(tiles(n), sum::$sum { n, width, x, sums })
        }
        fn dot(d: &Device, n: u32, x: BufferView<'_, $t>, y: BufferView<'_, $t>, sums: BufferViewMut<'_, f64>) -> Result<()> {
            d.launch(tiles(n), sum::$dot { n, x, y, sums })
        }
        fn extreme(
            d: &Device,
            greatest: bool,
            (n, width): (u32, u32),
            x: BufferView<'_, $t>,
            values: BufferViewMut<'_, $t>,
            elements: BufferViewMut<'_, u32>,
        ) -> Result<()> {
            d.launch(tiles(n), extreme::$extreme { greatest: greatest as u32, n, width, x, values, elements })
        }
        fn sum_pieces(
            d: &Device,
            n: u32,
            keys: BufferView<'_, u64>,
            x: BufferView<'_, $t>,
            sums: BufferView<'_, u32>,
            piece_keys: BufferViewMut<'_, u64>,
            piece_sums: BufferViewMut<'_, $total>,
        ) -> Result<()> {
            d.launch(tiles(n), runs::$pieces { keys, n, x, sums, piece_keys, piece_sums })
        }
        fn sum_pieces_again(
            d: &Device,
            n: u32,
            keys: BufferView<'_, u64>,
            x: BufferView<'_, $total>,
            sums: BufferView<'_, u32>,
            piece_keys: BufferViewMut<'_, u64>,
            piece_sums: BufferViewMut<'_, $total>,
        ) -> Result<()> {
            // two's complement: sums of signed numbers have the same bits
            let (x, piece_sums) = (x.wide(), piece_sums.wide());
            d.launch(tiles(n), runs::$again { keys, n, x, sums, piece_keys, piece_sums })
        }
    }
)* } }
scalars! {
    f32 f64 CombineF32 SumF32 FinishF64 DotF32 ExtremeF32 SumPiecesF32 SumPiecesF64;
    f64 f64 CombineF64 SumF64 FinishF64 DotF64 ExtremeF64 SumPiecesF64 SumPiecesF64;
    u32 u64 CombineU32 SumU32 FinishU64 DotU32 ExtremeU32 SumPiecesU32 SumPiecesU64;
    i32 i64 CombineI32 SumI32 FinishU64 DotI32 ExtremeI32 SumPiecesI32 SumPiecesU64;
}

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
