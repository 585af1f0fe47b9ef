//! Names and kinds of queries.
use super::table::Order;
use super::{Op, Rows};
use crate::{Error, Result};
use ribbonmesh_device::{ElementKind, NONE};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

impl Op {
    /// Kind of the elements that have a row in the result.
    pub fn source(self) -> ElementKind {
        self.entry().source
    }
    /// Kind of the elements in the rows.
    pub fn target(self) -> ElementKind {
        self.entry().target
    }
    /// Whether [`StaticMesh::query_oriented`](crate::StaticMesh::query_oriented) answers it.
    pub fn has_orientation(self) -> bool {
        self.entry().oriented.is_some()
    }
    /// The names of all queries, or of those with an orientation: `VV, VE or VF`.
    pub fn names(with_orientation: bool) -> &'static str {
        static NAMES: LazyLock<[String; 2]> = LazyLock::new(|| {
            [false, true].map(|oriented| {
                let of = Op::ALL.into_iter().filter(|op| op.has_orientation() || !oriented);
                let names: Vec<_> = of.map(Op::name).collect();
                let (last, others) = names.split_last().unwrap_or((&"", &[]));
                format!("{} or {last}", others.join(", "))
            })
        });
        &NAMES[usize::from(with_orientation)]
    }
    /// Replaces `row` by the names of the elements in row `i` of this query's result, in an order that
    /// depends on the names alone: FV and FE as they are; each two vertices of EVDiamond ascending, where
    /// `name(NONE)` stands for none; otherwise ascending, each once (in EV both ends).
    ///
    /// # Panics
    /// If there is no row `i`, as indexing a slice does.
    pub fn arrange<T: Ord>(self, rows: &Rows, i: usize, name: impl Fn(u32) -> T, row: &mut Vec<T>) {
        row.clear();
        let order = self.entry().order;
        row.extend(
            rows.entries(i).iter().filter(|&&x| order == Order::Crossed || x != NONE).map(|&x| name(x)),
        );
        match order {
            Order::Given => {}
            Order::Ascending => row.sort_unstable(),
            Order::Set => {
                row.sort_unstable();
                row.dedup();
            }
            Order::Crossed => {
                for (low, high) in [(0, 2), (1, 3)] {
                    if row[low] > row[high] {
                        row.swap(low, high);
                    }
                }
            }
        }
    }
}
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl FromStr for Op {
    type Err = Error;
    /// Upper or lower case does not matter.
    fn from_str(s: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|op| op.name().eq_ignore_ascii_case(s));
        let refused = || Error::Option { option: "query", value: s.to_owned(), expected: Self::names(false) };
        found.ok_or_else(refused)
    }
}
