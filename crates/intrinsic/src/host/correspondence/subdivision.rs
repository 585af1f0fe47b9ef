//! Triangles within those of both triangulations.
use super::arcs::Arcs;
use super::insert::first_of;
use super::{Correspondence, Cover, Place};
use ribbonmesh::{Error, Result};
use ribbonmesh_sparse::Csr;
use std::ops::{Add, Mul};

/// A point of both triangulations: a vertex, or a crossing of their edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where it is on the input.
    pub input: Place,
    /// Where it is on the intrinsic triangulation: on an edge, or at a vertex.
    pub intrinsic: Place,
}
/// A triangulation of which both others consist: each of its triangles is in a face of the input and in an
/// intrinsic triangle.
#[derive(Clone, Debug)]
pub struct Subdivision {
    /// Points. All vertices of the intrinsic triangulation come first, also those on the back of a cover,
    /// which no triangle has.
    pub points: Vec<Point>,
    /// Points of triangles, of the front of a cover.
    pub faces: Vec<[u32; 3]>,
    /// The face of the input, without those that have a vertex twice, in which each triangle is.
    pub inputs: Vec<u32>,
    /// The least half-edge of the intrinsic triangle in which each triangle is.
    pub intrinsics: Vec<u32>,
}
impl Subdivision {
    /// A function that is linear on faces of the input, from values at vertices to values at points.
    /// # Panics
    /// If there are less values than vertices.
    pub fn of_input<T: Copy + Add<Output = T> + Mul<f64, Output = T>>(&self, values: &[T]) -> Vec<T> {
        self.points.iter().map(|point| point.input.value(values)).collect()
    }
    /// A function that is linear on intrinsic triangles, from values at vertices to values at points.
    /// # Panics
    /// If there are less values than vertices of the intrinsic triangulation.
    pub fn of_intrinsic<T: Copy + Add<Output = T> + Mul<f64, Output = T>>(&self, values: &[T]) -> Vec<T> {
        self.points.iter().map(|point| point.intrinsic.value(values)).collect()
    }
    /// The matrix of [`Subdivision::of_intrinsic`]: a row for each point, a column for each of so many
    /// vertices of the intrinsic triangulation.
    /// # Errors
    /// Too many entries for 32 bits; a point of other vertices.
    pub fn interpolation(&self, vertices: usize) -> ribbonmesh_sparse::Result<Csr<f64>> {
        let mut entries = vec![];
        for (row, Point { intrinsic, .. }) in (0..).zip(&self.points) {
            for (&column, &weight) in intrinsic.vertices.iter().zip(&intrinsic.weights) {
                if weight != 0.0 {
                    entries.push((row, column, weight));
                }
            }
        }
        Csr::from_triplets(self.points.len(), vertices, &entries)
    }
}
impl Place {
    /// The value here of a function with values at vertices that is linear between them.
    /// # Panics
    /// If there are less values than vertices.
    pub fn value<T: Copy + Add<Output = T> + Mul<f64, Output = T>>(&self, values: &[T]) -> T {
        let [a, b, c] = self.vertices.map(|v| values[v as usize]);
        let [x, y, z] = self.weights;
        if x == 1.0 { a } else { a * x + b * y + c * z }
    }
}

/// Crossings of intrinsic half-edges by their points.
struct Numbers<'a> {
    of: &'a Correspondence,
    first: Vec<u32>,
    count: usize,
}
impl<'a> Numbers<'a> {
    fn new(of: &'a Correspondence) -> Self {
        let (mut first, mut count) = (vec![0; of.half_edges() as usize], of.vertices());
        for h in 0..of.half_edges() {
            let twin = of.links.twin(h);
            if h < twin {
                (first[h as usize], first[twin as usize]) = (count as u32, count as u32);
                count += of.normal[h as usize].max(0) as usize;
            }
        }
        Self { of, first, count }
    }
    /// The point of a crossing that is counted from the origin of a half-edge.
    fn point(&self, h: u32, place: i64) -> u32 {
        let forward = h == self.of.links.edge(h);
        let place = if forward { place } else { self.of.normal[h as usize] - 1 - place };
        self.first[h as usize] + place as u32
    }
}

impl Correspondence {
    /// The coarsest triangulation whose triangles are each in one of the input and in an intrinsic one, but
    /// for diagonals. Linear in crossings.
    /// # Errors
    /// [`Error::TooMany`] beyond 2³² points.
    pub fn subdivision(&self) -> Result<Subdivision> {
        let (count, limit) = (self.vertices() as u64 + self.crossings(), u64::from(u32::MAX));
        if count >= limit {
            return Err(Error::TooMany { what: "points of a common subdivision", count, limit });
        }
        let numbers = Numbers::new(self);
        let places = (0..).zip(self.places());
        let mut points: Vec<Point> =
            places.map(|(v, input)| Point { input, intrinsic: Place::vertex(v) }).collect();
        points.resize(numbers.count, Point { input: Place::vertex(0), intrinsic: Place::vertex(0) });
        // for each crossing the half-edge of the input there, and the intrinsic one that has its origin on
        // its left
        let mut through = vec![(0, 0); numbers.count];
        for h in (0..self.input_half_edges()).filter(|&h| h < self.input.twin(h)) {
            for crossing in self.traced(h).crossings {
                let at = numbers.point(crossing.half_edge, crossing.place as i64) as usize;
                through[at] = (h, crossing.half_edge);
                points[at] = Point {
                    input: Place::edge(self.input.ends(h), crossing.along),
                    intrinsic: Place::edge(self.links.ends(crossing.half_edge), crossing.across),
                };
            }
        }
        let mut pieces = Pieces { of: self, numbers: &numbers, through: &through, pieces: vec![] };
        self.links.triangles().for_each(|h| pieces.cut(h));
        let faces = self.input_half_edges() / 3;
        let front = if self.cover() == Cover::Double { faces / 2 } else { faces };
        let mut pieces = pieces.pieces;
        pieces.retain(|piece| piece.input < front);
        let mut used = vec![false; points.len()];
        used[..self.vertices()].fill(true);
        pieces.iter().flat_map(|piece| piece.corners).for_each(|v| used[v as usize] = true);
        let kept = (0..points.len() as u32).filter(|&point| used[point as usize]);
        let mut places = vec![0; points.len()];
        (0..).zip(kept).for_each(|(place, point)| places[point as usize] = place);
        let mut keep = used.iter();
        points.retain(|_| keep.next() == Some(&true));
        Ok(Subdivision {
            points,
            faces: pieces.iter().map(|piece| piece.corners.map(|v| places[v as usize])).collect(),
            inputs: pieces.iter().map(|piece| piece.input).collect(),
            intrinsics: pieces.iter().map(|piece| piece.intrinsic).collect(),
        })
    }
}

/// A triangle, with the face of the input and the intrinsic triangle in which it is.
struct Piece {
    corners: [u32; 3],
    input: u32,
    intrinsic: u32,
}
/// Intrinsic triangles cut along edges of the input.
struct Pieces<'a> {
    of: &'a Correspondence,
    numbers: &'a Numbers<'a>,
    through: &'a [(u32, u32)],
    pieces: Vec<Piece>,
}
impl Pieces<'_> {
    /// Cuts the triangle of a half-edge.
    fn cut(&mut self, h: u32) {
        let of = self.of;
        let around = of.links.around(h);
        let sides = of.normals(around).map(|n| n.max(0));
        let arcs = Arcs::new(sides);
        let vertex = |c: usize| of.links.origin[around[c] as usize];
        // points of the sides that meet at a corner, counted from it
        let numbers = self.numbers;
        let ahead = |c: usize, k: i64| numbers.point(around[c], k);
        let back = |c: usize, k: i64| {
            let side = (c + 2) % 3;
            numbers.point(around[side], sides[side] - 1 - k)
        };
        for (c, &side) in around.iter().enumerate() {
            for k in 0..arcs.cut[c] {
                // on the corner's side of an arc, the edge of the input crosses the side ahead
                let face = self.beside(ahead(c, k), side, true);
                match k {
                    0 => self.add(h, &[vertex(c), ahead(c, 0), back(c, 0)], face),
                    _ => self.add(h, &[back(c, k - 1), ahead(c, k - 1), ahead(c, k), back(c, k)], face),
                }
            }
        }
        // what is left, from the corner on at which arcs end
        let source = arcs.source();
        let corner = |c: usize| match arcs.cut[c] {
            0 => vec![vertex(c)],
            k => vec![back(c, k - 1), ahead(c, k - 1)],
        };
        let [right, left] = [(source + 1) % 3, (source + 2) % 3];
        let ends: Vec<u32> = (0..arcs.from[source]).map(|k| ahead(right, arcs.cut[right] + k)).collect();
        if let (Some(&first), Some(&last)) = (ends.first(), ends.last()) {
            let apex = vertex(source);
            let polygon = [vec![apex], corner(right), vec![first]].concat();
            self.add(h, &polygon, self.beside(first, around[right], true));
            for pair in ends.windows(2) {
                self.add(h, &[apex, pair[0], pair[1]], self.beside(pair[1], around[right], true));
            }
            let polygon = [vec![apex, last], corner(left)].concat();
            self.add(h, &polygon, self.beside(last, around[right], false));
            return;
        }
        let polygon = [corner(0), corner(1), corner(2)].concat();
        let face = match (0..3).find(|&c| arcs.cut[c] > 0) {
            Some(c) => self.beside(ahead(c, arcs.cut[c] - 1), around[c], false),
            None => match around.into_iter().find(|&h| of.is_shared(h)) {
                Some(h) => of.leaving(h, 0) / 3,
                None => of.home_of_corner(h, 0).face / 3,
            },
        };
        self.add(h, &polygon, face);
    }
    fn add(&mut self, intrinsic: u32, polygon: &[u32], input: u32) {
        for k in 1..polygon.len() - 1 {
            self.pieces.push(Piece { corners: [polygon[0], polygon[k], polygon[k + 1]], input, intrinsic });
        }
    }
    /// The face of the input at a crossing of an intrinsic half-edge, on the side of the half-edge's origin
    /// or on the other one.
    fn beside(&self, at: u32, half_edge: u32, towards_origin: bool) -> u32 {
        let (input, crossed) = self.through[at as usize];
        // the edge of the input goes from the left of `crossed` to its right, so that the origin is on its
        // right
        let left = (crossed == half_edge) != towards_origin;
        first_of(if left { input } else { self.of.input.twin(input) }) / 3
    }
}
