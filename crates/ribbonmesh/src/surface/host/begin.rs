//! First steps of applications that change triangles.
use super::surface::{State, Surface, lost, of_input};
use crate::attribute::bounds_of;
use crate::device::{ElementKind, tiles};
use crate::dynamic::{DynamicAttribute, DynamicMesh};
use crate::surface::kernels::lengths::{EdgeLengths, SideLengths};
use crate::{Attribute, Bounds, Buffer, Error, FlatTopology, Op, Result, Vertex, array};
use glam::Vec3;
use std::ops::Deref;

/// Owned, or lent by the surface.
pub enum Lent<'a, T> {
    /// Made for this purpose.
    Owned(T),
    /// Part of the surface.
    Borrowed(&'a T),
}
impl<T> Deref for Lent<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        match self {
            Self::Owned(value) => value,
            Self::Borrowed(value) => value,
        }
    }
}

/// The size of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The length of the diagonal of the box around the vertices that faces have: lengths in percent are
    /// parts of it.
    pub diagonal: f64,
    /// The power of two that brings the diagonal of the box around all vertices near 1, so that squares of
    /// areas fit an `f32`. To multiply positions by it, and to divide them by it again, is exact.
    pub scale: f64,
    /// The smallest coordinates of all vertices.
    pub low: Vec3,
}

impl Surface {
    /// A dynamic mesh with the ids of this surface, and room for additional elements, as a fraction; and
    /// its positions, multiplied by `scale`. Change it, and give it back with [`Surface::replace`]. The
    /// surface stays as it is. No patches are made. Linear.
    /// # Errors
    /// As [`DynamicMesh::from_flat`]; after an error, [`Error::Invalid`].
    pub fn to_dynamic(
        &mut self,
        spare: f32,
        scale: f64,
    ) -> Result<(DynamicMesh, DynamicAttribute<Vertex, Vec3>)> {
        self.settle()?;
        let (mesh, mut positions) = match &self.state {
            State::Triangles { topology, positions, order, .. } => {
                let mesh = DynamicMesh::from_flat(topology, spare).map_err(|error| of_input(error, order))?;
                let positions = DynamicAttribute::from_buffer(&mesh, positions)?;
                (mesh, positions)
            }
            State::Patches { mesh, positions, .. } => {
                let mesh = DynamicMesh::new(mesh, spare)?;
                let positions = DynamicAttribute::from_static(&mesh, positions)?;
                (mesh, positions)
            }
            _ => return Err(lost()),
        };
        positions.scale(scale as f32)?;
        Ok((mesh, positions))
    }
    /// The triangles with the edges that they share, and the positions, all by id. Of a surface that has
    /// patches this makes a copy of the faces, and finds the edges; else it only lends what is there. No
    /// patches are made.
    /// # Errors
    /// Out of memory; errors of the driver; after an error that has lost the surface, [`Error::Invalid`].
    pub fn flat_topology(&mut self) -> Result<(Lent<'_, FlatTopology>, &Buffer<Vec3>)> {
        self.settle()?;
        Ok((self.lent_topology()?, self.positions()?))
    }
    /// The triangles with their edges, by id.
    pub(super) fn lent_topology(&self) -> Result<Lent<'_, FlatTopology>> {
        Ok(match &self.state {
            State::Triangles { topology, .. } => Lent::Borrowed(&**topology),
            State::Patches { mesh, .. } => {
                let faces = mesh.query(Op::FV)?.into_values();
                Lent::Owned(FlatTopology::from_checked(mesh.vertices() as u32, faces)?)
            }
            _ => return Err(lost()),
        })
    }
    /// Numbers of vertices, edges and faces. Finds the edges, if this has not been done.
    /// # Errors
    /// Out of memory; errors of the driver; after an error that has lost the surface, [`Error::Invalid`].
    pub fn sizes(&mut self) -> Result<[usize; 3]> {
        self.link()?;
        match &self.state {
            State::Triangles { topology: t, .. } => Ok([t.vertices(), t.edges(), t.faces()]),
            State::Patches { mesh, .. } => Ok([mesh.vertices(), mesh.edges(), mesh.faces()]),
            State::Changed { mesh, .. } => {
                let kinds = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face];
                Ok(kinds.map(|kind| mesh.ids(kind) as usize))
            }
            State::Given { .. } | State::Lost => Err(lost()),
        }
    }
    /// Numbers of vertices and faces.
    pub(super) fn numbers(&self) -> Result<[usize; 2]> {
        match &self.state {
            State::Given { positions, faces } => Ok([positions.len(), faces.len() / 3]),
            State::Triangles { topology: t, .. } => Ok([t.vertices(), t.faces()]),
            State::Patches { mesh, .. } => Ok([mesh.vertices(), mesh.faces()]),
            State::Changed { mesh, .. } => {
                Ok([ElementKind::Vertex, ElementKind::Face].map(|kind| mesh.ids(kind) as usize))
            }
            State::Lost => Err(lost()),
        }
    }
    /// The box around the vertices, as far as that is known to be finite. `what` names the surface in errors.
    /// Waits. Besides, copies a position for each corner of a face.
    /// # Errors
    /// [`Error::NoFaces`]; [`Error::NotFinite`] names the vertex by its place in the input; errors of the
    /// driver.
    pub fn extent(&mut self, what: &'static str) -> Result<Extent> {
        self.settle()?;
        if self.sizes()?[2] == 0 {
            return Err(Error::NoFaces { what });
        }
        let (around, wrong) = bounds_of(self.positions()?)?;
        if let Some(id) = wrong {
            let error = |id: u32| Error::NotFinite { vertex: id as usize };
            return Err(match &self.state {
                State::Triangles { order, .. } => of_input(error(id), order),
                State::Patches { mesh, .. } => error(mesh.vertex_inputs().read_range(id as usize, 1)?[0]),
                _ => error(id),
            });
        }
        let Bounds { low, high } = around.unwrap_or(Bounds { low: Vec3::ZERO, high: Vec3::ZERO });
        let length = |bounds: Bounds| (bounds.high.as_dvec3() - bounds.low.as_dvec3()).length();
        let whole = length(Bounds { low, high });
        let scale = if whole > 0.0 { (-whole.log2().floor()).clamp(-126.0, 126.0).exp2() } else { 1.0 };
        // a vertex that no face has may be anywhere
        let faces = self.face_vertices()?;
        let diagonal = bounds_of(&array::gather(self.positions()?, &faces)?)?.0.map_or(0.0, length);
        Ok(Extent { diagonal, scale, low })
    }
    /// The mean length of edges, of positions that are multiplied by `scale`; 0 without edges. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn mean_edge_length(&mut self, scale: f64) -> Result<f64> {
        self.settle()?;
        let (device, scale) = (self.device.clone(), scale as f32);
        let (lengths, edges) = match &self.state {
            State::Triangles { topology, positions, .. } => {
                let corners = 3 * topology.faces() as u32;
                let mut lengths = device.unspecified::<f32>(corners as usize)?;
                let kernel = SideLengths {
                    corners,
                    faces: topology.face_vertices().view(),
                    leader: topology.sides().leader.view(),
                    x: positions.view(),
                    scale,
                    lengths: lengths.view_mut(),
                };
                device.launch(tiles(corners), kernel)?;
                (lengths, topology.edges())
            }
            State::Patches { mesh, positions, .. } => {
                let n = mesh.edges() as u32;
                let (ends, x) = (mesh.query(Op::EV)?, positions.view());
                let mut lengths = device.unspecified::<f32>(n as usize)?;
                let ends = ends.values().view();
                device.launch(tiles(n), EdgeLengths { n, ends, x, scale, lengths: lengths.view_mut() })?;
                (lengths, mesh.edges())
            }
            _ => return Err(lost()),
        };
        Ok(if edges > 0 { array::sum(&lengths)? / edges as f64 } else { 0.0 })
    }

    /// Makes triangles with contiguous ids, and edges, from the uploaded mesh or from the result of an
    /// application.
    pub(super) fn settle(&mut self) -> Result<()> {
        self.link()?;
        let State::Changed { mesh, positions, places, others } = &mut self.state else { return Ok(()) };
        let vertices = mesh.ids(ElementKind::Vertex) as usize;
        let topology = Box::new(FlatTopology::from_buffer(vertices, mesh.faces()?)?);
        let positions = positions.to_buffer(mesh)?;
        let (order, others) = (places.take(), *others);
        let turn = others && order.is_some();
        self.state = State::Triangles { topology, positions, order, turn };
        Ok(())
    }
    /// The positions by id.
    pub(super) fn positions(&self) -> Result<&Buffer<Vec3>> {
        match &self.state {
            State::Given { positions, .. } | State::Triangles { positions, .. } => Ok(positions),
            State::Patches { positions, .. } => Ok(Attribute::buffer(positions)),
            _ => Err(lost()),
        }
    }
    /// Three vertices for each face, by id.
    pub(super) fn face_vertices(&self) -> Result<Lent<'_, Buffer<u32>>> {
        match &self.state {
            State::Given { faces, .. } => Ok(Lent::Borrowed(faces)),
            State::Triangles { topology, .. } => Ok(Lent::Borrowed(topology.face_vertices())),
            State::Patches { mesh, .. } => Ok(Lent::Owned(mesh.query(Op::FV)?.into_values())),
            _ => Err(lost()),
        }
    }
}
