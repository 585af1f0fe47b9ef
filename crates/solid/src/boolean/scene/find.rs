//! Faces that meet others, and sets of those that do not.
use crate::arrange::GRAIN;
use crate::boolean::kernels::places::{WeldFaces, Widen};
use crate::boolean::kernels::result::MarkVertices;
use crate::boolean::kernels::sets::{CopyFacts, FindHighest, FindLast, JoinFaces, MarkCut, MarkWanted};
use crate::boolean::kernels::{CUT, WHOLE};
use crate::boolean::scene::Scene;
use crate::intersections::self_intersections_in;
use crate::repair::{find_fans, first_at_places};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::{FlatTopology, Result, array};
use std::sync::Arc;

/// The faces of a scene that the host needs to know.
pub(crate) struct Wanted {
    /// Their numbers, ascending.
    pub(crate) faces: Vec<u32>,
    /// Their vertices, ascending, and the positions of these.
    pub(crate) vertices: Vec<u32>,
    pub(crate) points: Vec<Vec3>,
    /// Three vertices for each, by their places in that list.
    pub(crate) corners: Vec<[u32; 3]>,
    /// The sides that are joined to others, as bits.
    pub(crate) joined: Vec<u8>,
    /// For whole faces the face that stands for their set; [`None`] for faces that meet others.
    pub(crate) roots: Vec<Option<u32>>,
    /// Pairs of faces that intersect, by their places in the list, without faces that have no area.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// Number of all pairs.
    pub(crate) all_pairs: usize,
    /// Vertices whose faces are several fans, ascending.
    pub(crate) several: Vec<u32>,
}

impl Scene {
    /// Number of pairs of faces that intersect.
    pub(crate) fn intersecting_pairs(&self) -> Result<usize> {
        Ok(self_intersections_in(self.triangles(), &self.tree)?.pairs.len())
    }
    /// Finds pairs of faces that intersect, and joins all others to sets.
    pub(crate) fn find(&mut self) -> Result<Wanted> {
        let (device, n, v) = (self.device.clone(), self.count(), self.vertices());
        let pairs = self_intersections_in(self.triangles(), &self.tree)?.pairs;
        self.weld()?;
        if !pairs.is_empty() {
            let mark = MarkCut { pairs: pairs.view(), kinds: self.kinds.view_mut() };
            device.launch_each(pairs.len() as u32, mark)?;
        }

        let faces = std::mem::replace(&mut self.faces, device.zeros(0)?);
        let topology = FlatTopology::from_buffer(v as usize, faces)?;
        let starts = device.upload(&self.starts.0)?;
        let mut parents = array::count_up(&device, n)?;
        let mut joined = device.unspecified::<u32>(n as usize)?;
        let mut across = device.unspecified::<u32>(3 * n as usize)?;
        let join = JoinFaces {
            corners: topology.face_vertices().view(),
            ring: topology.ring().view(),
            kinds: self.kinds.view(),
            starts: starts.view(),
            parents: parents.view_mut(),
            joined: joined.view_mut(),
            across: across.view_mut(),
        };
        device.launch_each(n, join)?;
        let faces = topology.shared_face_vertices();
        drop(topology);
        self.faces = Arc::try_unwrap(faces).or_else(|shared| shared.try_clone())?;
        let fans = find_fans(v as usize, &self.faces, &across)?;
        let several = if fans.count == 0 { vec![] } else { array::select(&fans.several)?.read()? };
        drop((across, fans));

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
        let mut used = device.zeros::<u32>(v as usize)?;
        let count = list.len() as u32;
        device.launch_each(count, MarkVertices { list: list.view(), faces, used: used.view_mut() })?;
        let vertices = array::select(&used)?;
        array::exclusive_scan(&mut used)?;
        let mut facts = device.unspecified::<[u32; 6]>(list.len())?;
        let copy = CopyFacts {
            list: list.view(),
            faces,
            numbers: used.view(),
            kinds,
            joined: joined_sides,
            roots,
            facts: facts.view_mut(),
        };
        device.launch_each(count, copy)?;
        let points = array::gather(&self.points, &vertices)?.read()?;
        let (vertices, faces, facts) = (vertices.read()?, list.read()?, facts.read()?);
        let of_pairs = pairs.read()?;
        let cut = |face: &u32| {
            let place = faces.binary_search(face).ok()?;
            (facts[place][3] == CUT).then_some(place as u32)
        };
        let pairs =
            of_pairs.par_iter().with_min_len(GRAIN).filter_map(|[a, b]| Some([cut(a)?, cut(b)?])).collect();
        let facts = || facts.par_iter().with_min_len(GRAIN);
        Ok(Wanted {
            vertices,
            points,
            corners: facts().map(|&[a, b, c, ..]| [a, b, c]).collect(),
            joined: facts().map(|fact| fact[4] as u8).collect(),
            roots: facts().map(|fact| (fact[3] == WHOLE).then_some(fact[5])).collect(),
            faces,
            pairs,
            all_pairs: of_pairs.len(),
            several,
        })
    }
    /// Gives faces one vertex for each place: where edges of two meshes coincide, their faces may pass
    /// through each other without a common point elsewhere.
    fn weld(&mut self) -> Result<()> {
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
        device.launch_each(n, weld)
    }
}
