//! Changing a surface near its intersections and necks, with the rest left on the device.
use super::components::Changes;
use super::error::TrackError;
use super::grid_free::{RELAXED, marked};
use super::pinch::cut_necks;
use super::report::GridFreeReport;
use super::shape::Shape;
use super::tracker::Tracker;
use super::values::{Row, Values};
use crate::rank::VERTICES;
use crate::region::{
    CopyListed, FindRoots, LeaveTaken, MarkAll, MarkListed, MarkNecks, MarkTaken, TakeMarked, UniteCorners,
};
use glam::DVec3;
use ribbonmesh::device::{ElementKind, NONE, Pod, tiles};
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Sizes};
use ribbonmesh::{Buffer, Device, FlatTopology, Result as LibraryResult, Vertex, array};
use ribbonmesh_inside::{InsideTest, Triangles};
use ribbonmesh_resolve::{ResolveError, ResolveOptions, resolve_region};
use rustc_hash::FxHashSet;

/// Rings of faces around what is to be changed, tried one after the other.
const RINGS: [u32; 3] = [4, 10, 30];
/// Attempts to resolve a region.
const ATTEMPTS: u32 = 20;
/// Edges of a hole that gets the triangulation of least weight, whose cost is that of their cube.
pub(super) const EXACT_UP_TO: u32 = 100;

/// What is to be done near some places.
pub(super) struct Near<'a> {
    /// The corners of all faces.
    pub faces: &'a Buffer<u32>,
    /// The pairs of faces that intersect.
    pub pairs: &'a [[u32; 2]],
    /// The labels of components that vanish.
    pub dying: &'a [u32],
    /// Whether necks are cut.
    pub necks: bool,
}

/// A part of the surface on the host, and where it came from.
struct Region {
    shape: Shape,
    /// 1 for each face that it has.
    taken: Buffer<u32>,
    /// The faces that intersect, by their numbers in the region.
    pairs: Vec<[u32; 2]>,
    /// Whether it has necks to be cut.
    necks: bool,
}

impl Tracker {
    /// Removes components, cuts necks and resolves intersections, and gives the surface on the device the outcome. Whether that was
    /// possible: else the surface is as it was.
    pub(super) fn change_near(
        &mut self,
        near: &Near<'_>,
        found: &mut GridFreeReport,
        changes: &mut Changes,
    ) -> Result<bool, TrackError> {
        for rings in RINGS {
            let Some(mut region) = self.region(near, rings)? else { return Ok(true) };
            let mut now = GridFreeReport::default();
            match self.changed_region(near, &mut region, &mut now)? {
                Ok(shape) => {
                    found.add_work(&now);
                    changes.add(self.splice(near, &region.taken, shape)?);
                    return Ok(true);
                }
                Err(ResolveError::Reached) => {}
                Err(_) => return Ok(false),
            }
        }
        Ok(false)
    }

    /// The faces up to so many rings around what is to be changed; none where nothing is.
    fn region(&mut self, near: &Near<'_>, rings: u32) -> LibraryResult<Option<Region>> {
        let device = self.device().clone();
        let (vertices, n) = (self.mesh.ids(ElementKind::Vertex) as usize, near.faces.len() / 3);
        let corners = near.faces.view().wide();
        let blocks = tiles(n as u32);
        let mut marks = device.zeros::<u32>(vertices)?;
        let mut seeds: Vec<u32> = near.pairs.as_flattened().to_vec();
        seeds.sort_unstable();
        seeds.dedup();
        let list = device.upload(&seeds)?;
        let listed = MarkListed { faces: corners, list: list.view(), marks: marks.view_mut() };
        device.launch(tiles(list.len() as u32), listed)?;
        let mut necks = false;
        if near.necks {
            let below = self.values.criteria.shortest * self.values.criteria.shortest;
            let mut at = device.zeros::<u32>(vertices)?;
            let mesh = self.mesh.refresh_view()?;
            let (x, n) = (self.values.x.view(), vertices as u32);
            device.launch(n.div_ceil(VERTICES), MarkNecks { mesh, x, n, below, marks: at.view_mut() })?;
            let at = array::select(&at)?;
            necks = !at.is_empty();
            array::scatter(&ones(&device, at.len())?, &at, &mut marks)?;
        }
        if !necks && near.pairs.is_empty() && near.dying.is_empty() {
            return Ok(None);
        }
        let mut taken = device.zeros::<u32>(n)?;
        for _ in 0..rings {
            device.launch(
                blocks,
                TakeMarked { faces: corners, marks: marks.view(), taken: taken.view_mut() },
            )?;
            device
                .launch(blocks, MarkTaken { faces: corners, taken: taken.view(), marks: marks.view_mut() })?;
        }
        let (list, ids) = (array::select(&taken)?, array::select(&marks)?);
        let mut faces = device.unspecified::<u32>(3 * list.len())?;
        let copy = CopyListed { faces: corners, list: list.view(), to: faces.view_mut().wide() };
        device.launch(tiles(list.len() as u32), copy)?;
        let rows = |row: &Row| array::gather(row.buffer(), &ids)?.read();
        let rows = self.values.rows.iter().map(rows).collect::<LibraryResult<_>>()?;
        let labels = match &self.values.labels {
            Some(labels) => array::gather(labels.buffer(), &ids)?.read()?,
            None => vec![NONE; ids.len()],
        };
        let x = array::gather(self.values.x.buffer(), &ids)?.read()?;
        let (ids, list, faces) = (ids.read()?, list.read()?, faces.read()?);
        let place = |of: &[u32], id: u32| of.binary_search(&id).map_or(NONE, |at| at as u32);
        let number = |v: &u32| place(&ids, *v);
        let faces = faces.as_chunks::<3>().0.iter().map(|face| face.each_ref().map(number)).collect();
        let pairs = near.pairs.iter().map(|pair| pair.map(|face| place(&list, face))).collect();
        let mut shape = Shape { x, faces, rows, labels, ids, frontier: FxHashSet::default() };
        shape.open_frontier();
        Ok(Some(Region { shape, taken, pairs, necks }))
    }

    /// What a region becomes.
    fn changed_region(
        &self,
        near: &Near<'_>,
        region: &mut Region,
        found: &mut GridFreeReport,
    ) -> Result<Result<Shape, ResolveError>, TrackError> {
        let mut shape = std::mem::take(&mut region.shape);
        let faces = shape.faces.len();
        if !near.dying.is_empty() {
            let labels = shape.labels.clone();
            shape.keep(|v| !near.dying.contains(&labels[v as usize]));
        }
        if region.necks {
            found.pinched += cut_necks(&mut shape, self.values.criteria.shortest);
            // crumbs of cuts need no resolving
            self.without_tiny(&mut shape);
        }
        let mut pairs = std::mem::take(&mut region.pairs);
        if found.pinched > 0 || shape.faces.len() != faces {
            pairs = shape.intersecting_pairs(self.device())?;
        }
        if pairs.is_empty() {
            return Ok(Ok(shape));
        }
        let whole = Triangles { positions: self.values.x.buffer(), faces: near.faces };
        let test = InsideTest::new(whole)?;
        let options =
            ResolveOptions { attempts: ATTEMPTS, exact_up_to: EXACT_UP_TO, ..ResolveOptions::default() };
        let resolved = |shape: &Shape, pairs: &[[u32; 2]]| {
            resolve_region(&test, &shape.mesh(), DVec3::ZERO, pairs, &options)
        };
        let mut done = resolved(&shape, &pairs);
        if !matches!(done, Ok(_) | Err(ResolveError::Library(_) | ResolveError::Reached)) {
            found.relaxed += 1;
            shape.relax(&marked(shape.faces.len(), &pairs), RELAXED);
            pairs = shape.intersecting_pairs(self.device())?;
            done = resolved(&shape, &pairs);
        }
        let (mesh, report) = match done {
            Ok(done) => done,
            Err(ResolveError::Library(error)) => return Err(error.into()),
            Err(error) => return Ok(Err(error)),
        };
        found.add_resolved(&report);
        let mut shape = shape.replaced_by(&mesh);
        self.without_tiny(&mut shape);
        Ok(Ok(shape))
    }

    /// Puts a part of a surface in the place of the faces that are taken, and removes components.
    fn splice(&mut self, near: &Near<'_>, taken: &Buffer<u32>, shape: Shape) -> Result<Changes, TrackError> {
        let Some(labels) = &self.values.labels else { return Ok(Changes::default()) };
        let device = self.device().clone();
        let (vertices, n) = (self.mesh.ids(ElementKind::Vertex) as usize, near.faces.len() / 3);
        let mut vanishes = vec![0_u32; self.components.all.len()];
        near.dying.iter().for_each(|label| vanishes[*label as usize] = 1);
        let components = device.upload(&vanishes)?;
        let mut left = device.unspecified::<u32>(n)?;
        let (corners, labels) = (near.faces.view().wide(), labels.view());
        let (taken, components) = (taken.view(), components.view());
        let leave = LeaveTaken { faces: corners, taken, labels, components, left: left.view_mut() };
        device.launch(tiles(n as u32), leave)?;
        let left = array::select(&left)?;
        // ids of new vertices come behind the others
        let new: Vec<usize> = (0..shape.x.len()).filter(|&v| shape.ids[v] == NONE).collect();
        let mut ids = shape.ids.clone();
        new.iter().zip(vertices as u32..).for_each(|(&v, id)| ids[v] = id);
        let added: Vec<u32> = shape.faces.as_flattened().iter().map(|v| ids[*v as usize]).collect();
        self.empty = left.is_empty() && added.is_empty();
        if self.empty {
            return Ok(self.components.follow(&mut Shape::default()));
        }
        let mut faces = device.unspecified::<u32>(3 * left.len() + added.len())?;
        let copy = CopyListed { faces: corners, list: left.view(), to: faces.view_mut().wide() };
        device.launch(tiles(left.len() as u32), copy)?;
        faces.write_range(3 * left.len(), &added)?;
        // contiguous numbers, those of new vertices last
        let mut marks = device.zeros::<u32>(vertices + new.len())?;
        let total = (faces.len() / 3) as u32;
        device.launch(tiles(total), MarkAll { faces: faces.view().wide(), marks: marks.view_mut() })?;
        let used = array::select(&marks)?;
        let count = array::exclusive_scan(&mut marks)? as usize;
        let old = array::gather(&used, &array::count_up(&device, (count - new.len()) as u32)?)?;
        let flat = FlatTopology::from_buffer(count, array::gather(&marks, &faces)?)?;
        if flat.boundary_edges() > 0 {
            let why = format!("{} edges have one face", flat.boundary_edges());
            return Err(TrackError::Tangled { time: self.time, pairs: 0, why });
        }
        let mesh = DynamicMesh::from_flat(&flat, self.options.spare)?;
        let x: Vec<_> = new.iter().map(|&v| shape.x[v]).collect();
        let mut values =
            Values::new(&mesh, taken_over(&mesh, &self.values.x, &old, &x)?, self.values.criteria)?;
        for (row, of) in self.values.rows.iter().zip(&shape.rows) {
            let of: Vec<_> = new.iter().map(|&v| of[v]).collect();
            values.rows.push(taken_over(&mesh, row, &old, &of)?);
        }
        // the labels of before, for the components of now
        let of_new: Vec<u32> = new.iter().map(|&v| shape.labels[v]).collect();
        let mut before = match &self.values.labels {
            Some(labels) => array::gather(labels.buffer(), &old)?.read()?,
            None => vec![],
        };
        before.extend(of_new);
        let (component, parts) = components_of(&device, &flat, count as u32)?;
        values.labels = Some(DynamicAttribute::from_buffer(&mesh, &component)?);
        let sizes = [count, flat.edges(), flat.faces()].map(|n| n as u32);
        self.put(mesh, values, Sizes::of(sizes));
        let measured = super::phases::measure_components(&self.mesh, &self.values, parts, self.length)?;
        Ok(self.components.follow_votes(&before, &component.read()?, &measured))
    }
}

fn ones(device: &Device, n: usize) -> LibraryResult<Buffer<u32>> {
    let mut ones = device.unspecified::<u32>(n)?;
    array::fill(&mut ones, 1)?;
    Ok(ones)
}

/// The values of some vertices, and of new ones behind them.
fn taken_over<T: Pod>(
    mesh: &DynamicMesh,
    from: &DynamicAttribute<Vertex, T>,
    old: &Buffer<u32>,
    new: &[T],
) -> LibraryResult<DynamicAttribute<Vertex, T>> {
    DynamicAttribute::from_both(mesh, &array::gather(from.buffer(), old)?, new)
}

/// The component of each vertex, numbered by their first vertices, and how many there are.
fn components_of(device: &Device, flat: &FlatTopology, vertices: u32) -> LibraryResult<(Buffer<u32>, usize)> {
    let mut parents = array::count_up(device, vertices)?;
    let faces = flat.face_vertices().view().wide();
    device.launch(tiles(flat.faces() as u32), UniteCorners { faces, parents: parents.view_mut() })?;
    let mut roots = device.unspecified::<u32>(vertices as usize)?;
    let mut numbers = device.unspecified::<u32>(vertices as usize)?;
    let find = FindRoots {
        n: vertices,
        parents: parents.view_mut(),
        roots: roots.view_mut(),
        is_root: numbers.view_mut(),
    };
    device.launch(tiles(vertices), find)?;
    let count = array::exclusive_scan(&mut numbers)?;
    Ok((array::gather(&numbers, &roots)?, count as usize))
}
