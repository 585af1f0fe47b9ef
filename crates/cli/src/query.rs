//! `ribbonmesh query`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::rows::{Names, Table};
use crate::session::Session;
use clap::Args;
use ribbonmesh::{Error, Op, StaticMesh};
use ribbonmesh_application::counted;
use serde::Serialize;
use std::path::PathBuf;

/// Write the neighbours of every element
///
/// One line per element, `source: n1 n2 …`, in the input's order and with its indices, from 0. An edge is
/// written a-b by its two vertices, a < b; lines about edges are sorted by a, then b. Neighbours ascend, but
/// for FV and FE (in the order of the face's corners) and with --oriented. EVDiamond gives a, an opposite
/// vertex, b, the other opposite vertex, and - where there is none.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh query dragon.ply --op VV -o vv.txt
  ribbonmesh query dragon.ply --op VF --oriented | head -3
  ribbonmesh query dragon.ply --op EF --quiet > ef.txt")]
pub struct Query {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    #[arg(long, value_name = "OP", help = format!("The query: {}", Op::names(false)))]
    op: Op,
    /// VV, VE and VF in the order of a walk around the vertex, counterclockwise; from the boundary where
    /// there is one, else from the neighbour of the lowest index
    #[arg(long)]
    oriented: bool,
    /// File to write, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Serialize)]
struct Results {
    op: &'static str,
    oriented: bool,
    rows: usize,
    /// Vertices that cannot be walked around, as input indices.
    not_walkable: Vec<u32>,
}

/// Vertices that a warning names.
const NAMED: usize = 8;

impl Query {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let op = self.op;
        if self.oriented && !op.has_orientation() {
            return Err(Failure::Usage(format!("--oriented is for {}, not for {op}", Op::names(true))));
        }
        session.keep(self.output.as_deref(), &[&self.mesh])?;
        if let Some(output) = &self.output {
            session.keep(None, &[output])?;
        }
        let loaded = session.read_as(&self.mesh, self.reading.format)?;
        let device = session.device()?;
        let mesh = session.build(&device, &loaded.mesh)?;
        drop(loaded);
        let table = session.phase("query", || self.table(&mesh))?;
        self.warn(session, &table);
        session.results(&Results {
            op: op.name(),
            oriented: self.oriented,
            rows: table.len(),
            not_walkable: table.not_walkable(),
        });
        session.emit(self.output.as_deref(), |out| table.write(out))
    }
    fn table(&self, mesh: &StaticMesh) -> Result<Table, Failure> {
        let names = Names::of(mesh, self.op)?;
        if self.oriented {
            return Ok(Table::oriented(mesh, self.op, names)?);
        }
        match mesh.query(self.op) {
            Err(Error::NonManifoldEdges { count, example }) => {
                let edge = names.edge(example);
                Err(Failure::NonManifoldEdges { count, edge, what: self.op.name() })
            }
            result => Ok(Table::plain(self.op, result?.download()?, names)),
        }
    }
    fn warn(&self, session: &mut Session, table: &Table) {
        let vertices = table.not_walkable();
        if vertices.is_empty() {
            return;
        }
        let some: Vec<String> = vertices.iter().take(NAMED).map(u32::to_string).collect();
        let more = if vertices.len() > NAMED { ", …" } else { "" };
        let (count, some) = (counted(vertices.len() as u64, "vertex"), some.join(", "));
        session.warn(format!("{count} cannot be walked around, rows there ascend: {some}{more}"));
    }
}
