//! Simplification on a device, stage by stage.
use super::begin::prepare;
use super::check::{self, Before, Holds};
use super::contract::{Complex, Counts};
use super::options::{Bound, SimplifyOptions, Target, Topology};
use super::report::{Contractions, SimplifyReport, Stage, Stopped};
use super::trials::Trials;
use super::values::{Collapses, Values};
use crate::check::Search;
use crate::order::Order;
use crate::simplify::collapse::Screen;
use crate::simplify::prepare::Worst;
use crate::simplify::price::{self, Price};
use crate::simplify::select::{self, Narrow, Room};
use glam::Vec3;
use ribbonmesh::device::{ElementKind, GridArgument, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Gaps, Limits, Rejection, Sizes};
use ribbonmesh::surface::{Changed, Extent, Surface, Vertices};
use ribbonmesh::{Device, Error, Result};
use std::time::Instant;

/// Most stages, so that a run always ends: each collapses, or refuses for good, at least one edge.
const MOST_STAGES: usize = 100_000;
/// Factor for [`Topology::Free`](super::options::Topology::Free): the topology is kept while there are more
/// faces than this many times the number that it needs. With fewer faces, most would be spent on holes and
/// tunnels instead of the shape.
pub const AMPLE: u64 = 8;

/// A mesh that is being simplified on its device, with its attributes.
pub struct Simplifier {
    pub(super) mesh: DynamicMesh,
    pub(super) values: Values,
    pub(super) options: SimplifyOptions,
    pub(super) report: SimplifyReport,
    /// Number of faces at which collapses end: the wanted number, or more if contraction of pairs follows.
    target: u32,
    /// Number of faces that is wanted.
    wanted: u32,
    /// The smallest coordinates, multiplied by `scale`.
    low: Vec3,
    /// The result of the contraction of pairs.
    contracted: Option<Complex>,
    /// The factor by which positions were multiplied: a power of two.
    scale: f64,
    /// The pass of the stage before; 0 if there was none.
    pub(super) since: u32,
    pub(super) gaps: Gaps,
    /// Whether the last stage rejected most of the edges that were selected.
    pub(super) screened: bool,
    /// The search for faces that intersect others, with the option `no_self_intersections`.
    pub(super) search: Search,
    pub(super) holds: Holds,
    pub(super) trials: Trials,
}

impl Simplifier {
    /// Copies a surface, whose seams are features, to begin with; finds features and adds up quadrics. Waits.
    /// # Errors
    /// [`Error::NotManifold`] names an element in input order; [`Error::NotFinite`]; [`Error::Option`];
    /// [`Error::NoFaces`]; out of memory; errors of the driver.
    pub fn new(surface: &mut Surface, options: &SimplifyOptions) -> Result<Self> {
        options.check()?;
        let start = Instant::now();
        let Extent { diagonal, scale, low } = surface.extent("the mesh to simplify")?;
        let [vertices, edges, faces] = surface.sizes()?.map(|n| n as u64);
        let (mut dynamic, x) = surface.to_dynamic(0.0, scale)?;
        let mut values = Values::new(&dynamic, x)?;
        let seams = surface.seams(&mut dynamic)?;
        values.turn = options.max_turn.to_radians().cos();
        let max_error = options.max_error.map(|bound| match bound {
            Bound::Absolute(l) => l as f64,
            Bound::Diagonal(l) => l as f64 * diagonal,
        });
        values.bound = max_error.map(|l| (l * scale) as f32);
        let features = prepare(&mut dynamic, &mut values, options, seams)?;
        dynamic.device().synchronize()?;
        let wanted = match options.target {
            None => 0,
            Some(Target::Faces(n)) => n,
            Some(Target::Ratio(ratio)) => (ratio * faces as f64).round() as u32,
        };
        let (mut wanted, mut target, mut contractions) = (wanted, wanted, None);
        if options.topology == Topology::Free {
            wanted = wanted.max(1);
            let before = Counts::of(surface.flat_topology()?.0)?;
            target = (AMPLE * before.least_faces()).clamp(wanted.into(), u32::MAX.into()) as u32;
            contractions = Some(Contractions { before, after: before, ..Contractions::default() });
        }
        let report = SimplifyReport {
            target_faces: options.target.map(|_| wanted.into()),
            contractions,
            max_error,
            order: Order::Rounds,
            features,
            before: Sizes { vertices, edges, faces },
            prepare_seconds: start.elapsed().as_secs_f64(),
            ..SimplifyReport::default()
        };
        let options = options.clone();
        Ok(Self {
            mesh: dynamic,
            values,
            options,
            report,
            target,
            wanted,
            low: low * scale as f32,
            contracted: None,
            scale,
            since: 0,
            gaps: Gaps::default(),
            screened: false,
            search: Search::default(),
            holds: Holds::default(),
            trials: Trials::default(),
        })
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.mesh.device()
    }
    /// Collapses the cheapest edges, at most the options' share of the faces, and no more than are needed for
    /// the target. Returns `None` if there was nothing to do. Waits.
    /// # Errors
    /// Out of memory; errors of the driver; with `validate`, [`Error::BrokenMesh`].
    pub fn stage(&mut self) -> Result<Option<&Stage>> {
        let start = Instant::now();
        let device = self.mesh.device().clone();
        self.values.selection.clear()?;
        let n = self.mesh.ids(ElementKind::Edge);
        let values = self.values.view();
        let (mesh, rejected) = (self.mesh.view(), self.mesh.rejected());
        let price = Price { mesh, rejected, values, n, since: self.since };
        device.launch(n.div_ceil(price::EDGES), price)?;
        if !self.trials.running && self.is_worth_compacting() {
            self.gaps.close(&mut self.mesh, &mut self.values)?;
        }
        if self.screened {
            let screen = Screen { mesh: self.mesh.view(), values: self.values.view() };
            device.launch_each(self.mesh.ids(ElementKind::Edge), screen)?;
        }
        let guarded = self.options.no_self_intersections;
        if guarded {
            self.holds.begin(&mut self.search, &mut self.mesh, &mut self.values)?;
        }
        let before = match guarded && !self.trials.running {
            true => Some(Before::new(&self.mesh, &self.values)?),
            false => None,
        };
        let (mut taken_back, mut rejected) = ([0; 2], [0; Rejection::COUNT as usize]);
        self.select()?;
        let mut run = loop {
            if before.is_some() {
                self.values.seeds = Some(DynamicAttribute::zeros(&self.mesh)?);
            }
            let limits = Limits { passes: 1, mode: self.options.mode };
            let run = self.mesh.run(&mut Collapses(&mut self.values), limits)?;
            self.since = self.mesh.pass() - 1;
            let Some(before) = before.as_ref().filter(|_| run.executed > 0) else { break run };
            let refused = check::refuse(&mut self.search, &self.mesh, &mut self.values, self.since)?;
            if refused == 0 {
                break run;
            }
            before.restore(&mut self.mesh, &mut self.values)?;
            rejected.iter_mut().zip(run.rejected).for_each(|(sum, n)| *sum += n);
            taken_back = [taken_back[0] + 1, taken_back[1] + refused];
        };
        (self.values.again, self.values.seeds) = (None, None);
        run.rejected.iter_mut().zip(rejected).for_each(|(sum, n)| *sum += n);
        self.gaps.add(&run, 2);
        let [faces, selected, ..] = run.own;
        self.screened = 2 * run.rejected.iter().sum::<u32>() > selected;
        if guarded {
            self.trials.count(before.is_some(), taken_back[0] > 0);
            self.holds.end(&mut self.search, &self.mesh, &mut self.values, run.executed)?;
        }
        self.report.seconds += start.elapsed().as_secs_f64();
        if selected == 0 && faces > self.target && before.is_some() && self.holds.release() {
            return self.stage();
        }
        if selected == 0 {
            self.report.stopped = if faces <= self.target { Stopped::Target } else { Stopped::NothingLeft };
            return Ok(None);
        }
        if self.options.validate {
            self.validate()?;
        }
        self.report.add(Stage::new(&run, taken_back));
        Ok(self.report.stages.last())
    }
    /// Finds the limit below which edges are collapsed.
    fn select(&mut self) -> Result<()> {
        let device = self.mesh.device().clone();
        let n = self.mesh.ids(ElementKind::Edge);
        let share = (1024.0 * self.options.share).ceil() as u32;
        let (cost, mut selection) = (self.values.cost.view(), self.values.selection.view_mut());
        let (mut report, room) = (self.mesh.report_words(), Room { target: self.target, share });
        let (grid, blocks) = (GridArgument::default(), tiles(n).min(BLOCKS));
        if self.options.mode.is_persistent(&device) {
            let levels = [0, select::LEVELS];
            let all = Narrow { grid, levels, cost, n, room, selection, report };
            return device.launch_resident(blocks, all).map(drop);
        }
        for level in 0..select::LEVELS {
            let levels = [level, level + 1];
            let (selection, report) = (selection.reborrow(), report.reborrow());
            device.launch(blocks, Narrow { grid, levels, cost, n, room, selection, report })?;
        }
        Ok(())
    }
    /// Whether at least half of many faces are deleted. With few faces compaction does not pay: making ids
    /// contiguous takes as long as some stages.
    fn is_worth_compacting(&self) -> bool {
        self.mesh.ids(ElementKind::Face) > MANY && self.gaps.exceed(&self.mesh, 2)
    }
    /// Runs all stages, until there are as many faces as are wanted, or none can be removed. If the topology
    /// is free, it then contracts pairs until there are as many faces as are wanted. Waits.
    /// # Errors
    /// As [`Simplifier::stage`]; [`Error::Invalid`] if it does not end (an error of this library).
    pub fn run(&mut self) -> Result<()> {
        self.collapse()?;
        if self.options.topology == Topology::Free { self.contract() } else { Ok(()) }
    }
    /// Contracts pairs until there are as many faces as are wanted.
    fn contract(&mut self) -> Result<()> {
        let start = Instant::now();
        self.gaps.close(&mut self.mesh, &mut self.values)?;
        if self.mesh.ids(ElementKind::Face) > self.wanted {
            let mut complex = Complex::of_mesh(&self.mesh, &self.values, self.low)?;
            let report = self.report.contractions.get_or_insert_default();
            complex.contract(self.wanted, self.options.share, self.values.turn, report)?;
            self.contracted = Some(complex);
        }
        self.report.stopped = Stopped::Target;
        self.report.seconds += start.elapsed().as_secs_f64();
        Ok(())
    }
    fn collapse(&mut self) -> Result<()> {
        for _ in 0..MOST_STAGES {
            self.try_unchecked()?;
            if self.stage()?.is_none() {
                return Ok(());
            }
            // each collapse in a mesh without boundary removes two faces
            let closed = self.report.features.boundary_edges == 0;
            if let Some(last) = self.report.stages.last()
                && closed
                && last.faces - 2 * last.collapsed <= self.target.into()
            {
                return Ok(());
            }
        }
        Err(Error::Invalid("simplification does not end".into()))
    }
    /// Checks the mesh: its structure, Euler characteristic.
    /// # Errors
    /// [`Error::BrokenMesh`] names the faults; out of memory; errors of the driver.
    pub fn validate(&mut self) -> Result<()> {
        self.mesh.validate_topology(&self.report.before)
    }
    /// Replaces the surface from which the mesh was made by the mesh, and transfers its columns
    /// ([`Surface::replace`]). Vertices and faces are in the order of the input's elements from which they
    /// came. Waits.
    /// # Errors
    /// As [`Surface::replace`].
    pub fn finish_into(mut self, surface: &mut Surface) -> Result<SimplifyReport> {
        let start = Instant::now();
        if let Some(complex) = self.contracted {
            complex.finish_into(surface, self.scale, self.values.marks.is_some(), &mut self.report)?;
            surface.device().synchronize()?;
            self.report.finish_seconds = start.elapsed().as_secs_f64();
            return Ok(self.report);
        }
        self.end()?;
        let Self { mesh, values, scale, mut report, .. } = self;
        let sources = Some([values.input.into_buffer(&mesh)?, values.face_input.into_buffer(&mesh)?]);
        let (positions, curves, vertices) = (values.x, values.marks, Vertices::Others);
        surface.replace(Changed { mesh, positions, scale, vertices, curves, seams_kept: true, sources })?;
        surface.device().synchronize()?;
        report.finish_seconds = start.elapsed().as_secs_f64();
        Ok(report)
    }
    /// Makes ids contiguous, and stores the last figures of the report.
    fn end(&mut self) -> Result<()> {
        self.mesh.free_working_memory()?;
        self.gaps.close(&mut self.mesh, &mut self.values)?;
        let device = self.mesh.device().clone();
        let n = self.mesh.ids(ElementKind::Vertex);
        self.report.after = Sizes::of_ids(&self.mesh);
        let mut most = device.zeros::<u32>(1)?;
        let values = self.values.view();
        let worst = Worst { mesh: self.mesh.view(), values, n, most: most.view_mut() };
        device.launch(tiles(n), worst)?;
        self.report.largest_quadric_error = (f32::from_bits(most.read()?[0]) as f64).sqrt() / self.scale;
        Ok(())
    }
}

/// Number of ids of faces from which on compaction is worth its time.
const MANY: u32 = 30_000;
/// Most blocks of narrowing down; they stride.
const BLOCKS: u32 = 528;
