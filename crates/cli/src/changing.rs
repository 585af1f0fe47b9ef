//! What the commands that change triangles have in common.
use crate::failure::Failure;
use crate::numbers::short;
use crate::session::Session;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_bvh::{Distance, DistanceOptions, Surface, distance};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_quality::Quality;
use ribbonmesh_repair::{RepairOptions, RepairReport, manifold_violations, repair};
use std::collections::BTreeMap;
use std::path::Path;

/// Random points of each surface by which their distance is estimated.
const SAMPLES: u32 = 100_000;

/// Positions as the library takes them.
pub fn points(positions: &[[f32; 3]]) -> Vec<Vec3> {
    positions.iter().copied().map(Vec3::from_array).collect()
}

/// The mesh of a file that has faces, repaired on request.
pub fn input(
    session: &mut Session,
    file: &Path,
    output: &Path,
    repair: bool,
) -> Result<(TriangleMesh, Option<RepairReport>), Failure> {
    session.keep(None, &[file, output])?;
    let mut mesh = session.read(file)?.mesh;
    if mesh.faces.is_empty() {
        return Err(Failure::NoFaces(file.to_owned()));
    }
    let report = if repair { Some(repaired(session, file, &mut mesh)?) } else { None };
    Ok((mesh, report))
}

/// Repairs the mesh of a file; vertices without faces stay.
fn repaired(session: &mut Session, file: &Path, mesh: &mut TriangleMesh) -> Result<RepairReport, Failure> {
    let choice = RepairOptions { remove_isolated: false };
    let done = session.phase("repair", || repair(mesh.positions.len(), &mesh.faces, &choice))?;
    if done.faces.is_empty() {
        return Err(Failure::NothingLeft(file.to_owned()));
    }
    mesh.positions = done.vertex_values(&mesh.positions)?;
    mesh.faces = done.faces;
    Ok(done.report)
}

/// The error, with all that is wrong with the mesh of a file if that is the reason.
pub fn refused(file: &Path, mesh: &TriangleMesh, error: Error) -> Failure {
    match (&error, manifold_violations(mesh.positions.len(), &mesh.faces)) {
        (Error::NotManifold(_), Ok(found)) if !found.is_empty() => {
            Failure::NotManifold { file: file.to_owned(), found: Box::new(found) }
        }
        _ => error.into(),
    }
}

/// How far two surfaces, points and faces, are from each other.
pub fn how_far(
    device: &Device,
    seed: u64,
    before: (&[Vec3], &[[u32; 3]]),
    after: (&[Vec3], &[[u32; 3]]),
) -> Result<Distance, Failure> {
    let surface = |(points, faces): (&[Vec3], &[[u32; 3]])| Surface::new(device, points, faces);
    Ok(distance(&surface(before)?, &surface(after)?, &DistanceOptions { samples: SAMPLES, seed })?)
}

/// Lengths, angles and valences in a line; with how many edges are near the target, if there is one.
pub fn say_quality(session: &Session, name: &str, q: &Quality, target: bool) {
    let number = |x: Option<f64>| x.map_or("none".to_owned(), short);
    let percent = |x: Option<f64>| x.map_or("none".to_owned(), |x| format!("{:.0} %", 100.0 * x));
    let mean = q.edge_length.as_ref().zip(q.target_length).map(|(h, unit)| h.spread.mean * unit);
    let near = if target {
        format!(", {} of them from 4/5 to 4/3 of the target", percent(q.edges_near_target))
    } else {
        String::new()
    };
    let angle = q.smallest_angle.as_ref().map(|h| h.spread);
    session.say(format_args!(
        "{name}: edges {} in the mean{near}; smallest angle {}°, of a face in the mean {}°; valence 6 at {}",
        number(mean),
        number(angle.map(|a| a.min)),
        number(angle.map(|a| a.mean)),
        percent(q.valence.regular)
    ));
}

/// How far the result is from the input.
pub fn say_distance(session: &Session, distance: &Distance) {
    if let Some(relative) = &distance.relative {
        let rms = relative.rms.map_or("none".to_owned(), short);
        session.say(format_args!(
            "distance from the input, in diagonals: at most {}, root mean square {rms}",
            short(relative.hausdorff)
        ));
    }
}

/// What was refused and why, as an end of a line.
pub fn refusals(refused: &BTreeMap<&'static str, u64>) -> String {
    let mut text = String::new();
    for (i, (reason, n)) in refused.iter().enumerate() {
        text += if i == 0 { "; refused: " } else { ", " };
        text += &format!("{n} {}", reason.replace('_', " "));
    }
    text
}
