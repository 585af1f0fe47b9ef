//! Triangles on a device with the sides that they share, and what there is to find about them.
use crate::repair::check::NONE;
use crate::repair::kernels::faces::{FlagFaces, ListCorners};
use crate::repair::kernels::note;
use crate::repair::kernels::sides::{GatherSides, NoteSides};
use crate::repair::kernels::vertices::{CountCorners, FindSeveral, GatherPairs, MarkUsed};
use crate::repair::link_kernels::{CountLeft, LinkLeft};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Device, FlatTopology, Result, array};
use std::sync::Arc;

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
    faces: Arc<Buffer<u32>>,
    /// For each side the one across its edge, or [`NONE`].
    pub across: Buffer<u32>,
    /// For each side a number of its edge.
    pub edges: Buffer<u32>,
    /// These numbers are less than this one.
    pub edge_numbers: usize,
    /// Notes about each side.
    pub notes: Buffer<u32>,
    /// Whether some edge has more than two faces.
    crowded: bool,
    /// Whether some edge has two faces that disagree.
    pub disagrees: bool,
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
        Ok(Self {
            across,
            notes,
            crowded: topology.non_manifold_edges() > 0,
            disagrees: topology.inconsistent_edges() > 0,
            faces: topology.shared_face_vertices(),
            edges: topology.first_corners().try_clone()?,
            edge_numbers: corners,
        })
    }
    /// Links the sides of those faces that `list` has, ascending, and notes edges of more than two faces,
    /// which were noted. Much faster than linking anew; waits once.
    pub fn left(&self, list: &Buffer<u32>) -> Result<Self> {
        let device = list.device();
        let (n, edges) = (3 * list.len(), self.edge_numbers);
        let faces = rows(&self.faces, list)?;
        let mut counts = device.zeros::<u32>(edges)?;
        let mut sums = device.zeros::<u32>(edges)?;
        let count = CountLeft {
            list: list.view(),
            edges: self.edges.view(),
            notes: self.notes.view(),
            counts: counts.view_mut(),
            sums: sums.view_mut(),
        };
        device.launch_each(n as u32, count)?;
        let places = places_in(list, self.len())?;
        let mut across = device.unspecified::<u32>(n)?;
        let mut new_edges = device.unspecified::<u32>(n)?;
        let mut notes = device.unspecified::<u32>(n)?;
        let mut found = device.zeros::<u32>(2)?;
        let link = LinkLeft {
            faces: faces.view(),
            list: list.view(),
            places: places.view(),
            across: self.across.view(),
            edges: self.edges.view(),
            notes: self.notes.view(),
            counts: counts.view(),
            sums: sums.view(),
            moved: across.view_mut(),
            new_edges: new_edges.view_mut(),
            new_notes: notes.view_mut(),
            found: found.view_mut(),
        };
        device.launch_each(n as u32, link)?;
        let found = found.read()?;
        Ok(Self {
            faces: faces.into(),
            across,
            edges: new_edges,
            edge_numbers: edges,
            notes,
            crowded: found[0] != 0,
            disagrees: found[1] != 0,
        })
    }
    /// Three vertices of each face.
    pub fn faces(&self) -> &Buffer<u32> {
        &self.faces
    }
    /// The same, shared.
    pub fn shared_faces(&self) -> Arc<Buffer<u32>> {
        self.faces.clone()
    }
    /// Number of faces.
    pub fn len(&self) -> usize {
        self.faces.len() / 3
    }
    /// The sides of edges of more than two faces, ascending, if these were noted. As [`Linked::noted`].
    pub fn crowded(&self, inputs: Option<&Buffer<u32>>) -> Result<Vec<Side>> {
        if !self.crowded {
            return Ok(vec![]);
        }
        let mut noted = self.noted(inputs)?;
        noted.retain(|side| side.notes & note::CROWDED != 0);
        Ok(noted)
    }
    /// The sides about which something was noted, ascending. `inputs`: the faces of the input that stay, if
    /// some do not. Waits twice, or once if there are none.
    pub fn noted(&self, inputs: Option<&Buffer<u32>>) -> Result<Vec<Side>> {
        self.listed(&array::select(&self.notes)?, inputs)
    }
    /// Listed sides. Waits.
    pub fn listed(&self, list: &Buffer<u32>, inputs: Option<&Buffer<u32>>) -> Result<Vec<Side>> {
        if list.is_empty() {
            return Ok(vec![]);
        }
        let device = list.device();
        let nothing = device.unspecified::<u32>(0)?;
        let mut found = device.unspecified::<[u32; 8]>(list.len())?;
        let gather = GatherSides {
            list: list.view(),
            faces: self.faces().view(),
            inputs: inputs.unwrap_or(&nothing).view(),
            across: self.across.view(),
            notes: self.notes.view(),
            rows: found.view_mut(),
        };
        device.launch_each(list.len() as u32, gather)?;
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

/// The vertices that faces have, ascending, of a mesh with so many; and the faces by places in that list.
/// Waits.
pub(crate) fn compacted(vertices: usize, faces: &Buffer<u32>) -> Result<(Buffer<u32>, Buffer<u32>)> {
    let list = array::select(&used(vertices, faces)?)?;
    let faces = numbered_among(&list, vertices, faces)?;
    Ok((list, faces))
}
/// Faces by the places of their vertices in a list, which has all of them; they are below `vertices`.
pub(crate) fn numbered_among(
    list: &Buffer<u32>,
    vertices: usize,
    faces: &Buffer<u32>,
) -> Result<Buffer<u32>> {
    let device = faces.device();
    let mut places = device.unspecified::<u32>(vertices)?;
    array::scatter(&array::count_up(device, list.len() as u32)?, list, &mut places)?;
    array::gather(&places, faces)
}

/// The place in a list of each of `n` elements, or [`NONE`].
pub(crate) fn places_in(list: &Buffer<u32>, n: usize) -> Result<Buffer<u32>> {
    let mut places = list.device().unspecified::<u32>(n)?;
    array::fill(&mut places, NONE)?;
    array::scatter(&array::count_up(list.device(), list.len() as u32)?, list, &mut places)?;
    Ok(places)
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
