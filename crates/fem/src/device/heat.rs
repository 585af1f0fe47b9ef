//! Heat flow in a material that differs from cell to cell: how an element of one's own is written.
use super::element::Element;
use super::space::Tetrahedron;
use super::tetrahedra::Metric;
use glam::Vec3;
use ribbonmesh::device::{In, Parameter};

macro_rules! heat_flow { ($($name:ident $order:literal;)*) => { $(
    /// The Laplacian, ∫ k ∇u · ∇v, on tetrahedra, with a conductivity k for each cell.
    #[repr(C)]
    #[derive(Clone, Copy, Parameter)]
    pub struct $name<'a> {
        /// The conductivity of each cell. Cells beyond its end make the matrix NaN, which no solver takes.
        pub conductivity: In<'a, f32>,
    }
    impl Element for $name<'_> {
        type Shape = Tetrahedron<$order>;
        type Entry = [f32; 1];
        /// With the volume times the conductivity instead of the volume.
        type Data = Metric<f32>;
        #[inline(always)]
        fn data(&self, cell: u32, corner: impl Fn(u32) -> Vec3) -> Metric<f32> {
            let Metric { volume, gradients } = Metric::new(corner);
            // a number that is not given must not look like one
            let k = self.conductivity.try_get(cell).unwrap_or(f32::NAN);
            Metric { volume: volume * k, gradients }
        }
        #[inline(always)]
        fn block(&self, metric: &Metric<f32>, i: u32, j: u32) -> [f32; 1] {
            let g = metric.outer::<$order>(i, j);
            [metric.volume * (g[0][0] + g[1][1] + g[2][2])]
        }
    }
)* } }
heat_flow! {
    HeatFlow1 1;
    HeatFlow2 2;
    HeatFlow3 3;
}
crate::element_kernels! {
    /// Kernels of [`HeatFlow1`].
    pub mod heat_flow1: HeatFlow1<'a>, HeatFlow1Arguments<'a>;
    /// Kernels of [`HeatFlow2`].
    pub mod heat_flow2: HeatFlow2<'a>, HeatFlow2Arguments<'a>;
    /// Kernels of [`HeatFlow3`].
    pub mod heat_flow3: HeatFlow3<'a>, HeatFlow3Arguments<'a>;
}
