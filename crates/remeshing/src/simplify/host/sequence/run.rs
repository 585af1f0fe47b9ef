//! Simplification by collapses one after another.
use super::collapse::Limits;
use super::collapses::Collapses;
use super::prepare::{Prepared, prepare};
use crate::simplify::host::contract::Complex;
use crate::simplify::host::options::{SimplifyOptions, Topology};
use crate::simplify::host::report::{SimplifyReport, Stage, Stopped};
use ribbonmesh::dynamic::PassReport;
use ribbonmesh::surface::Surface;
use ribbonmesh::{Device, Result, Watch};
use std::time::Instant;

/// A mesh that is being simplified on the CPU, the cheapest edge first: large ones in several regions at the
/// same time to begin with, then by one thread.
///
/// Vertices and faces are in the order in which the surface gives them out, so that results do not depend on
/// the ids that it has.
pub struct Sequence {
    pub(super) device: Device,
    pub(super) options: SimplifyOptions,
    pub(super) report: SimplifyReport,
    pub(super) prepared: Prepared,
    pub(super) collapses: Collapses,
    /// The result of the contraction of pairs.
    pub(super) contracted: Option<Complex>,
}

impl Sequence {
    /// Copies a surface, whose seams are features, to begin with; finds features and adds up quadrics.
    /// # Errors
    /// As [`Simplifier::new`](crate::simplify::Simplifier::new).
    pub fn new(surface: &mut Surface, options: &SimplifyOptions) -> Result<Self> {
        options.check()?;
        let (mesh, vertices, prepared, report) = prepare(surface, options)?;
        let limits = Limits { bound: prepared.bound, turn: options.max_turn.to_radians().cos() };
        Ok(Self {
            device: surface.device().clone(),
            options: options.clone(),
            collapses: surface
                .device()
                .install(|| Collapses::new(mesh, vertices, limits, options.no_self_intersections)),
            contracted: None,
            report,
            prepared,
        })
    }
    /// Collapses edges until there are as many faces as are wanted, or none can be removed. If the topology
    /// is free, it then contracts pairs until there are as many faces as are wanted.
    /// # Errors
    /// Those of the contraction of pairs: out of memory; [`Error::Stopped`](ribbonmesh::Error::Stopped) by
    /// the watch of the thread.
    pub fn run(&mut self) -> Result<()> {
        let start = Instant::now();
        let target = self.prepared.target;
        let watch = Watch::of_this_thread();
        let first = self.device.install(|| self.collapses.run_in_regions(target, watch.as_ref()))?;
        if let Some(run) = first {
            self.note(&run);
        }
        loop {
            if self.collapses.faces() <= target {
                self.report.stopped = Stopped::Target;
                break;
            }
            let run = self.device.install(|| self.collapses.run(target, watch.as_ref()))?;
            self.note(&run);
            if run.executed == 0 {
                self.report.stopped = Stopped::NothingLeft;
                break;
            }
        }
        self.report.seconds += start.elapsed().as_secs_f64();
        if self.options.topology == Topology::Free { self.contract() } else { Ok(()) }
    }
    fn note(&mut self, run: &PassReport) {
        let [_, selected, crossing, ..] = run.own;
        if selected > 0 {
            self.report.add(Stage::new(run, [0, crossing.into()]));
        }
    }
    fn contract(&mut self) -> Result<()> {
        let start = Instant::now();
        if self.collapses.faces() > self.prepared.wanted {
            let mut complex = self.to_complex()?;
            let report = self.report.contractions.get_or_insert_default();
            complex.contract(self.prepared.wanted, self.options.share, self.collapses.turn(), report)?;
            self.contracted = Some(complex);
        }
        self.report.stopped = Stopped::Target;
        self.report.seconds += start.elapsed().as_secs_f64();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simplify::Target;
    use ribbonmesh::{Error, MeshOptions};
    use ribbonmesh_mesh::shapes;

    #[test]
    fn stops_when_its_watch_does() {
        let device = Device::cpu_with_threads(2).expect("threads");
        // by one thread, and in regions
        [4, 6].into_iter().for_each(|k| stop(&device, k));
    }
    fn stop(device: &Device, k: u32) {
        let sphere = shapes::icosphere(k).expect("small");
        let mut surface = Surface::new(device, &sphere, &MeshOptions::default()).expect("a surface");
        let options = SimplifyOptions { target: Some(Target::Faces(100)), ..SimplifyOptions::default() };
        let mut sequence = Sequence::new(&mut surface, &options).expect("memory");
        let watch = Watch::default();
        watch.stop();
        let stopped = watch.during(|| sequence.run());
        assert!(matches!(stopped, Err(Error::Stopped)), "{stopped:?}");
        // without a watch it goes on
        sequence.run().expect("memory");
        assert_eq!(sequence.collapses.faces(), 100);
    }
}
