//! Steps after which no two faces intersect.
use super::components::{Changes, Component};
use super::error::TrackError;
use super::flow::{Flow, Places};
use super::lost::Lost;
use super::phases;
use super::pinch::cut_necks;
use super::region::{EXACT_UP_TO, Near};
use super::report::{GridFreeReport, StepReport};
use super::shape::{Measured, Shape};
use super::tracker::Tracker;
use super::values::{Row, Values};
use glam::{DVec3, Vec3};
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::NONE;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Gaps, Sizes, Snapshot};
use ribbonmesh::{Buffer, Device, Result as LibraryResult, Vertex};
use ribbonmesh_solid::boolean::{BooleanOptions, boolean};
use ribbonmesh_solid::inside::InsideTest;
use ribbonmesh_solid::intersections::{Triangles, self_intersections, self_intersections_in};
use ribbonmesh_solid::resolve::{ResolveOptions, ResolveReport, ResolvedRegion, resolve_region};
use std::time::Instant;

/// Most parts into which a step is divided.
const MOST_PARTS: u32 = 8;
/// Most searches in a step or a part of it; each one follows the changes of the one before.
const ROUNDS: u32 = 4;
/// Number of times that vertices at intersections are relaxed (the paper's number).
pub(super) const RELAXED: u32 = 5;
/// Volume below which a component vanishes, in cubes of the length, if its area is below [`LEAST_AREA`], in
/// squares of the length.
const LEAST_VOLUME: f64 = 0.05;
const LEAST_AREA: f64 = 4.0;
/// Volume below which a component is small, in cubes of the length: it may turn inside out, which means that
/// it has vanished, and it is removed if its intersections cannot be resolved.
const SMALL: f64 = 2.0;

/// The surface as it was before a step.
pub(super) struct Before {
    mesh: Snapshot,
    x: DynamicAttribute<Vertex, Vec3>,
    rank: DynamicAttribute<Vertex, u32>,
    rows: Vec<Row>,
    labels: Option<DynamicAttribute<Vertex, u32>>,
    scale: Option<DynamicAttribute<Vertex, f32>>,
    components: Vec<Component>,
    next: u32,
    sizes: Sizes,
    time: f64,
    gaps: Gaps,
}

impl Before {
    pub(super) fn new(tracker: &Tracker) -> LibraryResult<Self> {
        let values = &tracker.values;
        Ok(Self {
            mesh: tracker.mesh.snapshot()?,
            x: values.x.try_clone()?,
            rank: values.rank.try_clone()?,
            rows: values.rows.iter().map(Row::try_clone).collect::<LibraryResult<_>>()?,
            labels: values.labels.as_ref().map(DynamicAttribute::try_clone).transpose()?,
            scale: values.scale.as_ref().map(DynamicAttribute::try_clone).transpose()?,
            components: tracker.components.all.clone(),
            next: tracker.components.next,
            sizes: tracker.before,
            time: tracker.time,
            gaps: tracker.gaps,
        })
    }
    pub(super) fn restore(&self, tracker: &mut Tracker) -> LibraryResult<()> {
        if let Some((mesh, values)) = tracker.replaced.take() {
            (tracker.mesh, tracker.values) = (mesh, values);
        }
        tracker.mesh.restore(&self.mesh)?;
        let values = &mut tracker.values;
        values.x.restore(&self.x)?;
        values.rank.restore(&self.rank)?;
        for (row, copy) in values.rows.iter_mut().zip(&self.rows) {
            row.restore(copy)?;
        }
        if let (Some(labels), Some(copy)) = (&mut values.labels, &self.labels) {
            labels.restore(copy)?;
        }
        if let (Some(scale), Some(copy)) = (&mut values.scale, &self.scale) {
            scale.restore(copy)?;
        }
        tracker.components.all.clone_from(&self.components);
        tracker.components.next = self.next;
        (tracker.before, tracker.time) = (self.sizes, self.time);
        tracker.gaps = self.gaps;
        Ok(())
    }
}

impl Tracker {
    /// Makes one step of the method: whole, or else in two, four or eight parts. Each part moves, improves
    /// and resolves. Without a motion the step improves and resolves.
    pub(super) fn grid_free_step(
        &mut self,
        mut motion: Option<(f64, &mut dyn Flow)>,
        report: &mut StepReport,
    ) -> Result<(), TrackError> {
        // velocities of vertices refer to ids, which compaction changes
        let by_ids = motion.as_ref().is_some_and(|(_, flow)| !flow.may_repeat());
        if self.is_worth_compacting() && !by_ids {
            self.compact()?;
        }
        let before = Before::new(self)?;
        let mut parts = 1;
        let done = loop {
            self.held = true;
            let done = self.in_parts(parts, &mut motion);
            self.held = false;
            match done {
                Ok(done) => break done,
                Err(error) => {
                    before.restore(self)?;
                    let may_repeat = motion.as_ref().is_some_and(|(_, flow)| flow.may_repeat());
                    let tangled = matches!(error, TrackError::Tangled { .. } | TrackError::InsideOut { .. });
                    if !(tangled && may_repeat && parts < MOST_PARTS) {
                        return Err(error);
                    }
                    parts *= 2;
                }
            }
        };
        self.replaced = None;
        report.add(done);
        Ok(())
    }
    fn in_parts(
        &mut self,
        parts: u32,
        motion: &mut Option<(f64, &mut dyn Flow)>,
    ) -> Result<StepReport, TrackError> {
        let (mut all, mut found) = (StepReport::default(), GridFreeReport { parts, ..Default::default() });
        let (begin, mut changes) = (self.time, Changes::default());
        for part in 1..=parts {
            if self.empty {
                break;
            }
            let mut report = StepReport::default();
            if let Some((dt, flow)) = motion {
                let dt = *dt / f64::from(parts);
                self.time = begin + f64::from(part - 1) * dt;
                self.move_by(dt, *flow, &mut report)?;
            }
            if self.options.improve {
                self.improve(&mut report)?;
            }
            self.correct(&mut report)?;
            let pinching = report.pinching;
            all.add(report);
            let lost = match motion {
                Some((dt, flow)) => {
                    let time = self.time + *dt / f64::from(parts);
                    flow.lost(&Places { mesh: &self.mesh, x: &self.values.x, time })?
                }
                None => None,
            };
            self.untangle(pinching > 0, lost, &mut found, &mut changes)?;
        }
        if let Some((dt, _)) = motion {
            self.time = begin + *dt;
        }
        found.components = self.components.all.len() as u64;
        (found.born, found.merged, found.died) = (changes.born, changes.merged, changes.died);
        all.grid_free = Some(found);
        Ok(all)
    }

    /// The pairs of faces that intersect, as indices among those that are not deleted. Waits.
    pub(super) fn intersecting_pairs(&self) -> LibraryResult<Vec<[u32; 2]>> {
        self.pairs_among(&phases::living_faces(&self.mesh)?)
    }
    pub(super) fn pairs_among(&self, faces: &Buffer<u32>) -> LibraryResult<Vec<[u32; 2]>> {
        self_intersections(Triangles { positions: self.values.x.buffer(), faces })?.pairs.read()
    }
    /// Measures each component. Waits.
    pub(super) fn measure_components(&self) -> LibraryResult<Vec<Measured>> {
        phases::measure_components(&self.mesh, &self.values, self.components.all.len(), self.length)
    }

    /// Removes components that have vanished, cuts necks, deletes faces at lost vertices, and resolves
    /// intersections, until no work is left.
    fn untangle(
        &mut self,
        mut necks: bool,
        mut lost: Option<Buffer<u32>>,
        found: &mut GridFreeReport,
        changes: &mut Changes,
    ) -> Result<(), TrackError> {
        let mut last = String::new();
        let mut left = 0;
        // whether the round before has left no two faces that intersect
        let mut clear = false;
        for _ in 0..ROUNDS {
            if self.empty {
                return Ok(());
            }
            let measured = self.measure_components()?;
            let mut dying = self.dying(&measured)?;
            let volume: f64 = measured.iter().map(|part| part.volume).sum();
            for (component, measured) in self.components.all.iter_mut().zip(&measured) {
                component.volume = measured.volume;
            }
            if clear && dying.is_empty() {
                return Ok(());
            }
            let start = Instant::now();
            let living = phases::living(&self.mesh)?;
            let triangles = Triangles { positions: self.values.x.buffer(), faces: &living.faces };
            let tree = Bvh::from_buffers(triangles.positions, triangles.faces)?;
            found.tree_seconds += start.elapsed().as_secs_f64();
            let start = Instant::now();
            let mut pairs = self_intersections_in(triangles, &tree)?.pairs.read()?;
            left = pairs.len() as u64;
            found.search_seconds += start.elapsed().as_secs_f64();
            if let Some(lost) = lost.take() {
                let Lost { faces, links } = self.at_lost(&living, &lost, &mut dying)?;
                found.lost += faces.len() as u64;
                // a face that is deleted for its own sake is a pair with itself
                pairs.extend(faces.iter().map(|face| [*face; 2]).chain(links));
            }
            if pairs.is_empty() && dying.is_empty() && !necks {
                return Ok(());
            }
            let start = Instant::now();
            found.pairs += left;
            let necks = std::mem::take(&mut necks);
            let near = Near { living: &living, tree: &tree, pairs: &pairs, dying: &dying, necks, at: None };
            clear = match self.change_near(&near, found, changes)? {
                Some(clear) => clear,
                None => {
                    found.whole += 1;
                    match self.changed(&near, found) {
                        Ok(None) => {}
                        Ok(Some(mut shape)) => {
                            changes.add(self.components.follow(&mut shape));
                            self.replace(&shape)?;
                        }
                        Err(why) => {
                            last = why;
                            break;
                        }
                    }
                    false
                }
            };
            found.volume_change += self.components.all.iter().map(|part| part.volume).sum::<f64>() - volume;
            found.resolve_seconds += start.elapsed().as_secs_f64();
        }
        if left == 0 && last.is_empty() {
            // the last round may have resolved all intersections
            left = if self.empty { 0 } else { self.intersecting_pairs()?.len() as u64 };
            if left == 0 {
                return Ok(());
            }
        }
        Err(TrackError::Tangled { time: self.time, pairs: left, why: last })
    }
    /// The labels of components that have vanished.
    fn dying(&self, measured: &[Measured]) -> Result<Vec<u32>, TrackError> {
        let cube = f64::from(self.length).powi(3);
        let mut dying = vec![];
        for (label, (component, now)) in (0..).zip(self.components.all.iter().zip(measured)) {
            let turned = component.volume * now.volume < 0.0;
            if turned && component.volume.abs().min(now.volume.abs()) > SMALL * cube {
                return Err(TrackError::InsideOut { time: self.time, component: component.id });
            }
            if turned || self.is_tiny(now) {
                dying.push(label);
            }
        }
        Ok(dying)
    }
    fn is_tiny(&self, part: &Measured) -> bool {
        let length = f64::from(self.length);
        part.volume.abs() < LEAST_VOLUME * length.powi(2) * length && part.area < self.least_area()
    }
    /// The area below which a component may vanish.
    fn least_area(&self) -> f64 {
        LEAST_AREA * f64::from(self.length).powi(2)
    }

    /// The changed surface, without intersections; `pairs` are the intersecting pairs before. `None` if
    /// nothing changes. An error gives the reason why there is no such surface.
    fn changed(&self, near: &Near<'_>, found: &mut GridFreeReport) -> Result<Option<Shape>, String> {
        let mut shape = self.read_shape().map_err(|error| error.to_string())?;
        let device = self.device();
        let changed = self.cut(near, &mut shape, found);
        let mut pairs = near.pairs.to_vec();
        if changed {
            pairs = shape.intersecting_pairs(near.pairs);
        }
        if pairs.is_empty() {
            return Ok(changed.then_some(shape));
        }
        let mut resolved = resolved(device, &shape, &pairs, found);
        if resolved.is_err() {
            found.relaxed += 1;
            let faces: Vec<u32> = marked(shape.faces.len(), &pairs);
            shape.relax(&faces, RELAXED);
            pairs = shape.intersecting_pairs(near.pairs);
            resolved = self::resolved(device, &shape, &pairs, found);
        }
        if resolved.is_err() && self.without_small(&mut shape, &pairs, found) {
            pairs = shape.intersecting_pairs(near.pairs);
            resolved = self::resolved(device, &shape, &pairs, found);
        }
        let mut shape = resolved?;
        self.without_tiny(&mut shape);
        Ok(Some(shape))
    }
    /// Removes components, and cuts necks. Returns whether the surface changed.
    pub(super) fn cut(&self, near: &Near<'_>, shape: &mut Shape, found: &mut GridFreeReport) -> bool {
        let (faces, mut cuts) = (shape.faces.len(), 0);
        if !near.dying.is_empty() {
            let labels = shape.labels.clone();
            shape.keep(|v| !near.dying.contains(&labels[v as usize]));
        }
        if near.necks {
            let place = |id: &u32| shape.ids.binary_search(id).ok().map(|place| place as u32);
            let at = match near.at {
                Some(ids) => ids.iter().filter_map(place).collect(),
                None => (0..shape.x.len() as u32).collect::<Vec<u32>>(),
            };
            let necks = cut_necks(shape, &at, self.values.criteria.shortest, self.least_area());
            // tiny parts that cuts leave are removed, not resolved
            if necks.small {
                self.without_tiny(shape);
            }
            cuts = necks.cuts;
        }
        found.pinched += cuts;
        cuts > 0 || shape.faces.len() != faces
    }
    /// Removes closed components below the least volume.
    pub(super) fn without_tiny(&self, shape: &mut Shape) {
        let (component, count) = shape.components();
        let mut tiny: Vec<bool> =
            shape.measure(&component, count).iter().map(|part| self.is_tiny(part)).collect();
        if tiny.contains(&true) {
            shape.ends().into_iter().for_each(|v| tiny[component[v as usize] as usize] = false);
        }
        if tiny.contains(&true) {
            shape.keep(|v| !tiny[component[v as usize] as usize]);
        }
    }
    /// Removes small components that intersect others. Returns whether there were any.
    fn without_small(&self, shape: &mut Shape, pairs: &[[u32; 2]], found: &mut GridFreeReport) -> bool {
        let (component, count) = shape.components();
        let least = SMALL * f64::from(self.length).powi(3);
        let mut small: Vec<bool> =
            shape.measure(&component, count).iter().map(|part| part.volume.abs() < least).collect();
        let mut meets = vec![false; count];
        for face in marked(shape.faces.len(), pairs) {
            meets[component[shape.faces[face as usize][0] as usize] as usize] = true;
        }
        small.iter_mut().zip(&meets).for_each(|(small, meets)| *small &= meets);
        let any = small.contains(&true);
        found.removed += small.iter().filter(|small| **small).count() as u64;
        shape.keep(|v| !small[component[v as usize] as usize]);
        any
    }

    /// The surface on the host. Waits.
    fn read_shape(&self) -> LibraryResult<Shape> {
        let faces: Vec<[u32; 3]> =
            self.mesh.read_faces()?.into_iter().filter(|face| face[0] != NONE).collect();
        let x = self.values.x.read(&self.mesh)?;
        let rows = self.values.rows.iter().map(|row| row.read(&self.mesh)).collect::<LibraryResult<_>>()?;
        let labels = match &self.values.labels {
            Some(labels) => labels.read(&self.mesh)?,
            None => vec![0; x.len()],
        };
        let ids = (0..x.len() as u32).collect();
        let of = (0..faces.len() as u32).collect();
        let mut shape = Shape { x, faces, of, rows, labels, ids };
        let mut used = vec![false; shape.x.len()];
        shape.faces.as_flattened().iter().for_each(|v| used[*v as usize] = true);
        shape.keep(|v| used[v as usize]);
        Ok(shape)
    }
    /// Replaces the surface on the device.
    fn replace(&mut self, shape: &Shape) -> Result<(), TrackError> {
        self.empty = shape.faces.is_empty();
        if self.empty {
            return Ok(());
        }
        let (mesh, mut values, flat) = self.made_of(&shape.x, &shape.faces, &shape.rows)?;
        if flat.boundary_edges() > 0 {
            let why = format!("{} edges have one face", flat.boundary_edges());
            return Err(TrackError::Tangled { time: self.time, pairs: 0, why });
        }
        values.labels = Some(DynamicAttribute::from_ids(&mesh, &shape.labels)?);
        let sizes = [flat.vertices(), flat.edges(), flat.faces()].map(|n| n as u32);
        self.put(mesh, values, Sizes::of(sizes));
        Ok(())
    }
    /// Replaces the mesh, with its values.
    pub(super) fn put(&mut self, mut mesh: DynamicMesh, mut values: Values, sizes: Sizes) {
        std::mem::swap(&mut self.mesh, &mut mesh);
        std::mem::swap(&mut self.values, &mut values);
        // the first replaced mesh is the one to be restored
        if self.held && self.replaced.is_none() {
            self.replaced = Some((mesh, values));
        }
        self.before = sizes;
        self.gaps = Gaps::default();
    }
}

/// The faces of some pairs, each once, ascending.
pub(super) fn marked(faces: usize, pairs: &[[u32; 2]]) -> Vec<u32> {
    let mut marks = vec![false; faces];
    pairs.iter().flatten().for_each(|face| marks[*face as usize] = true);
    (0..faces as u32).filter(|face| marks[*face as usize]).collect()
}

/// Resolves the intersections of the components that have some.
fn resolved(
    device: &Device,
    shape: &Shape,
    pairs: &[[u32; 2]],
    found: &mut GridFreeReport,
) -> Result<Shape, String> {
    if pairs.is_empty() {
        return Ok(shape.clone());
    }
    let (component, count) = shape.components();
    let of_face = |face: u32| component[shape.faces[face as usize][0] as usize] as usize;
    // voids, which are inside out, are included, since they decide what is inside of the others
    let mut meets: Vec<bool> =
        shape.measure(&component, count).iter().map(|part| part.volume < 0.0).collect();
    if meets.contains(&true) {
        meets.fill(true);
    }
    pairs.iter().flatten().for_each(|face| meets[of_face(*face)] = true);
    let mut others = shape.clone();
    others.keep(|v| !meets[component[v as usize] as usize]);
    let mut part = shape.clone();
    part.keep(|v| meets[component[v as usize] as usize]);
    let ResolvedRegion { mesh, vertices: from, faces, report } = resolved_part(device, &part)?;
    found.add_resolved(&report);
    others.append(part.replaced_by(&mesh, &from, &faces));
    Ok(others)
}

/// Resolves all intersections of a closed surface; also returns the vertices and faces from which those of
/// the result come. First as a region that has all faces, which keeps the length of edges; where that fails,
/// exactly.
fn resolved_part(device: &Device, part: &Shape) -> Result<ResolvedRegion, String> {
    let library = |error: ribbonmesh::Error| error.to_string();
    let mesh = part.mesh();
    let positions = device.upload(&part.x).map_err(library)?;
    let faces = device.upload(part.faces.as_flattened()).map_err(library)?;
    let triangles = Triangles { positions: &positions, faces: &faces };
    let pairs = self_intersections(triangles).and_then(|found| found.pairs.read()).map_err(library)?;
    let test = InsideTest::new(triangles).map_err(library)?;
    let options = ResolveOptions { exact_up_to: EXACT_UP_TO, ..ResolveOptions::default() };
    if let Ok(done) = resolve_region(&test, &mesh, DVec3::ZERO, &pairs, &options) {
        return Ok(done);
    }
    let (mesh, exact) =
        boolean(device, &[mesh], &BooleanOptions::default()).map_err(|error| error.to_string())?;
    let report = ResolveReport {
        intersecting_pairs: exact.intersecting_pairs as u64,
        attempts: 1,
        faces_cut: exact.faces_cut,
        ..ResolveReport::default()
    };
    let (vertices, faces) = (part.vertices_at(&mesh), vec![None; mesh.faces.len()]);
    Ok(ResolvedRegion { mesh, vertices, faces, report })
}
