//! Solutions of Poisson's equation, again and again with the same levels or the same factor.
use super::system::System;
use crate::device::matrix::{CopyLane, HoldRows, RowsArguments};
use ribbonmesh::mesh::UnionFind;
use ribbonmesh::{Buffer, Device, Error, Result};
use ribbonmesh_intrinsic::{Calculus, Laplacian};
use ribbonmesh_linear::{Elimination, Progress};
use ribbonmesh_multigrid::{Blocks, Hierarchy};
use std::sync::Arc;

/// The Laplacian with the levels of multigrid, or with a factorization, for many right-hand sides.
///
/// The first vertex of each component is held at 0. So the matrix is positive definite, and rounding cannot
/// make constants grow, which would cost no energy.
pub struct Poisson {
    system: System,
    components: Vec<u32>,
}

impl Poisson {
    /// Makes the matrix and the levels of multigrid. The host finds the components of vertices. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn new(of: &Calculus) -> Result<Self> {
        let (matrix, held, components) = held(of)?;
        Ok(Self { system: System::iterative(matrix, held)?, components })
    }
    /// Makes the matrix and factors it, on the host; `None` where it is not positive definite, by rounding.
    /// Waits.
    /// # Errors
    /// As [`Cholesky::if_definite`](ribbonmesh_linear::Cholesky::if_definite); errors of the driver.
    pub fn direct(of: &Calculus, order: &Arc<Elimination>) -> Result<Option<Self>> {
        let (matrix, held, components) = held(of)?;
        Ok(System::direct(matrix, held, order)?.map(|system| Self { system, components }))
    }
    /// The first vertex of the component of each vertex.
    pub fn components(&self) -> &[u32] {
        &self.components
    }
    /// The levels of multigrid; `None` for a factorization.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.system.hierarchy()
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.system.device()
    }
    /// x for which L x = b, 0 at the first vertex of each component; iterations go from x = 0 on, until the
    /// residual is `tolerance` of b. The numbers of b must add up to 0 on each component, but for rounding;
    /// those at vertices that are held are not read.
    /// # Errors
    /// [`Error::Length`]; out of memory; errors of the driver.
    pub fn solve(&mut self, b: &Buffer<f64>, tolerance: f64) -> Result<(Buffer<f64>, Progress)> {
        self.system.solve(b, 1, tolerance)
    }
    /// The same for several right-hand sides in one solve: the matrix, the levels or the factor are read once
    /// for all of them. The residual is that of all together.
    /// # Errors
    /// As [`Poisson::solve`].
    pub fn solve_all(
        &mut self,
        each: &[Buffer<f64>],
        tolerance: f64,
    ) -> Result<(Vec<Buffer<f64>>, Progress)> {
        if each.is_empty() {
            let (option, value) = ("right-hand sides", "none".to_owned());
            return Err(Error::Option { option, value, expected: "at least one" });
        }
        let (device, n, lanes) = (self.device().clone(), self.components.len(), each.len() as u32);
        let mut all = device.unspecified::<f64>(n * each.len())?;
        for (to_lane, b) in (0..).zip(each) {
            if b.len() != n {
                return Err(Error::Length { what: "the right-hand side", expected: n, found: b.len() });
            }
            let (from, to) = (b.view(), all.view_mut());
            let copy = CopyLane { from_lane: 0, from_lanes: 1, from, to_lane, to_lanes: lanes, to };
            device.launch_each(n as u32, copy)?;
        }
        let (x, progress) = self.system.solve(&all, lanes, tolerance)?;
        let own = |from_lane| -> Result<Buffer<f64>> {
            let mut own = device.unspecified(n)?;
            let (from, to) = (x.view(), own.view_mut());
            let copy = CopyLane { from_lane, from_lanes: lanes, from, to_lane: 0, to_lanes: 1, to };
            device.launch_each(n as u32, copy)?;
            Ok(own)
        };
        Ok(((0..lanes).map(own).collect::<Result<_>>()?, progress))
    }
}

/// The Laplacian with the first vertex of each component held at 0, which vertices are, and the components.
/// Where no edge has a length, the Laplacian is 0, and all vertices are held.
fn held(of: &Calculus) -> Result<(Blocks<f64>, Buffer<u32>, Vec<u32>)> {
    let (laplacian, device) = (of.laplacian(), of.triangulation().device().clone());
    let components = components(of)?;
    let all = of.triangulation().mean_edge_length() <= 0.0;
    let held: Vec<u32> = (0..).zip(&components).map(|(v, root)| u32::from(all || v == *root)).collect();
    let held = device.upload(&held)?;
    let mut to = device.unspecified::<f64>(laplacian.values().len())?;
    let kernel = HoldRows { rows: rows(laplacian), held: held.view(), to: to.view_mut() };
    device.launch_each(held.len() as u32, kernel)?;
    Ok((blocks(laplacian, to)?, held, components))
}
/// For each component, by its first vertex, what its sources have too much in the mean, as a shift; `without`
/// for one that has none.
pub fn shifts(components: &[u32], sources: &[u32], values: &[f64], without: f64) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); components.len()];
    for (&source, own) in sources.iter().zip(values) {
        let (sum, count) = &mut sums[components[source as usize] as usize];
        (*sum, *count) = (*sum + own, *count + 1.0);
    }
    sums.iter().map(|(sum, count)| if *count > 0.0 { -sum / count } else { without }).collect()
}
/// A matrix with the entries of a Laplacian.
pub fn blocks(of: &Laplacian, values: Buffer<f64>) -> Result<Blocks<f64>> {
    let (starts, columns) = (of.starts().try_clone()?, of.columns().try_clone()?);
    Ok(Blocks::new(of.mass().len(), [1, 1], starts, columns, values)?)
}

/// The first vertex of the component of each vertex.
fn components(of: &Calculus) -> Result<Vec<u32>> {
    let of = of.triangulation();
    let (origin, next) = (of.origins().read()?, of.nexts().read()?);
    let mut sets = UnionFind::new(of.vertices());
    for (&v, &next) in origin.iter().zip(&next) {
        sets.join(v, origin[next as usize]);
    }
    Ok(sets.roots())
}

/// The rows of a Laplacian.
pub fn rows(of: &Laplacian) -> RowsArguments<'_> {
    RowsArguments { starts: of.starts().view(), columns: of.columns().view(), values: of.values().view() }
}
