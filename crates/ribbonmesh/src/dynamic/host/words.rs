//! Reports: names of rejections, numbers of elements.
use crate::dynamic::{DynamicMesh, PassReport, Rejection, rejections};
use crate::{Error, MeshFault, Result};
use serde::Serialize;
use std::collections::BTreeMap;

/// The name of a reason. `own`: names of the operator's reasons, [`Rejection::own`], in their order. Returns
/// `other` for an unknown reason.
pub fn rejection_name(reason: Rejection, own: &[&'static str]) -> &'static str {
    match reason {
        rejections::NOT_ONE_LOOP => "not_one_loop",
        rejections::NOT_A_DISC => "not_a_disc",
        rejections::EDGE_EXISTS => "edge_exists",
        rejections::DEGENERATE => "degenerate",
        rejections::NON_MANIFOLD_VERTEX => "non_manifold_vertex",
        rejections::FACE_EXISTS => "face_exists",
        rejections::BROKEN_FILL => "broken_fill",
        rejections::LINK => "link",
        rejections::ON_BOUNDARY => "on_boundary",
        rejections::PINCHES => "pinches",
        rejections::VANISHES => "vanishes",
        _ => {
            let of_operator = (reason.index() - Rejection::own(0).index()) as usize;
            own.get(of_operator).copied().unwrap_or("other")
        }
    }
}

impl PassReport {
    /// Number of cavities rejected for a reason in the last pass: if the run is finished, the cavities still
    /// wanted at its end.
    pub fn blocked_by(&self, reason: Rejection) -> u32 {
        self.blocked[reason.index() as usize]
    }
    /// Number of rejections for a reason in all passes.
    pub fn rejected_for(&self, reason: Rejection) -> u32 {
        self.rejected[reason.index() as usize]
    }
    /// Rejections in all passes, by the name of the reason ([`rejection_name`]); reasons with at least one
    /// rejection.
    pub fn rejected_by_name(&self, own: &[&'static str]) -> BTreeMap<&'static str, u64> {
        let mut names = BTreeMap::new();
        for (reason, n) in
            (0..Rejection::COUNT).map(Rejection::new).zip(self.rejected).filter(|(_, n)| *n > 0)
        {
            *names.entry(rejection_name(reason, own)).or_default() += u64::from(n);
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
    /// From numbers of vertices, edges and faces.
    pub fn of([vertices, edges, faces]: [u32; 3]) -> Self {
        Self { vertices: vertices.into(), edges: edges.into(), faces: faces.into() }
    }
    /// Vertices − edges + faces.
    pub fn euler_characteristic(&self) -> i64 {
        self.vertices as i64 - self.edges as i64 + self.faces as i64
    }
}

impl DynamicMesh {
    /// Checks the mesh as [`DynamicMesh::validate`] does, and that its Euler characteristic is that of
    /// `before`. For operators that preserve the topology. Waits.
    /// # Errors
    /// [`Error::BrokenMesh`] names the broken invariants; out of memory; errors of the driver.
    pub fn validate_topology(&mut self, before: &Sizes) -> Result<()> {
        self.validate()?;
        let living = Sizes::of(self.living()?);
        let [before, after] = [before, &living].map(Sizes::euler_characteristic);
        if before == after {
            return Ok(());
        }
        Err(Error::BrokenMesh { faults: vec![MeshFault::Euler { before, after }], after: None })
    }
}
