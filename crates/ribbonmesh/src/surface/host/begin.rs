//! First steps of applications that change triangles.
use super::order::of_output;
use super::surface::Surface;
use crate::attribute::bounds_of;
use crate::dynamic::{DynamicAttribute, DynamicMesh};
use crate::surface::kernels::lengths::{EdgeLengths, SideLengths};
use crate::{Buffer, Error, FlatTopology, Op, Result, Value, Vertex, array};
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

impl<T: Value> Lent<'_, Buffer<T>> {
    /// The buffer, or a copy of it if it is lent.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn into_owned(self) -> Result<Buffer<T>> {
        match self {
            Self::Owned(buffer) => Ok(buffer),
            Self::Borrowed(buffer) => buffer.try_clone(),
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
    /// A dynamic mesh with the ids of this surface, and room for additional elements, as a fraction; and its
    /// positions, multiplied by `scale`. Change it, and give it back with [`Surface::replace`]. Patches are
    /// taken over where there are some; none are made. Linear.
    /// # Errors
    /// As [`DynamicMesh::from_flat`].
    pub fn to_dynamic(
        &mut self,
        spare: f32,
        scale: f64,
    ) -> Result<(DynamicMesh, DynamicAttribute<Vertex, Vec3>)> {
        let (mesh, mut positions) = match &self.kept.patches {
            Some(patches) => {
                let mesh = DynamicMesh::new(patches, spare)?;
                let positions = DynamicAttribute::from_static(&mesh, &self.positions)?;
                (mesh, positions)
            }
            None => {
                self.link()?;
                let mesh = DynamicMesh::from_flat(self.link()?, spare);
                let mesh = mesh.map_err(|error| of_output(error, &self.order))?;
                let positions = DynamicAttribute::from_buffer(&mesh, self.positions.buffer())?;
                (mesh, positions)
            }
        };
        positions.scale(scale as f32)?;
        Ok((mesh, positions))
    }
    /// The triangles with the edges that they share, and the positions, all by id. Edges are found when they
    /// are first asked for; no patches are made.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn flat_topology(&mut self) -> Result<(&FlatTopology, &Buffer<Vec3>)> {
        self.link()?;
        let topology = self.kept.edges.as_ref().ok_or(Error::StalePatches)?;
        Ok((topology, self.positions.buffer()))
    }
    /// Numbers of vertices, edges and faces. Finds the edges, if there are no patches, which know them.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn sizes(&mut self) -> Result<[usize; 3]> {
        let [vertices, faces] = self.numbers();
        let edges = match &self.kept.patches {
            Some(patches) => patches.edges(),
            None => self.link()?.edges(),
        };
        Ok([vertices, edges, faces])
    }
    /// Numbers of vertices and faces.
    pub(super) fn numbers(&self) -> [usize; 2] {
        [self.positions.len(), self.faces.len() / 3]
    }
    /// The box around the vertices, as far as that is known to be finite. `what` names the surface in errors.
    /// Waits. Besides, copies a position for each corner of a face.
    /// # Errors
    /// [`Error::NoFaces`]; [`Error::NotFinite`] names the vertex by its place in the input; errors of the
    /// driver.
    pub fn extent(&self, what: &'static str) -> Result<Extent> {
        if self.faces.is_empty() {
            return Err(Error::NoFaces { what });
        }
        let (around, wrong) = bounds_of(self.positions.buffer())?;
        if let Some(id) = wrong {
            return Err(of_output(Error::NotFinite { vertex: id as usize }, &self.order));
        }
        let whole = around.map_or(0.0, |bounds| bounds.diagonal());
        let scale = if whole > 0.0 { (-whole.log2().floor()).clamp(-126.0, 126.0).exp2() } else { 1.0 };
        // a vertex that no face has may be anywhere
        let corners = array::gather(self.positions.buffer(), &self.faces)?;
        let diagonal = bounds_of(&corners)?.0.map_or(0.0, |bounds| bounds.diagonal());
        let low = around.map_or(Vec3::ZERO, |bounds| bounds.low.as_vec3());
        Ok(Extent { diagonal, scale, low })
    }
    /// The mean length of edges, of positions that are multiplied by `scale`; 0 without edges. Waits.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn mean_edge_length(&mut self, scale: f64) -> Result<f64> {
        let (device, scale) = (self.device.clone(), scale as f32);
        let (lengths, edges) = match &self.kept.patches {
            Some(mesh) => {
                let n = mesh.edges() as u32;
                let (ends, x) = (mesh.query(Op::EV)?, self.positions.view());
                let mut lengths = device.unspecified::<f32>(n as usize)?;
                let ends = ends.values().view();
                device.launch_each(n, EdgeLengths { ends, x, scale, lengths: lengths.view_mut() })?;
                (lengths, mesh.edges())
            }
            None => {
                let (topology, positions) = self.flat_topology()?;
                let corners = 3 * topology.faces() as u32;
                let mut lengths = device.unspecified::<f32>(corners as usize)?;
                let kernel = SideLengths {
                    faces: topology.face_vertices().view(),
                    leader: topology.sides().leader.view(),
                    x: positions.view(),
                    scale,
                    lengths: lengths.view_mut(),
                };
                device.launch_each(corners, kernel)?;
                (lengths, topology.edges())
            }
        };
        Ok(if edges > 0 { array::sum(&lengths)? / edges as f64 } else { 0.0 })
    }
}
