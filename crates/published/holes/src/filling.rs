//! Triangulations of holes.
use crate::kernels::cells::LoopsArguments;
use crate::kernels::fill::{FillHoles, IllegalArguments, MOST_VERTICES, Search, TablesArguments, chords};
use crate::kernels::sides::PutFaces;
use crate::{HoleOptions, Holes, HolesError, Joined};
use ribbonmesh::{Buffer, Device, Error, array};
use ribbonmesh_solid::intersections::Triangles;

/// Most vertices of the holes of each launch: blocks have tables for the longest one.
const CLASSES: [u32; 4] = [64, 512, 4096, MOST_VERTICES];
/// Bytes of the tables of a launch, unless one table needs more.
const ROOM: u64 = 1 << 28;
/// Blocks of a multiprocessor.
const BLOCKS: u32 = 16;

/// Result of [`fill`].
pub struct Filled {
    /// Three vertices of each face: first the faces that were not deleted, in their order, then new ones.
    pub faces: Buffer<u32>,
    /// Number of faces that were not deleted.
    pub kept: u32,
    /// Number of holes of more than three edges; a joined pair counts twice.
    pub holes: u32,
    /// Number of holes that were left open, since no triangulation is legal; a joined pair counts once.
    pub open: u32,
}

/// Finds the holes of a mesh, pairs them, and fills them: sections 3.5 to 3.8 of the paper, without the
/// splits and smoothing of new faces. The same on every machine.
///
/// An edge of a new face is a side of its hole, or no edge of the mesh: so a closed manifold results if no
/// hole is left open. (The paper also allows edges that exist once, which would get a third face.) See
/// [`Holes::of`], [`Holes::join`] and [`Joined::fill`] for costs.
/// # Errors
/// As those.
pub fn fill(mesh: Triangles<'_>, options: &HoleOptions) -> Result<Filled, HolesError> {
    options.check()?;
    Holes::of(mesh)?.join(options)?.fill(options)
}

impl Joined<'_> {
    /// Fills the holes by algorithms 3 and 4 (3.8), a block for each. A hole without a legal triangulation is
    /// left open.
    ///
    /// Algorithm 3 takes n³ / 6 steps for n vertices, algorithm 4 n² / 2 to 15 n², more where many chords are
    /// illegal. Blocks have tables of 6 n² bytes, for n of the longest hole of a launch; four launches at
    /// most. Waits for four numbers.
    /// # Errors
    /// [`Error::Option`]; [`Error::TooMany`] for a hole of more than 65,535 vertices; out of memory; errors
    /// of the driver.
    pub fn fill(mut self, options: &HoleOptions) -> Result<Filled, HolesError> {
        options.check()?;
        let device = self.order.device().clone();
        let longest = self.longest;
        if longest > MOST_VERTICES {
            let (count, limit) = (u64::from(longest), u64::from(MOST_VERTICES));
            return Err(Error::TooMany { what: "vertices of a hole", count, limit }.into());
        }
        let mut open = device.zeros::<u32>(1)?;
        let mut least = 1;
        for class in CLASSES {
            if least <= longest {
                self.fill_some([least, class.min(longest)], options, &mut open)?;
            }
            least = class + 1;
        }
        self.result(open.read()?[0])
    }
    /// Fills the holes of `least` to `most` vertices.
    fn fill_some(
        &mut self,
        [least, most]: [u32; 2],
        options: &HoleOptions,
        open: &mut Buffer<u32>,
    ) -> Result<(), Error> {
        let device = self.order.device().clone();
        let HoleOptions { exact, candidates, near_distance, .. } = *options;
        // algorithm 3 has no candidates
        let candidates = if most <= exact { 1 } else { candidates };
        let reach = f64::from(near_distance) * f64::from(near_distance);
        let mut tables = Tables::new(&device, self.holes.len(), most, candidates)?;
        let fill = FillHoles {
            least,
            most,
            loops: LoopsArguments {
                starts: self.starts.view(),
                order: self.order.view(),
                holes: self.of.view(),
                positions: self.holes.sides.mesh.positions.view(),
            },
            illegal: IllegalArguments { groups: self.illegal.0.view(), ends: self.illegal.1.view() },
            search: Search { exact, candidates, reach },
            tables: TablesArguments {
                weights: tables.weights.view_mut(),
                apices: tables.apices.view_mut(),
                near: tables.near.view_mut(),
            },
            faces: self.faces.view_mut(),
            flags: self.flags.view_mut(),
            open: open.view_mut(),
        };
        device.launch(tables.blocks, fill)
    }
    /// The faces that are left, and the new ones.
    fn result(self, open: u32) -> Result<Filled, HolesError> {
        let Holes { sides, closing: (closing, closed), .. } = self.holes;
        let device = sides.mesh.device();
        let [kept, filling, closed] =
            [array::select(&sides.alive)?, array::select(&self.flags)?, array::select(&closed)?];
        let all = kept.len() + closed.len() + filling.len();
        let (mut faces, mut first) = (device.unspecified::<u32>(3 * all)?, 0);
        for (list, from) in [
            (&kept, sides.mesh.faces.view().wide::<[u32; 3]>()),
            (&closed, closing.view()),
            (&filling, self.faces.view()),
        ] {
            let n = list.len() as u32;
            let to = faces.view_mut().wide();
            device.launch_each(n, PutFaces { list: list.view(), from, first, to })?;
            first += n;
        }
        let (kept, holes) = (kept.len() as u32, self.holes.starts.len() as u32 - 1);
        Ok(Filled { faces, kept, holes, open })
    }
}

/// Tables of the blocks of a launch.
struct Tables {
    blocks: u32,
    weights: Buffer<f64>,
    apices: Buffer<u32>,
    near: Buffer<u32>,
}
impl Tables {
    fn new(device: &Device, holes: u32, most: u32, candidates: u32) -> Result<Self, Error> {
        let (chords, near) = (u64::from(chords(most)), u64::from(most) * u64::from(candidates));
        let bytes = 12 * chords + 4 * near;
        // the numbers of chords and candidates of all blocks have 32 bits
        let fit = (ROOM / bytes.max(1)).min(u64::from(u32::MAX) / chords.max(near).max(1)).max(1);
        let blocks = holes.min(BLOCKS * device.multiprocessors()).min(fit as u32);
        let of_blocks = |each: u64| (u64::from(blocks) * each) as usize;
        device.check_room(u64::from(most), "vertices of a hole", u64::from(blocks) * bytes)?;
        Ok(Self {
            blocks,
            weights: device.unspecified(of_blocks(chords))?,
            apices: device.unspecified(of_blocks(chords))?,
            near: device.unspecified(of_blocks(near))?,
        })
    }
}
