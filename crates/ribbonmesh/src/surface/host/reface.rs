//! Other faces on the vertices of a surface.
use super::replace::{Changed, Following, Vertices, which_follow};
use super::surface::Surface;
use crate::dynamic::{DynamicAttribute, DynamicMesh};
use crate::flat::check_buffer;
use crate::{Buffer, Edge, Error, FlatTopology, Result};
use ribbonmesh_mesh::Element;

impl Surface {
    /// Takes other faces on the same vertices, each in place of the one with its id: as [`Self::replace`]
    /// with [`Vertices::Same`], but without edges where no column of faces or corners follows and where there
    /// are no patches. `faces` has three vertices for each; `curves` is asked for the edges that were kept
    /// ([`Changed::curves`]) only if edges are made. Linear.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`]; [`Error::IndexOutOfRange`]; if edges are made, those of
    /// [`DynamicMesh::from_flat`] and [`Self::replace`]; those of `curves`; out of memory; errors of the
    /// driver. The surface is as it was then.
    pub fn replace_faces(
        &mut self,
        faces: Buffer<u32>,
        curves: impl FnOnce(&DynamicMesh) -> Result<Option<DynamicAttribute<Edge, u32>>>,
    ) -> Result<()> {
        if !faces.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the faces" });
        }
        if faces.len() != self.faces.len() {
            let (expected, found) = (self.faces.len(), faces.len());
            return Err(Error::Length { what: "vertices of faces that replace others", expected, found });
        }
        let (mut notes, mut normals) = (vec![], self.normals.clone());
        let mut kept = |columns, element| which_follow(columns, element, &mut normals, &mut notes);
        let of_vertices = kept(&self.of_vertices, Element::Vertex);
        let follow = [(&self.of_faces, Element::Face), (&self.of_corners, Element::Corner)];
        let follows = follow.map(|(columns, element)| !kept(columns, element).is_empty());
        if follows.contains(&true) || self.kept.patches.is_some() {
            let flat = FlatTopology::from_buffer(self.positions.buffer().len(), faces)?;
            let mesh = DynamicMesh::from_flat(&flat, 0.0)?;
            let positions = DynamicAttribute::from_buffer(&mesh, self.positions.buffer())?;
            return self.replace(Changed {
                curves: curves(&mesh)?,
                mesh,
                positions,
                scale: 1.0,
                vertices: Vertices::Same,
                seams_kept: true,
                sources: None,
            });
        }
        check_buffer(self.positions.buffer().len(), &faces)?;
        let following =
            Following { of_vertices: self.take_of_vertices_that(&of_vertices), ..Following::default() };
        self.put(following, notes, normals);
        self.faces = faces.into();
        Ok(())
    }
}
