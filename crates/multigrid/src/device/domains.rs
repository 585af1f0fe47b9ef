//! Domains: small sets of nodes that depend on each other most, and exact solutions on them.
//!
//! Domains grow as in Kruskal's algorithm, which takes edges by their strength, the strongest first, and
//! joins what they connect, unless it would have too many nodes. In a round all edges that are the strongest
//! at both of their domains join them. That gives what one edge after the other would give. Rounds are many,
//! 80 for a scan, and most of them have few edges, so that they are one launch.
use super::aggregate::scramble;
use super::cycle::ended;
use super::panels::{FactorRoom, PANEL, factor_room};
use super::rows::Rows;
use super::tiles::{LANES, RowAt, SIDE, STRIDE, TileAt, WORDS, sides, tiles_of, triangle};
use ribbonmesh::array::GroupsView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{
    Arena, Block, Each, Grid, In, Out, Parameter, PerThread, Quad, Shared, Vec3, kernel,
};
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
pub fn begin_domains<'a>(node: Each, parents: Out<'a, u32>, sizes: Out<'a, u32>, best: Out<'a, u64>) {
    parents.set(node, node);
    sizes.set(node, 1);
    best.set(node, 0);
}

/// An edge in a word of 16 bytes: the domains of both ends when they were last asked for, and a number that
/// orders edges, by strength to seven bits, then by a hash. Many edges of a good mesh have about the same
/// strength; a hash keeps chains of stronger and stronger ones short.
#[derive(Clone, Copy)]
struct Edge {
    ends: [u32; 2],
    key: u64,
}
impl Edge {
    #[inline(always)]
    fn new(ends: [u32; 2], strength: f32, place: u32) -> Self {
        Self { ends, key: ((strength.to_bits() >> 16) as u64) << 32 | scramble(place) as u64 }
    }
    #[inline(always)]
    fn of(Quad([a, b, low, high]): Quad) -> Self {
        Self { ends: [a, b], key: (high as u64) << 32 | low as u64 }
    }
    #[inline(always)]
    fn word(self) -> Quad {
        Quad([self.ends[0], self.ends[1], self.key as u32, (self.key >> 32) as u32])
    }
    /// The key in a round, greater than all keys of earlier rounds.
    #[inline(always)]
    fn key_in(self, round: u32) -> u64 {
        (round as u64) << 48 | self.key
    }
}
/// Rounds that keys tell apart.
const ROUNDS: u32 = 0xffff;

/// Lists edges by the places of a matrix. Elements: edges.
#[kernel(threads = 256)]
pub fn list_edges<'a>(
    i: Each,
    places: In<'a, u32>,
    rows: In<'a, u32>,
    columns: In<'a, u32>,
    strengths: In<'a, f32>,
    to: Out<'a, Quad>,
) {
    let place = places.get(i);
    let ends = [rows.get(place), columns.get(place)];
    to.set(i, Edge::new(ends, strengths.get(place), place).word());
}
/// Domains that grow.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Growth<'a> {
    /// The edges; those that can join nothing more are taken out.
    pub edges: Out<'a, Quad>,
    /// The edges of each block: the end of its part; then, three times, those of all blocks.
    pub counters: Out<'a, u32>,
    /// The domain that each domain has joined; itself, if none.
    pub parents: Out<'a, u32>,
    /// The nodes of each domain.
    pub sizes: Out<'a, u32>,
    /// The greatest key at each domain.
    pub best: Out<'a, u64>,
}
/// Joins domains until no edge can, to at most `most` nodes. In a round, the greatest key is found at each
/// domain of all edges whose domains can be joined; then those that are the greatest of both join them. The
/// greatest of all keys joins two domains, so this ends. A resident launch, with at most `most_blocks`
/// blocks.
#[kernel(threads = 512)]
pub fn grow_domains<'a>(block: &Block, grid: Grid, most: u32, most_blocks: u32, of: Growth<'a>) {
    let Growth { edges, counters, parents, sizes, best } = of;
    let (n, blocks) = (edges.len() as u32, block.count());
    let each = n.div_ceil(blocks);
    let first = if each * block.index() < n { each * block.index() } else { n };
    let mut len = if n - first < each { n - first } else { each };
    let mut round = 1;
    loop {
        if round > ROUNDS {
            let nodes = best.len() as u32;
            let part = nodes.div_ceil(blocks);
            block.for_each_nosync(part, |k| {
                let node = part * block.index() + k;
                if node < nodes {
                    best.set(node, 0);
                }
            });
            block.grid_sync(grid);
            round = 1;
        }
        block.single_nosync(|| counters.set(block.index(), first));
        block.sync();
        block.append(len, edges, counters, block.index(), |i| {
            let mut edge = Edge::of(edges.get(first + i));
            // domains join by pairs: the parent of a domain of the last round has joined none
            let [a, b] = edge.ends.map(|domain| parents.get(domain));
            if a == b || sizes.get(a) + sizes.get(b) > most {
                return None;
            }
            edge.ends = [a, b];
            atomic::fetch_max(best, a, edge.key_in(round), Relaxed, Device);
            atomic::fetch_max(best, b, edge.key_in(round), Relaxed, Device);
            Some(edge.word())
        });
        block.sync();
        len = atomic::load(counters, block.index(), Relaxed, Device) - first;
        let all = most_blocks + round % 3;
        block.single_nosync(|| {
            atomic::fetch_add(counters, all, len, Relaxed, Device);
        });
        block.grid_sync(grid);
        if atomic::load(counters, all, Relaxed, Device) == 0 {
            return;
        }
        block.for_each_nosync(len, |i| {
            let edge = Edge::of(edges.get(first + i));
            let ([a, b], key) = (edge.ends, edge.key_in(round));
            if best.get(a) == key && best.get(b) == key {
                let (low, high) = if a < b { (a, b) } else { (b, a) };
                sizes.set(low, sizes.get(low) + sizes.get(high));
                parents.set(high, low);
            }
        });
        // all have read it a round before the last
        let next = most_blocks + (round + 1) % 3;
        if block.index() == 0 {
            block.single_nosync(|| counters.set(next, 0));
        }
        block.grid_sync(grid);
        round += 1;
    }
}
/// The domain of each node: the one that was joined last. Elements: nodes.
#[kernel(threads = 256)]
pub fn follow_joins<'a>(node: Each, parents: In<'a, u32>, roots: Out<'a, u32>) {
    let mut root = node;
    let mut parent = parents.get(root);
    while parent != root {
        root = parent;
        parent = parents.get(root);
    }
    roots.set(node, root);
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

/// The tiles of each domain; 0 after the last one. Elements: domains and one more.
#[kernel(threads = 256)]
pub fn tiles_of_domains<'a>(domain: Each, domains: u32, starts: In<'a, u32>, to: Out<'a, u32>) {
    let n = if domain < domains { starts.get(domain + 1) - starts.get(domain) } else { 0 };
    to.set(domain, tiles_of(sides(n)));
}
/// The first tile and the first row of each block of threads, and the end: a row in the upper half of a
/// number. `offsets` has the first tile of each domain, and the end. Elements: domains and one more.
#[kernel(threads = 256)]
pub fn begin_blocks<'a>(domain: Each, offsets: In<'a, u32>, starts: In<'a, u32>, to: Out<'a, u64>) {
    let (first, end) = (offsets.get(domain), (domain as usize) + 1 == offsets.len());
    let begin = (starts.get(domain) as u64) << 32 | first as u64;
    let before = if domain > 0 { offsets.get(domain - 1) / STRIDE + 1 } else { 0 };
    let mut block = before;
    // a block has no domain only after the last one
    while if end { (block as usize) < to.len() } else { block <= first / STRIDE } {
        to.set(block, begin);
        block += 1;
    }
}

/// The memory that [`factor_domains`] writes.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Factors<'a> {
    /// U, by tiles: the words of a block's tiles take turns.
    pub tiles: Out<'a, Quad>,
    /// The place of each tile.
    pub places: Out<'a, u32>,
    /// The domain of each row, in the order of domains, and its place in it.
    pub rows: Out<'a, u32>,
    /// D.
    pub pivots: Out<'a, f32>,
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
    blocks: In<'a, u64>,
    to: Factors<'a>,
    wrong: Out<'a, u32>,
) {
    let room = factor_room(block.arena(), most);
    let FactorRoom { a, inverse, .. } = room;
    let domain = block.index();
    let (first, end) = groups.range(domain);
    let n = end - first;
    // rows of the unit matrix up to a whole panel
    let rows_of_panels = n.next_multiple_of(PANEL);
    block.for_each(triangle(rows_of_panels), |k| a.set(k, 0.0));
    block.for_each(rows_of_panels, |i| {
        if i >= n {
            a.set(triangle(i) + i, 1.0);
            inverse.set(i, 1.0);
            return;
        }
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
        let own = a.get(triangle(i) + i);
        inverse.set(i, own);
        let positive = own > 0.0;
        if !positive {
            atomic::fetch_min(wrong, 0, node, Relaxed, Device);
        }
    });
    room.factor(block, rows_of_panels);
    room.invert(block, rows_of_panels);
    let (sides, of_domain) = (sides(n), offsets.get(domain));
    let of_block = of_domain / STRIDE;
    let (begin, end) = (blocks.get(of_block) as u32, blocks.get(of_block + 1) as u32);
    let (tile, all) = (of_domain - begin, end - begin);
    block.for_each_nosync(n, |i| {
        to.pivots.set(first + i, inverse.get(i) as f32);
        to.rows.set(first + i, RowAt { tile, row: i, last: n - 1 }.code());
    });
    let tiles = tiles_of(sides);
    block.for_each_nosync(tiles, |k| to.places.set(of_domain + k, TileAt::new(k, sides, tile).code()));
    block.for_each_nosync(WORDS * tiles, |k| {
        let (word, at) = (k / tiles, TileAt::new(k % tiles, sides, 0));
        let (row, column) = (word / 2, 4 * (word % 2));
        let number = |k: u32| {
            let (mut i, mut j) = (SIDE * at.row + row, SIDE * at.column + column + k);
            if at.on_diagonal() && row < column + k {
                let other = if at.other == at.row { sides } else { at.other };
                (i, j) = (SIDE * other + column + k, SIDE * other + row);
            }
            if j < i && i < n { a.get(triangle(i) + j) as f32 } else { 0.0 }
        };
        let numbers = [number(0), number(1), number(2), number(3)];
        to.tiles.set(WORDS * begin + word * all + tile + k % tiles, Quad(bytemuck::cast(numbers)));
    });
}

/// Numbers of a node that a thread has at once.
trait Several: Value<Real = f32> {
    const ZERO: Self;
    fn of(word: Quad) -> Self;
    /// A word of them, with another number where there is room for one.
    fn word(self, other: f32) -> Quad;
}
impl Several for Vec3 {
    const ZERO: Self = Self::ZERO;
    #[inline(always)]
    fn of(word: Quad) -> Self {
        let [x, y, z, _] = four(word);
        Self::new(x, y, z)
    }
    #[inline(always)]
    fn word(self, other: f32) -> Quad {
        Quad(bytemuck::cast([self.x, self.y, self.z, other]))
    }
}
impl Several for [f32; 4] {
    const ZERO: Self = [0.0; 4];
    #[inline(always)]
    fn of(word: Quad) -> Self {
        four(word)
    }
    #[inline(always)]
    fn word(self, _: f32) -> Quad {
        Quad(bytemuck::cast(self))
    }
}
/// The four numbers of a word.
#[inline(always)]
fn four(word: Quad) -> [f32; 4] {
    bytemuck::cast(word.0)
}

/// The words of a tile, and one with its place.
type Tile = [Quad; WORDS as usize + 1];
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
/// Whether a number of a tile is in the triangle below its diagonal.
#[inline(always)]
fn is_inside<const TURNED: bool>(row: usize, column: usize) -> bool {
    if TURNED { column > row } else { row > column }
}
/// Products of a tile's triangles with the numbers of eight nodes each, `TURNED` of its transpose: `from` has
/// the numbers of a node of a block, `to` gets the part of sums, a row, and its sum.
#[inline(always)]
fn product<V: Several, const TURNED: bool>(
    tile: &Tile,
    lane: u32,
    at: TileAt,
    from: impl Fn(u32, u32) -> V,
    to: impl Fn(u32, u32, V),
) {
    let all = if at.on_diagonal() { 0.0 } else { 1.0 };
    let own = if TURNED { at.row } else { at.column };
    let mut sums = [V::ZERO; 8];
    eight!(I => {
        let x = from(own, I as u32);
        eight!(O => {
            let by = number::<TURNED>(tile, O, I);
            let inside = is_inside::<TURNED>(O, I);
            sums[O] = sums[O].plus(if inside { by } else { by * all }, x);
        })
    });
    eight!(O => to(lane, O as u32, sums[O]));
    if at.other != at.row {
        let mut sums = [V::ZERO; 8];
        eight!(I => {
            let x = from(at.other, I as u32);
            eight!(O => {
                if is_inside::<TURNED>(O, I) {
                    sums[O] = sums[O].plus(number::<TURNED>(tile, I, O), x);
                }
            })
        });
        eight!(O => to(at.part, O as u32, sums[O]));
    }
}

/// Domains with all that solutions on them need.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Domains<'a> {
    /// The first tile and the first row of each block, and the end.
    pub blocks: In<'a, u64>,
    /// U, by tiles.
    pub tiles: In<'a, Quad>,
    /// The place of each tile.
    pub places: In<'a, u32>,
    /// The domain and the place of each row.
    pub rows: In<'a, u32>,
    /// D.
    pub pivots: In<'a, f32>,
}
/// Tiles and rows of a block.
#[derive(Clone, Copy)]
struct Extent {
    tile: u32,
    tiles: u32,
    row: u32,
    rows: u32,
}
impl Domains<'_> {
    /// The number of blocks.
    #[inline(always)]
    fn count(&self) -> u32 {
        self.blocks.len() as u32 - 1
    }
    #[inline(always)]
    fn extent(&self, block: u32) -> Extent {
        let (begin, end) = (self.blocks.get(block), self.blocks.get(block + 1));
        let (tile, row) = (begin as u32, (begin >> 32) as u32);
        Extent { tile, tiles: end as u32 - tile, row, rows: (end >> 32) as u32 - row }
    }
    /// The tiles of a block, in registers.
    #[inline(always)]
    fn tiles<'b>(&self, block: &'b Block, of: Extent) -> PerThread<'b, Tile, 1> {
        let domains = *self;
        block.per_thread(of.tiles, |k| {
            let at = WORDS * of.tile + k;
            let mut words = [Quad::default(); WORDS as usize + 1];
            eight!(K => words[K] = domains.tiles.get(at + K as u32 * of.tiles));
            eight!(K => words[8 + K] = domains.tiles.get(at + (8 + K as u32) * of.tiles));
            words[WORDS as usize] = Quad([domains.places.get(of.tile + k), 0, 0, 0]);
            words
        })
    }
}

/// Numbers of rows and parts of sums, by words. A word is left out after every eighth, so that threads that
/// read those of different tiles do so from different banks.
#[derive(Clone, Copy)]
struct SolveRoom<'b> {
    rows: Shared<'b, Quad>,
    parts: Shared<'b, Quad>,
}
fn solve_room(arena: &Arena) -> SolveRoom<'_> {
    let rows = arena.take((SIDE + 1) * LANES);
    SolveRoom { rows, parts: arena.take((SIDE + 1) * (LANES + LANES / 2 + 1)) }
}
#[inline(always)]
fn padded(side: u32, row: u32) -> u32 {
    (SIDE + 1) * side + row
}
impl SolveRoom<'_> {
    /// Sets the numbers of a row, and, by its last one, those after a domain to 0, up to a whole tile. Where
    /// there is room, another number goes with them.
    #[inline(always)]
    fn set<V: Several>(&self, at: RowAt, numbers: V, other: f32) {
        self.rows.set(padded(at.tile, at.row + at.side()), numbers.word(other));
        let mut row = at.row + 1;
        while at.row == at.last && !row.is_multiple_of(SIDE) {
            self.rows.set(padded(at.tile, row + at.side()), Quad::default());
            row += 1;
        }
    }
    #[inline(always)]
    fn get<V: Several>(&self, at: RowAt) -> V {
        V::of(self.rows.get(padded(at.tile, at.row + at.side())))
    }
    /// The number that goes with those of a row.
    #[inline(always)]
    fn other(&self, at: RowAt) -> f32 {
        four(self.rows.get(padded(at.tile, at.row + at.side())))[3]
    }
    /// All of the solution but for the last sums, which [`SolveRoom::solution`] adds. A barrier separates it
    /// from [`SolveRoom::set`]; ends with a barrier.
    #[inline(always)]
    fn solve<V: Several>(
        &self,
        block: &Block,
        domains: &Domains<'_>,
        of: Extent,
        tiles: &PerThread<'_, Tile, 1>,
    ) {
        let Self { rows, parts } = *self;
        let from = |side: u32, row: u32| V::of(rows.get(padded(side, row)));
        let to = |part: u32, row: u32, sum: V| parts.set(padded(part, row), sum.word(0.0));
        let place = |tile: &Tile| TileAt::from_code(tile[WORDS as usize].0[0]);
        let first = || {
            tiles.for_each(|k, tile| product::<V, false>(&tile, k, place(&tile), from, to));
        };
        block.for_each_ahead_nosync::<[u32; 2], 2>(
            of.rows,
            |k| [domains.rows.get(of.row + k), domains.pivots.get(of.row + k).to_bits()],
            first,
            |_, [code, pivot]| {
                let at = RowAt::from_code(code);
                let (mut sum, mut column) = (self.get::<V>(at), 0);
                while column <= at.side() {
                    sum = sum.plus(1.0, self.part(at, at.part(at.side(), column)));
                    column += 1;
                }
                self.set(at, V::ZERO.plus(f32::from_bits(pivot), sum), self.other(at));
            },
        );
        block.sync();
        tiles.for_each(|k, tile| product::<V, true>(&tile, k, place(&tile), from, to));
    }
    #[inline(always)]
    fn part<V: Several>(&self, at: RowAt, part: u32) -> V {
        V::of(self.parts.get(padded(part, at.row % SIDE)))
    }
    /// The solution at a row.
    #[inline(always)]
    fn solution<V: Several>(&self, at: RowAt) -> V {
        let mut sum = self.get::<V>(at);
        let mut side = at.side();
        while side < at.sides() {
            sum = sum.plus(1.0, self.part(at, at.part(side, at.side())));
            side += 1;
        }
        sum
    }
}

/// z = M r, in single precision. A thread has a tile, and four lanes at once. Blocks: those of `domains`.
#[kernel(for V in [f32, f64], threads = 128, shared = solve_room(arena))]
pub fn solve_domains<'a, V: Real>(
    block: &Block,
    lanes: u32,
    state: In<'a, f64>,
    order: In<'a, u32>,
    domains: Domains<'a>,
    r: In<'a, V>,
    z: Out<'a, V>,
) {
    if ended(state) {
        return;
    }
    let (room, of) = (solve_room(block.arena()), domains.extent(block.index()));
    let tiles = domains.tiles(block, of);
    let mut lane = 0;
    while lane < lanes {
        block.for_each(of.rows, |k| {
            let from = order.get(of.row + k) * lanes + lane;
            let number = |k: u32| if lane + k < lanes { r.get(from + k).to_f64() as f32 } else { 0.0 };
            let at = RowAt::from_code(domains.rows.get(of.row + k));
            room.set(at, [number(0), number(1), number(2), number(3)], 0.0);
        });
        room.solve::<[f32; 4]>(block, &domains, of, &tiles);
        block.for_each_nosync(of.rows, |k| {
            let to = order.get(of.row + k) * lanes + lane;
            let [a, b, c, d] = room.solution(RowAt::from_code(domains.rows.get(of.row + k)));
            let set = |k: u32, number: f32| {
                if lane + k < lanes {
                    z.set(to + k, V::from_f64(number as f64));
                }
            };
            set(0, a);
            set(1, b);
            set(2, c);
            set(3, d);
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
/// scalars with which a solve begins. Blocks: those of `domains`, or fewer: then they stride.
#[kernel(threads = 128, shared = solve_room(arena), per_multiprocessor = 4)]
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
    let alpha = if begins { 0.0 } else { scalars.alpha::<f32>() };
    let (mut which, mut all) = (block.index(), [0.0; 2]);
    while which < domains.count() {
        let of = domains.extent(which);
        let tiles = domains.tiles(block, of);
        block.for_each(of.rows, |k| {
            let slot = of.row + k;
            let mut left = Vec3::of(to.r.get(slot));
            if !begins {
                let [p, q, x] = [to.p.get(slot), to.q.get(slot), to.x.get(slot)].map(Vec3::of);
                left = left.plus(-alpha, q);
                to.x.set(slot, x.plus(alpha, p).word(0.0));
                to.r.set(slot, left.word(0.0));
            }
            room.set(RowAt::from_code(domains.rows.get(slot)), left, scales.get(slot));
        });
        room.solve::<Vec3>(block, &domains, of, &tiles);
        let sums = block.reduce(
            of.rows,
            [0.0; 2],
            |k| {
                let (slot, at) = (of.row + k, RowAt::from_code(domains.rows.get(of.row + k)));
                let (r, z) = (Vec3::of(to.r.get(slot)), room.solution::<Vec3>(at));
                to.z.set(slot, (z * room.other(at)).word(0.0));
                [Value::dot(r, r), Value::dot(r, z)]
            },
            Sums::plus,
        );
        all = Sums::plus(all, sums);
        which += block.count();
    }
    if begins { scalars.begin(block, all) } else { scalars.residual(block, all) }
}
