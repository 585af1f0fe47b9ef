//! Arguments as the host holds them, and how a launch checks them and turns them into arguments of a kernel.
//!
//! | the kernel gets | the host gives | from |
//! |---|---|---|
//! | [`In<T>`](crate::In) | [`BufferView<T>`] | `Buffer::view`, `Attribute::view` |
//! | [`Out<T>`](crate::Out) | [`BufferViewMut<T>`] | `Buffer::view_mut`, `Attribute::view_mut` |
//! | [`Values<E, T>`](crate::Values) | [`ColumnView<E, T>`] | `Attribute::values` |
//! | [`ValuesMut<E, T>`](crate::ValuesMut) | [`ColumnViewMut<E, T>`] | `Attribute::values_mut` |
//! | [`MeshView`](crate::MeshView) | [`MeshArgument`] | `StaticMesh::view` |
//! | [`Grid`] | [`GridArgument`] | `GridArgument::default()` |
//! | numbers and other [`Pod`] values | themselves | |
//! | a struct `Name` of these | the struct `NameArguments` | `#[derive(Parameter)]` |
//!
//! Nothing of the left column can be had outside of a kernel without `unsafe`, so the host cannot read memory
//! of a GPU, and the address is borrowed for the launch and compared with the machine, the mesh and the
//! lengths.
mod column;
mod lower;
mod mesh;
mod view;

pub use column::{ColumnView, ColumnViewMut};
pub use lower::{ArgumentError, ArgumentProblem, Lowering, MachineId, column_of, of_argument, shared_memory};
pub use mesh::{MeshArgument, MeshArrays, MeshNumbers};
pub use view::{BufferView, BufferViewMut, Column};

use crate::{Grid, Kernel, Pod};

/// A type that a kernel can have as an argument. `#[derive(Parameter)]` writes it for structs.
///
/// # Safety
/// A value is plain bytes without an address of the host's, except for the values that [`Argument::lower`]
/// of the host's type makes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a kernel",
    label = "not an argument of a kernel",
    note = "arguments are views of memory (`In`, `Out`, `Values`, `ValuesMut`, `MeshView`), numbers, ids, vectors, arrays of \
            these, and structs with `#[repr(C)]` and `#[derive(Clone, Copy, Parameter)]`",
    note = "for `bool` take `u32`, for `usize` take `u32` or `u64`, for a tuple a struct"
)]
pub unsafe trait Parameter: Copy {
    /// The argument that the host gives for it.
    type Host: Argument<Parameter = Self>;
    /// Whether it holds memory with this address.
    fn holds(&self, _address: usize) -> bool {
        false
    }
    /// The same, where views have lengths but no memory that could be read: the host evaluates `requires` and
    /// `shared` with it.
    #[doc(hidden)]
    fn absent(self) -> Self;
}

/// An argument of a launch as the host holds it.
///
/// # Safety
/// `lower` makes views of memory that is alive, on the machine that the lowering names, and borrowed by the
/// argument (exclusively, if a kernel can write it); or it reports a problem.
pub unsafe trait Argument {
    /// The parameter that the kernel gets.
    type Parameter: Parameter<Host = Self>;
    /// Checks the argument `name` and turns it into the kernel's argument. Problems go to the lowering, which
    /// then ends the launch.
    fn lower(self, name: &'static str, lowering: &mut Lowering) -> Self::Parameter;
}

// SAFETY: plain bytes.
#[diagnostic::do_not_recommend]
unsafe impl<T: Pod> Parameter for T {
    type Host = T;
    #[inline(always)]
    fn absent(self) -> Self {
        self
    }
}
// SAFETY: no views.
unsafe impl<T: Pod> Argument for T {
    type Parameter = T;
    #[inline(always)]
    fn lower(self, _: &'static str, _: &mut Lowering) -> T {
        self
    }
}

/// An argument that can be lent to several launches, one after the other.
pub trait Reborrow {
    /// The argument, borrowed from another one.
    type Lent<'b>
    where
        Self: 'b;
    /// Lends the argument.
    fn reborrow(&mut self) -> Self::Lent<'_>;
}
impl<T: Pod> Reborrow for T {
    type Lent<'b> = T;
    #[inline(always)]
    fn reborrow(&mut self) -> T {
        *self
    }
}
impl Reborrow for GridArgument {
    type Lent<'b> = Self;
    fn reborrow(&mut self) -> Self {
        *self
    }
}

/// A kernel with arguments that the host has filled in, ready for `Device::launch`. [`crate::kernel`] writes
/// it.
///
/// # Safety
/// `lower` makes the kernel of the arguments, each lowered by [`Argument::lower`], and checks what the kernel
/// requires.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not launched with a number of blocks",
    label = "not a kernel of blocks",
    note = "a kernel whose first argument is `PerPatch` runs over a mesh: `mesh.run(kernel)`",
    note = "a kernel whose first argument is `Each` is launched with a number of elements: `device.launch_each(n, kernel)`",
    note = "of a kernel with types that no argument tells, one chooses: `Name {{ argument, … }}.of::<T>()`",
    note = "a kernel whose first argument is `&Block` is launched as the struct that `#[kernel]` makes of it, `Name {{ argument, … }}`"
)]
pub unsafe trait Launchable {
    /// The kernel with its parameters.
    type Kernel: Kernel;
    /// Checks the arguments and turns them into the kernel's arguments.
    fn lower(self, lowering: &mut Lowering) -> Self::Kernel;
}

/// A kernel over the patches of a mesh ([`PerPatch`](crate::PerPatch)) with the other arguments filled in,
/// ready for `StaticMesh::run`. [`crate::kernel`] writes it.
///
/// # Safety
/// As [`Launchable`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not run over the patches of a mesh",
    label = "not a kernel of patches",
    note = "a kernel whose first argument is `&Block` is launched with a number of blocks: `device.launch(blocks, kernel)`, \
            `mesh.patches()` of them for one for each patch"
)]
pub unsafe trait PatchLaunchable<'a> {
    /// The kernel with its parameters.
    type Kernel: Kernel;
    /// Checks the mesh and the arguments and turns them into the kernel's arguments.
    fn lower(self, mesh: MeshArgument<'a>, lowering: &mut Lowering) -> Self::Kernel;
}

/// A kernel over patches with the mesh that has them.
pub struct OverPatches<'a, L> {
    /// The mesh.
    pub mesh: MeshArgument<'a>,
    /// The kernel.
    pub kernel: L,
}
// SAFETY: by the contract of `PatchLaunchable`.
unsafe impl<'a, L: PatchLaunchable<'a>> Launchable for OverPatches<'a, L> {
    type Kernel = L::Kernel;
    fn lower(self, lowering: &mut Lowering) -> L::Kernel {
        self.kernel.lower(self.mesh, lowering)
    }
}

/// A kernel over the elements of a flat array ([`Each`](crate::Each)) with its arguments filled in, ready for
/// `Device::launch_each`. [`crate::kernel`] writes it.
///
/// # Safety
/// As [`Launchable`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not run over the elements of an array",
    label = "not a kernel of elements",
    note = "a kernel whose first argument is `&Block` is launched with a number of blocks: `device.launch(blocks, kernel)`",
    note = "of a kernel with types that no argument tells, one chooses: `Name {{ argument, … }}.of::<T>()`"
)]
pub unsafe trait EachLaunchable {
    /// The kernel with its parameters.
    type Kernel: Kernel;
    /// Checks the arguments and turns them into what the kernel gets for `count` elements.
    fn lower(self, count: u32, lowering: &mut Lowering) -> Self::Kernel;
}

/// A kernel over elements with their number.
pub struct OverElements<L> {
    /// Number of elements.
    pub count: u32,
    /// The kernel.
    pub kernel: L,
}
// SAFETY: by the contract of `EachLaunchable`.
unsafe impl<L: EachLaunchable> Launchable for OverElements<L> {
    type Kernel = L::Kernel;
    fn lower(self, lowering: &mut Lowering) -> L::Kernel {
        self.kernel.lower(self.count, lowering)
    }
}

/// The barrier between all blocks of a launch, as the host gives it: the launch fills it in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridArgument {
    /// Seconds that a block waits for the others before it gives up.
    pub patience: f64,
}
impl Default for GridArgument {
    fn default() -> Self {
        Self { patience: Grid::PATIENCE }
    }
}
// SAFETY: an address only from `GridArgument::lower`.
unsafe impl Parameter for Grid {
    type Host = GridArgument;
    fn absent(self) -> Self {
        Self::none()
    }
}
// SAFETY: the word is the one of the machine of the launch.
unsafe impl Argument for GridArgument {
    type Parameter = Grid;
    fn lower(self, _: &'static str, lowering: &mut Lowering) -> Grid {
        lowering.grid().with_patience(self.patience)
    }
}
