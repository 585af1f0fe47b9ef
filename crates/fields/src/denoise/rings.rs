//! Stored rings: the host's part.
use crate::denoise::adjacency::FlatRows;
use crate::denoise::kernels::{Memory, Sizes, StoreRings, StoreToArguments, surroundings_memory};
use crate::denoise::stored::{SLICE, StoredRingsArguments};
use ribbonmesh::device::{Arena, NONE};
use ribbonmesh::{Buffer, Error, Result, StaticMesh};

/// Stored rings of every vertex.
pub struct Rings {
    patches: Buffer<u32>,
    surroundings: Buffer<u32>,
    slices: Buffer<u32>,
    entries: Buffer<u16>,
    rings: u32,
    most: u32,
}

impl Rings {
    /// Finds `rings` rings (at most 4) of every vertex: one launch, and a second one if the estimated memory
    /// was too small. Nothing is stored for patches and vertices that exceed the limits.
    pub fn new(mesh: &StaticMesh, neighbours: &FlatRows, rings: u32) -> Result<Self> {
        let (device, patches) = (mesh.device(), mesh.patches());
        let owned = mesh.max_counts().v_owned;
        let surroundings = owned + 256;
        let sizes = Sizes {
            rings,
            surroundings,
            table: (2 * surroundings).next_power_of_two(),
            entries: [1, 32, 48, 96, 160][rings as usize],
        };
        let counts = mesh.max_counts();
        let memory = Arena::measure(|arena| {
            Memory::layout(arena, &counts, sizes);
        });
        let memory = memory.max(Arena::measure(|arena| {
            surroundings_memory(arena, owned, surroundings);
        }));
        let slices = mesh.vertices() / SLICE as usize + patches + 1;
        let none = rings == 0 || memory > device.shared_memory_limit();
        if none || patches == 0 {
            return Ok(Self {
                patches: device.zeros(2 * patches)?,
                surroundings: device.zeros(0)?,
                slices: device.upload(&vec![NONE; slices])?,
                entries: device.zeros(0)?,
                rings,
                most: 0,
            });
        }
        // number of slices' entries: 3 r (r + 1) for each vertex of a regular mesh; more, since a slice is as
        // wide as the longest of its 32 rows
        let mut groups = slices as u64 * [0, 9, 25, 48, 80][rings as usize];
        let mut ids = patches as u64 * (owned as u64 * 2 / 3 + 64);
        loop {
            if groups * SLICE as u64 > u32::MAX as u64 {
                let limit = u32::MAX as u64;
                return Err(Error::TooMany {
                    what: "entries of stored rings",
                    count: groups * SLICE as u64,
                    limit,
                });
            }
            let mut to_patches = device.unspecified(2 * patches)?;
            let mut to_ids = device.unspecified(ids as usize)?;
            let mut to_slices = device.unspecified(slices)?;
            let mut entries = device.unspecified((groups * SLICE as u64) as usize)?;
            let mut used = device.zeros::<u32>(2)?;
            let to = StoreToArguments {
                patches: to_patches.view_mut(),
                surroundings: to_ids.view_mut(),
                slices: to_slices.view_mut(),
                entries: entries.view_mut(),
                used: used.view_mut(),
            };
            device
                .launch(patches as u32, StoreRings { mesh: mesh.view(), vv: neighbours.view(), sizes, to })?;
            let used = used.read()?;
            if (used[0] as u64) <= groups && (used[1] as u64) <= ids {
                let lengths = to_patches.read()?;
                let most = lengths.iter().skip(1).step_by(2).copied().max().unwrap_or(0);
                let (patches, surroundings, slices) = (to_patches, to_ids, to_slices);
                return Ok(Self { patches, surroundings, slices, entries, rings, most });
            }
            (groups, ids) = (groups.max(used[0] as u64), ids.max(used[1] as u64));
        }
    }
    pub fn view(&self) -> StoredRingsArguments<'_> {
        StoredRingsArguments {
            patches: self.patches.view(),
            surroundings: self.surroundings.view(),
            slices: self.slices.view(),
            entries: self.entries.view(),
            rings: self.rings,
            most: self.most,
        }
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        let words = self.patches.bytes() + self.surroundings.bytes() + self.slices.bytes();
        (words + self.entries.bytes()) as u64
    }
}
