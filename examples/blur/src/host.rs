//! Functions for programs.
use crate::kernels::BlurStep;
use ribbonmesh::prelude::*;
use ribbonmesh::surface::Parts;
use ribbonmesh::{Error, Result};

/// Options of [`blur`].
#[derive(Clone, Debug, PartialEq)]
pub struct BlurOptions {
    /// Name of the column of vertices that is read; its values are `f32`.
    pub column: String,
    /// Name of the column of vertices that gets the result; it may be the same.
    pub result: String,
    /// Number of steps, at least 1.
    pub steps: u32,
    /// The part of the way to the mean of its neighbours that a value moves in a step: above 0, at most 1.
    pub weight: f32,
}

impl BlurOptions {
    /// Ten steps, each half the way to the mean; the result replaces the column.
    pub fn new(column: &str) -> Self {
        Self { column: column.to_owned(), result: column.to_owned(), steps: 10, weight: 0.5 }
    }
    fn check(&self) -> Result<()> {
        if self.steps == 0 {
            return Err(Error::Option { option: "steps", value: "0".into(), expected: "at least 1" });
        }
        if !(self.weight > 0.0 && self.weight <= 1.0) {
            let value = self.weight.to_string();
            return Err(Error::Option { option: "weight", value, expected: "above 0, at most 1" });
        }
        Ok(())
    }
}

/// Report of [`blur`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlurReport {
    /// Number of vertices.
    pub vertices: usize,
    /// The smallest and the largest value of the result; `None` without vertices.
    pub range: Option<[f32; 2]>,
}

/// Smooths a column of vertices: in each step every value moves towards the mean of the values at the
/// vertex's neighbours. A NaN spreads by one edge in each step.
/// # Errors
/// [`Error::Option`]; [`Error::Column`] if there is no such column or its values are not `f32`; as
/// [`Surface::patches`]. After an error, the attributes are unchanged.
pub fn blur(surface: &mut Surface, options: &BlurOptions) -> Result<BlurReport> {
    options.check()?;
    let Parts { mesh, vertices, .. } = surface.parts()?;
    let (column, weight) = (vertices.get::<f32>(&options.column)?, options.weight);
    let mut values = Attribute::zeros(mesh)?;
    mesh.run(BlurStep { from: column, weight, to: values.values_mut() })?;
    let mut next = Attribute::zeros(mesh)?;
    for _ in 1..options.steps {
        mesh.run(BlurStep { from: values.values(), weight, to: next.values_mut() })?;
        std::mem::swap(&mut values, &mut next);
    }
    let range = values.min()?.zip(values.max()?).map(<[f32; 2]>::from);
    surface.vertices_mut()?.insert(&options.result, Role::Custom, &values)?;
    Ok(BlurReport { vertices: values.len(), range })
}
