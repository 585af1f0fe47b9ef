//! Relations between elements, and the relations that they are made from.
use super::error::Result;
use super::tcsr::Tcsr;
use crate::device::relations::{CountCellEdges, FaceVertices, FillCellEdges, VertexNeighbours};
use ribbonmesh::array;
use std::sync::OnceLock;

macro_rules! relations { ($($(#[$doc:meta])* $name:ident $reverse:ident [$($base:ident)*];)*) => {
    /// A relation between elements: the first letter says whose rows, the second what is in them. V are
    /// vertices, E edges, F faces, C cells.
    ///
    /// Relations between neighbouring dimensions have signs. Rows ascend, except for the rows of EV, FE, FV
    /// and CF, which have the order of the element.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Relation { $($(#[$doc])* $name,)* }
    impl Relation {
        /// All of them.
        pub const ALL: [Self; 16] = [$(Self::$name),*];
        /// The relation the other way around.
        pub const fn reverse(self) -> Self {
            match self { $(Self::$name => Self::$reverse),* }
        }
        /// The stored operators, of EV, FE and CF, on which it depends.
        pub const fn depends_on(self) -> &'static [Self] {
            match self { $(Self::$name => &[$(Self::$base),*]),* }
        }
    }
} }
relations! {
    /// Neighbours of a vertex: the other ends of its edges.
    VV VV [EV];
    /// Edges of a vertex; -1 where the edge begins at the vertex, 1 where it ends.
    VE EV [EV];
    /// Faces of a vertex.
    VF FV [EV FE];
    /// Cells of a vertex.
    VC CV [EV FE CF];
    /// The start (-1) and the end (1) of an edge.
    EV VE [EV];
    /// Edges with which an edge shares a face.
    EE EE [FE];
    /// Faces of an edge; 1 where the face runs along the edge, -1 against it.
    EF FE [FE];
    /// Cells of an edge.
    EC CE [FE CF];
    /// Vertices of a face, along its cycle.
    FV VF [EV FE];
    /// Edges of a face along its cycle, with the direction in which they are passed. Edge `i` leaves vertex
    /// `i` of FV.
    FE EF [FE];
    /// Faces with which a face shares an edge.
    FF FF [FE];
    /// Cells of a face; 1 where the face's normal points into the cell, -1 where it points out.
    FC CF [CF];
    /// Vertices of a cell.
    CV VC [EV FE CF];
    /// Edges of a cell.
    CE EC [FE CF];
    /// Faces of a cell in the order of the input; 1 where the face's normal points into the cell, -1 where it
    /// points out.
    CF FC [CF];
    /// Cells with which a cell shares a face.
    CC CC [CF];
}
impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

/// Relations that have been made.
#[derive(Debug, Default)]
pub struct Cache([OnceLock<Tcsr>; 16]);
impl Cache {
    /// The relation, if it has been made.
    pub fn made(&self, relation: Relation) -> Option<&Tcsr> {
        self.0[relation as usize].get()
    }
    /// The relation, made if it is not there.
    pub fn get_or_make(&self, relation: Relation, make: impl FnOnce() -> Result<Tcsr>) -> Result<&Tcsr> {
        let slot = &self.0[relation as usize];
        if let Some(found) = slot.get() {
            return Ok(found);
        }
        let made = make()?;
        Ok(slot.get_or_init(|| made))
    }
    /// Forgets what depends on an operator.
    pub fn forget(&mut self, operator: Relation) {
        for relation in Relation::ALL {
            if relation.depends_on().contains(&operator) {
                self.0[relation as usize] = OnceLock::new();
            }
        }
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.0.iter().filter_map(OnceLock::get).map(Tcsr::bytes).sum()
    }
}

/// A relation from others, which `get` gives.
pub fn derive<'a>(relation: Relation, get: impl Fn(Relation) -> Result<&'a Tcsr>) -> Result<Tcsr> {
    use Relation::{CC, CE, CF, CV, EC, EE, EF, EV, FC, FE, FF, FV, VC, VE, VF, VV};
    match relation {
        VE | VF | VC | EF | EC | FC | EV | FE | CF => get(relation.reverse())?.transpose(),
        FV => face_vertices(get(FE)?, get(EV)?),
        CE => cell_edges(get(CF)?, get(FE)?),
        CV => get(CF)?.product(get(FV)?, false),
        VV => vertex_neighbours(get(VE)?, get(EV)?),
        EE => get(EF)?.product(get(FE)?, true),
        FF => get(FE)?.product(get(EF)?, true),
        CC => get(CF)?.product(get(FC)?, true),
    }
}

fn face_vertices(fe: &Tcsr, ev: &Tcsr) -> Result<Tcsr> {
    let (device, n) = (fe.device(), fe.len() as u32);
    let mut entries = device.unspecified::<i32>(n as usize)?;
    device.launch_each(n, FaceVertices { fe: fe.view(), ev: ev.view(), to: entries.view_mut() })?;
    let columns = ev.columns() as u32;
    match fe.stride() {
        Some(stride) => Tcsr::with_stride(entries, stride as u32, columns),
        None => Ok(Tcsr::from_parts(fe.starts().try_clone()?, entries, columns)),
    }
}
fn cell_edges(cf: &Tcsr, fe: &Tcsr) -> Result<Tcsr> {
    let (device, n) = (cf.device(), cf.rows() as u32);
    let mut starts = device.zeros::<u32>(n as usize + 1)?;
    let counts = starts.view_mut();
    device.launch_each(n, CountCellEdges { cf: cf.view(), fe: fe.view(), counts })?;
    let total = array::exclusive_scan(&mut starts)?;
    let mut entries = device.unspecified::<i32>(total as usize)?;
    let (from, to) = (starts.view(), entries.view_mut());
    device.launch_each(n, FillCellEdges { cf: cf.view(), fe: fe.view(), starts: from, to })?;
    Ok(Tcsr::from_parts(starts, entries, fe.columns() as u32))
}
fn vertex_neighbours(ve: &Tcsr, ev: &Tcsr) -> Result<Tcsr> {
    let (device, n) = (ve.device(), ve.rows() as u32);
    let mut entries = device.unspecified::<i32>(ve.len())?;
    let to = entries.view_mut();
    device.launch_each(n, VertexNeighbours { ve: ve.view(), ev: ev.view(), to })?;
    Ok(Tcsr::from_parts(ve.starts().try_clone()?, entries, n))
}
