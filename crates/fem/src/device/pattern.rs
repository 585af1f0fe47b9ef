//! Exact lengths of rows, and their columns (Mueller-Roemer 2020, sections 4.3, 4.4.1 and 4.4.3).
use super::bernstein::binomial;
use super::matrix::{BIN, PatternView, for_each_row, row_of};
use super::space::{Hexahedron, Shape, SpaceView, Tetrahedron, Triangle};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, Each, In, Out, Parameter, Shared, kernel};
use ribbonmesh_volume::TcsrView;

/// Lengths of the rows of nodes inside of vertices, edges and faces (equation 4.6), the diagonal included.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct LengthsOut<'a> {
    /// Lengths for vertices.
    pub vertices: Out<'a, u32>,
    /// Lengths for edges; empty below order 2.
    pub edges: Out<'a, u32>,
    /// Lengths for faces; empty below order 3.
    pub faces: Out<'a, u32>,
}
#[inline(always)]
fn count(to: Out<'_, u32>, rows: TcsrView<'_>, row: u32, by: u32) {
    rows.of(row, |element, _| {
        atomic::fetch_add(to, element, by, Relaxed, Device);
    });
}
/// Adds the entries of edges to the rows of their vertices: C(p, 1). Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_by_edges<'a>(edge: Each, order: u32, ev: TcsrView<'a>, to: LengthsOut<'a>) {
    count(to.vertices, ev, edge, order);
}
/// Adds the entries of faces: C(p, 2) to the rows of their vertices, C(p + 1, 2) to the rows of their edges.
/// Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_by_faces<'a>(face: Each, order: u32, fv: TcsrView<'a>, fe: TcsrView<'a>, to: LengthsOut<'a>) {
    count(to.vertices, fv, face, binomial(order, 2));
    count(to.edges, fe, face, binomial(order + 1, 2));
}
/// Adds the entries of cells: C(p, 3), C(p + 1, 3), and from order 3 on C(p + 2, 3) to the rows of their
/// faces. Blocks: tiles.
#[kernel(threads = 256)]
pub fn count_by_cells<'a>(
    cell: Each,
    order: u32,
    cv: TcsrView<'a>,
    ce: TcsrView<'a>,
    cf: TcsrView<'a>,
    to: LengthsOut<'a>,
) {
    if order > 2 {
        count(to.vertices, cv, cell, binomial(order, 3));
        count(to.faces, cf, cell, binomial(order + 2, 3));
    }
    count(to.edges, ce, cell, binomial(order + 1, 3));
}

/// The lengths of rows by element, and how many nodes are inside of each.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct LengthsIn<'a> {
    /// Lengths for vertices.
    pub vertices: In<'a, u32>,
    /// Lengths for edges.
    pub edges: In<'a, u32>,
    /// Lengths for faces.
    pub faces: In<'a, u32>,
    /// The first node inside of an edge.
    pub first_edge: u32,
    /// The first node inside of a face.
    pub first_face: u32,
    /// Nodes inside of an edge, at least 1.
    pub per_edge: u32,
}
impl LengthsIn<'_> {
    #[inline(always)]
    fn of(&self, node: u32) -> u32 {
        if node < self.first_edge {
            self.vertices.get(node)
        } else if node < self.first_face {
            self.edges.get((node - self.first_edge) / self.per_edge)
        } else {
            self.faces.get(node - self.first_face)
        }
    }
}
/// The number of places of each bin: 32 times that of its longest row, without the diagonal. Blocks: tiles of
/// bins.
#[kernel(threads = 128)]
pub fn bin_sizes<'a>(bin: Each, rows: u32, lengths: LengthsIn<'a>, to: Out<'a, u32>) {
    let (mut row, end) = (BIN * bin, if BIN * (bin + 1) < rows { BIN * (bin + 1) } else { rows });
    let mut longest = 1;
    while row < end {
        let length = lengths.of(row);
        if length > longest {
            longest = length;
        }
        row += 1;
    }
    to.set(bin, BIN * (longest - 1));
}

/// The length of a row by looking for the least column above the last, again and again: for cells without a
/// formula.
#[cfg_attr(target_arch = "nvptx64", inline(always))]
pub fn length<S: Shape>(space: &SpaceView<'_>, row: u32) -> u32 {
    let (mut found, mut least) = (1, 0);
    loop {
        let mut next = u32::MAX;
        S::cells(space, row, |cell, _| {
            let mut k = 0;
            while k < S::NODES {
                let node = S::node(space, cell, k);
                if node >= least && node < next && node != row {
                    next = node;
                }
                k += 1;
            }
        });
        if next == u32::MAX {
            return found;
        }
        found += 1;
        least = next + 1;
    }
}

/// Lengths of rows of hexahedra. Blocks: tiles of rows.
#[kernel(threads = 128)]
pub fn hex_lengths<'a>(block: &Block, space: SpaceView<'a>, to: Out<'a, u32>) {
    block.for_each_of_tile(space.nodes, |row| to.set(row, length::<Hexahedron>(&space, row)));
}

/// Threads of a block that fills columns.
pub const FILLERS: u32 = 64;
/// Columns of a row in shared memory: with [`FILLERS`] 15.75 KiB a block.
const NEAR: u32 = 63;
/// The shared memory of such a block.
#[inline(always)]
pub fn lists(arena: &Arena) -> Shared<'_, u32> {
    arena.take(NEAR * FILLERS)
}
/// The columns of a row while they are found: the first in shared memory, the others where they belong.
struct List<'a> {
    near: Shared<'a, u32>,
    lane: u32,
    far: Out<'a, u32>,
    first: u32,
}
impl List<'_> {
    #[inline(always)]
    fn get(&self, slot: u32) -> u32 {
        if slot < NEAR {
            self.near.get(FILLERS * slot + self.lane)
        } else {
            self.far.get(self.first + BIN * slot)
        }
    }
    #[inline(always)]
    fn set(&self, slot: u32, column: u32) {
        if slot < NEAR {
            self.near.set(FILLERS * slot + self.lane, column);
        } else {
            self.far.set(self.first + BIN * slot, column);
        }
    }
    /// Puts a column into the list of `n`; returns how many there are then.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    fn insert(&self, n: u32, column: u32) -> u32 {
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = (low + high) / 2;
            if self.get(middle) < column {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low < n && self.get(low) == column {
            return n;
        }
        let mut slot = n;
        while slot > low {
            self.set(slot, self.get(slot - 1));
            slot -= 1;
        }
        self.set(low, column);
        n + 1
    }
}
/// Fills the columns of rows. Blocks take [`FILLERS`] rows each, by a counter that is 0 before.
#[inline(always)]
pub fn fill<S: Shape>(
    block: &Block,
    space: &SpaceView<'_>,
    offsets: In<'_, u32>,
    columns: Out<'_, u32>,
    counter: Out<'_, u32>,
) {
    let near = lists(block.arena());
    loop {
        let chunk = block.single(|| atomic::fetch_add(counter, 0, 1, Relaxed, Device));
        if chunk >= space.nodes.div_ceil(FILLERS) {
            return;
        }
        let rest = space.nodes - FILLERS * chunk;
        block.for_each(if rest < FILLERS { rest } else { FILLERS }, |lane| {
            let row = FILLERS * chunk + lane;
            let (first, width) = row_of(offsets, row);
            let list = List { near, lane, far: columns, first };
            let mut n = 0;
            S::cells(space, row, |cell, own| {
                let mut k = 0;
                while k < S::NODES {
                    if k != own {
                        n = list.insert(n, S::node(space, cell, k));
                    }
                    k += 1;
                }
            });
            let last = if n > 0 { list.get(n - 1) } else { row };
            let mut slot = 0;
            while slot < width {
                if slot >= n {
                    columns.set(first + BIN * slot, last);
                } else if slot < NEAR {
                    columns.set(first + BIN * slot, list.get(slot));
                }
                slot += 1;
            }
        });
    }
}

/// Counts the contributions of cells to each place: entry `place + 1` of `counts`; the diagonal follows the
/// places.
#[inline(always)]
pub fn count_parts<S: Shape>(
    block: &Block,
    space: &SpaceView<'_>,
    pattern: PatternView<'_>,
    counts: Out<'_, u32>,
) {
    for_each_row(block, space.nodes, |row| {
        parts::<S>(space, pattern, row, |place, _| counts.set(place + 1, counts.get(place + 1) + 1));
    });
}
/// Lists these contributions, cells ascending: `(cell · nodes + i) · nodes + j`. Afterwards `starts[place]`
/// is where the list of a place begins; before, that is entry `place + 1`.
#[inline(always)]
pub fn list_parts<S: Shape>(
    block: &Block,
    space: &SpaceView<'_>,
    pattern: PatternView<'_>,
    starts: Out<'_, u32>,
    list: Out<'_, u32>,
) {
    for_each_row(block, space.nodes, |row| {
        parts::<S>(space, pattern, row, |place, part| {
            let at = starts.get(place + 1);
            list.set(at, part);
            starts.set(place + 1, at + 1);
        });
    });
}
#[inline(always)]
fn parts<S: Shape>(space: &SpaceView<'_>, pattern: PatternView<'_>, row: u32, mut f: impl FnMut(u32, u32)) {
    let (own, places) = (pattern.row(row), pattern.columns.len() as u32);
    S::cells(space, row, |cell, i| {
        let mut j = 0;
        while j < S::NODES {
            let place = if i == j { places + row } else { pattern.place(own, S::node(space, cell, j)) };
            f(place, (cell * S::NODES + i) * S::NODES + j);
            j += 1;
        }
    });
}

macro_rules! shape_kernels { ($($(#[$doc:meta])* $name:ident: $shape:ty;)*) => { $($(#[$doc])* pub mod $name {
    use super::*;
    /// Columns of rows. Any number of blocks.
    #[kernel(threads = 64, prefix = $name, shared = lists(arena))]
    pub fn columns<'a>(block: &Block, space: SpaceView<'a>, offsets: In<'a, u32>, columns: Out<'a, u32>, counter: Out<'a, u32>) {
        fill::<$shape>(block, &space, offsets, columns, counter);
    }
    /// Contributions to each place. Blocks: rows.
    #[kernel(threads = 128, prefix = $name)]
    pub fn part_counts<'a>(block: &Block, space: SpaceView<'a>, pattern: PatternView<'a>, counts: Out<'a, u32>) {
        count_parts::<$shape>(block, &space, pattern, counts);
    }
    /// Lists of contributions. Blocks: rows.
    #[kernel(threads = 128, prefix = $name)]
    pub fn part_lists<'a>(block: &Block, space: SpaceView<'a>, pattern: PatternView<'a>, starts: Out<'a, u32>, list: Out<'a, u32>) {
        list_parts::<$shape>(block, &space, pattern, starts, list);
    }
})* } }
shape_kernels! {
    /// Kernels of tetrahedra of order 1.
    tet1: Tetrahedron<1>;
    /// Kernels of tetrahedra of order 2.
    tet2: Tetrahedron<2>;
    /// Kernels of tetrahedra of order 3.
    tet3: Tetrahedron<3>;
    /// Kernels of hexahedra.
    hex: Hexahedron;
    /// Kernels of triangles.
    tri: Triangle;
}
