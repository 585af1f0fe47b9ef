//! What can go wrong.

use ribbonmesh_device::launch::ArgumentError;
use ribbonmesh_mesh::{ColumnError, MeshError};
use std::panic::Location;

/// A result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong on a machine or with a mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The crate's feature `cuda` is off.
    #[error("this program was built without CUDA (the feature `cuda` of ribbonmesh)")]
    BuiltWithoutCuda,
    /// There is no NVIDIA driver.
    #[error("no CUDA driver on this machine (libcuda.so.1 not found)")]
    NoDriver,
    /// There is a driver, but not that device.
    #[error("no CUDA device {ordinal}: this machine has {available}")]
    NoSuchDevice {
        /// Asked for.
        ordinal: usize,
        /// Number of devices there.
        available: usize,
    },
    /// The driver is older than the PTX.
    #[error(
        "the CUDA driver ({driver}) is too old for the PTX of {module}, which needs PTX ISA 7.8: a driver for CUDA 11.8 or newer (520.61)"
    )]
    DriverTooOld {
        /// Version of CUDA that the driver serves.
        driver: String,
        /// The kernel crate.
        module: &'static str,
    },
    /// The PTX of a kernel is older than the kernel, or than a struct that the kernel takes.
    #[error(
        "the PTX of {module} is not that of its kernel {kernel}: compile it again (`cargo xtask ptx`, or the package's own program)"
    )]
    StalePtx {
        /// The kernel crate.
        module: &'static str,
        /// The kernel.
        kernel: &'static str,
    },
    /// The device's memory does not suffice.
    #[error("out of device memory: {needed} bytes asked for, {free} of {total} bytes free")]
    OutOfMemory {
        /// Bytes asked for.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Bytes in all.
        total: u64,
    },
    /// Any other failure of the driver.
    #[error("CUDA failed {doing}: {message}")]
    Cuda {
        /// What was being done.
        doing: String,
        /// The message of the driver.
        message: String,
    },
    /// A kernel needs more shared memory than the machine gives a block.
    #[error("kernel {kernel} needs {needed} bytes of shared memory per block; the machine gives {limit}")]
    SharedMemory {
        /// The kernel.
        kernel: &'static str,
        /// Bytes needed.
        needed: u64,
        /// Bytes there.
        limit: u64,
    },
    /// A launch was given an argument that the kernel cannot take.
    #[error("kernel {kernel}: {error}")]
    Argument {
        /// The kernel.
        kernel: &'static str,
        /// The argument, and what is wrong with it.
        error: ArgumentError,
    },
    /// A kernel asked for an element behind the end of some memory; on the CPU.
    #[error("kernel {kernel}, block {block}, {at}: element {index} of {}, which has {len}", whose(argument))]
    OutOfBounds {
        /// The kernel.
        kernel: &'static str,
        /// Its block.
        block: u32,
        /// The argument whose memory it is; none for shared memory.
        argument: Option<&'static str>,
        /// The element.
        index: u64,
        /// Number of elements there.
        len: u64,
        /// The line of the kernel.
        at: &'static Location<'static>,
    },
    /// A kernel called a loop, a barrier or a collective from inside of a loop: a GPU would wait for ever.
    #[error(
        "kernel {kernel}, block {block}, {at}: `{call}` inside of a loop's closure; it belongs into uniform code"
    )]
    NestedCollective {
        /// The kernel.
        kernel: &'static str,
        /// Its block.
        block: u32,
        /// The call.
        call: &'static str,
        /// The line of the kernel.
        at: &'static Location<'static>,
    },
    /// An index that came from data is behind the end of what it is to address.
    #[error("kernel {kernel}: the index at place {place} is {index}, behind the end")]
    Index {
        /// The kernel.
        kernel: &'static str,
        /// Which of the indices; of several that are wrong any.
        place: u32,
        /// The index.
        index: u32,
    },
    /// A kernel recorded a status.
    #[error("kernel {kernel}, block {block}: {what} (code {code}, details {first} and {second})")]
    Kernel {
        /// The kernel.
        kernel: &'static str,
        /// Its block.
        block: u32,
        /// The code in words.
        what: &'static str,
        /// The code.
        code: u32,
        /// First detail.
        first: u32,
        /// Second detail.
        second: u32,
    },
    /// A thread pool could not be made.
    #[error("no thread pool of {threads} threads: {message}")]
    Threads {
        /// Threads asked for.
        threads: usize,
        /// Why not.
        message: String,
    },
    /// Two things have different lengths that must have the same.
    #[error("{what}: {found} elements where {expected} are expected")]
    Length {
        /// What it is about.
        what: &'static str,
        /// Elements expected.
        expected: usize,
        /// Elements there.
        found: usize,
    },
    /// Two things live on different machines.
    #[error("{what} lives on another machine")]
    OtherDevice {
        /// What it is about.
        what: &'static str,
    },
    /// Two things belong to different meshes.
    #[error("{what} belongs to another mesh")]
    OtherMesh {
        /// What it is about.
        what: &'static str,
    },
    /// A face refers to a vertex that is not there.
    #[error("face {face} refers to vertex {vertex}; there are {vertices} vertices")]
    IndexOutOfRange {
        /// The face, in input order.
        face: usize,
        /// Its index.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A vertex has a coordinate that is infinite or not a number.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A surface has no face.
    #[error("{what} has no faces")]
    NoFaces {
        /// Which surface.
        what: &'static str,
    },
    /// A query needs edges of at most two faces.
    #[error("{count} edges have more than two faces, for example edge {example}")]
    NonManifoldEdges {
        /// How many.
        count: u32,
        /// The one with the smallest id.
        example: u32,
    },
    /// The mesh is not what an algorithm needs: each edge with at most two faces, oriented alike, each vertex with one
    /// fan of faces.
    #[error("{0}")]
    NotManifold(Defect),
    /// An option has a value that makes no sense.
    #[error("{option} is {value}: {expected}")]
    Option {
        /// Its name.
        option: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// The mesh has more elements than 32-bit ids allow.
    #[error("{count} {what} are more than this version handles ({limit})")]
    TooMany {
        /// Which elements.
        what: &'static str,
        /// How many.
        count: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// A patch has more elements than its 16-bit indices hold.
    #[error(
        "the patch at face {face} needs {count} local {what}, more than {limit}: a vertex or an edge there has too many faces for this patch size"
    )]
    PatchTooLarge {
        /// One of its faces, in input order.
        face: usize,
        /// Which elements.
        what: &'static str,
        /// How many.
        count: u32,
        /// How many are allowed.
        limit: u32,
    },
    /// The structure of a mesh is broken; an error of this library.
    #[error("invalid mesh: {0}")]
    Invalid(String),
    /// An operator of a dynamic mesh breaks the rules; the mesh may be broken, too.
    #[error("{0}")]
    Operator(OperatorFault),
    /// A check of a dynamic mesh found what must not be; an error of this library, or of an operator.
    #[error("invalid mesh{}: {}", .after.map_or(String::new(), |after| format!(" after {after}")), list(.faults))]
    BrokenMesh {
        /// What was found.
        faults: Vec<MeshFault>,
        /// What had been done last, if that is known.
        after: Option<&'static str>,
    },
    /// A mesh of the host contradicts itself.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// An attribute cannot be had, or does not fit.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// A mesh has changed since its patches were refreshed.
    #[error("the mesh has changed since its patches were refreshed")]
    StalePatches,
}

fn list(faults: &[MeshFault]) -> String {
    let texts: Vec<String> = faults.iter().map(MeshFault::to_string).collect();
    texts.join("; ")
}

/// Why triangles are no manifold. Elements are those of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// An edge has more than two faces, or two of opposite orientation.
    #[error("edge {}-{} has more than two faces, or two of opposite orientation", .ends[0], .ends[1])]
    Edge {
        /// Its ends, the smaller number first.
        ends: [u32; 2],
    },
    /// A face has a vertex twice.
    #[error("face {face} has a vertex twice")]
    Face {
        /// The face.
        face: u32,
    },
    /// The faces at a vertex are not one fan.
    #[error("the faces at vertex {vertex} are not one fan")]
    Vertex {
        /// The vertex.
        vertex: u32,
    },
}

/// How an operator of a dynamic mesh breaks the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperatorFault {
    /// A pass does not end: the cavities at the operator's seeds are not the same in each round.
    #[error("the pass did not end after {rounds} rounds: the operator's cavities are not the same in each")]
    PassWithoutEnd {
        /// Rounds of that pass.
        rounds: u32,
    },
    /// A filling was made otherwise than planned: `fill` depends on more than the cavity and the decision.
    #[error("the operator filled the cavity at seed {seed} otherwise than it had planned")]
    OtherFilling {
        /// The greatest seed of such a cavity.
        seed: u32,
    },
    /// A local priority has changed although no face at the edge has.
    #[error("the priority of seed {seed} has changed, and no face at it has: it is not local")]
    NotLocal {
        /// The greatest seed where that was seen.
        seed: u32,
    },
}

/// What must not be in a dynamic mesh: the first element of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshFault {
    /// A side of a face is not that of its dart.
    #[error("a side of face {0} is not that of its dart")]
    Face(u32),
    /// A half-edge of an edge is not one of it.
    #[error("a half-edge of edge {0} is not one of it")]
    Edge(u32),
    /// The sides of an edge have different ends.
    #[error("the sides of edge {0} have different ends")]
    Ends(u32),
    /// A face has a vertex twice, or one that is deleted.
    #[error("face {0} has a vertex twice, or one that is deleted")]
    Vertex(u32),
    /// The faces at a vertex are not one fan.
    #[error("the faces at vertex {0} are not one fan")]
    Fan(u32),
    /// A vertex has two edges to one neighbour.
    #[error("vertex {0} has two edges to one neighbour")]
    Double(u32),
    /// The cavity at a seed was left over.
    #[error("the cavity at seed {0} was left over")]
    Place(u32),
    /// The Euler characteristic is not what it was.
    #[error("the Euler characteristic went from {before} to {after}")]
    Euler {
        /// What it was.
        before: i64,
        /// What it is.
        after: i64,
    },
    /// A vertex has more faces than a patch's 16-bit indices hold.
    #[error("patch {patch} has a vertex of more faces than its 16-bit indices hold")]
    PatchTooLarge {
        /// The patch.
        patch: u32,
    },
}

fn whose(argument: &Option<&'static str>) -> String {
    argument.map_or("shared memory".into(), |name| format!("argument `{name}`"))
}
