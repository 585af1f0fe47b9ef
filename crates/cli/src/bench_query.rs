//! `ribbonmesh bench-query`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh::{Device, Error, Op, QueryResult, Result, StaticMesh};
use serde::Serialize;
use std::cell::RefCell;
use std::path::PathBuf;

/// Time every query, as JSON
///
/// Each query's time beside its floor: the time in which the bytes that must be read and written can be
/// copied on the same machine. Results are written to the machine's memory. Times in seconds: the mean of a
/// batch, the median and the fastest of single runs.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh bench-query dragon.ply
  ribbonmesh bench-query dragon.ply --op VV --op EE --repetitions 5 -o times.json")]
pub struct BenchQuery {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// Queries to time [default: all]
    #[arg(long, value_name = "OP")]
    op: Vec<Op>,
    /// Runs of each query
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repetitions: u32,
    /// Megabytes that are copied to measure the bandwidth
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=4096))]
    copy: u32,
    /// File to write, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Serialize)]
struct Bench {
    machine: String,
    vertices: usize,
    edges: usize,
    faces: usize,
    patches: usize,
    patch_size: u32,
    repetitions: u32,
    /// Bytes per second, read and written ones counted.
    copy_bandwidth: f64,
    queries: Vec<Timed>,
    left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct Timed {
    op: &'static str,
    oriented: bool,
    mean: f64,
    median: f64,
    min: f64,
    floor_bytes: u64,
    floor: f64,
    /// The mean in floors.
    floors: f64,
}

#[derive(Serialize)]
struct LeftOut {
    op: &'static str,
    why: String,
}

impl BenchQuery {
    pub fn run(&self, session: &mut Session) -> std::result::Result<(), Failure> {
        session.keep(self.output.as_deref(), &[&self.mesh])?;
        if let Some(output) = &self.output {
            session.keep(None, &[output])?;
        }
        let loaded = session.read_as(&self.mesh, self.reading.format)?;
        let device = session.device()?;
        let mesh = session.build(&device, &loaded.mesh)?;
        drop(loaded);
        let bandwidth = session.phase("copy", || device.copy_bandwidth((self.copy as usize) << 20))?;
        let mut bench = Bench {
            machine: device.name(),
            vertices: mesh.vertices(),
            edges: mesh.edges(),
            faces: mesh.faces(),
            patches: mesh.patches(),
            patch_size: session.patch_size(),
            repetitions: self.repetitions,
            copy_bandwidth: bandwidth,
            queries: vec![],
            left_out: vec![],
        };
        for op in Op::ALL.into_iter().filter(|op| self.op.is_empty() || self.op.contains(op)) {
            for oriented in [false, true] {
                if oriented && !op.has_orientation() {
                    continue;
                }
                let name = if oriented { format!("{op} oriented") } else { op.to_string() };
                match session.phase(&name, || self.time(&device, &mesh, op, oriented, bandwidth)) {
                    Ok(timed) => bench.queries.push(timed),
                    Err(failure) => {
                        let Some(why @ Error::NonManifoldEdges { .. }) = failure.library() else {
                            return Err(failure);
                        };
                        session.warn(format!("{op} is left out: {why}"));
                        bench.left_out.push(LeftOut { op: op.name(), why: why.to_string() });
                    }
                }
            }
        }
        session.results(&bench);
        let text = serde_json::to_string_pretty(&bench).map_err(|e| Failure::Stdout(e.into()))? + "\n";
        session.emit(self.output.as_deref(), |out| out.write_all(text.as_bytes()))
    }
    fn time(
        &self,
        device: &Device,
        mesh: &StaticMesh,
        op: Op,
        oriented: bool,
        bandwidth: f64,
    ) -> Result<Timed> {
        let result: QueryResult = if oriented { mesh.oriented_result_for(op)? } else { mesh.result_for(op)? };
        let result = RefCell::new(result);
        let repetitions = self.repetitions as usize;
        let times = device.time_repeated(repetitions, || mesh.query_into(&mut result.borrow_mut()))?;
        let floor_bytes = mesh.floor_bytes(op, oriented);
        let floor = floor_bytes as f64 / bandwidth;
        Ok(Timed {
            op: op.name(),
            oriented,
            mean: times.mean,
            median: times.median,
            min: times.min,
            floor_bytes,
            floor,
            floors: times.mean / floor,
        })
    }
}
