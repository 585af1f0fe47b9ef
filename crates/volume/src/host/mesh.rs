//! Volume meshes of polyhedra.
use super::attribute::MeshId;
use super::build::{Operators, operators};
use super::cells::CellList;
use super::error::{Result, VolumeError};
use super::relation::{Cache, Relation, derive};
use super::tcsr::{Tcsr, count};
use crate::device::boundary::MarkBoundary;
use crate::device::smooth::SmoothStep;
use crate::device::validate::{CheckCells, CheckCycles, CheckEdges};
use crate::device::volumes::CellVolumes;
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::device::{BufferViewMut, NONE, tiles};
use ribbonmesh::{Buffer, Device, Error};

/// Treatment of cells of negative volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// They stay as they are given; [`VolumeMesh::defects`] counts them.
    #[default]
    AsGiven,
    /// They are turned inside out: the signs of their faces change. For files whose writers order the
    /// vertices of some kinds of cells otherwise than VTK.
    ByVolume,
}

/// Options of [`VolumeMesh::new`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VolumeOptions {
    /// Treatment of cells of negative volume.
    pub orientation: Orientation,
}

/// A mesh of polyhedra on a device: the boundary operators EV, FE and CF, and positions. All other relations
/// are made from them when they are first asked for, and kept ([`VolumeMesh::relation`]).
///
/// Cells keep the numbers of the input, and vertices too. Cells of different kinds may be mixed; faces may
/// have no cell or many; an edge always belongs to a face.
///
/// Bytes on the device without relations: 4 (entries of CF + cells + 1 + entries of FE + faces + 1 + 2
/// edges) + 12 vertices.
#[derive(Debug)]
pub struct VolumeMesh {
    x: Buffer<Vec3>,
    ev: Tcsr,
    fe: Tcsr,
    cf: Tcsr,
    cache: Cache,
    id: MeshId,
}

impl VolumeMesh {
    /// Builds a mesh: finds the faces that cells share, and the edges that faces share. Cells are checked on
    /// the host; the rest runs on the device, three sorts included, in time linear in the number of corners,
    /// except for very many different faces with the same three first vertices.
    /// # Errors
    /// Errors of [`CellList::check`]; [`Error::NotFinite`]; [`Error::TooMany`] for 2³¹ elements of a kind or
    /// more; out of memory; errors of the driver.
    pub fn new(
        device: &Device,
        positions: &[Vec3],
        cells: &CellList,
        options: &VolumeOptions,
    ) -> Result<Self> {
        device.install(|| {
            finite(positions)?;
            cells.check(positions.len())
        })?;
        let x = device.upload(positions)?;
        let Operators { ev, fe, cf } = operators(&x, cells, options.orientation)?;
        Ok(Self::from_parts(x, ev, fe, cf))
    }
    /// A mesh of operators that are known to be right.
    pub(crate) fn from_parts(x: Buffer<Vec3>, ev: Tcsr, fe: Tcsr, cf: Tcsr) -> Self {
        Self { x, ev, fe, cf, cache: Cache::default(), id: MeshId::default() }
    }
    /// A mesh of positions and the operators EV, FE and CF, all on one device. Operators are checked,
    /// positions are not.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] where rows and columns of two operators differ in number;
    /// [`VolumeError::EntryOutOfRange`], [`VolumeError::NotABoundary`]; errors of the driver.
    pub fn from_operators(positions: Buffer<Vec3>, ev: Tcsr, fe: Tcsr, cf: Tcsr) -> Result<Self> {
        for (operator, what) in
            [(&ev, "the ends of edges"), (&fe, "the edges of faces"), (&cf, "the faces of cells")]
        {
            if !operator.device().same(positions.device()) {
                return Err(Error::OtherDevice { what }.into());
            }
        }
        same("columns of the ends of edges", positions.len(), ev.columns())?;
        same("columns of the edges of faces", ev.rows(), fe.columns())?;
        same("columns of the faces of cells", fe.rows(), cf.columns())?;
        let ev = pairs(ev)?;
        let mesh = Self::from_parts(positions, ev, fe, cf);
        mesh.validate()?;
        Ok(mesh)
    }

    /// The identity by which its attributes know it.
    pub(super) fn id(&self) -> &MeshId {
        &self.id
    }
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.x.device()
    }
    /// The number of vertices, including vertices without edges.
    pub fn vertices(&self) -> usize {
        self.x.len()
    }
    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.ev.rows()
    }
    /// The number of faces.
    pub fn faces(&self) -> usize {
        self.fe.rows()
    }
    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.cf.rows()
    }
    /// The positions of the vertices.
    pub fn positions(&self) -> &Buffer<Vec3> {
        &self.x
    }
    /// The positions, for kernels that move vertices. No relation depends on them.
    pub fn positions_mut(&mut self) -> BufferViewMut<'_, Vec3> {
        self.x.view_mut()
    }
    /// Replaces all positions.
    /// # Errors
    /// [`Error::Length`]; [`Error::NotFinite`]; errors of the driver.
    pub fn set_positions(&mut self, positions: &[Vec3]) -> Result<()> {
        same("positions", self.vertices(), positions.len())?;
        self.device().install(|| finite(positions))?;
        Ok(self.x.write(positions)?)
    }

    /// A relation: made when it is first asked for, with all that it is made from, and kept until an operator
    /// changes that it depends on. The cost is that of [`Tcsr::transpose`] or [`Tcsr::product`], or two
    /// passes over the entries.
    /// # Errors
    /// [`Error::TooMany`] beyond 2³² entries; out of memory; errors of the driver.
    pub fn relation(&self, relation: Relation) -> Result<&Tcsr> {
        match relation {
            Relation::EV => Ok(&self.ev),
            Relation::FE => Ok(&self.fe),
            Relation::CF => Ok(&self.cf),
            _ => self.cache.get_or_make(relation, || derive(relation, |other| self.relation(other))),
        }
    }
    /// Whether a relation is in memory.
    pub fn has(&self, relation: Relation) -> bool {
        matches!(relation, Relation::EV | Relation::FE | Relation::CF) || self.cache.made(relation).is_some()
    }
    /// Frees all relations but the stored operators.
    pub fn forget_relations(&mut self) {
        self.cache = Cache::default();
    }
    /// Replaces an operator, EV, FE or CF, by one with as many rows and columns, and frees the relations that
    /// depend on it. If the result is not a mesh, nothing changes.
    /// # Errors
    /// [`Error::Option`] for another relation; else as [`VolumeMesh::from_operators`].
    pub fn replace_operator(&mut self, relation: Relation, operator: Tcsr) -> Result<()> {
        if !operator.device().same(self.device()) {
            return Err(Error::OtherDevice { what: "the operator" }.into());
        }
        let slot = match relation {
            Relation::EV => &mut self.ev,
            Relation::FE => &mut self.fe,
            Relation::CF => &mut self.cf,
            _ => {
                let (value, expected) = (relation.to_string(), "EV, FE or CF");
                return Err(Error::Option { option: "relation", value, expected }.into());
            }
        };
        same("rows of the operator", slot.rows(), operator.rows())?;
        same("columns of the operator", slot.columns(), operator.columns())?;
        let operator = if relation == Relation::EV { pairs(operator)? } else { operator };
        let before = std::mem::replace(slot, operator);
        if let Err(error) = self.validate() {
            match relation {
                Relation::EV => self.ev = before,
                Relation::FE => self.fe = before,
                _ => self.cf = before,
            }
            return Err(error);
        }
        self.cache.forget(relation);
        Ok(())
    }
    /// Checks that the operators belong to a mesh: entries are in range; the start of each edge is negative,
    /// and is not its end; the sides of each face are a cycle without a vertex twice; each edge of a cell is
    /// a side of two of its faces, once in each direction. It follows that the boundary of a boundary is
    /// empty. The work of a cell grows with the square of its sides.
    /// # Errors
    /// [`VolumeError::EntryOutOfRange`], [`VolumeError::NotABoundary`]; errors of the driver.
    pub fn validate(&self) -> Result<()> {
        let (device, [ev, fe, cf]) = (self.device(), [&self.ev, &self.fe, &self.cf]);
        for (relation, operator) in [(Relation::EV, ev), (Relation::FE, fe), (Relation::CF, cf)] {
            operator.check_columns(relation, operator.columns() as u32)?;
        }
        let check = |relation, launch: &dyn Fn(BufferViewMut<'_, u32>) -> ribbonmesh::Result<()>| {
            let mut wrong = device.upload(&[NONE])?;
            launch(wrong.view_mut())?;
            match wrong.read()?[0] {
                NONE => Ok(()),
                row => Err(VolumeError::NotABoundary { relation, row: row as usize }),
            }
        };
        check(Relation::EV, &|wrong| {
            let n = ev.rows() as u32;
            device.launch_each(n, CheckEdges { ev: ev.view(), wrong })
        })?;
        check(Relation::FE, &|wrong| {
            let n = fe.rows() as u32;
            device.launch(tiles(n), CheckCycles { n, fe: fe.view(), ev: ev.view(), wrong })
        })?;
        check(Relation::CF, &|wrong| {
            let n = cf.rows() as u32;
            device.launch_each(n, CheckCells { cf: cf.view(), fe: fe.view(), wrong })
        })
    }

    /// Bytes of operators and positions on the device, without other relations.
    pub fn bytes(&self) -> usize {
        self.x.bytes() + self.ev.bytes() + self.fe.bytes() + self.cf.bytes()
    }
    /// Bytes of the relations that have been made.
    pub fn relation_bytes(&self) -> usize {
        self.cache.bytes()
    }
    /// The volume of each cell; negative where it is inverted. Faces that are not plane are cut at their
    /// first vertex, so that the volumes of neighbours fit. One pass, in `f64`.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn volumes(&self) -> Result<Buffer<f64>> {
        let (fv, n) = (self.relation(Relation::FV)?, self.cells() as u32);
        let mut to = self.device().unspecified::<f64>(n as usize)?;
        let (cf, x) = (self.cf.view(), self.x.view());
        self.device().launch_each(n, CellVolumes { cf, fv: fv.view(), x, to: to.view_mut() })?;
        Ok(to)
    }
    /// For each vertex 1 if it belongs to a face of the [surface](VolumeMesh::surface), else 0.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn boundary_vertices(&self) -> Result<Buffer<u32>> {
        let (fc, fv) = (self.relation(Relation::FC)?, self.relation(Relation::FV)?);
        let (mut flags, n) = (self.device().zeros::<u32>(self.vertices())?, self.faces() as u32);
        let (fc, fv, to) = (fc.view(), fv.view(), flags.view_mut());
        self.device().launch_each(n, MarkBoundary { fc, fv, flags: to })?;
        Ok(flags)
    }
    /// Laplacian smoothing: in each of some steps, every vertex inside moves to the mean of its neighbours;
    /// vertices of the surface stay as they are, bit for bit. All vertices of a step move at once. Does not
    /// wait after the first use of the relations.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn smooth(&mut self, steps: usize) -> Result<()> {
        let fixed = self.boundary_vertices()?;
        let (device, n) = (self.device().clone(), self.vertices() as u32);
        let mut next = device.unspecified::<Vec3>(n as usize)?;
        for _ in 0..steps {
            let ve = self.relation(Relation::VE)?.view();
            let (ev, fixed, x, to) = (self.ev.view(), fixed.view(), self.x.view(), next.view_mut());
            device.launch_each(n, SmoothStep { ve, ev, fixed, x, to })?;
            std::mem::swap(&mut self.x, &mut next);
        }
        Ok(())
    }
}

/// Rows of two entries each, without offsets.
fn pairs(ev: Tcsr) -> Result<Tcsr> {
    if ev.stride() == Some(2) {
        return Ok(ev);
    }
    let starts = ev.starts().read()?;
    let wrong =
        (0..ev.rows()).find(|&row| starts.get(row + 1).is_none_or(|&end| end as usize != 2 * (row + 1)));
    match wrong {
        Some(row) => Err(VolumeError::NotABoundary { relation: Relation::EV, row }),
        None => Tcsr::with_stride(ev.entries().try_clone()?, 2, ev.columns() as u32),
    }
}
fn same(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }.into()) }
}
/// Refuses the first position that is not finite, and too many of them.
pub(crate) fn finite(positions: &[Vec3]) -> Result<()> {
    count("vertices", positions.len())?;
    match positions.par_iter().with_min_len(4096).position_first(|x| !x.is_finite()) {
        Some(vertex) => Err(Error::NotFinite { vertex }.into()),
        None => Ok(()),
    }
}
