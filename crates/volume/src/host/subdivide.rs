//! Catmull-Clark subdivision of volumes.
use super::error::Result;
use super::mesh::VolumeMesh;
use super::relation::Relation;
use super::tcsr::{Tcsr, count};
use crate::device::points::{AroundArguments, CopyPoints, EdgePoints, FacePoints, Means, VertexPoints};
use crate::device::subdivide::{CoarseArguments, FillCells, SplitCells, SplitEdges, SplitFaces};
use glam::Vec3;
use ribbonmesh::{Buffer, array};

impl VolumeMesh {
    /// One step of Catmull-Clark subdivision (Joy and MacCracken 1996). Every cell becomes one cell for each
    /// of its vertices; all new faces are quads; new cells are hexahedra where three faces of the old cell
    /// meet. Inside of regular grids of hexahedra the result is that of uniform tricubic B-splines, and on
    /// the surface it is the surface's own subdivision.
    ///
    /// New vertices are, in this order, the points of the old vertices, edges, faces and cells. New faces are
    /// the corners of the old faces in the order of FV, then the edges of the old cells in the order of CE;
    /// new cells are the corners of the old cells in the order of CV. Edges run from vertices to points of
    /// edges to vertices, from points of edges to points of faces, and from these to points of cells.
    ///
    /// Makes all relations except for relations between elements of the same dimension, which take memory
    /// until they are freed. Creases are not supported; the boundary is smooth. Where faces have no cell, or
    /// more than two, the positions are finite, but belong to no particular surface. Waits.
    /// # Errors
    /// [`ribbonmesh::Error::TooMany`] for 2³¹ entries or more; out of memory; errors of the driver.
    pub fn subdivide(&self) -> Result<Self> {
        let device = self.device();
        let [e, f, c] = [self.edges(), self.faces(), self.cells()].map(|n| n as u32);
        let old = self.downward()?;
        let (fe, cf, fv, ce, cv) = (old.fe, old.cf, old.fv, old.ce, old.cv);
        let vertices = count("vertices", self.vertices() + self.edges() + self.faces() + self.cells())?;
        let edges = 2 * self.edges() + fe.len() + cf.len();
        count("ends of edges", 2 * edges)?;
        let faces = fv.len() + ce.len();
        count("sides of faces", 4 * faces)?;
        let mut ends = device.unspecified::<i32>(2 * edges)?;
        let mut sides = device.unspecified::<i32>(4 * faces)?;
        let mut starts = device.zeros::<u32>(cv.len() + 1)?;
        device.launch_each(e, SplitEdges { mesh: old.view(self), ends: ends.view_mut() })?;
        let split = SplitFaces { mesh: old.view(self), ends: ends.view_mut(), sides: sides.view_mut() };
        device.launch_each(f, split)?;
        let split = SplitCells {
            mesh: old.view(self),
            ends: ends.view_mut(),
            sides: sides.view_mut(),
            counts: starts.view_mut(),
        };
        device.launch_each(c, split)?;
        let entries = array::exclusive_scan(&mut starts)?;
        count("faces of cells", entries as usize)?;
        let mut cell_faces = device.unspecified::<i32>(entries as usize)?;
        let fill = FillCells { mesh: old.view(self), starts: starts.view(), to: cell_faces.view_mut() };
        device.launch_each(c, fill)?;
        Ok(Self::from_parts(
            self.points(vertices)?,
            Tcsr::with_stride(ends, 2, vertices)?,
            Tcsr::with_stride(sides, 4, edges as u32)?,
            Tcsr::from_parts(starts, cell_faces, faces as u32),
        ))
    }
    /// Positions after a step.
    fn points(&self, vertices: u32) -> Result<Buffer<Vec3>> {
        let (device, [v, e, f, c]) =
            (self.device(), [self.vertices(), self.edges(), self.faces(), self.cells()].map(|n| n as u32));
        let mean = |relation, n: u32| {
            let mut to = device.unspecified::<Vec3>(n as usize)?;
            let (rows, x) = (self.relation(relation)?.view(), self.positions().view());
            device.launch_each(n, Means { rows, x, to: to.view_mut() })?;
            Ok::<_, super::error::VolumeError>(to)
        };
        let (faces, cells) = (mean(Relation::FV, f)?, mean(Relation::CV, c)?);
        let old = self.upward(&faces, &cells)?;
        let mut to = device.unspecified::<Vec3>(vertices as usize)?;
        device.launch_each(v, VertexPoints { around: old.view(self), to: to.view_mut() })?;
        device.launch_each(e, EdgePoints { at: v, around: old.view(self), to: to.view_mut() })?;
        device.launch_each(f, FacePoints { at: v + e, around: old.view(self), to: to.view_mut() })?;
        let from = cells.view();
        device.launch_each(c, CopyPoints { at: v + e + f, from, to: to.view_mut() })?;
        Ok(to)
    }
}

/// The relations that new elements are numbered by.
struct Downward<'a> {
    ev: &'a Tcsr,
    fe: &'a Tcsr,
    fv: &'a Tcsr,
    cf: &'a Tcsr,
    ce: &'a Tcsr,
    cv: &'a Tcsr,
}
impl Downward<'_> {
    fn view<'b>(&'b self, mesh: &'b VolumeMesh) -> CoarseArguments<'b> {
        CoarseArguments {
            ev: self.ev.view(),
            fe: self.fe.view(),
            fv: self.fv.view(),
            cf: self.cf.view(),
            ce: self.ce.view(),
            cv: self.cv.view(),
            vertices: mesh.vertices() as u32,
            edges: mesh.edges() as u32,
            faces: mesh.faces() as u32,
            sides: self.fe.len() as u32,
        }
    }
}
/// The relations that positions are averaged over, and what is averaged.
struct Upward<'a> {
    ev: &'a Tcsr,
    ve: &'a Tcsr,
    vf: &'a Tcsr,
    vc: &'a Tcsr,
    ef: &'a Tcsr,
    ec: &'a Tcsr,
    fc: &'a Tcsr,
    faces: &'a Buffer<Vec3>,
    cells: &'a Buffer<Vec3>,
}
impl Upward<'_> {
    fn view<'b>(&'b self, mesh: &'b VolumeMesh) -> AroundArguments<'b> {
        AroundArguments {
            ev: self.ev.view(),
            ve: self.ve.view(),
            vf: self.vf.view(),
            vc: self.vc.view(),
            ef: self.ef.view(),
            ec: self.ec.view(),
            fc: self.fc.view(),
            x: mesh.positions().view(),
            faces: self.faces.view(),
            cells: self.cells.view(),
        }
    }
}
impl VolumeMesh {
    fn downward(&self) -> Result<Downward<'_>> {
        let get = |relation| self.relation(relation);
        Ok(Downward {
            ev: get(Relation::EV)?,
            fe: get(Relation::FE)?,
            fv: get(Relation::FV)?,
            cf: get(Relation::CF)?,
            ce: get(Relation::CE)?,
            cv: get(Relation::CV)?,
        })
    }
    fn upward<'a>(&'a self, faces: &'a Buffer<Vec3>, cells: &'a Buffer<Vec3>) -> Result<Upward<'a>> {
        let get = |relation| self.relation(relation);
        Ok(Upward {
            ev: get(Relation::EV)?,
            ve: get(Relation::VE)?,
            vf: get(Relation::VF)?,
            vc: get(Relation::VC)?,
            ef: get(Relation::EF)?,
            ec: get(Relation::EC)?,
            fc: get(Relation::FC)?,
            faces,
            cells,
        })
    }
}
