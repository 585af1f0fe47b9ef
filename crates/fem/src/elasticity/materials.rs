//! The material of each cell.
use super::body::Body;
use super::error::{ElasticityError, Result};
use super::problem::Problem;
use super::selection::Purpose;
use crate::{Lame, Space};
use ribbonmesh::Buffer;
use ribbonmesh_volume_io::VolumeData;

/// Materials of cells.
pub struct Materials {
    /// Lamé's parameters of each cell; a single entry if all cells have the same material.
    lame: Vec<Lame>,
    /// Masses per volume of cells; a single entry if all cells have the same material.
    density: Vec<f64>,
    /// The material of each cell, from 1; 0 for that of the problem. Empty if all cells have the latter.
    own: Vec<u32>,
    /// Number of cells of each of the problem's materials.
    pub cells: Vec<usize>,
    /// Selections of regions that exist for faces, too.
    pub ambiguous: Vec<String>,
    /// The greatest Poisson's ratio of a cell.
    pub greatest_poisson: f64,
}
impl Materials {
    /// Finds the material of each cell: the last one that selects it.
    pub fn new(volume: &VolumeData, problem: &Problem, body: &Body) -> Result<Self> {
        let first = Lame::of(problem.young, problem.poisson);
        if problem.materials.is_empty() {
            let (lame, density) = (vec![first], vec![problem.density]);
            let greatest_poisson = problem.poisson;
            return Ok(Self {
                lame,
                density,
                own: vec![],
                cells: vec![],
                ambiguous: vec![],
                greatest_poisson,
            });
        }
        let n = body.len();
        let (mut lame, mut density, mut own) = (vec![first; n], vec![problem.density; n], vec![0; n]);
        let mut ambiguous = vec![];
        for (index, material) in problem.materials.iter().enumerate() {
            let chosen = material.at.choose(volume, Purpose::Material);
            if chosen.ambiguous {
                ambiguous.push(material.at.to_string());
            }
            let mut any = false;
            for cell in (0..n).filter(|&cell| chosen.has_cell(cell, body.cell(cell))) {
                any = true;
                lame[cell] = Lame::of(material.young, material.poisson);
                density[cell] = material.density.unwrap_or(problem.density);
                own[cell] = index as u32 + 1;
            }
            if !any {
                let regions = material.at.regions(volume);
                return Err(ElasticityError::NoCellsSelected { selection: material.at.to_string(), regions });
            }
        }
        let count = |index| own.iter().filter(|own| **own == index as u32 + 1).count();
        let cells: Vec<usize> = (0..problem.materials.len()).map(count).collect();
        let some = problem.materials.iter().zip(&cells).filter(|(_, count)| **count > 0);
        let first = own.contains(&0).then_some(problem.poisson);
        let greatest_poisson = some.map(|(m, _)| m.poisson).chain(first).fold(f64::NEG_INFINITY, f64::max);
        Ok(Self { lame, density, own, cells, ambiguous, greatest_poisson })
    }
    /// The material of all cells, if it is the same.
    pub fn same(&self) -> Option<Lame> {
        if self.cells.is_empty() { self.lame.first().copied() } else { None }
    }
    /// Lamé's parameters of a cell.
    pub fn lame(&self, cell: usize) -> Lame {
        self.lame[if self.cells.is_empty() { 0 } else { cell }]
    }
    /// Number of materials, including that of the problem.
    pub fn count(&self) -> usize {
        self.cells.len() + 1
    }
    /// Number of the material of a cell, below [`Materials::count`].
    pub fn index(&self, cell: usize) -> usize {
        self.own.get(cell).map_or(0, |own| *own as usize)
    }
    /// The density of a cell.
    pub fn density_of(&self, cell: usize) -> f64 {
        self.density[if self.cells.is_empty() { 0 } else { cell }]
    }
    /// Masses per volume of cells; a single entry if all are the same.
    pub fn density(&self) -> &[f64] {
        &self.density
    }
    /// The mass of each node: the integral of its function times the density.
    pub fn masses(&self, space: &Space<'_>) -> Result<Buffer<f64>> {
        let densities = match self.density() {
            [same] => vec![*same; space.cells()],
            all => all.to_vec(),
        };
        Ok(space.integrals_by(&space.device().upload(&densities)?)?)
    }
    /// The least Young's modulus of a cell by its density.
    pub fn least_ratio(&self) -> f64 {
        let young = |Lame { lambda, mu }: Lame| mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
        let cells = self.lame.iter().zip(&self.density);
        cells.map(|(lame, density)| young(*lame) / density).fold(f64::INFINITY, f64::min)
    }
    /// λ and μ of all cells.
    pub fn parameters(&self) -> impl Iterator<Item = [f64; 2]> {
        self.lame.iter().map(|m| [m.lambda, m.mu])
    }
}
