//! The heat method for vectors.
use super::aggregates::Aggregates;
use super::carry::{Burdens, Lane};
use super::choice::{FEW, choose, solver_of};
use super::factored::{Factored, FactoredVectors};
use super::options::{Chosen, HeatReport, VectorOptions};
use super::poisson::{Poisson, rows, shifts};
use super::shells::{Heat, Shells};
use super::tangents::{Tangents, check};
use crate::device::carried::Planar;
use crate::device::matrix::{AddShifts, HeatScales};
use crate::device::tangent::TurnsFromRoots;
use crate::device::vectors::{DirectionsOfFaces, Diverge, LiftDirections, MapPlaces};
use ribbonmesh::device::BufferView;
use ribbonmesh::glam::{DVec2, DVec3};
use ribbonmesh::{Buffer, Device, Error, FlatTopology, Result, Surface, array};
use ribbonmesh_intrinsic::{Calculus, Mass, Ordered, Triangulation};
use ribbonmesh_linear::{Elimination, Outcome, Progress};

/// Parallel transport, logarithmic maps and signed distances on an oriented manifold (Sharp, Soliman and
/// Crane, *The vector heat method*, 2019; Feng and Crane, *A heat method for generalized signed distance*,
/// 2024).
///
/// It keeps tangent planes, the Laplacian of the triangles as they are, and the levels of multigrid or three
/// factorizations, which all calls share. Edges whose cotangents have a negative sum conduct no heat. A
/// boundary is one of Neumann. Vertices are numbered as by [`Surface::download`].
///
/// ```
/// use ribbonmesh::mesh::shapes;
/// use ribbonmesh::{Device, MeshOptions, Surface};
/// use ribbonmesh_heat::{VectorHeat, VectorOptions};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let sphere = shapes::icosphere(4)?;
/// let surface = Surface::new(&Device::auto(), &sphere, &MeshOptions::default())?;
/// let method = VectorHeat::new(&surface, &VectorOptions::default())?;
/// let [east, _] = method.basis(0)?;
/// let (carried, _) = method.transport(&[(0, 2.0 * east)])?;
/// // everywhere as long as at the source
/// assert!(carried.read()?.iter().all(|x| (x.length() - 2.0).abs() < 1e-9));
/// # Ok(())
/// # }
/// ```
pub struct VectorHeat {
    calculus: Calculus,
    poisson: Poisson,
    tangents: Tangents,
    /// 1 / √ of the diagonal of the matrix of heat.
    scales: Buffer<f64>,
    aggregates: Aggregates,
    from_roots: Buffer<Planar>,
    factored: Option<FactoredVectors>,
    chosen: Chosen,
    time: f64,
    tolerance: f64,
}

/// The logarithmic map of a vertex.
pub struct LogarithmicMap {
    /// For each vertex the vector of the source's tangent plane, by two coordinates in the basis of
    /// [`VectorHeat::basis`], along which a geodesic leads there. Not a number where no path leads; wrong,
    /// also in length, where geodesics of several directions arrive, as opposite to the source on a sphere.
    pub coordinates: [Buffer<f64>; 2],
    /// The length of each of these vectors; +∞ where no path leads.
    pub distances: Buffer<f64>,
    /// How they were found.
    pub report: HeatReport,
}
/// Signed distances from a curve.
pub struct SignedDistances {
    /// Of each vertex, positive on the right of the curve: outside, if it goes counterclockwise. +∞ where no
    /// path leads.
    pub distances: Buffer<f64>,
    /// Whether the curve's last vertex has an edge to the first.
    pub closed: bool,
    /// How they were found; sources are the vertices of the curve.
    pub report: HeatReport,
}

impl VectorHeat {
    /// Finds tangent planes and the Laplacian of a surface, and makes what solves its systems. Waits.
    /// # Errors
    /// [`Error::Option`], also for [`Solver::Direct`](crate::Solver::Direct) if a matrix has no
    /// factorization, by rounding; [`Error::NotManifold`] for triangles that are no oriented manifold;
    /// [`Error::NotFinite`]; out of memory; errors of the driver.
    pub fn new(surface: &Surface, options: &VectorOptions) -> Result<Self> {
        let Ordered { positions, faces } = Ordered::of(surface)?;
        Self::of(positions, faces, options)
    }
    /// The same of triangles: three vertices for each face.
    /// # Errors
    /// As [`VectorHeat::new`]; [`Error::IndexOutOfRange`] for a face with a vertex that is not there;
    /// [`Error::OtherDevice`].
    pub fn of(positions: Buffer<DVec3>, faces: Buffer<u32>, options: &VectorOptions) -> Result<Self> {
        options.check()?;
        let (device, n) = (positions.device().clone(), positions.len());
        let topology = FlatTopology::from_buffer(n, faces.try_clone()?)?;
        check(&topology)?;
        let calculus = Calculus::of(Triangulation::new(&positions, faces, 0.0)?, Mass::Lumped)?;
        let of = calculus.laplacian();
        let tangents = Tangents::new(topology, positions, of)?;
        let time = options.time * calculus.triangulation().mean_edge_length().powi(2);
        let mut scales = device.unspecified(n)?;
        let kernel = HeatScales { time, rows: rows(of), mass: of.mass().view(), scales: scales.view_mut() };
        device.launch_each(n as u32, kernel)?;
        let aggregates = Aggregates::new(time, rows(of), &scales)?;
        let mut from_roots = device.unspecified(n)?;
        let turn = TurnsFromRoots {
            rows: rows(of),
            turns: tangents.turns().view(),
            roots: aggregates.roots().view(),
            to: from_roots.view_mut(),
        };
        device.launch_each(n as u32, turn)?;
        let order = || Elimination::new(of.starts().read()?, of.columns().read()?);
        // a factor of vectors has four times as many numbers
        let choice = choose(options.solver, &device, (&aggregates, FEW), 6, order)?;
        let direct = |order: &_| -> Result<_> {
            let Some(scalar) = Factored::new(of, order, time, scales.read()?)? else { return Ok(None) };
            let turns = tangents.turns().read()?;
            let Some(factored) = FactoredVectors::new(of, scalar, time, &turns)? else { return Ok(None) };
            Ok(Poisson::direct(&calculus, order)?.map(|poisson| (poisson, Some(factored))))
        };
        let iterative = || Ok((Poisson::new(&calculus)?, None));
        let (chosen, (poisson, factored)) = solver_of(options.solver, choice, direct, iterative)?;
        let tolerance = options.tolerance;
        Ok(Self {
            calculus,
            poisson,
            tangents,
            scales,
            aggregates,
            from_roots,
            factored,
            chosen,
            time,
            tolerance,
        })
    }
    /// How systems are solved.
    pub fn chosen(&self) -> Chosen {
        self.chosen
    }
    /// Two directions at right angles that span the tangent plane of a vertex. Waits.
    /// # Errors
    /// [`Error::Option`] for a vertex that is not there; errors of the driver.
    pub fn basis(&self, vertex: u32) -> Result<[DVec3; 2]> {
        self.check(vertex)?;
        let found = self.tangents.bases_of(&[vertex])?;
        found.first().copied().ok_or_else(|| Error::Invalid("no basis".into()))
    }
    /// Carries vectors from some vertices to all: each vertex gets that of the nearest source, along the
    /// shortest geodesic. Parts of vectors outside of the tangent planes are dropped. Zero where no path
    /// leads. Waits.
    /// # Errors
    /// [`Error::Option`] without sources, or for a vertex that is not there; out of memory; errors of the
    /// driver.
    pub fn transport(&self, sources: &[(u32, DVec3)]) -> Result<(Buffer<DVec3>, HeatReport)> {
        only(self.transport_each(&[sources])?)
    }
    /// [`VectorHeat::transport`] of several lists of sources. With a factorization, heat, vectors and lengths
    /// are one solve each, for all lists together. Waits.
    /// # Errors
    /// As [`VectorHeat::transport`]; [`Error::Option`] without lists.
    pub fn transport_each(&self, each: &[&[(u32, DVec3)]]) -> Result<Vec<(Buffer<DVec3>, HeatReport)>> {
        let given: Vec<Gifts> = each.iter().map(|sources| self.gifts(sources)).collect::<Result<_>>()?;
        let device = self.device();
        let burden = |of: &Gifts| -> Result<Burdens<'_>> {
            let mut with = self.burdens(vec![Lane::new(device.upload(&of.vectors)?)?]);
            if !of.lengths.is_empty() {
                with.numbers.push(Lane::new(device.upload(&of.lengths)?)?);
            }
            Ok(with)
        };
        let mut with: Vec<Burdens<'_>> = given.iter().map(burden).collect::<Result<_>>()?;
        let lists: Vec<Vec<u32>> = given.iter().map(|of| of.sources.clone()).collect();
        let heats = self.heats(&lists, &mut with)?;
        let mut found = vec![];
        for ((of, heat), with) in given.iter().zip(&heats).zip(&with) {
            let mut to = device.unspecified::<DVec3>(self.vertices())?;
            let lift = LiftDirections {
                length: of.greatest,
                bases: self.tangents.bases().view(),
                logarithms: heat.logarithms.view(),
                carried: with.vectors[0].known.view(),
                lengths: with.numbers.first().map_or(BufferView::empty(), |lane| lane.known.view()),
                to: to.view_mut(),
            };
            device.launch_each(self.vertices() as u32, lift)?;
            let reached = heat.logarithms.read()?.iter().filter(|x| **x > f64::NEG_INFINITY).count();
            found.push((to, self.report(heat, of.sources.len(), reached, None)));
        }
        Ok(found)
    }
    /// The logarithmic map of a vertex: polar coordinates by geodesics, in its tangent plane (Soliman and
    /// Sharp, *The affine heat method*, 2025). Exact in a plane. Waits.
    /// # Errors
    /// [`Error::Option`] for a vertex that is not there; out of memory; errors of the driver.
    pub fn logarithmic_map(&self, source: u32) -> Result<LogarithmicMap> {
        only(self.logarithmic_maps(&[source])?)
    }
    /// [`VectorHeat::logarithmic_map`] of each of some vertices. With a factorization, heat and vectors are
    /// one solve each, for all of them together. Waits.
    /// # Errors
    /// As [`VectorHeat::logarithmic_map`]; [`Error::Option`] without vertices.
    pub fn logarithmic_maps(&self, sources: &[u32]) -> Result<Vec<LogarithmicMap>> {
        sources.iter().try_for_each(|&source| self.check(source))?;
        let (device, n) = (self.device(), self.vertices());
        let ways = self.tangents.ways(self.calculus.laplacian())?;
        let burden = |&source: &u32| -> Result<Burdens<'_>> {
            let mut axis = vec![[0.0; 2]; n];
            axis[source as usize] = [1.0, 0.0];
            Ok(self.burdens(vec![Lane::new(device.upload(&axis)?)?, Lane::of_ways(&ways, n)?]))
        };
        let mut with: Vec<Burdens<'_>> = sources.iter().map(burden).collect::<Result<_>>()?;
        let lists: Vec<Vec<u32>> = sources.iter().map(|&source| vec![source]).collect();
        let heats = self.heats(&lists, &mut with)?;
        let mut found = vec![];
        for ((&source, heat), with) in sources.iter().zip(&heats).zip(&with) {
            let mut coordinates = [device.unspecified(n)?, device.unspecified(n)?];
            let mut distances = device.unspecified(n)?;
            let mut reached = device.unspecified::<u32>(n)?;
            let [x, y] = &mut coordinates;
            let place = MapPlaces {
                source,
                logarithms: heat.logarithms.view(),
                axes: with.vectors[0].known.view(),
                places: with.vectors[1].known.view(),
                x: x.view_mut(),
                y: y.view_mut(),
                lengths: distances.view_mut(),
                reached: reached.view_mut(),
            };
            device.launch_each(n as u32, place)?;
            let report = self.report(heat, 1, array::sum(&reached)? as usize, None);
            found.push(LogarithmicMap { coordinates, distances, report });
        }
        Ok(found)
    }
    /// Signed distances from a curve along edges, whose vertices are given in order. It is closed where its
    /// last vertex has an edge to the first one; where it is open, the sign goes on smoothly beyond its ends.
    /// Waits.
    /// # Errors
    /// [`Error::Option`] for fewer than two vertices, for a vertex that is not there, and for two in a row
    /// without an edge; out of memory; errors of the driver.
    pub fn signed_distances(&mut self, curve: &[u32]) -> Result<SignedDistances> {
        curve.iter().try_for_each(|&v| self.check(v))?;
        let [first, .., last] = *curve else {
            let (value, expected) = (curve.len().to_string(), "at least two vertices of a curve");
            return Err(Error::Option { option: "source", value, expected });
        };
        let mut pairs: Vec<[u32; 2]> = curve.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        pairs.push([last, first]);
        let sights = self.tangents.sights(self.calculus.laplacian(), &pairs)?;
        let closed = curve.len() > 2 && sights.last().is_some_and(Option::is_some);
        let n = self.vertices();
        let mean = self.calculus.triangulation().mean_edge_length();
        let mut normals = vec![DVec2::ZERO; n];
        let edges = if closed { pairs.len() } else { pairs.len() - 1 };
        for ([a, b], sight) in pairs.into_iter().zip(sights).take(edges) {
            let Some(sight) = sight else {
                let (value, expected) =
                    (format!("{a}, {b}"), "two vertices with an edge, one after the other");
                return Err(Error::Option { option: "source", value, expected });
            };
            // to the right of the direction of the curve
            let by = 0.5 * sight.length / mean;
            normals[a as usize] -= DVec2::from_angle(sight.there).perp() * by;
            normals[b as usize] += DVec2::from_angle(sight.back).perp() * by;
        }
        let normals: Vec<Planar> = normals.into_iter().map(Into::into).collect();
        let mut with = [self.burdens(vec![Lane::new(self.device().upload(&normals)?)?])];
        let sources = ascending(curve.to_vec());
        let heat = only(self.heats(std::slice::from_ref(&sources), &mut with)?)?;
        let right = self.divergence(&heat, &with[0].vectors[0].known)?;
        drop(with);
        let (mut distances, progress) = self.poisson.solve(&right, self.tolerance)?;
        let reached = self.shift(curve, &mut distances)?;
        let report = self.report(&heat, sources.len(), reached, Some(progress));
        Ok(SignedDistances { distances, closed, report })
    }
}

/// Vectors at some vertices.
struct Gifts {
    /// These vertices, ascending.
    sources: Vec<u32>,
    /// The sum of the vectors at each vertex, divided by `greatest`.
    vectors: Vec<Planar>,
    /// The mean of their lengths, likewise; nothing where all are equally long.
    lengths: Vec<f64>,
    /// The greatest of these means.
    greatest: f64,
}

impl VectorHeat {
    fn device(&self) -> &Device {
        self.scales.device()
    }
    fn vertices(&self) -> usize {
        self.scales.len()
    }
    fn check(&self, vertex: u32) -> Result<()> {
        if (vertex as usize) < self.vertices() {
            return Ok(());
        }
        let expected = "the index of a vertex, less than the number of vertices";
        Err(Error::Option { option: "source", value: vertex.to_string(), expected })
    }
    fn burdens<'a>(&'a self, vectors: Vec<Lane<'a, Planar>>) -> Burdens<'a> {
        let (turns, from_roots) = (self.tangents.turns().view(), self.from_roots.view());
        Burdens { turns, from_roots, vectors, numbers: vec![] }
    }
    /// Vectors at some vertices, by coordinates, as parts of the longest mean one.
    fn gifts(&self, sources: &[(u32, DVec3)]) -> Result<Gifts> {
        if sources.is_empty() {
            return Err(no_source("at least one vertex"));
        }
        let list: Vec<u32> = sources.iter().map(|&(v, _)| v).collect();
        list.iter().try_for_each(|&v| self.check(v))?;
        let n = self.vertices();
        let (mut vectors, mut lengths, mut counts) = (vec![[0.0; 2]; n], vec![0.0; n], vec![0.0; n]);
        for (&(v, vector), [a, b]) in sources.iter().zip(self.tangents.bases_of(&list)?) {
            let (x, y, v) = (a.dot(vector), b.dot(vector), v as usize);
            vectors[v] = [vectors[v][0] + x, vectors[v][1] + y];
            (lengths[v], counts[v]) = (lengths[v] + x.hypot(y), counts[v] + 1.0);
        }
        let sources = ascending(list);
        sources.iter().for_each(|&v| lengths[v as usize] /= counts[v as usize]);
        let own = || sources.iter().map(|&v| lengths[v as usize]);
        let (least, greatest) = (own().fold(f64::INFINITY, f64::min), own().fold(0.0, f64::max));
        let by = if greatest > 0.0 { 1.0 / greatest } else { 0.0 };
        vectors.iter_mut().for_each(|x| *x = [by * x[0], by * x[1]]);
        lengths.iter_mut().for_each(|length| *length *= by);
        if least == greatest {
            lengths.clear();
        }
        Ok(Gifts { sources, vectors, lengths, greatest })
    }
    /// The heat from the vertices of each list, which ascend, and what it carries.
    fn heats(&self, each: &[Vec<u32>], with: &mut [Burdens<'_>]) -> Result<Vec<Heat>> {
        if each.is_empty() {
            return Err(no_source("at least one"));
        }
        let of = self.calculus.laplacian();
        let shells = || Shells::new(rows(of), &self.aggregates, of.mass(), &self.scales, self.time);
        let Some(factored) = &self.factored else {
            return each.iter().zip(with).map(|(sources, with)| shells()?.flow(sources, with)).collect();
        };
        let known = factored.heat(of, each, with)?;
        // shells for what is too far away for doubles
        let on = |((sources, known), with): ((&Vec<u32>, Vec<f64>), &mut Burdens<'_>)| {
            shells()?.flow_on(sources, self.device().upload(&known)?, with)
        };
        each.iter().zip(known).zip(with).map(on).collect()
    }
    /// The divergence of the unit vectors of faces that have the directions of what was carried.
    fn divergence(&self, heat: &Heat, carried: &Buffer<Planar>) -> Result<Buffer<f64>> {
        let (device, faces) = (self.device(), self.tangents.topology().faces());
        let mut field = device.unspecified::<DVec3>(faces)?;
        let positions = self.tangents.positions().view();
        let direct = DirectionsOfFaces {
            faces: self.tangents.topology().face_vertices().view(),
            positions,
            bases: self.tangents.bases().view(),
            logarithms: heat.logarithms.view(),
            carried: carried.view(),
            to: field.view_mut(),
        };
        device.launch_each(faces as u32, direct)?;
        let mut out = device.unspecified::<f64>(self.vertices())?;
        let fans = self.tangents.fans();
        let diverge = Diverge { fans, positions, field: field.view(), out: out.view_mut() };
        device.launch_each(self.vertices() as u32, diverge)?;
        Ok(out)
    }
    /// Adds constants to distances, so that their mean on a curve is 0 in each component, and +∞ where there
    /// is none of it; the number of finite ones.
    fn shift(&self, curve: &[u32], distances: &mut Buffer<f64>) -> Result<usize> {
        let device = self.device();
        let components = self.poisson.components();
        let own = array::gather(distances, &device.upload(curve)?)?.read()?;
        let shifts = shifts(components, curve, &own, f64::INFINITY);
        let reached = components.iter().filter(|&&component| shifts[component as usize].is_finite()).count();
        let (components, shifts) = (device.upload(components)?, device.upload(&shifts)?);
        let add = AddShifts { components: components.view(), shifts: shifts.view(), x: distances.view_mut() };
        device.launch_each(self.vertices() as u32, add)?;
        Ok(reached)
    }
    fn report(&self, heat: &Heat, sources: usize, reached: usize, solved: Option<Progress>) -> HeatReport {
        HeatReport {
            sources,
            reached,
            unreachable: self.vertices() - reached,
            chosen: self.chosen,
            shells: heat.shells,
            shell_vertices: heat.vertices,
            heat_iterations: heat.iterations,
            iterations: solved.map_or(0, |progress| progress.iterations),
            residual: solved.map_or(0.0, |progress| progress.residual()),
            converged: heat.converged && solved.is_none_or(|progress| progress.outcome == Outcome::Converged),
        }
    }
}

/// The one of a list.
pub fn only<T>(mut found: Vec<T>) -> Result<T> {
    found.pop().ok_or_else(|| Error::Invalid("no result of the heat method".into()))
}
fn no_source(expected: &'static str) -> Error {
    Error::Option { option: "source", value: "none".into(), expected }
}
/// Vertices in ascending order, each once.
pub fn ascending(mut vertices: Vec<u32>) -> Vec<u32> {
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}
