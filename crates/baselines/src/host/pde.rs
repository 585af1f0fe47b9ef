//! Parallel Directed Edges on a machine.
use super::PdeError;
use super::build::build;
use crate::HalfEdgesArguments;
use crate::each::blocks;
use crate::queries::{PdeEf, PdeEv, PdeFe, PdeFf, PdeFv, PdeVe, PdeVf, PdeVv};
use ribbonmesh::{Buffer, Device, Error, Op};

/// A mesh as half-edges in flat arrays (thesis 4.4, "PDE"), for oriented manifold meshes with or without
/// boundary. Ids of vertices and faces are their places in the input: their locality is the input's.
pub struct Pde {
    targets: Buffer<u32>,
    faces: Buffer<u32>,
    nexts: Buffer<u32>,
    of_vertex: Buffer<u32>,
    of_face: Buffer<u32>,
    edge_offsets: Buffer<u32>,
    face_offsets: Buffer<u32>,
}

/// Memory for the result of a query, laid out as [`ribbonmesh::QueryResult`] is.
pub struct PdeResult {
    op: Op,
    values: Buffer<u32>,
}
impl PdeResult {
    /// The entries of all rows.
    pub fn values(&self) -> &Buffer<u32> {
        &self.values
    }
    /// The query that it is for.
    pub fn op(&self) -> Op {
        self.op
    }
}

impl Pde {
    /// Builds the half-edges of `faces`, each three indices of `vertices` vertices, on the host, and copies
    /// them to `device`. O(n).
    /// # Errors
    /// [`PdeError`] for a mesh that is not an oriented manifold; an index out of range; out of memory.
    pub fn new(device: &Device, vertices: usize, faces: &[[u32; 3]]) -> Result<Self, PdeError> {
        let arrays = device.install(|| build(vertices, faces))?;
        Ok(Self {
            targets: device.upload(&arrays.targets)?,
            faces: device.upload(&arrays.faces)?,
            nexts: device.upload(&arrays.nexts)?,
            of_vertex: device.upload(&arrays.of_vertex)?,
            of_face: device.upload(&arrays.of_face)?,
            edge_offsets: device.upload(&arrays.edge_offsets)?,
            face_offsets: device.upload(&arrays.face_offsets)?,
        })
    }
    /// The device of its memory.
    pub fn device(&self) -> &Device {
        self.targets.device()
    }
    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.of_vertex.len()
    }
    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.targets.len() / 2
    }
    /// Number of faces.
    pub fn faces(&self) -> usize {
        self.of_face.len()
    }
    /// Bytes of the half-edges on the device; where rows of results begin is not in it.
    pub fn topology_bytes(&self) -> usize {
        [&self.targets, &self.faces, &self.nexts, &self.of_vertex, &self.of_face]
            .map(Buffer::bytes)
            .iter()
            .sum()
    }
    /// The view for kernels.
    pub fn view(&self) -> HalfEdgesArguments<'_> {
        HalfEdgesArguments {
            targets: self.targets.view(),
            faces: self.faces.view(),
            nexts: self.nexts.view(),
            of_vertex: self.of_vertex.view(),
            of_face: self.of_face.view(),
        }
    }
    /// The first index of each row of VV, VE and VF, and the end; `None` for rows of fixed length.
    pub fn offsets(&self, op: Op) -> Option<&Buffer<u32>> {
        match op {
            Op::VV | Op::VE => Some(&self.edge_offsets),
            Op::VF => Some(&self.face_offsets),
            _ => None,
        }
    }
    /// Entries of a query's result.
    fn entries(&self, op: Op) -> Result<usize, Error> {
        match op {
            Op::VV | Op::VE | Op::EV | Op::EF => Ok(2 * self.edges()),
            Op::VF | Op::FV | Op::FE | Op::FF => Ok(3 * self.faces()),
            _ => Err(none_of_the_eight(op)),
        }
    }
    /// Memory for the result of a query.
    /// # Errors
    /// [`Error::Option`] for a query that is none of the eight; out of memory.
    pub fn result_for(&self, op: Op) -> Result<PdeResult, Error> {
        Ok(PdeResult { op, values: self.device().unspecified(self.entries(op)?)? })
    }
    /// Runs a query about all elements. One launch.
    /// # Errors
    /// As [`Pde::result_for`]; errors of the driver.
    pub fn query(&self, op: Op) -> Result<PdeResult, Error> {
        let mut result = self.result_for(op)?;
        self.query_into(&mut result)?;
        Ok(result)
    }
    /// Runs again the query that `result` was made for by this mesh.
    /// # Errors
    /// [`Error::OtherDevice`], [`Error::Length`] when another mesh made it; errors of the driver.
    pub fn query_into(&self, result: &mut PdeResult) -> Result<(), Error> {
        let (device, mesh, op) = (self.device(), self.view(), result.op);
        if !result.values.device().same(device) {
            return Err(Error::OtherDevice { what: "the result" });
        }
        let expected = self.entries(op)?;
        if result.values.len() != expected {
            let found = result.values.len();
            return Err(Error::Length { what: "entries of a result", expected, found });
        }
        let values = result.values.view_mut();
        macro_rules! run {
            ($kernel:ident, $n:expr $(, $offsets:expr)?) => {
                device.launch(
                    blocks($n),
                    $kernel { mesh, n: $n as u32, $(offsets: $offsets.view(),)? values },
                )
            };
        }
        match op {
            Op::VV => run!(PdeVv, self.vertices(), self.edge_offsets),
            Op::VE => run!(PdeVe, self.vertices(), self.edge_offsets),
            Op::VF => run!(PdeVf, self.vertices(), self.face_offsets),
            Op::EV => run!(PdeEv, self.edges()),
            Op::EF => run!(PdeEf, self.edges()),
            Op::FV => run!(PdeFv, self.faces()),
            Op::FE => run!(PdeFe, self.faces()),
            Op::FF => run!(PdeFf, self.faces()),
            _ => Err(none_of_the_eight(op)),
        }
    }
}

fn none_of_the_eight(op: Op) -> Error {
    let expected = "VV, VE, VF, FV, FE, FF, EV or EF";
    Error::Option { option: "query of directed edges", value: op.to_string(), expected }
}
