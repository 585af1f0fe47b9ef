//! Drawing a surface to triangles.
use crate::options::WrapReport;
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::{Device, Result};
use ribbonmesh_intersections::{Triangles, intersections_with, self_intersections};

/// What stays between a vertex and the triangles, in cubes: two sides of a sheet stay apart.
const GAP: f32 = 0.02;
/// Rounds in which vertices of faces that intersect go back, before all near them do.
const ROUNDS: u32 = 8;

/// Moves vertices to the nearest places of the triangles of a tree that are at most `reach` away, but for a gap. Those of
/// faces that then intersect go back to where they were, until none intersect: where they were, none did.
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
    let mut moved: Vec<bool> = positions.iter().zip(&before).map(|(p, q)| p != q).collect();
    let flat = device.upload(faces.as_flattened())?;
    let places = device.upload(positions)?;
    let mut pairs = self_intersections(Triangles { positions: &places, faces: &flat })?.pairs.read()?;
    let mut near = vec![false; positions.len()];
    let touched = |near: &[bool]| -> Vec<u32> {
        (0..faces.len() as u32).filter(|&f| faces[f as usize].iter().any(|&v| near[v as usize])).collect()
    };
    for round in 0.. {
        if pairs.is_empty() {
            break;
        }
        let mut back: Vec<u32> = pairs.iter().flatten().flat_map(|&f| faces[f as usize]).collect();
        near.fill(false);
        back.iter().for_each(|&v| near[v as usize] = true);
        if round >= ROUNDS {
            // the ring around them as well
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
    report.projected = moved.iter().filter(|moved| **moved).count() as u64;
    let reached = found.iter().filter(|found| found.distance.is_finite()).count() as u64;
    report.taken_back = reached - report.projected;
    Ok(())
}
