//! The heat method for vectors, by factorizations on the host.
use super::cholesky::{Cholesky, Elimination};
use super::tangents::{Spoke, Tangents};
use ribbonmesh::glam::{DVec2, DVec3};
use ribbonmesh::mesh::UnionFind;
use ribbonmesh::{Error, Result};
use std::sync::Arc;

/// Heat of a source: far from where doubles overflow.
const SOURCE: f64 = f64::from_bits((1023 + 900) << 52);
/// Heat below this has lost digits, and counts as none: 1,800 binary digits are 1,300 edges or so.
const LEAST: f64 = 1.0 / SOURCE;

/// Parallel transport, logarithmic maps and signed distances on an oriented manifold (Sharp, Soliman and
/// Crane, *The vector heat method*, 2019; Feng and Crane, *A heat method for generalized signed distance*,
/// 2024).
///
/// On the host, in double precision, on one core: three Cholesky factorizations, which all calls share. Edges
/// whose cotangents have a negative sum conduct no heat. A boundary is one of Neumann.
pub struct VectorHeat {
    faces: Vec<[u32; 3]>,
    positions: Vec<DVec3>,
    tangents: Tangents,
    time: f64,
    /// 1 / √ of the diagonal of the matrix of heat.
    scales: Vec<f64>,
    scalar: Cholesky,
    vector: Cholesky,
    poisson: Cholesky,
    components: Vec<u32>,
}

/// The logarithmic map of a vertex.
#[derive(Clone, Debug)]
pub struct LogarithmicMap {
    /// For each vertex the vector of the source's tangent plane, as two numbers in the basis of
    /// [`VectorHeat::basis`], along which a geodesic leads there. Not a number where no path leads; wrong,
    /// also in length, where geodesics of several directions arrive, as opposite to the source on a sphere.
    pub coordinates: Vec<DVec2>,
    /// Vertices with coordinates.
    pub reached: usize,
}
/// Signed distances from a curve.
#[derive(Clone, Debug)]
pub struct SignedDistances {
    /// Of each vertex, positive on the right of the curve: outside, if it goes counterclockwise. +∞ where no
    /// path leads.
    pub distances: Vec<f64>,
    /// Whether the curve's last vertex has an edge to the first.
    pub closed: bool,
    /// Vertices with a finite distance.
    pub reached: usize,
}

impl VectorHeat {
    /// Finds tangent planes and factors three matrices: about 10 n log₂ n numbers each, for n vertices, and
    /// four times as many for vectors. `time` is in squared mean edge lengths, 1 as a rule.
    /// # Errors
    /// [`Error::Option`] for a time that is not above 0; [`Error::NotManifold`] for triangles that are no
    /// oriented manifold; [`Error::NotFinite`]; [`Error::Invalid`]; out of memory.
    pub fn new(positions: &[DVec3], faces: &[[u32; 3]], time: f64) -> Result<Self> {
        if !(time > 0.0 && time.is_finite()) {
            let (value, expected) = (time.to_string(), "a finite number above 0");
            return Err(Error::Option { option: "time", value, expected });
        }
        let tangents = Tangents::new(positions, faces)?;
        let time = time * tangents.mean_edge_length().powi(2);
        let n = tangents.vertices();
        let mut sets = UnionFind::new(n);
        faces.iter().for_each(|&[a, b, c]| {
            sets.join(a, b);
            sets.join(b, c);
        });
        let components = sets.roots();
        let scales: Vec<f64> = (0..n as u32)
            .map(|v| {
                let all: f64 = tangents.spokes_of(v).iter().map(|s| s.weight.max(0.0)).sum();
                let diagonal = tangents.masses()[v as usize] + time * all;
                if diagonal > 0.0 { 1.0 / diagonal.sqrt() } else { 0.0 }
            })
            .collect();
        let scaled =
            |v: u32, w: u32, weight: f64| -time * weight.max(0.0) * scales[v as usize] * scales[w as usize];
        let held = |v: u32| components[v as usize] == v;
        let (order, values) = rows(&tangents, |_| 1.0, scaled)?;
        let scalar = Cholesky::new(&order, &values)?;
        let stiffness = |v: u32| {
            let sum: f64 = tangents.spokes_of(v).iter().map(|s| s.weight).sum();
            if held(v) { 1.0 } else { sum }
        };
        let free = |v: u32, w: u32, weight: f64| if held(v) || held(w) { 0.0 } else { -weight };
        let poisson = Cholesky::new(&order, &rows(&tangents, stiffness, free)?.1)?;
        let vector = vectors(&tangents, scaled)?;
        let (faces, positions) = (faces.to_vec(), positions.to_vec());
        Ok(Self { faces, positions, tangents, time, scales, scalar, vector, poisson, components })
    }
    /// Two directions at right angles that span the tangent plane of a vertex.
    /// # Errors
    /// [`Error::Option`] for a vertex that is not there.
    pub fn basis(&self, vertex: u32) -> Result<[DVec3; 2]> {
        self.check("source", vertex)?;
        Ok(self.tangents.basis(vertex))
    }
    /// Carries vectors from some vertices to all: each vertex gets that of the nearest source, along the
    /// shortest geodesic. Parts of vectors outside of the tangent planes are dropped. Zero where no path
    /// leads.
    /// # Errors
    /// [`Error::Option`] without sources, or for a vertex that is not there.
    pub fn transport(&self, sources: &[(u32, DVec3)]) -> Result<Vec<DVec3>> {
        if sources.is_empty() {
            return Err(no_source());
        }
        let n = self.tangents.vertices();
        let (mut lengths, mut ones, mut x) = (vec![0.0; n], vec![0.0; n], vec![DVec2::ZERO; n]);
        for &(v, vector) in sources {
            self.check("source", v)?;
            let own = self.tangents.project(v, vector);
            x[v as usize] += own;
            lengths[v as usize] += own.length();
            ones[v as usize] += 1.0;
        }
        let greatest = lengths.iter().copied().fold(0.0, f64::max);
        if greatest == 0.0 {
            return Ok(vec![DVec3::ZERO; n]);
        }
        x.iter_mut().for_each(|x| *x /= greatest);
        lengths.iter_mut().for_each(|length| *length /= greatest);
        let x = self.diffuse_vectors(&x)?;
        let (lengths, ones) = (self.diffuse(&lengths)?, self.diffuse(&ones)?);
        let carried = |v: usize| {
            let length = greatest * lengths[v] / ones[v];
            let direction = direction(x[v]);
            if ones[v] > LEAST { self.tangents.lift(v as u32, direction * length) } else { DVec3::ZERO }
        };
        Ok((0..n).map(carried).collect())
    }
    /// The logarithmic map of a vertex: polar coordinates by geodesics, in its tangent plane (Soliman and
    /// Sharp, *The affine heat method*, 2025). Exact in a plane.
    /// # Errors
    /// [`Error::Option`] for a vertex that is not there.
    pub fn logarithmic_map(&self, source: u32) -> Result<LogarithmicMap> {
        self.check("source", source)?;
        let n = self.tangents.vertices();
        let mut ones = vec![0.0; n];
        ones[source as usize] = 1.0;
        let heat = self.diffuse(&ones)?;
        let mut across = vec![DVec2::ZERO; n];
        across[source as usize] = DVec2::X;
        let across = self.diffuse_vectors(&across)?;
        let places = self.places(&heat)?;
        let mut reached = 0;
        let coordinates = (0..n).map(|v| {
            if v != source as usize && heat[v] <= LEAST {
                return DVec2::NAN;
            }
            reached += 1;
            if v == source as usize {
                return DVec2::ZERO;
            }
            // against the direction to the source, from the carried direction 0 on
            let DVec2 { x, y } = direction(across[v]);
            DVec2::new(x, -y).rotate(-places[v] / heat[v])
        });
        let coordinates = coordinates.collect();
        Ok(LogarithmicMap { coordinates, reached })
    }
    /// Signed distances from a curve along edges, whose vertices are given in order. It is closed where its
    /// last vertex has an edge to the first one; where it is open, the sign goes on smoothly beyond its ends.
    /// # Errors
    /// [`Error::Option`] for fewer than two vertices, for a vertex that is not there, and for two in a row
    /// without an edge.
    pub fn signed_distances(&self, curve: &[u32]) -> Result<SignedDistances> {
        curve.iter().try_for_each(|&v| self.check("source", v))?;
        let [first, .., last] = *curve else {
            let (value, expected) = (curve.len().to_string(), "at least two vertices of a curve");
            return Err(Error::Option { option: "source", value, expected });
        };
        let closed = curve.len() > 2 && self.tangents.spoke(last, first).is_some();
        let n = self.tangents.vertices();
        let mut normals = vec![DVec2::ZERO; n];
        let mut pairs: Vec<[u32; 2]> = curve.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        if closed {
            pairs.push([last, first]);
        }
        for [a, b] in pairs {
            let (Some(there), Some(back)) = (self.tangents.spoke(a, b), self.tangents.spoke(b, a)) else {
                let (value, expected) =
                    (format!("{a}, {b}"), "two vertices with an edge, one after the other");
                return Err(Error::Option { option: "source", value, expected });
            };
            let length = self.positions[a as usize].distance(self.positions[b as usize]);
            // to the right of the direction of the curve
            let mean = self.tangents.mean_edge_length();
            normals[a as usize] += DVec2::from_angle(there.angle).perp() * (-0.5 * length / mean);
            normals[b as usize] += DVec2::from_angle(back.angle).perp() * (0.5 * length / mean);
        }
        let carried = self.diffuse_vectors(&normals)?;
        let direction = |f: usize| self.mean_vector(f, &carried);
        let mut distances = self.integrate(direction, curve)?;
        let has_curve = self.components_of(curve);
        let mut reached = 0;
        for (v, distance) in distances.iter_mut().enumerate() {
            match has_curve[self.components[v] as usize] {
                true => reached += 1,
                false => *distance = f64::INFINITY,
            }
        }
        Ok(SignedDistances { distances, closed, reached })
    }
}

impl VectorHeat {
    fn check(&self, option: &'static str, vertex: u32) -> Result<()> {
        if (vertex as usize) < self.tangents.vertices() {
            return Ok(());
        }
        let expected = "the index of a vertex, less than the number of vertices";
        Err(Error::Option { option, value: vertex.to_string(), expected })
    }
    /// Where heat comes from, as a vector of each vertex's tangent plane, times the heat: what flows along an
    /// edge brings its own place along, moved by the edge.
    fn places(&self, heat: &[f64]) -> Result<Vec<DVec2>> {
        let moved = |v: u32| -> DVec2 {
            let at = self.positions[v as usize];
            let way = |s: &Spoke| {
                let length = self.positions[s.to as usize].distance(at);
                DVec2::from_angle(s.angle) * (s.weight.max(0.0) * length * heat[s.to as usize])
            };
            self.tangents.spokes_of(v).iter().map(way).sum()
        };
        let scaled = |(v, s): (u32, &f64)| (moved(v) * (self.time * s)).to_array();
        let mut x: Vec<f64> = (0..).zip(&self.scales).flat_map(scaled).collect();
        self.vector.solve(&mut x, 1)?;
        Ok(x.as_chunks::<2>().0.iter().zip(&self.scales).map(|(x, s)| DVec2::from_array(*x) * *s).collect())
    }
    /// Which components, by their first vertices, have some of these vertices.
    fn components_of(&self, vertices: &[u32]) -> Vec<bool> {
        let mut has = vec![false; self.components.len()];
        vertices.iter().for_each(|&v| has[self.components[v as usize] as usize] = true);
        has
    }
    /// Heat that some vertices have got, times [`SOURCE`] and a factor.
    fn diffuse(&self, from: &[f64]) -> Result<Vec<f64>> {
        let typical = self.typical_scale();
        let mut x: Vec<f64> = from.iter().zip(&self.scales).map(|(x, s)| x * s / typical * SOURCE).collect();
        self.scalar.solve(&mut x, 1)?;
        x.iter_mut().zip(&self.scales).for_each(|(x, s)| *x *= s / typical);
        Ok(x)
    }
    /// Vectors that some vertices have got, times the same.
    fn diffuse_vectors(&self, from: &[DVec2]) -> Result<Vec<DVec2>> {
        let typical = self.typical_scale();
        let scaled = |(x, s): (&DVec2, &f64)| (*x * (s / typical * SOURCE)).to_array();
        let mut x: Vec<f64> = from.iter().zip(&self.scales).flat_map(scaled).collect();
        self.vector.solve(&mut x, 1)?;
        let back = |(x, s): (&[f64; 2], &f64)| DVec2::from_array(*x) * (s / typical);
        Ok(x.as_chunks::<2>().0.iter().zip(&self.scales).map(back).collect())
    }
    fn typical_scale(&self) -> f64 {
        let most = self.scales.iter().copied().fold(0.0, f64::max);
        if most > 0.0 { most } else { 1.0 }
    }
    /// The mean of vectors of a face's vertices, in its plane, up to a positive factor.
    fn mean_vector(&self, f: usize, of: &[DVec2]) -> DVec3 {
        let face = self.faces[f];
        let vectors = face.map(|v| of[v as usize]);
        let most = vectors.iter().fold(0.0, |most: f64, x| most.max(x.abs().max_element()));
        if most <= LEAST {
            return DVec3::ZERO;
        }
        let [x, y, z] = face.map(|v| self.positions[v as usize]);
        let normal = (y - x).cross(z - x).try_normalize().unwrap_or(DVec3::ZERO);
        let sum: DVec3 =
            face.iter().zip(vectors).map(|(&v, vector)| self.tangents.lift(v, vector / most)).sum();
        sum - normal * normal.dot(sum)
    }
    /// The function whose gradient is nearest to unit vectors in directions of faces; the mean of each
    /// component's vertices among `zero` is 0.
    fn integrate(&self, direction: impl Fn(usize) -> DVec3, zero: &[u32]) -> Result<Vec<f64>> {
        let n = self.tangents.vertices();
        let mut right = vec![0.0; n];
        for (f, face) in self.faces.iter().enumerate() {
            let unit = direction(f).try_normalize().unwrap_or(DVec3::ZERO);
            let x = face.map(|v| self.positions[v as usize]);
            let area = (x[1] - x[0]).cross(x[2] - x[0]).length();
            for k in 0..3 {
                let [own, a, b] = [0, 1, 2].map(|i| x[(k + i) % 3]);
                let cotangent = |at: DVec3, one: DVec3, two: DVec3| {
                    if area > 0.0 { (one - at).dot(two - at) / area } else { 0.0 }
                };
                let flow = cotangent(b, own, a) * (a - own) + cotangent(a, b, own) * (b - own);
                right[face[k] as usize] -= 0.5 * flow.dot(unit);
            }
        }
        for (v, right) in right.iter_mut().enumerate() {
            if self.components[v] as usize == v {
                *right = 0.0;
            }
        }
        self.poisson.solve(&mut right, 1)?;
        let mut sums = vec![(0.0, 0.0); n];
        for &v in zero {
            let (sum, count) = &mut sums[self.components[v as usize] as usize];
            (*sum, *count) = (*sum + right[v as usize], *count + 1.0);
        }
        for (v, value) in right.iter_mut().enumerate() {
            let (sum, count) = sums[self.components[v] as usize];
            *value -= if count > 0.0 { sum / count } else { 0.0 };
        }
        Ok(right)
    }
}

/// The direction of a vector of any length; its square may be no double.
fn direction(x: DVec2) -> DVec2 {
    let most = x.abs().max_element();
    if most > 0.0 { (x / most).normalize() } else { DVec2::ZERO }
}
fn no_source() -> Error {
    Error::Option { option: "source", value: "none".into(), expected: "at least one vertex" }
}

/// The rows of a symmetric matrix with the edges as entries.
fn rows(
    of: &Tangents,
    diagonal: impl Fn(u32) -> f64,
    entry: impl Fn(u32, u32, f64) -> f64,
) -> Result<(Arc<Elimination>, Vec<f64>)> {
    let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
    for v in 0..of.vertices() as u32 {
        let mut row = vec![(v, diagonal(v))];
        row.extend(of.spokes_of(v).iter().map(|s| (s.to, entry(v, s.to, s.weight))));
        row.sort_unstable_by_key(|&(w, _)| w);
        for (w, value) in row {
            columns.push(w);
            values.push(value);
        }
        starts.push(columns.len() as u32);
    }
    Ok((Elimination::new(starts, columns)?, values))
}
/// The matrix of heat for vectors, with a unit diagonal, as real numbers: two rows for each vertex.
fn vectors(of: &Tangents, entry: impl Fn(u32, u32, f64) -> f64) -> Result<Cholesky> {
    let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
    for v in 0..of.vertices() as u32 {
        let mut row = vec![(v, DVec2::X)];
        row.extend(
            of.spokes_of(v)
                .iter()
                .map(|s| (s.to, DVec2::from_angle(of.turn(v, s)) * entry(v, s.to, s.weight))),
        );
        row.sort_unstable_by_key(|&(w, _)| w);
        for part in 0..2 {
            for &(w, DVec2 { x, y }) in &row {
                columns.extend([2 * w, 2 * w + 1]);
                values.extend(if part == 0 { [x, -y] } else { [y, x] });
            }
            starts.push(columns.len() as u32);
        }
    }
    Cholesky::new(&Elimination::new(starts, columns)?, &values)
}
