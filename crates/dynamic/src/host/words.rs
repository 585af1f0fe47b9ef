//! Reports: refusals in words, numbers of elements.
use crate::{DynamicMesh, PassReport, Refusal, operators, refusals};
use ribbonmesh::{Error, Result};
use serde::Serialize;
use std::collections::BTreeMap;

/// A reason in a word, `own` being those of the operator, from [`operators::OWN`] on: `other` for one that is not among
/// them.
pub fn refusal_name(reason: Refusal, own: &[&'static str]) -> &'static str {
    match reason {
        refusals::NOT_ONE_LOOP => "not_one_loop",
        refusals::NOT_A_DISC => "not_a_disc",
        refusals::EDGE_EXISTS => "edge_exists",
        refusals::DEGENERATE => "degenerate",
        refusals::NON_MANIFOLD_VERTEX => "non_manifold_vertex",
        refusals::FACE_EXISTS => "face_exists",
        refusals::BROKEN_FILL => "broken_fill",
        refusals::LINK => "link",
        operators::ON_BOUNDARY => "on_boundary",
        operators::PINCHES => "pinches",
        operators::VANISHES => "vanishes",
        _ => own.get((reason - operators::OWN) as usize).copied().unwrap_or("other"),
    }
}

impl PassReport {
    /// Refusals in all passes by reason in a word, those that occurred: see [`refusal_name`].
    pub fn refused_by_name(&self, own: &[&'static str]) -> BTreeMap<&'static str, u64> {
        let mut names = BTreeMap::new();
        for (reason, n) in (0..).zip(self.refused).filter(|(_, n)| *n > 0) {
            *names.entry(refusal_name(reason, own)).or_default() += u64::from(n);
        }
        names
    }
}

/// Numbers of elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// Vertices.
    pub vertices: u64,
    /// Edges.
    pub edges: u64,
    /// Faces.
    pub faces: u64,
}
impl Sizes {
    /// Of so many vertices, edges, faces.
    pub fn of([vertices, edges, faces]: [u32; 3]) -> Self {
        Self { vertices: vertices.into(), edges: edges.into(), faces: faces.into() }
    }
    /// Vertices − edges + faces.
    pub fn euler_characteristic(&self) -> i64 {
        self.vertices as i64 - self.edges as i64 + self.faces as i64
    }
}

impl DynamicMesh {
    /// Checks the mesh, as [`DynamicMesh::validate`], and that it has the Euler characteristic of `before`: what operators
    /// that keep the topology are to leave. Waits.
    /// # Errors
    /// [`Error::Invalid`] names what is wrong; out of memory; what the driver says.
    pub fn validate_topology(&mut self, before: &Sizes) -> Result<()> {
        self.validate()?;
        let living = Sizes::of(self.living()?);
        let [before, after] = [before, &living].map(Sizes::euler_characteristic);
        if before == after {
            return Ok(());
        }
        Err(Error::Invalid(format!("the Euler characteristic went from {before} to {after}")))
    }
}
