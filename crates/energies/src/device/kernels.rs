//! Kernels of the library's own energies.
use super::dirichlet::SymmetricDirichlet;
use super::neo_hooke::NeoHookean;
use super::springs::Springs;

#[cfg(not(target_arch = "nvptx64"))]
use super::{
    dirichlet::SymmetricDirichletArguments, neo_hooke::NeoHookeanArguments, springs::SpringsArguments,
};

crate::energy_kernels! {
    /// Kernels of [`Springs`].
    pub mod springs_f32: Springs<'a, f32>, SpringsArguments<'a, f32>;
    /// Kernels of [`Springs`].
    pub mod springs_f64: Springs<'a, f64>, SpringsArguments<'a, f64>;
    /// Kernels of [`SymmetricDirichlet`].
    pub mod dirichlet_f32: SymmetricDirichlet<'a, f32>, SymmetricDirichletArguments<'a, f32>;
    /// Kernels of [`SymmetricDirichlet`].
    pub mod dirichlet_f64: SymmetricDirichlet<'a, f64>, SymmetricDirichletArguments<'a, f64>;
    /// Kernels of [`NeoHookean`].
    pub mod neo_hookean_f32: NeoHookean<'a, f32>, NeoHookeanArguments<'a, f32>;
    /// Kernels of [`NeoHookean`].
    pub mod neo_hookean_f64: NeoHookean<'a, f64>, NeoHookeanArguments<'a, f64>;
}
