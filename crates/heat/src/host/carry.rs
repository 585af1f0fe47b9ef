//! Numbers and vectors that heat carries along.
use crate::device::aggregate::{AddMeansTypes, LeadAggregatesTypes};
use crate::device::carried::{Carried, Planar};
use crate::device::carry::{BurdenArguments, CarryRowsTypes, KeepCarriedTypes};
use crate::device::system::ShellMultiplyTypes;
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, Result};

/// Types that there are kernels for: numbers, and vectors of tangent planes.
pub trait Carries:
    Carried + CarryRowsTypes + KeepCarriedTypes + ShellMultiplyTypes + AddMeansTypes + LeadAggregatesTypes
{
    /// Numbers of each.
    const LANES: usize = size_of::<Self>() / size_of::<f64>();
}
impl Carries for f64 {}
impl Carries for Planar {}

/// Something that heat carries.
pub struct Lane<'a, N> {
    /// Gifts of sources, for each vertex.
    pub given: Buffer<N>,
    /// Sums that entries of the rows add for a heat of 1.
    pub ways: Option<&'a Buffer<N>>,
    /// Quotients of all that has come to each vertex by its heat: 0 where no heat comes.
    pub known: Buffer<N>,
}
impl<'a, N: Carries> Lane<'a, N> {
    /// The gifts of some vertices to the heat that comes from them.
    pub fn new(given: Buffer<N>) -> Result<Self> {
        let known = given.device().zeros(given.len())?;
        Ok(Self { given, ways: None, known })
    }
    /// Sums that are added along the entries of rows.
    pub fn of_ways(ways: &'a Buffer<N>, vertices: usize) -> Result<Self> {
        let zeros = || ways.device().zeros(vertices);
        Ok(Self { given: zeros()?, ways: Some(ways), known: zeros()? })
    }
    pub fn view<'b>(&'b self, turns: BufferView<'b, Planar>) -> BurdenArguments<'b, N> {
        let ways = self.ways.map_or(BufferView::empty(), Buffer::view);
        BurdenArguments { given: self.given.view(), ways, known: self.known.view(), turns }
    }
}

/// All that the heat from some sources carries.
pub struct Burdens<'a> {
    /// How vectors turn along entries of the rows.
    pub turns: BufferView<'a, Planar>,
    /// How they turn from the roots of aggregates to vertices.
    pub from_roots: BufferView<'a, Planar>,
    /// Vectors.
    pub vectors: Vec<Lane<'a, Planar>>,
    /// Numbers.
    pub numbers: Vec<Lane<'a, f64>>,
}
impl Burdens<'_> {
    /// Nothing.
    pub fn none() -> Self {
        let empty = BufferView::empty();
        Self { turns: empty, from_roots: empty, vectors: vec![], numbers: vec![] }
    }
    pub fn is_empty(&self) -> bool {
        self.vectors.is_empty() && self.numbers.is_empty()
    }
}
