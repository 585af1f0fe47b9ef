//! The report that `--report` writes.
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;

/// A command's report.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Name and version.
    pub program: String,
    /// The arguments as given.
    pub arguments: Vec<String>,
    /// The machine; `None` if the command needs none.
    pub machine: Option<Machine>,
    /// The mesh that was read, the first if there are several.
    pub input: Option<Input>,
    /// Sizes of the mesh that was built.
    pub sizes: Option<Sizes>,
    /// Most faces that a patch owns.
    pub patch_size: u32,
    /// Seed of random choices.
    pub seed: u64,
    /// Times, in their order.
    pub phases: Vec<Phase>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Values that reading changed or ignored.
    pub notes: Vec<String>,
    /// Messages of warnings.
    pub warnings: Vec<String>,
    /// The command's own results.
    pub results: Value,
    /// Files written.
    pub outputs: Vec<PathBuf>,
    /// Why the command failed.
    pub error: Option<String>,
    /// Exit status.
    pub exit_status: u8,
}

/// The machine that did the work.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// In words.
    pub name: String,
    /// `cpu` or `cuda`.
    pub kind: &'static str,
    /// Threads of the CPU for work on the host.
    pub threads: usize,
    /// The kernels that were loaded, and the time for it.
    pub kernels: Kernels,
    /// How several GPUs have shared the launches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sharing: Option<Sharing>,
    /// Why `--device auto` took the CPU.
    pub why_not_cuda: Option<String>,
}

/// The kernels that a GPU has loaded.
#[derive(Debug, Serialize)]
pub struct Kernels {
    /// Kernels that the driver has compiled, or found in its cache.
    pub compiled: usize,
    /// Kernels whose machine code is part of the program.
    pub from_machine_code: usize,
    pub seconds: f64,
    /// The folder in which the driver caches compiled kernels.
    pub cache: Option<PathBuf>,
    /// Why machine code was not used.
    pub rejected: Vec<String>,
}

/// Launches on several GPUs.
#[derive(Debug, Serialize)]
pub struct Sharing {
    pub cards: usize,
    /// Launches that all GPUs have shared.
    pub shared: u64,
    /// Launches of few blocks, and of texts of PTX, which the first GPU has run.
    pub small: u64,
    pub texts: u64,
}
impl From<ribbonmesh::Sharing> for Sharing {
    fn from(of: ribbonmesh::Sharing) -> Self {
        let ribbonmesh::Sharing { cards, shared, small, texts } = of;
        Self { cards, shared, small, texts }
    }
}

/// The file that was read.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Input {
    Mesh {
        file: PathBuf,
        format: ribbonmesh_io::Format,
        vertices: usize,
        faces: usize,
        notes: ribbonmesh_io::Notes,
    },
    Volume {
        file: PathBuf,
        format: ribbonmesh_volume_io::VolumeFormat,
        vertices: usize,
        cells: usize,
        /// The faces that the file lists by themselves.
        faces: usize,
        notes: ribbonmesh_volume_io::VolumeNotes,
    },
}

/// Sizes of a mesh.
#[derive(Debug, Serialize)]
pub struct Sizes {
    pub vertices: usize,
    /// `None` if the command needs no edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<usize>,
    pub faces: usize,
    /// `None` if the command needs no patches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patches: Option<usize>,
    /// Bytes of the topology on the machine, ribbons and tables included; `None` if the command needs no
    /// patches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topology_bytes: Option<usize>,
}

/// The time of one phase.
#[derive(Debug, Serialize)]
pub struct Phase {
    pub name: String,
    pub seconds: f64,
    /// The phases that this one consists of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Phase>,
}
