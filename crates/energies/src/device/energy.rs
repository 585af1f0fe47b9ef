//! The trait of energies, and what their kernels do.
use super::derivatives::Variable;
use super::scalar::{Number, Scalar};
use super::shape::Shape;
use ribbonmesh::device::{Block, In, Out};
use ribbonmesh_linear::Real;

/// The energy of an element as a function of where its vertices are. Write your own, and have its kernels
/// made by [`energy_kernels!`](crate::energy_kernels).
///
/// The function is written once for any scalar; kernels call it with numbers, with numbers that carry a
/// gradient, and with those that carry a Hessian, too.
pub trait Energy: Copy {
    /// The kind of elements.
    type Shape: Shape;
    /// The precision.
    type Real: Number;
    /// The energy of an element with these vectors from its first vertex to the others.
    fn energy<S: Scalar<Real = Self::Real>>(
        &self,
        element: u32,
        edges: <Self::Shape as Shape>::Edges<S>,
    ) -> S;
    /// The largest step by which edge vectors may move before the energy is infinite: elements whose energy
    /// does not let them turn inside out give the step at which they become flat. No limit by default.
    #[inline(always)]
    fn longest_step(
        &self,
        _element: u32,
        _edges: <Self::Shape as Shape>::Edges<Self::Real>,
        _moves: <Self::Shape as Shape>::Edges<Self::Real>,
    ) -> Self::Real {
        Self::Real::from_f64(f64::INFINITY)
    }
}

/// Elements that are next to each other in memory, number by number.
pub const LANES: u32 = 32;
/// Where number `k` of an element is, of `numbers`: threads with neighbouring elements write neighbouring
/// words, and the numbers of an element are near each other.
#[inline(always)]
pub const fn address(element: u32, k: u32, numbers: u32) -> u32 {
    numbers * (element & !(LANES - 1)) + LANES * k + (element & (LANES - 1))
}
/// The length of a list with `numbers` numbers for each element.
#[cfg(not(target_arch = "nvptx64"))]
pub const fn room(elements: usize, numbers: usize) -> usize {
    elements.next_multiple_of(LANES as usize) * numbers
}

/// Coordinate `k % D` of the vector from an element's first vertex to vertex 1 + `k / D`.
#[inline(always)]
fn along<S: Shape, R: Real>(corners: In<'_, u32>, x: In<'_, R>, element: u32, k: usize) -> R {
    let (vertices, d) = (S::VERTICES as u32, S::DIMENSIONS as u32);
    let (vertex, coordinate) = (k as u32 / d + 1, k as u32 % d);
    let first = vertices * element;
    x.get(3 * corners.get(first + vertex) + coordinate) - x.get(3 * corners.get(first) + coordinate)
}
#[inline(always)]
fn edges<E: Energy, S: Variable<Real = E::Real>>(
    corners: In<'_, u32>,
    x: In<'_, E::Real>,
    element: u32,
) -> <E::Shape as Shape>::Edges<S> {
    E::Shape::edges(|k| S::variable(along::<E::Shape, _>(corners, x, element, k), k))
}

/// The energy of each element.
#[inline(always)]
pub fn values<E: Energy>(
    block: &Block,
    elements: u32,
    energy: E,
    corners: In<'_, u32>,
    x: In<'_, E::Real>,
    to: Out<'_, E::Real>,
) {
    block.for_each_of_tile(elements, |element| {
        to.set(element, energy.energy(element, edges::<E, E::Real>(corners, x, element)));
    });
}
/// The energy of each element, and its gradient by the variables, at `address`.
#[inline(always)]
pub fn gradients<E: Energy>(
    block: &Block,
    elements: u32,
    energy: E,
    corners: In<'_, u32>,
    x: In<'_, E::Real>,
    values: Out<'_, E::Real>,
    to: Out<'_, E::Real>,
) {
    let n = E::Shape::VARIABLES as u32;
    block.for_each_of_tile(elements, |element| {
        type Of<E> = <<E as Energy>::Shape as Shape>::First<<E as Energy>::Real>;
        let found: Of<E> = energy.energy(element, edges::<E, Of<E>>(corners, x, element));
        values.set(element, found.value());
        E::Shape::first(&found, |k, g| to.set(address(element, k as u32, n), g));
    });
}
/// The packed Hessian of each element by the variables, at `address`, without negative eigenvalues if
/// `project` is not 0.
#[inline(always)]
pub fn hessians<E: Energy>(
    block: &Block,
    elements: u32,
    project: u32,
    energy: E,
    corners: In<'_, u32>,
    x: In<'_, E::Real>,
    to: Out<'_, E::Real>,
) {
    let n = E::Shape::PACKED as u32;
    block.for_each_of_tile(elements, |element| {
        type Of<E> = <<E as Energy>::Shape as Shape>::Second<<E as Energy>::Real>;
        let found: Of<E> = energy.energy(element, edges::<E, Of<E>>(corners, x, element));
        E::Shape::hessian(&found, project != 0, |k, h| to.set(address(element, k as u32, n), h));
    });
}
/// The largest step of each element along `d`.
#[inline(always)]
pub fn steps<E: Energy>(
    block: &Block,
    elements: u32,
    energy: E,
    corners: In<'_, u32>,
    x: In<'_, E::Real>,
    d: In<'_, E::Real>,
    to: Out<'_, E::Real>,
) {
    block.for_each_of_tile(elements, |element| {
        let at = edges::<E, E::Real>(corners, x, element);
        to.set(element, energy.longest_step(element, at, edges::<E, E::Real>(corners, d, element)));
    });
}

/// Makes the kernels of an [`Energy`](crate::Energy), in a module of their own, and lets the host launch
/// them: `energy_kernels! { pub mod springs: Springs<'a>, SpringsArguments<'a>; }`. The last type is the
/// host's type of the energy: the struct that `#[derive(Parameter)]` makes, or the energy itself where it has
/// no views. The name of the module must be unique in the crate, since the entry points begin with it.
///
/// The crate depends on `ribbonmesh`, and has `ptx!` at its root as all crates with kernels.
#[macro_export]
macro_rules! energy_kernels { ($($(#[$doc:meta])* $visibility:vis mod $name:ident: $energy:ty, $host:ty;)*) => { $(
    $(#[$doc])*
    $visibility mod $name {
        use super::*;
        use $crate::__private::{Block, In, Out, kernel};
        use $crate::Energy;

        type Real<E> = <E as Energy>::Real;
        /// Energies. Blocks: tiles of elements.
        #[kernel(threads = 128, prefix = $name)]
        pub fn values<'a>(
            block: &Block,
            elements: u32,
            energy: $energy,
            corners: In<'a, u32>,
            x: In<'a, Real<$energy>>,
            to: Out<'a, Real<$energy>>,
        ) {
            $crate::__private::values(block, elements, energy, corners, x, to);
        }
        /// Energies and gradients. Blocks: tiles of elements.
        #[kernel(threads = 128, prefix = $name)]
        pub fn gradients<'a>(
            block: &Block,
            elements: u32,
            energy: $energy,
            corners: In<'a, u32>,
            x: In<'a, Real<$energy>>,
            values: Out<'a, Real<$energy>>,
            to: Out<'a, Real<$energy>>,
        ) {
            $crate::__private::gradients(block, elements, energy, corners, x, values, to);
        }
        /// Hessians. Blocks: tiles of elements.
        #[kernel(threads = 128, prefix = $name)]
        pub fn hessians<'a>(
            block: &Block,
            elements: u32,
            project: u32,
            energy: $energy,
            corners: In<'a, u32>,
            x: In<'a, Real<$energy>>,
            to: Out<'a, Real<$energy>>,
        ) {
            $crate::__private::hessians(block, elements, project, energy, corners, x, to);
        }
        /// Largest steps. Blocks: tiles of elements.
        #[kernel(threads = 128, prefix = $name)]
        pub fn steps<'a>(
            block: &Block,
            elements: u32,
            energy: $energy,
            corners: In<'a, u32>,
            x: In<'a, Real<$energy>>,
            d: In<'a, Real<$energy>>,
            to: Out<'a, Real<$energy>>,
        ) {
            $crate::__private::steps(block, elements, energy, corners, x, d, to);
        }

        #[cfg(not(target_arch = "nvptx64"))]
        const _: () = {
            use $crate::__private::{EnergyKernels, Launch, LaunchResult, Reborrow, View, ViewMut};
            impl<'a> EnergyKernels for $host {
                type Energy = $energy;
                fn values(mut self, at: Launch<'_>, x: View<'_, Real<$energy>>, to: ViewMut<'_, Real<$energy>>) -> LaunchResult<()> {
                    let (energy, elements, corners) = (Reborrow::reborrow(&mut self), at.elements(), at.corners());
                    at.device().launch(at.blocks(), Values { elements, energy, corners, x, to })
                }
                fn gradients(
                    mut self,
                    at: Launch<'_>,
                    x: View<'_, Real<$energy>>,
                    values: ViewMut<'_, Real<$energy>>,
                    to: ViewMut<'_, Real<$energy>>,
                ) -> LaunchResult<()> {
                    let (energy, elements, corners) = (Reborrow::reborrow(&mut self), at.elements(), at.corners());
                    at.device().launch(at.blocks(), Gradients { elements, energy, corners, x, values, to })
                }
                fn hessians(
                    mut self,
                    at: Launch<'_>,
                    project: bool,
                    x: View<'_, Real<$energy>>,
                    to: ViewMut<'_, Real<$energy>>,
                ) -> LaunchResult<()> {
                    let (energy, elements, corners) = (Reborrow::reborrow(&mut self), at.elements(), at.corners());
                    let project = u32::from(project);
                    at.device().launch(at.blocks(), Hessians { elements, project, energy, corners, x, to })
                }
                fn steps(
                    mut self,
                    at: Launch<'_>,
                    x: View<'_, Real<$energy>>,
                    d: View<'_, Real<$energy>>,
                    to: ViewMut<'_, Real<$energy>>,
                ) -> LaunchResult<()> {
                    let (energy, elements, corners) = (Reborrow::reborrow(&mut self), at.elements(), at.corners());
                    at.device().launch(at.blocks(), Steps { elements, energy, corners, x, d, to })
                }
            }
        };
    }
)* } }
