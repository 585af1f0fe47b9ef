//! Linear elasticity with a material for each cell.
use super::element::Element;
use super::hexahedra::Trilinear;
use super::real::{Entry, Real};
use super::space::{Hexahedron, Tetrahedron};
use super::tetrahedra::{Lame, Metric};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use ribbonmesh::device::{In, Parameter};

/// Data that the blocks of one cell have in common, with the cell's material.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WithMaterial<D, S> {
    /// The data of the cell's shape.
    pub shape: D,
    /// λ and μ.
    pub material: [S; 2],
}
// SAFETY: fields that may be zeros.
unsafe impl<D: Zeroable, S: Real> Zeroable for WithMaterial<D, S> {}
// SAFETY: metrics and maps are numbers of `S` alone, as materials are, so that there is no padding.
unsafe impl<S: Real> Pod for WithMaterial<Metric<S>, S> {}
// SAFETY: as above.
unsafe impl<S: Real> Pod for WithMaterial<Trilinear<S>, S> {}
impl<D, S: Real> WithMaterial<D, S> {
    #[inline(always)]
    fn of(materials: In<'_, [S; 2]>, cell: u32, shape: D) -> Self {
        // a number that is not given must not look like one
        let none = S::of(f64::NAN);
        Self { shape, material: materials.try_get(cell).unwrap_or([none, none]) }
    }
    #[inline(always)]
    fn lame(&self) -> Lame {
        Lame { lambda: self.material[0].to_f64(), mu: self.material[1].to_f64() }
    }
}

macro_rules! varied { ($($name:ident $order:literal;)*) => { $(
    /// Linear elasticity on tetrahedra, with a material for each cell.
    #[repr(C)]
    #[derive(Clone, Copy, Parameter)]
    pub struct $name<'a, S> {
        /// λ and μ of each cell. Cells beyond its end make the matrix NaN, which no solver takes.
        pub materials: In<'a, [S; 2]>,
    }
    impl<S: Real> Element for $name<'_, S>
    where
        [S; 9]: Entry<Scalar = S>,
        [S; 2]: Pod,
    {
        type Shape = Tetrahedron<$order>;
        type Entry = [S; 9];
        type Data = WithMaterial<Metric<S>, S>;
        #[inline(always)]
        fn data(&self, cell: u32, corner: impl Fn(u32) -> Vec3) -> Self::Data {
            WithMaterial::of(self.materials, cell, Metric::new(corner))
        }
        #[inline(always)]
        fn block(&self, data: &Self::Data, i: u32, j: u32) -> [S; 9] {
            let v = data.shape.volume;
            data.lame().block(data.shape.outer::<$order>(i, j).map(|row| row.map(|x| v * x)))
        }
    }
)* } }
varied! {
    VariedElasticity1 1;
    VariedElasticity2 2;
    VariedElasticity3 3;
}
/// Linear elasticity on hexahedra, with a material for each cell.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct VariedHexElasticity<'a, S> {
    /// λ and μ of each cell. Cells beyond its end make the matrix NaN, which no solver takes.
    pub materials: In<'a, [S; 2]>,
}
impl<S: Real> Element for VariedHexElasticity<'_, S>
where
    [S; 9]: Entry<Scalar = S>,
    [S; 2]: Pod,
{
    type Shape = Hexahedron;
    type Entry = [S; 9];
    type Data = WithMaterial<Trilinear<S>, S>;
    #[inline(always)]
    fn data(&self, cell: u32, corner: impl Fn(u32) -> Vec3) -> Self::Data {
        WithMaterial::of(self.materials, cell, Trilinear::new(corner))
    }
    #[inline(always)]
    fn block(&self, data: &Self::Data, i: u32, j: u32) -> [S; 9] {
        data.shape.stiffness(&data.lame(), i, j)
    }
}

macro_rules! kernels { ($($name:ident: $element:ident, $arguments:ident $scalar:ident;)*) => {
    crate::element_kernels! { $(
        /// Kernels of an element of this crate.
        pub mod $name: $element<'a, $scalar>, $arguments<'a, $scalar>;
    )* }
} }
kernels! {
    varied1_f32: VariedElasticity1, VariedElasticity1Arguments f32;
    varied2_f32: VariedElasticity2, VariedElasticity2Arguments f32;
    varied3_f32: VariedElasticity3, VariedElasticity3Arguments f32;
    varied1_f64: VariedElasticity1, VariedElasticity1Arguments f64;
    varied2_f64: VariedElasticity2, VariedElasticity2Arguments f64;
    varied3_f64: VariedElasticity3, VariedElasticity3Arguments f64;
    varied_hex_f32: VariedHexElasticity, VariedHexElasticityArguments f32;
    varied_hex_f64: VariedHexElasticity, VariedHexElasticityArguments f64;
}
