//! Remeshing to a tolerance that is measured.
use super::lengths::grade;
use super::remesher::Input;
use super::values::Values;
use crate::deviate::{DeviateFaces, DeviatePoints, SEARCHES, Shorten};
use crate::flip::SetWords;
use glam::Vec3;
use ribbonmesh::bvh::{Bvh, SampledSurface};
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::dynamic::DynamicMesh;
use ribbonmesh::{Buffer, Device, Result};

/// Random points of the input for each of its faces, at least and at most so many.
const PER_FACE: usize = 4;
const LEAST_POINTS: usize = 200_000;
const MOST_POINTS: usize = 4_000_000;
/// Seed of the random points.
const SEED: u64 = 1;
/// Lengths become shorter where the deviation is more than this part of the tolerance, ...
const AIM: f32 = 0.7;
/// ... if it is more than this part of it anywhere: points between those that are measured may be farther away.
const HOLDS: f32 = 0.9;

/// What a tolerance asks for, in the units of the positions.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// The largest distance.
    pub distance: f32,
    /// The shortest target length.
    pub shortest: f32,
}

/// Points of the input from which distances are measured: its vertices, and random points.
pub fn points_of_input(device: &Device, x: &Buffer<Vec3>, faces: &Buffer<u32>) -> Result<[Buffer<Vec3>; 2]> {
    let (x, corners) = (x.read()?, faces.read()?);
    let surface = SampledSurface::new(device, &x, corners.as_chunks::<3>().0)?;
    let n = (PER_FACE * corners.len() / 3).clamp(LEAST_POINTS, MOST_POINTS);
    Ok([surface.vertices().try_clone()?, surface.sample(n as u32, SEED)?])
}

/// Measures the distance of the mesh and the input from each other, both ways, as far as points show it; where it is too
/// large, target lengths become shorter. Ids must be contiguous. Returns the distance, and whether lengths have changed.
pub fn shorten(
    mesh: &mut DynamicMesh,
    values: &mut Values,
    input: &Input,
    tolerance: Tolerance,
) -> Result<(f32, bool)> {
    let device = mesh.device().clone();
    let [n, faces] = [ElementKind::Vertex, ElementKind::Face].map(|kind| mesh.ids(kind));
    device.launch(tiles(n), SetWords { words: values.excess.view_mut().memory(), n, value: 0 })?;
    let mut deviations =
        std::mem::replace(&mut values.excess, ribbonmesh::dynamic::DynamicAttribute::zeros(mesh)?);
    let tree = Bvh::of_buffers(&values.x.to_buffer(mesh)?, &mesh.faces()?)?;
    let kernel = DeviateFaces {
        mesh: mesh.view(),
        values: values.views().0,
        input: input.surface.view(),
        n: faces,
        deviations: deviations.view_mut(),
    };
    device.launch(faces.div_ceil(SEARCHES), kernel)?;
    for points in &input.points {
        let kernel = DeviatePoints {
            mesh: mesh.view(),
            tree: tree.view(),
            points: points.view(),
            deviations: deviations.view_mut(),
        };
        device.launch((points.len() as u32).div_ceil(SEARCHES), kernel)?;
    }
    let most = deviations.to_buffer(mesh)?.read()?.into_iter().max().unwrap_or_default();
    let most = f32::from_bits(most);
    let shorter = most > HOLDS * tolerance.distance;
    if let (true, Some(lengths)) = (shorter, &mut values.size) {
        let kernel = Shorten {
            n,
            deviations: deviations.view(),
            aim: AIM * tolerance.distance,
            least: tolerance.shortest,
            lengths: lengths.view_mut(),
        };
        device.launch(tiles(n), kernel)?;
        grade(mesh, values)?;
    }
    Ok((most, shorter))
}
