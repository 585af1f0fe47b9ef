//! Sheets that exist twice.
use crate::CleanError;
use crate::clean::FLAT;
use crate::outward::corners_of;
use glam::Vec3;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::{Result, Surface};
use ribbonmesh_solid::shells::{Shells, drop_shells};

/// Greatest distance of the two copies of a sheet from each other, in diagonals of the bounding box.
const TWICE: f64 = 1e-3;

/// Drops the components of a closed surface that enclose no volume and are nowhere far from the others:
/// copies of a part of the surface that closing has made two-sided. Returns their number. If no component
/// encloses a volume, none is dropped.
pub(crate) fn leave_out(
    surface: &mut Surface,
    shells: &Shells,
    diagonal: f64,
) -> std::result::Result<usize, CleanError> {
    let is_flat = |(volume, area): (&f64, &f64)| volume.abs() <= FLAT * area * diagonal;
    let flat: Vec<bool> = shells.volumes.iter().zip(&shells.areas).map(is_flat).collect();
    if !flat.contains(&true) || !flat.contains(&false) {
        return Ok(0);
    }
    let far = distances(surface, shells, &flat)?;
    let gone: Vec<bool> = flat.iter().zip(far).map(|(flat, far)| *flat && far <= TWICE * diagonal).collect();
    let removed = gone.iter().filter(|gone| **gone).count();
    if removed > 0 {
        drop_shells(surface, shells, &gone)?;
    }
    Ok(removed)
}

/// The greatest distance of corners and middles of the faces of each flat component from all components that
/// are not flat.
fn distances(surface: &Surface, shells: &Shells, flat: &[bool]) -> Result<Vec<f64>> {
    let bodies: Vec<bool> = flat.iter().map(|flat| !flat).collect();
    let bodies = shells.corners_of(surface, &bodies)?;
    let tree = Bvh::from_buffers(surface.triangles().positions(), &bodies)?;
    let of_flat = shells.some_faces(flat, u32::MAX)?;
    let faces: Vec<u32> = of_flat.iter().map(|(face, _)| *face).collect();
    let asked: Vec<[Vec3; 4]> =
        corners_of(surface, &faces)?.into_iter().map(|[a, b, c]| [a, b, c, (a + b + c) / 3.0]).collect();
    let found = tree.closest(&surface.device().upload(asked.as_flattened())?, None)?.read()?;
    let mut far = vec![0.0; flat.len()];
    for (found, (_, shell)) in found.as_chunks::<4>().0.iter().zip(of_flat) {
        far[shell] = found.iter().map(|found| f64::from(found.distance)).fold(far[shell], f64::max);
    }
    Ok(far)
}
