//! Triangles on a device with the sides that they share, and what there is to find about them.
use crate::repair::check::NONE;
use crate::repair::kernels::{
    CountCorners, FindSeveral, FlagFaces, GatherFaces, GatherPairs, GatherSides, JudgeFaces, ListCorners,
    MarkUsed, NoteSides, verdict,
};
use crate::repair::links::Links;
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, Error, FlatTopology, Result, array};
use std::sync::Arc;

/// The faces of a mesh that are not dropped.
pub(crate) struct Judged {
    /// Three vertices of each.
    pub faces: Buffer<u32>,
    /// The others, if there are any.
    pub dropped: Option<Dropped>,
}
/// Faces that are dropped.
pub(crate) struct Dropped {
    /// Vertices of all faces of the mesh.
    pub all: Buffer<u32>,
    /// The faces of the mesh that stay, ascending.
    pub stay: Buffer<u32>,
    /// Those with a vertex twice, ascending.
    pub degenerate: Vec<u32>,
    /// Those of no area, ascending.
    pub flat: Vec<u32>,
}

impl Judged {
    /// Drops faces that have a vertex twice, and those of no area at `positions`, if these are given. Waits
    /// twice, or four times if there are such faces. A face with a vertex that is not there is an error.
    pub fn of(vertices: usize, faces: Buffer<u32>, positions: Option<&Buffer<DVec3>>) -> Result<Self> {
        let (device, n) = (faces.device().clone(), faces.len() / 3);
        let mut wrong = device.upload(&[NONE])?;
        let mut verdicts = device.unspecified::<u32>(n)?;
        let mut whole = device.unspecified::<u32>(n)?;
        let nothing = device.unspecified::<DVec3>(0)?;
        let judge = JudgeFaces {
            vertices: vertices as u32,
            faces: faces.view(),
            positions: positions.unwrap_or(&nothing).view(),
            zero_area: positions.is_some().into(),
            verdicts: verdicts.view_mut(),
            whole: whole.view_mut(),
            wrong: wrong.view_mut(),
        };
        device.launch_each(n as u32, judge)?;
        let face = wrong.read()?[0];
        if face != NONE {
            let corners = faces.read_range(3 * face as usize, 3)?;
            let vertex = corners.into_iter().find(|&v| v as usize >= vertices).unwrap_or_default();
            return Err(Error::IndexOutOfRange { face: face as usize, vertex, vertices });
        }
        let list = array::select(&verdicts)?;
        if list.is_empty() {
            return Ok(Self { faces, dropped: None });
        }
        let pairs = pairs(&list, &verdicts)?;
        let by =
            |verdict: u32| pairs.iter().filter(|[_, by]| *by == verdict).map(|[face, _]| *face).collect();
        let (degenerate, flat) = (by(verdict::DEGENERATE), by(verdict::FLAT));
        let stay = array::select(&whole)?;
        let left = rows(&faces, &stay)?;
        Ok(Self { faces: left, dropped: Some(Dropped { all: faces, stay, degenerate, flat }) })
    }
}

/// The faces of a list.
pub(crate) fn rows(faces: &Buffer<u32>, list: &Buffer<u32>) -> Result<Buffer<u32>> {
    let mut kept = faces.device().unspecified::<u32>(3 * list.len())?;
    let take = ListCorners { list: list.view(), faces: faces.view(), to: kept.view_mut() };
    faces.device().launch_each(list.len() as u32, take)?;
    Ok(kept)
}

/// Listed elements with their values. Waits.
pub(crate) fn pairs(list: &Buffer<u32>, values: &Buffer<u32>) -> Result<Vec<[u32; 2]>> {
    let mut pairs = list.device().unspecified::<[u32; 2]>(list.len())?;
    let gather = GatherPairs { list: list.view(), values: values.view(), pairs: pairs.view_mut() };
    list.device().launch_each(list.len() as u32, gather)?;
    pairs.read()
}

/// A side that was noted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// The side `3 f + i`.
    pub side: u32,
    /// The side across, or [`NONE`].
    pub across: u32,
    /// The notes.
    pub notes: u32,
    /// Its vertices, as the face has them.
    pub ends: [u32; 2],
    /// The third vertex of the face.
    pub apex: u32,
    /// Its face and the one across, in the input.
    pub inputs: [u32; 2],
}

impl Side {
    /// The edge: the vertices, the lesser first.
    pub fn edge(&self) -> [u32; 2] {
        let [a, b] = self.ends;
        [a.min(b), a.max(b)]
    }
    /// The vertices of the face, in its order.
    pub fn corners(&self) -> [u32; 3] {
        let mut corners = [self.ends[0], self.ends[1], self.apex];
        corners.rotate_right(self.side as usize % 3);
        corners
    }
}

/// Triangles of which none has a vertex twice, with the sides that they share.
pub(crate) struct Linked {
    device: Device,
    topology: FlatTopology,
    /// For each side the one across its edge, or [`NONE`].
    pub across: Buffer<u32>,
    notes: Buffer<u32>,
}

impl Linked {
    /// Links sides, and notes which of them are `wanted`. Moves at least 150 bytes a face; waits three times.
    pub fn of(vertices: usize, faces: Buffer<u32>, wanted: u32) -> Result<Self> {
        let device = faces.device().clone();
        let topology = FlatTopology::from_buffer(vertices, faces)?;
        let corners = 3 * topology.faces();
        let mut across = device.unspecified::<u32>(corners)?;
        let mut notes = device.unspecified::<u32>(corners)?;
        let note = NoteSides {
            faces: topology.face_vertices().view(),
            ring: topology.ring().view(),
            wanted,
            across: across.view_mut(),
            notes: notes.view_mut(),
        };
        device.launch_each(corners as u32, note)?;
        Ok(Self { device, topology, across, notes })
    }
    /// Three vertices of each face.
    pub fn faces(&self) -> &Buffer<u32> {
        self.topology.face_vertices()
    }
    /// The same, shared.
    pub fn shared_faces(&self) -> Arc<Buffer<u32>> {
        self.topology.shared_face_vertices()
    }
    /// Number of faces.
    pub fn len(&self) -> usize {
        self.topology.faces()
    }
    /// The sides about which something was noted, ascending. `inputs`: the faces of the input that stay, if
    /// some do not. Waits twice, or once if there are none.
    pub fn noted(&self, inputs: Option<&Buffer<u32>>) -> Result<Vec<Side>> {
        let list = array::select(&self.notes)?;
        if list.is_empty() {
            return Ok(vec![]);
        }
        let nothing = self.device.unspecified::<u32>(0)?;
        let mut found = self.device.unspecified::<[u32; 8]>(list.len())?;
        let gather = GatherSides {
            list: list.view(),
            faces: self.faces().view(),
            inputs: inputs.unwrap_or(&nothing).view(),
            across: self.across.view(),
            notes: self.notes.view(),
            rows: found.view_mut(),
        };
        self.device.launch_each(list.len() as u32, gather)?;
        let side = |[side, across, notes, from, to, apex, own, beyond]: [u32; 8]| Side {
            side,
            across,
            notes,
            ends: [from, to],
            apex,
            inputs: [own, beyond],
        };
        Ok(found.read()?.into_iter().map(side).collect())
    }
}

/// Vertices of several fans, and those without a face.
pub(crate) struct Fans {
    /// For each vertex 1 if it has several fans, else 0.
    pub several: Buffer<u32>,
    /// Number of these.
    pub count: u32,
    /// Number of vertices without a face.
    pub isolated: u32,
}

/// Finds the vertices of several fans. Linear: walks the fan of one corner of each vertex, and compares its
/// length with the number of the vertex's corners. Waits once.
pub(crate) fn find_fans(vertices: usize, faces: &Buffer<u32>, across: &Buffer<u32>) -> Result<Fans> {
    let device = faces.device().clone();
    let mut counts = device.zeros::<u32>(vertices)?;
    let mut first = device.unspecified::<u32>(vertices)?;
    array::fill(&mut first, NONE)?;
    let (numbers, leaders) = (counts.view_mut(), first.view_mut());
    let count = CountCorners { faces: faces.view(), counts: numbers, first: leaders };
    device.launch_each(faces.len() as u32, count)?;
    let mut several = device.unspecified::<u32>(vertices)?;
    let mut found = device.zeros::<u32>(2)?;
    let find = FindSeveral {
        vertices: vertices as u32,
        faces: faces.view(),
        across: across.view(),
        counts: counts.view(),
        first: first.view(),
        several: several.view_mut(),
        found: found.view_mut(),
    };
    device.launch(tiles(vertices as u32), find)?;
    let found = found.read()?;
    Ok(Fans { several, count: found[0], isolated: found[1] })
}

/// The faces around some vertices, on the host. Vertices and faces are numbered among themselves, in the
/// order of the mesh.
#[derive(Default)]
pub(crate) struct Region {
    /// The faces in the mesh.
    pub ids: Vec<u32>,
    /// The faces in the input.
    pub inputs: Vec<u32>,
    /// The vertices in the mesh.
    pub vertices: Vec<u32>,
    /// Three vertices of each face.
    pub faces: Vec<[u32; 3]>,
    /// Sides across; none leads out of the region.
    pub links: Links,
}

impl Region {
    /// Reads the faces with a vertex that is marked. `inputs`: the faces of the input that stay, if some do
    /// not. Waits twice.
    pub fn around(
        marked: &Buffer<u32>,
        faces: &Buffer<u32>,
        inputs: Option<&Buffer<u32>>,
        across: &Buffer<u32>,
    ) -> Result<Self> {
        let (device, list) = (faces.device(), with_marked(faces, marked)?);
        let mut found = device.unspecified::<[u32; 8]>(list.len())?;
        let nothing = device.unspecified::<u32>(0)?;
        let gather = GatherFaces {
            list: list.view(),
            faces: faces.view(),
            inputs: inputs.unwrap_or(&nothing).view(),
            across: across.view(),
            rows: found.view_mut(),
        };
        device.launch_each(list.len() as u32, gather)?;
        let rows = found.read()?;
        let ids: Vec<u32> = rows.iter().map(|row| row[0]).collect();
        let mut vertices: Vec<u32> = rows.iter().flat_map(|&[_, a, b, c, ..]| [a, b, c]).collect();
        vertices.par_sort_unstable();
        vertices.dedup();
        let place = |list: &[u32], id: u32| list.binary_search(&id).map_or(NONE, |place| place as u32);
        let corners = |&[_, a, b, c, ..]: &[u32; 8]| [a, b, c].map(|v| place(&vertices, v));
        let faces = rows.par_iter().map(corners).collect();
        let across = |&[.., x, y, z, _]: &[u32; 8]| {
            [x, y, z].map(|side| match place(&ids, side / 3) {
                NONE => NONE,
                face => 3 * face + side % 3,
            })
        };
        let links = Links::new(rows.par_iter().flat_map_iter(across).collect());
        let inputs = rows.iter().map(|row| row[7]).collect();
        Ok(Self { ids, inputs, vertices, faces, links })
    }
    /// The numbers within the region of vertices of the mesh, which ascend; others are left out.
    pub fn places(&self, of: &[u32]) -> Vec<u32> {
        let place = |v: &u32| self.vertices.binary_search(v).ok().map(|place| place as u32);
        of.iter().filter_map(place).collect()
    }
    /// The number within the region of a side of the mesh whose face is in it.
    pub fn side(&self, side: u32) -> Option<u32> {
        let face = self.ids.binary_search(&(side / 3)).ok()?;
        Some(3 * face as u32 + side % 3)
    }
    /// The side in the mesh.
    pub fn side_of(&self, side: u32) -> u32 {
        3 * self.ids[side as usize / 3] + side % 3
    }
}

/// The faces with a vertex that is marked, ascending. Waits.
pub(crate) fn with_marked(faces: &Buffer<u32>, marked: &Buffer<u32>) -> Result<Buffer<u32>> {
    let (device, n) = (faces.device(), faces.len() / 3);
    let mut flags = device.unspecified::<u32>(n)?;
    let flag = FlagFaces { faces: faces.view(), marked: marked.view(), flags: flags.view_mut() };
    device.launch_each(n as u32, flag)?;
    array::select(&flags)
}
/// Marks of the vertices that faces have: 1, else 0.
pub(crate) fn used(vertices: usize, faces: &Buffer<u32>) -> Result<Buffer<u32>> {
    let mut used = faces.device().zeros::<u32>(vertices)?;
    let mark = MarkUsed { faces: faces.view(), used: used.view_mut() };
    faces.device().launch_each(faces.len() as u32, mark)?;
    Ok(used)
}

/// Marks of some of `n` elements: 1, else 0.
pub(crate) fn marks(device: &Device, n: usize, of: &[u32]) -> Result<Buffer<u32>> {
    let mut marks = device.zeros::<u32>(n)?;
    set(&mut marks, of, &vec![1; of.len()])?;
    Ok(marks)
}
/// Writes values at some places, of which none occurs twice with another value.
pub(crate) fn set(to: &mut Buffer<u32>, places: &[u32], values: &[u32]) -> Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    let device = to.device().clone();
    array::scatter(&device.upload(values)?, &device.upload(places)?, to)
}
