//! `--memory` of commands that work on a whole mesh: where it does not fit, they work tile by tile.
use super::streaming::{describe, write_normals, written};
use super::{Room, bytes, check, simplify::by_tiles};
use crate::failure::Failure;
use crate::session::Session;
use clap::Arg;
use ribbonmesh_application::Given;
use ribbonmesh_clean::Bytes;
use ribbonmesh_io::{MeshStream, ReadErrorKind};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target};
use ribbonmesh_tiles::{SLOTS, SimplifyTiles, Weight};
use std::path::Path;

/// The help of the option.
pub const HELP: &str = "Memory that the process may take: where the mesh does not fit, the work is done tile \
                        by tile on disk, as ribbonmesh tiles does it";

/// A command that tiles do, too.
struct Known {
    name: &'static str,
    /// The memory that it takes.
    per: Per,
    /// Its options that tiles have.
    options: &'static [&'static str],
}

/// Bytes for each face and each vertex: a tenth more than the most that was measured, of all formats and of
/// surfaces as well as of triangles by themselves (decision 72).
struct Per {
    face: u64,
    vertex: u64,
}

const KNOWN: [Known; 4] = [
    Known {
        name: "simplify",
        per: Per { face: 360, vertex: 485 },
        options: &["faces", "ratio", "feature_angle", "curve_weight", "max_turn"],
    },
    Known { name: "normals", per: Per { face: 108, vertex: 188 }, options: &["weight"] },
    Known { name: "convert", per: Per { face: 76, vertex: 80 }, options: &[] },
    Known { name: "info", per: Per { face: 270, vertex: 85 }, options: &[] },
];

/// Bytes of a process without a mesh, and of each of its threads.
const PROCESS: [u64; 2] = [48_000_000, 3_000_000];

fn known(command: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == command)
}

/// The argument of an application that tiles do, too.
pub fn argument(application: &str) -> Option<Arg> {
    known(application)?;
    Some(Arg::new(MEMORY).long(MEMORY).value_name("SIZE").help(HELP).value_parser(bytes))
}

/// Name of the option.
pub const MEMORY: &str = "memory";

/// The bound, if the mesh of a file needs more than it in memory.
/// # Errors
/// Nothing tells the number of faces.
fn too_large(command: &str, mesh: &Path, bound: Option<Bytes>) -> Result<Option<Bytes>, Failure> {
    let (Some(bound), Some(known)) = (bound, known(command)) else { return Ok(None) };
    let refused = |error| {
        let error = Failure::of_file(mesh, error);
        Failure::Usage(format!("--memory {bound}: {error}; without it the mesh is read as a whole"))
    };
    let opened = MeshStream::open(mesh);
    let sizes = match &opened {
        Ok(stream) => [stream.faces(), vertices(stream)],
        Err(error) => most(mesh, &error.kind),
    };
    let [faces, vertices] = sizes.map(u128::from);
    let [process, thread] = PROCESS.map(u128::from);
    let of_mesh = faces * u128::from(known.per.face) + vertices * u128::from(known.per.vertex);
    let needed = process + thread * rayon::current_num_threads() as u128 + of_mesh;
    if needed <= bound.0.into() {
        return Ok(None);
    }
    opened.map(|_| Some(bound)).map_err(refused)
}

/// The most faces and vertices of a file that is read as a whole, by its bytes: a coordinate or a corner is a
/// digit and a blank at least, and each triangle has a corner of its own. Of others nothing is known.
fn most(mesh: &Path, error: &ReadErrorKind) -> [u64; 2] {
    let bytes = std::fs::metadata(mesh).map_or(u64::MAX, |file| file.len());
    match error {
        ReadErrorKind::NotInPieces { .. } => [bytes / 2, bytes / 6],
        _ => [u64::MAX; 2],
    }
}

/// The vertices that a file has. STL does not tell: half as many as faces, as a closed surface has.
fn vertices(stream: &MeshStream) -> u64 {
    match stream {
        MeshStream::Ply(stream) => stream.vertices(),
        MeshStream::Obj(stream) => stream.vertices(),
        MeshStream::Glb(stream) => stream.rows(),
        MeshStream::Stl(stream) => stream.faces() / 2,
    }
}

fn room(memory: Bytes) -> Room {
    Room { memory, tile_faces: None, work: None }
}

/// Runs an application tile by tile if the mesh does not fit; false if it does. `options` are those of the
/// application, the flag is another one that was given.
pub fn application(
    session: &mut Session,
    name: &str,
    given: &Given,
    [mesh, output]: [&Path; 2],
    bound: Bytes,
    (options, flag): (&[&str], Option<&str>),
) -> Result<bool, Failure> {
    let Some(memory) = too_large(name, mesh, Some(bound))? else { return Ok(false) };
    if let Some(flag) = flag {
        return Err(no_option(flag, memory, mesh));
    }
    let allowed = known(name).map_or(&[][..], |known| known.options);
    if let Some(option) = options.iter().find(|option| given.has(option) && !allowed.contains(option)) {
        return Err(no_option(&option.replace('_', "-"), memory, mesh));
    }
    check(session, mesh, Some(output))?;
    let of_options = |failure: ribbonmesh_application::Failure| Failure::of_file(mesh, failure);
    let room = room(memory);
    if name == "normals" {
        let weight = given.value::<Weight>("weight").map_err(of_options)?.unwrap_or_default();
        return write_normals(session, [mesh, output], weight, &room).map(|()| true);
    }
    let (faces, ratio) = (given.value("faces"), given.value("ratio"));
    let target = match (faces.map_err(of_options)?, ratio.map_err(of_options)?) {
        (Some(faces), _) => Target::Faces(faces),
        (None, Some(ratio)) => Target::Ratio(ratio),
        (None, None) => return Err(no_option("max-error", memory, mesh)),
    };
    let usual = SimplifyOptions::default();
    let options = SimplifyTiles {
        memory: memory.0,
        workers: rayon::current_num_threads().min(SLOTS as usize),
        feature_angle: given.value("feature_angle").map_err(of_options)?,
        curve_weight: given.value("curve_weight").map_err(of_options)?.unwrap_or(usual.curve_weight),
        max_turn: given.value("max_turn").map_err(of_options)?.unwrap_or(usual.max_turn),
        ..SimplifyTiles::new(target, room.work(output))
    };
    by_tiles(session, mesh, output, &options).map(|()| true)
}

/// The error of an option that tiles do not have.
pub fn no_option(option: &str, memory: Bytes, mesh: &Path) -> Failure {
    let mesh = mesh.display();
    Failure::Usage(format!(
        "--{option}: {mesh} does not fit into --memory {memory}, and tiles do not have --{option}"
    ))
}

/// Converts tile by tile if the mesh does not fit; false if it does. `given`: an option that tiles do not
/// have.
pub fn convert(
    session: &mut Session,
    [mesh, output]: [&Path; 2],
    bound: Option<Bytes>,
    given: Option<&str>,
) -> Result<bool, Failure> {
    let Some(memory) = too_large("convert", mesh, bound)? else { return Ok(false) };
    if let Some(option) = given {
        return Err(no_option(option, memory, mesh));
    }
    written(session, [mesh, output], &room(memory)).map(|()| true)
}

/// Describes tile by tile if the mesh does not fit; false if it does. `given`: an option that tiles do not
/// have.
pub fn info(
    session: &mut Session,
    mesh: &Path,
    json: bool,
    bound: Option<Bytes>,
    given: Option<&str>,
) -> Result<bool, Failure> {
    let Some(memory) = too_large("info", mesh, bound)? else { return Ok(false) };
    if let Some(option) = given {
        return Err(no_option(option, memory, mesh));
    }
    describe(session, mesh, json, &room(memory)).map(|()| true)
}
