//! Kernels over vectors of numbers.
use crate::Real;
use crate::device::arrange::{SplitF32, SplitF64};
use crate::device::solve::ScalarsArguments;
use crate::device::vectors::{
    AxpbyF32, AxpbyF64, DirectionF32, DirectionF64, DotF32, DotF64, StepF32, StepF64,
};
use ribbonmesh::device::{BufferView, BufferViewMut, tiles};
use ribbonmesh::{Device, Result};

/// Numbers that there are kernels for: `f32` and `f64`.
#[doc(hidden)]
pub trait Numbers: Real {
    fn axpby<'a>(
        device: &Device,
        n: u32,
        a: Self,
        b: Self,
        x: BufferView<'a, Self>,
        y: BufferViewMut<'a, Self>,
    ) -> Result<()>;
    fn dot<'a>(
        device: &Device,
        n: u32,
        factor: f64,
        of: [BufferView<'a, Self>; 2],
        to: u32,
        scalars: ScalarsArguments<'a>,
    ) -> Result<()>;
    fn step<'a>(
        device: &Device,
        n: u32,
        p: BufferView<'a, Self>,
        q: BufferView<'a, Self>,
        scalars: ScalarsArguments<'a>,
    ) -> Result<()>;
    fn direction<'a>(
        device: &Device,
        n: u32,
        state: BufferView<'a, f64>,
        z: BufferView<'a, Self>,
        p: BufferViewMut<'a, Self>,
    ) -> Result<()>;
    fn split<'a>(
        device: &Device,
        n: u32,
        shape: [u32; 3],
        sources: Option<BufferView<'a, u32>>,
        from: BufferView<'a, Self>,
        to: BufferViewMut<'a, Self>,
    ) -> Result<()>;
}
macro_rules! numbers { ($($real:ident $axpby:ident $dot:ident $step:ident $direction:ident $split:ident;)*) => { $(
    impl Numbers for $real {
        fn axpby<'a>(
            device: &Device,
            n: u32,
            a: Self,
            b: Self,
            x: BufferView<'a, Self>,
            y: BufferViewMut<'a, Self>,
        ) -> Result<()> {
            device.launch(tiles(n), $axpby { n, a, b, x, y })
        }
        fn dot<'a>(
            device: &Device,
            n: u32,
            factor: f64,
            [x, y]: [BufferView<'a, Self>; 2],
            to: u32,
            scalars: ScalarsArguments<'a>,
        ) -> Result<()> {
            device.launch(tiles(n), $dot { n, factor, x, y, to, scalars })
        }
        fn step<'a>(
            device: &Device,
            n: u32,
            p: BufferView<'a, Self>,
            q: BufferView<'a, Self>,
            scalars: ScalarsArguments<'a>,
        ) -> Result<()> {
            device.launch(tiles(n), $step { n, p, q, scalars })
        }
        fn direction<'a>(
            device: &Device,
            n: u32,
            state: BufferView<'a, f64>,
            z: BufferView<'a, Self>,
            p: BufferViewMut<'a, Self>,
        ) -> Result<()> {
            device.launch(tiles(n), $direction { n, state, z, p })
        }
        fn split<'a>(
            device: &Device,
            n: u32,
            [components, group, stride]: [u32; 3],
            sources: Option<BufferView<'a, u32>>,
            from: BufferView<'a, Self>,
            to: BufferViewMut<'a, Self>,
        ) -> Result<()> {
            let sources = sources.unwrap_or(BufferView::empty());
            device.launch(tiles(n), $split { n, components, group, stride, sources, from, to })
        }
    }
)* } }
numbers! {
    f32 AxpbyF32 DotF32 StepF32 DirectionF32 SplitF32;
    f64 AxpbyF64 DotF64 StepF64 DirectionF64 SplitF64;
}
