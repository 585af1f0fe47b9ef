//! What can go wrong.

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
        /// What the driver says.
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
    NotManifold(String),
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
}
