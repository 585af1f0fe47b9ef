//! Running queries.
use super::result::Question;
use super::{Op, QueryResult};
use crate::kernels::query::general::TargetArguments;
use crate::kernels::query::{active, edge, face, general, oriented, vertex};
use crate::{Buffer, Error, Result, StaticMesh, array};
use ribbonmesh_device::launch::Launchable;
use ribbonmesh_device::{BufferView, BufferViewMut, ElementKind, NONE};

impl StaticMesh {
    /// Runs a query for all elements.
    ///
    /// VV, VE and VF have rows of different lengths. EF, FF and EE have rows of fixed length if the mesh is
    /// [edge-manifold](StaticMesh::edge_manifold); otherwise their rows differ in length, and each row is
    /// padded with [`NONE`] to an upper bound. One launch, linear in the mesh.
    /// # Errors
    /// [`Error::NonManifoldEdges`] for EVDiamond; out of memory; errors of the driver.
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
        if !matches!(op, Op::VV | Op::VE | Op::VF) {
            return Err(Error::Option {
                option: "oriented query",
                value: op.to_string(),
                expected: "VV, VE or VF",
            });
        }
        let mut result = self.new_result(op, Question::Oriented(op))?;
        result.problems = Some(self.device().zeros(self.vertices())?);
        Ok(result)
    }
    fn new_result(&self, op: Op, question: Question) -> Result<QueryResult> {
        if op == Op::EVDiamond {
            self.require_two_sides()?;
        }
        let (rows, total, width) = (self.count(op.source()), self.totals(), op.width(self.edge_manifold()));
        let entries = match op {
            Op::VV => total.vv,
            Op::VE => total.ve,
            Op::VF => total.vf,
            Op::EF => total.ef,
            Op::FF => total.ff,
            Op::EE => total.ee,
            Op::EV | Op::FV | Op::FE | Op::EVDiamond => 0,
        };
        let device = self.device();
        let buffer = |n: usize, needed: bool| needed.then(|| device.zeros::<u32>(n)).transpose();
        Ok(QueryResult {
            question,
            rows,
            width,
            offsets: buffer(rows + 1, width.is_none())?,
            lengths: buffer(rows, width.is_none() && matches!(question, Question::Active(_)))?,
            values: device.zeros(width.map_or(entries as usize, |w| w * rows))?,
            problems: None,
        })
    }
    fn count(&self, kind: ElementKind) -> usize {
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
        self.each_patch(edge::NonManifoldEdges { mesh: self.view(), found: found.view_mut() })?;
        match found.read()?[..] {
            [count, example] if count > 0 => Err(Error::NonManifoldEdges { count, example }),
            _ => Ok(()),
        }
    }
    fn each_patch(&self, kernel: impl Launchable) -> Result<()> {
        self.device().launch(self.patches() as u32, kernel)
    }

    /// Runs a query into the memory of an earlier result of the same query on this mesh.
    /// # Errors
    /// [`Error::Length`] or [`Error::OtherDevice`] if `result` is of another mesh; [`Error::Option`] if
    /// `result` is of a subset or a k-ring; errors of the driver.
    pub fn query_into(&self, result: &mut QueryResult) -> Result<()> {
        let op = match result.question {
            Question::Plain(op) | Question::Oriented(op) => op,
            Question::Active(_) | Question::Ring(_) => {
                let value = format!("{:?}", result.question);
                return Err(Error::Option {
                    option: "result",
                    value,
                    expected: "one of a query about all elements",
                });
            }
        };
        self.check(op, result)?;
        let oriented = matches!(result.question, Question::Oriented(_));
        let (mesh, fixed) = (self.view(), result.width.is_some());
        let QueryResult { offsets, values, problems, .. } = result;
        let offsets = offsets.as_mut().map_or(BufferViewMut::empty(), |b| b.view_mut());
        let problems = problems.as_mut().map_or(BufferViewMut::empty(), |b| b.view_mut());
        let values = values.view_mut();
        if oriented {
            macro_rules! run {
                ($kernel:ident) => {
                    self.each_patch(oriented::$kernel { mesh, offsets, values, problems })
                };
            }
            return match (op, self.edge_manifold()) {
                (Op::VE, true) => run!(VeOriented),
                (Op::VE, false) => run!(VeOrientedGeneral),
                (Op::VF, true) => run!(VfOriented),
                (Op::VF, false) => run!(VfOrientedGeneral),
                (_, true) => run!(VvOriented),
                (_, false) => run!(VvOrientedGeneral),
            };
        }
        let target = |offsets, values| TargetArguments {
            active: BufferView::empty(),
            offsets,
            lengths: BufferViewMut::empty(),
            values,
        };
        match op {
            Op::VV => self.each_patch(vertex::WriteVv { mesh, offsets, values }),
            Op::VE => self.each_patch(vertex::WriteVe { mesh, offsets, values }),
            Op::VF => self.each_patch(vertex::WriteVf { mesh, offsets, values }),
            Op::EV => self.each_patch(edge::WriteEv { mesh, values }),
            Op::FV => self.each_patch(face::WriteFv { mesh, values }),
            Op::FE => self.each_patch(face::WriteFe { mesh, values }),
            Op::EVDiamond => self.each_patch(edge::WriteEvDiamond { mesh, values }),
            Op::EF if fixed => self.each_patch(edge::WriteEf { mesh, values }),
            Op::EE if fixed => self.each_patch(edge::WriteEe { mesh, values }),
            Op::FF if fixed => self.each_patch(face::WriteFf { mesh, values }),
            Op::EF => self.each_patch(general::EfGeneral { mesh, to: target(offsets, values) }),
            Op::EE => self.each_patch(general::EeGeneral { mesh, to: target(offsets, values) }),
            Op::FF => self.each_patch(general::FfGeneral { mesh, to: target(offsets, values) }),
        }
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
        let (mesh, active, fixed) = (self.view(), active.view(), result.width.is_some());
        let QueryResult { offsets, lengths, values, .. } = result;
        let offsets = offsets.as_mut().map_or(BufferViewMut::empty(), |b| b.view_mut());
        let lengths = lengths.as_mut().map_or(BufferViewMut::empty(), |b| b.view_mut());
        let values = values.view_mut();
        let target = |offsets, lengths, values| TargetArguments { active, offsets, lengths, values };
        match op {
            Op::VV => self.each_patch(active::VvActive { mesh, active, offsets, lengths, values }),
            Op::VE => self.each_patch(active::VeActive { mesh, active, offsets, lengths, values }),
            Op::VF => self.each_patch(active::VfActive { mesh, active, offsets, lengths, values }),
            Op::EV => self.each_patch(active::EvActive { mesh, active, values }),
            Op::FV => self.each_patch(active::FvActive { mesh, active, values }),
            Op::FE => self.each_patch(active::FeActive { mesh, active, values }),
            Op::EVDiamond => self.each_patch(active::EvDiamondActive { mesh, active, values }),
            Op::EF if fixed => self.each_patch(active::EfActive { mesh, active, values }),
            Op::EE if fixed => self.each_patch(active::EeActive { mesh, active, values }),
            Op::FF if fixed => self.each_patch(active::FfActive { mesh, active, values }),
            Op::EF => self.each_patch(general::EfGeneral { mesh, to: target(offsets, lengths, values) }),
            Op::EE => self.each_patch(general::EeGeneral { mesh, to: target(offsets, lengths, values) }),
            Op::FF => self.each_patch(general::FfGeneral { mesh, to: target(offsets, lengths, values) }),
        }
    }
    /// Whether `result` has the memory that this mesh's result needs.
    fn check(&self, op: Op, result: &QueryResult) -> Result<()> {
        if !result.device().same(self.device()) {
            return Err(Error::OtherDevice { what: "the result" });
        }
        let total = self.totals();
        let (expected, width) = (self.count(op.source()), op.width(self.edge_manifold()));
        if result.rows != expected || result.width != width {
            return Err(Error::Length { what: "rows of a result", expected, found: result.rows });
        }
        let expected = match (op, width) {
            (_, Some(width)) => width * expected,
            (Op::VV, _) => total.vv as usize,
            (Op::VE, _) => total.ve as usize,
            (Op::VF, _) => total.vf as usize,
            (Op::EF, _) => total.ef as usize,
            (Op::FF, _) => total.ff as usize,
            (Op::EE, _) => total.ee as usize,
            (Op::EV | Op::FV | Op::FE | Op::EVDiamond, None) => 0,
        };
        if result.values.len() != expected {
            return Err(Error::Length { what: "entries of a result", expected, found: result.values.len() });
        }
        Ok(())
    }
}
