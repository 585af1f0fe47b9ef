//! The sides of faces, and how often each edge is one.
use crate::{FlatTopology, Op, Result, StaticMesh};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The mesh's edges and faces on the host.
pub(super) struct Sides {
    /// FV, three ids per face.
    pub fv: Vec<u32>,
    /// FE, three ids per face.
    pub fe: Vec<u32>,
    /// EV, two ids per edge.
    pub ev: Vec<u32>,
}
impl Sides {
    pub fn of(mesh: &StaticMesh) -> Result<Self> {
        let values = |op| mesh.query(op)?.values().read();
        Ok(Self { fv: values(Op::FV)?, fe: values(Op::FE)?, ev: values(Op::EV)? })
    }
    /// The sides of a mesh without patches: faces and vertices in the order of the input.
    pub fn from_flat(flat: &FlatTopology) -> Result<Self> {
        let edges = flat.number_edges()?;
        let mut fe = edges.darts.read()?;
        fe.par_iter_mut().for_each(|dart| *dart >>= 1);
        let ev = bytemuck::cast_vec(edges.ends.read()?);
        Ok(Self { fv: flat.face_vertices().read()?, fe, ev })
    }
    /// Whether side `i` (of face `i / 3`) runs from its edge's first vertex to the second.
    pub fn forward(&self, i: usize) -> bool {
        self.fv[i] == self.ev[2 * self.fe[i] as usize]
    }
    /// Whether an edge leads from a vertex to itself.
    pub fn is_loop(&self, edge: usize) -> bool {
        self.ev[2 * edge] == self.ev[2 * edge + 1]
    }
    /// The number of times that each edge is a side, forward and backward.
    pub fn uses(&self) -> Vec<[u32; 2]> {
        let mut uses: Vec<AtomicU64> = Vec::new();
        uses.resize_with(self.ev.len() / 2, AtomicU64::default);
        (0..self.fe.len()).into_par_iter().for_each(|i| {
            let one = if self.forward(i) { 1 } else { 1 << 32 };
            uses[self.fe[i] as usize].fetch_add(one, Ordering::Relaxed);
        });
        uses.into_par_iter()
            .map(|n| {
                let n = n.into_inner();
                [n as u32, (n >> 32) as u32]
            })
            .collect()
    }
}
