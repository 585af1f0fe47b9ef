//! Content of a mesh of Python: a mesh of the host, a surface on a device, or both.
use crate::device::{Choice, Session, Turn};
use crate::dlpack::{Copied, count};
use crate::failure::Failure;
use crate::ops::energy::Kept;
use crate::watch::Size;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, DeviceKind, Error, MeshOptions, Surface};
use ribbonmesh_energies::SurfaceEnergy;
use ribbonmesh_mesh::TriangleMesh;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// A mesh that does not change.
pub struct Content {
    /// The machine for its work.
    pub choice: Choice,
    pub options: MeshOptions,
    /// Whether its arrays live on the device for Python, too.
    pub resident: bool,
    host: OnceLock<TriangleMesh>,
    /// As triangles in the order of the mesh; of a mesh of the host once it was asked for its tree.
    surface: OnceLock<Mutex<Surface>>,
    /// The elements with the energy that was last asked for.
    pub energy: Kept<SurfaceEnergy>,
    /// Vertices and faces.
    pub sizes: [usize; 2],
}

impl Content {
    /// The content of a mesh of the host.
    pub fn of_host(mesh: TriangleMesh, choice: Choice, options: MeshOptions) -> Self {
        let sizes = [mesh.positions.len(), mesh.faces.len()];
        let (surface, energy) = (OnceLock::new(), Kept::default());
        Self { choice, options, resident: false, host: mesh.into(), surface, energy, sizes }
    }
    /// The content of a surface that was made of buffers.
    pub fn of_buffers(surface: Surface, sizes: [usize; 2], choice: Choice, options: MeshOptions) -> Self {
        let (surface, energy) = (Mutex::new(surface).into(), Kept::default());
        Self { choice, options, resident: true, host: OnceLock::new(), surface, energy, sizes }
    }
    /// A mesh of the host instead of this one.
    pub fn like(&self, session: &mut Session, mesh: TriangleMesh) -> Result<Self, Failure> {
        let made = Self::of_host(mesh, self.choice, self.options.clone());
        if self.resident { made.on_device(session) } else { Ok(made) }
    }
    /// A surface that replaces this mesh. It stays on a GPU if this mesh is also there, and is downloaded
    /// otherwise.
    pub fn after(&self, surface: Surface) -> Result<Self, Failure> {
        if self.resident || surface.device().kind() == DeviceKind::Cuda {
            count(Copied::OnDevice);
            let surface = surface.try_clone()?;
            let triangles = surface.triangles();
            let sizes = [triangles.positions().len(), triangles.faces().len() / 3];
            let made = Self::of_buffers(surface, sizes, self.choice, self.options.clone());
            return Ok(Self { resident: self.resident, ..made });
        }
        count(Copied::ToHost);
        Ok(Self::of_host(surface.download()?, self.choice, self.options.clone()))
    }
    /// The same with arrays on its device.
    pub fn on_device(&self, session: &mut Session) -> Result<Self, Failure> {
        let surface = session.turn(&self.device()?, |turn| self.surface(turn))?;
        Ok(Self::of_buffers(surface, self.sizes, self.choice, self.options.clone()))
    }
    /// The same with arrays on the host.
    pub fn on_host(&self, session: &mut Session) -> Result<Self, Failure> {
        Ok(Self::of_host(self.host(session)?.clone(), self.choice, self.options.clone()))
    }

    /// The machine.
    pub fn device(&self) -> Result<Device, Failure> {
        Ok(self.choice.open()?)
    }
    /// The mesh on the host; downloaded when first asked for, in a turn of its own.
    pub fn host(&self, session: &mut Session) -> Result<&TriangleMesh, Failure> {
        match self.host.get() {
            Some(mesh) => Ok(mesh),
            None => session.turn(&self.device()?, |turn| self.host_in(turn)),
        }
    }
    /// Whether it is a surface on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.kept().is_some_and(|surface| surface.device().kind() == DeviceKind::Cuda)
    }
    /// The mesh on the host, if it is there.
    pub fn known(&self) -> Option<&TriangleMesh> {
        self.host.get()
    }
    /// The mesh on the host; downloaded when first asked for, in this turn on its device.
    pub fn host_in(&self, _turn: &Turn) -> Result<&TriangleMesh, Failure> {
        if let Some(mesh) = self.host.get() {
            return Ok(mesh);
        }
        let Some(surface) = self.kept() else {
            return Err(Failure::bug("a mesh without content"));
        };
        count(Copied::ToHost);
        let mesh = surface.download()?;
        Ok(self.host.get_or_init(|| mesh))
    }
    /// A surface to work on, which no other object has.
    pub fn surface(&self, turn: &Turn) -> Result<Surface, Failure> {
        if let Some(surface) = self.kept() {
            count(Copied::OnDevice);
            return Ok(surface.try_clone()?);
        }
        count(Copied::ToDevice);
        Ok(Surface::new(turn, self.host_in(turn)?, &self.options)?)
    }
    /// The search tree, which is kept with the mesh, and the point to which it is relative.
    pub fn tree(&self, turn: &Turn) -> Result<(Bvh, DVec3), Failure> {
        if self.sizes[1] == 0 {
            return Err(Error::NoFaces { what: "the mesh" }.into());
        }
        let kept = self.lend(turn)?;
        Ok((kept.tree()?.clone(), kept.origin()))
    }
    /// The surface that it keeps, made when first asked for. Work does not change it, and holds one surface
    /// at a time: two meshes may be the same.
    pub fn lend(&self, turn: &Turn) -> Result<MutexGuard<'_, Surface>, Failure> {
        if let Some(kept) = self.kept() {
            return Ok(kept);
        }
        let made = self.surface(turn)?;
        let kept = self.surface.get_or_init(|| Mutex::new(made));
        Ok(kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
    /// The surface that it keeps.
    pub fn kept(&self) -> Option<MutexGuard<'_, Surface>> {
        // no other thread changes it
        self.surface.get().map(|surface| surface.lock().unwrap_or_else(PoisonError::into_inner))
    }
    /// The amount of work of a few kernels on this many elements.
    pub fn quick(&self, elements: usize) -> Size {
        if self.is_on_gpu() { Size::Quick(elements) } else { Size::Faces(elements) }
    }
}
