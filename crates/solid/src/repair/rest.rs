//! Triangles that are linked as they will stay, and what is left to do with them.
use crate::repair::check::VERTICES;
use crate::repair::fans::apart;
use crate::repair::kernels::faces::{MoveLinks, TurnFaces};
use crate::repair::kernels::sides::FlagOpen;
use crate::repair::kernels::vertices::PartVertices;
use crate::repair::linked::{find_fans, numbered_among, places_in, rows, set, used};
use crate::repair::orient::Orientation;
use crate::repair::region::Region;
use crate::repair::split::split;
use crate::repair::weld::Welded;
use crate::repair::{RepairError, RepairReport, VertexSplit};
use ribbonmesh::{Buffer, Error, array};
use ribbonmesh_mesh::MeshError;
use rustc_hash::FxHashSet;

/// Triangles that are linked as they will stay.
pub(crate) struct Mesh {
    /// Number of vertices.
    pub vertices: usize,
    /// Three vertices of each face.
    pub faces: Buffer<u32>,
    /// For each side the one across.
    pub across: Buffer<u32>,
    /// Whether each face will be turned; `None` if none will be.
    pub turned: Option<Buffer<u32>>,
    /// The faces of the input that stay, if some do not.
    pub inputs: Option<Buffer<u32>>,
}

impl Mesh {
    /// The faces of the input that listed faces are.
    pub fn inputs_of(&self, list: Buffer<u32>) -> Result<Buffer<u32>, Error> {
        match &self.inputs {
            Some(inputs) => array::gather(inputs, &list),
            None => Ok(list),
        }
    }
    /// Drops the components of fewer faces than `below`. Returns their vertices, of which some may have other
    /// faces.
    pub fn remove_components(
        &mut self,
        orientation: &Orientation,
        below: u32,
        report: &mut RepairReport,
    ) -> Result<Vec<u32>, Error> {
        let device = self.faces.device().clone();
        let n = self.faces.len() / 3;
        let [small, stays] = orientation.small(below)?;
        let list = array::select(&small)?;
        if list.is_empty() {
            return Ok(vec![]);
        }
        let lost = rows(&self.faces, &list)?.read()?;
        let [components, _] = orientation.of_faces(&list)?;
        let faces = self.inputs_of(list)?.read()?;
        let mut found: Vec<(u32, u32)> = components.into_iter().zip(faces).collect();
        found.sort_unstable();
        let components = found.chunk_by(|a, b| a.0 == b.0);
        report.components_removed =
            components.map(|component| component.iter().map(|entry| entry.1).collect()).collect();

        let list = array::select(&stays)?;
        let places = places_in(&list, n)?;
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
    /// Turns the faces that will be turned.
    pub fn turn(&mut self, report: &mut RepairReport) -> Result<(), Error> {
        let Some(turned) = &self.turned else { return Ok(()) };
        let list = array::select(turned)?;
        if !list.is_empty() {
            let turn = TurnFaces { marked: turned.view(), faces: self.faces.view_mut() };
            list.device().launch_each(turned.len() as u32, turn)?;
            report.faces_turned = self.inputs_of(list)?.read()?;
        }
        Ok(())
    }
    /// The sides of the boundary, ascending, after faces were turned. Waits.
    pub fn open_sides(&self) -> Result<Buffer<u32>, Error> {
        let device = self.faces.device();
        let nothing = device.unspecified::<u32>(0)?;
        let mut flags = device.unspecified::<u32>(self.faces.len())?;
        let flag = FlagOpen {
            across: self.across.view(),
            turned: self.turned.as_ref().unwrap_or(&nothing).view(),
            flags: flags.view_mut(),
        };
        device.launch_each(self.faces.len() as u32, flag)?;
        array::select(&flags)
    }
    /// Gives each fan of a vertex but the first a vertex of its own. Returns the vertices of which the new
    /// ones are copies.
    pub fn split(&mut self, keep_touching: bool, report: &RepairReport) -> Result<Vec<u32>, RepairError> {
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
    pub fn remove_vertices(
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
        let welded = match welded {
            Some(welded) => welded.welded,
            None => device.unspecified::<u32>(0)?,
        };
        let mut flags = device.zeros::<u32>(if lost.is_empty() { 0 } else { self.vertices })?;
        set(&mut flags, lost, &vec![1; lost.len()])?;
        let mut stays = device.unspecified::<u32>(n)?;
        let mut isolated = device.unspecified::<u32>(n)?;
        let part = PartVertices {
            used: used.view(),
            welded: welded.view(),
            lost: flags.view(),
            all: all.into(),
            stays: stays.view_mut(),
            isolated: isolated.view_mut(),
        };
        device.launch_each(n as u32, part)?;
        let list = array::select(&stays)?;
        if list.len() == n {
            return Ok(inputs);
        }
        report.isolated_vertices_removed = array::select(&isolated)?.read()?;
        self.faces = numbered_among(&list, n, &self.faces)?;
        array::gather(&inputs, &list)
    }
}

/// The vertices of the input that have copies, which begin at `first`.
pub(crate) fn copies_of(first: usize, inputs: &[u32]) -> Vec<VertexSplit> {
    let mut copies: Vec<(u32, u32)> = (first as u32..).zip(inputs).map(|(v, &input)| (input, v)).collect();
    copies.sort_unstable();
    let by_input = copies.chunk_by(|a, b| a.0 == b.0);
    by_input
        .map(|same| VertexSplit { vertex: same[0].0, copies: same.iter().map(|copy| copy.1).collect() })
        .collect()
}
