//! Drawing of a surface to triangles.
use crate::intersections::{Triangles, intersections_with, self_intersections};
use crate::wrap::options::WrapReport;
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::{Device, Result};

/// Distance between a vertex and the triangles, in cubes, so that two sides of a sheet stay apart.
const GAP: f32 = 0.02;
/// Rounds in which vertices of faces that intersect are moved back, before all vertices near them are.
const ROUNDS: u32 = 8;

/// Steps of smoothing for vertices that are not drawn to triangles.
const SMOOTHED: u32 = 20;

/// Moves vertices to the nearest points of the triangles of a tree that are at most `reach` away, but for a
/// gap. The vertices of faces that then intersect are moved back, until no faces intersect: at the old
/// positions none did. The vertices that are still at their positions on the grid are then smoothed: they
/// would be steps in holes, and bumps elsewhere. The vertices of faces that then intersect are moved back as
/// well.
pub(crate) fn project(
    device: &Device,
    tree: &Bvh,
    positions: &mut [Vec3],
    faces: &[[u32; 3]],
    reach: f32,
    cell: f32,
    report: &mut WrapReport,
) -> Result<()> {
    let found = tree.closest_within(&device.upload(positions)?, reach)?.read()?;
    let before = positions.to_vec();
    positions.par_iter_mut().zip(&found).filter(|(_, found)| found.distance.is_finite()).for_each(
        |(p, found)| {
            let way = *p - found.point;
            *p = found.point + GAP * cell * way.normalize_or_zero();
        },
    );
    let drawn = keep_apart(device, &before, positions, faces)?;
    let count = |of: &[bool]| of.par_iter().filter(|of| **of).count() as u64;
    report.projected = count(&drawn);
    let reached = found.par_iter().filter(|found| found.distance.is_finite()).count() as u64;
    report.taken_back = reached - report.projected;
    let before = positions.to_vec();
    smooth(positions, faces, &drawn);
    report.smoothed = count(&keep_apart(device, &before, positions, faces)?);
    Ok(())
}

/// Moves each vertex that need not stay to the mean of its neighbours, [`SMOOTHED`] times.
fn smooth(positions: &mut [Vec3], faces: &[[u32; 3]], stays: &[bool]) {
    let near: Vec<[u32; 3]> =
        faces.iter().filter(|face| face.iter().any(|&v| !stays[v as usize])).copied().collect();
    let mut sums = vec![(Vec3::ZERO, 0.0_f32); positions.len()];
    for _ in 0..SMOOTHED {
        sums.fill((Vec3::ZERO, 0.0));
        for &[a, b, c] in &near {
            // each neighbour is in two of the faces
            for [v, u, w] in [[a, b, c], [b, c, a], [c, a, b]] {
                let sum = &mut sums[v as usize];
                *sum = (sum.0 + positions[u as usize] + positions[w as usize], sum.1 + 2.0);
            }
        }
        let all = positions.par_iter_mut().zip(&sums).zip(stays);
        all.filter(|(_, stays)| !**stays).for_each(|((p, sum), _)| *p = sum.0 / sum.1.max(1.0));
    }
}

/// Moves vertices of faces that intersect back to where they were, until no faces intersect. Returns which
/// vertices are still moved.
fn keep_apart(
    device: &Device,
    before: &[Vec3],
    positions: &mut [Vec3],
    faces: &[[u32; 3]],
) -> Result<Vec<bool>> {
    let mut moved: Vec<bool> = positions.par_iter().zip(before).map(|(p, q)| p != q).collect();
    let flat = device.upload(faces.as_flattened())?;
    let places = device.upload(positions)?;
    let mut pairs = self_intersections(Triangles { positions: &places, faces: &flat })?.pairs.read()?;
    let mut near = vec![false; positions.len()];
    let touched = |near: &[bool]| -> Vec<u32> {
        let is_touched = |&f: &u32| faces[f as usize].iter().any(|&v| near[v as usize]);
        (0..faces.len() as u32).into_par_iter().filter(is_touched).collect()
    };
    for round in 0.. {
        if pairs.is_empty() {
            break;
        }
        let mut back: Vec<u32> = pairs.iter().flatten().flat_map(|&f| faces[f as usize]).collect();
        near.fill(false);
        back.iter().for_each(|&v| near[v as usize] = true);
        if round >= ROUNDS {
            // move the ring around them back as well
            back = touched(&near).into_iter().flat_map(|f| faces[f as usize]).collect();
            back.iter().for_each(|&v| near[v as usize] = true);
        }
        let mut any = false;
        for v in back {
            any |= std::mem::replace(&mut moved[v as usize], false);
            positions[v as usize] = before[v as usize];
        }
        if !any {
            break;
        }
        pairs = intersections_with(&device.upload(positions)?, faces, &touched(&near))?;
    }
    Ok(moved)
}
