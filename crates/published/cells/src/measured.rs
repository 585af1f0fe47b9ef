//! Facts about triangles that their cells need.
use crate::cells::{CellFactsArguments, FACTS, MOST_FACES, NOT_FINITE, OUT_OF_RANGE, USED};
use crate::pairs::{ChooseCells, ExamineFaces, ExaminePositions, MeshesArguments};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Error, Result};
use ribbonmesh_solid::intersections::Triangles;

/// One mesh, or two whose faces are compared with each other.
#[derive(Clone, Copy)]
pub struct MeshPair<'a> {
    pub first: Triangles<'a>,
    pub second: Option<Triangles<'a>>,
}
impl<'a> MeshPair<'a> {
    fn meshes(&self) -> impl Iterator<Item = Triangles<'a>> + use<'a> {
        std::iter::once(self.first).chain(self.second)
    }
    /// Number of faces of both; checks the buffers.
    pub fn checked_len(&self) -> Result<u32> {
        self.meshes().try_for_each(|mesh| mesh.check_lengths())?;
        let (count, limit) = (self.meshes().map(|mesh| u64::from(mesh.len())).sum(), u64::from(MOST_FACES));
        for mesh in self.meshes() {
            let (count, limit) = (mesh.positions.len() as u64, u64::from(u32::MAX));
            if count > limit {
                return Err(Error::TooMany { what: "vertices", count, limit });
            }
        }
        match count > limit {
            true => Err(Error::TooMany { what: "faces", count, limit }),
            false => Ok(count as u32),
        }
    }
    pub fn view(&self, n: u32) -> MeshesArguments<'_> {
        MeshesArguments {
            first: self.first.view(),
            second: self.second.as_ref().unwrap_or(&self.first).view(),
            split: self.first.len(),
            n,
        }
    }
    /// The error for faults that kernels have found.
    fn refuse(&self, facts: &[u32]) -> Result<()> {
        for (i, mesh) in self.meshes().enumerate() {
            let [out_of_range, not_finite] = [OUT_OF_RANGE, NOT_FINITE].map(|word| facts[word as usize + i]);
            if out_of_range != 0 {
                let (face, vertices) = (!out_of_range as usize, mesh.positions.len());
                let corners = mesh.faces.read_range(3 * face, 3)?;
                let vertex = corners.into_iter().find(|&v| v as usize >= vertices).unwrap_or_default();
                return Err(Error::IndexOutOfRange { face, vertex, vertices });
            }
            if not_finite != 0 {
                return Err(Error::NotFinite { vertex: !not_finite as usize });
            }
        }
        Ok(())
    }
}

/// Facts about triangles: whether they are valid, and the sizes of their cells.
pub struct Measured<'a> {
    meshes: MeshPair<'a>,
    n: u32,
    facts: Buffer<u32>,
}

impl<'a> Measured<'a> {
    /// Examines triangles. Does not wait.
    /// # Errors
    /// [`Error::OtherDevice`], [`Error::Length`], [`Error::TooMany`]; out of memory; errors of the driver.
    pub fn new(triangles: Triangles<'a>) -> Result<Self> {
        Self::of(MeshPair { first: triangles, second: None })
    }
    pub(crate) fn of(meshes: MeshPair<'a>) -> Result<Self> {
        let (device, n) = (meshes.first.device(), meshes.checked_len()?);
        let facts = device.zeros::<u32>(FACTS)?;
        let mut measured = Self { meshes, n, facts };
        for (second, mesh) in (0..).zip(meshes.meshes()) {
            let (positions, n) = (mesh.positions.view(), mesh.positions.len() as u32);
            device.launch(tiles(n), ExaminePositions { positions, n, second, facts: measured.view_mut() })?;
        }
        device.launch(tiles(n), ExamineFaces { meshes: meshes.view(n), facts: measured.view_mut() })?;
        device.launch(1, ChooseCells { meshes: meshes.view(n), facts: measured.view_mut() })?;
        Ok(measured)
    }
    /// Number of faces.
    pub fn faces(&self) -> u32 {
        self.n
    }
    /// The facts as an argument of kernels.
    pub fn view_mut(&mut self) -> CellFactsArguments<'_> {
        CellFactsArguments { words: self.facts.view_mut() }
    }
    /// Whether a table that was filled with these triangles has all of them. Waits.
    /// # Errors
    /// [`Error::NotFinite`], [`Error::IndexOutOfRange`]; errors of the driver.
    pub fn is_complete(&self) -> Result<bool> {
        let facts = self.facts.read()?;
        self.meshes.refuse(&facts)?;
        Ok(facts[USED as usize] >> 31 == 0)
    }
    /// Resets the facts about inserted faces, for another table.
    /// # Errors
    /// Errors of the driver.
    pub fn forget(&mut self) -> Result<()> {
        self.facts.write_range(USED as usize, &[0])
    }
}
