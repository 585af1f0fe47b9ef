//! Going back to an earlier state.
use super::attribute::{DynamicAttribute, copy_words};
use super::mesh::DynamicMesh;
use super::numbering::Numbering;
use crate::device::Pod;
use crate::{Buffer, Element, Error, Result};

/// The triangles of a [`DynamicMesh`] at a time, on its device.
pub struct Snapshot {
    ids: [u32; 3],
    numbering: Numbering,
    fv: Buffer<u32>,
    fe: Buffer<u32>,
    eh: Buffer<u32>,
    dead: Buffer<u32>,
}
impl Snapshot {
    /// Bytes on the device: 32 per face, 8 per edge, 4 per vertex.
    pub fn bytes(&self) -> usize {
        [&self.fv, &self.fe, &self.eh, &self.dead].iter().map(|words| words.bytes()).sum()
    }
}

impl DynamicMesh {
    /// Copies the triangles, so that [`DynamicMesh::restore`] can restore them. Attributes are copied by
    /// [`DynamicAttribute::try_clone`]. Linear.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn snapshot(&self) -> Result<Snapshot> {
        let [v, e, f] = self.ids.map(|n| n as usize);
        let copy = |words: &Buffer<u32>, n: usize| {
            let mut copy = self.device.unspecified(n)?;
            copy_words(words, &mut copy, n)?;
            Ok::<_, Error>(copy)
        };
        Ok(Snapshot {
            ids: self.ids,
            numbering: self.numbering,
            fv: copy(&self.fv, 4 * f)?,
            fe: copy(&self.fe, 4 * f)?,
            eh: copy(&self.eh, 2 * e)?,
            dead: copy(&self.dead, v)?,
        })
    }
    /// Goes back to the triangles of a snapshot of this mesh: every element has the id that it had. The
    /// capacity and the number of the next pass stay as they are, so faces that have been made since the
    /// snapshot are forgotten but their passes are not numbered again. All patches are rebuilt by the next
    /// [`DynamicMesh::refresh`]. Linear.
    /// # Errors
    /// [`Error::OtherMesh`] for a snapshot of another mesh, or if ids have been renumbered since
    /// ([`DynamicMesh::compact`], or a refresh that did so); errors of the driver.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        let required = self.numbering.require("a snapshot", snapshot.numbering);
        required.map_err(|error| match error {
            Error::OtherNumbering { .. } => Error::OtherMesh { what: "a snapshot from before a renumbering" },
            error => error,
        })?;
        let Snapshot { fv, fe, eh, dead, .. } = snapshot;
        for (from, to) in [(fv, &mut self.fv), (fe, &mut self.fe), (eh, &mut self.eh), (dead, &mut self.dead)]
        {
            copy_words(from, to, from.len())?;
        }
        self.ids = snapshot.ids;
        self.refreshed = 0;
        self.write_control()
    }
}

impl<E: Element, T: Pod> DynamicAttribute<E, T> {
    /// A copy of all values, spare capacity included, for [`DynamicAttribute::restore`].
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(self.with_values(self.buffer().try_clone()?))
    }
    /// Takes over the values of an earlier copy, as [`DynamicMesh::restore`] does with triangles. Where the
    /// mesh has got more room since, that has zero bytes.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`] if the copy is longer; [`Error::OtherMesh`] and
    /// [`Error::OtherNumbering`] if it is a copy of values of another mesh, or from before a renumbering; out
    /// of memory; errors of the driver.
    pub fn restore(&mut self, copy: &Self) -> Result<()> {
        let (room, found) = (self.buffer().len(), copy.buffer().len());
        if found > room {
            return Err(Error::Length { what: "values of an earlier copy", expected: room, found });
        }
        if !copy.buffer().device().same(self.buffer().device()) {
            return Err(Error::OtherDevice { what: "an earlier copy of an attribute" });
        }
        self.require_same_ids(copy)?;
        if found < room {
            *self = self.with_values(self.buffer().device().zeros(room)?);
        }
        copy_words(copy.buffer(), self.buffer_mut(), found)
    }
}
