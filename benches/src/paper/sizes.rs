//! Figure 4.6b: six patch sizes and seven queries.
use crate::subject::Subject;
use crate::timed::Clock;
use anyhow::Result;
use ribbonmesh::{Device, MeshOptions, Op};
use serde::Serialize;
use std::cell::RefCell;

const SIZES: [u32; 6] = [256, 384, 512, 768, 1024, 1536];

/// The queries that a patch computes; EV is stored.
pub const SEVEN: [Op; 7] = [Op::VV, Op::VE, Op::VF, Op::FV, Op::FE, Op::FF, Op::EF];

/// One patch size.
#[derive(Serialize)]
pub struct Sized {
    pub mesh: String,
    pub faces: usize,
    pub patch_size: u32,
    pub patches: usize,
    /// Ribbon faces for each owned one.
    pub ribbon_ratio: f64,
    /// Bytes of the topology.
    pub bytes_per_face: f64,
    /// Milliseconds of each query, median.
    pub queries: Vec<(&'static str, f64)>,
}

/// Builds the mesh with each size and times the queries.
pub fn measure(device: &Device, name: &str, subject: &Subject, clock: Clock) -> Result<Vec<Sized>> {
    SIZES
        .into_iter()
        .map(|patch_size| {
            let mesh = subject.mesh(device, &MeshOptions { patch_size, ..MeshOptions::default() })?;
            let time = |op: Op| {
                let result = RefCell::new(mesh.result_for(op)?);
                let work = || mesh.query_into(&mut result.borrow_mut());
                Ok((op.name(), 1e3 * device.time_repeated(clock.repetitions, work)?.median))
            };
            let faces = mesh.faces();
            Ok(Sized {
                mesh: name.to_owned(),
                faces,
                patch_size,
                patches: mesh.patches(),
                ribbon_ratio: (mesh.totals().f_all as f64 - faces as f64) / faces.max(1) as f64,
                bytes_per_face: mesh.topology_bytes() as f64 / faces.max(1) as f64,
                queries: SEVEN.into_iter().map(time).collect::<Result<_>>()?,
            })
        })
        .collect()
}
