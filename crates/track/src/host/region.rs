//! Changes of a surface near its intersections and necks; the rest stays on the device.
use super::components::Changes;
use super::error::TrackError;
use super::grid_free::{RELAXED, marked};
use super::phases::{Living, measure_components};
use super::report::GridFreeReport;
use super::shape::Shape;
use super::tracker::Tracker;
use crate::rank::VERTICES;
use crate::region::{
    CopyListed, CountVotes, FindRoots, MarkAll, MarkListed, MarkNecks, MarkTaken, NO_VOTE, NumberComponents,
    TakeComponents, TakeMarked, UniteCorners, VotesArguments,
};
use glam::DVec3;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::{ElementKind, NONE, tiles};
use ribbonmesh::dynamic::{AttributeSet, DynamicAttribute, DynamicMesh, Exchanged, Sizes};
use ribbonmesh::{Buffer, Error, Result as LibraryResult, Vertex, array};
use ribbonmesh_solid::inside::{InsideTest, Triangles};
use ribbonmesh_solid::intersections::intersections_among;
use ribbonmesh_solid::resolve::{ResolveError, ResolveOptions, resolve_region};
use std::time::Instant;

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
    /// All faces.
    pub living: &'a Living,
    /// The tree of the faces.
    pub tree: &'a Bvh,
    /// The pairs of faces that intersect.
    pub pairs: &'a [[u32; 2]],
    /// The labels of components that have vanished.
    pub dying: &'a [u32],
    /// Whether there may be necks to be cut.
    pub necks: bool,
    /// The ids of the vertices of all necks, ascending, if they are known.
    pub at: Option<&'a [u32]>,
}

/// A part of the surface on the host, and its faces on the device.
struct Region {
    shape: Shape,
    /// The faces of the surface that the part has, ascending.
    list: Vec<u32>,
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
    /// the device. Returns whether no two faces intersect now; `None` if it was not possible: the surface is
    /// unchanged then.
    pub(super) fn change_near(
        &mut self,
        near: &Near<'_>,
        found: &mut GridFreeReport,
        changes: &mut Changes,
    ) -> Result<Option<bool>, TrackError> {
        let (seeds, necks) = self.seeds(near)?;
        if necks.is_empty() && near.pairs.is_empty() && near.dying.is_empty() {
            return Ok(Some(true));
        }
        let near = &Near { necks: !necks.is_empty(), at: Some(&necks), ..*near };
        match self.shape_near(near, &seeds, found)? {
            Some((list, shape)) => {
                let start = Instant::now();
                let (now, clear) = self.splice(near, &list, &shape)?;
                changes.add(now);
                found.exchange_seconds += start.elapsed().as_secs_f64();
                Ok(Some(clear))
            }
            None => Ok(None),
        }
    }
    /// The vertices at the places to be changed, except those of components that vanish: 1 for each, else 0;
    /// and the ids of those at necks, ascending.
    fn seeds(&mut self, near: &Near<'_>) -> LibraryResult<(Buffer<u32>, Vec<u32>)> {
        let (device, n) = (self.device().clone(), self.mesh.ids(ElementKind::Vertex));
        let mut marks = device.zeros::<u32>(n as usize)?;
        let mut necks = vec![];
        if near.necks {
            let below = self.values.criteria.shortest * self.values.criteria.shortest;
            let (mesh, x) = (self.mesh.refresh_view()?, self.values.x.view());
            device.launch(n.div_ceil(VERTICES), MarkNecks { mesh, x, n, below, marks: marks.view_mut() })?;
            necks = array::select(&marks)?.read()?;
        }
        // a face in several pairs is marked several times
        let list = device.upload(near.pairs.as_flattened())?;
        let faces = near.living.faces.view().wide();
        let listed = MarkListed { faces, list: list.view(), marks: marks.view_mut() };
        device.launch(tiles(list.len() as u32), listed)?;
        Ok((marks, necks))
    }
    /// Changes the faces around the seeds, with more rings if they are not enough. Returns the list of these
    /// faces, and the new shape; `None` if that is not possible.
    fn shape_near(
        &self,
        near: &Near<'_>,
        seeds: &Buffer<u32>,
        found: &mut GridFreeReport,
    ) -> Result<Option<(Vec<u32>, Shape)>, TrackError> {
        let mut inner = self.grown(near, seeds.try_clone()?, RINGS - 1)?;
        let mut further = FURTHER.map(Some).into_iter().chain([None]);
        loop {
            let start = Instant::now();
            let Region { shape, list, pairs } = self.region(near, &inner)?;
            let delete_seconds = start.elapsed().as_secs_f64();
            let mut now = GridFreeReport { delete_seconds, ..GridFreeReport::default() };
            let changed = self.changed_region(near, shape, pairs, &mut now)?;
            found.add_seconds(&now);
            let reached = match changed {
                Changed::Into(shape) => {
                    found.add_work(&now);
                    return Ok(Some((list, shape)));
                }
                Changed::TooSmall { reached } => reached,
                Changed::Not => return Ok(None),
            };
            match further.next() {
                Some(Some(rings)) => self.widen(near, &mut inner, reached, rings)?,
                Some(None) => {
                    let (device, n) = (self.device(), (near.living.faces.len() / 3) as u32);
                    let faces = near.living.faces.view().wide();
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
        let mut taken = self.device().unspecified::<u32>(near.living.faces.len() / 3)?;
        for _ in 0..rings {
            self.take(near, &mut marks, &mut taken)?;
        }
        Ok(marks)
    }
    /// Takes the faces with a marked vertex, and marks all of their vertices.
    fn take(&self, near: &Near<'_>, marks: &mut Buffer<u32>, taken: &mut Buffer<u32>) -> LibraryResult<()> {
        let (device, faces) = (self.device(), near.living.faces.view().wide());
        let blocks = tiles((near.living.faces.len() / 3) as u32);
        device.launch(blocks, TakeMarked { faces, marks: marks.view(), taken: taken.view_mut() })?;
        device.launch(blocks, MarkTaken { faces, taken: taken.view(), marks: marks.view_mut() })
    }

    /// The faces around some vertices.
    fn region(&self, near: &Near<'_>, inner: &Buffer<u32>) -> LibraryResult<Region> {
        let (device, n) = (self.device(), near.living.faces.len() / 3);
        let corners = near.living.faces.view().wide();
        let mut marks = inner.try_clone()?;
        let mut taken = device.unspecified::<u32>(n)?;
        self.take(near, &mut marks, &mut taken)?;
        let (list, ids) = (array::select(&taken)?, array::select(&marks)?);
        let mut faces = device.unspecified::<u32>(3 * list.len())?;
        let copy = CopyListed { faces: corners, list: list.view(), to: faces.view_mut().wide() };
        device.launch(tiles(list.len() as u32), copy)?;
        array::exclusive_scan(&mut marks)?;
        // all launches before the first wait
        let faces = array::gather(&marks, &faces)?;
        let rows = self.values.rows.iter().map(|row| array::gather(row.buffer(), &ids));
        let rows = rows.collect::<LibraryResult<Vec<_>>>()?;
        let labels = self.values.labels.as_ref().map(|labels| array::gather(labels.buffer(), &ids));
        let labels = labels.transpose()?;
        let x = array::gather(self.values.x.buffer(), &ids)?.read()?;
        let (faces, rows) = (faces.read()?, rows.iter().map(Buffer::read).collect::<LibraryResult<_>>()?);
        let labels = match labels {
            Some(labels) => labels.read()?,
            None => vec![NONE; ids.len()],
        };
        let (ids, list) = (ids.read()?, list.read()?);
        let place = |face: u32| list.binary_search(&face).map_or(NONE, |at| at as u32);
        let faces = faces.as_chunks::<3>().0.to_vec();
        let pairs = near.pairs.iter().map(|pair| pair.map(place)).collect();
        let of = (0..faces.len() as u32).collect();
        let shape = Shape { x, faces, of, rows, labels, ids };
        Ok(Region { shape, list, pairs })
    }

    /// Changes a region.
    fn changed_region(
        &self,
        near: &Near<'_>,
        mut shape: Shape,
        before: Vec<[u32; 2]>,
        found: &mut GridFreeReport,
    ) -> Result<Changed, TrackError> {
        let start = Instant::now();
        let mut pairs = before.clone();
        if self.cut(near, &mut shape, found) {
            pairs = shape.intersecting_pairs(&before);
        }
        found.relax_seconds += start.elapsed().as_secs_f64();
        if pairs.is_empty() {
            return Ok(Changed::Into(shape));
        }
        let (mut delete_seconds, mut fill_seconds) = (0.0, 0.0);
        let whole = Triangles { positions: self.values.x.buffer(), faces: &near.living.faces };
        let test = InsideTest::with_tree(whole, near.tree.clone());
        let mut resolved = |shape: &Shape, pairs: &[[u32; 2]], attempts: u32| {
            let options = ResolveOptions { attempts, exact_up_to: EXACT_UP_TO, ..ResolveOptions::default() };
            let start = Instant::now();
            let done = resolve_region(&test, &shape.mesh(), DVec3::ZERO, pairs, &options);
            let deleting = done.as_ref().map_or(0.0, |done| done.report.delete_seconds);
            delete_seconds += deleting;
            fill_seconds += start.elapsed().as_secs_f64() - deleting;
            done
        };
        let mut done = resolved(&shape, &pairs, ATTEMPTS[0]);
        if !matches!(done, Ok(_) | Err(ResolveError::Library(_) | ResolveError::Reached { .. })) {
            found.relaxed += 1;
            let start = Instant::now();
            shape.relax(&marked(shape.faces.len(), &pairs), RELAXED);
            pairs = shape.intersecting_pairs(&before);
            found.relax_seconds += start.elapsed().as_secs_f64();
            done = resolved(&shape, &pairs, ATTEMPTS[1]);
        }
        found.delete_seconds += delete_seconds;
        found.fill_seconds += fill_seconds;
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
        Ok(Changed::Into(shape.replaced_by(&done.mesh, &done.vertices, &done.faces)))
    }

    /// Replaces the faces of a list with a part of a surface that was made of them, and removes components.
    /// Faces that have not changed stay. Also returns whether the new faces, of which none intersects another
    /// one of that part, intersect none of all others either.
    fn splice(
        &mut self,
        near: &Near<'_>,
        list: &[u32],
        shape: &Shape,
    ) -> Result<(Changes, bool), TrackError> {
        let Some(labels) = &self.values.labels else { return Ok((Changes::default(), false)) };
        let device = self.device().clone();
        let (vertices, n) = (self.mesh.ids(ElementKind::Vertex), near.living.ids.len());
        let mut stays = vec![false; list.len()];
        let (unchanged, changed): (Vec<usize>, Vec<usize>) =
            (0..shape.faces.len()).partition(|face| shape.is_unchanged(*face));
        unchanged.into_iter().for_each(|face| stays[shape.of[face] as usize] = true);
        let replaced: Vec<u32> =
            list.iter().zip(&stays).filter(|(_, stays)| !**stays).map(|(face, _)| *face).collect();
        let mut taken = device.zeros::<u32>(n)?;
        array::scatter(&device.upload(&vec![1; replaced.len()])?, &device.upload(&replaced)?, &mut taken)?;
        let mut vanishes = vec![0_u32; self.components.all.len()];
        near.dying.iter().for_each(|label| vanishes[*label as usize] = 1);
        let components = device.upload(&vanishes)?;
        let take = TakeComponents {
            faces: near.living.faces.view().wide(),
            labels: labels.view(),
            components: components.view(),
            taken: taken.view_mut(),
        };
        device.launch(tiles(n as u32), take)?;
        let gone = array::select(&taken)?;
        let deleted = array::gather(&near.living.ids, &gone)?;
        self.empty = deleted.len() == n && changed.is_empty();
        if self.empty {
            return Ok((self.components.follow(&mut Shape::default()), true));
        }
        // ids of new vertices follow the others
        let new: Vec<usize> = (0..shape.x.len()).filter(|&v| shape.ids[v] == NONE).collect();
        let mut ids = shape.ids.clone();
        new.iter().zip(vertices..).for_each(|(&v, id)| ids[v] = id);
        let added: Vec<u32> = changed.iter().flat_map(|f| shape.faces[*f].map(|v| ids[v as usize])).collect();
        let added = device.upload(&added)?;
        let exchanged = self.mesh.exchange_faces(&deleted, &added, new.len() as u32);
        let why = match exchanged {
            Ok(Exchanged { boundary: 0, opened: 0 }) => None,
            Ok(Exchanged { boundary, opened }) => Some(format!("{} edges have one face", boundary + opened)),
            Err(Error::NotManifold(defect)) => Some(defect.to_string()),
            Err(error) => return Err(error.into()),
        };
        if let Some(why) = why {
            return Err(TrackError::Tangled { time: self.time, pairs: 0, why });
        }
        self.gaps.add_faces(deleted.len() as u64);
        let (mesh, values) = (&self.mesh, &mut self.values);
        let capacity = mesh.capacity();
        values.for_each_attribute(&mut |attribute| attribute.grow(capacity))?;
        let of_new = |all: &[u32]| new.iter().map(|&v| all[v]).collect::<Vec<u32>>();
        values.x.set_last(mesh, &new.iter().map(|&v| shape.x[v]).collect::<Vec<_>>())?;
        for (row, of) in values.rows.iter_mut().zip(&shape.rows) {
            row.set_last(mesh, &new.iter().map(|&v| of[v]).collect::<Vec<_>>())?;
        }
        let [v, e, f] = self.mesh.living()?;
        self.before = Sizes::of([v, e, f]);
        let changes = self.relabel(&of_new(&shape.labels))?;
        Ok((changes, self.meet_none(near, &added, &gone)?))
    }
    /// Whether new faces intersect none of those before that are not `gone`. One search for the new faces, in
    /// the tree that is there.
    fn meet_none(&self, near: &Near<'_>, faces: &Buffer<u32>, gone: &Buffer<u32>) -> LibraryResult<bool> {
        if faces.is_empty() {
            return Ok(true);
        }
        let (device, positions) = (self.device(), self.values.x.buffer());
        let mut stays = device.unspecified::<u32>(near.living.ids.len())?;
        array::fill(&mut stays, 1)?;
        array::scatter(&device.zeros(gone.len())?, gone, &mut stays)?;
        let searched = Triangles { positions, faces: &near.living.faces };
        let found = intersections_among(near.tree, searched, &stays, Triangles { positions, faces })?;
        Ok(found.is_empty())
    }
    /// Labels the components of the surface anew; `new` are the labels of the last vertices before, as of all
    /// others. Returns what became of the components before.
    fn relabel(&mut self, new: &[u32]) -> Result<Changes, TrackError> {
        let Some(labels) = &mut self.values.labels else { return Ok(Changes::default()) };
        labels.set_last(&self.mesh, new)?;
        let (component, parts) = components_of(&self.mesh)?;
        let votes = votes(labels, &component, self.components.all.len() + parts)?;
        *labels = DynamicAttribute::from_buffer(&self.mesh, &component)?;
        let measured = measure_components(&self.mesh, &self.values, parts, self.length)?;
        Ok(self.components.follow_votes(votes, &measured))
    }
}

/// The component of each vertex, numbered by their first vertices, and the number of components; [`NONE`] for
/// deleted vertices.
fn components_of(mesh: &DynamicMesh) -> LibraryResult<(Buffer<u32>, usize)> {
    let (device, [n, faces]) =
        (mesh.device(), [ElementKind::Vertex, ElementKind::Face].map(|kind| mesh.ids(kind)));
    let mut parents = array::count_up(device, n)?;
    device.launch_each(faces, UniteCorners { mesh: mesh.view(), parents: parents.view_mut() })?;
    let mut numbers = device.unspecified::<u32>(n as usize)?;
    let find = FindRoots { mesh: mesh.view(), parents: parents.view_mut(), is_root: numbers.view_mut() };
    device.launch_each(n, find)?;
    let count = array::exclusive_scan(&mut numbers)?;
    let mut component = device.unspecified::<u32>(n as usize)?;
    let number = NumberComponents {
        mesh: mesh.view(),
        roots: parents.view(),
        numbers: numbers.view(),
        component: component.view_mut(),
    };
    device.launch_each(n, number)?;
    Ok((component, count as usize))
}

/// The numbers of vertices by label and component, of which there are `kinds` in all. Waits.
fn votes(
    labels: &DynamicAttribute<Vertex, u32>,
    component: &Buffer<u32>,
    kinds: usize,
) -> LibraryResult<Vec<([u32; 2], u32)>> {
    let (device, n) = (component.device(), component.len() as u32);
    let mut room = (4 * kinds).next_power_of_two();
    loop {
        let mut keys = device.unspecified::<u64>(room)?;
        array::fill(&mut keys, NO_VOTE)?;
        let mut counts = device.zeros::<u32>(room + 1)?;
        let votes = VotesArguments { keys: keys.view_mut(), counts: counts.view_mut() };
        let count = CountVotes { labels: labels.view(), component: component.view(), n, votes };
        device.launch(tiles(n), count)?;
        let counts = counts.read()?;
        if counts[room] == 0 {
            let found = keys.read()?.into_iter().zip(counts).filter(|(key, _)| *key != NO_VOTE);
            return Ok(found.map(|(key, count)| ([(key >> 32) as u32, key as u32], count)).collect());
        }
        room *= 4;
    }
}
