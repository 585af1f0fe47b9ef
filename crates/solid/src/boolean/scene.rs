//! All faces of the meshes that are combined, on a device, where kernels decide about those that meet none.
use crate::arrange::{Grid, Hit, Ranges};
use crate::boolean::kernels::{
    CUT, CopyCorners, CopyFacts, FLAT, FindHighest, FindLargest, FindLast, JoinFaces, LARGEST, MarkCut,
    MarkMerged, MarkNear, MarkTouching, MarkTurned, MarkVertices, MarkWanted, MeasurePositions, MeetBoxes,
    NOT_FINITE, NumberCorners, PutOnGrid, ROUNDED, SpreadStates, SumVolumes, TurnRange, WHOLE, WeldFaces,
    Widen,
};
use crate::boolean::on_grid::on_grid;
use crate::inside::{InsideOptions, InsideTest};
use crate::intersections::{Triangles, intersections_among, self_intersections, self_intersections_in};
use crate::repair::{first_at_places, rows, set};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Error, FlatTopology, Result, array};
use ribbonmesh_mesh::BoundingBox;
use std::sync::Arc;

/// Vertices of faces, and their positions.
pub(crate) type Listed = (Vec<[u32; 3]>, Vec<[Vec3; 3]>);

/// Corners of a face.
pub(crate) type Corners = [[f32; 3]; 3];

/// Faces of several meshes on a device.
pub(crate) struct Scene {
    device: Device,
    pub(crate) origin: DVec3,
    /// The factor that makes integers of positions.
    pub(crate) scale: f64,
    pub(crate) largest: f32,
    pub(crate) starts: Ranges,
    /// Vertices that were not on the grid, and their positions there.
    pub(crate) rounded: (Vec<u32>, Vec<DVec3>),
    /// Positions relative to the origin, on the grid.
    points: Buffer<Vec3>,
    /// Three vertices for each face.
    faces: Buffer<u32>,
    tree: Bvh,
    /// For each face [`FLAT`], [`WHOLE`] or [`CUT`].
    kinds: Buffer<u32>,
    /// For each whole face the least face of the set to which it is joined.
    roots: Buffer<u32>,
    /// For each face whether it is in the result, and turned there.
    states: Buffer<u32>,
}

/// The faces of a scene that the host needs to know.
pub(crate) struct Wanted {
    /// Their numbers, ascending.
    pub(crate) faces: Vec<u32>,
    pub(crate) vertices: Vec<[u32; 3]>,
    pub(crate) corners: Vec<[Vec3; 3]>,
    /// The sides that are joined to others, as bits.
    pub(crate) joined: Vec<u8>,
    /// For whole faces the face that stands for their set; [`None`] for faces that meet others.
    pub(crate) roots: Vec<Option<u32>>,
    /// Pairs of faces that intersect, by their places in the list, without faces that have no area.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// Number of all pairs.
    pub(crate) all_pairs: usize,
    /// Vertices that stand for others at the same place.
    pub(crate) merged: Vec<u32>,
}

/// The faces of a scene that are in the result, and their vertices.
pub(crate) struct Kept {
    pub(crate) vertices: Buffer<u32>,
    pub(crate) faces: Buffer<u32>,
    /// Vertices of these faces by their numbers in the result, in the order of the result.
    pub(crate) corners: Buffer<u32>,
    /// Those that are turned, by their places in the list.
    pub(crate) turned: Vec<u32>,
    /// The number in the result of each vertex of the input that it has.
    pub(crate) numbers: Buffer<u32>,
}

/// The place of a number in an ascending list that has it.
pub(crate) fn place(list: &[u32], number: u32) -> u32 {
    list.partition_point(|&other| other < number) as u32
}

/// The volume between a range of faces, as the first one and a number, and a point.
fn volume_between(
    points: &Buffer<Vec3>,
    faces: &Buffer<u32>,
    [first, n]: [u32; 2],
    middle: Vec3,
) -> Result<f64> {
    let device = points.device();
    if n == 0 {
        return Ok(0.0);
    }
    let mut sums = device.zeros::<f64>(tiles(n) as usize)?;
    let sum = SumVolumes {
        points: points.view(),
        faces: faces.view().wide(),
        first,
        n,
        middle: middle.to_array(),
        sums: sums.view_mut(),
    };
    device.launch(tiles(n), sum)?;
    Ok(sums.read()?.into_iter().sum::<f64>() / 6.0)
}

/// A point in the middle of others; `None` if there are none.
pub(crate) fn middle(points: &Buffer<Vec3>) -> Result<Option<DVec3>> {
    let ends = array::min(points)?.zip(array::max(points)?);
    Ok(ends.map(|(low, high)| (low.as_dvec3() + high.as_dvec3()) / 2.0))
}

/// The volume within closed triangles.
pub(crate) fn volume(points: &Buffer<Vec3>, faces: &Buffer<u32>) -> Result<f64> {
    let middle = middle(points)?.unwrap_or_default().as_vec3();
    volume_between(points, faces, [0, (faces.len() / 3) as u32], middle)
}

/// The vertices that are not on a grid around an origin, and their positions there: where a predicate takes a
/// coordinate for another one, the result has to have that one, too.
fn rounded(positions: &[DVec3], origin: DVec3, scale: f64) -> (Vec<u32>, Vec<DVec3>) {
    let of_vertex = |(v, &at): (usize, &DVec3)| {
        let point = (at - origin).as_vec3();
        let there = on_grid(point, scale);
        let moved = point.cmpne(there);
        let at =
            |axis: usize| if moved.test(axis) { origin[axis] + f64::from(there[axis]) } else { at[axis] };
        moved.any().then(|| (v as u32, DVec3::new(at(0), at(1), at(2))))
    };
    positions.par_iter().enumerate().filter_map(of_vertex).unzip()
}

impl Scene {
    /// The faces of meshes whose faces follow each other. Positions become relative to the origin, and are
    /// rounded to the finest grid or to a coarse one.
    pub(crate) fn new(
        positions: &Buffer<DVec3>,
        faces: Buffer<u32>,
        starts: Vec<u32>,
        origin: DVec3,
        is_coarse: bool,
    ) -> Result<Self> {
        let device = faces.device().clone();
        let n = positions.len() as u32;
        let mut found = device.zeros::<u32>(3)?;
        let around = origin.to_array();
        let measure =
            MeasurePositions { positions: positions.view(), origin: around, n, facts: found.view_mut() };
        device.launch(tiles(n), measure)?;
        let facts = found.read()?;
        if facts[NOT_FINITE as usize] != 0 {
            return Err(Error::NotFinite { vertex: !facts[NOT_FINITE as usize] as usize });
        }
        let largest = f32::from_bits(facts[LARGEST as usize]);
        let scale = Grid::scale_for(largest, is_coarse);
        let mut points = device.unspecified::<Vec3>(n as usize)?;
        let put = PutOnGrid {
            origin: around,
            scale,
            exact: positions.view(),
            points: points.view_mut(),
            facts: found.view_mut(),
        };
        device.launch_each(n, put)?;
        let is_rounded = found.read()?[ROUNDED as usize] != 0;
        let rounded =
            if is_rounded { rounded(&positions.read()?, origin, scale) } else { Default::default() };
        let tree = Bvh::from_buffers(&points, &faces)?;
        let empty = || device.zeros::<u32>(0);
        let (kinds, roots, states) = (empty()?, empty()?, empty()?);
        let starts = Ranges(starts);
        Ok(Self {
            origin,
            scale,
            largest,
            starts,
            rounded,
            points,
            faces,
            tree,
            kinds,
            roots,
            states,
            device,
        })
    }
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }
    fn count(&self) -> u32 {
        (self.faces.len() / 3) as u32
    }
    /// Number of vertices.
    pub(crate) fn vertices(&self) -> u32 {
        self.points.len() as u32
    }
    fn triangles(&self) -> Triangles<'_> {
        Triangles { positions: &self.points, faces: &self.faces }
    }
    /// The faces of a mesh: the first one, and their number.
    fn range(&self, mesh: usize) -> [u32; 2] {
        let [first, end] = [self.starts.0[mesh], self.starts.0[mesh + 1]];
        [first, end - first]
    }
    /// The volume between the faces of a mesh and a point.
    pub(crate) fn volume(&self, mesh: usize, middle: DVec3) -> Result<f64> {
        volume_between(&self.points, &self.faces, self.range(mesh), (middle - self.origin).as_vec3())
    }
    /// Turns the faces of a mesh around. Returns the first one, and their number.
    pub(crate) fn turn(&mut self, mesh: usize) -> Result<[u32; 2]> {
        let [first, n] = self.range(mesh);
        let turn = TurnRange { first, faces: self.faces.view_mut().wide() };
        self.device.clone().launch_each(n, turn)?;
        Ok([first, n])
    }
    /// Number of pairs of faces that intersect.
    pub(crate) fn intersecting_pairs(&self) -> Result<usize> {
        Ok(self_intersections_in(self.triangles(), &self.tree)?.pairs.len())
    }
    /// Finds pairs of faces that intersect, and joins all others to sets.
    pub(crate) fn find(&mut self) -> Result<Wanted> {
        let (device, n, v) = (self.device.clone(), self.count(), self.vertices());
        let pairs = self_intersections_in(self.triangles(), &self.tree)?.pairs;
        let merged = self.weld()?;
        if !pairs.is_empty() {
            let mark = MarkCut { pairs: pairs.view(), kinds: self.kinds.view_mut() };
            device.launch_each(pairs.len() as u32, mark)?;
        }

        let faces = std::mem::replace(&mut self.faces, device.zeros(0)?);
        let topology = FlatTopology::from_buffer(v as usize, faces)?;
        let starts = device.upload(&self.starts.0)?;
        let mut parents = array::count_up(&device, n)?;
        let mut joined = device.unspecified::<u32>(n as usize)?;
        let join = JoinFaces {
            corners: topology.face_vertices().view(),
            ring: topology.ring().view(),
            kinds: self.kinds.view(),
            starts: starts.view(),
            parents: parents.view_mut(),
            joined: joined.view_mut(),
        };
        device.launch_each(n, join)?;
        let faces = topology.shared_face_vertices();
        drop(topology);
        self.faces = Arc::try_unwrap(faces).or_else(|shared| shared.try_clone())?;

        let (mut last, mut highest) = (device.zeros::<u64>(n as usize)?, device.zeros::<u64>(n as usize)?);
        let (points, faces, kinds) = (self.points.view(), self.faces.view().wide(), self.kinds.view());
        let find = FindLast { points, faces, kinds, parents: parents.view_mut(), last: last.view_mut() };
        device.launch_each(n, find)?;
        self.roots = parents;
        let (points, faces, kinds) = (self.points.view(), self.faces.view().wide(), self.kinds.view());
        let (roots, joined_sides) = (self.roots.view(), joined.view());
        let highest_of = highest.view_mut();
        let find = FindHighest { points, faces, kinds, roots, last: last.view(), highest: highest_of };
        device.launch_each(n, find)?;
        let mut wanted = device.unspecified::<u32>(n as usize)?;
        let mark = MarkWanted {
            faces,
            kinds,
            joined: joined_sides,
            roots,
            highest: highest.view(),
            wanted: wanted.view_mut(),
        };
        device.launch_each(n, mark)?;
        let list = array::select(&wanted)?;
        let mut facts = device.unspecified::<[u32; 6]>(list.len())?;
        let copy = CopyFacts {
            list: list.view(),
            faces,
            kinds,
            joined: joined_sides,
            roots,
            facts: facts.view_mut(),
        };
        device.launch_each(list.len() as u32, copy)?;
        let (faces, facts) = (list.read()?, facts.read()?);
        let mut of_pairs = pairs.read()?;
        let all_pairs = of_pairs.len();
        let kind = |face: u32| faces.binary_search(&face).map_or(FLAT, |at| facts[at][3]);
        of_pairs.retain(|pair| pair.iter().all(|&face| kind(face) == CUT));
        let pairs = of_pairs.into_iter().map(|pair| pair.map(|face| place(&faces, face))).collect();
        Ok(Wanted {
            vertices: facts.iter().map(|&[a, b, c, ..]| [a, b, c]).collect(),
            corners: self.corners(&list)?,
            joined: facts.iter().map(|fact| fact[4] as u8).collect(),
            roots: facts.iter().map(|fact| (fact[3] == WHOLE).then_some(fact[5])).collect(),
            faces,
            pairs,
            all_pairs,
            merged,
        })
    }
    /// Gives faces one vertex for each place: where edges of two meshes coincide, their faces may pass
    /// through each other without a common point elsewhere. Returns the vertices that stand for others.
    fn weld(&mut self) -> Result<Vec<u32>> {
        let (device, n, v) = (self.device.clone(), self.count(), self.vertices());
        let mut exact = device.unspecified::<DVec3>(v as usize)?;
        let widen = Widen { points: self.points.view(), exact: exact.view_mut() };
        device.launch_each(v, widen)?;
        let becomes = first_at_places(&exact)?.0.becomes;
        drop(exact);
        self.kinds = device.unspecified(n as usize)?;
        let weld = WeldFaces {
            points: self.points.view(),
            becomes: becomes.view(),
            faces: self.faces.view_mut().wide(),
            kinds: self.kinds.view_mut(),
        };
        device.launch_each(n, weld)?;
        let mut marks = device.zeros::<u32>(v as usize)?;
        device.launch_each(v, MarkMerged { becomes: becomes.view(), marks: marks.view_mut() })?;
        array::select(&marks)?.read()
    }
    fn corners(&self, list: &Buffer<u32>) -> Result<Vec<[Vec3; 3]>> {
        let mut corners = self.device.unspecified::<Corners>(list.len())?;
        let copy = CopyCorners {
            list: list.view(),
            points: self.points.view(),
            faces: self.faces.view().wide(),
            corners: corners.view_mut(),
        };
        self.device.launch_each(list.len() as u32, copy)?;
        Ok(corners.read()?.into_iter().map(|corners| corners.map(Vec3::from_array)).collect())
    }
    /// The vertices of faces, and their positions.
    pub(crate) fn faces(&self, list: &[u32]) -> Result<Listed> {
        let list = self.device.upload(list)?;
        let vertices = rows(&self.faces, &list)?.read()?;
        Ok((vertices.as_chunks().0.to_vec(), self.corners(&list)?))
    }
    /// For each of some sets, by the faces that stand for them, the corners of the largest face.
    pub(crate) fn largest(&self, sets: &[u32]) -> Result<Vec<[Vec3; 3]>> {
        let n = self.count();
        let mut largest = self.device.zeros::<u64>(n as usize)?;
        let find = FindLargest {
            points: self.points.view(),
            faces: self.faces.view().wide(),
            kinds: self.kinds.view(),
            roots: self.roots.view(),
            largest: largest.view_mut(),
        };
        self.device.launch_each(n, find)?;
        let found = array::gather(&largest, &self.device.upload(sets)?)?.read()?;
        let faces: Vec<u32> = found.into_iter().map(|found| !(found as u32)).collect();
        self.corners(&self.device.upload(&faces)?)
    }
    /// How often each mesh is wound around points, rounded, for each point a row: generalised winding
    /// numbers.
    pub(crate) fn windings(&self, points: &[Vec3]) -> Result<Vec<i32>> {
        let (points, meshes) = (self.device.upload(points)?, self.starts.count());
        let mut numbers = vec![0; points.len() * meshes];
        for mesh in 0..meshes {
            let [first, n] = self.range(mesh);
            let list: Vec<u32> = (first..first + n).collect();
            let own = rows(&self.faces, &self.device.upload(&list)?)?;
            let mut test = InsideTest::new(Triangles { positions: &self.points, faces: &own })?;
            let found = test.winding(&points, InsideOptions::default().beta)?.read()?;
            for (row, winding) in numbers.chunks_exact_mut(meshes).zip(found) {
                row[mesh] = winding.round() as i32;
            }
        }
        Ok(numbers)
    }
    /// For each ray along +x from a box the faces that it may cross. `like` gives the place in a list for a
    /// face that meets others, and for the face that stands for a set.
    pub(crate) fn hits(&self, boxes: &[BoundingBox], like: impl Fn(u32) -> u32) -> Result<Vec<Vec<Hit>>> {
        let device = &self.device;
        let rays: Vec<[[f32; 3]; 2]> = boxes
            .iter()
            .map(|around| {
                let low = around.low.to_array().map(|x| (x as f32).next_down());
                let [_, y, z] = around.high.to_array().map(|x| (x as f32).next_up());
                [low, [self.largest, y, z]]
            })
            .collect();
        let (rays, n) = (device.upload(&rays)?, boxes.len() as u32);
        let mut starts = device.unspecified::<u32>(boxes.len())?;
        let mut found = device.zeros::<u32>(0)?;
        let meet = |starts: &mut Buffer<u32>, found: &mut Buffer<u32>| {
            let (bvh, boxes, kinds) = (self.tree.view(), rays.view(), self.kinds.view());
            let (starts, found) = (starts.view_mut(), found.view_mut());
            device.launch_each(n, MeetBoxes { bvh, boxes, kinds, starts, found })
        };
        meet(&mut starts, &mut found)?;
        let total = array::exclusive_scan(&mut starts)?;
        let mut hits = vec![vec![]; boxes.len()];
        if total == 0 {
            return Ok(hits);
        }
        found = device.unspecified(total as usize)?;
        meet(&mut starts, &mut found)?;
        let (kinds, roots) =
            (array::gather(&self.kinds, &found)?.read()?, array::gather(&self.roots, &found)?.read()?);
        let (faces, corners, starts) = (found.read()?, self.corners(&found)?, starts.read()?);
        let end = |ray: usize| starts.get(ray + 1).map_or(faces.len(), |&end| end as usize);
        for (ray, hits) in hits.iter_mut().enumerate() {
            for i in starts[ray] as usize..end(ray) {
                let like = like(if kinds[i] == WHOLE { roots[i] } else { faces[i] });
                hits.push(Hit { mesh: self.starts.of(faces[i]), like, corners: corners[i] });
            }
        }
        Ok(hits)
    }
    /// Gives the faces of sets their state in the result, and drops all others.
    pub(crate) fn choose(&mut self, sets: &[u32], states: &[u32]) -> Result<()> {
        let (device, n) = (self.device.clone(), self.count());
        let mut of_roots = device.zeros::<u32>(n as usize)?;
        set(&mut of_roots, sets, states)?;
        self.states = device.unspecified(n as usize)?;
        let spread = SpreadStates {
            kinds: self.kinds.view(),
            roots: self.roots.view(),
            of_roots: of_roots.view(),
            states: self.states.view_mut(),
        };
        device.launch_each(n, spread)
    }
    /// Drops faces from the result.
    pub(crate) fn drop_faces(&mut self, list: &[u32]) -> Result<()> {
        set(&mut self.states, list, &vec![0; list.len()])
    }
    /// The states of faces of the result whose boxes meet those of triangles, with the faces.
    pub(crate) fn near(&self, triangles: &[[Vec3; 3]]) -> Result<Vec<[u32; 2]>> {
        let triangles: Vec<Corners> = triangles.iter().map(|t| t.map(|p| p.to_array())).collect();
        let triangles = self.device.upload(&triangles)?;
        let mut near = self.device.zeros::<u32>(self.count() as usize)?;
        let mark = MarkNear {
            bvh: self.tree.view(),
            triangles: triangles.view(),
            states: self.states.view(),
            near: near.view_mut(),
        };
        self.device.launch_each(triangles.len() as u32, mark)?;
        self.with_states(&near)
    }
    /// The states of faces of the result with one of some vertices, with the faces.
    pub(crate) fn touching(&self, vertices: &[u32]) -> Result<Vec<[u32; 2]>> {
        let (device, n) = (&self.device, self.count());
        let mut used = device.zeros::<u32>(self.vertices() as usize)?;
        set(&mut used, vertices, &vec![1; vertices.len()])?;
        let mut near = device.unspecified::<u32>(n as usize)?;
        let mark = MarkTouching {
            faces: self.faces.view().wide(),
            states: self.states.view(),
            used: used.view(),
            near: near.view_mut(),
        };
        device.launch_each(n, mark)?;
        self.with_states(&near)
    }
    /// Marked faces with their states.
    fn with_states(&self, marks: &Buffer<u32>) -> Result<Vec<[u32; 2]>> {
        let list = array::select(marks)?;
        let states = array::gather(&self.states, &list)?.read()?;
        Ok(list.read()?.into_iter().zip(states).map(|(face, state)| [face, state]).collect())
    }
    /// The vertices of faces.
    pub(crate) fn vertices_of(&self, list: &[u32]) -> Result<Vec<[u32; 3]>> {
        let vertices = rows(&self.faces, &self.device.upload(list)?)?.read()?;
        Ok(vertices.as_chunks().0.to_vec())
    }
    /// The pairs of triangles that intersect.
    pub(crate) fn pairs_of(&self, triangles: &[[Vec3; 3]]) -> Result<Vec<[u32; 2]>> {
        let positions = self.device.upload(triangles.as_flattened())?;
        let faces = array::count_up(&self.device, positions.len() as u32)?;
        self_intersections(Triangles { positions: &positions, faces: &faces })?.pairs.read()
    }
    /// The pairs of a triangle and a face of the result that intersect.
    pub(crate) fn pairs_with(&self, triangles: &[[Vec3; 3]]) -> Result<Vec<[u32; 2]>> {
        let positions = self.device.upload(triangles.as_flattened())?;
        let faces = array::count_up(&self.device, positions.len() as u32)?;
        let queries = Triangles { positions: &positions, faces: &faces };
        intersections_among(&self.tree, self.triangles(), &self.states, queries)?.read()
    }
    /// The faces of the result that are faces of the input, with numbers for their vertices and for others
    /// that are `used`; and the places of `some` of these faces.
    pub(crate) fn kept(&self, used: &[u32], some: &[u32]) -> Result<(Kept, Vec<u32>)> {
        let device = &self.device;
        let list = array::select(&self.states)?;
        let n = list.len() as u32;
        let mut marks = device.zeros::<u32>(self.vertices() as usize)?;
        set(&mut marks, used, &vec![1; used.len()])?;
        let faces = self.faces.view().wide();
        device.launch_each(n, MarkVertices { list: list.view(), faces, used: marks.view_mut() })?;
        let vertices = array::select(&marks)?;
        let mut numbers = marks;
        array::exclusive_scan(&mut numbers)?;
        let mut corners = device.unspecified::<u32>(3 * n as usize)?;
        let number = NumberCorners {
            list: list.view(),
            faces,
            states: self.states.view(),
            numbers: numbers.view(),
            to: corners.view_mut().wide(),
        };
        device.launch_each(n, number)?;
        let mut turned = device.unspecified::<u32>(n as usize)?;
        let (states, marks) = (self.states.view(), turned.view_mut());
        device.launch_each(n, MarkTurned { list: list.view(), states, turned: marks })?;
        let turned = array::select(&turned)?.read()?;
        let mut places = vec![];
        if !some.is_empty() {
            let mut of_faces = device.unspecified::<u32>(self.count() as usize)?;
            array::scatter(&array::count_up(device, n)?, &list, &mut of_faces)?;
            places = array::gather(&of_faces, &device.upload(some)?)?.read()?;
        }
        Ok((Kept { vertices, faces: list, corners, turned, numbers }, places))
    }
}
