//! The cells of a volume as elements.
use super::error::{ElasticityError, Result};
use ribbonmesh_volume::{CellKind, CellList};

/// Cells of one kind.
pub enum Body {
    /// Tetrahedra.
    Tetrahedra(Vec<[u32; 4]>),
    /// Hexahedra.
    Hexahedra(Vec<[u32; 8]>),
}
impl Body {
    /// Takes the cells of a list that has been checked.
    pub fn new(cells: &CellList) -> Result<Self> {
        if cells.is_empty() {
            return Err(ElasticityError::NoCells);
        }
        let first = cells.cell(0).0;
        if let Some(cell) = (0..cells.len()).find(|&cell| cells.cell(cell).0 != first) {
            return Err(ElasticityError::Mixed { cell, kind: cells.cell(cell).0, first });
        }
        match first {
            CellKind::Tetrahedron => Ok(Self::Tetrahedra(rows(cells))),
            CellKind::Hexahedron => Ok(Self::Hexahedra(rows(cells))),
            kind => Err(ElasticityError::Kind { kind }),
        }
    }
    /// The cells as a list.
    pub fn list(&self) -> CellList {
        match self {
            Self::Tetrahedra(cells) => CellList::tetrahedra(cells),
            Self::Hexahedra(cells) => CellList::hexahedra(cells),
        }
    }
    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Tetrahedra(cells) => cells.len(),
            Self::Hexahedra(cells) => cells.len(),
        }
    }
    /// The vertices of a cell.
    pub fn cell(&self, cell: usize) -> &[u32] {
        match self {
            Self::Tetrahedra(cells) => &cells[cell],
            Self::Hexahedra(cells) => &cells[cell],
        }
    }
}
fn rows<const N: usize>(cells: &CellList) -> Vec<[u32; N]> {
    (0..cells.len()).filter_map(|cell| cells.cell(cell).1.try_into().ok()).collect()
}
