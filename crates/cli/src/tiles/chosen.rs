//! `--memory` of commands that work on a whole mesh: where it does not fit, they work tile by tile.
use super::distance::measured;
use super::render::{drawn, shot};
use super::repair::repaired;
use super::streaming::{describe, write_normals, written};
use super::{Room, bytes, check, remesh::by_tiles as remeshed, simplify::by_tiles};
use crate::distance::Asked;
use crate::failure::Failure;
use crate::render::Look;
use crate::session::Session;
use clap::Arg;
use ribbonmesh_application::{Given, OptionValue};
use ribbonmesh_clean::Bytes;
use ribbonmesh_io::{MeshStream, ReadErrorKind};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target};
use ribbonmesh_tiles::{Length, RemeshTiles, RepairOptions, SLOTS, SimplifyTiles, Weight};
use std::path::{Path, PathBuf};

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

const KNOWN: [Known; 8] = [
    Known {
        name: "simplify",
        per: Per { face: 360, vertex: 485 },
        options: &["faces", "ratio", "feature_angle", "curve_weight", "max_turn"],
    },
    Known {
        name: "remesh",
        per: Per { face: 420, vertex: 420 },
        options: &[
            "target_length",
            "iterations",
            "feature_angle",
            "merge_features",
            "boundary",
            "project",
            "adaptive",
            "tolerance",
            "range",
            "most_faces",
            "smoothing",
            "step",
            "weights",
        ],
    },
    Known {
        name: "repair",
        per: Per { face: 315, vertex: 130 },
        options: &["remove_zero_area", "remove_components", "remove_isolated"],
    },
    Known { name: "normals", per: Per { face: 108, vertex: 188 }, options: &["weight"] },
    Known { name: "convert", per: Per { face: 76, vertex: 80 }, options: &[] },
    Known { name: "render", per: Per { face: 65, vertex: 90 }, options: &[] },
    Known { name: "distance", per: Per { face: 165, vertex: 65 }, options: &[] },
    Known { name: "info", per: Per { face: 270, vertex: 85 }, options: &[] },
];

/// Bytes for each sample of a picture, measured in the same way.
const PER_SAMPLE: u64 = 26;
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

/// The bound, if the meshes of files and some bytes beside them need more than it in memory. `grown` is how
/// many faces there are at the most, in those of the files.
/// # Errors
/// Nothing tells the number of faces.
fn too_large(
    command: &str,
    meshes: &[&Path],
    bound: Option<Bytes>,
    (grown, beside): (f64, u64),
) -> Result<Option<Bytes>, Failure> {
    let (Some(bound), Some(known)) = (bound, known(command)) else { return Ok(None) };
    let [process, thread] = PROCESS.map(u128::from);
    let mut needed = process + thread * rayon::current_num_threads() as u128 + u128::from(beside);
    let mut refused = None;
    for mesh in meshes {
        let sizes = match MeshStream::open(mesh) {
            Ok(stream) => [stream.faces(), vertices(&stream)],
            Err(error) => {
                let sizes = most(mesh, &error.kind);
                refused = refused.or(Some(Failure::of_file(mesh, error)));
                sizes
            }
        };
        let [faces, vertices] = sizes.map(u128::from);
        let of_mesh = faces * u128::from(known.per.face) + vertices * u128::from(known.per.vertex);
        needed += if grown > 1.0 { (of_mesh as f64 * grown) as u128 } else { of_mesh };
    }
    if needed <= bound.0.into() {
        return Ok(None);
    }
    refused.map_or(Ok(Some(bound)), |error| {
        Err(Failure::Usage(format!("--memory {bound}: {error}; without it the mesh is read as a whole")))
    })
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
    let too_large_for = |grown| too_large(name, &[mesh], Some(bound), (grown, 0));
    let mut found = too_large_for(1.0)?;
    if found.is_none() && name == "remesh" {
        found = too_large_for(grown(mesh, given)?)?;
    }
    let Some(memory) = found else { return Ok(false) };
    if let Some(flag) = flag {
        return Err(no_option(flag, memory, mesh));
    }
    let allowed = known(name).map_or(&[][..], |known| known.options);
    if let Some(option) = options.iter().find(|option| given.has(option) && !allowed.contains(option)) {
        return Err(no_option(&option.replace('_', "-"), memory, mesh));
    }
    check(session, mesh, Some(output))?;
    let room = room(memory);
    match name {
        "normals" => {
            let weight = value::<Weight>(given, "weight", mesh)?.unwrap_or_default();
            write_normals(session, [mesh, output], weight, &room)
        }
        "remesh" => remesh(session, given, [mesh, output], &room),
        "repair" => {
            let options = RepairOptions {
                remove_zero_area: value(given, "remove_zero_area", mesh)?.unwrap_or_default(),
                remove_components: value(given, "remove_components", mesh)?.unwrap_or_default(),
                remove_isolated: value(given, "remove_isolated", mesh)?.unwrap_or_default(),
                ..RepairOptions::default()
            };
            repaired(session, [mesh, output], &options, &room)
        }
        _ => simplify(session, given, [mesh, output], &room),
    }
    .map(|()| true)
}

/// The value of an option, if it was given.
fn value<T: OptionValue>(given: &Given, name: &str, mesh: &Path) -> Result<Option<T>, Failure> {
    given.value(name).map_err(|failure| Failure::of_file(mesh, failure))
}

fn workers() -> usize {
    rayon::current_num_threads().min(SLOTS as usize)
}

fn simplify(
    session: &mut Session,
    given: &Given,
    [mesh, output]: [&Path; 2],
    room: &Room,
) -> Result<(), Failure> {
    let target = match (value(given, "faces", mesh)?, value(given, "ratio", mesh)?) {
        (Some(faces), _) => Target::Faces(faces),
        (None, Some(ratio)) => Target::Ratio(ratio),
        (None, None) => return Err(no_option("max-error", room.memory, mesh)),
    };
    let usual = SimplifyOptions::default();
    let options = SimplifyTiles {
        memory: room.memory.0,
        workers: workers(),
        feature_angle: value(given, "feature_angle", mesh)?,
        curve_weight: value(given, "curve_weight", mesh)?.unwrap_or(usual.curve_weight),
        max_turn: value(given, "max_turn", mesh)?.unwrap_or(usual.max_turn),
        ..SimplifyTiles::new(target, room.work(output))
    };
    by_tiles(session, mesh, output, &options)
}

fn remesh(
    session: &mut Session,
    given: &Given,
    [mesh, output]: [&Path; 2],
    room: &Room,
) -> Result<(), Failure> {
    let options = RemeshTiles::given(given, room.work(output));
    let options = options.map_err(|failure| Failure::of_file(mesh, failure))?;
    let options = RemeshTiles { memory: room.memory.0, workers: workers(), ..options };
    remeshed(session, mesh, output, &options, given.has("range"))
}

/// Faces that remeshing makes, in those of a mesh that fits into memory; with `--adaptive`, as many as it is
/// allowed to make.
fn grown(mesh: &Path, given: &Given) -> Result<f64, Failure> {
    let covering = covering(mesh, given)?;
    let options = RemeshTiles::given(given, PathBuf::new());
    let options = options.map_err(|failure| Failure::of_file(mesh, failure))?;
    let faces = MeshStream::open(mesh).map_or(0, |stream| stream.faces());
    Ok(match options.adaptive {
        Some(adaptive) if faces > 0 => {
            adaptive.allowed(faces, (covering * faces as f64) as u64) as f64 / faces as f64
        }
        _ => covering,
    })
}

/// Faces that the target length gives, in those of a mesh: where the length is no part of that of edges, the
/// mesh is read.
fn covering(mesh: &Path, given: &Given) -> Result<f64, Failure> {
    let length = match value::<Length>(given, "target_length", mesh)? {
        None | Some(Length::Usual) => return Ok(1.0),
        Some(Length::Mean(part)) => return Ok(f64::from(part).powi(-2)),
        Some(length) => length,
    };
    let read = ribbonmesh_io::read(mesh).map_err(|error| Failure::of_file(mesh, error))?.mesh;
    let of_face = 0.75_f64.sqrt() / 2.0 * length.in_units(&read).powi(2);
    Ok(read.area() / of_face / read.faces.len().max(1) as f64)
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
    let Some(memory) = too_large("convert", &[mesh], bound, (1.0, 0))? else { return Ok(false) };
    if let Some(option) = given {
        return Err(no_option(option, memory, mesh));
    }
    written(session, [mesh, output], &room(memory)).map(|()| true)
}

/// Draws part by part if the mesh does not fit; false if it does. `given`: an option that tiles do not have.
pub fn render(
    session: &mut Session,
    [mesh, output]: [&Path; 2],
    look: &Look,
    bound: Option<Bytes>,
    given: Option<&str>,
) -> Result<bool, Failure> {
    let beside = PER_SAMPLE * shot(look).samples();
    let Some(memory) = too_large("render", &[mesh], bound, (1.0, beside))? else { return Ok(false) };
    if let Some(option) = given {
        return Err(no_option(option, memory, mesh));
    }
    drawn(session, [mesh, output], look, &room(memory)).map(|()| true)
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
    let Some(memory) = too_large("info", &[mesh], bound, (1.0, 0))? else { return Ok(false) };
    if let Some(option) = given {
        return Err(no_option(option, memory, mesh));
    }
    describe(session, mesh, json, &room(memory)).map(|()| true)
}

/// Measures the distance of two files by tiles if they do not fit; false if they do. `given`: an option that
/// tiles do not have.
pub fn distance(
    session: &mut Session,
    meshes: [&Path; 2],
    asked: &Asked,
    bound: Option<Bytes>,
    given: Option<&str>,
) -> Result<bool, Failure> {
    let Some(memory) = too_large("distance", &meshes, bound, (1.0, 0))? else { return Ok(false) };
    if let Some(option) = given {
        return Err(no_option(option, memory, meshes[0]));
    }
    measured(session, meshes, asked, &room(memory)).map(|()| true)
}
