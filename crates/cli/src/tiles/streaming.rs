//! `ribbonmesh tiles info`, `normals` and `convert`.
use super::{Room, check, left_out, run};
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh::glam::DVec3;
use ribbonmesh_application::{OptionValue, counted, short};
use ribbonmesh_tiles::{Figures, Spread, Streaming, Weight, convert, info, normals};
use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};

impl Room {
    pub fn streaming(&self, file: &Path) -> Streaming {
        Streaming { memory: self.memory.0, tile_faces: self.tile_faces, work: self.work(file) }
    }
}

/// Describe a mesh larger than memory: sizes, defects, topology, shape
///
/// The figures are those of `ribbonmesh info`, but for those of patches and of the quality of triangles. The
/// genus is that of a consistently oriented manifold.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh tiles info dragon.ply
  ribbonmesh tiles info dragon.ply --memory 500MB --json > dragon.json")]
pub struct Info {
    /// Mesh: binary PLY, OBJ, binary STL or GLB
    mesh: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    room: Room,
}

impl Info {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        describe(session, &self.mesh, self.json, &self.room)
    }
}

/// Describes a file by tiles.
pub fn describe(session: &mut Session, mesh: &Path, json: bool, room: &Room) -> Result<(), Failure> {
    check(session, mesh, None)?;
    let options = room.streaming(mesh);
    let figures = run(session, mesh, |say| info(mesh, &options, say))?;
    session.results(&figures);
    let text = match json {
        true => serde_json::to_string_pretty(&figures).map_err(|e| Failure::Stdout(e.into()))? + "\n",
        false => text(&figures),
    };
    session.emit(None, |out| out.write_all(text.as_bytes()))
}

fn text(figures: &Figures) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &dyn Display| _ = writeln!(text, "{name:<22}{value}");
    line("vertices", &figures.vertices);
    line("edges", &figures.edges);
    line("faces", &figures.faces);
    line("boundary edges", &figures.boundary_edges);
    line("non-manifold edges", &figures.nonmanifold_edges);
    line("non-manifold vertices", &figures.nonmanifold_vertices);
    line("components", &figures.components);
    line("isolated vertices", &figures.isolated_vertices);
    line("degenerate faces", &figures.degenerate_faces);
    line("duplicate faces", &figures.duplicate_faces);
    line("inconsistent edges", &figures.inconsistent_edges);
    line("Euler characteristic", &figures.euler_characteristic);
    match figures.genus {
        Some(genus) => line("genus", &genus),
        None => line("genus", &"not defined (not a consistently oriented manifold)"),
    }
    line("area", &short(figures.area));
    match figures.volume {
        Some(volume) => line("volume", &short(volume)),
        None => line("volume", &"none (not closed, or not consistently oriented)"),
    }
    let bounds = &figures.bounding_box;
    let point = |p: DVec3| p.to_array().map(|x| x.to_string()).join(" ");
    line("bounding box", &format_args!("from {} to {}", point(bounds.low), point(bounds.high)));
    line("edge length", &spread(&figures.edge_length, ""));
    line("valence", &spread(&figures.valence, ""));
    line("angle", &spread(&figures.angle, "°"));
    text
}

fn spread(spread: &Option<Spread>, unit: &str) -> String {
    let Some(Spread { min, max, mean, standard_deviation, .. }) = spread else { return "none".into() };
    let [min, max, mean, deviation] = [min, max, mean, standard_deviation].map(|x| short(*x));
    format!("{mean}{unit} ± {deviation}{unit}, from {min}{unit} to {max}{unit}")
}

/// Compute a unit normal at every vertex of a mesh larger than memory
///
/// As `ribbonmesh normals`, tile by tile; the sum of a vertex's faces may have another order there, so that
/// last digits differ. Vertices and faces keep their order. Attributes are left out.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh tiles normals dragon.ply -o normals.ply
  ribbonmesh tiles normals dragon.ply -o normals.glb --weight max --memory 500MB")]
pub struct Normals {
    /// Mesh to read: binary PLY, OBJ, binary STL or GLB
    mesh: PathBuf,
    /// File to write: PLY, OBJ or GLB
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Weights of the faces at a vertex: angle, area, max
    #[arg(long, value_name = "WEIGHT", value_parser = weight, default_value_t = Weight::default().name())]
    weight: &'static str,
    #[command(flatten)]
    room: Room,
}

fn weight(text: &str) -> Result<&'static str, String> {
    Weight::parse(text).map(|weight| weight.name())
}

impl Normals {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let weight = Weight::parse(self.weight).map_err(Failure::Usage)?;
        write_normals(session, [&self.mesh, &self.output], weight, &self.room)
    }
}

/// Writes a file with normals by tiles.
pub fn write_normals(
    session: &mut Session,
    [mesh, output]: [&Path; 2],
    weight: Weight,
    room: &Room,
) -> Result<(), Failure> {
    check(session, mesh, Some(output))?;
    let options = room.streaming(output);
    let report = run(session, mesh, |say| normals(mesh, output, weight, &options, say))?;
    session.wrote(output);
    session.results(&report);
    left_out(session, &report.left_out);
    if report.without_normal > 0 {
        let words = counted(report.without_normal, "vertex");
        session.warn(format!("{words} without a normal: 0 0 0"));
    }
    session.say(format!("wrote {}", output.display()));
    Ok(())
}

/// Write a mesh larger than memory in another format
///
/// Vertices and faces keep their order. Attributes are left out.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh tiles convert dragon.ply -o dragon.glb
  ribbonmesh tiles convert dragon.ply -o dragon.stl --memory 500MB")]
pub struct Convert {
    /// Mesh to read: binary PLY, OBJ, binary STL or GLB
    mesh: PathBuf,
    /// File to write: PLY, OBJ, STL or GLB
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    room: Room,
}

impl Convert {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        written(session, [&self.mesh, &self.output], &self.room)
    }
}

/// Writes a file in another format by tiles.
pub fn written(session: &mut Session, [mesh, output]: [&Path; 2], room: &Room) -> Result<(), Failure> {
    check(session, mesh, Some(output))?;
    let options = room.streaming(output);
    let report = run(session, mesh, |_| convert(mesh, output, &options))?;
    session.wrote(output);
    session.results(&report);
    left_out(session, &report.left_out);
    let (vertices, faces) = (report.sizes.vertices, report.sizes.faces);
    session.say(format!("{}, {}", counted(vertices, "vertex"), counted(faces, "face")));
    session.say(format!("wrote {}", output.display()));
    Ok(())
}
