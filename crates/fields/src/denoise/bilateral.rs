//! Bilateral denoising: the host's part.
use crate::denoise::DenoiseOptions;
use crate::denoise::adjacency::FlatRows;
use crate::denoise::kernels::{Filter, LeftArguments, SurfaceArguments, Walk, WalksArguments};
use crate::denoise::normals::normals_with_ring_into;
use crate::denoise::rings::Rings;
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, Buffer, DeviceKind, Op, Result, StaticMesh, Vertex};

type Vectors = Attribute<Vertex, Vec3>;

/// Moves positions by offsets of neighbours. Keeps stored rings and memory.
pub struct Bilateral<'m> {
    work: Work<'m>,
    other: Vectors,
}

/// Counts of a run.
pub struct Counts {
    /// For each iteration, the number of vertices whose ball extends beyond the stored rings.
    pub walked: Vec<u32>,
    /// Over all iterations, the number of balls that were cut.
    pub cut: u32,
}

/// Memory and settings of a run, without the intermediate positions.
struct Work<'m> {
    mesh: &'m StaticMesh,
    options: DenoiseOptions,
    neighbours: FlatRows,
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

/// Number of vertices in all walks together.
const WALKED: u64 = 8 << 20;

impl WalkMemory {
    /// Reserves memory for walks of `capacity` vertices, a power of two: on a GPU for many at a time, on a
    /// CPU for a few per thread.
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

impl<'m> Bilateral<'m> {
    /// Computes and stores the rings of every vertex.
    pub fn new(mesh: &'m StaticMesh, options: &DenoiseOptions) -> Result<Self> {
        let (device, n) = (mesh.device(), mesh.vertices());
        let neighbours = FlatRows::of(mesh, Op::VV)?;
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
            counts: device.zeros(1)?,
            walks: WalkMemory::new(mesh, MOST_MET.min(n.max(1).next_power_of_two() as u32))?,
        };
        Ok(Self { work, other: Vectors::zeros(mesh)? })
    }
    /// Number of stored rings.
    pub fn stored_rings(&self) -> u32 {
        self.work.rings.view().rings
    }
    /// Bytes of the stored rings on the device.
    pub fn stored_bytes(&self) -> u64 {
        self.work.rings.bytes()
    }

    /// Writes the positions after `iterations` iterations, at least one, to `to`. Three launches per
    /// iteration, and one more for normals for which `f32` is not precise enough; iterations do not wait.
    pub fn denoise(&mut self, iterations: u32, positions: &Vectors, to: &mut Vectors) -> Result<Counts> {
        let Self { work, other } = self;
        work.counts = work.mesh.device().zeros(iterations as usize + 1)?;
        // the last iteration writes to `to`
        for i in 0..iterations {
            let last = iterations;
            match (i == 0, (iterations - i) % 2 == 1) {
                (true, true) => work.iterate(i, last, positions, to),
                (true, false) => work.iterate(i, last, positions, other),
                (false, true) => work.iterate(i, last, other, to),
                (false, false) => work.iterate(i, last, to, other),
            }?;
        }
        let mut walked = work.counts.read()?;
        let cut = walked.pop().unwrap_or(0);
        Ok(Counts { walked, cut })
    }
}

impl Work<'_> {
    fn iterate(&mut self, iteration: u32, iterations: u32, x: &Vectors, y: &mut Vectors) -> Result<()> {
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
            // after the counts of the iterations
            walks: WalksArguments {
                memory: walks.memory.view_mut(),
                lanes,
                capacity,
                lane_pitch,
                pitch,
                cut: iterations,
            },
            y: y.view_mut(),
        };
        device.launch(blocks, kernel)
    }
}

/// Most vertices that a walk meets, a power of two. A ball of a radius of five edges has fewer on a regular
/// mesh; where edges are very unequal, balls by a mean or longest edge would have all vertices of a mesh.
const MOST_MET: u32 = 512;
