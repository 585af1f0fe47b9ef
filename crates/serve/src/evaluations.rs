//! Values of expressions that are kept on a device.

use crate::fields::Fields;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_rixels::{Evaluator, RixelError, Way};
use ribbonmesh_stream::Query;
use std::collections::VecDeque;

/// Expressions whose values are kept.
const KEPT: usize = 8;

/// The values of the expressions that were used last.
pub(crate) struct Evaluations {
    device: Device,
    /// The newest are last.
    kept: VecDeque<Evaluated>,
    /// Numbers of evaluations so far.
    count: u64,
}

/// An expression's values.
pub(crate) struct Evaluated {
    text: String,
    /// Another number for each evaluation.
    pub number: u64,
    /// Whether they are of the larger elements: faces of a mesh, cells of a volume.
    pub of_elements: bool,
    pub way: Way,
    pub values: Buffer<f32>,
}

impl Evaluated {
    /// The way of evaluation in words.
    pub fn by(&self) -> &'static str {
        match self.way {
            Way::Kernel => "bytecode in a kernel",
            Way::Compiled => "machine code of the GPU",
            Way::Chunks => "bytecode on the CPU",
        }
    }
}

impl Evaluations {
    pub fn new(device: &Device) -> Self {
        Self { device: device.clone(), kept: VecDeque::new(), count: 0 }
    }

    /// The values of an expression over fields of `elements` (their kind and number) or of vertices.
    pub fn of(
        &mut self,
        query: &Query,
        fields: &Fields,
        vertices: usize,
        (kind, elements): (&str, usize),
    ) -> Result<&Evaluated, RixelError> {
        if let Some(at) = self.kept.iter().position(|kept| kept.text == query.text) {
            let kept = self.kept.remove(at);
            self.kept.extend(kept);
        } else {
            let of_elements = query.expression.of() == Some(kind);
            let count = if of_elements { elements } else { vertices };
            let mut evaluator = Evaluator::new(&self.device, &query.expression)?;
            let values = evaluator.evaluate(&fields.columns(), count)?;
            if self.kept.len() == KEPT {
                self.kept.pop_front();
            }
            self.count += 1;
            let (text, number, way) = (query.text.clone(), self.count, evaluator.way());
            self.kept.push_back(Evaluated { text, number, of_elements, way, values });
        }
        let Some(newest) = self.kept.back() else { unreachable!("kept just now") };
        Ok(newest)
    }
}
