//! Triangles that need not be a manifold.
use crate::simplify::contract::ComplexArguments;
use crate::simplify::contract::choose::{FlagAlone, FlagUsed, KeepAlone, RenumberFaces};
use crate::simplify::host::values::Values;
use crate::simplify::quadric::Record;
use glam::Vec3;
use ribbonmesh::array::Groups;
use ribbonmesh::device::tiles;
use ribbonmesh::dynamic::DynamicMesh;
use ribbonmesh::{Buffer, Result, array};

/// Triangles, with the arrays that contraction changes.
pub struct Complex {
    /// Three vertices of each face.
    pub faces: Buffer<u32>,
    pub x: Buffer<Vec3>,
    pub quadrics: Buffer<Record>,
    pub kinds: Buffer<u32>,
    /// A vertex of the input for each vertex.
    pub inputs: Buffer<u32>,
    /// A face of the input for each face.
    pub face_inputs: Buffer<u32>,
    /// 1 for each vertex that had no face from the beginning, and stays.
    alone: Buffer<u32>,
    pub alone_count: u32,
    /// The smallest coordinates.
    pub low: Vec3,
}

impl Complex {
    /// Of faces, positions, quadrics and kinds of vertices, and a vertex and a face of the input for each.
    /// Waits.
    pub fn new(
        faces: Buffer<u32>,
        x: Buffer<Vec3>,
        quadrics: Buffer<Record>,
        kinds: Buffer<u32>,
        [inputs, face_inputs]: [Buffer<u32>; 2],
        low: Vec3,
    ) -> Result<Self> {
        let device = &faces.device().clone();
        let alone = device.zeros(x.len())?;
        let mut this = Self { faces, x, quadrics, kinds, inputs, face_inputs, alone, alone_count: 0, low };
        let mut all = device.unspecified::<u32>(this.len() as usize)?;
        array::fill(&mut all, 1)?;
        let used = this.used(&all)?;
        let mut alone = device.unspecified::<u32>(used.len())?;
        device.launch(tiles(used.len() as u32), FlagAlone { used: used.view(), alone: alone.view_mut() })?;
        this.alone_count = array::select(&alone)?.len() as u32;
        this.alone = alone;
        Ok(this)
    }
    /// Copies a mesh with contiguous ids. Waits.
    pub fn of_mesh(mesh: &DynamicMesh, values: &Values, low: Vec3) -> Result<Self> {
        let (x, quadrics) = (values.x.to_buffer(mesh)?, values.quadrics.to_buffer(mesh)?);
        let inputs = [values.input.to_buffer(mesh)?, values.face_input.to_buffer(mesh)?];
        Self::new(mesh.faces()?, x, quadrics, values.kind.to_buffer(mesh)?, inputs, low)
    }
    /// Number of faces.
    pub fn len(&self) -> u32 {
        self.faces.len() as u32 / 3
    }
    pub fn view<'a>(&'a self, corners: &'a Groups) -> ComplexArguments<'a> {
        ComplexArguments {
            x: self.x.view(),
            quadrics: self.quadrics.view(),
            faces: self.faces.view(),
            corners: corners.view(),
        }
    }
    /// Flags the vertices of the faces that are kept, and those that never had a face.
    fn used(&self, kept: &Buffer<u32>) -> Result<Buffer<u32>> {
        let device = self.faces.device();
        let mut used = device.zeros::<u32>(self.x.len())?;
        let faces = self.faces.view().wide();
        device.launch(tiles(self.len()), FlagUsed { kept: kept.view(), faces, used: used.view_mut() })?;
        let keep = KeepAlone { alone: self.alone.view(), used: used.view_mut() };
        device.launch(tiles(self.x.len() as u32), keep)?;
        Ok(used)
    }
    /// Removes the faces that are not kept, and the vertices that lose all of their faces. Waits.
    pub fn keep(&mut self, kept: &Buffer<u32>) -> Result<()> {
        let device = self.faces.device().clone();
        let mut used = self.used(kept)?;
        let (of_faces, of_vertices) = (array::select(kept)?, array::select(&used)?);
        array::exclusive_scan(&mut used)?;
        let n = of_faces.len();
        let mut faces = device.unspecified::<u32>(3 * n)?;
        let renumber = RenumberFaces {
            list: of_faces.view(),
            faces: self.faces.view().wide(),
            numbers: used.view(),
            to: faces.view_mut().wide(),
        };
        device.launch(tiles(n as u32), renumber)?;
        self.faces = faces;
        self.face_inputs = array::gather(&self.face_inputs, &of_faces)?;
        self.x = array::gather(&self.x, &of_vertices)?;
        self.quadrics = array::gather(&self.quadrics, &of_vertices)?;
        self.kinds = array::gather(&self.kinds, &of_vertices)?;
        self.inputs = array::gather(&self.inputs, &of_vertices)?;
        self.alone = array::gather(&self.alone, &of_vertices)?;
        Ok(())
    }
}
