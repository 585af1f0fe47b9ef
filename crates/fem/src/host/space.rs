//! Spaces of functions on a mesh, and their nodes.
use super::error::{FemError, Result};
use super::kernels::{Launch, fits};
use crate::device::bernstein::{EDGES, FACES};
use crate::device::cells::{CheckCells, hex_field, tet1_field, tet2_field, tet3_field, tri_field};
use crate::device::matrix::ROWS;
use crate::device::space::SpaceViewArguments;
use ribbonmesh::device::{BufferView, NONE};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_volume::{Relation, SimplexMesh, Tcsr, TcsrViewArguments, VolumeError};
use std::ops::Range;

/// The cells of a space, and their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// Tetrahedra of order 1.
    Tet1,
    /// Tetrahedra of order 2.
    Tet2,
    /// Tetrahedra of order 3.
    Tet3,
    /// Hexahedra of order 1.
    Hex,
    /// Triangles of order 1, of a surface.
    Tri,
}
impl CellShape {
    /// Nodes of a cell.
    pub const fn nodes(self) -> u32 {
        match self {
            Self::Tet1 => 4,
            Self::Tet2 => 10,
            Self::Tet3 => 20,
            Self::Hex => 8,
            Self::Tri => 3,
        }
    }
    /// Vertices of a cell.
    pub const fn corners(self) -> u32 {
        match self {
            Self::Hex => 8,
            Self::Tri => 3,
            _ => 4,
        }
    }
    /// The order of the polynomials.
    pub const fn order(self) -> u32 {
        match self {
            Self::Tet2 => 2,
            Self::Tet3 => 3,
            _ => 1,
        }
    }
}

/// Continuous functions that are polynomials in each cell of a mesh, with a number of unknowns at each node.
///
/// Nodes are numbered: vertices, then those inside of edges, faces and cells. Nothing is stored for that but
/// relations of the mesh, which belong to the mesh: cells of vertices; from order 2 on edges of cells and
/// cells of edges; at order 3 faces of cells and cells of faces.
pub struct Space<'m> {
    shape: CellShape,
    cells: u32,
    nodes: u32,
    first_edge: u32,
    first_face: u32,
    mesh: Mesh<'m>,
}
// there is one in a space, and few spaces
#[allow(clippy::large_enum_variant)]
enum Mesh<'m> {
    Tetrahedra {
        mesh: &'m SimplexMesh,
        cv: &'m Tcsr,
        vc: &'m Tcsr,
        edges: Option<[&'m Tcsr; 2]>,
        faces: Option<[&'m Tcsr; 2]>,
    },
    Triangles {
        mesh: &'m SimplexMesh,
        fv: &'m Tcsr,
        vf: &'m Tcsr,
    },
    Hexahedra {
        x: Buffer<Vec3>,
        corners: Buffer<i32>,
        vc: Tcsr,
    },
}

impl<'m> Space<'m> {
    /// Tetrahedra of order 1, 2 or 3. The first use of relations makes them; one pass over the cells checks
    /// their volumes; waits.
    /// # Errors
    /// [`FemError::Order`], [`FemError::Triangles`], [`FemError::Inverted`]; [`Error::TooMany`]; out of
    /// memory; errors of the driver.
    pub fn tetrahedra(mesh: &'m SimplexMesh, order: u32) -> Result<Self> {
        let shape = match order {
            1 => CellShape::Tet1,
            2 => CellShape::Tet2,
            3 => CellShape::Tet3,
            _ => return Err(FemError::Order { order, most: 3 }),
        };
        if mesh.dimension() != 3 {
            return Err(FemError::Triangles);
        }
        let of = |relation| mesh.relation(relation);
        let edges = if order > 1 { Some([of(Relation::CE)?, of(Relation::EC)?]) } else { None };
        let faces = if order > 2 { Some([of(Relation::CF)?, of(Relation::FC)?]) } else { None };
        let vertices = mesh.vertices() as u64;
        let inner = edges.map_or(0, |[_, ec]| u64::from(order - 1) * ec.rows() as u64);
        let first_edge = fits("nodes", vertices)?;
        let first_face = fits("nodes", vertices + inner)?;
        let nodes = fits("nodes", vertices + inner + faces.map_or(0, |[_, fc]| fc.rows() as u64))?;
        let (cv, vc) = (of(Relation::CV)?, of(Relation::VC)?);
        let cells = mesh.simplices() as u32;
        let mesh = Mesh::Tetrahedra { mesh, cv, vc, edges, faces };
        Self { shape, cells, nodes, first_edge, first_face, mesh }.checked()
    }
    /// Triangles of order 1 on a surface, which may have boundaries, and edges of more than two triangles.
    /// Functions, gradients and forms are defined on the surface. The first use of relations makes them; one
    /// pass over the triangles checks their areas; waits.
    /// # Errors
    /// [`FemError::Tetrahedra`]; [`FemError::Inverted`] for a triangle without area; [`Error::TooMany`]; out
    /// of memory; errors of the driver.
    pub fn triangles(mesh: &'m SimplexMesh) -> Result<Self> {
        if mesh.dimension() != 2 {
            return Err(FemError::Tetrahedra);
        }
        let nodes = fits("nodes", mesh.vertices() as u64)?;
        let (fv, vf) = (mesh.relation(Relation::FV)?, mesh.relation(Relation::VF)?);
        let cells = mesh.simplices() as u32;
        let mesh = Mesh::Triangles { mesh, fv, vf };
        Self { shape: CellShape::Tri, cells, nodes, first_edge: nodes, first_face: nodes, mesh }.checked()
    }
    /// Hexahedra of order 1, in VTK's order of vertices. Takes 32 bytes per cell for the vertices of cells,
    /// as much and 4 bytes per vertex for the cells of vertices; waits.
    /// # Errors
    /// [`VolumeError::VertexOutOfRange`], [`Error::NotFinite`], [`FemError::Inverted`]; [`Error::TooMany`];
    /// out of memory; errors of the driver.
    pub fn hexahedra(device: &Device, positions: &[Vec3], cells: &[[u32; 8]]) -> Result<Space<'static>> {
        let vertices = positions.len();
        if let Some(vertex) = positions.iter().position(|x| !x.is_finite()) {
            return Err(Error::NotFinite { vertex }.into());
        }
        for (cell, own) in cells.iter().enumerate() {
            if let Some(&vertex) = own.iter().find(|&&v| v as usize >= vertices) {
                return Err(VolumeError::VertexOutOfRange { cell, vertex, vertices }.into());
            }
        }
        let (nodes, n) =
            (fits("nodes", vertices as u64)?, fits("vertices of cells", 8 * cells.len() as u64)?);
        let words: Vec<i32> = cells.as_flattened().iter().map(|&v| v as i32).collect();
        let starts: Vec<u32> = (0..=n / 8).map(|i| 8 * i).collect();
        let cv = Tcsr::new(device, vertices, &starts, &words)?;
        let (vc, corners) = (cv.transpose()?, cv.entries().try_clone()?);
        let mesh = Mesh::Hexahedra { x: device.upload(positions)?, corners, vc };
        Space { shape: CellShape::Hex, cells: n / 8, nodes, first_edge: nodes, first_face: nodes, mesh }
            .checked()
    }
    fn checked(self) -> Result<Self> {
        self.check()?;
        Ok(self)
    }
    /// Checks that no cell is turned inside out or flat, and no triangle without area, at the present
    /// positions; waits.
    /// # Errors
    /// [`FemError::Inverted`]; errors of the driver.
    pub fn check(&self) -> Result<()> {
        let device = self.device();
        let mut wrong = device.upload(&[NONE])?;
        let (cells, corners) = (self.cells, self.shape.corners());
        let check =
            CheckCells { corners, space: self.view(), x: self.positions().view(), wrong: wrong.view_mut() };
        device.launch_each(cells, check)?;
        match wrong.read()?[0] {
            NONE => Ok(()),
            cell => Err(FemError::Inverted { cell: cell as usize }),
        }
    }
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.positions().device()
    }
    /// The cells and their order.
    pub fn shape(&self) -> CellShape {
        self.shape
    }
    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.cells as usize
    }
    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes as usize
    }
    /// The number of vertices, which are the first nodes.
    pub fn vertices(&self) -> usize {
        self.positions().len()
    }
    /// Positions of vertices.
    pub fn positions(&self) -> &Buffer<Vec3> {
        match &self.mesh {
            Mesh::Tetrahedra { mesh, .. } | Mesh::Triangles { mesh, .. } => mesh.positions(),
            Mesh::Hexahedra { x, .. } => x,
        }
    }
    /// The mesh of tetrahedra or triangles, if it is one.
    pub fn simplices(&self) -> Option<&'m SimplexMesh> {
        match &self.mesh {
            Mesh::Tetrahedra { mesh, .. } | Mesh::Triangles { mesh, .. } => Some(mesh),
            Mesh::Hexahedra { .. } => None,
        }
    }
    /// The nodes inside of an edge, from its smaller vertex to the larger one.
    pub fn edge_nodes(&self, edge: u32) -> Range<u32> {
        let inner = self.shape.order() - 1;
        self.first_edge + inner * edge..self.first_edge + inner * (edge + 1)
    }
    /// The nodes inside of a face.
    pub fn face_nodes(&self, face: u32) -> Range<u32> {
        let inner = u32::from(self.shape.order() == 3);
        self.first_face + inner * face..self.first_face + inner * (face + 1)
    }
    /// As an argument of kernels.
    pub(crate) fn view(&self) -> SpaceViewArguments<'_> {
        let none =
            || TcsrViewArguments { starts: BufferView::empty(), entries: BufferView::empty(), stride: 0 };
        let of = |pair: &Option<[&'m Tcsr; 2]>, which: usize| match pair {
            Some(pair) => pair[which].view(),
            None => none(),
        };
        let (nodes, first_edge, first_face) = (self.nodes, self.first_edge, self.first_face);
        let of_vertices = |corners, vertex_cells| SpaceViewArguments {
            nodes,
            first_edge,
            first_face,
            corners,
            cell_edges: none(),
            cell_faces: none(),
            vertex_cells,
            edge_cells: none(),
            face_cells: none(),
        };
        match &self.mesh {
            Mesh::Tetrahedra { cv, vc, edges, faces, .. } => SpaceViewArguments {
                nodes,
                first_edge,
                first_face,
                corners: cv.entries().view(),
                cell_edges: of(edges, 0),
                cell_faces: of(faces, 0),
                vertex_cells: vc.view(),
                edge_cells: of(edges, 1),
                face_cells: of(faces, 1),
            },
            Mesh::Triangles { fv, vf, .. } => of_vertices(fv.entries().view(), vf.view()),
            Mesh::Hexahedra { corners, vc, .. } => of_vertices(corners.view(), vc.view()),
        }
    }
    /// Arguments of launches for elements of this space, at the mesh's positions or at others.
    pub(crate) fn launch<'a>(&'a self, positions: Option<&'a Buffer<Vec3>>) -> Launch<'a> {
        let x = positions.unwrap_or(self.positions()).view();
        Launch { device: self.device(), cells: self.cells, space: self.view(), x }
    }

    /// For each node its vertices: one, or the vertices of the edge or face in which it is, with their
    /// weights times the order. On the host; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn supports(&self) -> Result<Vec<Vec<(u32, u32)>>> {
        let vertices = self.vertices() as u32;
        let mut all: Vec<Vec<(u32, u32)>> = (0..vertices).map(|v| vec![(v, self.shape.order())]).collect();
        let Mesh::Tetrahedra { cv, edges, faces, .. } = &self.mesh else { return Ok(all) };
        all.resize(self.nodes(), vec![]);
        let corners = cv.entries().read()?;
        if let Some([ce, _]) = edges {
            let inner = self.shape.order() - 1;
            for (at, &edge) in ce.entries().read()?.iter().enumerate() {
                let [a, b] = EDGES[at % 6].map(|k| corners[4 * (at / 6) + k as usize] as u32);
                for j in 0..inner {
                    let node = self.first_edge + edge as u32 * inner + j;
                    all[node as usize] = vec![(a.min(b), inner - j), (a.max(b), j + 1)];
                }
            }
        }
        if let Some([cf, _]) = faces {
            for (at, &face) in cf.entries().read()?.iter().enumerate() {
                let mut own = FACES[at % 4].map(|k| (corners[4 * (at / 4) + k as usize] as u32, 1));
                own.sort_unstable();
                let face = ribbonmesh_volume::decode(face).0;
                all[(self.first_face + face) as usize] = own.to_vec();
            }
        }
        Ok(all)
    }
    /// Vertices of all cells, and from order 2 on their edges, in the order of [`EDGES`].
    pub(crate) fn topology(&self) -> Result<(Vec<i32>, Vec<u32>)> {
        let edges = match &self.mesh {
            Mesh::Tetrahedra { edges: Some([ce, _]), .. } => {
                ce.entries().read()?.into_iter().map(|edge| edge as u32).collect()
            }
            _ => vec![],
        };
        let corners = match &self.mesh {
            Mesh::Tetrahedra { cv, .. } => cv.entries().read()?,
            Mesh::Triangles { fv, .. } => fv.entries().read()?,
            Mesh::Hexahedra { corners, .. } => corners.read()?,
        };
        Ok((corners, edges))
    }
    /// The points of all nodes: vertices, and means of vertices with the weights of [`Space::supports`]. An
    /// affine function has its control values there. On the host; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn points(&self) -> Result<Vec<DVec3>> {
        self.points_of(&self.supports()?)
    }
    /// The same, of vertices and weights that are known.
    pub(crate) fn points_of(&self, supports: &[Vec<(u32, u32)>]) -> Result<Vec<DVec3>> {
        let (x, order) = (self.positions().read()?, f64::from(self.shape.order()));
        let mean = |own: &Vec<(u32, u32)>| -> DVec3 {
            own.iter().map(|&(v, w)| x[v as usize].as_dvec3() * (f64::from(w) / order)).sum()
        };
        Ok(supports.iter().map(mean).collect())
    }
    /// The integral of each node's function: a uniform force per volume times these is the load. One launch.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn integrals(&self) -> Result<Buffer<f64>> {
        self.weighted(BufferView::empty())
    }
    /// The same by a number for each cell, such as its density. One launch.
    /// # Errors
    /// [`Error::Length`]; out of memory; errors of the driver.
    pub fn integrals_by(&self, weights: &Buffer<f64>) -> Result<Buffer<f64>> {
        length("numbers of cells", self.cells(), weights.len())?;
        self.weighted(weights.view())
    }
    fn weighted(&self, weights: BufferView<'_, f64>) -> Result<Buffer<f64>> {
        let (device, space, x) = (self.device(), self.view(), self.positions().view());
        let mut integrals = device.zeros::<f64>(self.nodes())?;
        let (to, blocks) = (integrals.view_mut(), self.nodes.div_ceil(ROWS));
        match self.shape {
            CellShape::Tet1 => device.launch(blocks, tet1_field::NodeIntegrals { space, x, weights, to })?,
            CellShape::Tet2 => device.launch(blocks, tet2_field::NodeIntegrals { space, x, weights, to })?,
            CellShape::Tet3 => device.launch(blocks, tet3_field::NodeIntegrals { space, x, weights, to })?,
            CellShape::Hex => device.launch(blocks, hex_field::NodeIntegrals { space, x, weights, to })?,
            CellShape::Tri => device.launch(blocks, tri_field::NodeIntegrals { space, x, weights, to })?,
        }
        Ok(integrals)
    }
    /// The gradient of a field of `size` numbers per node at the middle of each cell: for each number three
    /// derivatives. One launch.
    /// # Errors
    /// [`Error::Length`]; [`Error::OtherDevice`]; out of memory; errors of the driver.
    pub fn gradients(&self, size: u32, field: &Buffer<f64>) -> Result<Buffer<f64>> {
        length("numbers of the field", size as usize * self.nodes(), field.len())?;
        let (device, space, x, cells) = (self.device(), self.view(), self.positions().view(), self.cells);
        let mut gradients = device.unspecified::<f64>(3 * size as usize * self.cells())?;
        let (field, to, blocks) = (field.view(), gradients.view_mut(), cells.div_ceil(ROWS));
        match self.shape {
            CellShape::Tet1 => {
                device.launch(blocks, tet1_field::Gradients { cells, size, space, x, field, to })?
            }
            CellShape::Tet2 => {
                device.launch(blocks, tet2_field::Gradients { cells, size, space, x, field, to })?
            }
            CellShape::Tet3 => {
                device.launch(blocks, tet3_field::Gradients { cells, size, space, x, field, to })?
            }
            CellShape::Hex => {
                device.launch(blocks, hex_field::Gradients { cells, size, space, x, field, to })?
            }
            CellShape::Tri => {
                device.launch(blocks, tri_field::Gradients { cells, size, space, x, field, to })?
            }
        }
        Ok(gradients)
    }
}
/// An error unless two lengths agree.
pub fn length(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }.into()) }
}

impl std::fmt::Debug for Space<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Space of {} nodes on {} cells ({:?}) on {:?}",
            self.nodes,
            self.cells,
            self.shape,
            self.device()
        )
    }
}
