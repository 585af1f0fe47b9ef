//! Values of expressions that are kept on a device.

use crate::fields::Fields;
use crate::look::in_words;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_expression::{Expression, Limits, Type};
use ribbonmesh_rixels::{Evaluator, Way};
use ribbonmesh_stream::Query;
use std::collections::VecDeque;

/// Expressions whose values are kept.
const KEPT: usize = 8;
/// Limits of expressions that were accepted within the limits of clients.
const ACCEPTED: Limits = Limits {
    bytes: usize::MAX,
    depth: usize::MAX,
    nodes: usize::MAX,
    functions: usize::MAX,
    operations: usize::MAX,
};

/// The values of the expressions that were used last.
pub(crate) struct Evaluations {
    device: Device,
    /// The newest are last.
    kept: VecDeque<Evaluated>,
    /// Numbers of evaluations so far.
    count: u64,
}

/// An expression, and its values.
pub(crate) struct Evaluated {
    text: String,
    evaluator: Evaluator,
    /// Another number for each evaluation.
    pub number: u64,
    /// Whether they are of the larger elements: faces of a mesh, cells of a volume.
    pub of_elements: bool,
    pub values: Buffer<f32>,
    /// Whether they are those of the present fields.
    is_fresh: bool,
}

/// The elements over which expressions are evaluated.
pub(crate) struct Domain<'a> {
    pub fields: &'a Fields,
    /// Places of vertices; none of grids, which have only cells.
    pub positions: Option<&'a Buffer<Vec3>>,
    /// The kind and the number of the larger elements.
    pub elements: (&'static str, usize),
}

impl Evaluated {
    /// The way of evaluation in words.
    pub fn by(&self) -> &'static str {
        match self.evaluator.way() {
            Way::Kernel => "bytecode in a kernel",
            Way::Compiled => "machine code of the GPU",
            Way::Chunks => "bytecode on the CPU",
        }
    }
    fn evaluate(&mut self, over: &Domain<'_>) -> Result<(), String> {
        let count = match over.positions {
            Some(positions) if !self.of_elements => positions.len(),
            _ => over.elements.1,
        };
        let columns = over.fields.columns(over.positions);
        if self.values.len() == count {
            return self.evaluator.evaluate_into(&columns, count, &mut self.values).map_err(in_words);
        }
        self.values = self.evaluator.evaluate(&columns, count).map_err(in_words)?;
        Ok(())
    }
}

impl Evaluations {
    pub fn new(device: &Device) -> Self {
        Self { device: device.clone(), kept: VecDeque::new(), count: 0 }
    }

    /// Forgets results: fields have other values.
    pub fn expire(&mut self) {
        self.kept.iter_mut().for_each(|kept| kept.is_fresh = false);
    }

    /// Forgets expressions: there are other fields.
    pub fn forget(&mut self) {
        self.kept.clear();
    }

    /// The values of an expression over the present fields.
    pub fn of(&mut self, query: &Query, over: &Domain<'_>) -> Result<&Evaluated, String> {
        let at = self.kept.iter().position(|kept| kept.text == query.text);
        let mut found = match at.and_then(|at| self.kept.remove(at)) {
            Some(found) => found,
            None => self.begin(query, over)?,
        };
        if !found.is_fresh {
            found.evaluate(over)?;
            self.count += 1;
            (found.number, found.is_fresh) = (self.count, true);
        }
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(found);
        let Some(newest) = self.kept.back() else { unreachable!("kept just now") };
        Ok(newest)
    }

    /// An expression over the present fields, which may be others than those that it was accepted with.
    fn begin(&self, query: &Query, over: &Domain<'_>) -> Result<Evaluated, String> {
        let text = query.text.clone();
        let unfit = |why: &str| format!("the expression does not fit the fields any more: {why}");
        let expression = Expression::parse_within(&text, &over.fields.layout(), &ACCEPTED)
            .map_err(|error| unfit(&error.kind.to_string()))?;
        if expression.result() != Type::Scalar {
            return Err(unfit("its result is a vector"));
        }
        let of_elements = over.positions.is_none() || expression.of() == Some(over.elements.0);
        let evaluator = Evaluator::new(&self.device, &expression).map_err(in_words)?;
        let values = self.device.zeros(0).map_err(in_words)?;
        Ok(Evaluated { text, evaluator, number: 0, of_elements, values, is_fresh: false })
    }
}
