//! Exchange of faces for others, in place.
use super::mesh::{Capacity, DynamicMesh};
use crate::array;
use crate::device::{NONE, Quad};
use crate::dynamic::kernels::exchange::{
    AddSides, BOUNDARY, CLOSED, DeleteFaces, EMPTY, LeaveSides, MatchSides, OPENED, SideTableArguments,
    WORDS, WRONG_FACE, WRONG_SIDE, WriteFaces,
};
use crate::{Buffer, Defect, Error, Result};

/// Result of exchanging faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchanged {
    /// Sides of new faces that are on the boundary.
    pub boundary: u32,
    /// Edges of remaining faces that are on the boundary since then.
    pub opened: u32,
}

impl DynamicMesh {
    /// Deletes the faces of a list, and adds `added`, three vertices each. New vertices, edges and faces get
    /// ids behind those in use; of these, `vertices` are new vertices. Vertices and edges that are left
    /// without a face are deleted. Attributes follow at their next operation, or with
    /// [`Follow::grow`](crate::dynamic::Follow::grow). The time is proportional to the exchanged faces,
    /// except for a check of the vertices, which is linear in the mesh, and for growth. Waits.
    ///
    /// New faces continue the edges of deleted ones where the face on the other side remains; an edge that
    /// was on the boundary before stays there. The result must be an oriented manifold: one fan of faces at
    /// each vertex.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`]. [`Error::NotManifold`] names an edge, a face or a vertex
    /// that breaks the manifold property, and [`Error::Invalid`] a face of the list that is deleted: then the
    /// mesh is to be restored from a [`Snapshot`](crate::dynamic::Snapshot). Out of memory; errors of the
    /// driver.
    pub fn exchange_faces(
        &mut self,
        deleted: &Buffer<u32>,
        added: &Buffer<u32>,
        vertices: u32,
    ) -> Result<Exchanged> {
        let device = self.device.clone();
        for list in [deleted, added] {
            if !list.device().same(&device) {
                return Err(Error::OtherDevice { what: "a list of faces" });
            }
        }
        if !added.len().is_multiple_of(3) {
            let expected = added.len().next_multiple_of(3);
            return Err(Error::Length { what: "vertices of triangles", expected, found: added.len() });
        }
        let (gone, sides) = (deleted.len() as u32, added.len() as u32);
        let [v, e, f] = self.ids;
        let Capacity { vertices: room, edges, faces } = self.capacity;
        let needed = [v + vertices, e + sides, f + sides / 3];
        if needed.iter().zip([room, edges, faces]).any(|(needed, room)| *needed > room) {
            self.make_room(needed)?;
        }
        let pass = self.pass;

        let room = 2 * (3 * gone + sides) as usize;
        let mut keys = device.unspecified::<u64>(room.next_power_of_two())?;
        array::fill(&mut keys, EMPTY)?;
        let mut values = device.unspecified::<u32>(keys.len())?;
        let mut found = device.upload(&WORDS)?;
        let mut of_gone = device.unspecified::<Quad>(gone as usize)?;
        let mut darts = device.unspecified::<Quad>(gone as usize)?;
        let delete = DeleteFaces {
            mesh: self.tables(),
            list: deleted.view(),
            pass,
            vertices: of_gone.view_mut(),
            darts: darts.view_mut(),
            found: found.view_mut(),
        };
        device.launch_each(gone, delete)?;
        let mut table =
            SideTableArguments { keys: keys.view_mut(), values: values.view_mut(), found: found.view_mut() };
        let open = LeaveSides {
            mesh: self.tables(),
            vertices: of_gone.view(),
            darts: darts.view(),
            table: table.reborrow(),
        };
        device.launch_each(gone, open)?;
        let add = AddSides { mesh: self.tables(), faces: added.view(), table: table.reborrow() };
        device.launch_each(sides, add)?;
        let mut across = device.unspecified::<u32>(sides as usize)?;
        let mut numbers = device.unspecified::<u32>(sides as usize)?;
        let link =
            MatchSides { faces: added.view(), table, across: across.view_mut(), leads: numbers.view_mut() };
        device.launch_each(sides, link)?;
        let edges = array::exclusive_scan(&mut numbers)?;
        let write = WriteFaces {
            mesh: self.tables(),
            faces: added.view(),
            across: across.view(),
            numbers: numbers.view(),
            gone: of_gone.view(),
            first: [e, f],
            pass,
        };
        device.launch_each(sides / 3, write)?;
        self.ids = [v + vertices, e + edges, f + sides / 3];
        self.pass += 1;
        self.write_control()?;
        let found = found.read()?;
        let word = |which: u32| found[which as usize];
        if word(WRONG_FACE) != NONE {
            let face = deleted.read_range(word(WRONG_FACE) as usize, 1)?[0];
            return Err(Error::Invalid(format!("a list of faces names face {face}, which is deleted")));
        }
        if word(WRONG_SIDE) != NONE {
            let (face, side) = (word(WRONG_SIDE) / 3, word(WRONG_SIDE) as usize % 3);
            let corners = added.read_range(3 * face as usize, 3)?;
            let [a, b] = [corners[side], corners[(side + 1) % 3]];
            let defect = if a == b {
                Defect::Face { face: f + face }
            } else {
                Defect::Edge { ends: [a.min(b), a.max(b)] }
            };
            return Err(Error::NotManifold(defect));
        }
        if let Some(vertex) = self.split_vertex()? {
            return Err(Error::NotManifold(Defect::Vertex { vertex }));
        }
        Ok(Exchanged { boundary: word(BOUNDARY), opened: word(OPENED) - word(CLOSED) })
    }
}
