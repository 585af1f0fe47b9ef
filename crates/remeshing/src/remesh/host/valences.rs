//! Valences of the vertices of a part that stay.
use super::phases::count_excess;
use super::values::Values;
use crate::remesh::values::BITS;
use ribbonmesh::Result;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh};

/// The valences with which vertices that stay are content: those that they have at the beginning. A part does
/// not have all faces at them, so that the best valence of an inner vertex or of a boundary says nothing; by
/// that of a boundary, edges would be flipped at each corner of the border, and flipped back by later work.
#[derive(Default)]
pub struct Valences(Vec<First>);

/// The excess of a vertex at the beginning.
#[derive(Clone, Copy, Default)]
enum First {
    /// It does not stay, or its faces are several fans, each with a vertex of its own.
    #[default]
    None,
    Known(u32),
    Several,
}

impl Valences {
    /// Those of a mesh at the beginning, of a part with so many vertices.
    pub fn new(mesh: &mut DynamicMesh, values: &mut Values, vertices: usize) -> Result<Self> {
        let Some(barred) = values.barred.as_ref().map(|barred| barred.read(mesh)).transpose()? else {
            return Ok(Self::default());
        };
        count_excess(mesh, values)?;
        let mut first = vec![First::None; vertices];
        for (bits, excess) in barred.into_iter().zip(values.excess.read(mesh)?) {
            // the number of a fixed vertex in the part follows the bits, from 1 on
            if let Some(v) = (bits >> BITS).checked_sub(1) {
                let first = &mut first[v as usize];
                *first = if matches!(first, First::None) { First::Known(excess) } else { First::Several };
            }
        }
        Ok(Self(first))
    }
    /// Counts the excess of vertices that stay from the beginning, where that of a boundary was counted.
    pub fn settle(&self, mesh: &DynamicMesh, values: &mut Values) -> Result<()> {
        let Some(barred) = values.barred.as_ref().filter(|_| !self.0.is_empty()) else { return Ok(()) };
        let first = |bits: u32| match (bits >> BITS).checked_sub(1).map(|v| self.0[v as usize]) {
            Some(First::Known(excess)) => excess,
            _ => 0,
        };
        let (barred, now) = (barred.read(mesh)?, values.excess.read(mesh)?);
        let settled: Vec<u32> =
            barred.into_iter().zip(now).map(|(bits, now)| now.wrapping_sub(first(bits))).collect();
        values.excess = DynamicAttribute::from_ids(mesh, &settled)?;
        Ok(())
    }
}
