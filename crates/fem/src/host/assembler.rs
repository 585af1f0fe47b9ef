//! Assembly of matrices.
use super::error::{FemError, Result};
use super::form::Form;
use super::kernels::{ElementKernels, fits};
use super::matrix::{Matrix, Storage};
use super::pattern::Pattern;
use super::space::{CellShape, Space, length};
use crate::device::assemble::{PartsViewArguments, half};
use crate::device::element::Element;
use crate::device::matrix::ROWS;
use crate::device::pattern::{hex, tet1, tet2, tet3, tri};
use crate::device::real::Entry;
use crate::device::space::Shape;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device, array};
use std::sync::{Arc, OnceLock};

/// Ways of summing the matrices of elements. All ways give the same matrix up to rounding, and each the same
/// bits every time: no sum depends on the order of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Summation {
    /// A thread for each block of the matrix sums its listed contributions, in registers. Takes a list of 4
    /// bytes for each block of each element's matrix, made once for a pattern, and the data of each cell. For
    /// repeated assembly.
    #[default]
    PerEntry,
    /// A thread for each row computes and adds the blocks of its cells. No memory in addition to the matrix.
    Inline,
    /// A thread for each row adds the blocks of stored matrices. Takes the upper half of each element's
    /// matrix. For elements whose blocks are costly and have much in common.
    PerNode,
}

/// A stage of assembly, a row of table 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Memory for matrices or data of elements.
    AllocateElements,
    /// Lengths of rows.
    CountContributions,
    /// Widths of bins, and their sums.
    BinOffsets,
    /// Memory for columns.
    AllocateColumns,
    /// Columns.
    Columns,
    /// Memory for the numbers of the matrix, set to 0.
    AllocateMatrix,
    /// Lists of contributions to entries.
    Lists,
    /// Matrices or data of elements.
    Elements,
    /// Sums.
    Summation,
}
/// Tells somebody when a stage has ended.
pub struct Marks<'a>(Option<&'a mut dyn FnMut(Stage)>);
impl<'a> Marks<'a> {
    pub fn none() -> Self {
        Self(None)
    }
    pub fn done(&mut self, device: &Device, stage: Stage) -> Result<()> {
        if let Some(tell) = &mut self.0 {
            device.synchronize()?;
            tell(stage);
        }
        Ok(())
    }
}

/// The pattern of the matrices of a space, on which any number of them are assembled: from nothing, or again
/// with other values.
pub struct Assembler<'s> {
    space: &'s Space<'s>,
    pattern: Arc<Pattern>,
    summation: Summation,
    positions: Option<&'s Buffer<Vec3>>,
    parts: OnceLock<Parts>,
}
/// Lists of contributions to entries.
struct Parts {
    starts: Buffer<u32>,
    list: Buffer<u32>,
}

impl<'s> Assembler<'s> {
    /// Makes the pattern: [`Pattern::new`].
    /// # Errors
    /// Errors of [`Pattern::new`].
    pub fn new(space: &'s Space<'s>) -> Result<Self> {
        Ok(Self::of(space, Pattern::new(space)?))
    }
    /// As [`Assembler::new`]; calls `tell` at the end of each stage, which has waited for the device.
    /// # Errors
    /// Errors of [`Pattern::new`].
    pub fn measured(space: &'s Space<'s>, tell: &mut dyn FnMut(Stage)) -> Result<Self> {
        Ok(Self::of(space, Pattern::marked(space, &mut Marks(Some(tell)))?))
    }
    fn of(space: &'s Space<'s>, pattern: Pattern) -> Self {
        let (summation, parts) = (Summation::default(), OnceLock::new());
        Self { space, pattern: Arc::new(pattern), summation, positions: None, parts }
    }
    /// With another way of summation.
    #[must_use]
    pub fn with(mut self, summation: Summation) -> Self {
        self.summation = summation;
        self
    }
    /// At other positions of the vertices than the mesh's. They are not checked for inverted cells.
    /// # Errors
    /// [`ribbonmesh::Error::Length`].
    pub fn at(mut self, positions: &'s Buffer<Vec3>) -> Result<Self> {
        length("positions", self.space.vertices(), positions.len())?;
        self.positions = Some(positions);
        Ok(self)
    }
    /// The space.
    pub fn space(&self) -> &'s Space<'s> {
        self.space
    }
    /// The pattern.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }
    /// Bytes of lists of contributions on the device, if they have been made.
    pub fn list_bytes(&self) -> usize {
        self.parts.get().map_or(0, |parts| parts.starts.bytes() + parts.list.bytes())
    }

    /// A matrix of a form of the library, in the precision of `S`. Does not wait after the first one.
    /// # Errors
    /// [`ribbonmesh::Error::TooMany`]; out of memory; errors of the driver.
    pub fn assemble<S: Storage>(&self, form: Form) -> Result<Matrix<S>> {
        let mut matrix = Matrix::zeros(&self.pattern, form.size())?;
        self.assemble_into(form, &mut matrix)?;
        Ok(matrix)
    }
    /// The values of a form in a matrix of this pattern, which replace the values before.
    /// # Errors
    /// [`FemError::OtherPattern`]; as [`Assembler::assemble`].
    pub fn assemble_into<S: Storage>(&self, form: Form, to: &mut Matrix<S>) -> Result<()> {
        S::sum(self, form, to, &mut Marks::none())
    }
    /// The matrix of elasticity with a material for each cell: λ and μ in the precision of the matrix.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; [`FemError::Triangles`]; as [`Assembler::assemble`].
    pub fn assemble_materials<S: Storage>(&self, materials: &Buffer<[S; 2]>) -> Result<Matrix<S>>
    where
        [S; 2]: ribbonmesh::device::Pod,
    {
        length("materials of cells", self.space.cells(), materials.len())?;
        let mut matrix = Matrix::zeros(&self.pattern, 3)?;
        S::sum_materials(self, materials.view(), &mut matrix)?;
        Ok(matrix)
    }
    /// As [`Assembler::assemble`]; calls `tell` at the end of each stage, which has waited for the device.
    /// # Errors
    /// As [`Assembler::assemble`].
    pub fn assemble_measured<S: Storage>(
        &self,
        form: Form,
        tell: &mut dyn FnMut(Stage),
    ) -> Result<Matrix<S>> {
        let mut marks = Marks(Some(tell));
        let mut matrix = Matrix::zeros(&self.pattern, form.size())?;
        marks.done(self.space.device(), Stage::AllocateMatrix)?;
        S::sum(self, form, &mut matrix, &mut marks)?;
        Ok(matrix)
    }
    /// A matrix of elements of your own.
    /// # Errors
    /// [`FemError::OtherCells`]; as [`Assembler::assemble`].
    pub fn assemble_element<E: ElementKernels>(&self, element: E) -> Result<Matrix<ScalarOf<E>>>
    where
        ScalarOf<E>: Storage,
    {
        let mut matrix = Matrix::zeros(&self.pattern, <<E::Element as Element>::Entry as Entry>::SIZE)?;
        self.sum(element, &mut matrix, &mut Marks::none())?;
        Ok(matrix)
    }
    /// The values of elements of your own in a matrix of this pattern, which replace the values before.
    /// # Errors
    /// [`FemError::OtherCells`], [`FemError::OtherPattern`]; as [`Assembler::assemble`].
    pub fn assemble_element_into<E: ElementKernels>(
        &self,
        element: E,
        to: &mut Matrix<ScalarOf<E>>,
    ) -> Result<()>
    where
        ScalarOf<E>: Storage,
    {
        self.sum(element, to, &mut Marks::none())
    }

    pub(crate) fn sum<E: ElementKernels>(
        &self,
        element: E,
        to: &mut Matrix<ScalarOf<E>>,
        marks: &mut Marks<'_>,
    ) -> Result<()>
    where
        ScalarOf<E>: Storage,
    {
        let (device, own) = (self.space.device(), <E::Element as Element>::Shape::NODES);
        if own != self.space.shape().nodes() {
            return Err(FemError::OtherCells { element: own, space: self.space.shape().nodes() });
        }
        if !Arc::ptr_eq(to.pattern(), &self.pattern)
            || to.size() != <<E::Element as Element>::Entry as Entry>::SIZE
        {
            return Err(FemError::OtherPattern);
        }
        let (at, pattern, cells) =
            (self.space.launch(self.positions), self.pattern.view(), self.space.cells());
        match self.summation {
            Summation::PerEntry => {
                let parts = self.parts()?;
                marks.done(device, Stage::Lists)?;
                let mut data = device.unspecified(cells)?;
                marks.done(device, Stage::AllocateElements)?;
                element.data(at, data.view_mut())?;
                marks.done(device, Stage::Elements)?;
                let (n, rows) = (parts.starts.len() as u32 - 1, self.pattern.rows() as u32);
                let lists = PartsViewArguments { starts: parts.starts.view(), list: parts.list.view() };
                element.entries(at, n, rows, lists, data.view(), to.view_mut())?;
            }
            Summation::Inline => {
                to.clear()?;
                element.inline(at, pattern, to.view_mut())?;
            }
            Summation::PerNode => {
                let numbers = u64::from(to.size().pow(2)) * u64::from(half(own)) * cells as u64;
                fits("numbers of element matrices", numbers)?;
                let mut matrices = device.unspecified(half(own) as usize * cells)?;
                marks.done(device, Stage::AllocateElements)?;
                element.matrices(at, matrices.view_mut())?;
                marks.done(device, Stage::Elements)?;
                to.clear()?;
                E::nodes(at, pattern, matrices.view(), to.view_mut())?;
            }
        }
        marks.done(device, Stage::Summation)
    }
    fn parts(&self) -> Result<&Parts> {
        if let Some(made) = self.parts.get() {
            return Ok(made);
        }
        let (device, shape, rows) = (self.space.device(), self.space.shape(), self.pattern.rows() as u32);
        let most = self.space.cells() as u64 * u64::from(shape.nodes()).pow(2);
        let entries = fits("blocks of a matrix", self.pattern.places() as u64 + u64::from(rows))?;
        let mut starts = device.zeros::<u32>(entries as usize + 1)?;
        let mut list = device.unspecified::<u32>(fits("blocks of element matrices", most)? as usize)?;
        let (blocks, pattern) = (rows.div_ceil(ROWS), self.pattern.view());
        macro_rules! launch { ($($shape:ident $module:ident)*) => {
            match shape { $(CellShape::$shape => {
                device.launch(blocks, $module::PartCounts { space: self.space.view(), pattern, counts: starts.view_mut() })?;
                array::exclusive_scan(&mut starts)?;
                let (starts, list) = (starts.view_mut(), list.view_mut());
                device.launch(blocks, $module::PartLists { space: self.space.view(), pattern, starts, list })?;
            })* }
        } }
        launch!(Tet1 tet1 Tet2 tet2 Tet3 tet3 Hex hex Tri tri);
        Ok(self.parts.get_or_init(|| Parts { starts, list }))
    }
}
/// The type of the numbers in the matrix of an element.
pub type ScalarOf<E> = <<<E as ElementKernels>::Element as Element>::Entry as Entry>::Scalar;

impl std::fmt::Debug for Assembler<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Assembler of {:?}, {:?}", self.pattern, self.summation)
    }
}
