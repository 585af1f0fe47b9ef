//! Disks to the plane, all at once on a device.
use super::disk::{Disk, Glued};
use super::tutte::to_circle;
use crate::device::chart::ChartsArguments;
use crate::device::gradients::WorkArguments;
use crate::device::parameterize::ParameterizeCharts;
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use ribbonmesh::{Device, Error, Result};

/// How far the energy of each disk is minimised.
#[derive(Clone, Copy)]
pub struct Descent {
    /// Steps of Newton's method at most.
    pub steps: u32,
    /// The search ends with a step that gains less than this part of the energy above that of an isometry.
    pub tolerance: f64,
    /// The energy above which a disk gets no steps beyond the first few.
    pub hopeless: f64,
    /// From where disks start.
    pub start: Start,
}

/// From where disks start. Where this folds triangles, the kernel finds Tutte's map.
#[derive(Clone, Copy)]
pub enum Start {
    /// As seen along their mean normal; nearly flat triangles count as folded.
    Projection,
    /// Tutte's map by a factorization on the host, for few disks of any size.
    Circle,
}
impl Start {
    /// Determinants of triangles that count as folded are not greater.
    fn flat(self) -> f64 {
        match self {
            Self::Projection => 0.02,
            Self::Circle => 0.0,
        }
    }
}

/// A disk in the plane.
pub struct Flat {
    /// The disk.
    pub disk: Disk,
    /// The positions of its vertices, in the units of space.
    pub positions: Vec<DVec2>,
    /// The mean symmetric Dirichlet energy that was found, 4 for an isometry; infinite if the map folds
    /// triangles, and where the energy was not looked for.
    pub energy: f64,
    /// Steps of Newton's method.
    pub steps: u32,
}

/// Arrays of a disk that are uploaded.
struct Parts {
    shapes: Vec<DVec3>,
    start: Vec<DVec2>,
    boundary: Vec<f64>,
    star_ends: Vec<u32>,
    stars: Vec<u32>,
}
impl Parts {
    fn of(mesh: &Glued<'_>, disk: &Disk, start: Start) -> Self {
        let (star_ends, stars) = stars(disk);
        let (shapes, boundary) = (disk.shapes(mesh), disk.boundary(mesh));
        let start = match start {
            Start::Projection => disk.projected(mesh),
            // without a factorization, the kernel finds the map from a point
            Start::Circle => {
                to_circle(disk, &shapes, &boundary).unwrap_or_else(|_| vec![DVec2::ZERO; disk.vertices])
            }
        };
        Self { shapes, start, boundary, star_ends, stars }
    }
}
/// The ends of the lists of corners of each vertex, and these lists.
fn stars(disk: &Disk) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0_u32; disk.vertices];
    for v in disk.corners.as_flattened() {
        ends[*v as usize] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut stars = vec![0; sum as usize];
    for (corner, v) in (0..).zip(disk.corners.as_flattened()) {
        let place = &mut ends[*v as usize];
        stars[*place as usize] = corner;
        *place += 1;
    }
    (ends, stars)
}

/// The arrays of all disks, one behind the other.
#[derive(Default)]
struct Batch {
    vertex_starts: Vec<u32>,
    face_starts: Vec<u32>,
    faces: Vec<u32>,
    star_starts: Vec<u32>,
    stars: Vec<u32>,
    rest: Vec<DVec3>,
    boundary: Vec<f64>,
    start: Vec<DVec2>,
}
impl Batch {
    fn push(&mut self, disk: &Disk, parts: Parts) {
        let (vertex, face) = (self.start.len() as u32, self.rest.len() as u32);
        self.vertex_starts.push(vertex);
        self.face_starts.push(face);
        self.faces.extend(disk.corners.as_flattened().iter().map(|v| v + vertex));
        self.star_starts.extend(parts.star_ends.iter().map(|end| end + 3 * face));
        self.stars.extend(parts.stars.iter().map(|corner| corner + 3 * face));
        self.rest.extend(parts.shapes);
        self.boundary.extend(parts.boundary);
        self.start.extend(parts.start);
    }
    fn end(&mut self) {
        self.vertex_starts.push(self.start.len() as u32);
        self.face_starts.push(self.rest.len() as u32);
    }
}

/// Maps disks to the plane, a block of a kernel for each. Waits.
/// # Errors
/// [`Error::TooMany`] beyond 2³² corners; out of memory; errors of the driver.
pub fn flattened(device: &Device, mesh: &Glued<'_>, disks: Vec<Disk>, descent: Descent) -> Result<Vec<Flat>> {
    let corners: u64 = disks.iter().map(|disk| 3 * disk.faces.len() as u64).sum();
    let limit = u64::from(u32::MAX);
    if corners >= limit {
        return Err(Error::TooMany { what: "corners", count: corners, limit });
    }
    if disks.is_empty() {
        return Ok(vec![]);
    }
    let of_disk = |disk: &Disk| Parts::of(mesh, disk, descent.start);
    let parts: Vec<Parts> = device.install(|| disks.par_iter().map(of_disk).collect());
    let mut batch = Batch { star_starts: vec![0], ..Batch::default() };
    for (disk, parts) in disks.iter().zip(parts) {
        batch.push(disk, parts);
    }
    batch.end();
    let (positions, energies, steps) = run(device, &batch, disks.len(), descent)?;
    let mut rest = positions.as_slice();
    let flat = |((disk, energy), steps): ((Disk, f64), u32)| {
        let positions = rest.split_off(..disk.vertices).unwrap_or_default().to_vec();
        Flat { disk, positions, energy, steps }
    };
    Ok(disks.into_iter().zip(energies).zip(steps).map(flat).collect())
}

/// The launch.
fn run(
    device: &Device,
    batch: &Batch,
    count: usize,
    descent: Descent,
) -> Result<(Vec<DVec2>, Vec<f64>, Vec<u32>)> {
    let (vertices, faces) = (batch.start.len(), batch.rest.len());
    let vertex_starts = device.upload(&batch.vertex_starts)?;
    let face_starts = device.upload(&batch.face_starts)?;
    let face_vertices = device.upload(&batch.faces)?;
    let star_starts = device.upload(&batch.star_starts)?;
    let stars = device.upload(&batch.stars)?;
    let rest = device.upload(&batch.rest)?;
    let boundary = device.upload(&batch.boundary)?;
    let mut x = device.upload(&batch.start)?;
    let mut step = device.unspecified(vertices)?;
    let mut residual = device.unspecified(vertices)?;
    let mut search = device.unspecified(vertices)?;
    let mut product = device.unspecified(vertices)?;
    let mut inverse = device.unspecified(vertices)?;
    let mut directions = device.unspecified(faces)?;
    let mut curvatures = device.unspecified(faces)?;
    let mut flux = device.unspecified(faces)?;
    let mut energies = device.unspecified(count)?;
    let mut taken = device.unspecified(count)?;
    let kernel = ParameterizeCharts {
        steps: descent.steps,
        tolerance: descent.tolerance,
        hopeless: descent.hopeless,
        flat: descent.start.flat(),
        charts: ChartsArguments {
            vertex_starts: vertex_starts.view(),
            face_starts: face_starts.view(),
            faces: face_vertices.view(),
            star_starts: star_starts.view(),
            stars: stars.view(),
            rest: rest.view(),
            boundary: boundary.view(),
        },
        work: WorkArguments {
            x: x.view_mut(),
            step: step.view_mut(),
            residual: residual.view_mut(),
            search: search.view_mut(),
            product: product.view_mut(),
            inverse: inverse.view_mut(),
            directions: directions.view_mut(),
            curvatures: curvatures.view_mut(),
            flux: flux.view_mut(),
        },
        energies: energies.view_mut(),
        taken: taken.view_mut(),
    };
    device.launch(count as u32, kernel)?;
    Ok((x.read()?, energies.read()?, taken.read()?))
}
