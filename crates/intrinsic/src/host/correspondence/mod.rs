//! Where the edges of an input are on the triangulation that flips and new vertices have made of it.
//!
//! Each intrinsic edge knows how many edges of the input cross it, its *normal coordinate*, or that it is one
//! of them; each intrinsic half-edge knows which edge of the input comes next around its vertex, its
//! *roundabout*. Both are integers that flips and insertions change without rounding (Gillespie, Sharp and
//! Crane, *Integer coordinates for intrinsic geometry processing*, 2021).
mod arcs;
mod insert;
mod links;
pub mod refine;
pub mod subdivision;
pub mod trace;

use super::laplacian::Laplacian;
use super::options::{Cover, Mass, check_mollify};
use super::ordered::Ordered;
use super::triangulation::{Known, Triangulation};
use arcs::Arcs;
use links::Links;
use ribbonmesh::{Device, Error, Result, Surface};

/// Normal coordinate of an edge that is one of the input.
const SHARED: i64 = -1;

/// The two triangulations of a surface, that of the input and an intrinsic one, on the host. The intrinsic
/// one begins as that of the input; flips and new vertices change it. Half-edges begin with the numbers of
/// the [`Triangulation`]; of a [`Cover::Double`] both sheets are there.
///
/// ```
/// use ribbonmesh::Device;
/// use ribbonmesh::glam::DVec3;
/// use ribbonmesh_intrinsic::{Correspondence, Triangulation};
///
/// # fn main() -> ribbonmesh::Result<()> {
/// let device = Device::cpu();
/// // two flat triangles with a long edge in common
/// let positions = [[0.0, 0.0], [4.0, 0.0], [2.0, 0.5], [2.0, -0.5]].map(|[x, y]| DVec3::new(x, y, 0.0));
/// let faces = device.upload(&[0, 1, 2, 0, 3, 1])?;
/// let mut both = Correspondence::new(&Triangulation::new(&device.upload(&positions)?, faces, 0.0)?)?;
/// both.flip_to_delaunay();
/// // in front and at the back, the long edge of the input crosses the edge that has replaced it
/// assert_eq!((both.flips(), both.crossings()), (2, 2));
/// let trace = both.trace(0)?;
/// assert!((trace.length - 4.0).abs() < 1e-12 && (trace.crossings[0].along - 0.5).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Correspondence {
    input: Links,
    links: Links,
    normal: Vec<i64>,
    roundabout: Vec<u32>,
    /// The place of each half-edge of the input around its fan, and of each place the half-edge; none around
    /// a new vertex.
    places: Vec<u32>,
    fans: Vec<Vec<u32>>,
    /// An intrinsic half-edge that begins in each fan, and the sum of angles there.
    starts: Vec<u32>,
    angles: Vec<f64>,
    /// Vertices of the input.
    vertices: u32,
    /// Of each new vertex its face of the input, and its weights there.
    homes: Vec<Home>,
    known: Known,
    flips: u64,
    delaunay: bool,
}

/// A place within a face of the input: the first half-edge of the face, and weights of its corners from there
/// on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Home {
    face: u32,
    weights: [f64; 3],
}

/// A place on the input: vertices, and their weights, which add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The corners of a face; both ends of an edge and the second one again; or a vertex three times.
    pub vertices: [u32; 3],
    /// The weight of each; on an edge the last one is 0, at a vertex the first one is 1.
    pub weights: [f64; 3],
}
impl Place {
    fn vertex(v: u32) -> Self {
        Self { vertices: [v; 3], weights: [1.0, 0.0, 0.0] }
    }
    fn edge([a, b]: [u32; 2], along: f64) -> Self {
        Self { vertices: [a, b, b], weights: [1.0 - along, along, 0.0] }
    }
}

impl Correspondence {
    /// Takes a triangulation that has not been flipped, which is the input. Linear; waits.
    /// # Errors
    /// [`Error::Invalid`] for a triangulation with flips; errors of the driver.
    pub fn new(of: &Triangulation) -> Result<Self> {
        if of.flips() > 0 {
            return Err(Error::Invalid("flips before the correspondence with the input began".into()));
        }
        let (twin, next) = (of.twins().read()?, of.nexts().read()?);
        let (origin, length) = (of.origins().read()?, of.lengths().read()?);
        let n = twin.len();
        let mut input = Links { twin, next, origin, length, fan: vec![u32::MAX; n] };
        let (mut fans, mut places, mut angles) = (vec![], vec![0; n], vec![]);
        for first in 0..n as u32 {
            if input.fan[first as usize] != u32::MAX {
                continue;
            }
            let (mut fan, mut h, mut angle) = (vec![], first, 0.0);
            loop {
                input.fan[h as usize] = fans.len() as u32;
                places[h as usize] = fan.len() as u32;
                fan.push(h);
                angle += input.angles(h)[0];
                h = input.turned(h);
                if h == first {
                    break;
                }
            }
            fans.push(fan);
            angles.push(angle);
        }
        Ok(Self {
            links: input.clone(),
            input,
            normal: vec![SHARED; n],
            roundabout: places.clone(),
            places,
            starts: fans.iter().map(|fan| fan[0]).collect(),
            fans,
            angles,
            vertices: of.vertices() as u32,
            homes: vec![],
            known: of.known(),
            flips: 0,
            delaunay: false,
        })
    }
    /// The triangles of a surface in the order of [`Surface::download`], with lengths that are `mollify` mean
    /// edge lengths longer, as in [`Triangulation::new`]. Linear; waits.
    /// # Errors
    /// As [`Triangulation::new`]; [`Error::Option`] for a `mollify` out of 0 to 1.
    pub fn of(surface: &Surface, mollify: f64) -> Result<Self> {
        check_mollify(mollify)?;
        let Ordered { positions, faces } = Ordered::of(surface)?;
        Self::new(&Triangulation::new(&positions, faces, mollify)?)
    }
    /// The Laplacian of the intrinsic triangulation on a device, and the masses of its vertices, as of
    /// [`laplacian()`](crate::laplacian()): rows of new vertices follow those of the input. Linear.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn laplacian(&self, device: &Device, mass: Mass) -> Result<Laplacian> {
        Laplacian::of(&self.triangulation(device)?, mass)
    }
    /// The intrinsic triangulation on a device; new vertices follow those of the input. Linear.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn triangulation(&self, device: &Device) -> Result<Triangulation> {
        let Links { twin, next, origin, length, .. } = &self.links;
        let arrays =
            (device.upload(twin)?, device.upload(next)?, device.upload(origin)?, device.upload(length)?);
        Ok(Triangulation::known_as(self.known, self.vertices() as u32, arrays, self.flips, self.delaunay))
    }

    fn normals(&self, around: [u32; 3]) -> [i64; 3] {
        around.map(|h| self.normal[h as usize])
    }
    fn arcs(&self, h: u32) -> Arcs {
        Arcs::new(self.normals(self.links.around(h)))
    }
    fn is_shared(&self, h: u32) -> bool {
        self.normal[h as usize] == SHARED
    }
    fn set_normal(&mut self, h: u32, normal: i64) {
        self.normal[h as usize] = normal;
        self.normal[self.links.twin(h) as usize] = normal;
    }
    /// The half-edge of the input that is so many places behind the roundabout of an intrinsic half-edge.
    fn leaving(&self, h: u32, places: i64) -> u32 {
        let fan = &self.fans[self.links.fan[h as usize] as usize];
        fan[(i64::from(self.roundabout[h as usize]) + places).rem_euclid(fan.len() as i64) as usize]
    }

    /// Flips edges until the intrinsic triangulation is Delaunay, one after the other, in an order that
    /// depends on the input alone.
    pub fn flip_to_delaunay(&mut self) {
        let edges = (0..self.links.twin.len() as u32).rev().filter(|&h| h < self.links.twin(h));
        self.flip_around(edges.collect(), |_| ());
        self.delaunay = true;
    }
    /// Flips these edges, the last one first, and those around them until all are Delaunay. Tells the edges.
    fn flip_around(&mut self, mut waiting: Vec<u32>, mut flipped: impl FnMut(u32)) {
        while let Some(h) = waiting.pop() {
            if self.links.wants(h) {
                self.flip(h);
                flipped(h);
                let (a, b) = (self.links.around(h), self.links.around(self.links.twin(h)));
                waiting.extend([a[1], a[2], b[1], b[2]]);
            }
        }
    }
    /// Replaces the edge of a half-edge by the other diagonal of its two triangles, whether or not that makes
    /// it Delaunay. Both half-edges keep their numbers.
    ///
    /// Returns whether it was possible: an edge stays if both of its sides are in the same triangle, or if
    /// its two triangles make no convex quadrilateral.
    /// # Errors
    /// [`Error::Invalid`] for a half-edge that is not there.
    pub fn flip_edge(&mut self, half_edge: u32) -> Result<bool> {
        let (h, links) = (self.known_half_edge(half_edge)?, &self.links);
        let t = links.twin(h);
        let around = links.around(h);
        let (left, right) = (links.angles(h), links.angles(t));
        let corners = [left[0] + right[1], left[1] + right[0]];
        let possible =
            around[1] != t && around[2] != t && corners.iter().all(|&c| c < 0.999 * std::f64::consts::PI);
        if possible {
            self.flip(h);
            self.delaunay = false;
        }
        Ok(possible)
    }
    fn known_half_edge(&self, h: u32) -> Result<u32> {
        match (h as usize) < self.links.twin.len() {
            true => Ok(h),
            false => Err(Error::Invalid(format!("half-edge {h} is not one of the triangulation"))),
        }
    }
    fn flip(&mut self, h: u32) {
        let t = self.links.twin(h);
        let (a, b) = (self.links.around(h), self.links.around(t));
        // i j k on the left, j i l on the right
        let (left, right) = (Arcs::new(self.normals(a)), Arcs::new(self.normals(b)));
        let crossed = i64::from(self.is_shared(h));
        let twice = 2 * (left.cut[2] + right.cut[2] + crossed)
            + (left.cut[0] - right.cut[1]).abs()
            + (left.cut[1] - right.cut[0]).abs()
            + 2 * (left.from[0] + left.from[1] + right.from[0] + right.from[1])
            - left.from[2]
            - right.from[2];
        for other in [a[1], b[1]] {
            self.starts[self.links.fan[other as usize] as usize] = other;
        }
        self.links.flip(h);
        self.set_normal(h, twice / 2);
        // l k follows l j around l, and k l follows k i around k
        for (x, before) in [(h, b[2]), (t, a[2])] {
            let passed = i64::from(self.is_shared(before)) + self.arcs(before).from[0];
            self.turn_behind(x, before, passed);
        }
        self.flips += 1;
    }
    /// Sets the roundabout of a half-edge to so many places behind that of another one of its fan.
    fn turn_behind(&mut self, x: u32, before: u32, passed: i64) {
        let degree = self.fans[self.links.fan[x as usize] as usize].len() as i64;
        if degree > 0 {
            let place = i64::from(self.roundabout[before as usize]) + passed;
            self.roundabout[x as usize] = (place % degree) as u32;
        }
    }

    /// Flips so far.
    pub fn flips(&self) -> u64 {
        self.flips
    }
    /// Vertices of the intrinsic triangulation: those of the input, then new ones.
    pub fn vertices(&self) -> usize {
        self.vertices as usize + self.homes.len()
    }
    /// Vertices of the input.
    pub fn input_vertices(&self) -> usize {
        self.vertices as usize
    }
    /// The surface that was glued.
    pub fn cover(&self) -> Cover {
        self.known.cover
    }
    /// Where a vertex of the intrinsic triangulation is on the input, or none if it is not there.
    pub fn place(&self, vertex: u32) -> Option<Place> {
        if vertex < self.vertices {
            return Some(Place::vertex(vertex));
        }
        let home = self.homes.get((vertex - self.vertices) as usize)?;
        let vertices = self.input.around(home.face).map(|h| self.input.origin[h as usize]);
        Some(Place { vertices, weights: home.weights })
    }
    /// The places of all vertices, in their order.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        (0..self.vertices() as u32).filter_map(|v| self.place(v))
    }
    /// Crossings of edges of the input with intrinsic edges.
    pub fn crossings(&self) -> u64 {
        let one = |(h, n): (u32, &i64)| if h < self.links.twin(h) { (*n).max(0) as u64 } else { 0 };
        (0..).zip(&self.normal).map(one).sum()
    }
    /// Edges of the input that cross the edge of an intrinsic half-edge, or none if the edge is one of them.
    /// # Panics
    /// For a half-edge that is not there.
    pub fn crossings_of(&self, half_edge: u32) -> Option<u64> {
        let normal = self.normal[half_edge as usize];
        (normal != SHARED).then_some(normal as u64)
    }
    /// The vertices at the ends of an intrinsic half-edge.
    /// # Panics
    /// For a half-edge that is not there.
    pub fn ends(&self, half_edge: u32) -> [u32; 2] {
        self.links.ends(half_edge)
    }
    /// The length of an intrinsic half-edge.
    /// # Panics
    /// For a half-edge that is not there.
    pub fn length(&self, half_edge: u32) -> f64 {
        self.links.length[half_edge as usize]
    }
    /// Intrinsic half-edges.
    pub fn half_edges(&self) -> u32 {
        self.links.twin.len() as u32
    }
    /// One half-edge of each intrinsic triangle, the least of its three.
    pub fn triangles(&self) -> impl Iterator<Item = u32> + '_ {
        self.links.triangles()
    }
    /// The half-edges of an intrinsic triangle, counterclockwise.
    /// # Panics
    /// For a half-edge that is not there.
    pub fn around(&self, half_edge: u32) -> [u32; 3] {
        self.links.around(half_edge)
    }
    /// The angles of an intrinsic triangle where each of these half-edges begins, in radians.
    /// # Panics
    /// For a half-edge that is not there.
    pub fn corner_angles(&self, half_edge: u32) -> [f64; 3] {
        self.links.angles(half_edge)
    }
    /// The sum of angles around the point at which an intrinsic half-edge begins, in radians: less than 2 π
    /// where the surface is a cone. A vertex of a cover may be several such points.
    /// # Panics
    /// For a half-edge that is not there.
    pub fn angle_around(&self, half_edge: u32) -> f64 {
        self.angles[self.links.fan[half_edge as usize] as usize]
    }
    /// Half-edges of the input.
    pub fn input_half_edges(&self) -> u32 {
        self.input.twin.len() as u32
    }
    /// The vertices at the ends of a half-edge of the input.
    /// # Panics
    /// For a half-edge that is not there.
    pub fn input_ends(&self, half_edge: u32) -> [u32; 2] {
        self.input.ends(half_edge)
    }
    /// The length of a half-edge of the input.
    /// # Panics
    /// For a half-edge that is not there.
    pub fn input_length(&self, half_edge: u32) -> f64 {
        self.input.length[half_edge as usize]
    }
}
