//! The layout of triangles of domains: tiles of 8 × 8 numbers, and rows.

/// Rows of the largest domain.
#[cfg(not(target_arch = "nvptx64"))]
pub const MOST: u32 = 64;
/// Rows and columns of a tile.
pub const SIDE: u32 = 8;
/// Words of 16 bytes of a tile.
pub const WORDS: u32 = SIDE * SIDE / 4;
/// Tiles that a block of threads has at most, one each.
pub const LANES: u32 = 128;
/// Domains go to the same block whose tiles begin in the same part of so many: the largest domain has 32.
pub const STRIDE: u32 = LANES - 31;

/// The numbers of a triangle of `n` rows.
#[inline(always)]
pub fn triangle(n: u32) -> u32 {
    n * (n + 1) / 2
}
/// The rows of tiles of a domain of `n` nodes.
#[inline(always)]
pub fn sides(n: u32) -> u32 {
    n.div_ceil(SIDE)
}
/// The tiles of a triangle with so many rows of tiles: those below the diagonal, and one for each two on it,
/// of which a half each is 0.
#[inline(always)]
pub fn tiles_of(sides: u32) -> u32 {
    if sides == 0 { 0 } else { triangle(sides - 1) + sides.div_ceil(2) }
}

/// The place of a tile among the rows of tiles of a block. Where row and column are the same, it has two of
/// the diagonal below their own diagonals: this one below the tile's diagonal, and above it, with rows as
/// columns, that of row `other`.
#[derive(Clone, Copy)]
pub struct TileAt {
    pub row: u32,
    pub column: u32,
    /// The same as `row` where there is none.
    pub other: u32,
    /// The part of sums of row `other`.
    pub part: u32,
}
impl TileAt {
    /// Of a tile of a domain of so many rows of tiles, the first of which has number `first`.
    #[inline(always)]
    pub fn new(tile: u32, sides: u32, first: u32) -> Self {
        let beside = triangle(sides - 1);
        if tile < beside {
            let mut row = 1;
            while triangle(row) <= tile {
                row += 1;
            }
            let column = tile - triangle(row - 1);
            return Self { row: first + row, column: first + column, other: first + row, part: LANES };
        }
        let k = tile - beside;
        let other = k + sides.div_ceil(2);
        let (row, other) = (first + k, first + if other < sides { other } else { k });
        Self { row, column: row, other, part: other_part(first, k) }
    }
    #[inline(always)]
    pub fn from_code(code: u32) -> Self {
        Self {
            row: code & 0xff,
            column: code >> 8 & 0xff,
            other: code >> 16 & 0xff,
            part: LANES + (code >> 24),
        }
    }
    #[inline(always)]
    pub fn code(self) -> u32 {
        (self.part - LANES) << 24 | self.other << 16 | self.column << 8 | self.row
    }
    #[inline(always)]
    pub fn on_diagonal(self) -> bool {
        self.row == self.column
    }
}
/// The part of sums of the triangle of `other` of tile `k` of a domain's diagonal. No two have the same one:
/// a domain has fewer of them than half its tiles, or as many.
#[inline(always)]
fn other_part(tile: u32, k: u32) -> u32 {
    LANES + tile.div_ceil(2) + k
}
/// A row of a domain.
#[derive(Clone, Copy)]
pub struct RowAt {
    /// The first tile of the domain in its block, which is the number of its first row of tiles, too.
    pub tile: u32,
    /// The row in the domain.
    pub row: u32,
    /// The last row of the domain.
    pub last: u32,
}
impl RowAt {
    #[inline(always)]
    pub fn from_code(code: u32) -> Self {
        Self { tile: code & 0xff, row: code >> 8 & 0xff, last: code >> 16 }
    }
    #[inline(always)]
    pub fn code(self) -> u32 {
        self.last << 16 | self.row << 8 | self.tile
    }
    /// The row of tiles in the domain.
    #[inline(always)]
    pub fn side(self) -> u32 {
        self.row / SIDE
    }
    #[inline(always)]
    pub fn sides(self) -> u32 {
        self.last / SIDE + 1
    }
    /// The part of sums in which a row and a column of tiles meet.
    #[inline(always)]
    pub fn part(self, row: u32, column: u32) -> u32 {
        if row > column {
            return self.tile + triangle(row - 1) + column;
        }
        let (half, diagonal) = (self.sides().div_ceil(2), self.tile + triangle(self.sides() - 1));
        if row < half { diagonal + row } else { other_part(self.tile, row - half) }
    }
}
