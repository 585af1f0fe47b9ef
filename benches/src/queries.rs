//! Times of queries whose results are written to memory.
use crate::rxmesh;
use crate::timed::{Clock, Origin, Timed};
use anyhow::Result;
use ribbonmesh::{Op, StaticMesh};
use std::cell::RefCell;

/// Times every query.
pub fn measure(mesh: &StaticMesh, from: Origin, clock: Clock) -> Result<Vec<Timed>> {
    let plain = Op::ALL.map(|op| (op, false)).into_iter();
    let oriented = Op::ALL.into_iter().filter(|op| op.has_orientation()).map(|op| (op, true));
    plain
        .chain(oriented)
        .map(|(op, oriented)| {
            let result = if oriented { mesh.oriented_result_for(op) } else { mesh.result_for(op) };
            let result = RefCell::new(result?);
            let work = || mesh.query_into(&mut result.borrow_mut());
            let name = format!("{op}{}", if oriented { " oriented" } else { "" });
            let peer = rxmesh::query_ms(op, oriented, mesh.faces());
            clock.time(mesh, from, name, mesh.floor_bytes(op, oriented), peer, work)
        })
        .collect()
}
