//! Distances by the heat method.
use super::aggregates::Aggregates;
use super::carry::Burdens;
use super::choice::{FEW, choose, solver_of};
use super::factored::Factored;
use super::options::{Chosen, HeatOptions, HeatReport};
use super::poisson::{Poisson, rows, shifts};
use super::shells::{Heat, Shells};
use super::vector_heat::{ascending, only};
use crate::device::matrix::{HeatScales, ShiftDistances};
use ribbonmesh::mesh::Role;
use ribbonmesh::{Buffer, Error, Result, Surface, array};
use ribbonmesh_intrinsic::{Calculus, Triangulation};
use ribbonmesh_linear::{Elimination, Outcome};

/// Distances from some vertices of a surface by the heat method (Crane, Weischedel and Wardetzky, *Geodesics
/// in heat*, 2013): heat flows from the sources for a short time; distances are the function whose gradient
/// is nearest to the direction in which it has flown.
///
/// It keeps the triangulation, the Laplacian, and the levels of multigrid or two factorizations, which all
/// sources share. Vertices are numbered as by [`Surface::download`].
pub struct HeatMethod {
    calculus: Calculus,
    poisson: Poisson,
    /// 1 / √ of the diagonal of the matrix of heat.
    scales: Buffer<f64>,
    aggregates: Aggregates,
    factored: Option<Factored>,
    chosen: Chosen,
    time: f64,
    options: HeatOptions,
}

impl HeatMethod {
    /// Makes the intrinsic Delaunay triangulation of a surface, its Laplacian, and what solves its systems.
    /// Waits.
    /// # Errors
    /// [`Error::Option`], also for [`Solver::Direct`](crate::Solver::Direct) if a matrix has no
    /// factorization, by rounding; as [`ribbonmesh_intrinsic::laplacian()`].
    pub fn new(surface: &Surface, options: &HeatOptions) -> Result<Self> {
        options.check()?;
        Self::of(Calculus::new(surface, &options.laplacian)?, options)
    }
    /// The same of a triangulation, which should be Delaunay: edges whose cotangents have a negative sum
    /// conduct no heat.
    /// # Errors
    /// [`Error::Option`]; out of memory; errors of the driver.
    pub fn of_triangulation(of: Triangulation, options: &HeatOptions) -> Result<Self> {
        options.check()?;
        Self::of(Calculus::of(of, options.laplacian.mass)?, options)
    }
    fn of(calculus: Calculus, options: &HeatOptions) -> Result<Self> {
        let (of, n) = (calculus.laplacian(), calculus.triangulation().vertices());
        let device = calculus.triangulation().device().clone();
        let time = options.time * calculus.triangulation().mean_edge_length().powi(2);
        let mut scales = device.unspecified(n)?;
        let kernel = HeatScales { time, rows: rows(of), mass: of.mass().view(), scales: scales.view_mut() };
        device.launch_each(n as u32, kernel)?;
        let aggregates = Aggregates::new(time, rows(of), &scales)?;
        let order = || Elimination::new(of.starts().read()?, of.columns().read()?);
        let choice = choose(options.solver, &device, (&aggregates, FEW), 2, order)?;
        let direct = |order: &_| -> Result<_> {
            let Some(factored) = Factored::new(of, order, time, scales.read()?)? else { return Ok(None) };
            Ok(Poisson::direct(&calculus, order)?.map(|poisson| (poisson, Some(factored))))
        };
        let iterative = || Ok((Poisson::new(&calculus)?, None));
        let (chosen, (poisson, factored)) = solver_of(options.solver, choice, direct, iterative)?;
        Ok(Self { calculus, poisson, scales, aggregates, factored, chosen, time, options: *options })
    }
    /// The triangulation and its Laplacian.
    pub fn calculus(&self) -> &Calculus {
        &self.calculus
    }
    /// The Laplacian with its levels.
    pub fn poisson(&self) -> &Poisson {
        &self.poisson
    }
    /// The distance of each vertex from the nearest of the sources, in the units of the positions; +∞ where
    /// no path leads. Waits.
    ///
    /// Of several sources that are connected the mean of their distances is 0, and nothing is below 0.
    /// # Errors
    /// [`Error::Option`] without sources, or if a source is not a vertex; out of memory; errors of the
    /// driver.
    pub fn distances(&mut self, sources: &[u32]) -> Result<(Buffer<f64>, HeatReport)> {
        only(self.distances_of_each(&[sources])?)
    }
    /// [`HeatMethod::distances`] of several lists of sources. Distances are solved for in one solve, and with
    /// a factorization so is heat: the matrix, the levels or the factor are read once for all of them. They
    /// share the residual. Waits.
    /// # Errors
    /// As [`HeatMethod::distances`]; [`Error::Option`] without lists.
    pub fn distances_of_each(&mut self, each: &[&[u32]]) -> Result<Vec<(Buffer<f64>, HeatReport)>> {
        let each: Vec<Vec<u32>> = each.iter().map(|sources| self.check(sources)).collect::<Result<_>>()?;
        let heats = self.heats(&each)?;
        let right = |heat: &Heat| self.calculus.divergence_of_directions(&heat.logarithms);
        let right: Vec<_> = heats.iter().map(right).collect::<Result<_>>()?;
        let (distances, progress) = self.poisson.solve_all(&right, self.options.tolerance)?;
        let n = self.calculus.triangulation().vertices();
        let mut found = vec![];
        for ((heat, sources), mut distances) in heats.iter().zip(&each).zip(distances) {
            let reached = self.shift(heat, sources, &mut distances)?;
            let report = HeatReport {
                sources: sources.len(),
                reached,
                unreachable: n - reached,
                chosen: self.chosen,
                shells: heat.shells,
                shell_vertices: heat.vertices,
                heat_iterations: heat.iterations,
                iterations: progress.iterations,
                residual: progress.residual(),
                converged: heat.converged && progress.outcome == Outcome::Converged,
            };
            found.push((distances, report));
        }
        Ok(found)
    }
    /// How systems are solved.
    pub fn chosen(&self) -> Chosen {
        self.chosen
    }
}

impl HeatMethod {
    /// Sources in ascending order, each once.
    fn check(&self, sources: &[u32]) -> Result<Vec<u32>> {
        let n = self.calculus.triangulation().vertices();
        let refuse = |value: String, expected| Err(Error::Option { option: "source", value, expected });
        if let Some(v) = sources.iter().find(|&&v| v as usize >= n) {
            return refuse(v.to_string(), "the index of a vertex, less than the number of vertices");
        }
        if sources.is_empty() {
            return refuse("none".into(), "at least one vertex");
        }
        Ok(ascending(sources.to_vec()))
    }
    /// The heat from each list of sources.
    fn heats(&self, each: &[Vec<u32>]) -> Result<Vec<Heat>> {
        let of = self.calculus.laplacian();
        let shells = || Shells::new(rows(of), &self.aggregates, of.mass(), &self.scales, self.time);
        let Some(factored) = &self.factored else {
            return each.iter().map(|sources| shells()?.flow(sources, &mut Burdens::none())).collect();
        };
        let on = |(sources, known): (&Vec<u32>, Vec<f64>)| {
            // shells for what is too far away for doubles
            let known = self.scales.device().upload(&known)?;
            shells()?.flow_on(sources, known, &mut Burdens::none())
        };
        each.iter().zip(factored.logarithms(each)?).map(on).collect()
    }
    /// Adds constants to the solution, so that the mean of the sources of each component is 0; the number of
    /// finite distances.
    fn shift(&self, heat: &Heat, sources: &[u32], distances: &mut Buffer<f64>) -> Result<usize> {
        let device = distances.device().clone();
        let n = distances.len() as u32;
        let list = device.upload(sources)?;
        let own = array::gather(distances, &list)?.read()?;
        let (components, shifts) = match own[..] {
            [own] => (device.zeros(0)?, vec![-own]),
            _ => {
                let components = self.poisson.components();
                (device.upload(components)?, shifts(components, sources, &own, 0.0))
            }
        };
        let shifts = device.upload(&shifts)?;
        let mut reached = device.unspecified::<u32>(n as usize)?;
        let kernel = ShiftDistances {
            logarithms: heat.logarithms.view(),
            sources: heat.sources.view(),
            components: components.view(),
            shifts: shifts.view(),
            distances: distances.view_mut(),
            reached: reached.view_mut(),
        };
        device.launch_each(n, kernel)?;
        Ok(array::sum(&reached)? as usize)
    }
}

/// Writes the distances of the heat method to the vertex attribute `distance` of a surface, as
/// [`HeatMethod::distances`] has them. [`HeatMethod`] keeps what several runs share.
/// # Errors
/// As [`HeatMethod::new`] and [`HeatMethod::distances`]. After an error, the attributes are unchanged.
pub fn heat_distances(surface: &mut Surface, sources: &[u32], options: &HeatOptions) -> Result<HeatReport> {
    let (distances, report) = HeatMethod::new(surface, options)?.distances(sources)?;
    insert_distances(surface, &distances)?;
    Ok(report)
}
/// Writes values of vertices, in the order of [`Surface::download`], to the vertex attribute `distance`.
/// # Errors
/// As [`Surface::insert_of_vertices`].
pub fn insert_distances(surface: &mut Surface, distances: &Buffer<f64>) -> Result<()> {
    insert_distances_as(surface, "distance", distances)
}
/// Writes them to the vertex attribute of this name.
/// # Errors
/// As [`insert_distances`].
pub fn insert_distances_as(surface: &mut Surface, name: &str, distances: &Buffer<f64>) -> Result<()> {
    let own = array::gather(distances, &*surface.triangles().vertex_places()?)?;
    surface.insert_owned_of_vertices(name, Role::Custom, own)
}
