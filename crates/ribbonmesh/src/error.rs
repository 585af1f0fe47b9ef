//! The errors of this crate.

use ribbonmesh_device::launch::ArgumentError;
use ribbonmesh_mesh::{Class, Classified, ColumnError, Culprit, MeshError, Resource, Subject};
use std::panic::Location;

/// Result with the error type of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of a device, a kernel or a mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The crate's feature `cuda` is off.
    #[error("this program was built without CUDA (the feature `cuda` of ribbonmesh)")]
    BuiltWithoutCuda,
    /// There is no NVIDIA driver.
    #[error("no CUDA driver on this machine (libcuda.so.1 not found)")]
    NoDriver,
    /// The machine has no CUDA device of this ordinal.
    #[error("no CUDA device {ordinal}: this machine has {available}")]
    NoSuchDevice {
        /// The requested ordinal.
        ordinal: usize,
        /// Number of devices of the machine.
        available: usize,
    },
    /// The driver is older than the PTX.
    #[error(
        "the CUDA driver ({driver}) is too old for the PTX of {module}, which needs PTX ISA 7.8: a driver for CUDA 11.8 or newer (520.61)"
    )]
    DriverTooOld {
        /// CUDA version of the driver.
        driver: String,
        /// The kernel crate.
        module: &'static str,
    },
    /// The kernels of a crate were not compiled for GPUs.
    #[error(
        "the kernel {kernel} of {module} was not compiled for GPUs: `cargo xtask ptx` does that in RibbonMesh's repository, \
         `cargo run --example ptx` in a crate of kernels; then build the program again"
    )]
    NoPtx {
        /// The kernel crate.
        module: &'static str,
        /// The kernel.
        kernel: &'static str,
    },
    /// The PTX of a kernel was compiled from another version of the kernel or of a struct in its arguments.
    #[error(
        "the PTX of {module} does not match its kernel {kernel}: compile it again (`cargo xtask ptx`, or the package's own program)"
    )]
    StalePtx {
        /// The kernel crate.
        module: &'static str,
        /// The kernel.
        kernel: &'static str,
    },
    /// Cards cannot be one device.
    #[error("{first} and {second} cannot be one device: {why}")]
    CardsApart {
        /// A card.
        first: String,
        /// Another.
        second: String,
        /// The reason.
        why: &'static str,
    },
    /// A kernel cannot be shared by several cards.
    #[error("not on several cards yet: the kernel {kernel} of {module}: {reason}")]
    OneCardOnly {
        /// The kernel crate.
        module: &'static str,
        /// The kernel.
        kernel: &'static str,
        /// The part of its text that several cards cannot have.
        reason: String,
    },
    /// The device has too little free memory.
    #[error("out of device memory: {needed} bytes requested, {free} of {total} bytes free")]
    OutOfMemory {
        /// Bytes requested.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Bytes of the device's memory.
        total: u64,
    },
    /// Work is refused before it begins, since its result needs more memory than the device has free.
    #[error("{count} {what} need at least {needed} bytes of memory, and {free} of {total} bytes are free")]
    WouldNotFit {
        /// Number of elements.
        count: u64,
        /// Kind of elements, and why there are too many.
        what: &'static str,
        /// Bytes that they need at least.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// Bytes of the device's memory.
        total: u64,
    },
    /// Any other failure of the driver.
    #[error("CUDA failed {doing}: {message}")]
    Cuda {
        /// The operation that failed.
        doing: String,
        /// The message of the driver.
        message: String,
    },
    /// The device is no GPU.
    #[error("{what} needs an NVIDIA GPU")]
    NoGpu {
        /// The request.
        what: &'static str,
    },
    /// A kernel needs more shared memory than a block of the device can have.
    #[error("kernel {kernel} needs {needed} bytes of shared memory per block; the device has {limit}")]
    SharedMemory {
        /// The kernel.
        kernel: &'static str,
        /// Bytes that the kernel needs for each block.
        needed: u64,
        /// Bytes that a block can have.
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
    /// A kernel used an index out of bounds. Only on the CPU; a GPU traps ([`Error::Cuda`]).
    #[error("kernel {kernel}, block {block}, {at}: element {index} of {}, which has {len}", whose(argument, *shared))]
    OutOfBounds {
        /// The kernel.
        kernel: &'static str,
        /// Its block.
        block: u32,
        /// The argument that was indexed; `None` for shared memory, and for views without elements, which no
        /// address tells apart.
        argument: Option<&'static str>,
        /// Whether it was shared memory.
        shared: bool,
        /// The index.
        index: u64,
        /// Number of elements of the argument.
        len: u64,
        /// The line of the kernel.
        at: &'static Location<'static>,
    },
    /// A kernel called a loop, a barrier or a collective inside the closure of a loop, which would hang a
    /// GPU.
    #[error(
        "kernel {kernel}, block {block}, {at}: `{call}` inside the closure of a loop; call it in uniform code"
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
    /// An index in the data is out of bounds.
    #[error("kernel {kernel}: index number {place} is {index}, out of bounds")]
    Index {
        /// The kernel.
        kernel: &'static str,
        /// Position of the index in the list of indices; if several are out of bounds, any of them.
        place: u32,
        /// The index.
        index: u32,
    },
    /// A kernel recorded an error in the status record.
    #[error("kernel {kernel}, block {block}: {what} (code {code}, details {first} and {second})")]
    Kernel {
        /// The kernel.
        kernel: &'static str,
        /// Its block.
        block: u32,
        /// Meaning of the code.
        what: &'static str,
        /// The code.
        code: u32,
        /// First detail.
        first: u32,
        /// Second detail.
        second: u32,
    },
    /// A thread pool could not be created.
    #[error("no thread pool of {threads} threads: {message}")]
    Threads {
        /// Requested number of threads.
        threads: usize,
        /// The reason.
        message: String,
    },
    /// An argument has the wrong length.
    #[error("{what}: {found} elements where {expected} are expected")]
    Length {
        /// The argument, as the message names it.
        what: &'static str,
        /// Expected number of elements.
        expected: usize,
        /// Number of elements of the argument.
        found: usize,
    },
    /// An argument is on another device.
    #[error("{what} belongs to another device")]
    OtherDevice {
        /// The argument, as the message names it.
        what: &'static str,
    },
    /// An argument belongs to another mesh.
    #[error("{what} belongs to another mesh")]
    OtherMesh {
        /// The argument, as the message names it.
        what: &'static str,
    },
    /// An argument has ids that its mesh had before or after a renumbering.
    #[error(
        "{what} has the ids of its mesh after {found} renumberings, where those after {expected} are needed: apply each compaction once, in order (`Compaction::apply_to`)"
    )]
    OtherNumbering {
        /// The argument, as the message names it.
        what: &'static str,
        /// The number of renumberings of the ids that are needed.
        expected: u32,
        /// The number of renumberings of the argument's ids.
        found: u32,
    },
    /// A face has a vertex index out of range.
    #[error("face {face} refers to vertex {vertex}; there are {vertices} vertices")]
    IndexOutOfRange {
        /// The face, in input order.
        face: usize,
        /// The vertex index.
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
    /// A point of a list has a coordinate that is infinite or not a number.
    #[error("point {point} has a coordinate that is not finite")]
    PointNotFinite {
        /// The point, from 0.
        point: usize,
    },
    /// A surface has no face.
    #[error("{what} has no faces")]
    NoFaces {
        /// The surface.
        what: &'static str,
    },
    /// A query requires that every edge has at most two faces.
    #[error("{count} edges have more than two faces, for example edge {example}")]
    NonManifoldEdges {
        /// Number of edges with more than two faces.
        count: u32,
        /// The smallest id of such an edge.
        example: u32,
    },
    /// An algorithm requires an oriented manifold: each edge has at most two faces, of consistent
    /// orientation, and the faces of each vertex form one fan.
    #[error("{0}")]
    NotManifold(Defect),
    /// An option has an invalid value.
    #[error("{option} is {value}: {expected}")]
    Option {
        /// Name of the option.
        option: &'static str,
        /// Its value.
        value: String,
        /// The allowed values.
        expected: &'static str,
    },
    /// There are more elements than 32-bit ids allow.
    #[error("{count} {what} are more than this version handles ({limit})")]
    TooMany {
        /// Kind of elements.
        what: &'static str,
        /// Number of elements.
        count: u64,
        /// Largest allowed number.
        limit: u64,
    },
    /// A patch has more elements than its 16-bit indices hold.
    #[error(
        "vertex {vertex} has {faces} faces: the patch at face {face} needs {count} local {what}, more than {limit}; merge faces at this vertex until it has fewer than about 5000"
    )]
    PatchTooLarge {
        /// The vertex with the most faces, in input order.
        vertex: usize,
        /// Number of its faces.
        faces: usize,
        /// A face of the patch, in input order.
        face: usize,
        /// Kind of elements.
        what: &'static str,
        /// Number of local elements.
        count: u32,
        /// Largest allowed number.
        limit: u32,
    },
    /// The patches of a mesh break an invariant; a bug of this library.
    #[error("invalid mesh: {0}")]
    Invalid(String),
    /// An operator of a dynamic mesh breaks its contract; the mesh may be invalid afterwards.
    #[error("{0}")]
    Operator(OperatorFault),
    /// A dynamic mesh breaks an invariant; a bug of this library or of an operator.
    #[error("invalid mesh{}: {}", .after.map_or(String::new(), |after| format!(" after {after}")), list(.faults))]
    BrokenMesh {
        /// The broken invariants.
        faults: Vec<MeshFault>,
        /// The last operation, if known.
        after: Option<&'static str>,
    },
    /// A mesh on the host is inconsistent.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// An attribute is missing, or has the wrong type or length.
    #[error(transparent)]
    Column(#[from] ColumnError),
    /// A [`Watch`](crate::Watch) has stopped the work.
    #[error("the work was stopped")]
    Stopped,
    /// A mesh has changed since its patches were refreshed.
    #[error("the mesh has changed since its patches were refreshed")]
    StalePatches,
}

impl Classified for Error {
    fn class(&self) -> Class {
        match *self {
            Self::BuiltWithoutCuda
            | Self::NoDriver
            | Self::NoSuchDevice { .. }
            | Self::DriverTooOld { .. }
            | Self::Cuda { .. }
            | Self::NoGpu { .. }
            | Self::CardsApart { .. }
            | Self::OneCardOnly { .. }
            | Self::SharedMemory { .. }
            | Self::Threads { .. } => Class::device(Resource::Driver),
            Self::OutOfMemory { .. } => Class::device(Resource::Memory),
            Self::WouldNotFit { .. } => Class::refused(Subject::Amount),
            Self::NoPtx { .. }
            | Self::StalePtx { .. }
            | Self::Argument { .. }
            | Self::OutOfBounds { .. }
            | Self::NestedCollective { .. }
            | Self::Index { .. }
            | Self::Kernel { .. }
            | Self::Invalid(_)
            | Self::Operator(_)
            | Self::BrokenMesh { .. }
            | Self::StalePatches => Class::bug(),
            Self::Length { .. }
            | Self::OtherDevice { .. }
            | Self::OtherMesh { .. }
            | Self::OtherNumbering { .. }
            | Self::TooMany { .. } => Class::data(),
            Self::PointNotFinite { point } => Class::data().with(Culprit::Point(point as u64)),
            Self::IndexOutOfRange { face, vertex, .. } => Class::mesh().face(face).vertex(vertex),
            Self::NotFinite { vertex } => Class::mesh().vertex(vertex),
            Self::NoFaces { .. } => Class::mesh(),
            Self::PatchTooLarge { vertex, face, .. } => Class::mesh().vertex(vertex).face(face),
            Self::NonManifoldEdges { .. } => Class::refused(Subject::NotManifold),
            Self::NotManifold(defect) => {
                let class = Class::refused(Subject::NotManifold);
                match defect {
                    Defect::Edge { ends } => class.edge(ends),
                    Defect::Face { face } => class.face(face),
                    Defect::Vertex { vertex } => class.vertex(vertex),
                }
            }
            Self::Option { option, ref value, expected } => {
                Class::option(option, format!("is {value}: {expected}"))
            }
            Self::Stopped => Class::refused(Subject::Solution),
            Self::Mesh(ref error) => error.class(),
            Self::Column(ref error) => error.class(),
        }
    }
}

fn list(faults: &[MeshFault]) -> String {
    let texts: Vec<String> = faults.iter().map(MeshFault::to_string).collect();
    texts.join("; ")
}

/// A violation of the manifold property. Indices are input indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// An edge has more than two faces, or two of opposite orientation.
    #[error("edge {}-{} has more than two faces, or two of opposite orientation", .ends[0], .ends[1])]
    Edge {
        /// Its ends, the smaller number first.
        ends: [u32; 2],
    },
    /// A face has the same vertex twice.
    #[error("face {face} has a vertex twice")]
    Face {
        /// The face.
        face: u32,
    },
    /// The faces at a vertex form several fans.
    #[error("the faces at vertex {vertex} form several fans")]
    Vertex {
        /// The vertex.
        vertex: u32,
    },
}

/// Ways in which an operator of a dynamic mesh breaks its contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperatorFault {
    /// A pass does not end: the operator names different faces for the same seed in different rounds.
    #[error("the pass did not end after {rounds} rounds: the operator's cavities differ between rounds")]
    PassWithoutEnd {
        /// Rounds of that pass.
        rounds: u32,
    },
    /// `fill` made another filling than when it was planned: it depends on more than the cavity and the
    /// decision.
    #[error("the operator filled the cavity at seed {seed} differently than planned")]
    OtherFilling {
        /// The largest seed of such a cavity.
        seed: u32,
    },
    /// A priority of `priority_local` has changed although no face at the edge has.
    #[error("the priority of seed {seed} changed although no face at the seed did: it is not local")]
    NotLocal {
        /// The largest such seed.
        seed: u32,
    },
}

/// A broken invariant of a dynamic mesh, with the first element that breaks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshFault {
    /// The half-edge of a side does not refer back to the side.
    #[error("a half-edge of face {0} does not refer back to the face")]
    Face(u32),
    /// A half-edge that an edge stores belongs to another edge.
    #[error("a half-edge of edge {0} belongs to another edge")]
    Edge(u32),
    /// The sides of an edge have different ends.
    #[error("the sides of edge {0} have different ends")]
    Ends(u32),
    /// A face has the same vertex twice, or a deleted vertex.
    #[error("face {0} has the same vertex twice, or a deleted vertex")]
    Vertex(u32),
    /// The faces at a vertex form several fans.
    #[error("the faces at vertex {0} form several fans")]
    Fan(u32),
    /// A vertex has two edges to the same neighbour.
    #[error("vertex {0} has two edges to the same neighbour")]
    DuplicateEdge(u32),
    /// The cavity at a seed was not finished.
    #[error("the cavity at seed {0} was not finished")]
    Unfinished(u32),
    /// The Euler characteristic has changed.
    #[error("the Euler characteristic changed from {before} to {after}")]
    Euler {
        /// The old value.
        before: i64,
        /// The new value.
        after: i64,
    },
    /// A vertex has more faces than a patch's 16-bit indices hold.
    #[error("patch {patch} has a vertex with more faces than 16-bit indices allow")]
    PatchTooLarge {
        /// The patch.
        patch: u32,
    },
}

fn whose(argument: &Option<&'static str>, shared: bool) -> String {
    match argument {
        Some(name) => format!("argument `{name}`"),
        None if shared => "shared memory".into(),
        None => "a view without elements".into(),
    }
}
