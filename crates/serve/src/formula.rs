//! Fields that are computed from others.

use crate::LiveError;
use crate::fields::{Row, type_of};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_expression::{Expression, Field};
use ribbonmesh_rixels::{DeviceColumn, Evaluator};
use std::marker::PhantomData;

/// A formula of one field, such as `mag(v)`, evaluated on a device: for programs that show what follows from
/// their buffers.
pub struct Formula<T> {
    evaluator: Evaluator,
    field: PhantomData<T>,
}

impl<T: Row> Formula<T> {
    /// A formula of a field of this name, whose rows are numbers, vectors or tensors.
    /// # Errors
    /// [`LiveError::Formula`]; [`LiveError::Evaluate`].
    pub fn new(device: &Device, text: &str, name: &str) -> Result<Self, LiveError> {
        let width = size_of::<T>() / size_of::<f32>();
        let of_type = type_of(width).ok_or_else(|| LiveError::Formula {
            formula: text.into(),
            why: format!("{name} has rows of {width} numbers"),
        })?;
        let fields = [Field::new(name, of_type, "elements")];
        let refused = |why: String| LiveError::Formula { formula: text.into(), why };
        let formula = Expression::parse(text, &fields).map_err(|error| refused(error.kind.to_string()))?;
        let evaluator = Evaluator::new(device, &formula).map_err(LiveError::Evaluate)?;
        Ok(Self { evaluator, field: PhantomData })
    }
    /// The formula's numbers for each row of the field.
    /// # Errors
    /// [`LiveError::Evaluate`]: out of memory, the driver.
    pub fn of(&mut self, field: &Buffer<T>) -> Result<Buffer<f32>, LiveError> {
        let columns = [Some(DeviceColumn::new(field))];
        self.evaluator.evaluate(&columns, field.len()).map_err(LiveError::Evaluate)
    }
}
