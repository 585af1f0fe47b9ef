//! The boundary of a mesh, and where parts of it meet except for rounding.
use crate::repair::RepairError;
use crate::repair::judged::Judged;
use crate::repair::kernels::note;
use crate::repair::linked::{Linked, rows};
use crate::repair::pair::sorted;
use crate::repair::simple::{Simple, look_simply};
use crate::repair::weld::weld;
use glam::{DVec3, I64Vec3};
use rayon::prelude::*;
use ribbonmesh::{Buffer, Device, Surface};
use ribbonmesh_mesh::TriangleMesh;
use rustc_hash::FxHashMap;

/// Least number of sides for one task of the search for junctions.
const TOGETHER: usize = 64;

/// A side of the boundary, the position of a vertex on it as a part of it, and that vertex.
pub(crate) type Junction = ([u32; 2], f64, u32);

/// A side of a face whose edge has no other face.
pub(crate) struct Open {
    /// Its vertices, as the face has them.
    pub ends: [u32; 2],
    /// The third vertex of the face.
    pub apex: u32,
}

/// The boundary of a mesh: the sides whose edges have no other face, in the order of edges, and their
/// vertices, ascending, with their positions.
pub(crate) struct Rim {
    /// The sides.
    pub sides: Vec<Open>,
    vertices: Vec<u32>,
    places: Vec<DVec3>,
}

impl Rim {
    /// Finds the boundary of a mesh on a device.
    pub fn of_mesh(device: &Device, mesh: &TriangleMesh) -> Result<Self, RepairError> {
        let faces = device.upload(mesh.faces.as_flattened())?;
        let sides = match look_simply(mesh.positions.len(), &faces)? {
            Some(simple) => listed(&simple.open_sides()?, &faces)?,
            None => open_sides(mesh.positions.len(), &faces)?,
        };
        Self::new(sides, |list| Ok(list.iter().map(|&v| mesh.positions[v as usize]).collect()))
    }
    /// Finds the boundary of a surface on its device. Also returns the quick look, if that was enough.
    pub fn of_surface(surface: &mut Surface) -> Result<(Self, Option<Simple>), RepairError> {
        let (vertices, faces) = (surface.triangles().positions().len(), surface.triangles().faces());
        let simple = look_simply(vertices, faces)?;
        let sides = match &simple {
            Some(simple) => listed(&simple.open_sides()?, faces)?,
            None => open_sides(vertices, faces)?,
        };
        Ok((Self::at_positions(sides, surface)?, simple))
    }
    /// The boundary of a surface of which it is known.
    pub fn of_sides(sides: &[u32], surface: &mut Surface) -> Result<Self, RepairError> {
        let sides = listed(sides, surface.triangles().faces())?;
        Self::at_positions(sides, surface)
    }
    fn at_positions(sides: Vec<Open>, surface: &mut Surface) -> Result<Self, RepairError> {
        let device = surface.device().clone();
        Self::new(sides, |list| surface.exact_positions_of(&device.upload(list)?)?.read())
    }
    fn new(
        mut sides: Vec<Open>,
        places: impl FnOnce(&[u32]) -> ribbonmesh::Result<Vec<DVec3>>,
    ) -> Result<Self, RepairError> {
        sides.sort_unstable_by_key(|side| sorted(side.ends));
        let mut vertices: Vec<u32> = sides.iter().flat_map(|side| side.ends).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let places = if vertices.is_empty() { vec![] } else { places(&vertices)? };
        Ok(Self { sides, vertices, places })
    }
    /// The position of a vertex of the boundary.
    fn at(&self, v: u32) -> DVec3 {
        self.places[self.vertices.partition_point(|&other| other < v)]
    }
    /// The vertices with finite positions.
    fn finite(&self) -> impl Iterator<Item = (u32, DVec3)> {
        let all = self.vertices.iter().copied().zip(self.places.iter().copied());
        all.filter(|(_, place)| place.is_finite())
    }
    /// The vertices that become one with others within a distance, and these.
    pub fn pairs(&self, distance: f64) -> FxHashMap<u32, u32> {
        let (vertices, places): (Vec<u32>, Vec<DVec3>) = self.finite().unzip();
        let becomes = weld(&places, distance);
        let pairs = vertices.iter().zip(&becomes).map(|(&v, &to)| (v, vertices[to as usize]));
        pairs.filter(|(v, to)| v != to).collect()
    }
    /// Finds for each side the vertex of the boundary on it that is nearest to its middle, and farther than
    /// `distance` from its ends. On all threads.
    pub fn junctions(&self, distance: f64) -> Vec<Junction> {
        let lengths = self.sides.iter().map(|Open { ends: [a, b], .. }| self.at(*a).distance(self.at(*b)));
        let mean = lengths.sum::<f64>() / self.sides.len().max(1) as f64;
        let size = mean.max(4.0 * distance);
        if !(size > 0.0 && size.is_finite()) {
            return vec![];
        }
        let cell = |p: DVec3| (p / size).floor().as_i64vec3();
        let mut cells: FxHashMap<I64Vec3, Vec<(u32, DVec3)>> = FxHashMap::default();
        self.finite().for_each(|(v, place)| cells.entry(cell(place)).or_default().push((v, place)));
        let on = |[a, b]: [u32; 2]| {
            let (from, to) = (self.at(a), self.at(b));
            let way = to - from;
            let long = way.length();
            if long.is_nan() || long <= 2.0 * distance {
                return None;
            }
            let mut best: Option<(f64, f64, u32)> = None;
            let mut look = |(v, place): (u32, DVec3)| {
                let part = (place - from).dot(way) / (long * long);
                let off = (place - from).distance(part * way);
                let within = |end: DVec3| place.distance(end) <= distance;
                if v == a || v == b || !(0.0..=1.0).contains(&part) || off > distance {
                    return;
                }
                if within(from) || within(to) {
                    return;
                }
                let new = ((part - 0.5).abs(), part, v);
                if best.is_none_or(|best| (new.0, new.2) < (best.0, best.2)) {
                    best = Some(new);
                }
            };
            // cells around points that are half a cell apart
            let steps = (2.0 * long / size).ceil().max(1.0) as u64;
            let mut last = None;
            for step in 0..=steps {
                let middle = cell(from + way * (step as f64 / steps as f64));
                if last.replace(middle) == Some(middle) {
                    continue;
                }
                for i in 0..27 {
                    let way = I64Vec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
                    cells.get(&middle.saturating_add(way)).into_iter().flatten().for_each(|&of| look(of));
                }
            }
            best.map(|(_, part, v)| ([a, b], part, v))
        };
        // a face's own third corner is not a vertex of another surface
        let sides = self.sides.par_iter().with_min_len(TOGETHER);
        sides.filter_map(|side| on(side.ends).filter(|(.., v)| *v != side.apex)).collect()
    }
}

/// The sides of the boundary of any triangles.
fn open_sides(vertices: usize, faces: &Buffer<u32>) -> Result<Vec<Open>, RepairError> {
    let faces = Judged::of(vertices, faces.try_clone()?, None)?.faces;
    let sides = Linked::of(vertices, faces, note::OPEN)?.noted(None)?;
    Ok(sides.into_iter().map(|side| Open { ends: side.ends, apex: side.apex }).collect())
}
/// Listed sides.
fn listed(sides: &[u32], faces: &Buffer<u32>) -> Result<Vec<Open>, RepairError> {
    let of: Vec<u32> = sides.iter().map(|side| side / 3).collect();
    let corners = rows(faces, &faces.device().upload(&of)?)?.read()?;
    let open = |(side, corners): (&u32, &[u32; 3])| {
        let [a, b, c] = [0, 1, 2].map(|i| corners[(*side as usize + i) % 3]);
        Open { ends: [a, b], apex: c }
    };
    Ok(sides.iter().zip(corners.as_chunks().0).map(open).collect())
}
