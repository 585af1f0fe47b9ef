//! Reports: names of rejections, runs of operators, numbers of elements.
use crate::device::ElementKind;
use crate::dynamic::{DynamicMesh, Limits, Operation, PassReport, Rejection, rejections};
use crate::{Error, MeshFault, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

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

/// Report of a run of an operator, with names of rejections and its time.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Operations {
    /// Operations that were executed.
    pub executed: u64,
    /// Operations that were still wanted at the end, but rejected.
    pub left: u64,
    /// Rejections by reason, each as often as the operation was tried.
    pub rejected: BTreeMap<&'static str, u64>,
    /// Passes over the mesh, including the last one, which executed no operation.
    pub passes: u32,
    /// Rounds in which conflicts were resolved.
    pub rounds: u32,
    /// Whether the last pass found no more operations to execute.
    pub finished: bool,
    /// Seconds.
    pub seconds: f64,
}
impl Operations {
    /// The report of a run. `own`: names of the operator's reasons, as in [`rejection_name`].
    pub fn new(run: &PassReport, own: &[&'static str], seconds: f64) -> Self {
        Self {
            executed: run.executed,
            left: run.blocked.iter().map(|n| u64::from(*n)).sum(),
            rejected: run.rejected_by_name(own),
            passes: run.passes,
            rounds: run.rounds,
            finished: run.finished,
            seconds,
        }
    }
    /// Runs an operator, and takes the time.
    /// # Errors
    /// As [`DynamicMesh::run`].
    pub fn run<O: Operation>(
        mesh: &mut DynamicMesh,
        mut operation: O,
        limits: Limits,
        own: &[&'static str],
    ) -> Result<(PassReport, Self)> {
        let start = Instant::now();
        let run = mesh.run(&mut operation, limits)?;
        let report = Self::new(&run, own, start.elapsed().as_secs_f64());
        Ok((run, report))
    }
    /// Adds the report of a later run.
    pub fn add(&mut self, later: Self) {
        self.executed += later.executed;
        self.left = later.left;
        later.rejected.into_iter().for_each(|(reason, n)| *self.rejected.entry(reason).or_default() += n);
        self.passes += later.passes;
        self.rounds += later.rounds;
        self.finished = later.finished;
        self.seconds += later.seconds;
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
    /// The numbers of ids of a mesh: those of its elements if ids are contiguous.
    pub fn of_ids(mesh: &DynamicMesh) -> Self {
        Self::of([ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|kind| mesh.ids(kind)))
    }
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
