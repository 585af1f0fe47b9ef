//! `ribbonmesh repair`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::paths::output_format;
use crate::session::Session;
use crate::words::counted;
use clap::Args;
use ribbonmesh_io::{Format, Property, PropertyValues, TriangleMesh, WriteOptions};
use ribbonmesh_repair::{RepairOptions, RepairReport, Repaired, manifold_violations, repair};
use serde::Serialize;
use std::path::PathBuf;

/// Make an oriented manifold of a mesh
///
/// Drops degenerate and duplicate faces, splits edges of more than two faces and vertices where several fans meet, turns
/// faces so that neighbours agree, and cuts what cannot be oriented. What survives keeps its order and its place; copies
/// of vertices come last. Properties of a PLY file's vertices follow the vertices into a PLY file. The report lists every
/// change by the input's numbers, from 0. No machine is used.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh repair dragon.ply -o repaired.ply
  ribbonmesh repair dragon.ply -o repaired.obj --remove-isolated --report changes.json
  ribbonmesh repair dragon.ply --check")]
pub struct Repair {
    /// Mesh: OBJ, PLY, OFF or STL
    mesh: PathBuf,
    /// Mesh to write: PLY, OBJ, OFF, STL or GLB
    #[arg(long, short, value_name = "OUT", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// Remove vertices without a face
    #[arg(long)]
    remove_isolated: bool,
    /// Only say what needs repair: exit status 3 if anything does
    #[arg(long, conflicts_with_all = ["output", "remove_isolated", "ascii"])]
    check: bool,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results<'a> {
    vertices: usize,
    faces: usize,
    isolated_vertices: u64,
    #[serde(flatten)]
    report: &'a RepairReport,
}

impl Repair {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let Some(output) = &self.output else { return self.check(session) };
        let options = self.encoding.options(output)?;
        session.keep(None, &[&self.mesh, output])?;
        let (loaded, properties) = session.read_attributes(&self.mesh)?;
        let mesh = &loaded.mesh;
        let choice = RepairOptions { remove_isolated: self.remove_isolated };
        let done = session.phase("repair", || repair(mesh.positions.len(), &mesh.faces, &choice))?;
        if done.faces.is_empty() {
            return Err(Failure::NothingLeft(self.mesh.clone()));
        }
        let (repaired, options) = session.phase("attributes", || carry(mesh, &properties, &done, options))?;
        let options = self.keepable(session, output, options)?;
        let isolated_vertices = done.isolated_vertices();
        session.say(summary(&done.report, isolated_vertices));
        let (vertices, faces) = (repaired.positions.len(), repaired.faces.len());
        session.results(&Results { vertices, faces, isolated_vertices, report: &done.report });
        session.write(output, &repaired, &options)
    }
    /// The options without what the format cannot carry, with a warning.
    fn keepable(
        &self,
        session: &mut Session,
        output: &std::path::Path,
        mut options: WriteOptions,
    ) -> Result<WriteOptions, Failure> {
        let format = output_format(output)?;
        let (kept, lost): (Vec<_>, Vec<_>) =
            options.vertex_properties.into_iter().partition(|p| format == Format::Ply && writable(&p.name));
        if !lost.is_empty() {
            let names: Vec<String> = lost.into_iter().map(|property| property.name).collect();
            session.warn(format!("{}: properties not kept: {}", output.display(), names.join(", ")));
        }
        options.vertex_properties = kept;
        Ok(options)
    }
    fn check(&self, session: &mut Session) -> Result<(), Failure> {
        session.keep(None, &[&self.mesh])?;
        let mesh = session.read(&self.mesh)?.mesh;
        let found = session.phase("check", || manifold_violations(mesh.positions.len(), &mesh.faces))?;
        if !found.is_empty() {
            return Err(Failure::NotManifold { file: self.mesh.clone(), found: Box::new(found) });
        }
        session.emit(None, |out| writeln!(out, "{}: an oriented manifold", self.mesh.display()))
    }
}

fn writable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The repaired mesh with the attributes of its vertices.
fn carry(
    mesh: &TriangleMesh,
    properties: &[Property],
    done: &Repaired,
    options: WriteOptions,
) -> ribbonmesh::Result<(TriangleMesh, WriteOptions)> {
    let of = |property: &Property| {
        Ok(Property::new(
            &property.name,
            match &property.values {
                PropertyValues::F32(values) => PropertyValues::F32(done.vertex_values(values)?),
                PropertyValues::U8(values) => PropertyValues::U8(done.vertex_values(values)?),
                PropertyValues::U32(values) => PropertyValues::U32(done.vertex_values(values)?),
                PropertyValues::I32(values) => PropertyValues::I32(done.vertex_values(values)?),
                PropertyValues::Vec3(values) => PropertyValues::Vec3(done.vertex_values(values)?),
            },
        ))
    };
    let vertex_properties = properties.iter().map(of).collect::<ribbonmesh::Result<_>>()?;
    let positions = done.vertex_values(&mesh.positions)?;
    let repaired = TriangleMesh { positions, faces: done.faces.clone() };
    Ok((repaired, WriteOptions { vertex_properties, ..options }))
}

/// The changes, counted, in words.
fn summary(report: &RepairReport, isolated: u64) -> String {
    let counts = report.counts().into_iter();
    let words: Vec<String> =
        counts.map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many })).collect();
    let done =
        if words.is_empty() { "nothing to repair".into() } else { format!("repaired: {}", words.join(", ")) };
    if isolated == 0 {
        return done;
    }
    format!("{done}; {} without a face kept (--remove-isolated removes them)", counted(isolated, "vertex"))
}
