//! Denoising on the host's side.
use crate::DenoiseOptions;
use crate::kernels::{Filter, LeftArguments, SurfaceArguments, Walk, WalksArguments};
use crate::rings::{Neighbours, Rings};
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, Buffer, DeviceKind, Error, Result, StaticMesh, Vertex};
use ribbonmesh_normals::normals_with_ring_into;

type Vectors = Attribute<Vertex, Vec3>;

/// Report of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenoiseReport {
    /// Number of iterations.
    pub iterations: u32,
    /// Number of stored rings per vertex.
    pub stored_rings: u32,
    /// For each iteration, the number of vertices whose ball extends beyond the stored rings.
    pub walked: Vec<u32>,
    /// Bytes of the stored rings on the device.
    pub stored_bytes: u64,
}

/// Denoises positions on one mesh. Reuses stored rings and memory in repeated runs.
pub struct Denoiser<'m> {
    work: Work<'m>,
    other: Vectors,
}

/// All but the positions in between.
struct Work<'m> {
    mesh: &'m StaticMesh,
    options: DenoiseOptions,
    neighbours: Neighbours,
    rings: Rings,
    ring: Ring,
    fixed: Buffer<u32>,
    normals: Vectors,
    list: Buffer<u32>,
    counts: Buffer<u32>,
    walks: WalkMemory,
}

/// Memory of the walks.
struct WalkMemory {
    memory: Buffer<u32>,
    blocks: u32,
    lanes: u32,
    capacity: u32,
}

/// Vertices of all walks together.
const WALKED: u64 = 8 << 20;

impl WalkMemory {
    /// For walks of `capacity` vertices, a power of two: on a GPU many at a time, on a CPU a few for each thread.
    fn new(mesh: &StaticMesh, capacity: u32) -> Result<Self> {
        let (device, n) = (mesh.device(), mesh.vertices() as u64);
        let most = (WALKED / capacity as u64).clamp(1, n.max(1));
        let (blocks, lanes) = match device.kind() {
            DeviceKind::Cuda => {
                let lanes = most.min(128);
                ((most / lanes).min(256), lanes)
            }
            DeviceKind::Cpu => (most.min(64), 1),
        };
        let words = (3 * blocks * lanes * capacity as u64) as usize;
        let memory = device.zeros(words)?;
        Ok(Self { memory, blocks: blocks as u32, lanes: lanes as u32, capacity })
    }
}

impl<'m> Denoiser<'m> {
    /// Computes and stores the rings of every vertex. Linear in the mesh, except for vertices with very many
    /// neighbours.
    /// # Errors
    /// [`Error::Option`] names the option that is out of range; [`Error::TooMany`] for more than 2³² entries of stored
    /// rings; out of memory; errors of the driver.
    pub fn new(mesh: &'m StaticMesh, options: &DenoiseOptions) -> Result<Self> {
        options.check()?;
        let (device, n) = (mesh.device(), mesh.vertices());
        let neighbours = Neighbours::new(mesh)?;
        let fixed = if options.fixed_boundary { mesh.boundary::<Vertex>()? } else { device.zeros(0)? };
        let work = Work {
            mesh,
            options: *options,
            rings: Rings::new(mesh, &neighbours, options.rings())?,
            neighbours,
            ring: Ring::new(mesh)?,
            fixed,
            normals: Vectors::zeros(mesh)?,
            list: device.unspecified(n)?,
            counts: device.zeros(options.iterations as usize + 1)?,
            walks: WalkMemory::new(mesh, FIRST_CAPACITY.min(n.max(1).next_power_of_two() as u32))?,
        };
        Ok(Self { work, other: Vectors::zeros(mesh)? })
    }

    /// Writes the denoised positions to `to`. Three launches per iteration, and one more for normals for which `f32` is
    /// not precise enough; iterations do not wait. If a search beyond the stored rings exceeds its memory, the run is
    /// repeated with more memory.
    /// # Errors
    /// [`Error::OtherDevice`] or [`Error::OtherMesh`] when an attribute is not of this mesh; out of memory; errors of
    /// the driver.
    pub fn denoise(&mut self, positions: &Vectors, to: &mut Vectors) -> Result<DenoiseReport> {
        let Self { work, other } = self;
        for (attribute, what) in
            [(positions, "the attribute of positions"), (&*to, "the attribute for the positions")]
        {
            if !attribute.device().same(work.mesh.device()) {
                return Err(Error::OtherDevice { what });
            }
            if !attribute.belongs_to(work.mesh) {
                return Err(Error::OtherMesh { what });
            }
        }
        let iterations = work.options.iterations;
        if iterations == 0 || work.mesh.patches() == 0 {
            to.copy_from(positions)?;
            return Ok(work.report(vec![0; iterations as usize]));
        }
        loop {
            work.counts.clear()?;
            // the last iteration writes to `to`
            for i in 0..iterations {
                match (i == 0, (iterations - i) % 2 == 1) {
                    (true, true) => work.iterate(i, positions, to),
                    (true, false) => work.iterate(i, positions, other),
                    (false, true) => work.iterate(i, other, to),
                    (false, false) => work.iterate(i, to, other),
                }?;
            }
            let mut counts = work.counts.read()?;
            if counts.pop() == Some(0) {
                return Ok(work.report(counts));
            }
            let capacity =
                work.walks.capacity.saturating_mul(8).min((work.mesh.vertices() as u32).next_power_of_two());
            work.walks = WalkMemory::new(work.mesh, capacity)?;
        }
    }
}

impl Work<'_> {
    fn report(&self, walked: Vec<u32>) -> DenoiseReport {
        DenoiseReport {
            iterations: self.options.iterations,
            stored_rings: self.rings.view().rings,
            walked,
            stored_bytes: self.rings.bytes(),
        }
    }
    fn iterate(&mut self, iteration: u32, x: &Vectors, y: &mut Vectors) -> Result<()> {
        let (mesh, device) = (self.mesh, self.mesh.device());
        normals_with_ring_into(mesh, &self.ring, x, self.options.normals, &mut self.normals)?;
        let surface = SurfaceArguments {
            x: x.view(),
            normals: self.normals.view(),
            fixed: self.fixed.view(),
            rule: self.options.rule(),
        };
        let left = LeftArguments { list: self.list.view_mut(), counts: self.counts.view_mut(), iteration };
        let filter = Filter { mesh: mesh.view(), stored: self.rings.view(), surface, y: y.view_mut(), left };
        device.launch(mesh.patches() as u32, filter)?;

        let walks = &mut self.walks;
        let (blocks, lanes, capacity) = (walks.blocks, walks.lanes, walks.capacity);
        let (lane_pitch, pitch) =
            if device.kind() == DeviceKind::Cuda { (1, blocks * lanes) } else { (3 * capacity, 1) };
        let kernel = Walk {
            vv: self.neighbours.view(),
            surface,
            list: self.list.view(),
            counts: self.counts.view_mut(),
            iteration,
            // behind the numbers of the iterations
            walks: WalksArguments {
                memory: walks.memory.view_mut(),
                lanes,
                capacity,
                lane_pitch,
                pitch,
                short: self.options.iterations,
            },
            y: y.view_mut(),
        };
        device.launch(blocks, kernel)
    }
}

/// Vertices that a walk can meet at first.
const FIRST_CAPACITY: u32 = 256;
