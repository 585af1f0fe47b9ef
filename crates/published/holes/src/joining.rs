//! Pairs of holes, joined by quads.
use crate::kernels::merge::{
    Bridge, ChordsArguments, CountJoined, EdgesArguments, FindBridges, JoinHoles, JoinedArguments,
    ListChords, ListsArguments,
};
use crate::pairing::Near;
use crate::{HoleOptions, Holes, HolesError};
use ribbonmesh::Buffer;
use ribbonmesh::array::{self, Groups};

/// Holes of which some have been joined in pairs.
pub struct Joined<'a> {
    pub(crate) holes: Holes<'a>,
    pub(crate) starts: Buffer<u32>,
    pub(crate) order: Buffer<u32>,
    pub(crate) of: Buffer<u32>,
    /// Room for new faces, one for each vertex in `order`, and 1 for each of them that is a face: so far
    /// those of quads.
    pub(crate) faces: Buffer<[u32; 3]>,
    pub(crate) flags: Buffer<u32>,
    /// Chords that are edges already: those of each hole, and their ends.
    pub(crate) illegal: (Groups, Buffer<[u32; 2]>),
    bridges: Buffer<Bridge>,
    /// Vertices of the longest hole.
    pub(crate) longest: u32,
}

impl Joined<'_> {
    /// The quad of each hole that is the first of a joined pair; [`Bridge::NONE`] for all other holes.
    pub fn bridges(&self) -> &Buffer<Bridge> {
        &self.bridges
    }
}

/// Holes, their pairs, and what is to be known for joining them.
struct Paired<'a> {
    holes: &'a Holes<'a>,
    near: &'a Near,
    chosen: &'a Buffer<u32>,
    edges: &'a Buffer<u64>,
}
impl Paired<'_> {
    fn joined(&self) -> JoinedArguments<'_> {
        JoinedArguments { loops: self.holes.loops(), pairs: self.near.view(), chosen: self.chosen.view() }
    }
    fn edges(&self) -> EdgesArguments<'_> {
        EdgesArguments { keys: self.edges.view(), bits: self.holes.sides.bits }
    }
}

impl<'a> Holes<'a> {
    /// Pairs holes by algorithm 2, and joins each pair by a quad between its closest legal edges (3.7). A
    /// pair without such edges is not joined. The same on every machine.
    ///
    /// A vertex looks at the 27 cells around it; edges of two holes are compared with each other. Waits for
    /// six numbers.
    /// # Errors
    /// [`Error::Option`](ribbonmesh::Error::Option); [`Error::TooMany`](ribbonmesh::Error::TooMany) if 32
    /// bits cannot count the near holes of all vertices; out of memory; errors of the driver.
    pub fn join(self, options: &HoleOptions) -> Result<Joined<'a>, HolesError> {
        options.check()?;
        let device = self.sides.mesh.device();
        let near = self.near(options.pair_distance)?;
        let chosen = self.pair(&near, options.pair_share)?;
        let edges = self.sides.edges_between(&self.places)?;
        let pairs = Paired { holes: &self, near: &near, chosen: &chosen, edges: &edges };
        let (n, count) = (self.len(), self.len() as usize);
        let mut bridges = device.unspecified::<Bridge>(count)?;
        device.launch(
            n,
            FindBridges { joined: pairs.joined(), edges: pairs.edges(), bridges: bridges.view_mut() },
        )?;
        let mut starts = device.zeros::<u32>(count + 1)?;
        let counts = starts.view_mut();
        device.launch_each(n, CountJoined { joined: pairs.joined(), bridges: bridges.view(), counts })?;
        let longest = array::max(&starts)?.unwrap_or(0);
        let total = array::exclusive_scan(&mut starts)? as usize;
        let mut order = device.unspecified::<u32>(total)?;
        let mut of = device.unspecified::<u32>(total)?;
        let mut places = device.unspecified::<u32>(self.places.len())?;
        let mut faces = device.unspecified::<[u32; 3]>(total)?;
        let mut flags = device.zeros::<u32>(total)?;
        let lists = ListsArguments {
            order: order.view_mut(),
            holes: of.view_mut(),
            places: places.view_mut(),
            faces: faces.view_mut(),
            flags: flags.view_mut(),
        };
        let join =
            JoinHoles { joined: pairs.joined(), bridges: bridges.view(), starts: starts.view(), lists };
        device.launch(n, join)?;
        let most = edges.len() + count;
        let mut chords = device.unspecified::<u32>(most)?;
        let mut ends = device.unspecified::<[u32; 2]>(most)?;
        let list = ListChords {
            edges: pairs.edges(),
            bridges: bridges.view(),
            before: self.loops(),
            starts: starts.view(),
            holes: of.view(),
            places: places.view(),
            chords: ChordsArguments { holes: chords.view_mut(), ends: ends.view_mut() },
        };
        device.launch_each(most as u32, list)?;
        // in any order where there are many: chords are only marked
        let mut long = device.zeros::<u32>(1)?;
        let illegal = (array::group_short(&chords, n + 1, &mut long)?, ends);
        Ok(Joined { holes: self, starts, order, of, faces, flags, illegal, bridges, longest })
    }
}
