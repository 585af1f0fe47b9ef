//! Sheets that exist twice.
use ribbonmesh::bvh::Bvh;
use ribbonmesh::{Device, Result};
use ribbonmesh_mesh::{MeshError, TriangleMesh, UnionFind};

use crate::CleanError;
use crate::clean::FLAT;

/// Drops the components of a closed mesh that enclose no volume and are nowhere farther than `distance` from
/// the others, in the units of the positions: copies of a part of the surface that closing has made
/// two-sided. Returns their number. If no component encloses a volume, none is dropped.
pub(crate) fn leave_out(
    device: &Device,
    mesh: &mut TriangleMesh,
    distance: f64,
) -> std::result::Result<usize, CleanError> {
    let of = components(mesh);
    let count = of.iter().copied().max().map_or(0, |last| last as usize + 1);
    if count < 2 {
        return Ok(0);
    }
    let origin = mesh.local_origin();
    let diagonal = mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal());
    let (mut volumes, mut areas) = (vec![0.0; count], vec![0.0; count]);
    for (face, &component) in mesh.faces.iter().zip(&of) {
        let [a, b, c] = face.map(|v| mesh.positions[v as usize] - origin);
        volumes[component as usize] += a.dot(b.cross(c)) / 6.0;
        areas[component as usize] += 0.5 * (b - a).cross(c - a).length();
    }
    let flat: Vec<bool> =
        volumes.iter().zip(&areas).map(|(volume, area)| volume.abs() <= FLAT * area * diagonal).collect();
    if !flat.contains(&true) || !flat.contains(&false) {
        return Ok(0);
    }
    let far = distances(device, mesh, &of, &flat)?;
    let mut gone = flat;
    for (gone, far) in gone.iter_mut().zip(far) {
        *gone &= far <= distance;
    }
    let removed = gone.iter().filter(|gone| **gone).count();
    if removed > 0 {
        keep(mesh, |face| !gone[of[face] as usize])?;
    }
    Ok(removed)
}

/// The component of each face: connected across vertices, numbered by first faces.
fn components(mesh: &TriangleMesh) -> Vec<u32> {
    let mut sets = UnionFind::new(mesh.positions.len());
    sets.join_faces(&mesh.faces);
    let mut numbers = vec![u32::MAX; mesh.positions.len()];
    let mut count = 0;
    let mut of = Vec::with_capacity(mesh.faces.len());
    for face in &mesh.faces {
        let number = &mut numbers[sets.root(face[0]) as usize];
        if *number == u32::MAX {
            (*number, count) = (count, count + 1);
        }
        of.push(*number);
    }
    of
}

/// The greatest distance of corners and middles of the faces of each flat component from all components that
/// are not flat.
fn distances(device: &Device, mesh: &TriangleMesh, of: &[u32], flat: &[bool]) -> Result<Vec<f64>> {
    let origin = mesh.local_origin();
    let points = mesh.points_around(origin);
    let bodies: Vec<[u32; 3]> =
        mesh.faces.iter().zip(of).filter(|(_, of)| !flat[**of as usize]).map(|(face, _)| *face).collect();
    let tree = Bvh::new(device, &points, &bodies)?;
    let (mut asked, mut whose) = (vec![], vec![]);
    for (face, &component) in mesh.faces.iter().zip(of).filter(|(_, of)| flat[**of as usize]) {
        let [a, b, c] = face.map(|v| points[v as usize]);
        asked.extend([a, b, c, (a + b + c) / 3.0]);
        whose.extend([component; 4]);
    }
    let found = tree.closest(&device.upload(&asked)?, None)?.read()?;
    let mut far = vec![0.0; flat.len()];
    for (found, component) in found.iter().zip(whose) {
        let far = &mut far[component as usize];
        *far = f64::max(*far, f64::from(found.distance));
    }
    Ok(far)
}

/// Drops faces, and vertices that then have none.
fn keep(mesh: &mut TriangleMesh, kept: impl Fn(usize) -> bool) -> std::result::Result<(), MeshError> {
    let list: Vec<u32> = (0..mesh.faces.len() as u32).filter(|&face| kept(face as usize)).collect();
    let mut numbers = vec![u32::MAX; mesh.positions.len()];
    list.iter().flat_map(|&face| mesh.faces[face as usize]).for_each(|v| numbers[v as usize] = 0);
    let mut vertices = vec![];
    for (v, number) in (0..).zip(&mut numbers).filter(|(_, number)| **number == 0) {
        *number = vertices.len() as u32;
        vertices.push(v);
    }
    let faces: Vec<(u32, [u32; 3])> =
        list.iter().map(|&face| (face, mesh.faces[face as usize].map(|v| numbers[v as usize]))).collect();
    mesh.rebuild(&vertices, &faces)
}
