//! Layouts and schedules, and their names.
use std::fmt;

/// The order of entries (Mueller-Roemer 2020, section 5.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outer {
    /// Compressed sparse rows: the entries of a row next to each other, no padding.
    Csr,
    /// ELLPACK-R: all rows as long as the longest one, entry by entry of all rows; with lengths of rows.
    Ell,
    /// Sliced ELLPACK without reordering: slices of this many rows, a power of two from 2 to 1024, each as
    /// ELLPACK-R.
    Sliced(u32),
}

/// The order of the numbers of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inner {
    /// Array of structures: the numbers of an entry next to each other.
    Aos,
    /// Structure of arrays: the first numbers of all entries, then the second ones, and so on.
    Soa,
    /// The same in groups of 32 entries (array of structures of arrays). With slices of 32 rows, a warp loads
    /// a group at once.
    Grouped,
}

/// The order of the numbers of a vector's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorLayout {
    /// Array of structures.
    Aos,
    /// Structure of arrays.
    Soa,
}

/// The memory layout of a matrix and its vectors. Its name is that of the thesis: `ELL-SoA-AoS`,
/// `SI32-AoS-AoS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The order of entries.
    pub outer: Outer,
    /// The order of the numbers of entries.
    pub inner: Inner,
    /// The order of the numbers of vectors.
    pub vector: VectorLayout,
}

/// The rows that each thread takes (Mueller-Roemer 2020, section 5.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// A thread for each row, in as many blocks of `threads` threads as there are chunks of rows.
    Rows {
        /// Threads of a block.
        threads: u32,
    },
    /// A thread for each row; the given number of blocks for each multiprocessor takes chunks of rows with a
    /// static stride.
    Static {
        /// Threads of a block, and rows of a chunk.
        threads: u32,
        /// Blocks for each multiprocessor.
        blocks: u32,
    },
    /// As `Static`; each block takes the next chunk of a counter.
    Dynamic {
        /// Threads of a block, and rows of a chunk.
        threads: u32,
        /// Blocks for each multiprocessor.
        blocks: u32,
    },
    /// A block for each group of rows with about equally many entries; long rows are cut (Greathouse and Daga
    /// 2014). Only `CSR-AoS-AoS`.
    Balanced,
}

/// A layout and a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The memory layout of a matrix and its vectors.
    pub layout: Layout,
    /// The rows that each thread takes.
    pub schedule: Schedule,
}

impl Layout {
    /// `CSR-AoS-AoS`: what most programs use.
    pub const CSR: Self = Self { outer: Outer::Csr, inner: Inner::Aos, vector: VectorLayout::Aos };
    /// The 16 layouts of the thesis: CSR, ELL, SI16 and SI32; AoS and SoA of entries and of vectors.
    pub fn all() -> impl Iterator<Item = Self> {
        let outer = [Outer::Csr, Outer::Ell, Outer::Sliced(16), Outer::Sliced(32)];
        outer.into_iter().flat_map(|outer| {
            [Inner::Aos, Inner::Soa].into_iter().flat_map(move |inner| {
                [VectorLayout::Aos, VectorLayout::Soa].map(|vector| Self { outer, inner, vector })
            })
        })
    }
    /// The layout of this name.
    pub fn named(name: &str) -> Option<Self> {
        let mut parts = name.split('-');
        let outer = match parts.next()? {
            "CSR" => Outer::Csr,
            "ELL" => Outer::Ell,
            sliced => Outer::Sliced(sliced.strip_prefix("SI")?.parse().ok()?),
        };
        let inner = match parts.next()? {
            "AoS" => Inner::Aos,
            "SoA" => Inner::Soa,
            "AoSoA" => Inner::Grouped,
            _ => return None,
        };
        let vector = match parts.next()? {
            "AoS" => VectorLayout::Aos,
            "SoA" => VectorLayout::Soa,
            _ => return None,
        };
        parts.next().is_none().then_some(Self { outer, inner, vector })
    }
}
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outer {
            Outer::Csr => write!(f, "CSR")?,
            Outer::Ell => write!(f, "ELL")?,
            Outer::Sliced(rows) => write!(f, "SI{rows}")?,
        }
        write!(
            f,
            "{}",
            match self.inner {
                Inner::Aos => "-AoS",
                Inner::Soa => "-SoA",
                Inner::Grouped => "-AoSoA",
            }
        )?;
        write!(
            f,
            "{}",
            match self.vector {
                VectorLayout::Aos => "-AoS",
                VectorLayout::Soa => "-SoA",
            }
        )
    }
}

impl Schedule {
    /// The schedule of this name: `rows 256`, `static 256x8`, `dynamic 128x16`, `balanced`.
    pub fn named(name: &str) -> Option<Self> {
        if name == "balanced" {
            return Some(Self::Balanced);
        }
        let (kind, numbers) = name.split_once(' ')?;
        if kind == "rows" {
            return Some(Self::Rows { threads: numbers.parse().ok()? });
        }
        let (threads, blocks) = numbers.split_once('x')?;
        let (threads, blocks) = (threads.parse().ok()?, blocks.parse().ok()?);
        match kind {
            "static" => Some(Self::Static { threads, blocks }),
            "dynamic" => Some(Self::Dynamic { threads, blocks }),
            _ => None,
        }
    }
}
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { threads } => write!(f, "rows {threads}"),
            Self::Static { threads, blocks } => write!(f, "static {threads}x{blocks}"),
            Self::Dynamic { threads, blocks } => write!(f, "dynamic {threads}x{blocks}"),
            Self::Balanced => write!(f, "balanced"),
        }
    }
}
impl Variant {
    /// `CSR-AoS-AoS`, a thread for each row.
    pub const CSR: Self = Self { layout: Layout::CSR, schedule: Schedule::Rows { threads: 256 } };
    /// The variant of this name: `ELL-AoS-AoS, static 256x8`.
    pub fn named(name: &str) -> Option<Self> {
        let (layout, schedule) = name.split_once(", ")?;
        Some(Self { layout: Layout::named(layout)?, schedule: Schedule::named(schedule)? })
    }
}
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.layout, self.schedule)
    }
}
