//! Tracking a surface on a device.
use super::changes::Changes;
use super::collide::Phase;
use super::components::Components;
use super::error::TrackError;
use super::flow::{Flow, Motion};
use super::options::{Method, TrackOptions};
use super::phases::{self, Scratch};
use super::progress::Progress;
use super::report::{Measures, StepReport, pinching};
use super::shape::Shape;
use super::trace::{Trace, can_be_carried};
use super::values::{Collapses, Flipping, Row, Splits, Values};
use crate::advect::{FAULTS, NOT_FINITE, TOO_FAR};
use crate::values::{REASONS, ROW};
use glam::{DVec3, Vec3};
use ribbonmesh::device::{ElementKind, NONE};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Gaps, Limits, Operations, PassReport, Sizes};
use ribbonmesh::mesh::{Column, Policy, Precision, Role, Scalar, Scalars};
use ribbonmesh::{Buffer, Device, Error, MeshOptions, Surface, TriangleMesh, Vertex};
use std::time::Instant;

/// Passes of splitting in one step. Each halves the longest edges.
const SPLITS: u32 = 40;
/// Passes of flipping and of collapsing in one step: an operation that is rejected in one may be possible in
/// the next.
const OTHERS: u32 = 10;
/// Number of rows of columns that kernels carry.
const ROWS: usize = 4;

/// Rounding of positions, as a part of the mean edge length, from which on a local origin is needed.
const ROUNDED: f64 = 1e-3;

/// The column with the ids of components.
const COMPONENT: &str = "component";

/// The numbers of rows in which a column is stored.
struct Followed {
    name: String,
    width: usize,
    at: usize,
    column: Column,
}

/// A surface that moves on its device, with its columns.
pub struct Tracker {
    pub(super) mesh: DynamicMesh,
    pub(super) values: Values,
    followed: Vec<Followed>,
    /// The positions on the input, if a column needs them; they are in the first row.
    trace: Option<Trace>,
    /// Names of columns with the normals of vertices.
    normals: Vec<String>,
    /// The point to which positions are relative.
    origin: DVec3,
    pub(super) options: TrackOptions,
    pub(super) length: f32,
    faults: Buffer<u32>,
    scratch: Scratch,
    /// Sizes of the mesh when its topology changed last.
    pub(super) before: Sizes,
    volume: Option<f64>,
    pub(super) time: f64,
    steps: u64,
    pub(super) gaps: Gaps,
    /// Components, if they are needed.
    pub(super) components: Components,
    /// Whether a step may have to be undone: then ids are not renumbered.
    pub(super) held: bool,
    /// The mesh that one with another topology has replaced in this step, to be restored.
    pub(super) replaced: Option<(DynamicMesh, Values)>,
    /// Whether the surface has vanished; the mesh then is the last one.
    pub(super) empty: bool,
    /// Another maker of splits, flips and collapses than the tracker.
    pub(super) changes: Option<Box<dyn Changes>>,
}

impl Tracker {
    /// Copies a mesh, an oriented manifold with or without boundary. Positions are rounded to single
    /// precision, relative to [`Tracker::origin`]. Columns of vertices that are interpolated
    /// ([`Policy::Interpolate`]) and have 32-bit floating-point or unsigned 8-bit numbers are updated by each
    /// operation, up to 16 numbers in all. If there are other columns of vertices, or columns of faces or
    /// corners, 12 numbers are; each vertex then also has its position on the input, where
    /// [`Tracker::download`] finds the values of these. Columns of edges are dropped. Waits.
    /// # Errors
    /// [`Error::NotManifold`] names an element in input order; [`Error::NotFinite`]; [`Error::Option`];
    /// [`Error::NoFaces`]; out of memory; errors of the driver. With [`Method::GridFree`] also
    /// [`TrackError::Open`] and [`TrackError::Intersects`]; with [`TrackOptions::collisions`]
    /// [`TrackError::Crossing`] names a pair of faces that intersect.
    pub fn new(device: &Device, mesh: &TriangleMesh, options: &TrackOptions) -> Result<Self, TrackError> {
        options.check()?;
        if mesh.faces.is_empty() {
            return Err(Error::NoFaces { what: "the mesh to track" }.into());
        }
        let origin = origin_of(mesh);
        let points = mesh.points_around(origin);
        if let Some(index) = points.iter().position(|p| !p.is_finite()) {
            return Err(Error::NotFinite { vertex: index }.into());
        }
        let (x, faces) = (device.upload(&points)?, device.upload(mesh.faces.as_flattened())?);
        let mut surface = Surface::from_buffers(x, faces, &MeshOptions::default())?;
        if options.collisions {
            super::collide::refuse_crossing(device, &points, &mesh.faces)?;
        }
        let (dynamic, x) = surface.to_dynamic(options.spare, 1.0)?;
        let inputs = surface.triangles().vertex_places()?.read()?;
        drop(surface);
        let mut values = Values::new(&dynamic, x, options.criteria(1.0))?;
        let (followed, trace) = follow(&dynamic, &inputs, mesh, &points, options, &mut values)?;
        let mut scratch = Scratch::new(&dynamic)?;
        let sums = phases::measure(&dynamic, &values, &mut scratch)?;
        let found = Measures::new(&sums);
        let length = options.length.unwrap_or(found.mean_length as f32);
        if !(1e-9..1e9).contains(&length) {
            let expected = "a mesh with edges from 1e-9 to 1e9";
            return Err(Error::Option { option: "length", value: length.to_string(), expected }.into());
        }
        values.criteria = options.criteria(length);
        let mut components = Components::default();
        if options.has_components() {
            if !found.is_closed() {
                return Err(TrackError::Open { edges: found.boundary_edges });
            }
            let labels = components.begin(&points, &mesh.faces);
            let labels: Vec<u32> = inputs.iter().map(|&input| labels[input as usize]).collect();
            values.labels = Some(DynamicAttribute::from_ids(&dynamic, &labels)?);
        }
        let tracker = Self {
            before: Sizes { vertices: points.len() as u64, edges: found.edges, faces: found.faces },
            volume: found.is_closed().then_some(found.volume),
            faults: device.zeros(FAULTS as usize)?,
            mesh: dynamic,
            values,
            followed,
            trace,
            normals: mesh.vertices().iter().filter(is_normal).map(|column| column.name().into()).collect(),
            origin,
            options: options.clone(),
            length,
            scratch,
            time: 0.0,
            steps: 0,
            gaps: Gaps::default(),
            components,
            held: false,
            replaced: None,
            empty: false,
            changes: None,
        };
        if options.method == Method::GridFree {
            let pairs = tracker.intersecting_pairs()?.len() as u64;
            if pairs > 0 {
                return Err(TrackError::Intersects { pairs });
            }
        }
        Ok(tracker)
    }
    /// Resumes a surface from the results of [`Tracker::download`] and [`Tracker::progress`]. As
    /// [`Tracker::new`], except that vertices have other ids.
    /// # Errors
    /// As [`Tracker::new`]; [`TrackError::Column`] if the ids of components are missing.
    pub fn resume(
        device: &Device,
        mesh: &TriangleMesh,
        options: &TrackOptions,
        progress: &Progress,
    ) -> Result<Self, TrackError> {
        let given = TrackOptions { length: Some(progress.length), ..options.clone() };
        let mut tracker = Self::new(device, mesh, &given)?;
        (tracker.time, tracker.steps, tracker.volume) = (progress.time, progress.steps, progress.volume);
        if options.has_components() {
            let missing =
                || TrackError::Column { name: COMPONENT.into(), reason: "the ids of components are wanted" };
            let ids: &[u32] = mesh.vertices().get(COMPONENT).map_err(|_| missing())?;
            let labels = Shape::components_of(mesh.positions.len(), &mesh.faces).0;
            for (id, label) in ids.iter().zip(labels) {
                let found = progress.components.iter().find(|(of, _)| of == id);
                let (&(id, expected), component) =
                    found.zip(tracker.components.all.get_mut(label as usize)).ok_or_else(missing)?;
                (component.id, component.expected) = (id, expected);
            }
            tracker.components.next = progress.next_component;
        }
        Ok(tracker)
    }
    /// The state that [`Tracker::resume`] needs in addition to the surface.
    pub fn progress(&self) -> Progress {
        Progress {
            time: self.time,
            steps: self.steps,
            length: self.length,
            volume: self.volume,
            components: self.components.all.iter().map(|c| (c.id, c.expected)).collect(),
            next_component: self.components.next,
        }
    }
    /// The device.
    pub fn device(&self) -> &Device {
        self.mesh.device()
    }
    /// The ids of the components, in the order of their labels: empty with [`Method::Improve`] without
    /// [`TrackOptions::correct_volume`].
    pub fn components(&self) -> Vec<u32> {
        self.components.all.iter().map(|component| component.id).collect()
    }
    /// Whether the surface has vanished. Then a step only advances the time.
    pub fn is_empty(&self) -> bool {
        self.empty
    }
    /// Number of vertices, including unused ids: exact after [`Tracker::compact`].
    pub fn vertex_count(&self) -> u32 {
        if self.empty { 0 } else { self.mesh.ids(ElementKind::Vertex) }
    }
    /// Number of faces, including unused ids: exact after [`Tracker::compact`].
    pub fn face_count(&self) -> u32 {
        if self.empty { 0 } else { self.mesh.ids(ElementKind::Face) }
    }
    /// The mesh, for kernels; positions are [`Tracker::positions`]. With [`Method::GridFree`] a step may
    /// replace it.
    pub fn mesh(&mut self) -> &mut DynamicMesh {
        &mut self.mesh
    }
    /// Positions of the vertices, by id.
    pub fn positions(&self) -> &DynamicAttribute<Vertex, Vec3> {
        &self.values.x
    }
    /// The point to which positions are relative: 0, unless the mesh is in double precision and so far from
    /// the origin that single precision would round its positions by more than a thousandth of the mean edge
    /// length. Kernels and flows get positions relative to it.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }
    /// The vertex of the input that each vertex is, in the order of ids, which this makes contiguous; `None`
    /// for one that a split, a collapse to a new position, or merging and parting has made. Waits.
    /// # Errors
    /// [`Error::Option`] unless positions on the input are kept: see [`TrackOptions::trace`]. Out of memory;
    /// errors of the driver.
    pub fn input_vertices(&mut self) -> Result<Vec<Option<u32>>, TrackError> {
        self.compact()?;
        let Some(trace) = &self.trace else {
            let expected = "on, or columns that need it";
            return Err(Error::Option { option: "trace", value: "off".into(), expected }.into());
        };
        match self.values.rows.first() {
            Some(places) if !self.empty => {
                Ok(places.read(&self.mesh)?.iter().map(|row| trace.input_of(row)).collect())
            }
            _ => Ok(vec![]),
        }
    }
    /// The time reached.
    pub fn time(&self) -> f64 {
        self.time
    }
    /// Number of steps made.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// The edge length of which the criteria are parts.
    pub fn length(&self) -> f32 {
        self.length
    }
    /// The enclosed volume at the beginning; `None` for surfaces with boundary.
    pub fn initial_volume(&self) -> Option<f64> {
        self.volume
    }
    /// Moves the surface by one step, and improves its triangles. With [`Method::GridFree`], or with
    /// [`TrackOptions::collisions`], no two of its faces intersect then; for the latter, colliding faces are
    /// copied to the host. Otherwise few words are copied to the host, unless the topology changes. Waits if
    /// it measures ([`TrackOptions::measure`]), else for counts only.
    /// # Errors
    /// [`TrackError::NotFinite`] and [`TrackError::TooFar`]: then the surface is unchanged.
    /// [`TrackError::Vanished`]; [`Error::Option`] for a step that is not finite; [`Error::BrokenMesh`] with
    /// [`TrackOptions::validate`]; out of memory; errors of the driver: then it may be in the middle of a
    /// step. With [`Method::GridFree`] also [`TrackError::Tangled`] and [`TrackError::InsideOut`]: then the
    /// surface is unchanged.
    pub fn step(&mut self, dt: f64, mut flow: &mut (impl Flow + ?Sized)) -> Result<StepReport, TrackError> {
        self.step_with(dt, &mut flow)
    }
    fn step_with(&mut self, dt: f64, flow: &mut dyn Flow) -> Result<StepReport, TrackError> {
        let start = Instant::now();
        if !(dt as f32).is_finite() {
            let expected = "a finite time step";
            return Err(Error::Option { option: "time step", value: dt.to_string(), expected }.into());
        }
        let mut report = StepReport::default();
        let end = self.time + dt;
        if !self.empty {
            match self.options.method {
                Method::GridFree => self.grid_free_step(Some((dt, flow)), &mut report)?,
                Method::Improve => {
                    self.move_by(dt, flow, &mut report)?;
                    self.time = end;
                    if self.options.improve {
                        self.improve(&mut report)?;
                    }
                    self.correct(&mut report)?;
                }
            }
        }
        (self.time, self.steps) = (end, self.steps + 1);
        (report.step, report.time) = (self.steps, self.time);
        if self.options.validate && !self.empty {
            self.validate()?;
        }
        if self.options.measure {
            let at = Instant::now();
            let found = self.measure()?;
            report.measure_seconds = at.elapsed().as_secs_f64();
            self.check(&found)?;
            let drift = |volume: f64| found.volume / volume - 1.0;
            report.volume_drift =
                self.volume.filter(|_| found.is_closed()).map(drift).filter(|d| d.is_finite());
            report.mesh = Some(found);
        }
        report.seconds = start.elapsed().as_secs_f64();
        Ok(report)
    }
    pub(super) fn advance(&mut self, dt: f64, flow: &mut dyn Flow) -> Result<(), TrackError> {
        let most = self.options.farthest * self.length;
        self.faults.write(&[NONE; FAULTS as usize])?;
        let capacity = self.mesh.capacity();
        let values = &mut self.values;
        ribbonmesh::dynamic::AttributeSet::for_each_attribute(values, &mut |attribute| {
            attribute.grow(capacity)
        })?;
        let mut motion = Motion {
            mesh: &mut self.mesh,
            values,
            faults: &mut self.faults,
            time: self.time,
            dt,
            integration: self.options.integration,
            most: most * most,
        };
        flow.advance(&mut motion)?;
        let faults = self.faults.read()?;
        let time = self.time;
        for fault in [NOT_FINITE, TOO_FAR] {
            let vertex = faults[fault as usize];
            if vertex != NONE {
                let p = self.values.x.buffer().read_range(vertex as usize, 1)?;
                let origin = self.origin;
                let position =
                    p.first().map_or([f32::NAN; 3], |p| (p.as_dvec3() + origin).as_vec3().to_array());
                return Err(match fault {
                    NOT_FINITE => TrackError::NotFinite { vertex, position, time },
                    _ => TrackError::TooFar { vertex, position, time, most: self.options.farthest },
                });
            }
        }
        std::mem::swap(&mut self.values.x, &mut self.values.y);
        Ok(())
    }
    fn limits(&self, passes: u32) -> Limits {
        Limits { passes, mode: self.options.mode }
    }
    /// Splits, flips, collapses, smooths, in El Topo's order.
    pub(super) fn improve(&mut self, report: &mut StepReport) -> Result<(), TrackError> {
        match self.changes.take() {
            Some(mut changes) => {
                let done = self.change_elsewhere(&mut *changes, report);
                self.changes = Some(changes);
                done?;
            }
            None => self.operate(report)?,
        }
        let at = Instant::now();
        let TrackOptions { smoothing, smoothing_step, keep_volume, .. } = self.options;
        if smoothing > 0 {
            let places = self.places()?;
            phases::smooth(&mut self.mesh, &mut self.values, smoothing, smoothing_step, keep_volume)?;
            self.keep_apart(places, report)?;
            if self.options.measure {
                self.device().synchronize()?;
            }
        }
        report.smooth_seconds += at.elapsed().as_secs_f64();
        Ok(())
    }
    /// Splits, flips, collapses.
    fn operate(&mut self, report: &mut StepReport) -> Result<(), TrackError> {
        if let Some(sizing) = self.options.sizing(self.length) {
            phases::find_scales(&mut self.mesh, &mut self.values, sizing)?;
        }
        let (run, done) = self.phase(Phase::Split, report)?;
        self.gaps.add(&run, 0);
        report.split = done;

        let at = Instant::now();
        if self.options.ranks {
            phases::find_ranks(&mut self.mesh, &mut self.values)?;
        }
        report.smooth_seconds = at.elapsed().as_secs_f64();
        report.flip = self.phase(Phase::Flip, report)?.1;

        let (run, done) = self.phase(Phase::Collapse, report)?;
        self.gaps.add(&run, 2);
        report.collapse = done;
        report.pinching = pinching(&run);

        let at = Instant::now();
        if self.is_worth_compacting() && !self.held {
            self.compact()?;
            report.compact_seconds = at.elapsed().as_secs_f64();
        }
        Ok(())
    }
    /// Numbers vertices and faces from 0 without gaps, in the order of their ids. Steps do this themselves if
    /// many ids are unused. Costs nothing if there are no gaps; otherwise the attributes are copied.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn compact(&mut self) -> Result<(), TrackError> {
        if self.gaps.any() {
            // values that have no meaning between steps need not be moved
            (self.values.velocities, self.values.sums) = (None, None);
        }
        Ok(self.gaps.close(&mut self.mesh, &mut self.values)?)
    }
    /// Whether more than a third of the faces are deleted.
    pub(super) fn is_worth_compacting(&self) -> bool {
        self.gaps.exceed(&self.mesh, 3)
    }
    /// Runs one phase of operations.
    pub(super) fn operate_in(&mut self, phase: Phase) -> Result<(PassReport, Operations), TrackError> {
        let [splits, others] = [SPLITS, OTHERS].map(|passes| self.limits(passes));
        let Self { mesh, values, .. } = self;
        let done = match phase {
            Phase::Split => Operations::run(mesh, Splits(values), splits, &REASONS),
            Phase::Flip => Operations::run(mesh, Flipping(values), others, &REASONS),
            Phase::Collapse => Operations::run(mesh, Collapses(values), others, &REASONS),
        };
        Ok(done?)
    }
    /// Refuses a surface all of whose edges are shorter than the lower length: nothing more can be collapsed.
    fn check(&self, found: &Measures) -> Result<(), TrackError> {
        let vanishes = self.options.method == Method::Improve;
        if !vanishes || found.faces > 0 && found.longest >= f64::from(self.values.criteria.shortest) {
            return Ok(());
        }
        Err(TrackError::Vanished { time: self.time, faces: found.faces as u32, area: found.area })
    }
    /// Measures the mesh. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn measure(&mut self) -> Result<Measures, TrackError> {
        if self.empty {
            return Ok(Measures::default());
        }
        Ok(Measures::new(&phases::measure(&self.mesh, &self.values, &mut self.scratch)?))
    }
    /// Improves the mesh without moving it: one step of splits, flips, collapses and smoothing.
    /// # Errors
    /// As [`Tracker::step`].
    pub fn improve_only(&mut self) -> Result<StepReport, TrackError> {
        let mut report = StepReport { step: self.steps, time: self.time, ..StepReport::default() };
        match self.options.method {
            _ if self.empty => {}
            Method::GridFree => self.grid_free_step(None, &mut report)?,
            Method::Improve => self.improve(&mut report)?,
        }
        Ok(report)
    }
    /// Sets the volume to which later ones are compared to the present volume. Waits.
    /// # Errors
    /// Errors of the driver.
    pub fn begin_here(&mut self) -> Result<Measures, TrackError> {
        let found = self.measure()?;
        self.volume = found.is_closed().then_some(found.volume);
        Ok(found)
    }
    /// Checks the mesh: its structure, and that its Euler characteristic is that of the beginning, or of the
    /// last change of the topology. Waits.
    /// # Errors
    /// [`Error::BrokenMesh`] names the faults; out of memory; errors of the driver.
    pub fn validate(&mut self) -> Result<(), TrackError> {
        Ok(self.mesh.validate_topology(&self.before)?)
    }
    /// A copy of the positions on the device, in the order of ids, which this makes contiguous.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn points(&mut self) -> Result<Buffer<Vec3>, TrackError> {
        if self.empty {
            return Ok(self.device().zeros(0)?);
        }
        self.compact()?;
        Ok(self.values.x.to_buffer(&self.mesh)?)
    }
    /// Copies of the positions and of the vertices of all faces, three for each, on the device and in the
    /// order of ids, which this makes contiguous. Waits for counts only.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn triangles(&mut self) -> Result<(Buffer<Vec3>, Buffer<u32>), TrackError> {
        if self.empty {
            return Ok((self.device().zeros(0)?, self.device().zeros(0)?));
        }
        Ok((self.points()?, phases::living_faces(&self.mesh)?))
    }
    /// The surface with its columns, in the order of ids. Makes these contiguous. If components are tracked,
    /// a column `component` has their ids. Columns that kernels do not carry get the values of the points of
    /// the input closest to the positions from which vertices, faces and corners come: interpolated, or those
    /// of the nearest vertex, according to their policies. Normals of vertices are those of the present
    /// surface, and normals of corners are dropped. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn download(&mut self) -> Result<TriangleMesh, TrackError> {
        self.compact()?;
        let (mut mesh, mut rows, mut labels) = (TriangleMesh::default(), vec![], vec![]);
        if !self.empty {
            let (x, faces) = (self.values.x.read(&self.mesh)?, self.mesh.read_faces()?);
            mesh = match self.origin == DVec3::ZERO {
                true => TriangleMesh::from_f32(x, faces),
                false => TriangleMesh::from_points_around(self.origin, &x, faces, Precision::Double),
            };
            rows = self.values.rows.iter().map(|row| row.read(&self.mesh)).collect::<Result<_, _>>()?;
            if let Some(of) = &self.values.labels {
                labels = of.read(&self.mesh)?;
            }
        }
        let vertices = mesh.positions.len();
        for followed in &self.followed {
            mesh.vertices_mut().insert_column(followed.column(&rows, vertices))?;
        }
        for name in &self.normals {
            let column = Column::with_role(name.clone(), Role::Normal, mesh.vertex_normals());
            mesh.vertices_mut().insert_column(column)?;
        }
        if let Some(trace) = &self.trace {
            trace.transfer(&mut mesh, rows.first().map_or(&[], Vec::as_slice))?;
        }
        if self.values.labels.is_some() {
            let id = |label: &u32| self.components.all.get(*label as usize).map_or(NONE, |c| c.id);
            let ids = labels.iter().map(id).collect::<Vec<u32>>();
            let column = Column::with_role(COMPONENT, Role::Custom, ids);
            mesh.vertices_mut().insert_column(column.with_policy(Policy::Nearest))?;
        }
        Ok(mesh)
    }
}

fn is_normal(column: &&Column) -> bool {
    column.role() == Role::Normal && column.policy() == Policy::Recompute
}
/// The point to which positions are relative.
fn origin_of(mesh: &TriangleMesh) -> DVec3 {
    if mesh.precision == Precision::Single {
        return DVec3::ZERO;
    }
    let corners = |f: &[u32; 3]| f.map(|v| mesh.positions.get(v as usize).copied().unwrap_or_default());
    let (mut farthest, mut long) = (0.0_f64, 0.0);
    for [a, b, c] in mesh.faces.iter().map(corners) {
        farthest = farthest.max(a.abs().max_element());
        long += a.distance(b) + b.distance(c) + c.distance(a);
    }
    let mean = long / (3 * mesh.faces.len()) as f64;
    let rounding = farthest * f64::from(f32::EPSILON) / 2.0;
    if rounding > ROUNDED * mean { mesh.local_origin() } else { DVec3::ZERO }
}

/// Chooses the columns that kernels carry, and makes the trace if there are others.
fn follow(
    dynamic: &DynamicMesh,
    inputs: &[u32],
    mesh: &TriangleMesh,
    points: &[Vec3],
    options: &TrackOptions,
    values: &mut Values,
) -> Result<(Vec<Followed>, Option<Trace>), TrackError> {
    // the column of components is made anew
    let is_old = |column: &Column| options.has_components() && column.name() == COMPONENT;
    let choose = |first: usize| {
        let (mut followed, mut numbers) = (Vec::new(), first);
        for column in mesh.vertices().iter().filter(|column| can_be_carried(column)) {
            let (width, at) = (column.width(), numbers);
            if at + width <= ROWS * ROW {
                numbers += width;
                followed.push(Followed { name: column.name().into(), width, at, column: column.clone() });
            }
        }
        (followed, numbers)
    };
    let names = |followed: &[Followed]| followed.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    let all = names(&choose(0).0);
    let trace = options.trace
        || Trace::is_needed(mesh, |column| is_old(column) || all.iter().any(|n| n == column.name()));
    // positions on the input are in the first row
    let (followed, numbers) = choose(if trace { ROW } else { 0 });
    let mut traced = None;
    if trace {
        let carried = names(&followed);
        let carried = |column: &Column| is_old(column) || carried.iter().any(|n| n == column.name());
        let trace = Trace::new(dynamic.device(), mesh, points, carried)?;
        values.rows.push(trace.rows(dynamic, inputs)?);
        traced = Some(trace);
    }
    for row in values.rows.len()..numbers.div_ceil(ROW) {
        let value = |input: u32, number: usize| {
            let column = followed.iter().find(|c| (c.at..c.at + c.width).contains(&number));
            let value =
                column.and_then(|c| c.column.scalars().as_f64(input as usize * c.width + number - c.at));
            value.unwrap_or(0.0) as f32
        };
        let of = |input: &u32| std::array::from_fn(|i| value(*input, row * ROW + i));
        let of_row: Vec<[f32; ROW]> = inputs.iter().map(of).collect();
        values.rows.push(Row::from_ids(dynamic, &of_row)?);
    }
    Ok((followed, traced))
}

impl Followed {
    /// The column with its present values.
    fn column(&self, rows: &[Vec<[f32; ROW]>], vertices: usize) -> Column {
        let all = (0..vertices).flat_map(|v| (self.at..self.at + self.width).map(move |i| (v, i)));
        let values = all.map(|(v, i)| rows[i / ROW][v][i % ROW]);
        let scalars = match self.column.scalar() {
            Scalar::U8 => Scalars::U8(values.map(|x| x.round() as u8).collect()),
            _ => Scalars::F32(values.collect()),
        };
        let (name, role) = (self.name.clone(), self.column.role());
        // the same number of values as before, so that this cannot fail
        Column::from_scalars(name, role, self.width, scalars).unwrap_or_else(|| self.column.clone())
    }
}
