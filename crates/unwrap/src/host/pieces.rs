//! A mesh in pieces, and their maps to the plane.
use super::disk::{Disk, Glued};
use super::distortion::Sums;
use super::flatten::{Descent, Flat, Start, flattened};
use super::options::UnwrapOptions;
use super::overlap::boundary_meets_itself;
use super::segment::{segments, twins_of};
use super::split::halves;
use super::unwrap::Frame;
use crate::device::merge::Limits;
use rayon::prelude::*;
use ribbonmesh::device::NONE;
use ribbonmesh::mesh::TriangleMesh;
use ribbonmesh::{Device, FlatTopology, Result};

/// How far charts are minimised.
const DESCENT: Descent = Descent { steps: 24, tolerance: 0.05, hopeless: 6.0, start: Start::Projection };
/// A mesh in pieces.
pub struct Pieces {
    faces: Vec<[u32; 3]>,
    twins: Vec<u32>,
    /// The piece of each face.
    pieces: Vec<u32>,
    /// The place of each face in its piece.
    places: Vec<u32>,
    /// The number of pieces so far.
    count: u32,
    /// Faces that have a vertex twice, which are in none.
    pub degenerate: usize,
}

impl Pieces {
    /// Merges the faces of a mesh to pieces, which are disks.
    pub fn new(device: &Device, mesh: &TriangleMesh, frame: &Frame, options: &UnwrapOptions) -> Result<Self> {
        let topology = FlatTopology::new(device, mesh.positions.len(), &mesh.faces)?;
        let twins = twins_of(&topology)?;
        let limits = Limits {
            deviation: 0.5 * (1.0 - options.cone.to_radians().cos()),
            cosine: 75_f64.to_radians().cos(),
            scrap: 0.002,
            roundness: 0.01,
            faces: 1 << 15,
            round: 0,
        };
        let labels = segments(&topology, &device.upload(&frame.positions)?, &twins, limits)?.read()?;
        let faces = mesh.faces.clone();
        let is_whole = |[a, b, c]: [u32; 3]| a != b && b != c && c != a;
        let degenerate = faces.iter().filter(|face| !is_whole(**face)).count();
        let pieces =
            labels.into_iter().zip(&faces).map(|(l, f)| if is_whole(*f) { l } else { NONE }).collect();
        let (places, count) = (vec![0; faces.len()], faces.len() as u32);
        Ok(Self { faces, twins: twins.read()?, pieces, places, count, degenerate })
    }
    /// The mesh with its pieces.
    pub fn glued<'a>(&'a self, frame: &'a Frame) -> Glued<'a> {
        Glued {
            positions: &frame.positions,
            faces: &self.faces,
            twins: &self.twins,
            pieces: &self.pieces,
            places: &self.places,
        }
    }
    /// The faces of each piece, in the order of their first faces.
    pub fn groups(&mut self) -> Vec<Vec<u32>> {
        let mut index = vec![NONE; self.faces.len()];
        let mut groups: Vec<Vec<u32>> = vec![];
        for (f, piece) in (0..).zip(&mut self.pieces) {
            if *piece == NONE {
                continue;
            }
            let place = &mut index[*piece as usize];
            if *place == NONE {
                *place = groups.len() as u32;
                groups.push(vec![]);
            }
            let group = &mut groups[*place as usize];
            self.places[f as usize] = group.len() as u32;
            group.push(f);
            *piece = *place;
        }
        self.count = groups.len() as u32;
        groups
    }
    /// Makes pieces of halves.
    pub fn part(&mut self, halves: Vec<[Vec<u32>; 2]>) -> Vec<Vec<u32>> {
        let parts: Vec<Vec<u32>> = halves.into_iter().flatten().filter(|half| !half.is_empty()).collect();
        for part in &parts {
            for (place, &face) in (0..).zip(part) {
                (self.pieces[face as usize], self.places[face as usize]) = (self.count, place);
            }
            self.count += 1;
        }
        parts
    }
    /// Maps pieces to the plane; those that are not good are halved, and halves are mapped.
    pub fn flats(
        &mut self,
        device: &Device,
        frame: &Frame,
        mut todo: Vec<Vec<u32>>,
        max_stretch: f64,
    ) -> Result<(Vec<Flat>, usize)> {
        let (mut done, mut halved) = (vec![], 0);
        while !todo.is_empty() {
            let mesh = self.glued(frame);
            let disks: Vec<Disk> = todo.into_par_iter().map(|faces| Disk::new(&mesh, faces)).collect();
            let (disks, broken): (Vec<_>, Vec<_>) = disks.into_iter().partition(Disk::is_disk);
            let flats = flattened(device, &mesh, disks, DESCENT)?;
            let good: Vec<bool> = flats.par_iter().map(|flat| is_good(&mesh, flat, max_stretch)).collect();
            let mut bad = broken;
            for (flat, good) in flats.into_iter().zip(good) {
                match good || flat.disk.faces.len() == 1 {
                    true => done.push(flat),
                    false => bad.push(flat.disk),
                }
            }
            halved += bad.len();
            let parts = bad.par_iter().map(|disk| halves(&mesh, disk)).collect();
            todo = self.part(parts);
        }
        Ok((done, halved))
    }
}

/// Whether nothing is folded, stretched too much, or on itself.
fn is_good(mesh: &Glued<'_>, flat: &Flat, max_stretch: f64) -> bool {
    if !flat.energy.is_finite() {
        return false;
    }
    let sums = Sums::of(mesh, flat);
    sums.folded == 0
        && sums.lengths() <= max_stretch
        && !boundary_meets_itself(&flat.disk.loops[0], &flat.positions)
}
