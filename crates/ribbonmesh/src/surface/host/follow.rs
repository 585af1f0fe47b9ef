//! Columns that follow changes by a function of their user.
use super::column::Column;
use super::surface::Surface;
use crate::device::{BufferView, BufferViewMut, ColumnView, ColumnViewMut, Quad};
use crate::{Device, Result, Vertex};
use ribbonmesh_mesh::Value;
use std::sync::Arc;

/// Where the vertices of the new mesh are on the old surface.
#[derive(Clone, Copy)]
pub struct Located<'a> {
    /// The device.
    pub device: &'a Device,
    /// Number of new vertices.
    pub vertices: u32,
    /// The location of each new vertex, as [`Location::from_words`](crate::surface::Location::from_words)
    /// decodes it.
    pub at: BufferView<'a, Quad>,
    /// Three vertices for each face of the old mesh.
    pub faces: BufferView<'a, u32>,
}

/// Computes the rows of a column of the new mesh from those of the old one.
pub type Rule =
    Arc<dyn Fn(Located<'_>, BufferView<'_, u32>, BufferViewMut<'_, u32>) -> Result<()> + Send + Sync>;

impl Surface {
    /// Computes the column of vertices of that name by `rule` when triangles change, instead of by its
    /// policy: `rule` gets the locations of the new vertices on the old surface, the old values and the new
    /// ones, which are zero bytes before, and launches a kernel that writes them. The column keeps the rule.
    /// # Errors
    /// [`Missing`](ribbonmesh_mesh::ColumnError::Missing); [`Type`](ribbonmesh_mesh::ColumnError::Type) where
    /// its values are not of type `T`.
    pub fn follow_by<T: Value>(
        &mut self,
        name: &str,
        rule: impl Fn(Located<'_>, ColumnView<'_, Vertex, T>, ColumnViewMut<'_, Vertex, T>) -> Result<()>
        + Send
        + Sync
        + 'static,
    ) -> Result<()> {
        self.vertices().get::<T>(name)?;
        let rule: Rule = Arc::new(move |located, from, to| {
            rule(located, ColumnView::new(from.wide()), ColumnViewMut::new(to.wide()))
        });
        let of_name = self.of_vertices.iter_mut().filter(|column| column.head.name == name);
        of_name.for_each(|column| column.rule = Some(rule.clone()));
        Ok(())
    }
}

impl Column {
    /// The rows of the new mesh by the column's rule; `None` if it has no rule.
    pub fn ruled(&self, located: Located<'_>) -> Result<Option<Self>> {
        let Some(rule) = &self.rule else { return Ok(None) };
        let mut new = self.zeros_like(located.vertices as usize)?;
        rule(located, self.rows.view(), new.rows.view_mut())?;
        Ok(Some(new))
    }
}
