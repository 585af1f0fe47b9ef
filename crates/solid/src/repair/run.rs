//! Repair of triangles to an oriented manifold.
use crate::repair::check::{NONE, VERTICES, indices};
use crate::repair::distinct::{Distinct, distinct};
use crate::repair::edges::ends;
use crate::repair::fans::{apart, vertices_of_several};
use crate::repair::kernels::{FindSmall, MoveLinks, PartVertices, TurnFaces};
use crate::repair::linked::{Linked, Region, Side, find_fans, marks, pairs, rows, set, used};
use crate::repair::links::{Links, same_direction};
use crate::repair::pair::{Unpair, close, pair, sorted, unpair};
use crate::repair::patches::{Labels, Patches};
use crate::repair::simple::{Simple, look_simply};
use crate::repair::split::split;
use crate::repair::weld::{Welded, welded};
use crate::repair::{EdgeCut, EdgeSplit, RepairError, RepairReport, Repaired, VertexSplit};
use glam::DVec3;
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_mesh::{MeshError, SidedUnionFind};
use rustc_hash::FxHashSet;

/// Options of repair. By default all faces stay that are neither degenerate nor duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RepairOptions {
    /// Before all else, make vertices one that are at most this far apart, in the units of the positions;
    /// with 0, vertices at the same position. `None`: no vertices are welded.
    pub weld: Option<f64>,
    /// Drop faces whose area is 0 but for the rounding of double precision. Where a neighbour remains, this
    /// leaves a boundary.
    pub remove_zero_area: bool,
    /// At the end, drop components of fewer faces than this, and their vertices.
    pub remove_components: u32,
    /// Remove vertices without a face, including vertices that lose their faces here.
    pub remove_isolated: bool,
    /// Do not split vertices at which only holes touch: vertices of which each fan has a boundary that the
    /// input has, too. This is for filling these holes afterwards; the result is an oriented manifold except
    /// for these vertices.
    pub keep_touching: bool,
}

/// Makes an oriented manifold of `faces`, each three of the vertices at `positions`; a mesh that is one comes
/// back as it is.
///
/// 1. Where that is asked for, vertices near each other become one, and faces of no area are dropped.
/// 2. Faces with a vertex twice are dropped; of faces with the same three vertices, all but one of the
///    orientation that more of them have, and of two pairs that fill the same flat square at an edge of more
///    than two faces, one. Two of opposite orientations are both dropped where they are a fold, which the
///    surface closes without.
/// 3. Faces are turned so that neighbours agree, as few as possible; where faces cannot be oriented, they are
///    cut along edges where neighbours disagreed.
/// 4. At edges of more than two faces, faces are paired, the flattest pairs first, so that sheets pass
///    through each other. All else is cut there: each fan of a vertex gets a vertex of its own (Guéziec,
///    Taubin, Lazarus and Horn, *Cutting and stitching: converting sets of polygons to manifold surfaces*,
///    2001). Pairs that would leave an edge of more than two faces are cut as well. Vertices at which only
///    holes touch stay where that is asked for.
/// 5. Where that is asked for, components of few faces and isolated vertices are removed.
///
/// Triangles are uploaded to `device`, and the result is read back; see [`repair_triangles`].
/// # Errors
/// [`MeshError::FaceIndex`]; [`MeshError::TooMany`]: 400 million faces, or 2³² − 1 vertices, copies included;
/// [`OptionError`](ribbonmesh_mesh::OptionError): a distance that is negative or not finite; errors of the
/// device.
pub fn repair(
    device: &Device,
    positions: &[DVec3],
    faces: &[[u32; 3]],
    options: &RepairOptions,
) -> Result<Repaired, RepairError> {
    device.install(|| indices(positions.len(), faces))?;
    let uploaded = device.upload(faces.as_flattened())?;
    let done = repair_triangles(&device.upload(positions)?, uploaded, options)?;
    if done.report.is_empty() {
        let (vertex_inputs, face_inputs) = (0..positions.len() as u32, 0..faces.len() as u32);
        return Ok(Repaired {
            faces: faces.to_vec(),
            vertex_inputs: vertex_inputs.collect(),
            face_inputs: face_inputs.collect(),
            report: done.report,
        });
    }
    Ok(Repaired {
        faces: done.faces.read()?.as_chunks().0.to_vec(),
        vertex_inputs: done.vertex_inputs.read()?,
        face_inputs: done.face_inputs.read()?,
        report: done.report,
    })
}

/// A repaired mesh on a device, with the members of [`Repaired`].
pub struct RepairedTriangles {
    /// Three vertices of each face.
    pub faces: Buffer<u32>,
    /// For each vertex, the vertex of the input whose position and attributes it has.
    pub vertex_inputs: Buffer<u32>,
    /// For each face, the face of the input that it was; ascending.
    pub face_inputs: Buffer<u32>,
    /// Report of the changes.
    pub report: RepairReport,
}

/// Repairs triangles in buffers, each three of the vertices at `positions`, as [`repair()`] does.
///
/// All that looks at every element runs as kernels. The host reads what the report lists, and decides about
/// elements one after the other only where more than two faces meet, where faces have the same vertices,
/// between patches of faces that disagree, and at vertices of several fans; it reads only these elements.
/// A mesh that needs nothing waits three times, one that needs every step about forty times.
/// # Errors
/// The errors of [`repair()`], [`Error::IndexOutOfRange`](ribbonmesh::Error::IndexOutOfRange) or
/// [`Error::Index`](ribbonmesh::Error::Index) for a vertex that is not there.
pub fn repair_triangles(
    positions: &Buffer<DVec3>,
    faces: Buffer<u32>,
    options: &RepairOptions,
) -> Result<RepairedTriangles, RepairError> {
    let (device, vertices) = (positions.device().clone(), positions.len());
    let mut report = RepairReport::default();
    if needs_nothing(vertices, &faces, options)? {
        let vertex_inputs = array::count_up(&device, vertices as u32)?;
        let face_inputs = array::count_up(&device, faces.len() as u32 / 3)?;
        return Ok(RepairedTriangles { faces, vertex_inputs, face_inputs, report });
    }
    let (faces, welded) = match options.weld {
        None => (faces, None),
        Some(distance) => weld_vertices(positions, faces, distance, &mut report)?,
    };
    let Distinct { mut linked, inputs, noted } = distinct(positions, faces, options, &mut report)?;
    let meeting = Meeting::of(&noted);
    drop(noted);

    let small = options.remove_components > 1;
    let labels = (small || !meeting.is_empty()).then(|| Labels::of(&linked)).transpose()?;
    let mut turned = None;
    let mut joined = None;
    if let Some(labels) = labels.as_ref().filter(|_| !meeting.is_empty()) {
        let mut patches = Patches::of(labels, meeting.faces())?;
        meeting.orient(&mut patches, &mut linked, &mut report)?;
        if !meeting.crowded.is_empty() {
            meeting.pair(positions, &mut patches, &mut linked, inputs.as_ref(), &mut report)?;
        }
        turned = turned_faces(&mut patches, labels)?;
        joined = Some(patches);
    }

    let faces = linked.faces().try_clone()?;
    let mut mesh = Mesh { vertices, turned, inputs, faces, across: linked.across };
    let mut lost = vec![];
    if let Some(labels) = labels.filter(|_| small) {
        lost = mesh.remove_components(labels, joined, options.remove_components, &mut report)?;
    }
    let copies = mesh.split(options.keep_touching, &report)?;
    if let Some(turned) = &mesh.turned {
        let n = turned.len() as u32;
        device.launch_each(n, TurnFaces { marked: turned.view(), faces: mesh.faces.view_mut() })?;
        let list = array::select(turned)?;
        report.faces_turned = mesh.inputs_of(list)?.read()?;
    }
    let vertex_inputs = mesh.remove_vertices(options.remove_isolated, &lost, welded, &copies, &mut report)?;
    report.vertices_split = copies_of(vertex_inputs.len() - copies.len(), &copies);
    let face_inputs = match mesh.inputs {
        Some(inputs) => inputs,
        None => array::count_up(&device, mesh.faces.len() as u32 / 3)?,
    };
    Ok(RepairedTriangles { faces: mesh.faces, vertex_inputs, face_inputs, report })
}

/// Whether triangles are found to need nothing at a quick look.
fn needs_nothing(vertices: usize, faces: &Buffer<u32>, options: &RepairOptions) -> Result<bool, Error> {
    if options.weld.is_some() || options.remove_zero_area || options.remove_components > 1 {
        return Ok(false);
    }
    let touching = |simple: &Simple| options.keep_touching || simple.several_fans.is_empty();
    let isolated = |simple: &Simple| !options.remove_isolated || simple.isolated == 0;
    Ok(look_simply(vertices, faces)?.is_some_and(|simple| touching(&simple) && isolated(&simple)))
}

/// Makes vertices one that are near each other.
fn weld_vertices(
    positions: &Buffer<DVec3>,
    faces: Buffer<u32>,
    distance: f64,
    report: &mut RepairReport,
) -> Result<(Buffer<u32>, Option<Welded>), RepairError> {
    let found = welded(positions, distance)?;
    let list = array::select(&found.welded)?;
    if list.is_empty() {
        return Ok((faces, None));
    }
    report.vertices_welded = pairs(&list, &found.becomes)?;
    Ok((array::gather(&found.becomes, &faces)?, Some(found)))
}

/// Where faces meet otherwise than two that agree.
struct Meeting {
    /// The sides of each edge of more than two faces, ascending.
    crowded: Vec<Vec<Side>>,
    /// The lesser sides of edges of two faces that disagree, ascending.
    disagreeing: Vec<Side>,
}

impl Meeting {
    fn of(noted: &[Side]) -> Self {
        let (mut crowded, disagreeing): (Vec<Side>, Vec<Side>) =
            noted.iter().partition(|side| side.across == NONE);
        crowded.sort_unstable_by_key(|side| (side.edge(), side.side));
        let crowded = crowded.chunk_by(|a, b| a.edge() == b.edge()).map(<[Side]>::to_vec).collect();
        Self { crowded, disagreeing }
    }
    fn is_empty(&self) -> bool {
        self.crowded.is_empty() && self.disagreeing.is_empty()
    }
    /// The faces there.
    fn faces(&self) -> Vec<u32> {
        let disagreeing = self.disagreeing.iter().flat_map(|side| [side.side, side.across]);
        self.crowded.iter().flatten().map(|side| side.side).chain(disagreeing).map(|side| side / 3).collect()
    }
    /// Cuts the edges at which faces cannot be oriented.
    fn orient(
        &self,
        patches: &mut Patches,
        linked: &mut Linked,
        report: &mut RepairReport,
    ) -> Result<(), Error> {
        let cuts = patches.orient(&self.disagreeing);
        report.nonorientable_components = cuts.components;
        let cut: Vec<u32> = cuts.sides.iter().flat_map(|side| [side.side, side.across]).collect();
        set(&mut linked.across, &cut, &vec![NONE; cut.len()])?;
        let cut = |side: &Side| EdgeCut { edge: side.edge(), faces: side.inputs };
        report.edges_cut = cuts.sides.iter().map(cut).collect();
        report.edges_cut.sort_unstable_by_key(|cut| (cut.edge, cut.faces));
        Ok(())
    }
    /// Links sides of crowded edges.
    fn pair(
        &self,
        positions: &Buffer<DVec3>,
        patches: &mut Patches,
        linked: &mut Linked,
        inputs: Option<&Buffer<u32>>,
        report: &mut RepairReport,
    ) -> Result<(), RepairError> {
        let device = positions.device().clone();
        let mut hot: Vec<u32> = self.crowded.iter().flat_map(|sides| sides[0].ends).collect();
        hot.sort_unstable();
        hot.dedup();
        let marked = marks(&device, positions.len(), &hot)?;
        let mut region = Region::around(&marked, linked.faces(), inputs, &linked.across)?;
        let at = array::gather(positions, &device.upload(&region.vertices)?)?.read()?;
        let inner = |side: &Side| region.side(side.side).unwrap_or_default();
        let crowded: Vec<Vec<u32>> =
            self.crowded.iter().map(|sides| sides.iter().map(inner).collect()).collect();

        // faces whose patches are joined, and those that are turned
        let mut oriented = SidedUnionFind::new(region.faces.len());
        let mut first = vec![NONE; patches.labels.len()];
        let mut turned = vec![false; region.faces.len()];
        let turns = patches.turned();
        for (side, inner) in self.crowded.iter().flatten().zip(crowded.iter().flatten()) {
            let (face, patch) = (inner / 3, patches.at(side.side));
            turned[face as usize] = turns[patch as usize];
            let first = &mut first[patches.root(patch) as usize];
            if *first == NONE {
                *first = face;
            }
            oriented.join(*first, face, false);
        }
        let hot = region.places(&hot);
        let pairs = sheets(&crowded, &hot, &at, &region.faces, &turned, oriented, &mut region.links)?;

        let mut links = vec![];
        for (side, &inner) in self.crowded.iter().flatten().zip(crowded.iter().flatten()) {
            links.extend(region.links.across(inner).map(|across| (side.side, region.side_of(across))));
        }
        let (sides, across): (Vec<u32>, Vec<u32>) = links.into_iter().unzip();
        set(&mut linked.across, &sides, &across)?;
        for pair in &pairs {
            let opposite = same_direction(&region.faces, *pair);
            patches.join(pair.map(|side| region.side_of(side)), opposite);
        }
        report.edges_split = edges_split(&crowded, pairs, &region.faces, &region.inputs);
        for split in &mut report.edges_split {
            split.edge = split.edge.map(|v| region.vertices[v as usize]);
        }
        Ok(())
    }
}

/// Links the sides of edges of more than two faces so that an edge has at most two after the split into fans.
/// `hot`: the vertices of these edges, ascending. Returns the pairs.
fn sheets(
    crowded: &[Vec<u32>],
    hot: &[u32],
    positions: &[DVec3],
    faces: &[[u32; 3]],
    turned: &[bool],
    oriented: SidedUnionFind,
    links: &mut Links,
) -> Result<Vec<[u32; 2]>, MeshError> {
    let vertices = positions.len();
    let split = |links: &Links| -> Result<Vec<[u32; 3]>, MeshError> {
        let (mut faces, mut inputs) = (faces.to_vec(), (0..vertices as u32).collect());
        let mut several = vertices_of_several(vertices, &faces, links);
        several.retain(|v| hot.binary_search(v).is_ok());
        split(&several, &mut faces, links, &mut inputs);
        MeshError::at_most("vertices, copies included,", inputs.len(), VERTICES)?;
        Ok(faces)
    };
    let mut pairs = pair(crowded, positions, faces, turned, oriented, links);
    let mut apart = split(links)?;
    for which in [Unpair::Others, Unpair::All] {
        if !unpair(crowded, &apart, &mut pairs, links, which) {
            break;
        }
        apart = split(links)?;
    }
    pairs.extend(close(crowded, &apart, links));
    Ok(pairs)
}

/// The entries of the report for edges of more than two faces.
fn edges_split(
    crowded: &[Vec<u32>],
    pairs: Vec<[u32; 2]>,
    faces: &[[u32; 3]],
    face_inputs: &[u32],
) -> Vec<EdgeSplit> {
    let of = |side: u32| face_inputs[side as usize / 3];
    let by_edge = |&pair: &[u32; 2]| (sorted(ends(faces, pair[0])), sorted(pair.map(of)));
    let mut pairs: Vec<([u32; 2], [u32; 2])> = pairs.iter().map(by_edge).collect();
    pairs.sort_unstable();
    let mut pairs = pairs.chunk_by(|a, b| a.0 == b.0).peekable();
    let split = |sides: &Vec<u32>| {
        let edge = sorted(ends(faces, sides[0]));
        let joined = pairs.next_if(|pairs| pairs[0].0 == edge).unwrap_or_default();
        let joined = joined.iter().map(|pair| pair.1).collect();
        EdgeSplit { edge, faces: sides.iter().map(|&side| of(side)).collect(), joined }
    };
    crowded.iter().map(split).collect()
}

/// Whether each face is turned; `None` if none is.
fn turned_faces(patches: &mut Patches, labels: &Labels) -> Result<Option<Buffer<u32>>, Error> {
    let turned: Vec<u32> = patches
        .labels
        .clone()
        .into_iter()
        .zip(patches.turned())
        .filter(|(_, turned)| *turned)
        .map(|(label, _)| label)
        .collect();
    if turned.is_empty() {
        return Ok(None);
    }
    let marked = marks(labels.of.device(), labels.of.len(), &turned)?;
    Ok(Some(array::gather(&marked, &labels.of)?))
}

/// Triangles that are linked as they will stay.
struct Mesh {
    vertices: usize,
    faces: Buffer<u32>,
    across: Buffer<u32>,
    /// Whether each face will be turned; `None` if none will be.
    turned: Option<Buffer<u32>>,
    /// The faces of the input that stay, if some do not.
    inputs: Option<Buffer<u32>>,
}

impl Mesh {
    /// The faces of the input that listed faces are.
    fn inputs_of(&self, list: Buffer<u32>) -> Result<Buffer<u32>, Error> {
        match &self.inputs {
            Some(inputs) => array::gather(inputs, &list),
            None => Ok(list),
        }
    }
    /// Drops the components of fewer faces than `below`. Returns their vertices, of which some may have other
    /// faces.
    fn remove_components(
        &mut self,
        labels: Labels,
        patches: Option<Patches>,
        below: u32,
        report: &mut RepairReport,
    ) -> Result<Vec<u32>, Error> {
        let device = self.faces.device().clone();
        let n = self.faces.len() / 3;
        let Labels { of: mut labels, mut sizes } = labels;
        if let Some(mut patches) = patches {
            // joined patches get the label of the first, and its number of faces
            let roots = patches.roots();
            let mut totals = vec![0_u32; roots.len()];
            roots.iter().zip(&patches.sizes).for_each(|(&root, size)| totals[root as usize] += size);
            let label = |&root: &u32| patches.labels[root as usize];
            let mut becomes = array::count_up(&device, n as u32)?;
            set(&mut becomes, &patches.labels, &roots.iter().map(label).collect::<Vec<u32>>())?;
            set(&mut sizes, &patches.labels, &totals)?;
            labels = array::gather(&becomes, &labels)?;
        }
        let mut small = device.unspecified::<u32>(n)?;
        let mut stays = device.unspecified::<u32>(n)?;
        let find = FindSmall {
            labels: labels.view(),
            sizes: sizes.view(),
            below,
            small: small.view_mut(),
            stays: stays.view_mut(),
        };
        device.launch_each(n as u32, find)?;
        let list = array::select(&small)?;
        if list.is_empty() {
            return Ok(vec![]);
        }
        let lost = rows(&self.faces, &list)?.read()?;
        let components = array::gather(&labels, &list)?.read()?;
        let faces = self.inputs_of(list)?.read()?;
        let mut found: Vec<(u32, u32)> = components.into_iter().zip(faces).collect();
        found.sort_unstable();
        let components = found.chunk_by(|a, b| a.0 == b.0);
        report.components_removed =
            components.map(|component| component.iter().map(|entry| entry.1).collect()).collect();

        let list = array::select(&stays)?;
        let mut places = device.unspecified::<u32>(n)?;
        array::fill(&mut places, NONE)?;
        array::scatter(&array::count_up(&device, list.len() as u32)?, &list, &mut places)?;
        let mut across = device.unspecified::<u32>(3 * list.len())?;
        let links = MoveLinks {
            list: list.view(),
            places: places.view(),
            across: self.across.view(),
            moved: across.view_mut(),
        };
        device.launch_each(3 * list.len() as u32, links)?;
        self.across = across;
        self.faces = rows(&self.faces, &list)?;
        if let Some(turned) = &self.turned {
            self.turned = Some(array::gather(turned, &list)?);
        }
        self.inputs = Some(self.inputs_of(list)?);
        Ok(lost)
    }
    /// Gives each fan of a vertex but the first a vertex of its own. Returns the vertices of which the new
    /// ones are copies.
    fn split(&mut self, keep_touching: bool, report: &RepairReport) -> Result<Vec<u32>, RepairError> {
        let found = find_fans(self.vertices, &self.faces, &self.across)?;
        if found.count == 0 {
            return Ok(vec![]);
        }
        let mut region = Region::around(&found.several, &self.faces, None, &self.across)?;
        let mut several = region.places(&array::select(&found.several)?.read()?);
        let n = region.vertices.len();
        if keep_touching {
            let cut = report.edges_cut.iter().map(|cut| cut.edge);
            let cut = cut.chain(report.edges_split.iter().map(|split| split.edge));
            let cut: FxHashSet<u32> = cut.flatten().collect();
            let mut closed = apart(&several, n, &region.faces, &region.links).into_iter();
            several.retain(|&v| closed.next() == Some(true) || cut.contains(&region.vertices[v as usize]));
        }
        let mut inputs = region.vertices.clone();
        split(&several, &mut region.faces, &region.links, &mut inputs);
        let copies = inputs.split_off(n);
        MeshError::at_most("vertices, copies included,", self.vertices + copies.len(), VERTICES)?;
        let vertices = self.vertices as u32;
        let (mut corners, mut news) = (vec![], vec![]);
        for (corner, &v) in (0..).zip(region.faces.as_flattened()).filter(|(_, v)| **v as usize >= n) {
            corners.push(region.side_of(corner));
            news.push(vertices + v - n as u32);
        }
        set(&mut self.faces, &corners, &news)?;
        Ok(copies)
    }
    /// Removes vertices without a face: any if `all`, else those that were welded to others, and those in
    /// `lost`. Returns the vertex of the input of each that stays, and of the copies, which come last.
    fn remove_vertices(
        &mut self,
        all: bool,
        lost: &[u32],
        welded: Option<Welded>,
        copies: &[u32],
        report: &mut RepairReport,
    ) -> Result<Buffer<u32>, Error> {
        let device = self.faces.device().clone();
        let n = self.vertices + copies.len();
        let mut inputs = array::count_up(&device, n as u32)?;
        if !copies.is_empty() {
            inputs.write_range(self.vertices, copies)?;
        }
        if !all && lost.is_empty() && welded.is_none() {
            return Ok(inputs);
        }
        let used = used(n, &self.faces)?;
        let mut removable = match welded {
            Some(welded) => welded.welded,
            None => device.zeros::<u32>(self.vertices)?,
        };
        set(&mut removable, lost, &vec![1; lost.len()])?;
        let mut stays = device.unspecified::<u32>(n)?;
        let mut goes = device.unspecified::<u32>(n)?;
        let part = PartVertices {
            used: used.view(),
            removable: removable.view(),
            all: all.into(),
            stays: stays.view_mut(),
            goes: goes.view_mut(),
        };
        device.launch_each(n as u32, part)?;
        let list = array::select(&goes)?;
        if list.is_empty() {
            return Ok(inputs);
        }
        let mut gone = list.read()?;
        gone.retain(|v| report.vertices_welded.binary_search_by_key(v, |pair| pair[0]).is_err());
        report.isolated_vertices_removed = gone;
        let list = array::select(&stays)?;
        let mut places = device.zeros::<u32>(n)?;
        array::scatter(&array::count_up(&device, list.len() as u32)?, &list, &mut places)?;
        self.faces = array::gather(&places, &self.faces)?;
        array::gather(&inputs, &list)
    }
}

/// The vertices of the input that have copies, which begin at `first`.
fn copies_of(first: usize, inputs: &[u32]) -> Vec<VertexSplit> {
    let mut copies: Vec<(u32, u32)> = (first as u32..).zip(inputs).map(|(v, &input)| (input, v)).collect();
    copies.sort_unstable();
    let by_input = copies.chunk_by(|a, b| a.0 == b.0);
    by_input
        .map(|same| VertexSplit { vertex: same[0].0, copies: same.iter().map(|copy| copy.1).collect() })
        .collect()
}
