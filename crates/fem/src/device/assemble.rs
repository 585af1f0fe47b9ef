//! Three ways to sum the matrices of elements (Mueller-Roemer 2020, sections 4.4.4 and 4.5.2). In all of them
//! the thread of a row or of an entry writes it, cells ascending: there are no atomics, and the result has
//! the same bits every time.
use super::element::{Element, load, store};
use super::matrix::{PatternView, ValuesView, add, for_each_row, write};
use super::real::Entry;
use super::space::{Shape, SpaceView};
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, Parameter};

/// The entries of element matrices whose sum is each entry of the matrix.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct PartsView<'a> {
    /// The first index of each place's list, and the end. The blocks of the diagonal follow the places.
    pub starts: In<'a, u32>,
    /// `(cell · nodes + i) · nodes + j`, cells ascending.
    pub list: In<'a, u32>,
}

/// The number of blocks in the upper half of an element's matrix, the diagonal included.
pub const fn half(nodes: u32) -> u32 {
    nodes * (nodes + 1) / 2
}
/// The index in the upper half of the block of (i, j); i is at most j.
#[inline(always)]
const fn in_half(i: u32, j: u32) -> u32 {
    half(j) + i
}
#[inline(always)]
fn data_of<E: Element>(element: &E, space: &SpaceView<'_>, x: In<'_, Vec3>, cell: u32) -> E::Data {
    element.data(cell, |k| x.get(space.corners.get(E::Shape::CORNERS * cell + k) as u32))
}

/// The data of each cell. Blocks: rows of cells.
#[inline(always)]
pub fn data<E: Element>(
    block: &Block,
    cells: u32,
    element: E,
    space: &SpaceView<'_>,
    x: In<'_, Vec3>,
    to: Out<'_, E::Data>,
) {
    for_each_row(block, cells, |cell| store(to, cell, data_of(&element, space, x, cell)));
}

/// The upper half of each element's matrix. Blocks: rows of cells.
#[inline(always)]
pub fn matrices<E: Element>(
    block: &Block,
    cells: u32,
    element: E,
    space: &SpaceView<'_>,
    x: In<'_, Vec3>,
    to: Out<'_, E::Entry>,
) {
    for_each_row(block, cells, |cell| {
        let data = data_of(&element, space, x, cell);
        let (first, mut j) = (half(E::Shape::NODES) * cell, 0);
        while j < E::Shape::NODES {
            let mut i = 0;
            while i <= j {
                store(to, first + in_half(i, j), element.block(&data, i, j));
                i += 1;
            }
            j += 1;
        }
    });
}

/// Sums the blocks of a row: `cell_of(cell, i)` returns a function that returns the block of (i, j). All
/// values are 0 before.
#[inline(always)]
fn sum_row<S: Shape, E: Entry, G: Fn(u32) -> E>(
    space: &SpaceView<'_>,
    pattern: PatternView<'_>,
    to: ValuesView<'_, E::Scalar>,
    row: u32,
    cell_of: impl Fn(u32, u32) -> G,
) {
    let own = pattern.row(row);
    let mut diagonal = E::zero();
    S::cells(space, row, |cell, i| {
        let (block_of, mut j) = (cell_of(cell, i), 0);
        while j < S::NODES {
            let block = block_of(j);
            if i == j {
                diagonal = diagonal.plus(block);
            } else {
                add(to.values, pattern.place(own, S::node(space, cell, j)), block);
            }
            j += 1;
        }
    });
    write(to.diagonal, row, diagonal);
}

/// Sums stored matrices row by row: the thesis's way per node. Blocks: rows.
#[inline(always)]
pub fn nodes<E: Element>(
    block: &Block,
    space: &SpaceView<'_>,
    pattern: PatternView<'_>,
    matrices: In<'_, E::Entry>,
    to: ValuesView<'_, <E::Entry as Entry>::Scalar>,
) {
    for_each_row(block, space.nodes, |row| {
        sum_row::<E::Shape, E::Entry, _>(space, pattern, to, row, |cell, i| {
            let first = half(E::Shape::NODES) * cell;
            move |j| {
                if i <= j {
                    load(matrices, first + in_half(i, j))
                } else {
                    load(matrices, first + in_half(j, i)).transposed()
                }
            }
        });
    });
}

/// Computes and sums blocks row by row: no memory for elements. Blocks: rows.
#[inline(always)]
pub fn inline<E: Element>(
    block: &Block,
    element: E,
    space: &SpaceView<'_>,
    pattern: PatternView<'_>,
    x: In<'_, Vec3>,
    to: ValuesView<'_, <E::Entry as Entry>::Scalar>,
) {
    for_each_row(block, space.nodes, |row| {
        sum_row::<E::Shape, E::Entry, _>(space, pattern, to, row, |cell, i| {
            let data = data_of(&element, space, x, cell);
            move |j| element.block(&data, i, j)
        });
    });
}

/// Sums the listed contributions of each entry, in registers. Writes all places, also those without
/// contributions. Blocks: tiles of places and rows.
#[inline(always)]
pub fn entries<E: Element>(
    block: &Block,
    n: u32,
    rows: u32,
    element: E,
    parts: PartsView<'_>,
    data: In<'_, E::Data>,
    to: ValuesView<'_, <E::Entry as Entry>::Scalar>,
) {
    block.for_each_of_tile(n, |place| {
        let (mut k, end) = (parts.starts.get(place), parts.starts.get(place + 1));
        let mut sum = E::Entry::zero();
        while k < end {
            let part = parts.list.get(k);
            let (own, j) = (part / E::Shape::NODES, part % E::Shape::NODES);
            let (cell, i) = (own / E::Shape::NODES, own % E::Shape::NODES);
            sum = sum.plus(element.block(&load(data, cell), i, j));
            k += 1;
        }
        let places = n - rows;
        if place < places {
            write(to.values, place, sum);
        } else {
            write(to.diagonal, place - places, sum);
        }
    });
}

/// Makes the kernels of an [`Element`](crate::Element), in a module of their own, and lets the host launch
/// them: `element_kernels! { pub mod heat: HeatFlow<'a>, HeatFlowArguments<'a>; }`. The last type is the
/// host's type of the element: the struct that `#[derive(Parameter)]` makes, or the element itself where it
/// has no views. The name of the module must be unique in the crate, since the entry points begin with it.
///
/// The crate depends on `ribbonmesh`, and has `ptx!` at its root as all crates with kernels.
#[macro_export]
macro_rules! element_kernels { ($($(#[$doc:meta])* $visibility:vis mod $name:ident: $element:ty, $host:ty;)*) => { $(
    $(#[$doc])*
    $visibility mod $name {
        use super::*;
        use $crate::__private::{Block, Entry, In, Out, PartsView, PatternView, SpaceView, ValuesView, Vec3, kernel};
        use $crate::Element;

        type Scalar<E> = <<E as Element>::Entry as Entry>::Scalar;
        /// Data of cells. Blocks: rows of cells.
        #[kernel(threads = 128, prefix = $name)]
        pub fn data<'a>(
            block: &Block,
            cells: u32,
            element: $element,
            space: SpaceView<'a>,
            x: In<'a, Vec3>,
            to: Out<'a, <$element as Element>::Data>,
        ) {
            $crate::__private::data(block, cells, element, &space, x, to);
        }
        /// Matrices of cells. Blocks: rows of cells.
        #[kernel(threads = 128, prefix = $name)]
        pub fn matrices<'a>(
            block: &Block,
            cells: u32,
            element: $element,
            space: SpaceView<'a>,
            x: In<'a, Vec3>,
            to: Out<'a, <$element as Element>::Entry>,
        ) {
            $crate::__private::matrices(block, cells, element, &space, x, to);
        }
        /// Sums of matrices, per node. Blocks: rows.
        #[kernel(threads = 128, prefix = $name)]
        pub fn nodes<'a>(
            block: &Block,
            space: SpaceView<'a>,
            pattern: PatternView<'a>,
            matrices: In<'a, <$element as Element>::Entry>,
            to: ValuesView<'a, Scalar<$element>>,
        ) {
            $crate::__private::nodes::<$element>(block, &space, pattern, matrices, to);
        }
        /// Sums without memory for elements. Blocks: rows.
        #[kernel(threads = 128, prefix = $name)]
        pub fn inline<'a>(
            block: &Block,
            element: $element,
            space: SpaceView<'a>,
            pattern: PatternView<'a>,
            x: In<'a, Vec3>,
            to: ValuesView<'a, Scalar<$element>>,
        ) {
            $crate::__private::inline(block, element, &space, pattern, x, to);
        }
        /// Sums per entry. Blocks: tiles of places and rows.
        #[kernel(threads = 128, prefix = $name)]
        pub fn entries<'a>(
            block: &Block,
            n: u32,
            rows: u32,
            element: $element,
            parts: PartsView<'a>,
            data: In<'a, <$element as Element>::Data>,
            to: ValuesView<'a, Scalar<$element>>,
        ) {
            $crate::__private::entries(block, n, rows, element, parts, data, to);
        }

        #[cfg(not(target_arch = "nvptx64"))]
        const _: () = {
            use $crate::__private::{
                ElementKernels, Launch, LaunchResult, PartsViewArguments, PatternViewArguments, Reborrow,
                ValuesViewArguments, View, ViewMut,
            };
            impl<'a> ElementKernels for $host {
                type Element = $element;
                fn data(mut self, at: Launch<'_>, to: ViewMut<'_, <$element as Element>::Data>) -> LaunchResult<()> {
                    let (blocks, cells, x, mut space) = (at.cell_blocks(), at.cells(), at.x(), at.space());
                    let (element, space) = (Reborrow::reborrow(&mut self), Reborrow::reborrow(&mut space));
                    at.device().launch(blocks, Data { cells, element, space, x, to })
                }
                fn matrices(mut self, at: Launch<'_>, to: ViewMut<'_, <$element as Element>::Entry>) -> LaunchResult<()> {
                    let (blocks, cells, x, mut space) = (at.cell_blocks(), at.cells(), at.x(), at.space());
                    let (element, space) = (Reborrow::reborrow(&mut self), Reborrow::reborrow(&mut space));
                    at.device().launch(blocks, Matrices { cells, element, space, x, to })
                }
                fn nodes(
                    at: Launch<'_>,
                    mut pattern: PatternViewArguments<'_>,
                    matrices: View<'_, <$element as Element>::Entry>,
                    mut to: ValuesViewArguments<'_, Scalar<$element>>,
                ) -> LaunchResult<()> {
                    let (blocks, mut space) = (at.row_blocks(), at.space());
                    let space = Reborrow::reborrow(&mut space);
                    let (pattern, to) = (Reborrow::reborrow(&mut pattern), Reborrow::reborrow(&mut to));
                    at.device().launch(blocks, Nodes { space, pattern, matrices, to })
                }
                fn inline(
                    mut self,
                    at: Launch<'_>,
                    mut pattern: PatternViewArguments<'_>,
                    mut to: ValuesViewArguments<'_, Scalar<$element>>,
                ) -> LaunchResult<()> {
                    let (blocks, x, mut space) = (at.row_blocks(), at.x(), at.space());
                    let (element, space) = (Reborrow::reborrow(&mut self), Reborrow::reborrow(&mut space));
                    let (pattern, to) = (Reborrow::reborrow(&mut pattern), Reborrow::reborrow(&mut to));
                    at.device().launch(blocks, Inline { element, space, pattern, x, to })
                }
                fn entries(
                    mut self,
                    at: Launch<'_>,
                    n: u32,
                    rows: u32,
                    mut parts: PartsViewArguments<'_>,
                    data: View<'_, <$element as Element>::Data>,
                    mut to: ValuesViewArguments<'_, Scalar<$element>>,
                ) -> LaunchResult<()> {
                    let (element, parts) = (Reborrow::reborrow(&mut self), Reborrow::reborrow(&mut parts));
                    let to = Reborrow::reborrow(&mut to);
                    at.device().launch($crate::__private::tiles(n), Entries { n, rows, element, parts, data, to })
                }
            }
        };
    }
)* } }
