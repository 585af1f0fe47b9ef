//! Changes of a surface near its intersections and necks; the rest stays on the device.
use super::components::Changes;
use super::error::TrackError;
use super::grid_free::{RELAXED, marked};
use super::phases::measure_components;
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
use ribbonmesh_solid::inside::{InsideTest, Triangles};
use ribbonmesh_solid::resolve::{ResolveError, ResolveOptions, resolve_region};
use rustc_hash::FxHashSet;

/// Rings of faces around the places to be changed.
const RINGS: u32 = 4;
/// Numbers of rings of further attempts, one after the other; the last attempt takes all faces.
const FURTHER: [u32; 3] = [6, 20, 60];
/// Attempts to resolve a region, and again after its vertices at intersections were relaxed. The larger holes
/// grow, the more the volume changes.
const ATTEMPTS: [u32; 2] = [12, 40];
/// Most edges of a hole that gets the triangulation of least weight, whose cost is proportional to their
/// cube.
pub(super) const EXACT_UP_TO: u32 = 100;

/// Places to be changed.
pub(super) struct Near<'a> {
    /// The corners of all faces.
    pub faces: &'a Buffer<u32>,
    /// The pairs of faces that intersect.
    pub pairs: &'a [[u32; 2]],
    /// The labels of components that have vanished.
    pub dying: &'a [u32],
    /// Whether there may be necks to be cut.
    pub necks: bool,
}

/// A part of the surface on the host, and its faces on the device.
struct Region {
    shape: Shape,
    /// 1 for each face of the surface that the part has.
    taken: Buffer<u32>,
    /// The faces that intersect, as indices into the region.
    pairs: Vec<[u32; 2]>,
}

/// Result of changing a region.
enum Changed {
    Into(Shape),
    /// The region is too small: faces are to be deleted at these vertices, which are on its border.
    TooSmall {
        reached: Vec<u32>,
    },
    /// Intersections could not be resolved.
    Not,
}

impl Tracker {
    /// Removes components, cuts necks and resolves intersections, and replaces that part of the surface on
    /// the device. Returns whether that was possible; if not, the surface is unchanged.
    pub(super) fn change_near(
        &mut self,
        near: &Near<'_>,
        found: &mut GridFreeReport,
        changes: &mut Changes,
    ) -> Result<bool, TrackError> {
        let (seeds, necks) = self.seeds(near)?;
        if !necks && near.pairs.is_empty() && near.dying.is_empty() {
            return Ok(true);
        }
        match self.shape_near(&Near { necks, ..*near }, &seeds, found)? {
            Some((taken, shape)) => {
                changes.add(self.splice(near, &taken, shape)?);
                Ok(true)
            }
            None => Ok(false),
        }
    }
    /// The vertices at the places to be changed, except those of components that vanish: 1 for each, else 0;
    /// and whether there are necks.
    fn seeds(&mut self, near: &Near<'_>) -> LibraryResult<(Buffer<u32>, bool)> {
        let (device, n) = (self.device().clone(), self.mesh.ids(ElementKind::Vertex));
        let mut marks = device.zeros::<u32>(n as usize)?;
        let mut necks = false;
        if near.necks {
            let below = self.values.criteria.shortest * self.values.criteria.shortest;
            let (mesh, x) = (self.mesh.refresh_view()?, self.values.x.view());
            device.launch(n.div_ceil(VERTICES), MarkNecks { mesh, x, n, below, marks: marks.view_mut() })?;
            necks = array::max(&marks)? == Some(1);
        }
        let list = device.upload(&marked(near.faces.len() / 3, near.pairs))?;
        let faces = near.faces.view().wide();
        let listed = MarkListed { faces, list: list.view(), marks: marks.view_mut() };
        device.launch(tiles(list.len() as u32), listed)?;
        Ok((marks, necks))
    }
    /// Changes the faces around the seeds, with more rings if they are not enough. Returns marks of these
    /// faces, and the new shape; `None` if that is not possible.
    fn shape_near(
        &self,
        near: &Near<'_>,
        seeds: &Buffer<u32>,
        found: &mut GridFreeReport,
    ) -> Result<Option<(Buffer<u32>, Shape)>, TrackError> {
        let mut test = None;
        let mut inner = self.grown(near, seeds.try_clone()?, RINGS - 1)?;
        let mut further = FURTHER.map(Some).into_iter().chain([None]);
        loop {
            let Region { shape, taken, pairs } = self.region(near, &inner)?;
            let mut now = GridFreeReport::default();
            let reached = match self.changed_region(near, shape, pairs, &mut test, &mut now)? {
                Changed::Into(shape) => {
                    found.add_work(&now);
                    return Ok(Some((taken, shape)));
                }
                Changed::TooSmall { reached } => reached,
                Changed::Not => return Ok(None),
            };
            match further.next() {
                Some(Some(rings)) => self.widen(near, &mut inner, reached, rings)?,
                Some(None) => {
                    let (device, n) = (self.device(), (near.faces.len() / 3) as u32);
                    let faces = near.faces.view().wide();
                    device.launch(tiles(n), MarkAll { faces, marks: inner.view_mut() })?;
                }
                None => return Ok(None),
            }
        }
    }
    /// Marks in `inner` the vertices up to this many rings around those of `around`, or, if that is empty,
    /// around the marked ones.
    fn widen(
        &self,
        near: &Near<'_>,
        inner: &mut Buffer<u32>,
        around: Vec<u32>,
        rings: u32,
    ) -> LibraryResult<()> {
        let device = self.device();
        let mut marks = device.zeros::<u32>(inner.len())?;
        if around.is_empty() {
            marks = inner.try_clone()?;
        }
        let add = |marks: &mut Buffer<u32>, ids: &Buffer<u32>| {
            array::scatter(&device.upload(&vec![1; ids.len()])?, ids, marks)
        };
        add(&mut marks, &device.upload(&around)?)?;
        let marks = self.grown(near, marks, rings)?;
        add(inner, &array::select(&marks)?)
    }
    /// The vertices up to this many rings around some: 1 for each, else 0.
    fn grown(&self, near: &Near<'_>, mut marks: Buffer<u32>, rings: u32) -> LibraryResult<Buffer<u32>> {
        let mut taken = self.device().unspecified::<u32>(near.faces.len() / 3)?;
        for _ in 0..rings {
            self.take(near, &mut marks, &mut taken)?;
        }
        Ok(marks)
    }
    /// Takes the faces with a marked vertex, and marks all of their vertices.
    fn take(&self, near: &Near<'_>, marks: &mut Buffer<u32>, taken: &mut Buffer<u32>) -> LibraryResult<()> {
        let (device, faces) = (self.device(), near.faces.view().wide());
        let blocks = tiles((near.faces.len() / 3) as u32);
        device.launch(blocks, TakeMarked { faces, marks: marks.view(), taken: taken.view_mut() })?;
        device.launch(blocks, MarkTaken { faces, taken: taken.view(), marks: marks.view_mut() })
    }

    /// The faces around some vertices.
    fn region(&self, near: &Near<'_>, inner: &Buffer<u32>) -> LibraryResult<Region> {
        let (device, n) = (self.device(), near.faces.len() / 3);
        let corners = near.faces.view().wide();
        let mut marks = inner.try_clone()?;
        let mut taken = device.unspecified::<u32>(n)?;
        self.take(near, &mut marks, &mut taken)?;
        let (list, ids) = (array::select(&taken)?, array::select(&marks)?);
        let mut faces = device.unspecified::<u32>(3 * list.len())?;
        let copy = CopyListed { faces: corners, list: list.view(), to: faces.view_mut().wide() };
        device.launch(tiles(list.len() as u32), copy)?;
        array::exclusive_scan(&mut marks)?;
        let faces = array::gather(&marks, &faces)?.read()?;
        let rows = |row: &Row| array::gather(row.buffer(), &ids)?.read();
        let rows = self.values.rows.iter().map(rows).collect::<LibraryResult<_>>()?;
        let labels = match &self.values.labels {
            Some(labels) => array::gather(labels.buffer(), &ids)?.read()?,
            None => vec![NONE; ids.len()],
        };
        let x = array::gather(self.values.x.buffer(), &ids)?.read()?;
        let (ids, list) = (ids.read()?, list.read()?);
        let place = |face: u32| list.binary_search(&face).map_or(NONE, |at| at as u32);
        let faces = faces.as_chunks::<3>().0.to_vec();
        let pairs = near.pairs.iter().map(|pair| pair.map(place)).collect();
        let mut shape = Shape { x, faces, rows, labels, ids, frontier: FxHashSet::default() };
        shape.open_frontier();
        Ok(Region { shape, taken, pairs })
    }

    /// Changes a region. `test` is made when it is first needed.
    fn changed_region<'t>(
        &'t self,
        near: &Near<'t>,
        mut shape: Shape,
        mut pairs: Vec<[u32; 2]>,
        test: &mut Option<InsideTest<'t>>,
        found: &mut GridFreeReport,
    ) -> Result<Changed, TrackError> {
        if self.cut(near, &mut shape, found) {
            pairs = shape.intersecting_pairs(self.device())?;
        }
        if pairs.is_empty() {
            return Ok(Changed::Into(shape));
        }
        let test = match test {
            Some(test) => test,
            None => {
                let whole = Triangles { positions: self.values.x.buffer(), faces: near.faces };
                test.insert(InsideTest::new(whole)?)
            }
        };
        let resolved = |shape: &Shape, pairs: &[[u32; 2]], attempts: u32| {
            let options = ResolveOptions { attempts, exact_up_to: EXACT_UP_TO, ..ResolveOptions::default() };
            resolve_region(test, &shape.mesh(), DVec3::ZERO, pairs, &options)
        };
        let mut done = resolved(&shape, &pairs, ATTEMPTS[0]);
        if !matches!(done, Ok(_) | Err(ResolveError::Library(_) | ResolveError::Reached { .. })) {
            found.relaxed += 1;
            shape.relax(&marked(shape.faces.len(), &pairs), RELAXED);
            pairs = shape.intersecting_pairs(self.device())?;
            done = resolved(&shape, &pairs, ATTEMPTS[1]);
        }
        let done = match done {
            Ok(done) => done,
            Err(ResolveError::Library(error)) => return Err(error.into()),
            Err(ResolveError::Reached { vertices }) => {
                let ids = vertices.iter().map(|v| shape.ids[*v as usize]);
                return Ok(Changed::TooSmall { reached: ids.filter(|id| *id != NONE).collect() });
            }
            Err(_) => return Ok(Changed::Not),
        };
        found.add_resolved(&done.report);
        let mut shape = shape.replaced_by(&done.mesh, &done.vertices);
        self.without_tiny(&mut shape);
        Ok(Changed::Into(shape))
    }

    /// Replaces the faces that are taken with a part of a surface, and removes components.
    fn splice(&mut self, near: &Near<'_>, taken: &Buffer<u32>, shape: Shape) -> Result<Changes, TrackError> {
        let Some(labels) = &self.values.labels else { return Ok(Changes::default()) };
        let device = self.device().clone();
        let (vertices, n) = (self.mesh.ids(ElementKind::Vertex) as usize, near.faces.len() / 3);
        let mut vanishes = vec![0_u32; self.components.all.len()];
        near.dying.iter().for_each(|label| vanishes[*label as usize] = 1);
        let components = device.upload(&vanishes)?;
        let mut left = device.unspecified::<u32>(n)?;
        let corners = near.faces.view().wide();
        let leave = LeaveTaken {
            faces: corners,
            taken: taken.view(),
            labels: labels.view(),
            components: components.view(),
            left: left.view_mut(),
        };
        device.launch(tiles(n as u32), leave)?;
        let left = array::select(&left)?;
        // ids of new vertices follow the others
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
        // the labels before the change, for the components after it
        let mut before = array::gather(labels.buffer(), &old)?.read()?;
        before.extend(new.iter().map(|&v| shape.labels[v]));
        let (component, parts) = components_of(&device, &flat, count as u32)?;
        values.labels = Some(DynamicAttribute::from_buffer(&mesh, &component)?);
        let sizes = [count, flat.edges(), flat.faces()].map(|n| n as u32);
        self.put(mesh, values, Sizes::of(sizes));
        let measured = measure_components(&self.mesh, &self.values, parts, self.length)?;
        Ok(self.components.follow_votes(&before, &component.read()?, &measured))
    }
}

/// The values of some vertices, followed by those of new ones.
fn taken_over<T: Pod>(
    mesh: &DynamicMesh,
    from: &DynamicAttribute<Vertex, T>,
    old: &Buffer<u32>,
    new: &[T],
) -> LibraryResult<DynamicAttribute<Vertex, T>> {
    DynamicAttribute::from_both(mesh, &array::gather(from.buffer(), old)?, new)
}

/// The component of each vertex, numbered by their first vertices, and the number of components.
fn components_of(device: &Device, flat: &FlatTopology, vertices: u32) -> LibraryResult<(Buffer<u32>, usize)> {
    let mut parents = array::count_up(device, vertices)?;
    let faces = flat.face_vertices().view().wide();
    device.launch(tiles(flat.faces() as u32), UniteCorners { faces, parents: parents.view_mut() })?;
    let mut roots = device.unspecified::<u32>(vertices as usize)?;
    let mut numbers = device.unspecified::<u32>(vertices as usize)?;
    let find =
        FindRoots { parents: parents.view_mut(), roots: roots.view_mut(), is_root: numbers.view_mut() };
    device.launch_each(vertices, find)?;
    let count = array::exclusive_scan(&mut numbers)?;
    Ok((array::gather(&numbers, &roots)?, count as usize))
}
