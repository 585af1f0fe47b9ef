//! Options: the table to measure, and the machine.
use crate::subject::Order;
use anyhow::{Result, ensure};
use clap::{Parser, ValueEnum};
use ribbonmesh::{Device, DeviceKind, MeshOptions};
use std::path::PathBuf;

/// Measures queries, construction and normals; writes raw JSON and Markdown tables.
#[derive(Parser)]
#[command(name = "ribbonmesh-bench", version)]
pub struct Options {
    /// Table to measure.
    #[arg(value_enum)]
    pub table: Table,
    /// Machine to measure; `all` includes the GPU if there is one.
    #[arg(long, value_enum, default_value = "all")]
    pub machine: Machine,
    /// Number of threads of the CPU [default: one per core].
    #[arg(long)]
    pub threads: Option<usize>,
    /// Numbers of faces, each rounded to that of a sphere (20·4ᵏ) [default: 1310720,5242880; for `static`
    /// also smaller ones]. `static` measures the dragon and its subdivisions up to the largest number, by
    /// default 14 million on a GPU.
    #[arg(long, value_delimiter = ',')]
    pub faces: Vec<u64>,
    /// Orders of vertices and faces in memory [default: all].
    #[arg(long, value_enum, value_delimiter = ',')]
    pub order: Vec<Order>,
    /// Maximum number of faces of a patch; with several numbers, each is measured.
    #[arg(long, value_delimiter = ',', default_values_t = [MeshOptions::default().patch_size])]
    pub patch_size: Vec<u32>,
    /// Repetitions of each query [default: 100 on a GPU, 3 on a CPU].
    #[arg(long)]
    pub repeat: Option<usize>,
    /// For `dynamic`: launch each phase on the GPU separately instead of using persistent blocks.
    #[arg(long)]
    pub launched: bool,
    /// The Stanford dragon, for `static`, `jobs`, `boolean`, `broad` and `stream` [default: dragon.ply in the
    /// folder that RIBBONMESH_MESHES names, in assets/meshes, or in meshes beside this program].
    #[arg(long)]
    pub dragon: Option<PathBuf>,
    /// More meshes for `broad`; for `boolean`, each with the next one.
    #[arg(long, value_delimiter = ',')]
    pub meshes: Vec<PathBuf>,
    /// For `boolean`: program that computes the same, in turn; `peers/booleans.py` does by manifold3d.
    #[arg(long, value_name = "PROGRAM")]
    pub peer: Option<PathBuf>,
    /// Scenes that merge and part, for `tracking`, by their names [default: all].
    #[arg(long, value_delimiter = ',')]
    pub scenes: Vec<String>,
    /// For `tracking` with one of `--scenes`: show its steps in a browser instead of measuring; prints an
    /// address.
    #[arg(long)]
    pub serve: bool,
    /// Minutes for which `soak` runs.
    #[arg(long, default_value_t = 20.0)]
    pub minutes: f64,
    /// Seed of the random sequences and clients of `soak`.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Single sequence for `soak`: the name of a mesh and a seed, as printed after a failure; with
    /// `--patches` the seed.
    #[arg(long, value_name = "NAME:SEED")]
    pub sequence: Option<String>,
    /// For `soak`: clients that come, stall, lie and vanish, and a server, instead of operations on meshes.
    #[arg(long)]
    pub stream: bool,
    /// For `soak`: changes of patches that own their storage, instead of operations on meshes.
    #[arg(long, conflicts_with = "stream")]
    pub patches: bool,
    /// For `stream`: measure table 6.1 and the page in Chromium alone, and print them.
    #[arg(long)]
    pub page: bool,
    /// For `sparse`: measure all schedules of the thesis, which are many times as many variants.
    #[arg(long)]
    pub full: bool,
    /// For `sparse`: folder to which matrices are written, for `peers/sparse.py`.
    #[arg(long, value_name = "FOLDER")]
    pub matrices: Option<PathBuf>,
    /// Folder of the results; each machine gets a folder in it.
    #[arg(long, default_value = "benches/results")]
    pub output: PathBuf,
}

/// A table of measurements.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Table {
    /// Each query in each order.
    Queries,
    /// From indexed triangles in memory to a mesh ready for kernels.
    Construction,
    /// Vertex normals, with and without a stored ring.
    Normals,
    /// Curvatures of vertices.
    Curvature,
    /// Bilateral denoising, compared with directed edges.
    Denoise,
    /// Building a bounding volume hierarchy, and closest points.
    Bvh,
    /// Geodesic distances from one vertex: ring, level sets, propagation.
    Geodesic,
    /// One iteration of conjugate gradients in smoothing.
    Smooth,
    /// All of these.
    All,
    /// The tables and figures of the thesis's chapter 4: queries and applications compared with Parallel
    /// Directed Edges and hard-wired kernels, patching, patch sizes, memory. Has its own meshes.
    Static,
    /// Changes of the mesh: Delaunay flips. Has its own meshes.
    Dynamic,
    /// Whole jobs from host memory to host memory. Has its own meshes.
    Jobs,
    /// Booleans of two meshes, from host memory to host memory. Has its own meshes.
    Boolean,
    /// Hash tables of cells compared with the tree: faces that intersect, points inside. Has its own meshes.
    Broad,
    /// Holes that are found, paired and filled as in the paper on grid-free surface tracking. Has its own
    /// meshes.
    Holes,
    /// Steps of surface tracking: thesis figure 5.13, scenes of El Topo, and Tables 1 and 2 of the paper on
    /// grid-free surface tracking. Has its own meshes.
    Tracking,
    /// Volume meshes: relations, surfaces, subdivision, compared with tables 3.2 to 3.4 of Mueller-Roemer's
    /// thesis. Has its own meshes.
    Volume,
    /// Finite elements: assembly, products, solutions, compared with tables 4.1 to 4.3 of Mueller-Roemer's
    /// thesis. Has its own meshes.
    Fem,
    /// Energies with derivatives: gradients, Hessians and their sums beside the copy of their bytes, the
    /// parts of a step of Newton's method, a deformation. Has its own meshes.
    Energies,
    /// Multigrid on matrices of several kinds, and smoothing, distances and spectra of meshes with all that
    /// is made before. Has its own matrices and meshes.
    Solve,
    /// Sparse matrices in many layouts, compared with tables 5.1 to 5.3 of Mueller-Roemer's thesis. Has its
    /// own matrices.
    Sparse,
    /// The same work on 1, 2, 4, … GPUs of this host, or threads of its CPU, on meshes of one size and on
    /// meshes that grow. Has its own meshes.
    Scale,
    /// Locks, a queue and hash tables of the thesis's dynamic mesh, measured separately.
    Concurrent,
    /// Patches that own their storage: memory, queries, flips and locks of the thesis's dynamic mesh.
    Store,
    /// Streaming: frames, expressions, networks, rixels, compared with tables 6.1 to 6.4 and figures 6.8 to
    /// 6.10 of Mueller-Roemer's thesis; a mesh of a hundred million faces that is served. Has its own meshes.
    Stream,
    /// Random operations on changing meshes for `--minutes`, each checked, or with `--stream` all kinds of
    /// clients; measures nothing.
    Soak,
    /// Names and bandwidths of the machines only.
    Machines,
}
impl Options {
    /// The launch mode of the phases of a round.
    pub fn mode(&self) -> ribbonmesh::dynamic::ExecutionMode {
        use ribbonmesh::dynamic::ExecutionMode::{Automatic, PerPhase};
        if self.launched { PerPhase } else { Automatic }
    }
}
impl Table {
    /// Whether this table is asked for.
    pub fn has(self, table: Table) -> bool {
        self == table || self == Table::All
    }
}

/// Machines.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Machine {
    /// This CPU.
    Cpu,
    /// The first NVIDIA GPU.
    Cuda,
    /// Both, as far as they are there.
    All,
}

impl Options {
    /// The machines to measure, the GPU first.
    pub fn devices(&self) -> Result<Vec<Device>> {
        let mut devices = Vec::new();
        match self.machine {
            Machine::Cuda => devices.push(Device::cuda(0)?),
            Machine::All => match Device::cuda(0) {
                Ok(device) => devices.push(device),
                Err(error) => eprintln!("no GPU is measured: {error}"),
            },
            Machine::Cpu => (),
        }
        if self.machine != Machine::Cuda {
            devices.push(match self.threads {
                Some(threads) => Device::cpu_with_threads(threads)?,
                None => Device::cpu(),
            });
        }
        ensure!(!self.patch_size.is_empty(), "no patch size");
        Ok(devices)
    }
    /// Faces of the meshes.
    pub fn sizes(&self) -> Vec<u64> {
        if self.faces.is_empty() { vec![1_310_720, 5_242_880] } else { self.faces.clone() }
    }
    /// The orders to measure.
    pub fn orders(&self) -> &[Order] {
        if self.order.is_empty() { Order::value_variants() } else { &self.order }
    }
    /// Times that a query is timed.
    pub fn repetitions(&self, device: &Device) -> usize {
        let usual = if device.kind() == DeviceKind::Cuda { 100 } else { 3 };
        self.repeat.unwrap_or(usual)
    }
}
