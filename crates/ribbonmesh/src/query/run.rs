//! Running queries.
use super::result::Question;
use super::{Op, QueryResult};
use crate::kernels::query::edge::NonManifoldEdges;
use crate::kernels::query::general::TargetArguments;
use crate::{Buffer, Error, Result, StaticMesh, array};
use ribbonmesh_device::launch::Launchable;
use ribbonmesh_device::{BufferView, BufferViewMut, ElementKind, NONE};

/// The arrays of a query: those that its kernel does not have are empty.
pub(super) struct Memory<'a> {
    pub active: BufferView<'a, u32>,
    pub offsets: BufferViewMut<'a, u32>,
    pub lengths: BufferViewMut<'a, u32>,
    pub values: BufferViewMut<'a, u32>,
    pub problems: BufferViewMut<'a, u32>,
}
impl<'a> From<Memory<'a>> for TargetArguments<'a> {
    fn from(Memory { active, offsets, lengths, values, .. }: Memory<'a>) -> Self {
        Self { active, offsets, lengths, values }
    }
}

impl StaticMesh {
    /// Runs a query for all elements.
    ///
    /// VV, VE and VF have rows of different lengths. EF, FF and EE have rows of fixed length if the mesh is
    /// [edge-manifold](StaticMesh::edge_manifold); otherwise their rows differ in length, and each row is
    /// padded with [`NONE`] to an upper bound. One launch, linear in the mesh.
    /// # Errors
    /// [`Error::NonManifoldEdges`] for EVDiamond; [`Error::TooMany`] for entries that indices of 32 bits do
    /// not name, as EVDiamond of 1,074 million edges has; out of memory; errors of the driver.
    pub fn query(&self, op: Op) -> Result<QueryResult> {
        let mut result = self.result_for(op)?;
        self.query_into(&mut result)?;
        Ok(result)
    }
    /// VV, VE or VF, with each row in counterclockwise order around the vertex, by the orientation of the
    /// faces. At a boundary vertex, the row begins at the boundary edge, so that it covers all faces.
    /// [`Rows::non_manifold`](super::Rows::non_manifold) lists vertices without such an order.
    /// # Errors
    /// [`Error::Option`] for another query; out of memory; errors of the driver.
    pub fn query_oriented(&self, op: Op) -> Result<QueryResult> {
        let mut result = self.oriented_result_for(op)?;
        self.query_into(&mut result)?;
        Ok(result)
    }
    /// A query for the elements whose entry in `active` is not 0. Other rows are empty, or filled with
    /// [`NONE`] if rows have a fixed length.
    /// # Errors
    /// [`Error::Length`], [`Error::OtherDevice`], and as [`StaticMesh::query`].
    pub fn query_active(&self, op: Op, active: &Buffer<u32>) -> Result<QueryResult> {
        let mut result = self.new_result(op, Question::Active(op))?;
        if result.width.is_some() {
            array::fill(&mut result.values, NONE)?;
        }
        self.query_active_into(active, &mut result)?;
        Ok(result)
    }

    /// Memory for the result of [`StaticMesh::query`].
    /// # Errors
    /// As [`StaticMesh::query`].
    pub fn result_for(&self, op: Op) -> Result<QueryResult> {
        self.new_result(op, Question::Plain(op))
    }
    /// Memory for the result of [`StaticMesh::query_oriented`].
    /// # Errors
    /// As [`StaticMesh::query_oriented`].
    pub fn oriented_result_for(&self, op: Op) -> Result<QueryResult> {
        if !op.has_orientation() {
            let (value, expected) = (op.to_string(), Op::names(true));
            return Err(Error::Option { option: "oriented query", value, expected });
        }
        let mut result = self.new_result(op, Question::Oriented(op))?;
        result.problems = Some(self.device().zeros(self.vertices())?);
        Ok(result)
    }
    fn new_result(&self, op: Op, question: Question) -> Result<QueryResult> {
        let (entry, device) = (op.entry(), self.device());
        if entry.two_sides {
            self.require_two_sides()?;
        }
        let (rows, width) = (self.count(entry.source), entry.width(self.edge_manifold()));
        let entries = entry.all_entries(rows, self.edge_manifold(), &self.totals());
        if entries >= u32::MAX as usize {
            let (what, limit) = ("entries of a query", u64::from(u32::MAX) - 1);
            return Err(Error::TooMany { what, count: entries as u64, limit });
        }
        let buffer = |n: usize, needed: bool| needed.then(|| device.zeros::<u32>(n)).transpose();
        Ok(QueryResult {
            question,
            rows,
            width,
            offsets: buffer(rows + 1, width.is_none())?,
            lengths: buffer(rows, width.is_none() && matches!(question, Question::Active(_)))?,
            values: device.zeros(entries)?,
            problems: None,
        })
    }
    pub(super) fn count(&self, kind: ElementKind) -> usize {
        match kind {
            ElementKind::Vertex => self.vertices(),
            ElementKind::Edge => self.edges(),
            ElementKind::Face => self.faces(),
        }
    }
    /// Refuses a mesh with an edge that is more than two sides of faces.
    fn require_two_sides(&self) -> Result<()> {
        if self.edge_manifold() {
            return Ok(());
        }
        let mut found = self.device().upload(&[0, NONE])?;
        self.each_patch(NonManifoldEdges { mesh: self.view(), found: found.view_mut() })?;
        match found.read()?[..] {
            [count, example] if count > 0 => Err(Error::NonManifoldEdges { count, example }),
            _ => Ok(()),
        }
    }
    pub(super) fn each_patch(&self, kernel: impl Launchable) -> Result<()> {
        self.device().launch(self.patches() as u32, kernel)
    }

    /// Runs a query into the memory of an earlier result of the same query on this mesh.
    /// # Errors
    /// [`Error::Length`] or [`Error::OtherDevice`] if `result` is of another mesh; [`Error::Option`] if
    /// `result` is of a subset or a k-ring; errors of the driver.
    pub fn query_into(&self, result: &mut QueryResult) -> Result<()> {
        let (Question::Plain(op) | Question::Oriented(op)) = result.question else {
            let value = format!("{:?}", result.question);
            return Err(Error::Option {
                option: "result",
                value,
                expected: "one of a query about all elements",
            });
        };
        self.check(op, result)?;
        self.launch_query(op, BufferView::empty(), result)
    }
    /// As [`StaticMesh::query_active`], into the memory of an earlier result of that function; rows of other
    /// elements do not change.
    /// # Errors
    /// As [`StaticMesh::query_active`]; [`Error::Option`] if `result` is of another function.
    pub fn query_active_into(&self, active: &Buffer<u32>, result: &mut QueryResult) -> Result<()> {
        let Question::Active(op) = result.question else {
            let value = format!("{:?}", result.question);
            return Err(Error::Option { option: "result", value, expected: "one of a query about a subset" });
        };
        self.check(op, result)?;
        if !active.device().same(self.device()) {
            return Err(Error::OtherDevice { what: "the set of active elements" });
        }
        if active.len() != result.rows {
            return Err(Error::Length {
                what: "active elements",
                expected: result.rows,
                found: active.len(),
            });
        }
        self.launch_query(op, active.view(), result)
    }
    fn launch_query(&self, op: Op, active: BufferView<'_, u32>, result: &mut QueryResult) -> Result<()> {
        let (entry, fixed) = (op.entry(), result.width.is_some());
        let launch = match (result.question, entry.oriented, entry.general) {
            (Question::Oriented(_), Some([manifold, general]), _) => {
                if self.edge_manifold() {
                    manifold
                } else {
                    general
                }
            }
            (_, _, Some(general)) if !fixed => general,
            (Question::Active(_), ..) => entry.active,
            _ => entry.all,
        };
        let QueryResult { offsets, lengths, values, problems, .. } = result;
        fn view(memory: &mut Option<Buffer<u32>>) -> BufferViewMut<'_, u32> {
            memory.as_mut().map_or(BufferViewMut::empty(), Buffer::view_mut)
        }
        let (offsets, lengths, problems) = (view(offsets), view(lengths), view(problems));
        launch(self, Memory { active, offsets, lengths, values: values.view_mut(), problems })
    }
    /// Whether `result` has the memory that this mesh's result needs.
    fn check(&self, op: Op, result: &QueryResult) -> Result<()> {
        if !result.device().same(self.device()) {
            return Err(Error::OtherDevice { what: "the result" });
        }
        let entry = op.entry();
        let (expected, width) = (self.count(entry.source), entry.width(self.edge_manifold()));
        if result.rows != expected || result.width != width {
            return Err(Error::Length { what: "rows of a result", expected, found: result.rows });
        }
        let expected = entry.all_entries(expected, self.edge_manifold(), &self.totals());
        if result.values.len() != expected {
            return Err(Error::Length { what: "entries of a result", expected, found: result.values.len() });
        }
        Ok(())
    }
}
