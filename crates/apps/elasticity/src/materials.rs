//! The material of each cell.
use super::body::Body;
use super::error::{ElasticityError, Result};
use super::problem::Problem;
use ribbonmesh_fem::Lame;
use ribbonmesh_volume_io::VolumeData;

/// What cells are made of.
pub struct Materials {
    /// Lamé's parameters of each cell; one alone if all cells have the same material.
    lame: Vec<Lame>,
    /// Masses per volume; the same.
    density: Vec<f64>,
    /// How many cells each of the problem's materials has.
    pub cells: Vec<usize>,
}
impl Materials {
    /// Where several materials select a cell, it has the last one.
    pub fn new(volume: &VolumeData, problem: &Problem, body: &Body) -> Result<Self> {
        let first = Lame::of(problem.young, problem.poisson);
        if problem.materials.is_empty() {
            return Ok(Self { lame: vec![first], density: vec![problem.density], cells: vec![] });
        }
        let n = body.len();
        let (mut lame, mut density, mut own) = (vec![first; n], vec![problem.density; n], vec![None; n]);
        for (index, material) in problem.materials.iter().enumerate() {
            let chosen = material.at.choose(volume);
            let mut any = false;
            for cell in (0..n).filter(|&cell| chosen.has_cell(cell, body.cell(cell))) {
                any = true;
                lame[cell] = Lame::of(material.young, material.poisson);
                density[cell] = material.density.unwrap_or(problem.density);
                own[cell] = Some(index);
            }
            if !any {
                let regions = material.at.regions(volume);
                return Err(ElasticityError::NoCellsSelected { selection: material.at.to_string(), regions });
            }
        }
        let count = |index| own.iter().filter(|own| **own == Some(index)).count();
        let cells = (0..problem.materials.len()).map(count).collect();
        Ok(Self { lame, density, cells })
    }
    /// The one of all cells, if they have the same.
    pub fn same(&self) -> Option<Lame> {
        if self.cells.is_empty() { self.lame.first().copied() } else { None }
    }
    /// Of a cell.
    pub fn lame(&self, cell: usize) -> Lame {
        self.lame[if self.cells.is_empty() { 0 } else { cell }]
    }
    /// Masses per volume of cells; one alone if all are the same.
    pub fn density(&self) -> &[f64] {
        &self.density
    }
    /// λ and μ of all cells.
    pub fn parameters(&self) -> impl Iterator<Item = [f64; 2]> {
        self.lame.iter().map(|m| [m.lambda, m.mu])
    }
}
