//! Vectors on a device, and steps over their numbers.
use crate::device::kernels::{
    AdvanceF32, AdvanceF64, AxpbyF32, AxpbyF64, ProductF32, ProductF64, TurnF32, TurnF64, WORDS,
};
use crate::device::packed::Packs;
use crate::device::scalars::ScalarsArguments;
use ribbonmesh::device::{BufferView, BufferViewMut, Element, Vec3, tiles};
use ribbonmesh::{Attribute, Buffer, Device, Result};

/// Numbers that there are kernels for: `f32` and `f64`.
pub trait Numbers: Packs + sealed::Launched {}
impl Numbers for f32 {}
impl Numbers for f64 {}

/// A vector on a device: an array of numbers.
pub trait Vector {
    /// Its numbers.
    type Real: Numbers;
    /// All of them.
    fn numbers(&self) -> BufferView<'_, Self::Real>;
    /// All of them, to be written.
    fn numbers_mut(&mut self) -> BufferViewMut<'_, Self::Real>;
}
impl<R: Numbers> Vector for Buffer<R> {
    type Real = R;
    fn numbers(&self) -> BufferView<'_, R> {
        self.view()
    }
    fn numbers_mut(&mut self) -> BufferViewMut<'_, R> {
        self.view_mut()
    }
}
impl Vector for Buffer<Vec3> {
    type Real = f32;
    fn numbers(&self) -> BufferView<'_, f32> {
        self.view().wide()
    }
    fn numbers_mut(&mut self) -> BufferViewMut<'_, f32> {
        self.view_mut().wide()
    }
}
impl<E: Element> Vector for Attribute<E, Vec3> {
    type Real = f32;
    fn numbers(&self) -> BufferView<'_, f32> {
        self.view().wide()
    }
    fn numbers_mut(&mut self) -> BufferViewMut<'_, f32> {
        self.view_mut().wide()
    }
}

/// Blocks whose sums are added by a pass over this many numbers.
pub fn blocks(numbers: usize) -> u32 {
    tiles(numbers as u32)
}

/// Traits that are private to the crate, since kernels do not compare lengths.
pub mod sealed {
    use super::*;

    /// Launches of the kernels of a number.
    pub trait Launched: Sized {
        fn axpby<'a>(
            device: &Device,
            n: u32,
            of: [Self; 2],
            x: BufferView<'a, Self>,
            y: BufferViewMut<'a, Self>,
        ) -> Result<()>;
        fn product<'a>(
            device: &Device,
            n: u32,
            then: u32,
            of: [BufferView<'a, Self>; 2],
            scalars: ScalarsArguments<'a>,
        ) -> Result<()>;
        fn turn<'a>(
            device: &Device,
            n: u32,
            state: BufferView<'a, f64>,
            z: BufferView<'a, Self>,
            p: BufferViewMut<'a, Self>,
        ) -> Result<()>;
        fn advance<'a>(
            device: &Device,
            n: u32,
            scalars: ScalarsArguments<'a>,
            of: [BufferView<'a, Self>; 2],
            to: [BufferViewMut<'a, Self>; 2],
        ) -> Result<()>;
    }
}
macro_rules! numbers { ($($real:ident $axpby:ident $product:ident $turn:ident $advance:ident;)*) => { $(
    impl sealed::Launched for $real {
        fn axpby<'a>(
            device: &Device,
            n: u32,
            [a, b]: [Self; 2],
            x: BufferView<'a, Self>,
            y: BufferViewMut<'a, Self>,
        ) -> Result<()> {
            device.launch(tiles(n), $axpby { n, a, b, x, y })
        }
        fn product<'a>(
            device: &Device,
            n: u32,
            then: u32,
            [x, y]: [BufferView<'a, Self>; 2],
            scalars: ScalarsArguments<'a>,
        ) -> Result<()> {
            device.launch(tiles(n), $product { n, then, x, y, scalars })
        }
        fn turn<'a>(
            device: &Device,
            n: u32,
            state: BufferView<'a, f64>,
            z: BufferView<'a, Self>,
            p: BufferViewMut<'a, Self>,
        ) -> Result<()> {
            device.launch(tiles(n), $turn { n, state, z, p })
        }
        fn advance<'a>(
            device: &Device,
            n: u32,
            scalars: ScalarsArguments<'a>,
            [p, q]: [BufferView<'a, Self>; 2],
            [x, r]: [BufferViewMut<'a, Self>; 2],
        ) -> Result<()> {
            let words = n.div_ceil(<$real as Packs>::LANES);
            device.launch(words.div_ceil(WORDS), $advance { n, scalars, p, q, x, r })
        }
    }
)* } }
numbers! {
    f32 AxpbyF32 ProductF32 TurnF32 AdvanceF32;
    f64 AxpbyF64 ProductF64 TurnF64 AdvanceF64;
}
