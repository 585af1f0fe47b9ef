//! The kernels of an entry type, and how the host launches them.
#[cfg(not(target_arch = "nvptx64"))]
use super::entry::Entry;
#[cfg(not(target_arch = "nvptx64"))]
use super::{
    multiply::ChunksArguments,
    solve::IterateArguments,
    stored::{OperandsArguments, StoredArguments},
};
#[cfg(not(target_arch = "nvptx64"))]
use ribbonmesh::device::{BufferView, BufferViewMut};
#[cfg(not(target_arch = "nvptx64"))]
use ribbonmesh::{Device, Result};
#[cfg(not(target_arch = "nvptx64"))]
use ribbonmesh_linear::ScalarsArguments;

/// An entry type that there are kernels for: [`entry_kernels!`](crate::entry_kernels) implements it.
///
/// # Safety
/// The functions launch the kernels that they are named after, with the arguments that they are given.
///
/// The functions themselves are for this crate: a caller promises that rows, offsets, columns and lengths
/// agree with each other and with all arrays, since the kernels may be compiled without comparisons of
/// indices.
#[cfg(not(target_arch = "nvptx64"))]
pub unsafe trait Launched: Entry<Real: crate::host::numbers::Numbers> {
    /// A thread for each row, in blocks whose number and threads `shape` gives.
    /// # Safety
    /// As the trait says.
    #[doc(hidden)]
    unsafe fn rows<'a>(
        device: &Device,
        shape: [u32; 2],
        stored: StoredArguments<'a, Self, Self::Real>,
        operands: OperandsArguments<'a, Self::Element, Self::Real>,
        chunks: ChunksArguments<'a>,
    ) -> Result<()>;
    /// A block for each item.
    /// # Safety
    /// As the trait says.
    #[doc(hidden)]
    unsafe fn balanced<'a>(
        device: &Device,
        stored: StoredArguments<'a, Self, Self::Real>,
        operands: OperandsArguments<'a, Self::Element, Self::Real>,
        items: BufferView<'a, [u32; 4]>,
        pieces: BufferViewMut<'a, Self::Element>,
    ) -> Result<()>;
    /// A block for each long row.
    /// # Safety
    /// As the trait says.
    #[doc(hidden)]
    unsafe fn pieces<'a>(
        device: &Device,
        operands: OperandsArguments<'a, Self::Element, Self::Real>,
        long: BufferView<'a, [u32; 4]>,
        pieces: BufferView<'a, Self::Element>,
    ) -> Result<()>;
    /// The update of an iteration of conjugate gradients.
    /// # Safety
    /// As the trait says.
    #[doc(hidden)]
    unsafe fn update<'a>(
        device: &Device,
        iterate: IterateArguments<'a, Self, Self::Element, Self::Real>,
        scalars: ScalarsArguments<'a>,
    ) -> Result<()>;
    /// Adjoints, in another order.
    /// # Safety
    /// As the trait says.
    #[doc(hidden)]
    unsafe fn adjoints<'a>(
        device: &Device,
        order: BufferView<'a, u32>,
        from: BufferView<'a, Self>,
        to: BufferViewMut<'a, Self>,
    ) -> Result<()>;
}

/// Makes the kernels of an entry type in the crate that calls it, and implements
/// [`Launched`](crate::Launched): the type, and a name for each kernel and for the struct of its arguments,
/// which is the kernel's name in camel case. Names of kernels are unique in a crate. The crate depends on
/// `ribbonmesh` and `bytemuck`, has `ptx!` at its root, and compiles its kernels as any crate with kernels
/// does.
///
/// ```ignore
/// ribbonmesh_sparse::entry_kernels! {
///     Split:
///     rows_split RowsSplit,
///     balanced_split BalancedSplit,
///     pieces_split PiecesSplit,
///     update_split UpdateSplit,
///     adjoint_split AdjointSplit
/// }
/// ```
#[macro_export]
macro_rules! entry_kernels {
    (
    $entry:ty: $rows:ident $rows_of:ident, $balanced:ident $balanced_of:ident, $pieces:ident $pieces_of:ident,
    $update:ident $update_of:ident, $adjoint:ident $adjoint_of:ident
) => {
        /// `y = A x`, a thread for each row. Blocks: any number.
        #[$crate::kernels::kernel(threads = 256)]
        pub fn $rows<'a>(
            block: &$crate::kernels::Block,
            stored: $crate::kernels::Stored<'a, $entry, <$entry as $crate::Entry>::Real>,
            operands: $crate::kernels::Operands<
                'a,
                <$entry as $crate::Entry>::Element,
                <$entry as $crate::Entry>::Real,
            >,
            chunks: $crate::kernels::Chunks<'a>,
        ) {
            $crate::kernels::multiply_rows::<$entry>(block, stored, operands, chunks);
        }
        /// `y = A x`, a block for each item.
        #[$crate::kernels::kernel(threads = 256, shared = (
                        arena.take::<<$entry as $crate::Entry>::Element>(
                            $crate::kernels::capacity::<<$entry as $crate::Entry>::Element>()),
                        arena.take::<<$entry as $crate::Entry>::Element>($crate::kernels::THREADS),
                    ))]
        pub fn $balanced<'a>(
            block: &$crate::kernels::Block,
            stored: $crate::kernels::Stored<'a, $entry, <$entry as $crate::Entry>::Real>,
            operands: $crate::kernels::Operands<
                'a,
                <$entry as $crate::Entry>::Element,
                <$entry as $crate::Entry>::Real,
            >,
            items: $crate::kernels::In<'a, [u32; 4]>,
            pieces: $crate::kernels::Out<'a, <$entry as $crate::Entry>::Element>,
        ) {
            let products = block.shared($crate::kernels::capacity::<<$entry as $crate::Entry>::Element>());
            let shared = [products, block.shared($crate::kernels::THREADS)];
            $crate::kernels::multiply_balanced::<$entry>(block, stored, operands, items, pieces, shared);
        }
        /// Adds the pieces of long rows: a block for each.
        #[$crate::kernels::kernel(
                        threads = 256,
                        shared = arena.take::<<$entry as $crate::Entry>::Element>($crate::kernels::THREADS)
                    )]
        pub fn $pieces<'a>(
            block: &$crate::kernels::Block,
            operands: $crate::kernels::Operands<
                'a,
                <$entry as $crate::Entry>::Element,
                <$entry as $crate::Entry>::Real,
            >,
            long: $crate::kernels::In<'a, [u32; 4]>,
            pieces: $crate::kernels::In<'a, <$entry as $crate::Entry>::Element>,
        ) {
            let sums = block.shared($crate::kernels::THREADS);
            $crate::kernels::add_pieces::<$entry>(block, operands, long, pieces, sums);
        }
        /// The update of an iteration of conjugate gradients. Blocks: tiles.
        #[$crate::kernels::kernel(threads = 256)]
        pub fn $update<'a>(
            block: &$crate::kernels::Block,
            iterate: $crate::kernels::Iterate<
                'a,
                $entry,
                <$entry as $crate::Entry>::Element,
                <$entry as $crate::Entry>::Real,
            >,
            scalars: $crate::kernels::Scalars<'a>,
        ) {
            $crate::kernels::update::<$entry>(block, iterate, scalars);
        }
        /// Adjoints of entries, in another order. Blocks: tiles.
        #[$crate::kernels::kernel(threads = 256)]
        pub fn $adjoint<'a>(
            block: &$crate::kernels::Block,
            n: u32,
            order: $crate::kernels::In<'a, u32>,
            from: $crate::kernels::In<'a, $entry>,
            to: $crate::kernels::Out<'a, $entry>,
        ) {
            $crate::kernels::adjoint::<$entry>(block, n, order, from, to);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: each launches the kernel above of its name.
        unsafe impl $crate::Launched for $entry {
            unsafe fn rows<'a>(
                device: &$crate::kernels::Device,
                [blocks, threads]: [u32; 2],
                stored: $crate::kernels::StoredArguments<'a, Self, Self::Real>,
                operands: $crate::kernels::OperandsArguments<'a, Self::Element, Self::Real>,
                chunks: $crate::kernels::ChunksArguments<'a>,
            ) -> $crate::kernels::Result<()> {
                device.launch_with_threads(blocks, threads, $rows_of { stored, operands, chunks })
            }
            unsafe fn balanced<'a>(
                device: &$crate::kernels::Device,
                stored: $crate::kernels::StoredArguments<'a, Self, Self::Real>,
                operands: $crate::kernels::OperandsArguments<'a, Self::Element, Self::Real>,
                items: $crate::kernels::BufferView<'a, [u32; 4]>,
                pieces: $crate::kernels::BufferViewMut<'a, Self::Element>,
            ) -> $crate::kernels::Result<()> {
                device.launch(items.len() as u32, $balanced_of { stored, operands, items, pieces })
            }
            unsafe fn pieces<'a>(
                device: &$crate::kernels::Device,
                operands: $crate::kernels::OperandsArguments<'a, Self::Element, Self::Real>,
                long: $crate::kernels::BufferView<'a, [u32; 4]>,
                pieces: $crate::kernels::BufferView<'a, Self::Element>,
            ) -> $crate::kernels::Result<()> {
                device.launch(long.len() as u32, $pieces_of { operands, long, pieces })
            }
            unsafe fn update<'a>(
                device: &$crate::kernels::Device,
                iterate: $crate::kernels::IterateArguments<'a, Self, Self::Element, Self::Real>,
                scalars: $crate::kernels::ScalarsArguments<'a>,
            ) -> $crate::kernels::Result<()> {
                device.launch($crate::kernels::tiles(iterate.n), $update_of { iterate, scalars })
            }
            unsafe fn adjoints<'a>(
                device: &$crate::kernels::Device,
                order: $crate::kernels::BufferView<'a, u32>,
                from: $crate::kernels::BufferView<'a, Self>,
                to: $crate::kernels::BufferViewMut<'a, Self>,
            ) -> $crate::kernels::Result<()> {
                let n = order.len() as u32;
                device.launch($crate::kernels::tiles(n), $adjoint_of { n, order, from, to })
            }
        }
    };
}
