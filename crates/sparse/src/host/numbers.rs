//! Kernels over arrays of numbers.
use crate::device::arrange::{SplitF32, SplitF64};
use ribbonmesh::device::{BufferView, BufferViewMut, tiles};
use ribbonmesh::{Device, Result};

/// Numbers that there are kernels for: `f32` and `f64`.
#[doc(hidden)]
pub trait Numbers: ribbonmesh_linear::Numbers {
    fn split<'a>(
        device: &Device,
        n: u32,
        shape: [u32; 3],
        sources: Option<BufferView<'a, u32>>,
        from: BufferView<'a, Self>,
        to: BufferViewMut<'a, Self>,
    ) -> Result<()>;
}
macro_rules! numbers { ($($real:ident $split:ident;)*) => { $(
    impl Numbers for $real {
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
    f32 SplitF32;
    f64 SplitF64;
}
