//! The kernels of the library's own elements.
use super::hexahedra::{HexElasticity, HexLaplacian, HexMass};
use super::tetrahedra::{TetElasticity, TetLaplacian, TetMass};
use super::triangles::{TriLaplacian, TriMass};
use bytemuck::{Pod, Zeroable};

macro_rules! plain { ($($name:ident $([$order:ident])?)*) => { $(
    // SAFETY: numbers of 64 bits, and nothing else.
    unsafe impl<$(const $order: u32,)? S: Copy + 'static> Zeroable for $name<$($order,)? S> {}
    // SAFETY: as above.
    unsafe impl<$(const $order: u32,)? S: Copy + 'static> Pod for $name<$($order,)? S> {}
)* } }
plain!(TetElasticity[P] TetLaplacian[P] TetMass[P] HexElasticity HexLaplacian HexMass TriLaplacian TriMass);

macro_rules! tetrahedra { ($($name:ident: $element:ident $order:literal $scalar:ident;)*) => {
    crate::element_kernels! { $(
        /// Kernels of an element of this crate.
        pub mod $name: $element<$order, $scalar>, $element<$order, $scalar>;
    )* }
} }
tetrahedra! {
    elasticity1_f32: TetElasticity 1 f32;
    elasticity2_f32: TetElasticity 2 f32;
    elasticity3_f32: TetElasticity 3 f32;
    elasticity1_f64: TetElasticity 1 f64;
    elasticity2_f64: TetElasticity 2 f64;
    elasticity3_f64: TetElasticity 3 f64;
    laplacian1_f32: TetLaplacian 1 f32;
    laplacian2_f32: TetLaplacian 2 f32;
    laplacian3_f32: TetLaplacian 3 f32;
    laplacian1_f64: TetLaplacian 1 f64;
    laplacian2_f64: TetLaplacian 2 f64;
    laplacian3_f64: TetLaplacian 3 f64;
    mass1_f32: TetMass 1 f32;
    mass2_f32: TetMass 2 f32;
    mass3_f32: TetMass 3 f32;
    mass1_f64: TetMass 1 f64;
    mass2_f64: TetMass 2 f64;
    mass3_f64: TetMass 3 f64;
}
crate::element_kernels! {
    /// Kernels of an element of this crate.
    pub mod hex_elasticity_f32: HexElasticity<f32>, HexElasticity<f32>;
    /// Kernels of an element of this crate.
    pub mod hex_elasticity_f64: HexElasticity<f64>, HexElasticity<f64>;
    /// Kernels of an element of this crate.
    pub mod hex_laplacian_f32: HexLaplacian<f32>, HexLaplacian<f32>;
    /// Kernels of an element of this crate.
    pub mod hex_laplacian_f64: HexLaplacian<f64>, HexLaplacian<f64>;
    /// Kernels of an element of this crate.
    pub mod hex_mass_f32: HexMass<f32>, HexMass<f32>;
    /// Kernels of an element of this crate.
    pub mod hex_mass_f64: HexMass<f64>, HexMass<f64>;
    /// Kernels of an element of this crate.
    pub mod tri_laplacian_f32: TriLaplacian<f32>, TriLaplacian<f32>;
    /// Kernels of an element of this crate.
    pub mod tri_laplacian_f64: TriLaplacian<f64>, TriLaplacian<f64>;
    /// Kernels of an element of this crate.
    pub mod tri_mass_f32: TriMass<f32>, TriMass<f32>;
    /// Kernels of an element of this crate.
    pub mod tri_mass_f64: TriMass<f64>, TriMass<f64>;
}
