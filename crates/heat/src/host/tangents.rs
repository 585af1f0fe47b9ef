//! Tangent planes of vertices, and what is carried along edges.
use ribbonmesh::glam::{DVec2, DVec3};
use ribbonmesh::{Defect, Error, Result};
use rustc_hash::FxHashMap;
use std::f64::consts::{PI, TAU};

/// An edge as a vertex sees it.
#[derive(Clone, Copy, Debug)]
pub struct Spoke {
    /// The vertex at its other end.
    pub to: u32,
    /// Its direction in the tangent plane, counterclockwise from the first spoke on.
    pub angle: f64,
    /// Half the sum of the cotangents opposite to it.
    pub weight: f64,
}

/// The tangent planes of an oriented manifold, with or without boundary.
///
/// The angles around a vertex inside are scaled to a sum of 2π (Knöppel and others, *Globally optimal
/// direction fields*, 2013); those at a boundary are as they are, so that a plane stays flat.
pub struct Tangents {
    starts: Vec<u32>,
    spokes: Vec<Spoke>,
    bases: Vec<[DVec3; 2]>,
    masses: Vec<f64>,
    mean_edge_length: f64,
}

impl Tangents {
    /// Sorts the edges around each vertex. Linear.
    pub fn new(positions: &[DVec3], faces: &[[u32; 3]]) -> Result<Self> {
        check(positions, faces)?;
        let sides = sides(faces)?;
        let n = positions.len();
        let mut first = vec![None; n];
        for (f, face) in faces.iter().enumerate() {
            for k in 0..3 {
                let v = face[k] as usize;
                // a side without another one on its right begins a fan
                let begins = !sides.contains_key(&[face[(k + 1) % 3], face[k]]);
                if begins || first[v].is_none() {
                    first[v] = Some([f, k]);
                }
            }
        }
        let mut degrees = vec![0_usize; n];
        faces.iter().flatten().for_each(|&v| degrees[v as usize] += 1);
        let mut found = Self {
            starts: vec![0],
            spokes: vec![],
            bases: vec![],
            masses: vec![0.0; n],
            mean_edge_length: 0.0,
        };
        for v in 0..n {
            let from = found.spokes.len();
            let around = match first[v] {
                Some(first) => fan(positions, faces, &sides, first),
                None => Fan::default(),
            };
            if around.faces != degrees[v] {
                return Err(Error::NotManifold(Defect::Vertex { vertex: v as u32 }));
            }
            let total = around.total;
            let scale = if around.closed && total > 0.0 { TAU / total } else { 1.0 };
            found.spokes.extend(around.spokes.into_iter().map(|s| Spoke { angle: scale * s.angle, ..s }));
            found.starts.push(found.spokes.len() as u32);
            let along = found.spokes.get(from).map(|s| positions[s.to as usize] - positions[v]);
            found.bases.push(basis(along.unwrap_or(DVec3::X), around.normal));
            found.masses[v] = around.area / 3.0;
        }
        let lengths = (0..n).flat_map(|v| {
            let at = positions[v];
            found.spokes_of(v as u32).iter().map(move |s| positions[s.to as usize].distance(at))
        });
        let sum: f64 = lengths.sum();
        found.mean_edge_length = if found.spokes.is_empty() { 0.0 } else { sum / found.spokes.len() as f64 };
        Ok(found)
    }
    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.bases.len()
    }
    /// The edges of a vertex, counterclockwise.
    pub fn spokes_of(&self, v: u32) -> &[Spoke] {
        &self.spokes[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }
    /// The edge from one vertex to another.
    pub fn spoke(&self, from: u32, to: u32) -> Option<&Spoke> {
        self.spokes_of(from).iter().find(|s| s.to == to)
    }
    /// The angle by which a vector of the plane of `spoke.to` turns when it is carried to that of `v`.
    pub fn turn(&self, v: u32, spoke: &Spoke) -> f64 {
        let back = self.spoke(spoke.to, v).map_or(0.0, |back| back.angle);
        spoke.angle + PI - back
    }
    /// The directions of the angles 0 and 90° at a vertex.
    pub fn basis(&self, v: u32) -> [DVec3; 2] {
        self.bases[v as usize]
    }
    /// A third of the area of the faces of each vertex.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }
    /// The mean length of edges.
    pub fn mean_edge_length(&self) -> f64 {
        self.mean_edge_length
    }
    /// A vector of space in the tangent plane of a vertex.
    pub fn project(&self, v: u32, x: DVec3) -> DVec2 {
        let [a, b] = self.bases[v as usize];
        DVec2::new(a.dot(x), b.dot(x))
    }
    /// A vector of the tangent plane in space.
    pub fn lift(&self, v: u32, x: DVec2) -> DVec3 {
        let [a, b] = self.bases[v as usize];
        a * x.x + b * x.y
    }
}

fn check(positions: &[DVec3], faces: &[[u32; 3]]) -> Result<()> {
    if let Some(vertex) = positions.iter().position(|x| !x.is_finite()) {
        return Err(Error::NotFinite { vertex });
    }
    for (f, face) in faces.iter().enumerate() {
        let [a, b, c] = *face;
        if a == b || b == c || c == a {
            return Err(Error::NotManifold(Defect::Face { face: f as u32 }));
        }
        if let Some(&v) = face.iter().find(|&&v| v as usize >= positions.len()) {
            let text = format!("face {f} has vertex {v}, of {} vertices", positions.len());
            return Err(Error::Invalid(text));
        }
    }
    Ok(())
}
/// The face and the place of each directed side.
type Sides = FxHashMap<[u32; 2], [usize; 2]>;
fn sides(faces: &[[u32; 3]]) -> Result<Sides> {
    let mut sides = Sides::default();
    sides.reserve(3 * faces.len());
    for (f, face) in faces.iter().enumerate() {
        for k in 0..3 {
            let ends = [face[k], face[(k + 1) % 3]];
            if sides.insert(ends, [f, k]).is_some() {
                let [a, b] = ends;
                return Err(Error::NotManifold(Defect::Edge { ends: [a.min(b), a.max(b)] }));
            }
        }
    }
    Ok(sides)
}

/// The faces around a vertex.
#[derive(Default)]
struct Fan {
    spokes: Vec<Spoke>,
    faces: usize,
    closed: bool,
    total: f64,
    area: f64,
    normal: DVec3,
}
/// Walks counterclockwise from a corner.
fn fan(positions: &[DVec3], faces: &[[u32; 3]], sides: &Sides, first: [usize; 2]) -> Fan {
    let mut fan = Fan::default();
    let [mut f, mut k] = first;
    // half the cotangent that the spoke has from the face on its right
    let mut right = 0.0;
    loop {
        let [v, b, c] = [0, 1, 2].map(|i| faces[f][(k + i) % 3]);
        let [x, y, z] = [v, b, c].map(|v| positions[v as usize]);
        let (along, other) = (y - x, z - x);
        let normal = along.cross(other);
        let area = normal.length();
        let half_cotangent = |at: DVec3, one: DVec3, two: DVec3| {
            if area > 0.0 { 0.5 * (one - at).dot(two - at) / area } else { 0.0 }
        };
        fan.spokes.push(Spoke { to: b, angle: fan.total, weight: right + half_cotangent(z, x, y) });
        right = half_cotangent(y, z, x);
        fan.total += area.atan2(along.dot(other));
        fan.area += 0.5 * area;
        fan.normal += normal;
        fan.faces += 1;
        match sides.get(&[v, c]) {
            Some(&next) if next == first => {
                fan.closed = true;
                fan.spokes[0].weight += right;
                return fan;
            }
            Some(&next) => [f, k] = next,
            None => {
                fan.spokes.push(Spoke { to: c, angle: fan.total, weight: right });
                return fan;
            }
        }
    }
}
/// Two directions at right angles in a plane with this normal, the first as near to `along` as that allows.
fn basis(along: DVec3, normal: DVec3) -> [DVec3; 2] {
    let normal = normal.try_normalize().unwrap_or(DVec3::Z);
    let first = (along - normal * normal.dot(along)).try_normalize();
    let first = first.unwrap_or_else(|| normal.any_orthonormal_vector());
    [first, normal.cross(first)]
}
