//! Domains: small sets of nodes that depend on each other most, and exact solutions on them.
//!
//! Domains grow as in Kruskal's algorithm, which takes edges by their strength, the strongest first, and
//! joins what they connect, unless it would have too many nodes. In a round all edges that are the strongest
//! at both of their domains join them. That gives what one edge after the other would give.
use super::aggregate::scramble;
use super::cycle::ended;
use super::rows::Rows;
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Arena, Block, Each, In, Out, Parameter, PerThread, Quad, Shared, Vec3, kernel};
use ribbonmesh_linear::{Real, Scalars, Sums, Value};

/// 1 for places above the diagonal whose nodes depend on each other, else 0. Elements: places.
#[kernel(threads = 256)]
pub fn flag_edges<'a>(
    place: Each,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    strengths: In<'a, f32>,
    to: Out<'a, u32>,
) {
    let above = columns.get(place) > rows.get(place);
    to.set(place, (above && strengths.get(place) > 0.0) as u32);
}
/// Each node is a domain. Elements: nodes.
#[kernel(threads = 256)]
pub fn begin_domains<'a>(
    node: Each,
    roots: Out<'a, u32>,
    parents: Out<'a, u32>,
    sizes: Out<'a, u32>,
    best: Out<'a, u64>,
) {
    roots.set(node, node);
    parents.set(node, node);
    sizes.set(node, 1);
    best.set(node, 0);
}

/// Edges between nodes: places of a matrix.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Edges<'a> {
    /// The places.
    pub places: In<'a, u32>,
    /// The row of each place of the matrix.
    pub rows: In<'a, u32>,
    /// The column of each.
    pub columns: In<'a, u32>,
    /// The strength of each.
    pub strengths: In<'a, f32>,
    /// The domain of each node: one of its nodes.
    pub roots: In<'a, u32>,
}
impl Edges<'_> {
    /// The two domains of an edge.
    #[inline(always)]
    fn domains(&self, i: u32) -> (u32, u32) {
        let place = self.places.get(i);
        (self.roots.get(self.rows.get(place)), self.roots.get(self.columns.get(place)))
    }
    /// A number greater than 0 that orders edges: by strength to seven bits, then by a hash. Many edges of a
    /// good mesh have about the same strength; a hash keeps chains of stronger and stronger ones short.
    #[inline(always)]
    fn key(&self, i: u32) -> u64 {
        let place = self.places.get(i);
        key(self.strengths.get(place), place)
    }
}
/// The key of an edge.
#[inline(always)]
pub fn key(strength: f32, place: u32) -> u64 {
    1 << 63 | ((strength.to_bits() >> 16) as u64) << 32 | scramble(place) as u64
}
/// Finds the greatest key at each domain of edges whose domains can be joined. Elements: edges.
#[kernel(threads = 256)]
pub fn propose_joins<'a>(i: Each, most: u32, edges: Edges<'a>, sizes: In<'a, u32>, best: Out<'a, u64>) {
    let (a, b) = edges.domains(i);
    if a != b && sizes.get(a) + sizes.get(b) <= most {
        let key = edges.key(i);
        atomic::fetch_max(best, a, key, Relaxed, Device);
        atomic::fetch_max(best, b, key, Relaxed, Device);
    }
}
/// Joins domains by the edges that are the best of both. Elements: edges.
#[kernel(threads = 256)]
pub fn join_domains<'a>(
    i: Each,
    edges: Edges<'a>,
    best: In<'a, u64>,
    sizes: Out<'a, u32>,
    parents: Out<'a, u32>,
) {
    let (a, b) = edges.domains(i);
    let key = edges.key(i);
    if a != b && best.get(a) == key && best.get(b) == key {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        sizes.set(low, sizes.get(low) + sizes.get(high));
        parents.set(high, low);
    }
}
/// The domains after joins, and no best edges. Elements: nodes.
#[kernel(threads = 256)]
pub fn follow_joins<'a>(node: Each, parents: In<'a, u32>, roots: Out<'a, u32>, best: Out<'a, u64>) {
    // joined by pairs: the parent of a domain of the last round has none
    roots.set(node, parents.get(roots.get(node)));
    best.set(node, 0);
}
/// 1 for edges whose domains can be joined, else 0. Elements: edges.
#[kernel(threads = 256)]
pub fn keep_edges<'a>(i: Each, most: u32, edges: Edges<'a>, sizes: In<'a, u32>, to: Out<'a, u32>) {
    let (a, b) = edges.domains(i);
    to.set(i, (a != b && sizes.get(a) + sizes.get(b) <= most) as u32);
}
/// 1 for nodes that are their own domain, else 0; 0 after the last node. Elements: nodes and one more.
#[kernel(threads = 256)]
pub fn flag_domains<'a>(node: Each, nodes: u32, roots: In<'a, u32>, to: Out<'a, u32>) {
    to.set(node, (node < nodes && roots.get(node) == node) as u32);
}
/// The place of each node in the order of domains. Elements: places of that order.
#[kernel(threads = 256)]
pub fn slots_of_nodes<'a>(slot: Each, nodes: In<'a, u32>, to: Out<'a, u32>) {
    to.set(nodes.get(slot), slot);
}

/// Rows of the largest domain.
pub const MOST: u32 = 64;
/// Domains that a block of threads solves on at once.
pub const TOGETHER: u32 = 4;
/// Tiles of a triangle of the largest domain: a thread has one.
const TILES: u32 = 32;
/// Rows and columns of a tile.
const SIDE: u32 = 8;
/// Words of 16 bytes of a tile.
const WORDS: u32 = SIDE * SIDE / 4;

/// The numbers of a triangle of `n` rows.
#[inline(always)]
fn triangle(n: u32) -> u32 {
    n * (n + 1) / 2
}
/// The rows of tiles of a domain of `n` nodes.
#[inline(always)]
fn sides(n: u32) -> u32 {
    n.div_ceil(SIDE)
}
/// The tiles of a triangle with so many rows of tiles: those beside the diagonal, and one for each two on it,
/// of which a half each is 0.
#[inline(always)]
fn tiles_of(sides: u32) -> u32 {
    if sides == 0 { 0 } else { triangle(sides - 1) + sides.div_ceil(2) }
}
/// The place of a tile. Where row and column are the same, it has two of the diagonal below their own
/// diagonals: this one below the tile's diagonal, and above it, with rows as columns, that of row `other`.
#[derive(Clone, Copy)]
struct TileAt {
    row: u32,
    column: u32,
    /// As many as there are rows of tiles where there is none.
    other: u32,
}
impl TileAt {
    #[inline(always)]
    fn new(tile: u32, sides: u32) -> Self {
        let beside = triangle(sides - 1);
        if tile >= beside {
            let row = tile - beside;
            let other = row + sides.div_ceil(2);
            return Self { row, column: row, other };
        }
        let mut row = 1;
        while triangle(row) <= tile {
            row += 1;
        }
        Self { row, column: tile - triangle(row - 1), other: sides }
    }
    #[inline(always)]
    fn on_diagonal(self) -> bool {
        self.row == self.column
    }
}
/// The words of each domain's tiles; 0 after the last one. Elements: domains and one more.
#[kernel(threads = 256)]
pub fn words_of_domains<'a>(domain: Each, domains: u32, starts: In<'a, u32>, to: Out<'a, u32>) {
    let n = if domain < domains { starts.get(domain + 1) - starts.get(domain) } else { 0 };
    to.set(domain, WORDS * tiles_of(sides(n)));
}

/// Pivots below this part of the diagonal count as this part: a matrix that has been rounded to single
/// precision may have lost them.
const LEAST: f64 = 1e-7;

type FactorRoom<'b> = (Shared<'b, f64>, Shared<'b, f64>, Shared<'b, f64>);
fn factor_room(arena: &Arena, most: u32) -> FactorRoom<'_> {
    (arena.take(triangle(most)), arena.take(most), arena.take(2 * most))
}
/// The inverse of each domain's part of a matrix, as Uᵀ D U: U is the inverse of the factor L of L D⁻¹ Lᵀ, a
/// lower triangle with ones on its diagonal, by tiles; D is positive. That is positive definite however U and
/// D are rounded. `wrong[0]` becomes the smallest node whose diagonal is not positive. Blocks: domains.
#[kernel(threads = 64, shared = factor_room(arena, most))]
pub fn factor_domains<'a>(
    block: &Block,
    most: u32,
    groups: GroupsView<'a>,
    of: In<'a, u32>,
    slots: In<'a, u32>,
    rows: Rows<'a>,
    values: In<'a, f64>,
    offsets: In<'a, u32>,
    to: Out<'a, Quad>,
    pivots: Out<'a, f32>,
    wrong: Out<'a, u32>,
) {
    let (a, inverse, columns) = factor_room(block.arena(), most);
    let domain = block.index();
    let (first, end) = groups.range(domain);
    let n = end - first;
    block.for_each(triangle(n), |k| a.set(k, 0.0));
    block.for_each(n, |i| {
        let node = groups.places.get(first + i);
        let (mut k, last) = rows.range(node);
        while k < last {
            let other = rows.columns.get(k);
            if of.get(other) == domain {
                let j = slots.get(other) - first;
                if j <= i {
                    a.set(triangle(i) + j, values.get(k));
                }
            }
            k += 1;
        }
        let positive = a.get(triangle(i) + i) > 0.0;
        if !positive {
            atomic::fetch_min(wrong, 0, node, Relaxed, Device);
        }
    });
    // a becomes L D below the diagonal, the pivots' inverses are apart
    let mut p = 0;
    while p < n {
        block.for_each(n - p, |k| {
            let i = p + k;
            let own = a.get(triangle(i) + p);
            let (mut sum, mut l) = (own, 0);
            while l < p {
                sum -= a.get(triangle(i) + l) * a.get(triangle(p) + l) * inverse.get(l);
                l += 1;
            }
            if i > p {
                a.set(triangle(i) + p, sum);
            } else {
                let pivot = if sum > LEAST * own { sum } else { LEAST * own };
                inverse.set(p, if own > 0.0 { 1.0 / pivot } else { 0.0 });
            }
        });
        p += 1;
    }
    // the inverse of L in place, from the last column on; two columns take turns, so that one barrier is
    // enough
    let mut c = n;
    while c > 0 {
        c -= 1;
        let column = (c & 1) * most;
        block.for_each(n - c, |k| columns.set(column + k, a.get(triangle(c + k) + c) * inverse.get(c)));
        block.for_each_nosync(n - c, |k| {
            if k > 0 {
                let (row, mut sum, mut l) = (triangle(c + k) + c, columns.get(column + k), 1);
                while l < k {
                    sum += a.get(row + l) * columns.get(column + l);
                    l += 1;
                }
                a.set(row, -sum);
            }
        });
    }
    block.sync();
    block.for_each_nosync(n, |i| pivots.set(first + i, inverse.get(i) as f32));
    let (sides, base) = (sides(n), offsets.get(domain));
    let tiles = tiles_of(sides);
    block.for_each_nosync(WORDS * tiles, |k| {
        let (word, at) = (k / tiles, TileAt::new(k % tiles, sides));
        let (row, column) = (word / 2, 4 * (word % 2));
        let number = |k: u32| {
            let (mut i, mut j) = (SIDE * at.row + row, SIDE * at.column + column + k);
            if at.on_diagonal() && row < column + k {
                (i, j) = (SIDE * at.other + column + k, SIDE * at.other + row);
            }
            if j < i && i < n { a.get(triangle(i) + j) as f32 } else { 0.0 }
        };
        to.set(base + k, Quad(bytemuck::cast([number(0), number(1), number(2), number(3)])));
    });
}

/// Numbers of a node that a thread has at once.
trait Several: Value<Real = f32> {
    const ZERO: Self;
    fn of(word: Quad) -> Self;
    fn word(self) -> Quad;
}
impl Several for Vec3 {
    const ZERO: Self = Self::ZERO;
    #[inline(always)]
    fn of(word: Quad) -> Self {
        let [x, y, z, _] = four(word);
        Self::new(x, y, z)
    }
    #[inline(always)]
    fn word(self) -> Quad {
        Quad(bytemuck::cast([self.x, self.y, self.z, 0.0]))
    }
}
impl Several for [f32; 4] {
    const ZERO: Self = [0.0; 4];
    #[inline(always)]
    fn of(word: Quad) -> Self {
        four(word)
    }
    #[inline(always)]
    fn word(self) -> Quad {
        Quad(bytemuck::cast(self))
    }
}
/// The four numbers of a word.
#[inline(always)]
fn four(word: Quad) -> [f32; 4] {
    bytemuck::cast(word.0)
}

/// The words of a tile.
type Tile = [Quad; WORDS as usize];
/// The body for each number below eight, unrolled by hand: arrays must become registers.
macro_rules! eight {
    ($k:ident => $body:expr) => { eight!(@ $k $body; 0 1 2 3 4 5 6 7) };
    (@ $k:ident $body:expr; $($n:literal)*) => {{ $({ const $k: usize = $n; $body; })* }};
}
/// Number `row`, `column` of a tile.
#[inline(always)]
fn number<const TURNED: bool>(tile: &Tile, row: usize, column: usize) -> f32 {
    let (row, column) = if TURNED { (column, row) } else { (row, column) };
    four(tile[2 * row + column / 4])[column % 4]
}
/// Products of a tile's triangles with the numbers of eight nodes each, `TURNED` of its transpose: `from` has
/// the numbers of a node, `to` gets the tile of a row and a column, a row in it, and its sum.
#[inline(always)]
fn product<V: Several, const TURNED: bool>(
    tile: &Tile,
    at: TileAt,
    sides: u32,
    from: impl Fn(u32) -> V,
    to: impl Fn(u32, u32, V),
) {
    let all = if at.on_diagonal() { 0.0 } else { 1.0 };
    let own = if TURNED { at.row } else { at.column };
    let mut sums = [V::ZERO; 8];
    eight!(I => {
        let x = from(SIDE * own + I as u32);
        eight!(O => {
            let by = number::<TURNED>(tile, O, I);
            let inside = if TURNED { I > O } else { O > I };
            sums[O] = sums[O].plus(if inside { by } else { by * all }, x);
        })
    });
    let place = triangle(at.row) + at.column;
    eight!(O => to(place, O as u32, sums[O]));
    if at.on_diagonal() && at.other < sides {
        let mut sums = [V::ZERO; 8];
        eight!(I => {
            let x = from(SIDE * at.other + I as u32);
            eight!(O => {
                if if TURNED { I > O } else { O > I } {
                    sums[O] = sums[O].plus(number::<TURNED>(tile, I, O), x);
                }
            })
        });
        let place = triangle(at.other) + at.other;
        eight!(O => to(place, O as u32, sums[O]));
    }
}

/// The domains of a block of threads.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Domains<'a> {
    /// Their nodes.
    pub groups: GroupsView<'a>,
    /// The first word of each domain's tiles, and the end.
    pub offsets: In<'a, u32>,
    /// U, by tiles.
    pub tiles: In<'a, Quad>,
    /// D.
    pub pivots: In<'a, f32>,
}
/// A row of a domain of a block, and its places in memory.
#[derive(Clone, Copy)]
struct Row {
    /// In the order of domains.
    slot: u32,
    /// In the domain.
    row: u32,
    /// Rows of tiles of the domain.
    sides: u32,
    /// Whether there is one: beyond the domain's nodes there are zeros up to a whole tile.
    inside: bool,
}
impl Domains<'_> {
    #[inline(always)]
    fn count(&self) -> u32 {
        self.offsets.len() as u32 - 1
    }
    /// The nodes before domain `which` of a block, and those of that domain; none beyond the last one.
    #[inline(always)]
    fn of(&self, block: &Block, which: u32) -> (u32, u32) {
        let domain = TOGETHER * block.index() + which;
        if domain >= self.count() {
            return (0, 0);
        }
        let (first, end) = self.groups.range(domain);
        (first, end - first)
    }
    #[inline(always)]
    fn row(&self, block: &Block, k: u32) -> Row {
        let (first, n) = self.of(block, k / MOST);
        let row = k % MOST;
        Row { slot: first + row, row, sides: sides(n), inside: row < n }
    }
}
/// Words of the numbers of a domain's rows in shared memory, one more for each tile, so that threads that
/// read those of different tiles do so from different banks.
const ROWS: u32 = (SIDE + 1) * SIDE;
/// The same of sums of rows of all tiles.
const PARTS: u32 = (SIDE + 1) * SIDE * (SIDE + 1) / 2;
#[inline(always)]
fn padded(row: u32) -> u32 {
    row + row / SIDE
}

/// Numbers of rows, those between the two products, and parts of sums.
#[derive(Clone, Copy)]
struct SolveRoom<'b> {
    x: Shared<'b, Quad>,
    y: Shared<'b, Quad>,
    parts: Shared<'b, Quad>,
}
fn solve_room(arena: &Arena) -> SolveRoom<'_> {
    let (x, y) = (arena.take(TOGETHER * ROWS), arena.take(TOGETHER * ROWS));
    SolveRoom { x, y, parts: arena.take(TOGETHER * PARTS) }
}
/// The tiles of a block's domains, in registers.
type Tiles<'b> = PerThread<'b, Tile, 1>;
#[inline(always)]
fn tiles<'b>(block: &'b Block, domains: &Domains<'_>) -> Tiles<'b> {
    block.per_thread::<Tile, 1>(TOGETHER * TILES, |k| {
        let (which, tile) = (k / TILES, k % TILES);
        let (_, n) = domains.of(block, which);
        let count = tiles_of(sides(n));
        let mut words = [Quad::default(); WORDS as usize];
        if tile < count {
            let at = domains.offsets.get(TOGETHER * block.index() + which) + tile;
            eight!(K => words[K] = domains.tiles.get(at + K as u32 * count));
            eight!(K => words[8 + K] = domains.tiles.get(at + (8 + K as u32) * count));
        }
        words
    })
}
impl<'b> SolveRoom<'b> {
    /// Sets the numbers of row `k` of a block, before [`SolveRoom::solve`].
    #[inline(always)]
    fn set<V: Several>(&self, k: u32, numbers: V) {
        self.x.set(k / MOST * ROWS + padded(k % MOST), numbers.word());
    }
    /// The numbers of row `k`.
    #[inline(always)]
    fn get<V: Several>(&self, k: u32) -> V {
        V::of(self.x.get(k / MOST * ROWS + padded(k % MOST)))
    }
    /// All of the solution but for the last sums, which [`SolveRoom::solution`] adds. A barrier separates it
    /// from [`SolveRoom::set`]; ends with a barrier.
    #[inline(always)]
    fn solve<V: Several>(&self, block: &Block, domains: &Domains<'_>, tiles: &Tiles<'_>) {
        let Self { x, y, parts } = *self;
        let each = |k: u32, tile: Tile, turned: bool| {
            let (which, at) = (k / TILES, k % TILES);
            let sides = sides(domains.of(block, which).1);
            if at < tiles_of(sides) {
                let at = TileAt::new(at, sides);
                let to = |tile: u32, row: u32, sum: V| {
                    parts.set(which * PARTS + (SIDE + 1) * tile + row, sum.word());
                };
                if turned {
                    product::<V, true>(&tile, at, sides, |i| V::of(y.get(which * ROWS + padded(i))), to);
                } else {
                    product::<V, false>(&tile, at, sides, |i| V::of(x.get(which * ROWS + padded(i))), to);
                }
            }
        };
        tiles.for_each(|k, tile| each(k, tile, false));
        block.for_each(TOGETHER * MOST, |k| {
            let row = domains.row(block, k);
            if row.row < SIDE * row.sides {
                let (mut sum, by) = (V::ZERO, if row.inside { domains.pivots.get(row.slot) } else { 0.0 });
                let (side, mut column) = (row.row / SIDE, 0);
                while column <= side {
                    sum = sum.plus(1.0, self.part(k, triangle(side) + column));
                    column += 1;
                }
                sum = sum.plus(1.0, self.get(k));
                y.set(k / MOST * ROWS + padded(k % MOST), V::ZERO.plus(by, sum).word());
            }
        });
        tiles.for_each(|k, tile| each(k, tile, true));
    }
    #[inline(always)]
    fn part<V: Several>(&self, k: u32, tile: u32) -> V {
        V::of(self.parts.get(k / MOST * PARTS + (SIDE + 1) * tile + k % SIDE))
    }
    /// The solution at row `k` of a block.
    #[inline(always)]
    fn solution<V: Several>(&self, k: u32, row: Row) -> V {
        let (column, mut side) = (row.row / SIDE, row.row / SIDE);
        let mut sum = V::of(self.y.get(k / MOST * ROWS + padded(row.row)));
        while side < row.sides {
            sum = sum.plus(1.0, self.part(k, triangle(side) + column));
            side += 1;
        }
        sum
    }
}

/// z = M r, in single precision. A thread has a tile, and four lanes at once. Blocks: [`TOGETHER`] domains
/// each.
#[kernel(for V in [f32, f64], threads = 128, shared = solve_room(arena))]
pub fn solve_domains<'a, V: Real>(
    block: &Block,
    lanes: u32,
    state: In<'a, f64>,
    domains: Domains<'a>,
    r: In<'a, V>,
    z: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    let room = solve_room(block.arena());
    let tiles = tiles(block, &domains);
    let mut lane = 0;
    while lane < lanes {
        block.for_each(TOGETHER * MOST, |k| {
            let row = domains.row(block, k);
            let mut numbers = [0.0; 4];
            if row.inside {
                let at = domains.groups.places.get(row.slot) * lanes + lane;
                let number = |k: u32| if lane + k < lanes { r.get(at + k).to_f64() as f32 } else { 0.0 };
                numbers = [number(0), number(1), number(2), number(3)];
            }
            room.set(k, numbers);
        });
        room.solve::<[f32; 4]>(block, &domains, &tiles);
        block.for_each_nosync(TOGETHER * MOST, |k| {
            let row = domains.row(block, k);
            if row.inside {
                let at = domains.groups.places.get(row.slot) * lanes + lane;
                let [a, b, c, d] = room.solution(k, row);
                let set = |k: u32, number: f32| {
                    if lane + k < lanes {
                        z.set(at + k, V::from_f64(number as f64));
                    }
                };
                set(0, a);
                set(1, b);
                set(2, c);
                set(3, d);
            }
        });
        lane += 4;
    }
}

/// Vectors of three numbers for each node, in words of 16 bytes, in the order of domains.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Steps<'a> {
    /// The direction; empty at the beginning of a solve, and so is q.
    pub p: In<'a, Quad>,
    /// The matrix times the direction.
    pub q: In<'a, Quad>,
    /// The solution.
    pub x: Out<'a, Quad>,
    /// The residual.
    pub r: Out<'a, Quad>,
    /// S M r, to be written.
    pub z: Out<'a, Quad>,
}
/// x += α p, r -= α q, z = S M r, and the scalars that follow from r·r and r·M r; with no direction z and the
/// scalars with which a solve begins. Blocks: [`TOGETHER`] domains each.
#[kernel(threads = 128, shared = solve_room(arena))]
pub fn advance_domains<'a>(
    block: &Block,
    scalars: Scalars<'a>,
    domains: Domains<'a>,
    scales: In<'a, f32>,
    to: Steps<'a>,
) {
    let begins = to.p.is_empty();
    if !begins && scalars.done() {
        return;
    }
    let room = solve_room(block.arena());
    let tiles = tiles(block, &domains);
    let alpha = if begins { 0.0 } else { scalars.alpha::<f32>() };
    block.for_each(TOGETHER * MOST, |k| {
        let row = domains.row(block, k);
        let mut left = Vec3::ZERO;
        if row.inside {
            left = Several::of(to.r.get(row.slot));
            if !begins {
                let [p, q, x] = [to.p.get(row.slot), to.q.get(row.slot), to.x.get(row.slot)].map(Vec3::of);
                left = left.plus(-alpha, q);
                to.x.set(row.slot, x.plus(alpha, p).word());
                to.r.set(row.slot, left.word());
            }
        }
        room.set(k, left);
    });
    room.solve::<Vec3>(block, &domains, &tiles);
    let sums = block.reduce(
        TOGETHER * MOST,
        [0.0; 2],
        |k| {
            let row = domains.row(block, k);
            if !row.inside {
                return [0.0; 2];
            }
            let (r, z) = (room.get::<Vec3>(k), room.solution::<Vec3>(k, row));
            to.z.set(row.slot, (z * scales.get(row.slot)).word());
            [Value::dot(r, r), Value::dot(r, z)]
        },
        Sums::plus,
    );
    if begins { scalars.begin(block, sums) } else { scalars.residual(block, sums) }
}
